import InlineStorage

// How a store finds what an earlier life has left.
extension FlashStore where Memory: ~Copyable {
  /// Where the next record is looked for.
  struct Cursor: BitwiseCopyable {
    var block: Int
    var number: UInt32
    var offset = FlashBlock.headLength
    /// There was something before it that is no record, in this block.
    var isBehindDamage = false
    /// It has come into a block that continues no change.
    var hasBroken = true
  }

  /// Looks for what an earlier life has left: the whole memory is read once.
  ///
  /// - Returns: False when the memory has no blocks that a store could use. A memory without a store is an empty one.
  public mutating func mount() -> Bool {
    index.removeAll()
    isChanging = false
    heldKey = nil
    addedCount = 0
    usedCount = 0
    headNumber = 0
    erasedBlock = nil
    guard geometry.isUsable else { return false }
    findHead()
    guard headNumber > 0 else { return true }
    findTail()
    readAll()
    return true
  }

  private mutating func findHead() {
    headBlock = geometry.blockCount - 1
    for block in 0..<geometry.blockCount {
      let state = FlashBlock(block, of: &memory)
      counts.mostErasures = max(counts.mostErasures, state.erasures ?? 0)
      guard case .used(let number, _, _) = state, number > headNumber else { continue }
      headNumber = number
      headBlock = block
    }
    headOffset = geometry.blockSize
  }

  /// From the block behind the head on numbers rise up to it; one that does not is of no ring of ours.
  private mutating func findTail() {
    var last: UInt32 = 0
    var block = headBlock
    repeat {
      block = following(block)
      guard case .used(let number, _, _) = FlashBlock(block, of: &memory) else { continue }
      guard number > last else {
        counts.damaged &+= 1
        _ = FlashBlock.discard(block, of: &memory)
        continue
      }
      if last == 0 { tailBlock = block }
      last = number
      usedCount += 1
    } while block != headBlock
  }

  func following(_ block: Int) -> Int { block + 1 == geometry.blockCount ? 0 : block + 1 }

  /// The block in use behind another, with its number; nil behind the head.
  mutating func used(behind block: Int) -> Cursor? {
    var next = block
    while next != headBlock {
      next = following(next)
      if case .used(let number, let isContinuation, _) = FlashBlock(next, of: &memory) {
        return Cursor(block: next, number: number, hasBroken: !isContinuation)
      }
    }
    return nil
  }

  private mutating func readAll() {
    var bytes = FlashBuffer()
    guard case .used(let number, let isContinuation, _) = FlashBlock(tailBlock, of: &memory) else { return }
    var cursor = Cursor(block: tailBlock, number: number, hasBroken: !isContinuation)
    var change: Cursor?
    while true {
      let before = cursor
      guard let (record, place) = next(&cursor, into: &bytes) else { break }
      if cursor.hasBroken {
        if change != nil { counts.unfinished &+= 1 }
        change = nil
        cursor.hasBroken = false
      }
      if cursor.isBehindDamage {
        // What is whole behind it was added when it was whole itself.
        counts.damaged &+= 1
        cursor.isBehindDamage = false
      }
      guard record.isLast else {
        change = change ?? before
        continue
      }
      if var start = change { apply(from: &start, upTo: place) }
      _ = note(record.key, length: record.length, at: UInt32(place))
      change = nil
    }
    if change != nil || cursor.isBehindDamage { counts.unfinished &+= 1 }
    // Behind what is not whole nothing is added, nor behind a change that has no end.
    headOffset = change != nil || cursor.isBehindDamage ? geometry.blockSize : cursor.offset
  }

  /// Takes all records of a change but its last one.
  private mutating func apply(from cursor: inout Cursor, upTo end: Int) {
    var bytes = FlashBuffer()
    while let (record, place) = next(&cursor, into: &bytes), place != end {
      _ = note(record.key, length: record.length, at: UInt32(place))
    }
  }

  /// The next record and its place; nil when there is none up to the end of the head, where the cursor then is.
  mutating func next(_ cursor: inout Cursor, into bytes: inout FlashBuffer) -> (FlashRecord, Int)? {
    while true {
      let start = cursor.block * geometry.blockSize
      while cursor.offset + FlashRecord.headLength <= geometry.blockSize {
        bytes.removeAll()
        if let record = record(at: start + cursor.offset, number: cursor.number, into: &bytes) {
          let place = start + cursor.offset
          cursor.offset += geometry.padded(FlashRecord.headLength + record.length)
          return (record, place)
        }
        if !cursor.isBehindDamage, memory.isBlank(start + cursor.offset, start + geometry.blockSize) { break }
        cursor.isBehindDamage = true
        cursor.offset += geometry.unit
      }
      guard let following = used(behind: cursor.block) else { return nil }
      let hasBroken = cursor.hasBroken || following.hasBroken
      cursor = following
      cursor.hasBroken = hasBroken
    }
  }
}
