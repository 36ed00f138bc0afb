import Quantities

/// The mean specific force of the ride, which points up: accelerations average out, and so does the lean of a two-wheeler.
struct MountGravity: BitwiseCopyable {
  private(set) var mean = Vector3.zero
  /// Riding it rests on, s; at most the memory.
  private(set) var seconds: Float = 0
  /// What was felt forward in the mean over the same time, m/s²: a ride that ends faster or higher than it began would
  /// make the sensor look tilted.
  private(set) var forward: Float = 0
  private var variance: Float = 0
  /// Riding whose slope was known, s.
  private var climbedSeconds: Float = 0
  private var parts = InlineArray<6, Part>(repeating: Part())
  private var partCount = 1
  private var partLength = MountGravity.firstPart
  private var recent = Vector3.zero
  private var recentSeconds: Float = 0

  /// Time over which slope and posture are taken to stay the same, s: the road's slope is the slowest part.
  static var correlationSeconds: Float { 20 }
  static var recentLimit: Float { 30 }
  /// Length of the first parts, and most of one before fading, s.
  static var firstPart: Float { 60 }
  static var longestPart: Float { 480 }

  /// One stretch of the ride.
  private struct Part: BitwiseCopyable {
    var mean = Vector3.zero
    var forward: Float = 0
    var seconds: Float = 0

    mutating func add(_ other: Part) {
      seconds += other.seconds
      guard seconds > 0 else { return }
      let share = other.seconds / seconds
      mean += (other.mean - mean) * share
      forward += (other.forward - forward) * share
    }
  }

  mutating func add(_ force: Vector3, acceleration: Float, slope: Float?, seconds length: Float, memory: Float) {
    let felt = acceleration + Gravity.standard * (slope ?? 0)
    seconds = min(seconds + length, memory)
    climbedSeconds = slope == nil ? climbedSeconds * (1 - length / seconds) : min(climbedSeconds + length, seconds)
    let share = length / seconds
    let difference = force - mean
    mean += difference * share
    forward += (felt - forward) * share
    if let up = mean.normalized, seconds > length {
      let level = difference - up * difference.dot(up)
      variance += (level.squaredLength * 0.5 - variance) * share
    }
    addPart(Part(mean: force, forward: felt, seconds: length), keep: 1 - min(0.5, length / memory))
    recentSeconds = min(recentSeconds + length, MountGravity.recentLimit)
    recent += (force - recent) * (length / recentSeconds)
  }

  private mutating func addPart(_ part: Part, keep: Float) {
    for place in 0..<partCount { parts[place].seconds *= keep }
    if parts[partCount - 1].seconds >= partLength {
      if partCount == parts.count {
        for place in 0..<parts.count / 2 {
          parts[place] = parts[2 * place]
          parts[place].add(parts[2 * place + 1])
        }
        partCount = parts.count / 2
        partLength = min(2 * partLength, MountGravity.longestPart)
      }
      parts[partCount] = Part()
      partCount += 1
    }
    parts[partCount - 1].add(part)
  }

  /// Square of how far the mean may be off because the sensor was tipped on the way, rad²: beyond what chance explains, for the
  /// moment at which that is most.
  ///
  /// - Parameter forward: Unit vector, sensor frame: what is felt along it by speeding up and climbing is taken away.
  func drifted(along forward: Vector3) -> Float {
    var most: Float = 0
    var older = Part()
    for place in 1..<max(partCount, 1) {
      older.add(parts[place - 1])
      var newer = Part()
      for later in place..<partCount { newer.add(parts[later]) }
      guard older.seconds > 0, newer.seconds >= MountGravity.recentLimit else { continue }
      let before = older.mean - forward * older.forward
      let since = newer.mean - forward * newer.forward
      let angle = Elementary.atan2(before.cross(since).length, before.dot(since))
      let chance = squaredScatter(over: older.seconds) + squaredScatter(over: newer.seconds)
      let share = older.seconds / (older.seconds + newer.seconds)
      most = max(most, (angle * angle - chance) * share * share)
    }
    return most
  }

  /// Square of what slope and posture leave of a mean over so many seconds, rad², per axis.
  private func squaredScatter(over seconds: Float) -> Float {
    let independent = max(1, seconds / MountGravity.correlationSeconds)
    let slope: Float = climbedSeconds > 0.5 * self.seconds ? 0 : 0.0262
    return variance / (mean.squaredLength * independent) + slope * slope
  }

  /// Standard deviation of the direction, rad, either way: scatter over the time it has to average out, and what no averaging
  /// takes away, a degree of accelerometer offset (0.17 m/s²) and, where heights are not known, 1.5° of a road that rises.
  var deviation: Float {
    guard mean.squaredLength > 0 else { return .infinity }
    return (squaredScatter(over: seconds) + 0.0175 * 0.0175).squareRoot()
  }

  /// Angle between the gravity of the last half minute and that of the ride, rad; nil while there is no half minute.
  var recentTilt: Float? {
    guard recentSeconds >= MountGravity.recentLimit, seconds >= 2 * MountGravity.recentLimit else { return nil }
    return Elementary.atan2(recent.cross(mean).length, recent.dot(mean))
  }
}
