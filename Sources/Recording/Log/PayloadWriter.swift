import TrackerLog

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
