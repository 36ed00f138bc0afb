import InlineStorage
public import Quantities

/// An attitude that has waited for what came after it.
public struct SmoothedAttitude: Equatable, BitwiseCopyable, Sendable {
  /// When it held.
  public var time: Instant
  /// Body frame to the level frame, as `AttitudeFilter.levelFromBody`.
  public var levelFromBody: Quaternion
  /// Body frame to ENU, as `AttitudeFilter.earthFromBody`, by the heading as it is known now.
  public var earthFromBody: Quaternion
  /// What the wait has changed, level frame: `levelFromBody` = correction · (what the filter said at `time`). It holds for the
  /// samples between this attitude and the next one, too.
  public var correction: Quaternion
  /// Rotation about the vertical from the level frame to ENU.
  public var earthFromLevel: Quaternion
}

/// An `AttitudeFilter` whose attitudes come a little later and better: each has all corrections of the lag after it applied.
///
/// The gyroscope carries an attitude over two seconds almost without error, so what the filter corrects within that time
/// was an error all the while. That holds for lags up to about the filter's own time constant of some seconds: two seconds
/// took the inclination error of the recordings down by a tenth, ten seconds would make it worse.
///
/// Capacity: corrections in the lag, lag / `fusionInterval` and some more: 64 for two seconds.
///
/// - Source: our derivation.
public struct FixedLagSmoother<let capacity: Int>: ~Copyable, Sendable {
  /// The filter inside: present attitude, bias, rest and heading without delay.
  public private(set) var filter: AttitudeFilter
  /// How long an attitude waits.
  public let lag: Interval
  private var waiting = InlineQueue<capacity, Waiting>()
  /// Product of all corrections so far.
  private var total = Quaternion.identity

  /// How many of those that wait are from before a silence, and what held when it began.
  private var pastCount = 0
  private var pastTotal = Quaternion.identity
  private var pastHeading = Quaternion.identity

  private struct Waiting: BitwiseCopyable, Sendable {
    var time: Instant
    var levelFromBody: Quaternion
    var total: Quaternion
  }

  private var earthFromLevel: Quaternion {
    Quaternion(w: filter.state.heading.cosine, x: 0, y: 0, z: filter.state.heading.sine)
  }

  /// A smoother around a filter that knows nothing yet.
  ///
  /// - Parameter lag: Up to two seconds; a full queue shortens it.
  public init(lag: Interval, parameters: AttitudeParameters = AttitudeParameters()) {
    filter = AttitudeFilter(parameters: parameters)
    self.lag = lag
  }

  /// Takes one sample in.
  ///
  /// - Returns: The attitude that has waited long enough, at most one per correction of the filter (25 per second),
  ///   and after a silence one per sample until those from before it have left.
  public mutating func update(with sample: InertialSample) -> SmoothedAttitude? {
    let before = filter.lastSampleTime
    let heading = earthFromLevel
    var tilt: Vector3?
    _ = filter.update(with: sample, correction: &tilt)
    // What was before a silence says nothing about what came after: those attitudes leave as they are, one by one.
    if filter.wasSilent(since: before) {
      // Some may wait since the silence before, if there were hardly any samples between: too old to keep.
      for _ in 0..<pastCount { _ = waiting.popFirst() }
      pastCount = waiting.count
      pastTotal = total
      pastHeading = heading
    }
    guard let tilt else { return pastCount > 0 ? next() : nil }
    total = (Quaternion(rotationVector: tilt) * total).normalized
    var ripe: SmoothedAttitude?
    if pastCount > 0 || waiting.isFull || waiting.first.map({ sample.time - $0.time >= lag }) ?? false { ripe = next() }
    waiting.append(Waiting(time: sample.time, levelFromBody: filter.levelFromBody, total: total))
    return ripe
  }

  /// The next attitude that still waits, with the corrections there are: call it until nil when the recording has ended.
  public mutating func finish() -> SmoothedAttitude? { next() }

  private mutating func next() -> SmoothedAttitude? {
    guard let oldest = waiting.popFirst() else { return nil }
    let isPast = pastCount > 0
    if isPast { pastCount -= 1 }
    let correction = ((isPast ? pastTotal : total) * oldest.total.conjugate).normalized
    let level = (correction * oldest.levelFromBody).normalized
    let heading = isPast ? pastHeading : earthFromLevel
    return SmoothedAttitude(
      time: oldest.time, levelFromBody: level, earthFromBody: heading * level, correction: correction,
      earthFromLevel: heading)
  }
}
