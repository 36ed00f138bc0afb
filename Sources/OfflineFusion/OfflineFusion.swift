public import InertialFusion
public import Quantities

/// Attitudes of a stored recording, each from all of it: what came after a moment tells as much about it as what came before.
///
/// The filter runs three times: forward, back in time with what it has learnt, and forward again. The last two runs know bias,
/// scale and magnetic fields from their first sample on, and what one of them lags behind the other leads: their mean has
/// neither lag nor start-up. On the recordings the error but for a constant heading is a third less than that of
/// the causal filter; with a strong magnetic field of the body the whole error is a quarter (docs/fusion.md).
///
/// - Source: our derivation; that forward and backward estimates cancel each other's lag is the idea of every two-pass smoother.
public struct OfflineFusion: Sendable {
  /// Tuning, that of the causal filter.
  public let parameters: AttitudeParameters

  /// An offline pass with this tuning. An `initialAccelerometerOffset` above 0 makes it worse: each pass takes what the one before has made of
  /// the offset for new.
  public init(parameters: AttitudeParameters = OfflineFusion.defaults) { self.parameters = parameters }

  /// An offline pass for a sensor, without an estimate of the accelerometer's offset, as in `defaults`.
  public init(sensor: SensorDescription) {
    var parameters = AttitudeParameters(sensor: sensor)
    parameters.initialAccelerometerOffset = 0
    self.parameters = parameters
  }

  /// The defaults of the filter, without an estimate of the accelerometer's offset: each pass would take what the one before has made of
  /// it for new.
  public static var defaults: AttitudeParameters {
    var parameters = AttitudeParameters()
    parameters.initialAccelerometerOffset = 0
    return parameters
  }

  /// One attitude for each sample. A sample that can't be used has that of the sample before.
  ///
  /// - Parameters:
  ///   - samples: In the order of time; those that are not later than one before them are not used.
  ///   - progress: Told now and then which share of the work is done, 0 to 1.
  /// - Returns: The attitudes, and what the first pass did not use or trust.
  /// - Complexity: O(samples); 130 bytes per sample besides the samples.
  public func attitudes(
    of samples: [InertialSample], progress: (Double) -> Void = { _ in }
  ) -> (attitudes: [OfflineAttitude], rejections: InertialRejections) {
    var filter = AttitudeFilter(parameters: parameters)
    var usable: [Int] = []
    usable.reserveCapacity(samples.count)
    for (index, sample) in samples.enumerated() {
      let before = filter.rejections.total
      filter.update(with: sample)
      if filter.rejections.total == before { usable.append(index) }
      report(index, of: samples.count, pass: 0, progress)
    }
    let rejections = filter.rejections
    var result = [OfflineAttitude](repeating: OfflineAttitude(), count: samples.count)
    filter = filter.reversed()
    for step in usable.indices.reversed() {
      filter.update(with: Self.reversed(samples, usable, step))
      result[usable[step]] = OfflineAttitude(filter, isReversed: true)
      report(usable.count - step, of: usable.count, pass: 1, progress)
    }
    filter = filter.reversed()
    var joint = HeadingTie()
    for (step, index) in usable.enumerated() {
      filter.update(with: samples[index])
      result[index] = joint.mean(OfflineAttitude(filter, isReversed: false), result[index])
      report(step, of: usable.count, pass: 2, progress)
    }
    fill(&result, usable)
    return (result, rejections)
  }

  private func report(_ step: Int, of count: Int, pass: Int, _ progress: (Double) -> Void) {
    guard step % 65_536 == 0 else { return }
    progress((Double(pass) + Double(step) / Double(max(1, count))) / 3)
  }

  /// The sample for the way back to `usable[step]`: it takes the turn, the force and the field of the time
  /// from there to the later one.
  private static func reversed(_ samples: [InertialSample], _ usable: [Int], _ step: Int) -> InertialSample {
    let here = samples[usable[step]]
    let later = samples[usable[min(step + 1, usable.count - 1)]]
    var sample = later
    sample.time = Instant(microseconds: -here.time.microseconds)
    sample.angularRate = later.angularRate.map { Vector3.zero - $0 }
    return sample
  }

  /// Samples that were not used take what was before them; those before the first, what the first has.
  private func fill(_ result: inout [OfflineAttitude], _ usable: [Int]) {
    guard let first = usable.first else { return }
    for index in 0..<first { result[index] = result[first] }
    var next = 0
    for index in result.indices.dropFirst(first) {
      if next < usable.count, usable[next] == index {
        next += 1
      } else {
        result[index] = result[index - 1]
      }
    }
  }
}

extension OfflineAttitude {
  fileprivate init(_ filter: AttitudeFilter, isReversed: Bool) {
    levelFromBody = filter.levelFromBody
    earthFromBody = filter.earthFromBody
    gyroBias = isReversed ? .zero - filter.gyroBias : filter.gyroBias
    headingUncertainty = filter.headingUncertainty
    tiltUncertainty = filter.tiltUncertainty
    gyroBiasUncertainty = filter.gyroBiasUncertainty
    magneticRatio = filter.evidence.magneticDisturbance
    restRatio = filter.evidence.rest
    isAtRest = filter.isAtRest
    isAligned = filter.isAligned
  }
}
