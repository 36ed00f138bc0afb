extension CoreRun {
  /// Links, but computes what it does not expect: the place of the second expectation must be reported.
  mutating func all() {
    expect(opaque(1) == 1)
    expect(opaque(1) == 2)
  }
}
