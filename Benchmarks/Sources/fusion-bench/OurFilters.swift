import FusionEvaluation
import InertialFusion
import Quantities

/// What the benchmark needs of a filter of this package. The one place that knows the filters' interfaces.
protocol BenchmarkedFilter {
  static var name: String { get }
  static var axes: [Axes] { get }
  init()
  mutating func take(_ sample: InertialSample)
  var levelFromBody: Quaternion { get }
  var earthFromBody: Quaternion { get }
  var isAtRest: Bool { get }
}

/// A filter that also takes several samples folded into one.
protocol BatchedFilter: BenchmarkedFilter {
  mutating func take(batch: ArraySlice<InertialSample>)
}

/// The estimator as the tracker runs it: gyroscope and accelerometer.
struct TrackerEstimator: BenchmarkedFilter {
  static var name: String { "ours, estimator of the tracker" }
  static var axes: [Axes] { [.six] }
  var filter = InertialEstimator()

  mutating func take(_ sample: InertialSample) { _ = filter.update(with: sample) }
  var levelFromBody: Quaternion { filter.attitude.earthFromBody }
  var earthFromBody: Quaternion { filter.attitude.earthFromBody }
  var isAtRest: Bool { filter.rest.isAtRest }
}

/// The filters of this package; the first is the one that the others are compared with.
let ourContenders = [contender(TrackerEstimator.self)]

private func contender<Filter: BenchmarkedFilter>(_ type: Filter.Type) -> Contender {
  var contender = Contender(name: Filter.name, stateBytes: MemoryLayout<Filter>.size, hasRest: true) {
    OurRun<Filter>(trial: $0, axes: $1)
  }
  contender.isOurs = true
  contender.axes = Filter.axes
  return contender
}

private func contender<Filter: BatchedFilter>(_ type: Filter.Type) -> Contender {
  var contender = Contender(name: Filter.name, stateBytes: MemoryLayout<Filter>.size, hasRest: true) {
    OurRun<Filter>(trial: $0, axes: $1)
  }
  contender.isOurs = true
  contender.axes = Filter.axes
  contender.prepareBatches = { OurBatchRun<Filter>(trial: $0, axes: $1, size: $2) }
  return contender
}

/// The samples of a trial as a filter of this package gets them.
private func inertialSamples(of trial: OrientationTrial, axes: Axes) -> [InertialSample] {
  func vector(_ values: [Double], _ sample: Int) -> Vector3 {
    Vector3(Float(values[3 * sample]), Float(values[3 * sample + 1]), Float(values[3 * sample + 2]))
  }
  return (0..<trial.count).map { sample in
    InertialSample(
      time: Instant(microseconds: Int64((trial.times[sample] * 1e6).rounded())),
      angularRate: vector(trial.angularRate, sample), specificForce: vector(trial.specificForce, sample),
      magneticFluxDensity: axes == .nine ? vector(trial.magneticFluxDensity, sample) : nil)
  }
}

private func doubles(_ quaternions: [Quaternion]) -> [Double] {
  quaternions.flatMap { [Double($0.w), Double($0.x), Double($0.y), Double($0.z)] }
}

/// One trial, ready to be run through a filter of this package, sample by sample.
private final class OurRun<Filter: BenchmarkedFilter>: FilterRun {
  let samples: [InertialSample]
  let axes: Axes
  var quaternions: [Quaternion]

  init(trial: OrientationTrial, axes: Axes) {
    self.axes = axes
    samples = inertialSamples(of: trial, axes: axes)
    quaternions = Array(repeating: .identity, count: samples.count)
  }

  func run() {
    var filter = Filter()
    let isNine = axes == .nine
    samples.withUnsafeBufferPointer { samples in
      quaternions.withUnsafeMutableBufferPointer { quaternions in
        if isNine {
          for place in samples.indices {
            filter.take(samples[place])
            quaternions[place] = filter.earthFromBody
          }
        } else {
          for place in samples.indices {
            filter.take(samples[place])
            quaternions[place] = filter.levelFromBody
          }
        }
      }
    }
  }

  func estimates() -> Estimates {
    var filter = Filter()
    var rest: [Bool] = []
    for place in samples.indices {
      filter.take(samples[place])
      quaternions[place] = axes == .nine ? filter.earthFromBody : filter.levelFromBody
      rest.append(filter.isAtRest)
    }
    return Estimates(quaternions: doubles(quaternions), isAtRest: rest)
  }
}

/// One trial, ready to be run through a filter of this package in batches.
private final class OurBatchRun<Filter: BatchedFilter>: FilterRun {
  let samples: [InertialSample]
  let axes: Axes
  let size: Int
  var quaternions: [Quaternion] = []
  var rest: [Bool] = []

  init(trial: OrientationTrial, axes: Axes, size: Int) {
    self.axes = axes
    self.size = size
    samples = inertialSamples(of: trial, axes: axes)
  }

  func run() {
    var filter = Filter()
    quaternions.removeAll(keepingCapacity: true)
    rest.removeAll(keepingCapacity: true)
    for end in stride(from: size, through: samples.count, by: size) {
      filter.take(batch: samples[end - size..<end])
      quaternions.append(axes == .nine ? filter.earthFromBody : filter.levelFromBody)
      rest.append(filter.isAtRest)
    }
  }

  func estimates() -> Estimates {
    run()
    return Estimates(quaternions: doubles(quaternions), isAtRest: rest)
  }
}
