extension CoreRun {
  /// Breaks the gate's first rule: a growing array needs an allocator.
  mutating func all() {
    var list: [UInt8] = []
    for value: UInt8 in 0..<opaque(9) { list.append(value) }
    for value in list { note(UInt32(value)) }
  }
}
