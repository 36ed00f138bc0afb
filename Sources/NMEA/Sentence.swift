/// Why a sentence could not be read. Nothing of the sentence is used.
@frozen public enum SentenceError: Error, Equatable, BitwiseCopyable, Sendable {
  /// There is no `$`, or the bytes before it are not part of a sentence.
  case noStart
  /// The bytes end before the sentence does.
  case incomplete
  /// The checksum is not that of the bytes.
  case wrongChecksum
  /// Longer than any real one.
  case overLong
  /// A byte that no sentence can hold.
  case binary
  /// The address is not one.
  case malformedAddress
  /// A kind that is not read here.
  case unknownKind
  /// A known kind with fewer fields than it needs.
  case tooFewFields(found: UInt8)
  /// A field that makes no sense, by its number; the address is field 0.
  case malformedField(number: UInt8)
}

/// One sentence of any kind that is read here.
///
/// For tools, tests and simulators. The way for a stream of bytes is `SentenceFramer` with a `SentenceVisitor`, which is
/// many times faster and resynchronises.
public enum Sentence: Sendable {
  /// RMC.
  case rmc(RMC)
  /// GGA.
  case gga(GGA)
  /// GSA.
  case gsa(GSA)
  /// GSV.
  case gsv(GSV)
  /// GLL.
  case gll(GLL)
  /// VTG.
  case vtg(VTG)
  /// ZDA.
  case zda(ZDA)
  /// GNS.
  case gns(GNS)
  /// GST.
  case gst(GST)
  /// GBS.
  case gbs(GBS)
  /// HDT.
  case hdt(HDT)
  /// THS.
  case ths(THS)
  /// TXT.
  case txt(TXT)
  /// PGRME.
  case pgrme(PGRME)
  /// PGRMZ.
  case pgrmz(PGRMZ)
  /// PGRMF.
  case pgrmf(PGRMF)
  /// PMGNST.
  case pmgnst(PMGNST)
  /// PSRFEPE.
  case psrfepe(PSRFEPE)
  /// PSTI030.
  case psti030(PSTI030)
  /// PASHRPOS.
  case pashrpos(PASHRPOS)

  /// Reads one sentence from `$` to its checksum or line end; what follows is not looked at.
  ///
  /// Unlike the framer it takes no field on trust: one that makes no sense is an error.
  public init(parsing bytes: Span<UInt8>) throws(SentenceError) {
    guard !bytes.isEmpty, bytes[0] == 0x24 else { throw .noStart }
    var framer = SentenceFramer()
    var catcher = SentenceCatcher()
    var place = 0
    while place < bytes.count, !framer.counts.hasSentence {
      framer.receive(bytes.extracting(place..<place + 1), into: &catcher)
      place += 1
    }
    if framer.pendingByteCount > 0 {
      // A line end stands for the one that a last line in a file may lack, but for no part of a checksum.
      guard framer.starPlace == 0 else { throw .incomplete }
      let end: [1 of UInt8] = [0x0A]
      framer.receive(end.span, into: &catcher)
    }
    let counts = framer.counts
    if catcher.sentence == nil || counts.malformedField > 0 {
      if counts.wrongChecksum > 0 { throw .wrongChecksum }
      if counts.overLong > 0 { throw .overLong }
      if counts.binary + counts.interrupted > 0 { throw .binary }
      if counts.tooFewFields > 0 { throw .tooFewFields(found: framer.lastFieldCount) }
      if counts.malformedField > 0 { throw .malformedField(number: framer.lastMalformedField) }
      if counts.malformedAddress > 0 { throw .malformedAddress }
      throw .unknownKind
    }
    guard let sentence = catcher.sentence else { throw .unknownKind }
    self = sentence
  }
}

extension RejectionCounts {
  /// True once a sentence was framed or refused.
  fileprivate var hasSentence: Bool {
    acceptedSentences + wrongChecksum + overLong + binary + interrupted > 0
  }
}

/// Keeps the first sentence that a framer finds.
private struct SentenceCatcher: SentenceVisitor {
  var sentence: Sentence?

  mutating func keep(_ found: Sentence) { if sentence == nil { sentence = found } }

  mutating func receive(_ sentence: RMC) { keep(.rmc(sentence)) }
  mutating func receive(_ sentence: GGA) { keep(.gga(sentence)) }
  mutating func receive(_ sentence: GSA) { keep(.gsa(sentence)) }
  mutating func receive(_ sentence: GSV) { keep(.gsv(sentence)) }
  mutating func receive(_ sentence: GLL) { keep(.gll(sentence)) }
  mutating func receive(_ sentence: VTG) { keep(.vtg(sentence)) }
  mutating func receive(_ sentence: ZDA) { keep(.zda(sentence)) }
  mutating func receive(_ sentence: GNS) { keep(.gns(sentence)) }
  mutating func receive(_ sentence: GST) { keep(.gst(sentence)) }
  mutating func receive(_ sentence: GBS) { keep(.gbs(sentence)) }
  mutating func receive(_ sentence: HDT) { keep(.hdt(sentence)) }
  mutating func receive(_ sentence: THS) { keep(.ths(sentence)) }
  mutating func receive(_ sentence: TXT) { keep(.txt(sentence)) }
  mutating func receive(_ sentence: PGRME) { keep(.pgrme(sentence)) }
  mutating func receive(_ sentence: PGRMZ) { keep(.pgrmz(sentence)) }
  mutating func receive(_ sentence: PGRMF) { keep(.pgrmf(sentence)) }
  mutating func receive(_ sentence: PMGNST) { keep(.pmgnst(sentence)) }
  mutating func receive(_ sentence: PSRFEPE) { keep(.psrfepe(sentence)) }
  mutating func receive(_ sentence: PSTI030) { keep(.psti030(sentence)) }
  mutating func receive(_ sentence: PASHRPOS) { keep(.pashrpos(sentence)) }
}
