import FusionEvaluation
import InertialFusion
import Quantities

/// What the benchmark needs of a filter of this package.
protocol BenchmarkedFilter {
  /// Bytes of what changes from sample to sample.
  static var stateBytes: Int { get }
  mutating func take(_ sample: InertialSample)
  var levelFromBody: Quaternion { get }
  var earthFromBody: Quaternion { get }
  var isAtRest: Bool { get }
}

extension AttitudeFilter: BenchmarkedFilter {
  static var stateBytes: Int { MemoryLayout<AttitudeState>.size }
  mutating func take(_ sample: InertialSample) { update(with: sample) }
}

extension LiteAttitudeFilter: BenchmarkedFilter {
  static var stateBytes: Int { MemoryLayout<LiteState>.size }
  mutating func take(_ sample: InertialSample) { update(with: sample) }
}

/// Names by which tables pick their rows.
enum OurName {
  static let full = "AttitudeFilter"
  static let withoutLatency = "AttitudeFilter, latency 0"
  static let lite = "LiteAttitudeFilter"
  static let smoother = "FixedLagSmoother, 2 s"
  static let offline = "OfflineFusion"
}

/// The filters of this package.
func ourContenders() -> [Contender] {
  var ideal = AttitudeParameters()
  ideal.gyroscopeLatency = 0
  let withoutLatency = ideal
  return [
    contender(OurName.full, in: [.accuracy, .perturbations, .speed]) { _ in AttitudeFilter() },
    contender(OurName.withoutLatency, in: [.accuracy, .perturbations]) { _ in
      AttitudeFilter(parameters: withoutLatency)
    },
    contender(OurName.lite, in: [.accuracy, .perturbations, .speed]) { _ in LiteAttitudeFilter() },
    plainLiteContender(),
    smootherContender(),
    offlineContender(),
  ]
}

private func contender<Filter: BenchmarkedFilter>(
  _ name: String, in tables: Contender.Tables,
  _ make: @escaping (OrientationTrial) -> Filter
) -> Contender {
  let size = Contender.Size(whole: MemoryLayout<Filter>.size, state: Filter.stateBytes)
  var contender = Contender(name: name, size: size, hasRest: true) {
    OurRun(trial: $0, axes: $1, make: make)
  }
  contender.tables = tables
  contender.prepareBatches = { OurRun(trial: $0, axes: $1, magnetometerEvery: $2, make: make) }
  return contender
}

/// A run of the main filter with other parameters.
func ourRun(trial: OrientationTrial, axes: Axes, parameters: AttitudeParameters) -> any FilterRun {
  OurRun(trial: trial, axes: axes) { _ in AttitudeFilter(parameters: parameters) }
}

/// The samples of a trial as a filter of this package gets them; the magnetometer with the last of so many only.
func inertialSamples(of trial: OrientationTrial, axes: Axes, magnetometerEvery step: Int = 1) -> [InertialSample] {
  func vector(_ values: [Double], _ sample: Int) -> Vector3 {
    Vector3(Float(values[3 * sample]), Float(values[3 * sample + 1]), Float(values[3 * sample + 2]))
  }
  return (0..<trial.count).map { sample in
    InertialSample(
      time: Instant(microseconds: Int64((trial.times[sample] * 1e6).rounded())),
      angularRate: vector(trial.angularRate, sample), specificForce: vector(trial.specificForce, sample),
      magneticFluxDensity: axes == .nine && (sample + 1) % step == 0
        ? vector(trial.magneticFluxDensity, sample) : nil)
  }
}

/// Four numbers each.
func doubles(_ quaternions: [Quaternion]) -> [Double] {
  quaternions.flatMap { [Double($0.w), Double($0.x), Double($0.y), Double($0.z)] }
}

/// One trial, ready to be run through a filter of this package.
private final class OurRun<Filter: BenchmarkedFilter>: FilterRun {
  let trial: OrientationTrial
  let samples: [InertialSample]
  let axes: Axes
  let make: (OrientationTrial) -> Filter
  var quaternions: [Quaternion]

  init(
    trial: OrientationTrial, axes: Axes, magnetometerEvery step: Int = 1, make: @escaping (OrientationTrial) -> Filter
  ) {
    self.trial = trial
    self.axes = axes
    self.make = make
    samples = inertialSamples(of: trial, axes: axes, magnetometerEvery: step)
    quaternions = Array(repeating: .identity, count: samples.count)
  }

  func run() {
    let filter = make(trial)
    samples.withUnsafeBufferPointer { samples in
      quaternions.withUnsafeMutableBufferPointer { quaternions in
        switch axes {
        case .six: runSix(filter, samples, quaternions)
        case .nine: runNine(filter, samples, quaternions)
        }
      }
    }
  }

  // Functions of their own over a local filter: one that a closure captures would live in memory.
  @inline(never) private func runSix(
    _ fresh: Filter, _ samples: UnsafeBufferPointer<InertialSample>, _ out: UnsafeMutableBufferPointer<Quaternion>
  ) {
    var filter = fresh
    for place in samples.indices {
      filter.take(samples[place])
      out[place] = filter.levelFromBody
    }
  }

  @inline(never) private func runNine(
    _ fresh: Filter, _ samples: UnsafeBufferPointer<InertialSample>, _ out: UnsafeMutableBufferPointer<Quaternion>
  ) {
    var filter = fresh
    for place in samples.indices {
      filter.take(samples[place])
      out[place] = filter.earthFromBody
    }
  }

  func estimates() -> Estimates {
    var filter = make(trial)
    var rest: [Bool] = []
    for place in samples.indices {
      filter.take(samples[place])
      quaternions[place] = axes == .nine ? filter.earthFromBody : filter.levelFromBody
      rest.append(filter.isAtRest)
    }
    return Estimates(quaternions: doubles(quaternions), isAtRest: rest)
  }
}
