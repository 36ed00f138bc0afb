import InertialFusion
import OfflineFusion
import Quantities

/// Which attitude is asked for.
enum FusionMode: String, CaseIterable, ArgumentValue {
  /// Gyroscope and accelerometer: the vertical is right, the heading has an arbitrary origin.
  case level = "6d"
  /// With magnetometer: east, north, up.
  case earth = "9d"
}

/// What the filter says after one row.
struct FusedState {
  /// Earth (6d: level) from sensor.
  var attitude = Quaternion.identity
  /// Bias of the gyroscope, rad/s, sensor frame.
  var gyroBias = Vector3.zero
  /// True at rest.
  var isAtRest = false
  /// One sigma of the heading, rad.
  var headingUncertainty = FusedState.unknownHeading
  /// One sigma of the tilt, rad, per horizontal axis.
  var tiltUncertainty: Float = .pi
  /// One sigma of the bias, rad/s per axis.
  var biasUncertainty: Float = .pi
  /// Evidence of movement as a ratio to its threshold: below 1 is rest.
  var restRatio: Float = 0
  /// Disturbance of the magnetic field as a ratio to its threshold: 1 and more is disturbed.
  var magneticRatio: Float = 0

  /// What stands for the uncertainty of a heading about which nothing is known.
  static var unknownHeading: Float { .pi }
}

/// The filter behind `leash fuse`: the one place that knows its interface.
struct FusionFilter {
  private let mode: FusionMode
  private var filter: AttitudeFilter
  private let sensor: SensorDescription
  /// What an offline pass did not use or trust.
  private var offlineRejections: InertialRejections?
  /// True once there was an attitude; a gap may have taken it away since.
  private(set) var isAligned = false

  /// A filter that knows nothing yet.
  init(mode: FusionMode, sensor: SensorDescription) {
    self.mode = mode
    self.sensor = sensor
    filter = AttitudeFilter(parameters: AttitudeParameters(sensor: sensor))
  }

  /// Takes one reading in; what can't be used is counted and changes nothing.
  mutating func update(with sample: InertialSample) {
    var sample = sample
    if mode == .level { sample.magneticFluxDensity = nil }
    filter.update(with: sample)
    if filter.isAligned { isAligned = true }
  }

  /// The state after the last reading that was used.
  var state: FusedState {
    let evidence = filter.evidence
    let isLevel = mode == .level
    return FusedState(
      attitude: isLevel ? filter.levelFromBody : filter.earthFromBody, gyroBias: filter.gyroBias,
      isAtRest: filter.isAtRest,
      headingUncertainty: isLevel ? FusedState.unknownHeading : filter.headingUncertainty,
      tiltUncertainty: filter.tiltUncertainty, biasUncertainty: filter.gyroBiasUncertainty,
      restRatio: evidence.rest, magneticRatio: evidence.magneticDisturbance)
  }

  /// Fuses a whole recording, each state from all of it.
  ///
  /// - Returns: One state for each sample.
  mutating func fuseOffline(_ samples: [InertialSample], progress: (Double) -> Void) -> [FusedState] {
    var samples = samples
    let isLevel = mode == .level
    if isLevel {
      for index in samples.indices { samples[index].magneticFluxDensity = nil }
    }
    let (attitudes, rejections) = OfflineFusion(sensor: sensor).attitudes(of: samples, progress: progress)
    offlineRejections = rejections
    isAligned = attitudes.contains { $0.isAligned }
    return attitudes.map { attitude in
      FusedState(
        attitude: isLevel ? attitude.levelFromBody : attitude.earthFromBody, gyroBias: attitude.gyroBias,
        isAtRest: attitude.isAtRest,
        headingUncertainty: isLevel ? FusedState.unknownHeading : attitude.headingUncertainty,
        tiltUncertainty: attitude.tiltUncertainty, biasUncertainty: attitude.gyroBiasUncertainty,
        restRatio: attitude.restRatio, magneticRatio: attitude.magneticRatio)
    }
  }

  /// What the filter did not use or did not trust, each with its count; `outOfOrder` false leaves out what the reader has
  /// told by line.
  func remarks(outOfOrder: Bool) -> [String] {
    let counts = offlineRejections ?? filter.rejections
    let all: [(count: UInt32, text: String)] = [
      (outOfOrder ? counts.outOfOrder : 0, "not later than the one before: not used"),
      (counts.notFinite, "with a value that is not finite: not used"),
      (counts.empty, "without angular rate and specific force: not used"),
      (counts.outOfRange, "beyond what any sensor measures: not used"),
      (counts.clipped, "at the end of the sensor's range: trusted less"),
    ]
    let remarks = all.filter { $0.count > 0 }.map { entry in
      "\(TimeText.count(Int(entry.count))) sample\(entry.count == 1 ? "" : "s") \(entry.text)"
    }
    guard counts.stuck > 0 else { return remarks }
    // A tenth of a second each, and the two seconds that it took to be sure.
    let seconds = Double(counts.stuck) * 0.1 + 1.9
    return remarks + ["an axis stood still for about \(Int(seconds.rounded())) s while the others moved: trusted less"]
  }
}
