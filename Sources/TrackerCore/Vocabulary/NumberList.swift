import ASCIIText

/// A list of up to four whole numbers from 1 to 255, each once, as a value of a setting.
///
/// As text, in requests and logs, they stand with `+` between them, or `none`; a comma is read as well.
@frozen public struct NumberList: Equatable, BitwiseCopyable, Sendable {
  /// The most numbers.
  package static var capacity: Int { 4 }

  /// The first in the lowest byte; 0 where there is none.
  private var bytes: UInt32 = 0

  /// None.
  public init() {}

  /// A list of these; what does not fit is left out.
  public init(_ first: UInt8, _ second: UInt8 = 0, _ third: UInt8 = 0, _ fourth: UInt8 = 0) {
    append(first)
    append(second)
    append(third)
    append(fourth)
  }

  /// How many there are.
  public var count: Int { (32 - bytes.leadingZeroBitCount + 7) / 8 }

  /// A number, 0 to `count` - 1.
  public subscript(place: Int) -> UInt8 { UInt8(truncatingIfNeeded: bytes >> UInt32(place * 8)) }

  /// Adds a number; false for 0, for one that is there, and when there are four.
  @discardableResult public mutating func append(_ number: UInt8) -> Bool {
    guard number > 0, !contains(number), count < NumberList.capacity else { return false }
    bytes |= UInt32(number) << UInt32(count * 8)
    return true
  }

  /// True when the number is one of them.
  func contains(_ number: UInt8) -> Bool {
    var place = 0
    while place < count {
      if self[place] == number { return true }
      place += 1
    }
    return false
  }

  /// The smallest that is a number or more; nil when there is none.
  func smallest(from number: UInt8) -> UInt8? {
    var found: UInt8?
    var place = 0
    while place < count {
      if self[place] >= number { found = min(found ?? .max, self[place]) }
      place += 1
    }
    return found
  }

  // MARK: As a setting

  /// As in a kept state.
  var bits: Int64 { Int64(bytes) }

  /// Reads that; nil when they are no such list, or a number is out of its range.
  init?(bits: Int64, in range: ClosedRange<Int>) {
    guard let bytes = UInt32(exactly: bits) else { return nil }
    var place = 0
    while place < NumberList.capacity {
      let number = UInt8(truncatingIfNeeded: bytes >> UInt32(place * 8))
      guard number == 0 || (range.contains(Int(number)) && append(number)) else { return nil }
      place += 1
    }
    // A gap was closed.
    guard self.bytes == bytes else { return nil }
  }

  /// Reads text; nil when it is none, or a number is out of its range.
  package init?(_ text: Span<UInt8>, in range: ClosedRange<Int>) {
    if TextWord(in: text).equals("none", in: text) { return }
    var start = 0
    while start <= text.count {
      var end = start
      while end < text.count, text[end] != 0x2B, text[end] != 0x2C { end += 1 }
      guard let number = scanUnsigned(text.extracting(start..<end)), let byte = UInt8(exactly: number),
        range.contains(Int(byte)), append(byte)
      else { return nil }
      start = end + 1
    }
  }

  /// Writes it as text.
  package func encode(into sink: inout some ByteSink) {
    guard count > 0 else {
      sink.append("none")
      return
    }
    var place = 0
    while place < count {
      if place > 0 { sink.append(0x2B) }
      sink.append(decimal: UInt64(self[place]))
      place += 1
    }
  }
}
