extension CoreRun {
  /// Calls functions whose stack no look at the image can bound.
  mutating func all() {
    note(UInt32(Spiral(turns: opaque(3)).wind(opaque(2))))
    note(UInt32(Junction(isLeft: opaque(1) == 1).go(opaque(2))))
  }
}

/// Calls itself, as often as data say.
struct Spiral {
  var turns: UInt8

  @inline(never) func wind(_ depth: UInt8) -> UInt8 {
    guard depth < turns else { return opaque(depth) }
    return Spiral(turns: opaque(turns)).wind(opaque(depth &+ 1)) ^ opaque(depth)
  }
}

/// Calls what data say.
struct Junction {
  var isLeft: Bool

  @inline(never) func go(_ value: UInt8) -> UInt8 {
    let way = isLeft ? left : right
    return way(opaque(value)) ^ opaque(value)
  }
}

@inline(never) private func left(_ value: UInt8) -> UInt8 { opaque(value) &+ 1 }
@inline(never) private func right(_ value: UInt8) -> UInt8 { opaque(value) &* 3 }
