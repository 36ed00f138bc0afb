import FusionEvaluation
import InertialFusion
import Quantities

/// Runs the main filter over a trial and reads after each sample what a user would: attitude, bias and their deviations.
///
/// - Returns: Samples of one run.
func runsToCount(over trial: OrientationTrial, axes: Axes, repeats: Int) -> Int {
  let samples = inertialSamples(of: trial, axes: axes)
  var sum: Float = 0
  for _ in 0..<repeats {
    samples.withUnsafeBufferPointer { samples in
      sum += axes == .six ? sumOfLevels(samples) : sumOfHeadings(samples)
    }
  }
  // What nobody looks at would not be computed.
  if !sum.isFinite { say("the filter gave no number") }
  return samples.count
}

// Two functions over a local filter each, as a user has them.
@inline(never) private func sumOfLevels(_ samples: UnsafeBufferPointer<InertialSample>) -> Float {
  var filter = AttitudeFilter()
  var sum: Float = 0
  for sample in samples {
    filter.update(with: sample)
    let (q, b) = (filter.levelFromBody, filter.gyroBias)
    sum += q.w + q.x + q.y + q.z + b.x + b.y + b.z + filter.tiltUncertainty + filter.gyroBiasUncertainty
  }
  return sum
}

@inline(never) private func sumOfHeadings(_ samples: UnsafeBufferPointer<InertialSample>) -> Float {
  var filter = AttitudeFilter()
  var sum: Float = 0
  for sample in samples {
    filter.update(with: sample)
    let (q, b) = (filter.earthFromBody, filter.gyroBias)
    sum += q.w + q.x + q.y + q.z + b.x + b.y + b.z + filter.tiltUncertainty + filter.gyroBiasUncertainty
    sum += filter.headingUncertainty
  }
  return sum
}
