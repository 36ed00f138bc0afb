extension CoreRun {
  /// Links, but computes what it does not expect: the emulator must report the second expectation.
  mutating func all() {
    expect(opaque(1) == 1)
    expect(opaque(1) == 2)
  }
}
