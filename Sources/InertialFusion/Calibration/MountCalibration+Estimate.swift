import Quantities

extension MountCalibration {
  /// What the ride has shown so far.
  public var estimate: MountEstimate {
    var result = MountEstimate()
    result.ridingSeconds = gravity.seconds
    guard gravity.seconds > 0, let firstUp = gravity.mean.normalized else { return result }
    result.acceleration = evidence(of: acceleration, up: firstUp, gains: .acceleration)
    result.cornering = evidence(of: cornering, up: firstUp, gains: .cornering(hasSpeed))
    if result.cornering.forward != .zero { result.cornering.forward = result.cornering.forward.cross(firstUp) }
    result.lean = evidence(of: lean, up: firstUp, gains: .lean(hasSpeed))
    // What leans does not feel its turns, and what feels them does not lean.
    if result.lean.gain < 2 * result.cornering.gain { result.lean.isUsed = false }
    if result.cornering.gain < 2 * result.lean.gain { result.cornering.isUsed = false }
    result.up = firstUp
    result.upDeviation = gravity.deviation
    combine(&result)
    return result
  }

  private func evidence(of channel: MountChannel, up: Vector3, gains: MountGains) -> MountEvidence {
    var result = MountEvidence()
    let all = channel.all
    guard let response = all.response else { return result }
    let level = response - up * response.dot(up)
    guard let direction = level.normalized else { return result }
    result.gain = level.length
    result.forward = direction
    result.deviation = all.deviation / level.length
    // Beyond 20° the linear theory of the uncertainty ends.
    result.isUsed = gains.contains(result.gain) && result.deviation < 0.35
    result.deviation = (result.deviation * result.deviation + channel.drifted.likely).squareRoot()
    return result
  }

  /// The weighted mean of the witnesses, what they leave open, and what stands in the way.
  private func combine(_ result: inout MountEstimate) {
    var sum = WitnessSum()
    sum.add(result.acceleration)
    sum.add(result.cornering)
    sum.add(result.lean)
    let isLong = result.ridingSeconds >= parameters.minimumRiding
    guard sum.count > 0 else {
      result.obstacle = isLong ? .forwardUnknown : .tooLittleRiding
      return
    }
    guard let direction = sum.direction.normalized,
      let up = (gravity.mean - direction * gravity.forward).normalized,
      let forward = (direction - up * direction.dot(up)).normalized
    else {
      result.obstacle = .forwardUncertain
      return
    }
    result.up = up
    let tipped = gravity.drifted(along: direction)
    result.upDeviation = (result.upDeviation * result.upDeviation + tipped).squareRoot()
    result.bodyFromSensor = MountCalibration.rotation(forward: forward, up: up)
    var squares: Float = 0
    squares += sum.contradiction(of: result.acceleration)
    squares += sum.contradiction(of: result.cornering)
    squares += sum.contradiction(of: result.lean)
    // Witnesses that contradict each other are all less certain than each says; what they share is a degree.
    let excess = sum.count > 1 ? max(1, squares / Float(sum.count - 1)) : 1
    // Were it turned, all witnesses would be, also those that can't tell.
    var turned: Float = 0
    if result.acceleration.isUsed { turned = max(turned, acceleration.drifted.clear) }
    if result.cornering.isUsed { turned = max(turned, cornering.drifted.clear) }
    if result.lean.isUsed { turned = max(turned, lean.drifted.clear) }
    result.forwardDeviation = (max(excess / sum.weight, turned) + 0.0175 * 0.0175).squareRoot()
    judge(&result)
  }

  private func judge(_ result: inout MountEstimate) {
    let riding = parameters.minimumRiding / max(result.ridingSeconds, 1e-3)
    let up = result.upDeviation / parameters.upLimit
    let forward = result.forwardDeviation / parameters.forwardLimit
    // As much as the minimum is enough.
    result.uncertaintyRatio = max(up, max(forward, riding > 1 ? riding : 0))
    if riding > 1 {
      result.obstacle = .tooLittleRiding
    } else if !(up < 1) {
      result.obstacle = .upUncertain
    } else if !(forward < 1) {
      result.obstacle = .forwardUncertain
    } else {
      result.obstacle = nil
    }
  }

  /// The rotation whose body axes x and z lie along two orthogonal unit vectors of the sensor frame.
  static func rotation(forward: Vector3, up: Vector3) -> Quaternion {
    let upright = Quaternion(from: up, to: Vector3(0, 0, 1))
    let level = upright.rotate(forward)
    let turn = Elementary.atan2(level.y, level.x)
    return (Quaternion(rotationVector: Vector3(0, 0, -turn)) * upright).normalized
  }
}

/// The witnesses of forward added up, each by its certainty.
private struct WitnessSum {
  var direction = Vector3.zero
  var weight: Float = 0
  var count = 0

  mutating func add(_ evidence: MountEvidence) {
    guard evidence.isUsed else { return }
    let own = WitnessSum.weight(of: evidence)
    direction += evidence.forward * own
    weight += own
    count += 1
  }

  /// Square of the angle to the mean in standard deviations.
  func contradiction(of evidence: MountEvidence) -> Float {
    guard evidence.isUsed else { return 0 }
    let angle = Elementary.atan2(evidence.forward.cross(direction).length, evidence.forward.dot(direction))
    return angle * angle * WitnessSum.weight(of: evidence)
  }

  /// No witness is better than half a degree.
  private static func weight(of evidence: MountEvidence) -> Float {
    1 / (evidence.deviation * evidence.deviation + 0.0087 * 0.0087)
  }
}

/// How much of what is expected may be felt where the model of a motion fits the vehicle.
struct MountGains: BitwiseCopyable {
  var least: Float
  var most: Float

  static var acceleration: MountGains { MountGains(least: 0.3, most: 1.8) }
  static func cornering(_ hasSpeed: Bool) -> MountGains { MountGains(least: 0.4, most: most(hasSpeed)) }
  /// A car rolls by a tenth of what a two-wheeler leans, and outwards; noise of the yaw rate halves what a bicycle shows.
  static func lean(_ hasSpeed: Bool) -> MountGains { MountGains(least: 0.2, most: most(hasSpeed)) }

  /// With a speed that is assumed the gains are only as good as that.
  private static func most(_ hasSpeed: Bool) -> Float { hasSpeed ? 1.8 : 4 }

  func contains(_ gain: Float) -> Bool { gain >= least && gain <= most }
}
