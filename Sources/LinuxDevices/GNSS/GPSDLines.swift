/// Cuts what gpsd sends into lines, with an end to its patience.
struct GPSDLines {
  /// The longest line that is kept, bytes. libgps has room for 140 satellites of some 100 bytes in a SKY object.
  static let maximumLength = 32_768

  private var partial: [UInt8] = []
  private var isOverlong = false
  /// Lines that were longer and were dropped.
  private(set) var overlongCount = 0

  /// Takes bytes, and calls with each line that they end, without its end.
  mutating func receive(_ bytes: ArraySlice<UInt8>, line: (ArraySlice<UInt8>) -> Void) {
    var rest = bytes
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[rest.startIndex..<end])
      if isOverlong { overlongCount += 1 } else { line(partial[...]) }
      partial.removeAll(keepingCapacity: true)
      isOverlong = false
      rest = rest[(end + 1)...]
    }
    append(rest)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if isOverlong || partial.count + bytes.count > Self.maximumLength {
      isOverlong = true
      partial.removeAll(keepingCapacity: true)
    } else {
      partial += bytes
    }
  }
}
