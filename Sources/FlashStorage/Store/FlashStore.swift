public import InlineStorage

/// Records under keys in a flash memory, changed several at a time: all records of a change count or none of them, wherever the power
/// goes.
///
/// The blocks are a ring. Records are only ever added behind the last one, and the later of two with the same key counts. Before the
/// ring closes, what still counts of the oldest block is written again behind the last record, and the block is free. So every block
/// is erased equally often. A block begins with its number; of a change that goes on in another block that one says so.
///
/// After a power cut nothing is added behind a record that is not whole: its cells may be neither programmed nor erased. The rest of
/// that block stays as it is, and the next record goes into another block, which says that it continues nothing. Cells whose programming
/// was cut so early that it does not show are programmed again; a part that refuses this, as one with error correction may, gets the
/// record in another block.
///
/// The keys and where their records are is all that is in memory: twelve bytes for each key.
///
/// - Parameter keyCapacity: How many keys there can be.
public struct FlashStore<Memory: FlashMemory & ~Copyable, let keyCapacity: Int>: ~Copyable {
  /// The memory.
  public var memory: Memory
  /// What has happened since the start.
  public internal(set) var counts = FlashCounts()
  let geometry: FlashGeometry

  struct Entry: BitwiseCopyable {
    var tag: UInt8
    var number: UInt32
    /// Where the record is.
    var place: UInt32

    /// The record is the one that is not written yet.
    static var held: UInt32 { .max }

    var key: FlashKey { FlashKey(tag: tag, number: number) }
  }

  var index = InlineVector<keyCapacity, Entry>()
  /// Blocks that can't be erased or do not take their number.
  var badBlocks = InlineVector<8, Int>()
  /// The block that records are added to, its number, and where in it the next one goes; no block is in use while the number is 0.
  var headBlock = 0
  var headNumber: UInt32 = 0
  var headOffset = 0
  /// The block with the lowest number in use.
  var tailBlock = 0
  var usedCount = 0
  /// A block that was erased in this life and not used.
  var erasedBlock: Int?

  /// A change is under way.
  public internal(set) var isChanging = false
  /// How many of its records are in the memory.
  var addedCount = 0
  /// The last record of the change so far, which is not there yet: it may have to say that it is the last.
  var held = FlashBuffer()
  var heldKey: FlashKey?

  /// A store in a memory; `mount` comes first.
  ///
  /// - Parameter memory: The memory, of which all blocks are the store's.
  public init(_ memory: consuming Memory) {
    geometry = memory.geometry
    self.memory = memory
  }

  /// How many keys there are.
  public var keyCount: Int { index.count }

  /// A key, 0 to `keyCount` - 1, in no order.
  public func key(_ place: Int) -> FlashKey { index[place].key }

  /// True when there is a record with that key.
  public func contains(_ key: FlashKey) -> Bool { entry(of: key) != nil }

  /// Reads the content of the record of a key and appends it.
  ///
  /// - Returns: False when there is none, or when it is damaged.
  public mutating func read(_ key: FlashKey, into bytes: inout FlashBuffer) -> Bool {
    guard let entry = entry(of: key) else { return false }
    if index[entry].place == Entry.held {
      bytes.append(contentsOf: held.span)
      return true
    }
    let place = Int(index[entry].place)
    var whole = FlashBuffer()
    guard let record = record(at: place, number: number(ofBlock: place / geometry.blockSize), into: &whole) else {
      counts.damaged &+= 1
      return false
    }
    bytes.append(contentsOf: whole.span.extracting(FlashRecord.headLength..<FlashRecord.headLength + record.length))
    return true
  }

  func entry(of key: FlashKey) -> Int? {
    var place = 0
    while place < index.count {
      if index[place].tag == key.tag, index[place].number == key.number { return place }
      place += 1
    }
    return nil
  }

  /// The record of a key is at another place now, or gone.
  ///
  /// - Returns: False when there is no room for one more key.
  mutating func note(_ key: FlashKey, length: Int, at place: UInt32) -> Bool {
    guard let entry = entry(of: key) else {
      return length == 0 || index.append(Entry(tag: key.tag, number: key.number, place: place))
    }
    if length > 0 {
      index[entry].place = place
    } else {
      // Their order says nothing.
      let last = index.remove(at: index.count - 1)
      if entry < index.count { index[entry] = last }
    }
    return true
  }

  /// The record at a place and its bytes; nil when there is none that is whole.
  mutating func record(at place: Int, number: UInt32, into bytes: inout FlashBuffer) -> FlashRecord? {
    let end = (place / geometry.blockSize + 1) * geometry.blockSize
    guard place + FlashRecord.headLength <= end, memory.read(place, FlashRecord.headLength, into: &bytes),
      let record = FlashRecord(bytes.span), place + FlashRecord.headLength + record.length <= end
    else { return nil }
    if record.length > 0 {
      guard memory.read(place + FlashRecord.headLength, record.length, into: &bytes) else { return nil }
    }
    return record.isIntact(bytes.span, seed: number) ? record : nil
  }

  mutating func number(ofBlock block: Int) -> UInt32 {
    if block == headBlock { return headNumber }
    if case .used(let number, _, _) = FlashBlock(block, of: &memory) { return number }
    return 0
  }
}

/// What has happened in a store since the start.
@frozen public struct FlashCounts: Equatable, BitwiseCopyable, Sendable {
  /// Changes that count.
  public var changes: UInt32 = 0
  /// Changes that could not be kept: the memory failed or is full, or there were too many keys.
  public var failures: UInt32 = 0
  /// Erasures.
  public var erasures: UInt32 = 0
  /// The most erasures of one block since it was new.
  public var mostErasures: UInt32 = 0
  /// Records written again because their block was to be free.
  public var moved: UInt32 = 0
  /// Records that were found damaged.
  public var damaged: UInt32 = 0
  /// Changes that a power cut had left unfinished.
  public var unfinished: UInt32 = 0
  /// Blocks that could not be erased.
  public var badBlocks: UInt32 = 0
}
