/// A set of LTE bands, 1 to 127, of 3GPP TS 36.101.
@frozen public struct BandSet: Equatable, BitwiseCopyable, Sendable {
  private var low: UInt64
  private var high: UInt64

  /// The empty set.
  public init() {
    low = 0
    high = 0
  }

  /// True when there is none.
  public var isEmpty: Bool { low == 0 && high == 0 }

  /// True when a band is in it.
  public func contains(_ band: UInt8) -> Bool {
    guard band >= 1, band <= 127 else { return false }
    return (band < 64 ? low >> UInt64(band) : high >> UInt64(band - 64)) & 1 == 1
  }

  /// The bands of a text such as `3,8,20`; nil when it is none.
  public init?(_ text: Span<UInt8>) {
    self.init()
    var number = 0
    var place = 0
    while place <= text.count {
      if place == text.count || text[place] == 0x2C {
        guard number > 0, number <= 127, insert(UInt8(number)) else { return nil }
        number = 0
      } else {
        guard text[place] >= 0x30, text[place] <= 0x39, number <= 127 else { return nil }
        number = number * 10 + Int(text[place] - 0x30)
      }
      place += 1
    }
  }

  /// Adds a band; false when there is no such band.
  @discardableResult public mutating func insert(_ band: UInt8) -> Bool {
    guard band >= 1, band <= 127 else { return false }
    if band < 64 { low |= 1 << UInt64(band) } else { high |= 1 << UInt64(band - 64) }
    return true
  }
}
