extension CoreRun {
  /// Goes through a door that takes more of the stack than any may.
  mutating func all() {
    var sum: UInt8 = 0
    through(.liteFilterSample) { sum = deep(opaque(3)) }
    note(UInt32(sum))
  }
}

@inline(never) private func deep(_ seed: UInt8) -> UInt8 {
  var room = InlineArray<10_000, UInt8>(repeating: seed)
  var place = 0
  while place < 10_000 {
    room[place] = opaque(room[(place &* 7919) % 10_000])
    place += 1
  }
  return room[Int(opaque(9))]
}
