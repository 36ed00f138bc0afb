import InlineStorage

// How records get into a store.
extension FlashStore where Memory: ~Copyable {
  /// Begins a change; nothing when one is under way.
  ///
  /// - Parameter bytes: How long its records may be together, with a head of twelve bytes for each and what fills it up to a unit. One that
  ///   comes to more may be refused on the way.
  /// - Returns: False when there is no room for one: nothing is changed.
  public mutating func begin(upTo bytes: Int) -> Bool {
    if isChanging { return true }
    var tries = geometry.blockCount
    while room < bytes + blockRoom {
      guard tries > 0, clean() else {
        counts.failures &+= 1
        return false
      }
      tries -= 1
    }
    open()
    return true
  }

  mutating func open() {
    isChanging = true
    addedCount = 0
    heldKey = nil
  }

  /// Puts a record in the place of all with the same key, as part of the change under way.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - content: 1 to 320 bytes.
  /// - Returns: False when it can't: the change is off then, and nothing of it counts.
  public mutating func put(_ key: FlashKey, _ content: Span<UInt8>) -> Bool {
    guard isChanging, content.count > 0, content.count <= FlashRecord.contentCapacity else { return abandon() }
    return hold(key, content)
  }

  /// Takes away the record of a key, as part of the change under way; nothing when there is none.
  ///
  /// - Returns: False when it can't: the change is off then, and nothing of it counts.
  public mutating func remove(_ key: FlashKey) -> Bool {
    guard isChanging else { return abandon() }
    guard contains(key) else { return true }
    return hold(key, Span())
  }

  /// Ends the change: all of its records count from here on, whatever happens.
  ///
  /// - Returns: False when it can't: nothing of it counts.
  public mutating func commit() -> Bool {
    guard isChanging else { return false }
    guard heldKey == nil || add(isLast: true) else { return abandon() }
    isChanging = false
    counts.changes &+= 1
    return true
  }

  /// Gives up the change under way; nothing of it counts.
  @discardableResult public mutating func abandon() -> Bool {
    guard isChanging else { return false }
    counts.failures &+= 1
    // The keys may have moved on already: they are found anew, and what is there of the change is taken for cut off.
    _ = mount()
    return false
  }

  /// Until the next record comes it is not known whether this one is the last: then it is written.
  private mutating func hold(_ key: FlashKey, _ content: Span<UInt8>) -> Bool {
    guard heldKey == nil || add(isLast: false) else { return abandon() }
    held.removeAll()
    held.append(contentsOf: content)
    heldKey = key
    guard note(key, length: content.count, at: Entry.held) else { return abandon() }
    return true
  }

  /// Writes the record that is held.
  private mutating func add(isLast: Bool) -> Bool {
    guard let key = heldKey else { return false }
    heldKey = nil
    let record = FlashRecord(key, length: held.count, isLast: isLast)
    let length = geometry.padded(FlashRecord.headLength + held.count)
    var tries = 0
    while tries < 3 {
      tries += 1
      if headNumber == 0 || headOffset + length > geometry.blockSize {
        guard takeBlock(isContinuation: addedCount > 0) else { return false }
      }
      var bytes = FlashBuffer()
      record.encode(held.span, seed: headNumber, into: &bytes)
      let place = headBlock * geometry.blockSize + headOffset
      if memory.programChecked(bytes.span, at: place) {
        headOffset += length
        addedCount += 1
        return note(key, length: held.count, at: UInt32(place))
      }
      // Cells that do not take it: what is behind them is left alone.
      headOffset = geometry.blockSize
    }
    return false
  }

  /// Brings the next block into use.
  private mutating func takeBlock(isContinuation: Bool) -> Bool {
    var block = headBlock
    for _ in 0..<geometry.blockCount {
      block = following(block)
      if usedCount > 0, block == tailBlock { return false }
      guard !isBad(block), let erasures = prepare(block) else { continue }
      erasedBlock = nil
      guard
        FlashBlock.number(
          block, as: headNumber + 1, isContinuation: isContinuation, erasures: erasures, of: &memory)
      else {
        noteBad(block)
        continue
      }
      headNumber += 1
      headBlock = block
      headOffset = FlashBlock.headLength
      if usedCount == 0 { tailBlock = block }
      usedCount += 1
      return true
    }
    return false
  }
}
