import ASCIIText
import InlineStorage
import Requests

/// A UUID of a piece of gear.
package struct GearUUID: Equatable, BitwiseCopyable, Sendable {
  /// Its first eight bytes, the first of them highest.
  package var high: UInt64 = 0
  /// The other eight.
  package var low: UInt64 = 0

  /// No UUID: all bits are 0.
  package init() {}

  /// True for one with all bits 0, which is none.
  package var isNil: Bool { high == 0 && low == 0 }

  /// Reads `8-4-4-4-12` hexadecimal digits, large or small; nil for anything else, and for one with all bits 0.
  package init?(_ text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var digits = 0
    var place = 0
    while place < 36 {
      let byte = text[place]
      defer { place += 1 }
      if place == 8 || place == 13 || place == 18 || place == 23 {
        guard byte == 0x2D else { return nil }
        continue
      }
      guard let value = GearUUID.digit(byte) else { return nil }
      if digits < 16 { high = high << 4 | value } else { low = low << 4 | value }
      digits += 1
    }
    guard !isNil else { return nil }
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: return UInt64(byte &- 0x30)
    case 0x41...0x46: return UInt64(byte &- 0x37)
    case 0x61...0x66: return UInt64(byte &- 0x57)
    default: return nil
    }
  }

  /// The UUID of gear that was told none: another one on each tracker and for each number there, and the same in each replay.
  ///
  /// - Source: [rfc9562] section 5.8, version 8, of a SHA-256.
  package init(tracker: Span<UInt8>, number: UInt16) {
    var hash = SHA256()
    hash.update(InlineBytes<8>("gear ").span)
    hash.update(UInt8(truncatingIfNeeded: number >> 8))
    hash.update(UInt8(truncatingIfNeeded: number))
    hash.update(tracker)
    let digest = hash.finish()
    var place = 0
    while place < 8 {
      high = high << 8 | UInt64(digest[place])
      low = low << 8 | UInt64(digest[place + 8])
      place += 1
    }
    high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
    low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// Writes it with small letters.
  package func encode(into sink: inout some ByteSink) {
    var place = 0
    while place < 32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { sink.append(0x2D) }
      let part = place < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: part >> UInt64(60 - 4 * (place & 15)) & 15)
      sink.append(value < 10 ? 0x30 + value : 0x57 + value)
      place += 1
    }
  }
}
