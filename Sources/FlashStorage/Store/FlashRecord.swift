import ASCIIText
import InlineStorage
import Telemetry

/// What a record is about: of two with the same key the later one counts.
@frozen public struct FlashKey: Equatable, BitwiseCopyable, Sendable {
  /// What kind of thing it is.
  public var tag: UInt8
  /// Which one of its kind.
  public var number: UInt32

  /// A key.
  public init(tag: UInt8, number: UInt32 = 0) {
    self.tag = tag
    self.number = number
  }
}

/// The head of a record: sign, tag, length with the bit that ends a change, number of the key, checksum; least significant byte first.
struct FlashRecord: BitwiseCopyable {
  static var sign: UInt8 { 0x4C }
  static var headLength: Int { 12 }
  /// The most bytes of content.
  static var contentCapacity: Int { 320 }
  /// Head and content of the longest with what fills them up to any unit.
  static var longest: Int { 336 }
  /// A head with what fills it up to any unit.
  static var longestRemoval: Int { 16 }

  var key: FlashKey
  /// Bytes of content; none says that the key is gone.
  var length: Int
  /// True for the last record of a change: with it, all of the change count.
  var isLast: Bool
  private var checksum: UInt32 = 0

  init(_ key: FlashKey, length: Int, isLast: Bool) {
    self.key = key
    self.length = length
    self.isLast = isLast
  }

  /// Reads a head; nil when it can't be one.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= FlashRecord.headLength, bytes[0] == FlashRecord.sign else { return nil }
    var reader = RecordReader(at: 1)
    let tag = reader.byte(bytes)
    let size = reader.uint16(bytes)
    key = FlashKey(tag: tag, number: reader.uint32(bytes))
    length = Int(size & 0x7FFF)
    isLast = size & 0x8000 != 0
    checksum = reader.uint32(bytes)
    guard length <= FlashRecord.contentCapacity else { return nil }
  }

  /// Head and content as they are programmed.
  ///
  /// - Parameter seed: The number of the block, so that what an unfinished erasure left of another time is none of its records.
  func encode(_ content: Span<UInt8>, seed: UInt32, into bytes: inout FlashBuffer) {
    let start = bytes.count
    bytes.append(FlashRecord.sign)
    bytes.append(key.tag)
    bytes.append(littleEndian: UInt64(length | (isLast ? 0x8000 : 0)), bytes: 2)
    bytes.append(littleEndian: UInt64(key.number), bytes: 4)
    let sum = CRC32.extend(CRC32.extend(seed, bytes.span.extracting(start..<start + 8)), content)
    bytes.append(littleEndian: UInt64(sum), bytes: 4)
    bytes.append(contentsOf: content)
  }

  /// True when the checksum is that of a head and its content.
  func isIntact(_ bytes: Span<UInt8>, seed: UInt32) -> Bool {
    guard bytes.count >= FlashRecord.headLength + length else { return false }
    let content = bytes.extracting(FlashRecord.headLength..<FlashRecord.headLength + length)
    return CRC32.extend(CRC32.extend(seed, bytes.extracting(0..<8)), content) == checksum
  }
}
