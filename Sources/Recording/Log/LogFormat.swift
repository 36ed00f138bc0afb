import CZlib
import Quantities

/// Constants of the Leash log, version 1; `docs/recording-format.md` is the specification.
enum LogFormat {
  /// High bit, letters, CR LF, end-of-text, LF: a copy that changed line ends or dropped a bit is noticed at once.
  static let magic: [UInt8] = [0x89, 0x4C, 0x53, 0x48, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  static let headerLength = 16

  /// Largest payload of a record; a reader takes a longer one for damage, so that it never needs more memory.
  static let maximumPayload = 1 << 20
  /// Samples in one inertial block at most.
  static let maximumBlockCount = 64
  /// Time from the first to the last sample of a block is below this, µs.
  static let maximumBlockDuration: Int64 = 1_000_000
  /// A marker is written when the last one is this many bytes back …
  static let markerByteInterval = 64 * 1024
  /// … or this many microseconds.
  static let markerTimeInterval: Int64 = 60_000_000

  /// First bytes of a marker's payload: what a reader that has lost its place looks for.
  static let markerPattern: [UInt8] = [0xF7, 0x4C, 0x65, 0xB1, 0x61, 0x0E, 0x73, 0xD4, 0x68, 0x9A, 0x21, 0xC3]
  /// Pattern, instant, offset of this marker, offset of the marker before.
  static let markerPayloadLength = 12 + 8 + 8 + 8
  /// Type, one byte of length, payload, checksum.
  static let markerLength = 2 + markerPayloadLength + 4

  /// The type byte of a record.
  enum RecordType: UInt8 {
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

/// Where the checksum of a record begins: the checksum of the instant its times refer to, eight bytes, least
/// significant first.
///
/// So a record can't be taken to belong to another marker than its own.
func checksumOfBase(_ base: Instant) -> UInt32 {
  var bits = UInt64(bitPattern: base.microseconds).littleEndian
  return withUnsafeBytes(of: &bits) { bytes in
    guard let start = bytes.baseAddress else { return 0 }
    return UInt32(truncatingIfNeeded: crc32(0, start.assumingMemoryBound(to: UInt8.self), 8))
  }
}
