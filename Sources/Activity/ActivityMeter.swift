import Quantities

/// How much the wearer moved in a window.
package enum ActivityLevel: UInt8, BitwiseCopyable, Sendable {
  /// Not more than the sensor's own noise, or breath.
  case rest
  /// A little: it looks around, eats, scratches.
  case light
  /// It is on its feet.
  case active
}

/// What a window of the meter has.
package struct ActivityWindow: Equatable, BitwiseCopyable, Sendable {
  /// How much it moved.
  package var level: ActivityLevel
  /// Steps in 256ths, with those of the windows before that were not sure.
  package var steps: UInt32

  /// A window.
  package init(level: ActivityLevel, steps: UInt32) {
    self.level = level
    self.steps = steps
  }
}

/// Steps, activity and rest from an accelerometer, however it is mounted: from nothing but the length of the specific force.
///
/// The length is put on a grid of 25 Hz: faster sensors are averaged, slower ones interpolated. Its slow part is taken out. Each 32 points
/// are a window, whose energy says how much the wearer moves. In the last 96 points the meter looks for a rhythm: the autocorrelation must
/// have a high peak where a step can be, and the step must stay the same over three windows. Bumps, engines and tyres have energy, too, but
/// no such rhythm, or a faster one.
///
/// - Complexity: O(1) per sample, 96 × 28 products in each window. No allocation.
/// - Source: our derivation; `docs/activity.md` has the numbers.
package struct ActivityMeter {
  /// Points of the grid in a second.
  package static var pointsPerSecond: Int { 25 }
  /// Points of a window: 1.28 s.
  package static var windowPoints: Int { 32 }
  static var step: Interval { .milliseconds(40) }
  /// A longer time without a sample is no signal, and nothing is counted for it.
  static var longestGap: Interval { .milliseconds(500) }
  /// Points in which a rhythm is looked for: 3.84 s.
  static var rhythmPoints: Int { 96 }

  /// From this deviation on it is active, m/s².
  static var activeDeviation: Float { 0.4 }
  /// Up to this deviation it rests with the best sensor, m/s²; with others up to two and a half times their noise.
  static var restDeviation: Float { 0.06 }

  /// What is louder is no noise of a sensor, m/s².
  static var worstNoise: Float { 0.1 }

  private var next = Instant.zero
  private var last: Instant?
  private var lastNorm: Float = 0
  // Of the samples of a point, and what of their squares is lost by averaging them.
  private var sum: Float = 0
  private var squares: Float = 0
  private var roughness: Float = 0
  private var count: Int32 = 0
  private var mean: Float = 0
  /// The last points, the newest behind the others.
  var points: InlineArray<96, Float> = InlineArray(repeating: 0)
  var filled = 0
  private var untilWindow = 32
  /// Square of the noise, (m/s²)².
  private var noise: Float = 0.05 * 0.05
  /// Rhythm of the windows before.
  var rhythm = StepRhythm()

  /// A meter that has seen nothing.
  package init() {}

  /// Takes a sample.
  ///
  /// - Returns: What a window has that ends with it; nil when none does.
  package mutating func take(_ force: Vector3, at time: Instant) -> ActivityWindow? {
    let norm = force.length
    // What is no number is not below it.
    guard norm < 4000 else { return nil }
    guard let before = last, time > before, time - before <= ActivityMeter.longestGap else {
      if let last, time <= last, last - time <= ActivityMeter.longestGap { return nil }
      begin(norm, at: time)
      return nil
    }
    var result: ActivityWindow?
    let deviation = norm - mean
    sum += deviation
    squares += deviation * deviation
    count += 1
    while next <= time {
      let value: Float
      if count > 1 {
        let average = sum / Float(count)
        roughness += max(0, squares / Float(count) - average * average)
        value = mean + average
      } else {
        let share = (next - before).seconds / (time - before).seconds
        value = lastNorm + (norm - lastNorm) * share
      }
      if let window = append(value) { result = window }
      next = next + ActivityMeter.step
      sum = 0
      squares = 0
      count = 0
    }
    last = time
    lastNorm = norm
    return result
  }

  private mutating func begin(_ norm: Float, at time: Instant) {
    last = time
    lastNorm = norm
    next = time + ActivityMeter.step
    sum = 0
    squares = 0
    roughness = 0
    count = 0
    mean = norm
    filled = 0
    untilWindow = ActivityMeter.windowPoints
    rhythm = StepRhythm()
  }

  private mutating func append(_ value: Float) -> ActivityWindow? {
    // A sixteenth a point: what is slower than half a second is the mean.
    mean += (value - mean) * 0.0625
    if filled == ActivityMeter.rhythmPoints {
      // A window is dropped at once, so that nothing is moved for each point.
      var place = ActivityMeter.windowPoints
      while place < filled {
        points[place - ActivityMeter.windowPoints] = points[place]
        place += 1
      }
      filled -= ActivityMeter.windowPoints
    }
    points[filled] = value - mean
    filled += 1
    untilWindow -= 1
    guard untilWindow == 0 else { return nil }
    untilWindow = ActivityMeter.windowPoints
    return closeWindow()
  }

  private mutating func closeWindow() -> ActivityWindow {
    var energy: Float = 0
    var place = filled - ActivityMeter.windowPoints
    while place < filled {
      energy += points[place] * points[place]
      place += 1
    }
    energy /= Float(ActivityMeter.windowPoints)
    // More beyond what the grid has than within it: an engine or a road, and none of the rhythm is to be trusted.
    let isRough = roughness > energy * Float(ActivityMeter.windowPoints)
    roughness = 0
    if energy < noise {
      noise = max(energy, 0.01 * 0.01)
    } else {
      // Doubled in seven minutes, up to that of a poor sensor: what never rests is no noise.
      noise = min(noise * 1.002, ActivityMeter.worstNoise * ActivityMeter.worstNoise)
    }
    let quiet = max(ActivityMeter.restDeviation * ActivityMeter.restDeviation, 6.25 * noise)
    let level: ActivityLevel =
      energy <= quiet
      ? .rest : energy < ActivityMeter.activeDeviation * ActivityMeter.activeDeviation ? .light : .active
    guard level == .active, !isRough, filled == ActivityMeter.rhythmPoints else {
      rhythm = StepRhythm()
      return ActivityWindow(level: level, steps: 0)
    }
    return ActivityWindow(level: level, steps: rhythm.take(points))
  }
}
