import InlineStorage

// How blocks become free again.
extension FlashStore where Memory: ~Copyable {
  /// Bytes that records have room for in a block, whatever their lengths.
  var blockRoom: Int { geometry.blockSize - FlashBlock.headLength - FlashRecord.longest }

  /// Bytes that records have room for without a block being cleaned.
  var room: Int {
    let free = geometry.blockCount - badBlocks.count - usedCount
    let rest = headNumber == 0 ? 0 : max(0, geometry.blockSize - headOffset - FlashRecord.longest)
    return free * blockRoom + rest
  }

  /// Bytes that are kept free ahead, so that changes find room.
  private static var usualChange: Int { 2048 }

  /// Does a piece of the work that would otherwise come before a change, the longest of which is an erasure: for when nothing is due.
  ///
  /// - Returns: True when something was done, and there may be more.
  public mutating func tidy() -> Bool {
    guard !isChanging else { return false }
    if headNumber > 0, room < 2 * blockRoom + FlashStore.usualChange, usedCount > 1, clean() { return true }
    guard erasedBlock == nil, let block = nextFree else { return false }
    return prepare(block) != nil
  }

  /// The block that is used next; nil when there is none.
  private var nextFree: Int? {
    var block = headBlock
    for _ in 0..<geometry.blockCount {
      block = following(block)
      if usedCount > 0, block == tailBlock { return nil }
      if !isBad(block) { return block }
    }
    return nil
  }

  /// Writes what counts of the oldest block again, and discards the block.
  ///
  /// - Returns: False when the oldest is the one that records are added to, or when the memory fails.
  mutating func clean() -> Bool {
    guard usedCount > 1, tailBlock != headBlock else { return false }
    let block = tailBlock
    guard let behind = used(behind: block) else { return false }
    open()
    var bytes = FlashBuffer()
    var cursor = Cursor(block: block, number: number(ofBlock: block))
    // The end of the block, as `next` would go on into others.
    while let (record, place) = next(&cursor, into: &bytes), place / geometry.blockSize == block {
      // Of a key that is gone or has a later record nothing counts; where it was taken away here, nothing older is left.
      guard let entry = entry(of: record.key), index[entry].place == UInt32(place), record.length > 0 else { continue }
      let content = bytes.span.extracting(FlashRecord.headLength..<FlashRecord.headLength + record.length)
      guard put(record.key, content) else { return false }
      counts.moved &+= 1
    }
    guard commit() else { return false }
    counts.changes &-= 1
    forgetDamaged(in: block)
    // Where it does not take the mark its records are all older than others with their keys.
    if !FlashBlock.discard(block, of: &memory) { noteBad(block) }
    tailBlock = behind.block
    usedCount -= 1
    return true
  }

  /// Forgets the keys of records that are still expected in a block of which all that is whole has gone elsewhere.
  private mutating func forgetDamaged(in block: Int) {
    var place = index.count
    while place > 0 {
      place -= 1
      guard Int(index[place].place) / geometry.blockSize == block else { continue }
      counts.damaged &+= 1
      index.remove(at: place)
    }
  }

  /// Erases a block unless that was done.
  ///
  /// - Returns: How often it was erased; nil when it can't be.
  mutating func prepare(_ block: Int) -> UInt32? {
    let start = block * geometry.blockSize
    let state = FlashBlock(block, of: &memory)
    if case .erased(let erasures) = state {
      // Of an erasure that was cut short the head may be left.
      let isWhole = erasedBlock == block || memory.isBlank(start + 16, start + geometry.blockSize)
      if isWhole {
        erasedBlock = block
        return erasures
      }
    }
    // Of a block whose head is lost, or that is new, nothing is known: it was erased as often as any.
    let erasures = state.erasures.map { $0 &+ 1 } ?? max(1, counts.mostErasures)
    counts.erasures &+= 1
    guard memory.erase(block), memory.isBlank(start, start + geometry.blockSize),
      FlashBlock.noteErased(block, erasures: erasures, of: &memory)
    else {
      noteBad(block)
      return nil
    }
    counts.mostErasures = max(counts.mostErasures, erasures)
    erasedBlock = block
    return erasures
  }

  func isBad(_ block: Int) -> Bool {
    var place = 0
    while place < badBlocks.count {
      if badBlocks[place] == block { return true }
      place += 1
    }
    return false
  }

  mutating func noteBad(_ block: Int) {
    guard !isBad(block) else { return }
    counts.badBlocks &+= 1
    badBlocks.append(block)
  }
}
