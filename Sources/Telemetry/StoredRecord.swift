public import ASCIIText

/// Numbers as a stored record holds them: of fixed size, least significant byte first, on every target the same.
extension ByteSink {
  /// Writes the lowest `count` bytes of a number.
  public mutating func append(littleEndian value: UInt64, bytes count: Int) {
    var place = 0
    while place < count {
      append(UInt8(truncatingIfNeeded: value >> UInt64(place * 8)))
      place += 1
    }
  }

  /// Writes the bits of a number.
  public mutating func append(bits value: Double) { append(littleEndian: value.bitPattern, bytes: 8) }

  /// Writes the bits of a number.
  public mutating func append(bits value: Float) { append(littleEndian: UInt64(value.bitPattern), bytes: 4) }
}

/// Reads stored records; any bytes are legal, and what is no record is reported at the end.
@frozen public struct RecordReader: BitwiseCopyable, Sendable {
  /// The byte that is read next.
  public var place: Int
  /// False once the bytes ended too early or held what can't be; everything read after that is zero.
  public private(set) var isValid = true

  /// A reader at a byte.
  public init(at place: Int = 0) { self.place = place }

  /// Declares the bytes no record.
  public mutating func refuse() { isValid = false }

  /// Refuses what does not hold.
  public mutating func require(_ condition: Bool) { if !condition { isValid = false } }

  /// Reads a number of so many bytes.
  public mutating func number(_ bytes: Span<UInt8>, bytes count: Int) -> UInt64 {
    guard isValid, place >= 0, bytes.count - place >= count else {
      isValid = false
      return 0
    }
    var value: UInt64 = 0
    var index = 0
    while index < count {
      value |= UInt64(bytes[place + index]) << UInt64(index * 8)
      index += 1
    }
    place += count
    return value
  }

  /// Reads one byte.
  public mutating func byte(_ bytes: Span<UInt8>) -> UInt8 { UInt8(truncatingIfNeeded: number(bytes, bytes: 1)) }

  /// Reads two bytes.
  public mutating func uint16(_ bytes: Span<UInt8>) -> UInt16 {
    UInt16(truncatingIfNeeded: number(bytes, bytes: 2))
  }

  /// Reads four bytes.
  public mutating func uint32(_ bytes: Span<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: number(bytes, bytes: 4))
  }

  /// Reads eight bytes as a signed number.
  public mutating func int64(_ bytes: Span<UInt8>) -> Int64 { Int64(bitPattern: number(bytes, bytes: 8)) }

  /// Reads a number that is neither infinite nor NaN.
  public mutating func double(_ bytes: Span<UInt8>) -> Double {
    let value = Double(bitPattern: number(bytes, bytes: 8))
    require(value.isFinite)
    return isValid ? value : 0
  }

  /// Reads a number that is neither infinite nor NaN.
  public mutating func float(_ bytes: Span<UInt8>) -> Float {
    let value = Float(bitPattern: uint32(bytes))
    require(value.isFinite)
    return isValid ? value : 0
  }
}
