import FusionEvaluation
import InertialFusion
import OfflineFusion
import Quantities

/// The pass over stored recordings: it needs the whole.
func offlineContender() -> Contender {
  Contender(name: OurName.offline, size: nil, hasRest: true) { OfflineRun(trial: $0, axes: $1) }
}

/// One trial, ready for the offline pass.
private final class OfflineRun: FilterRun {
  let samples: [InertialSample]
  let axes: Axes
  var attitudes: [OfflineAttitude] = []

  init(trial: OrientationTrial, axes: Axes) {
    self.axes = axes
    samples = inertialSamples(of: trial, axes: axes)
  }

  func run() { attitudes = OfflineFusion().attitudes(of: samples).attitudes }

  func estimates() -> Estimates {
    run()
    return Estimates(
      quaternions: doubles(attitudes.map { axes == .nine ? $0.earthFromBody : $0.levelFromBody }),
      isAtRest: attitudes.map(\.isAtRest))
  }
}
