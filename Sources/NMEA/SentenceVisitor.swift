/// Takes the sentences that a framer finds. Each kind has an empty default: implement what is of interest.
public protocol SentenceVisitor: ~Copyable {
  /// Takes one RMC sentence.
  mutating func receive(_ sentence: RMC)
  /// Takes one GGA sentence.
  mutating func receive(_ sentence: GGA)
  /// Takes one GSA sentence.
  mutating func receive(_ sentence: GSA)
  /// Takes one GSV sentence.
  mutating func receive(_ sentence: GSV)
  /// Takes one GLL sentence.
  mutating func receive(_ sentence: GLL)
  /// Takes one VTG sentence.
  mutating func receive(_ sentence: VTG)
  /// Takes one ZDA sentence.
  mutating func receive(_ sentence: ZDA)
  /// Takes one GNS sentence.
  mutating func receive(_ sentence: GNS)
  /// Takes one GST sentence.
  mutating func receive(_ sentence: GST)
  /// Takes one GBS sentence.
  mutating func receive(_ sentence: GBS)
  /// Takes one HDT sentence.
  mutating func receive(_ sentence: HDT)
  /// Takes one THS sentence.
  mutating func receive(_ sentence: THS)
  /// Takes one TXT sentence.
  mutating func receive(_ sentence: TXT)
  /// Takes one PGRME sentence.
  mutating func receive(_ sentence: PGRME)
  /// Takes one PGRMZ sentence.
  mutating func receive(_ sentence: PGRMZ)
  /// Takes one PGRMF sentence.
  mutating func receive(_ sentence: PGRMF)
  /// Takes one PMGNST sentence.
  mutating func receive(_ sentence: PMGNST)
  /// Takes one PSRFEPE sentence.
  mutating func receive(_ sentence: PSRFEPE)
  /// Takes one PSTI030 sentence.
  mutating func receive(_ sentence: PSTI030)
  /// Takes one PASHRPOS sentence.
  mutating func receive(_ sentence: PASHRPOS)
  /// Takes a well-formed sentence of a kind that is not read here; the fields are valid during the call only.
  mutating func receive(unrecognized fields: borrowing SentenceFields)
}

extension SentenceVisitor where Self: ~Copyable {
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: RMC) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GGA) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GSA) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GSV) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GLL) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: VTG) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: ZDA) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GNS) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GST) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: GBS) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: HDT) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: THS) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: TXT) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PGRME) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PGRMZ) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PGRMF) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PMGNST) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PSRFEPE) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PSTI030) {}
  /// Ignores it.
  @inlinable public mutating func receive(_ sentence: PASHRPOS) {}
  /// Ignores it.
  @inlinable public mutating func receive(unrecognized fields: borrowing SentenceFields) {}
}
