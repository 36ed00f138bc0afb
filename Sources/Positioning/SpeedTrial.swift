/// Whether a receiver's speeds can be believed: the way that they tell beside the one that its positions have gone.
@usableFromInline struct SpeedTrial: Equatable, BitwiseCopyable, Sendable {
  /// What was travelled lately by positions and by speeds, m, older ways counting less.
  private var seen: Float = 0
  private var told: Float = 0

  @usableFromInline init() {}

  /// Takes in a step, m.
  mutating func add(way: Double, told step: Double) {
    let share = Float(1 - way / (way + 4 * TripMeter.speedTrial))
    seen = seen * share + Float(way)
    told = told * share + Float(min(step, 1e6))
  }

  /// True when speeds have told about the same way as positions.
  var isRight: Bool { isKnown && told > 0.7 * seen && told < 1.4 * seen }

  /// True when they have told another.
  var isWrong: Bool { isKnown && !isRight }

  private var isKnown: Bool { seen > Float(TripMeter.speedTrial) }
}
