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

  /// Only the last of each group of so many samples.
  func lastOfEach(_ step: Int) -> Estimates {
    var result = Estimates(quaternions: [], isAtRest: [])
    for last in stride(from: step - 1, to: isAtRest.count, by: step) {
      result.quaternions += quaternions[4 * last..<4 * last + 4]
      result.isAtRest.append(isAtRest[last])
    }
    return result
  }
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
  /// Memory of one filter, bytes.
  struct Size: Codable {
    /// All of it.
    let whole: Int
    /// What changes from sample to sample.
    let state: Int
    /// Parameters and coefficients.
    var constants: Int { whole - state }
  }

  /// The tables in which a filter stands.
  struct Tables: OptionSet {
    let rawValue: Int
    static let accuracy = Tables(rawValue: 1)
    static let perturbations = Tables(rawValue: 2)
    static let speed = Tables(rawValue: 4)
  }

  let name: String
  /// Nil when it is no filter but needs the whole recording.
  let size: Size?
  let hasRest: Bool
  var tables: Tables = [.accuracy, .speed]
  /// Prepares a trial.
  let prepare: (OrientationTrial, Axes) -> any FilterRun
  /// The same with the magnetometer read at the last of so many samples only, as with a FIFO; nil when all are given.
  var prepareBatches: ((OrientationTrial, Axes, Int) -> any FilterRun)?

  init(
    name: String, size: Size?, hasRest: Bool, prepare: @escaping (OrientationTrial, Axes) -> any FilterRun
  ) {
    self.name = name
    self.size = size
    self.hasRest = hasRest
    self.prepare = prepare
  }

  /// The same filter in other tables.
  func standing(in tables: Tables) -> Contender {
    var result = self
    result.tables = tables
    return result
  }
}

/// Why the benchmark can't go on, with the exit code for it.
struct Failure: Error {
  let message: String
  let exitCode: Int32

  init(usage message: String) { (self.message, exitCode) = (message, 2) }
  init(environment message: String) { (self.message, exitCode) = (message, 3) }
}
