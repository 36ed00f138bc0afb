/// Whether a receiver's speeds can be believed: the way that they tell beside the one that its positions have gone.
///
/// Positions are compared by the ways that are counted, not from fix to fix: between two fixes that are close their noise is longer than the way.
@usableFromInline struct SpeedTrial: Equatable, BitwiseCopyable, Sendable {
  /// What was travelled lately by positions and by speeds, m, older ways counting less.
  private var seen: Float = 0
  private var told: Float = 0
  /// What speeds have told since a way was counted last, m; below zero when they have told a part of it only.
  private var open: Float = 0

  @usableFromInline init() {}

  /// Takes in what speeds tell of the way from one fix to the next, m.
  mutating func add(told step: Double) {
    if open >= 0 { open += Float(min(step, 1e6)) }
  }

  /// The next way begins here: from now on speeds tell all of it.
  mutating func begin() { open = 0 }

  /// Of the next way that is counted, speeds have told a part only.
  mutating func forget() { open = -1 }

  /// A way is counted, m; nil for one that was not seen from end to end.
  ///
  /// - Returns: By how much it is longer than speeds have told, m, with the first that shows that they can be believed also those before;
  ///   nil when they can't, and when they have not told all of it.
  mutating func settle(way: Double?) -> Float? {
    defer { open = 0 }
    guard open >= 0, let way else { return nil }
    let wasKnown = isKnown
    let share = Float(1 - way / (way + 4 * TripMeter.speedTrial))
    seen = seen * share + Float(way)
    told = told * share + open
    guard isRight else { return nil }
    return wasKnown ? Float(way) - open : seen - told
  }

  /// True when speeds have told about the same way as positions.
  var isRight: Bool { @inline(never) get { isKnown && told > 0.7 * seen && told < 1.4 * seen } }

  /// True when they have told another.
  var isWrong: Bool { isKnown && !isRight }

  private var isKnown: Bool { seen > Float(TripMeter.speedTrial) }
}
