/// Writes the fields of a payload.
struct PayloadWriter {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ span: Span<UInt8>) {
    for place in span.indices { bytes.append(span[place]) }
  }

  /// Seven bits per byte, least significant first, the high bit set on all but the last.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A signed value with the sign in the lowest bit.
  mutating func append(signed value: Int64) { append(varint: zigzag(value)) }

  mutating func append(fixed32 value: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func append(fixed64 value: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

/// Reads the fields of a payload; past its end everything is zero and `isDamaged` is set.
struct PayloadReader {
  private var place: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private(set) var isDamaged = false

  init(_ bytes: UnsafeBufferPointer<UInt8>, fallback: UnsafePointer<UInt8>) {
    place = bytes.baseAddress ?? fallback
    end = place + bytes.count
  }

  init(start: UnsafePointer<UInt8>, count: Int) {
    place = start
    end = start + count
  }

  /// The bytes not read yet.
  var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: place, count: end - place) }
  var isAtEnd: Bool { place == end }

  mutating func markDamaged() { isDamaged = true }

  mutating func byte() -> UInt8 {
    guard place < end else {
      isDamaged = true
      return 0
    }
    defer { place += 1 }
    return place.pointee
  }

  mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = byte()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    isDamaged = true
    return 0
  }

  mutating func signed() -> Int64 { unzigzag(varint()) }

  mutating func fixed32() -> UInt32 {
    var value: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { value |= UInt32(byte()) << shift }
    return value
  }

  mutating func fixed64() -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { value |= UInt64(byte()) << shift }
    return value
  }

  mutating func skip(_ count: Int) {
    guard count >= 0, count <= end - place else {
      isDamaged = true
      place = end
      return
    }
    place += count
  }
}

@inline(__always) func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

@inline(__always) func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
