public import Quantities

/// The two letters of a sentence's address that name its source, such as `GP`.
@frozen public struct Talker: Equatable, BitwiseCopyable, Sendable {
  /// The two letters, the first in the high byte.
  public var letters: UInt16

  /// A talker from its two ASCII letters.
  @inlinable @inline(__always) public init(_ first: UInt8, _ second: UInt8) {
    letters = UInt16(first) &<< 8 | UInt16(second)
  }

  @inlinable @inline(__always) init(_ fields: borrowing SentenceFields) {
    self.init(fields.base[0], fields.base[1])
  }

  /// `GP`: GPS, and what older receivers send for everything.
  @inlinable public static var gps: Talker { Talker(0x47, 0x50) }
  /// `GL`: GLONASS.
  @inlinable public static var glonass: Talker { Talker(0x47, 0x4C) }
  /// `GA`: Galileo.
  @inlinable public static var galileo: Talker { Talker(0x47, 0x41) }
  /// `GB`: BeiDou.
  @inlinable public static var beiDou: Talker { Talker(0x47, 0x42) }
  /// `GQ`: QZSS.
  @inlinable public static var qzss: Talker { Talker(0x47, 0x51) }
  /// `GI`: NavIC.
  @inlinable public static var navIC: Talker { Talker(0x47, 0x49) }
  /// `GN`: several systems together.
  @inlinable public static var combined: Talker { Talker(0x47, 0x4E) }

  /// The constellation that the talker stands for; nil for `GN` and for talkers that are no GNSS receivers.
  ///
  /// Beside the letters of NMEA 4.11 the older `BD` (BeiDou) and `QZ` (QZSS), and `PQ`, which Quectel's EC2x use for
  /// BeiDou.
  @inlinable public var constellation: Constellation? {
    switch letters {
    case 0x4750: return .gps
    case 0x474C: return .glonass
    case 0x4741: return .galileo
    case 0x4742, 0x4244, 0x5051: return .beiDou
    case 0x4751, 0x515A: return .qzss
    case 0x4749: return .navIC
    default: return nil
    }
  }
}
