extension CoreRun {
  /// Breaks no rule; the square root is allowed.
  mutating func all() {
    expect(opaque(9).squareRoot() == 3)
    note(Double(opaque(2)).squareRoot())
  }
}
