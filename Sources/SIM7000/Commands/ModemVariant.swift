import ASCIIText
import ATCommands

/// Which SIM7000 it is.
@frozen public enum ModemVariant: UInt8, BitwiseCopyable, Sendable {
  /// Not reported, or not known.
  case unknown
  /// For America.
  case a
  /// For China.
  case c
  /// For Europe.
  case e
  /// For all the world.
  case g
  /// For Japan.
  case jc

  /// Reads the letters after `SIM7000`; nil when that is not there.
  init?(_ text: Span<UInt8>) {
    var place = 0
    while place + 7 <= text.count {
      if ATLine(text.extracting(place..<text.count)).begins(with: "SIM7000") {
        self = ModemVariant.of(text.extracting(place + 7..<text.count))
        return
      }
      place += 1
    }
    return nil
  }

  private static func of(_ suffix: Span<UInt8>) -> ModemVariant {
    guard !suffix.isEmpty else { return .unknown }
    switch suffix[0] {
    case 0x41: return .a
    case 0x43: return .c
    case 0x45: return .e
    case 0x47: return .g
    case 0x4A: return .jc
    default: return .unknown
    }
  }
}
