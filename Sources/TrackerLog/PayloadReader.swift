/// Reads the fields of a payload; past its end everything is zero and `isDamaged` is set.
package struct PayloadReader {
  private var place: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  package private(set) var isDamaged = false

  package init(start: UnsafePointer<UInt8>, count: Int) {
    place = start
    end = start + count
  }

  /// The bytes not read yet.
  package var rest: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: place, count: end - place) }
  package var isAtEnd: Bool { place == end }

  package mutating func markDamaged() { isDamaged = true }

  package mutating func byte() -> UInt8 {
    guard place < end else {
      isDamaged = true
      return 0
    }
    defer { place += 1 }
    return place.pointee
  }

  package mutating func varint() -> UInt64 {
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

  package mutating func signed() -> Int64 { unzigzag(varint()) }

  package mutating func fixed32() -> UInt32 {
    var value: UInt32 = 0
    for place in UInt32(0)..<4 { value |= UInt32(byte()) << (8 * place) }
    return value
  }

  package mutating func fixed64() -> UInt64 {
    var value: UInt64 = 0
    for place in UInt64(0)..<8 { value |= UInt64(byte()) << (8 * place) }
    return value
  }

  package mutating func skip(_ count: Int) {
    guard count >= 0, count <= end - place else {
      isDamaged = true
      place = end
      return
    }
    place += count
  }
}

@inlinable package func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

@inlinable package func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}
