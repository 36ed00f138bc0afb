import FusionEvaluation
import InertialFusion
import Quantities

/// The fixed-lag smoother with the longest lag it is meant for.
func smootherContender() -> Contender {
  let whole = MemoryLayout<FixedLagSmoother<64>>.size
  // All but the constants of the filter inside changes.
  let constants = MemoryLayout<AttitudeFilter>.size - MemoryLayout<AttitudeState>.size
  let size = Contender.Size(whole: whole, state: whole - constants)
  return Contender(name: OurName.smoother, size: size, hasRest: true) { SmootherRun(trial: $0, axes: $1) }
}

/// One trial, ready to be run through the smoother.
///
/// The smoother gives an attitude at each correction of its filter, 25 per second, with the rotation that the wait has
/// changed it by. That holds until the next one, so every sample gets a smoothed attitude here and is scored.
private final class SmootherRun: FilterRun {
  let samples: [InertialSample]
  let axes: Axes
  var quaternions: [Quaternion]
  /// Attitudes in the level frame as the filter said them.
  var level: [Quaternion]
  var rest: [Bool]

  init(trial: OrientationTrial, axes: Axes) {
    self.axes = axes
    samples = inertialSamples(of: trial, axes: axes)
    quaternions = Array(repeating: .identity, count: samples.count)
    level = quaternions
    rest = Array(repeating: false, count: samples.count)
  }

  func run() {
    samples.withUnsafeBufferPointer { samples in
      quaternions.withUnsafeMutableBufferPointer { quaternions in
        level.withUnsafeMutableBufferPointer { level in
          rest.withUnsafeMutableBufferPointer { rest in
            var settled = Settled(samples: samples, level: level, quaternions: quaternions, isNine: axes == .nine)
            SmootherRun.run(&settled, rest)
          }
        }
      }
    }
  }

  @inline(never) private static func run(_ settled: inout Settled, _ rest: UnsafeMutableBufferPointer<Bool>) {
    var smoother = FixedLagSmoother<64>(lag: .seconds(2))
    for place in settled.samples.indices {
      let ripe = smoother.update(with: settled.samples[place])
      settled.level[place] = smoother.filter.levelFromBody
      rest[place] = smoother.filter.isAtRest
      if let ripe { settled.take(ripe) }
    }
    while let ripe = smoother.finish() { settled.take(ripe) }
    settled.finish()
  }

  /// What has been smoothed, sample by sample.
  private struct Settled {
    let samples: UnsafeBufferPointer<InertialSample>
    let level: UnsafeMutableBufferPointer<Quaternion>
    let quaternions: UnsafeMutableBufferPointer<Quaternion>
    let isNine: Bool
    /// The attitude whose correction holds for the samples to come.
    var present: SmoothedAttitude?
    var done = 0

    /// Gives all samples before an attitude the correction of the one before it.
    mutating func take(_ next: SmoothedAttitude) {
      let holder = present ?? next
      while done < samples.count, samples[done].time < next.time { settle(holder) }
      present = next
    }

    mutating func finish() {
      guard let present else { return }
      while done < samples.count { settle(present) }
    }

    private mutating func settle(_ attitude: SmoothedAttitude) {
      let smoothed = attitude.correction * level[done]
      quaternions[done] = isNine ? attitude.earthFromLevel * smoothed : smoothed
      done += 1
    }
  }

  func estimates() -> Estimates {
    run()
    return Estimates(quaternions: doubles(quaternions), isAtRest: rest)
  }
}
