import ASCIIText

/// An address of the Internet Protocol, version 4.
@frozen package struct NetworkAddress: Equatable, BitwiseCopyable, Sendable {
  /// The four numbers, the first in the highest byte.
  package var bits: UInt32

  /// An address.
  @inlinable package init(bits: UInt32) { self.bits = bits }

  /// `0.0.0.0`, which a modem prints when it has none.
  @inlinable package static var unassigned: NetworkAddress { NetworkAddress(bits: 0) }

  /// Reads four numbers with points; nil when it is something else.
  package init?(_ text: Span<UInt8>) {
    var bits: UInt32 = 0
    var number: UInt32 = 0
    var digits = 0
    var points = 0
    var place = 0
    while place <= text.count {
      if place == text.count || text[place] == 0x2E {
        guard digits > 0 else { return nil }
        bits = bits << 8 | number
        if place < text.count { points += 1 }
        number = 0
        digits = 0
      } else {
        guard isDigit(text[place]), digits < 3 else { return nil }
        number = number * 10 + UInt32(text[place] - 0x30)
        digits += 1
        guard number <= 255, points <= 3 else { return nil }
      }
      place += 1
    }
    guard points == 3 else { return nil }
    self.bits = bits
  }
}
