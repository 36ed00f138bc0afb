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
  private var recent = Vector3.zero
  private var recentSeconds: Float = 0

  /// Time over which slope and posture are taken to stay the same, s: the road's slope is the slowest part.
  static var correlationSeconds: Float { 20 }
  static var recentLimit: Float { 30 }

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
    recentSeconds = min(recentSeconds + length, MountGravity.recentLimit)
    recent += (force - recent) * (length / recentSeconds)
  }

  /// Standard deviation of the direction, rad, either way: scatter over the time it has to average out, and what no averaging
  /// takes away, a degree of accelerometer offset (0.17 m/s²) and, where heights are not known, 1.5° of a road that rises.
  var deviation: Float {
    let length = mean.length
    guard length > 0 else { return .infinity }
    let independent = max(1, seconds / MountGravity.correlationSeconds)
    let slope: Float = climbedSeconds > 0.5 * seconds ? 0 : 0.0262
    return (variance / (length * length * independent) + 0.0175 * 0.0175 + slope * slope).squareRoot()
  }

  /// Angle between the gravity of the last half minute and that of the ride, rad; nil while there is no half minute.
  var recentTilt: Float? {
    guard recentSeconds >= MountGravity.recentLimit, seconds >= 2 * MountGravity.recentLimit else { return nil }
    return Elementary.atan2(recent.cross(mean).length, recent.dot(mean))
  }
}
