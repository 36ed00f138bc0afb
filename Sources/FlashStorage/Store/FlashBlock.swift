import ASCIIText
import InlineStorage
import Telemetry

/// What the head of a block says.
///
/// Three parts of sixteen bytes, each programmed once: after the erasure a signature, how often the block was erased, and its size;
/// when the block comes into use its number and whether the change before goes on in it; when nothing in it counts any more, a mark.
enum FlashBlock {
  /// It must be erased before it is used.
  case unknown
  /// It was erased so often, and not used since.
  case erased(erasures: UInt32)
  /// Its records count.
  case used(number: UInt32, isContinuation: Bool, erasures: UInt32)
  /// It was used, and nothing in it counts.
  case discarded(erasures: UInt32)

  static var headLength: Int { 48 }
  private static var signature: UInt32 { 0x3153_464C }
  private static var partLength: Int { 16 }
  private static var numberPlace: Int { partLength }
  private static var markPlace: Int { 2 * partLength }

  /// How often it was erased, as far as is known.
  var erasures: UInt32? {
    switch self {
    case .unknown: nil
    case .erased(let count), .discarded(let count), .used(_, _, let count): count
    }
  }

  /// Reads the head of a block.
  init<Memory: FlashMemory & ~Copyable>(_ block: Int, of memory: inout Memory) {
    let geometry = memory.geometry
    var bytes = FlashBuffer()
    self = .unknown
    guard memory.read(block * geometry.blockSize, FlashBlock.headLength, into: &bytes),
      bytes.count == FlashBlock.headLength
    else { return }
    let span = bytes.span
    var reader = RecordReader()
    let signature = reader.uint32(span)
    let erasures = reader.uint32(span)
    let size = reader.uint32(span)
    guard reader.uint32(span) == CRC32.extend(0, span.extracting(0..<12)), signature == FlashBlock.signature,
      size == UInt32(truncatingIfNeeded: geometry.blockSize)
    else { return }
    var isNumbered = false
    var isMarked = false
    for place in 0..<FlashBlock.partLength {
      if bytes[FlashBlock.numberPlace + place] != 0xFF { isNumbered = true }
      if bytes[FlashBlock.markPlace + place] != 0xFF { isMarked = true }
    }
    if isMarked {
      self = .discarded(erasures: erasures)
      return
    }
    guard isNumbered else {
      self = .erased(erasures: erasures)
      return
    }
    let number = reader.uint32(span)
    let flags = reader.uint32(span)
    _ = reader.uint32(span)
    guard reader.uint32(span) == CRC32.extend(erasures, span.extracting(16..<28)) else { return }
    self = .used(number: number, isContinuation: flags & 1 == 1, erasures: erasures)
  }

  /// Says that a block has just been erased.
  static func noteErased<Memory: FlashMemory & ~Copyable>(
    _ block: Int, erasures: UInt32, of memory: inout Memory
  ) -> Bool {
    let geometry = memory.geometry
    var part = FlashBuffer()
    part.append(littleEndian: UInt64(signature), bytes: 4)
    part.append(littleEndian: UInt64(erasures), bytes: 4)
    part.append(littleEndian: UInt64(geometry.blockSize), bytes: 4)
    part.append(littleEndian: UInt64(CRC32.extend(0, part.span)), bytes: 4)
    return memory.programChecked(part.span, at: block * geometry.blockSize)
  }

  /// Brings a block into use.
  static func number<Memory: FlashMemory & ~Copyable>(
    _ block: Int, as number: UInt32, isContinuation: Bool, erasures: UInt32, of memory: inout Memory
  ) -> Bool {
    var part = FlashBuffer()
    part.append(littleEndian: UInt64(number), bytes: 4)
    part.append(littleEndian: isContinuation ? 1 : 0, bytes: 4)
    part.append(littleEndian: 0, bytes: 4)
    part.append(littleEndian: UInt64(CRC32.extend(erasures, part.span)), bytes: 4)
    return memory.programChecked(part.span, at: block * memory.geometry.blockSize + numberPlace)
  }

  /// Says that nothing in a block counts any more.
  static func discard<Memory: FlashMemory & ~Copyable>(_ block: Int, of memory: inout Memory) -> Bool {
    var part = FlashBuffer()
    for _ in 0..<partLength { part.append(0) }
    return memory.programChecked(part.span, at: block * memory.geometry.blockSize + markPlace)
  }
}
