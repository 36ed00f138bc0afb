import InlineStorage

extension FlashMemory where Self: ~Copyable {
  /// Programs bytes page by page, filled up to the unit, and reads them again.
  ///
  /// - Returns: False when they are not there.
  package mutating func programChecked(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    let geometry = geometry
    var done = 0
    while done < bytes.count {
      let pageEnd = ((start + done) / geometry.pageSize + 1) * geometry.pageSize - start
      let end = min(pageEnd, bytes.count)
      var piece = FlashBuffer()
      piece.append(contentsOf: bytes.extracting(done..<end))
      while piece.count % geometry.unit != 0 { piece.append(0xFF) }
      guard program(piece.span, at: start + done) else { return false }
      done = end
    }
    var found = FlashBuffer()
    guard read(start, bytes.count, into: &found), found.count == bytes.count else { return false }
    var place = 0
    while place < bytes.count {
      if found[place] != bytes[place] { return false }
      place += 1
    }
    return true
  }

  /// True when nothing was programmed in a stretch, as far as its bytes show.
  package mutating func isBlank(_ start: Int, _ end: Int) -> Bool {
    var place = start
    while place < end {
      var piece = FlashBuffer()
      let count = min(256, end - place)
      guard read(place, count, into: &piece), piece.count == count else { return false }
      for index in 0..<count where piece[index] != 0xFF { return false }
      place += count
    }
    return true
  }
}
