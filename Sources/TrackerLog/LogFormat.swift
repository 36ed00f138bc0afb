/// Constants of the Leash log, version 1; `docs/recording-format.md` is the specification.
package enum LogFormat {
  /// High bit, letters, CR LF, end-of-text, LF: a copy that changed line ends or dropped a bit is noticed at once.
  package static var signature: InlineArray<8, UInt8> { [0x89, 0x4C, 0x53, 0x48, 0x0D, 0x0A, 0x1A, 0x0A] }
  package static let version: UInt16 = 1
  package static let headerLength = 16

  /// Largest payload of a record; a reader takes a longer one for damage, so that it never needs more memory.
  package static let maximumPayload = 1 << 20
  /// Samples in one inertial block at most.
  package static let maximumBlockCount = 64
  /// Time from the first to the last sample of a block is below this, µs.
  package static let maximumBlockDuration: Int64 = 1_000_000
  /// A marker is written when the last one is this many bytes back …
  package static let markerByteInterval = 64 * 1024
  /// … or this many microseconds.
  package static let markerTimeInterval: Int64 = 60_000_000

  /// First bytes of a marker's payload: what a reader that has lost its place looks for.
  package static var markerSignature: InlineArray<12, UInt8> {
    [0xF7, 0x4C, 0x65, 0xB1, 0x61, 0x0E, 0x73, 0xD4, 0x68, 0x9A, 0x21, 0xC3]
  }
  /// Pattern, instant, offset of this marker, offset of the marker before.
  package static let markerPayloadLength = 12 + 8 + 8 + 8
  /// Type, one byte of length, payload, checksum.
  package static let markerLength = 2 + markerPayloadLength + 4

  /// The type byte of a record.
  package enum RecordType: UInt8 {
    case configuration = 0x01
    case inertialBlock = 0x02
    case fix = 0x03
    case bytes = 0x04
    case tick = 0x05
    case command = 0x06
    case acknowledgement = 0x07
    case action = 0x08
    case output = 0x09
    case note = 0x0A
    case restoration = 0x0B
    case continuation = 0x0C
    case settlement = 0x0D
    case spool = 0x0E
    case reading = 0x0F
    case marker = 0x6D
  }
}
