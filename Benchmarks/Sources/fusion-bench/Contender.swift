import FusionEvaluation

/// Which sensors a filter gets.
enum Axes: String, CaseIterable, Codable {
  /// Gyroscope and accelerometer: heading has no origin.
  case six = "6D"
  /// And the magnetometer.
  case nine = "9D"
}

/// What a filter said about each sample of a trial.
struct Estimates {
  /// `earthFromSensor`, scalar first, four per sample.
  var quaternions: [Double]
  var isAtRest: [Bool]
}

/// A trial in the form one filter takes it, in memory.
protocol FilterRun: AnyObject {
  /// Runs a fresh filter over the trial and keeps every quaternion: this is timed.
  func run()
  /// Runs a fresh filter over the trial and gives all it said.
  func estimates() -> Estimates
}

/// A filter, or one setting of it, that takes part in the comparison.
struct Contender {
  let name: String
  /// Bytes that a program keeps for one filter; nil when it is no filter but needs the whole recording.
  let stateBytes: Int?
  let hasRest: Bool
  /// True for the filters of this package.
  var isOurs = false
  /// Which sensors it can use.
  var axes: [Axes] = Axes.allCases
  /// Prepares a trial.
  let prepare: (OrientationTrial, Axes) -> any FilterRun
  /// Prepares a trial that is read in batches of so many samples, each folded into one, with an estimate for each batch;
  /// nil when the filter can't.
  var prepareBatches: ((OrientationTrial, Axes, Int) -> any FilterRun)?

  init(
    name: String, stateBytes: Int?, hasRest: Bool, prepare: @escaping (OrientationTrial, Axes) -> any FilterRun
  ) {
    self.name = name
    self.stateBytes = stateBytes
    self.hasRest = hasRest
    self.prepare = prepare
  }
}

/// Why the benchmark can't go on, with the exit code for it.
struct Failure: Error {
  let message: String
  let exitCode: Int32

  init(usage message: String) { (self.message, exitCode) = (message, 2) }
  init(environment message: String) { (self.message, exitCode) = (message, 3) }
}
