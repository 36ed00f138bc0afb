/// The kinds of sentences that are told apart.
@frozen public enum SentenceKind: UInt8, BitwiseCopyable, CaseIterable, Sendable {
  /// The standard sentences.
  case rmc, gga, gsa, gsv, gll, vtg, zda, gns, gst, gbs, hdt, ths, txt
  /// Manufacturers' own sentences that carry a position or its errors.
  case pgrme, pgrmz, pgrmf, pmgnst, psrfepe, psti030, pashrpos
  /// Another manufacturer's sentence.
  case proprietary
  /// A well-formed address of another kind.
  case unknown
  /// No address at all.
  case malformed

  /// The kind of a sentence by its address, and its first field where a manufacturer tells its kinds apart there.
  @usableFromInline init(_ fields: borrowing SentenceFields) {
    let length = fields.endOffset(0)
    guard length >= 3, length <= 12 else {
      self = .malformed
      return
    }
    var packed: UInt64 = 0
    var place = 0
    while place < length {
      let byte = fields.base[place]
      guard isAddressByte(byte) else {
        self = .malformed
        return
      }
      packed = packed &<< 8 | UInt64(byte)
      place &+= 1
    }
    if fields.base[0] == 0x50, let own = SentenceKind.own(packed, fields) {
      self = own
      return
    }
    guard length == 5 else {
      self = fields.base[0] == 0x50 ? .proprietary : .unknown
      return
    }
    switch packed & 0xFF_FFFF {
    case 0x524D43: self = .rmc
    case 0x474741: self = .gga
    case 0x475341: self = .gsa
    case 0x475356: self = .gsv
    case 0x474C4C: self = .gll
    case 0x565447: self = .vtg
    case 0x5A4441: self = .zda
    case 0x474E53: self = .gns
    case 0x475354: self = .gst
    case 0x474253: self = .gbs
    case 0x484454: self = .hdt
    case 0x544853: self = .ths
    case 0x545854: self = .txt
    default: self = fields.base[0] == 0x50 ? .proprietary : .unknown
    }
  }

  /// Sentences of manufacturers by the whole address; nil when the last three letters may still be a standard kind
  /// behind the odd talker `PQ` of Quectel.
  private static func own(_ packed: UInt64, _ fields: borrowing SentenceFields) -> SentenceKind? {
    switch packed {
    case 0x5047524D45: return .pgrme  // PGRME
    case 0x5047524D5A: return .pgrmz  // PGRMZ
    case 0x5047524D46: return .pgrmf  // PGRMF
    case 0x504D474E5354: return .pmgnst  // PMGNST
    case 0x50535246455045: return .psrfepe  // PSRFEPE
    case 0x50535449: return fields.matches(1, "030") ? .psti030 : .proprietary  // PSTI
    case 0x5041534852: return fields.matches(1, "POS") ? .pashrpos : .proprietary  // PASHR
    default: return packed &>> 24 == 0x5051 && packed < 1 &<< 40 ? nil : .proprietary
    }
  }

  /// The fewest fields that a sentence of this kind can have; 0 for kinds that are not read.
  @usableFromInline var minimumFieldCount: Int {
    switch self {
    case .rmc: return RMC.minimumFieldCount
    case .gga: return GGA.minimumFieldCount
    case .gsa: return GSA.minimumFieldCount
    case .gsv: return GSV.minimumFieldCount
    case .gll: return GLL.minimumFieldCount
    case .vtg: return VTG.minimumFieldCount
    case .zda: return ZDA.minimumFieldCount
    case .gns: return GNS.minimumFieldCount
    case .gst: return GST.minimumFieldCount
    case .gbs: return GBS.minimumFieldCount
    case .hdt: return HDT.minimumFieldCount
    case .ths: return THS.minimumFieldCount
    case .txt: return TXT.minimumFieldCount
    case .pgrme: return PGRME.minimumFieldCount
    case .pgrmz: return PGRMZ.minimumFieldCount
    case .pgrmf: return PGRMF.minimumFieldCount
    case .pmgnst: return PMGNST.minimumFieldCount
    case .psrfepe: return PSRFEPE.minimumFieldCount
    case .psti030: return PSTI030.minimumFieldCount
    case .pashrpos: return PASHRPOS.minimumFieldCount
    case .proprietary, .unknown, .malformed: return 0
    }
  }

  /// True for kinds that may be longer than a position sentence.
  @usableFromInline var isOwnFormat: Bool {
    switch self {
    case .txt, .psti030: return true
    default: return false
    }
  }
}

/// True for what an address is made of: capitals, digits and spaces.
@inlinable @inline(__always) func isAddressByte(_ byte: UInt8) -> Bool {
  byte &- 0x41 < 26 || byte &- 0x30 < 10 || byte == 0x20
}
