import InlineStorage

/// Reads numbers of a section's row, least significant byte first, and stops at the end.
struct RowReader {
  private var place = 0
  private let end: Int
  private(set) var isValid = true

  init(_ count: Int) { end = count }

  var isAtEnd: Bool { place == end }

  /// Declares the bytes no row.
  mutating func require(_ condition: Bool) { if !condition { isValid = false } }

  mutating func number(_ bytes: Span<UInt8>, _ count: Int) -> UInt64 {
    guard let start = skip(count) else { return 0 }
    var value: UInt64 = 0
    for step in 0..<count { value |= UInt64(bytes[start + step]) << (8 * UInt64(step)) }
    return value
  }

  mutating func byte(_ bytes: Span<UInt8>) -> UInt8 { UInt8(truncatingIfNeeded: number(bytes, 1)) }

  /// Five bytes with a sign.
  mutating func signed(_ bytes: Span<UInt8>) -> Int64 {
    Int64(bitPattern: number(bytes, 5) << 24) >> 24
  }

  /// A name with its length before it.
  mutating func name(_ bytes: Span<UInt8>) -> InlineBytes<32> {
    var result = InlineBytes<32>()
    let count = Int(byte(bytes))
    guard let start = skip(count) else { return result }
    result.append(contentsOf: bytes.extracting(start..<start + count))
    require(isRuleName(bytes.extracting(start..<start + count)))
    return result
  }

  /// Where so many bytes begin; nil when there are not as many.
  mutating func skip(_ count: Int) -> Int? {
    guard isValid, end - place >= count else {
      isValid = false
      return nil
    }
    place += count
    return place - count
  }
}

extension InlineBytes {
  mutating func append(row value: UInt64, _ count: Int) {
    for place in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
  }

  mutating func append(rowName name: InlineBytes<32>) {
    append(UInt8(truncatingIfNeeded: name.count))
    for place in 0..<name.count { append(name[place]) }
  }
}
