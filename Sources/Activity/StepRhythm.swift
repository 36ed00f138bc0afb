/// The rhythm of steps: what the windows before have shown of it.
struct StepRhythm {
  /// Points of a step in the last window; 0 when there was none.
  private(set) var period: Float = 0
  private var run = 0
  private var pending: Float = 0

  /// Windows with the same rhythm before steps are counted.
  static var surety: Int { 3 }
  /// The shortest and the longest step, in points: 0.14 and 1.16 s.
  static var shortest: Float { 3.5 }
  static var longest: Int { 29 }
  /// The peak of the autocorrelation that a rhythm has, at its beginning and further on.
  static var peak: Float { 0.5 }
  static var laterPeak: Float { 0.4 }
  /// The autocorrelation of neighbours above which it is no faster than a step: 6.85 Hz.
  static var fastest: Float { -0.15 }
  /// By how much a step may differ from that of the window before.
  static var change: Float { 0.15 }

  /// Takes a window with the points before it.
  ///
  /// - Returns: Steps that are sure now, in 256ths.
  mutating func take(_ points: InlineArray<96, Float>) -> UInt32 {
    guard let found = StepRhythm.period(of: points, above: run > 0 ? StepRhythm.laterPeak : StepRhythm.peak) else {
      self = StepRhythm()
      return 0
    }
    let isSame = period > 0 && abs(found - period) <= StepRhythm.change * period
    if !isSame {
      run = 0
      pending = 0
    }
    period = found
    run = min(run + 1, StepRhythm.surety)
    pending += Float(ActivityMeter.windowPoints) / found
    guard run >= StepRhythm.surety else { return 0 }
    let steps = UInt32(pending * 256 + 0.5)
    pending = 0
    return steps
  }

  /// Points of a step; nil when there is no rhythm.
  static func period(of points: InlineArray<96, Float>, above limit: Float) -> Float? {
    // Differences over two points: a nod once a stride counts less than the steps, and no mean is left.
    let count = ActivityMeter.rhythmPoints - 2
    var values = points
    var all: Float = 0
    var place = 0
    while place < count {
      values[place] = points[place + 2] - points[place]
      all += values[place] * values[place]
      place += 1
    }
    var likeness: InlineArray<31, Float> = InlineArray(repeating: 0)
    // The energy of the first and of the last points, without those that have no partner.
    var first = all
    var last = all
    var lag = 1
    while lag <= longest + 1 {
      first -= values[count - lag] * values[count - lag]
      last -= values[lag - 1] * values[lag - 1]
      var sum: Float = 0
      place = lag
      while place < count {
        sum += values[place] * values[place - lag]
        place += 1
      }
      let energy = first * last
      likeness[lag] = energy > 0 ? sum / energy.squareRoot() : 0
      lag += 1
    }
    // Neighbours are opposite: what is faster than a quarter of the grid is an engine or a tyre.
    guard likeness[1] > fastest else { return nil }
    var highest: Float = 0
    lag = 3
    while lag <= longest {
      if isPeak(lag, likeness) { highest = max(highest, likeness[lag]) }
      lag += 1
    }
    guard highest >= limit else { return nil }
    // The first peak that is not much lower: steps of the two sides differ, and are steps all the same.
    lag = 2
    while lag <= longest, !(isPeak(lag, likeness) && likeness[lag] >= 0.5 * highest) { lag += 1 }
    // Two points are no step: an engine or a tyre.
    guard lag > 2, lag <= longest else { return nil }
    let period = refined(lag, likeness)
    return period >= shortest ? period : nil
  }

  private static func isPeak(_ lag: Int, _ likeness: InlineArray<31, Float>) -> Bool {
    likeness[lag] > likeness[lag - 1] && likeness[lag] >= likeness[lag + 1] && likeness[lag] > 0
  }

  /// The period by the last of its multiples that is a peak, and by a parabola through its neighbours.
  private static func refined(_ lag: Int, _ likeness: InlineArray<31, Float>) -> Float {
    var period = parabola(lag, likeness)
    var multiple = 2
    while true {
      let expected = Int(period * Float(multiple) + 0.5)
      guard expected < longest else { return period }
      var place = max(expected - 1, 1)
      var found: Int?
      while place <= expected + 1, place <= longest {
        if isPeak(place, likeness), likeness[place] >= 0.3 { found = place }
        place += 1
      }
      guard let found else { return period }
      period = parabola(found, likeness) / Float(multiple)
      multiple += 1
    }
  }

  private static func parabola(_ lag: Int, _ likeness: InlineArray<31, Float>) -> Float {
    let (a, b, c) = (likeness[lag - 1], likeness[lag], likeness[lag + 1])
    let bend = a - 2 * b + c
    return bend < 0 ? Float(lag) + 0.5 * (a - c) / bend : Float(lag)
  }
}
