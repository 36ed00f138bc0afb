import FusionEvaluation
import Glibc
import InertialFusion
import Quantities

/// What a filter does when samples are missing in movement, and when it is started there.
struct Interruptions: Codable {
  /// One length of the gap.
  struct Gap: Codable {
    let seconds: Double
    let count: Int
    /// Root mean squares over 5 to 15 s after the gap, degrees.
    let heading: Double
    let inclination: Double
  }

  let name: String
  let gaps: [Gap]
  /// Starts in movement; those whose heading is off by more than 10° and 90° (root mean square) after 20 to 30 s.
  let starts: Int
  let startsBeyond10: Int
  let startsBeyond90: Int

  init(of contender: Contender, on trials: [OrientationTrial]) {
    name = contender.name
    gaps = [0.3, 1, 2].map { seconds in
      var (heading, inclination, count) = (0.0, 0.0, 0)
      for trial in trials {
        for start in movingPlaces(in: trial, every: 12, after: seconds + 15) {
          let end = start + Int((seconds / trial.period).rounded())
          let stop = min(end + Int(15 / trial.period), trial.count)
          let rows = Array(0..<start) + Array(end..<stop)
          let scored = start + Int(5 / trial.period)
          guard let error = meanSquares(of: contender, on: trial.rows(rows), from: scored) else { continue }
          heading += error.heading
          inclination += error.inclination
          count += 1
        }
      }
      return Gap(
        seconds: seconds, count: count, heading: degrees(heading / Double(count)),
        inclination: degrees(inclination / Double(count)))
    }
    var headings: [Double] = []
    for trial in trials {
      for start in movingPlaces(in: trial, every: 6, after: 30) {
        let rows = Array(start..<start + Int(30 / trial.period))
        let error = meanSquares(of: contender, on: trial.rows(rows), from: Int(20 / trial.period))
        if let error { headings.append(degrees(error.heading)) }
      }
    }
    starts = headings.count
    startsBeyond10 = headings.count { $0 > 10 }
    startsBeyond90 = headings.count { $0 > 90 }
  }
}

/// Rows in movement, so many seconds apart, that are still in movement so many seconds later.
func movingPlaces(in trial: OrientationTrial, every interval: Double, after length: Double) -> [Int] {
  let ahead = Int(length / trial.period)
  var next = -Double.infinity
  return trial.times.indices.filter { row in
    guard trial.times[row] > next, row + ahead < trial.count, trial.isMoving[row], trial.isMoving[row + ahead] else {
      return false
    }
    next = trial.times[row] + interval
    return true
  }
}

private func meanSquares(
  of contender: Contender, on trial: OrientationTrial, from start: Int
) -> (heading: Double, inclination: Double)? {
  let quaternions = contender.prepare(trial, .nine).estimates().quaternions
  var (heading, inclination, count) = (0.0, 0.0, 0)
  for row in stride(from: start, to: trial.count, by: 8) {
    let (estimate, truth) = (precise(quaternions, row), precise(trial.reference, row))
    guard truth.isFinite else { continue }
    let error = OrientationError(of: estimate, against: truth)
    heading += error.heading * error.heading
    inclination += error.inclination * error.inclination
    count += 1
  }
  return count == 0 ? nil : (heading / Double(count), inclination / Double(count))
}

func precise(_ values: [Double], _ row: Int) -> PreciseQuaternion {
  PreciseQuaternion(w: values[4 * row], x: values[4 * row + 1], y: values[4 * row + 2], z: values[4 * row + 3])
}

private func degrees(_ meanSquare: Double) -> Double { meanSquare.squareRoot() * 180 / .pi }

extension OrientationTrial {
  /// Only these rows.
  func rows(_ places: [Int]) -> OrientationTrial {
    var result = OrientationTrial(name: name)
    result.times = places.map { times[$0] }
    result.angularRate = places.flatMap { angularRate[3 * $0..<3 * $0 + 3] }
    result.specificForce = places.flatMap { specificForce[3 * $0..<3 * $0 + 3] }
    result.magneticFluxDensity = places.flatMap { magneticFluxDensity[3 * $0..<3 * $0 + 3] }
    result.reference = places.flatMap { reference[4 * $0..<4 * $0 + 4] }
    result.isMoving = places.map { isMoving[$0] }
    return result
  }
}

/// Errors of `AttitudeFilter` in units of what it says of them: mean squares, which are 1 when it is right, and the share
/// beyond three. From 5 s on, without magnetic declination. Rest before the first movement is a phase of its own: until the sensor
/// has turned nothing shows a field of the body, and all trials begin at much the same place.
struct NormalizedErrors: Codable {
  struct Phase: Codable {
    let name: String
    /// One per trial.
    let heading: [Double]
    let tilt: [Double]
    /// Of all rows.
    let headingBeyondThree: Double
    let tiltBeyondThree: Double
  }

  let phases: [Phase]

  init(on trials: [OrientationTrial]) {
    let names = ["moving", "resting", "resting at first"]
    var heading = [[Double]](repeating: [], count: names.count)
    var tilt = heading
    var beyond = [[Int]](repeating: [0, 0], count: names.count)
    var counts = [Int](repeating: 0, count: names.count)
    for trial in trials {
      var filter = AttitudeFilter()
      var sums = [[Double]](repeating: [0, 0], count: names.count)
      var rows = [Int](repeating: 0, count: names.count)
      var hasMoved = false
      for (row, sample) in inertialSamples(of: trial, axes: .nine).enumerated() {
        filter.update(with: sample)
        let truth = precise(trial.reference, row)
        guard row % 8 == 0, trial.times[row] > 5, truth.isFinite else { continue }
        let error = OrientationError(of: PreciseQuaternion(filter.earthFromBody), against: truth)
        let ratio = [
          error.heading / Double(filter.headingUncertainty),
          // Two axes share the inclination.
          error.inclination / Double(filter.tiltUncertainty) / 2.0.squareRoot(),
        ]
        hasMoved = hasMoved || trial.isMoving[row]
        let phase = trial.isMoving[row] ? 0 : hasMoved ? 1 : 2
        rows[phase] += 1
        for part in 0..<2 {
          sums[phase][part] += ratio[part] * ratio[part]
          // What a tilt of two axes exceeds as seldom as one axis exceeds three of its deviations.
          if ratio[part] > (part == 0 ? 3 : 2.43) { beyond[phase][part] += 1 }
        }
      }
      for phase in names.indices {
        heading[phase].append(sums[phase][0] / Double(max(rows[phase], 1)))
        tilt[phase].append(sums[phase][1] / Double(max(rows[phase], 1)))
        counts[phase] += rows[phase]
      }
    }
    phases = names.indices.map { phase in
      Phase(
        name: names[phase], heading: heading[phase], tilt: tilt[phase],
        headingBeyondThree: Double(beyond[phase][0]) / Double(max(counts[phase], 1)),
        tiltBeyondThree: Double(beyond[phase][1]) / Double(max(counts[phase], 1)))
    }
  }
}

/// Parameters chosen on one half of the trials and shown on the other.
struct HalvedChoice: Codable {
  let split: String
  /// What the choice was, by 9D total as recorded plus a quarter of that with 14 µT of hard iron.
  let chosen: [String]
  /// 9D totals of the other half: by what was chosen on it itself, and by what was chosen on this one.
  let own: [Double]
  let other: [Double]

  /// The settings to choose among: each parameter by itself at less and at more.
  static let settings: [(name: String, change: @Sendable (inout AttitudeParameters) -> Void)] = [
    ("defaults", { _ in }),
    ("fieldNoise 2", { $0.magnetic.fieldNoise = 2 }), ("fieldNoise 4", { $0.magnetic.fieldNoise = 4 }),
    ("fieldWandering 0.05", { $0.magnetic.fieldWandering = 0.05 }),
    ("fieldWandering 0.12", { $0.magnetic.fieldWandering = 0.12 }),
    ("rejection 3", { $0.magnetic.rejection = 3 }), ("rejection 6", { $0.magnetic.rejection = 6 }),
    ("placeSeconds 1", { $0.magnetic.placeSeconds = 1 }), ("placeSeconds 4", { $0.magnetic.placeSeconds = 4 }),
    ("hardIronEvidence 9", { $0.magnetic.hardIronEvidence = 9 }),
    ("hardIronEvidence 25", { $0.magnetic.hardIronEvidence = 25 }),
    ("placeShare 0.25", { $0.magnetic.placeShare = 0.25 }), ("placeShare 1", { $0.magnetic.placeShare = 1 }),
    ("hardIronMemory 60", { $0.magnetic.hardIronMemory = 60 }),
    ("hardIronMemory 240", { $0.magnetic.hardIronMemory = 240 }),
    ("velocityNoise 0.3", { $0.velocityNoise = 0.3 }), ("velocityNoise 0.55", { $0.velocityNoise = 0.55 }),
    ("turningNoise 0.0014", { $0.turningNoise = 0.0014 }), ("turningNoise 0.0028", { $0.turningNoise = 0.0028 }),
    ("initialAccelerometerOffset 0.06", { $0.initialAccelerometerOffset = 0.06 }),
    ("initialAccelerometerOffset 0.2", { $0.initialAccelerometerOffset = 0.2 }),
    ("initialScaleUncertainty 0.007", { $0.initialScaleUncertainty = 0.007 }),
    ("initialScaleUncertainty 0.014", { $0.initialScaleUncertainty = 0.014 }),
  ]

  /// The number of the setting that costs least on so many trials.
  private static func best(of cost: [[Double]], on half: [Int]) -> Int {
    cost.indices.min { a, b in meanOf(half.map { cost[a][$0] }) < meanOf(half.map { cost[b][$0] }) } ?? 0
  }

  /// Runs every setting once, and takes the choice of both splits from that.
  static func all(on trials: [OrientationTrial]) -> (rows: [[Double]], choices: [HalvedChoice]) {
    let iron = trials.map { Perturbation.hardIron(x: 10, y: -8, z: 6).applied(to: $0) }
    var clean: [[Double]] = []
    var cost: [[Double]] = []
    for setting in settings {
      var parameters = AttitudeParameters()
      setting.change(&parameters)
      let fixed = parameters
      let contender = Contender(name: setting.name, size: nil, hasRest: false) { trial, axes in
        ourRun(trial: trial, axes: axes, parameters: fixed)
      }
      let plain = Accuracy(of: contender, on: trials, metrics: [.nineTotal])[.nineTotal]
      let hard = Accuracy(of: contender, on: iron, metrics: [.nineTotal])[.nineTotal]
      clean.append(plain)
      cost.append(zip(plain, hard).map { $0 + 0.25 * $1 })
    }
    let places = Array(trials.indices)
    let isCalm = trials.map { $0.name.contains("undisturbed") }
    let splits: [(String, [Int], [Int])] = [
      ("every other trial", places.filter { $0 % 2 == 0 }, places.filter { $0 % 2 == 1 }),
      ("undisturbed, disturbed", places.filter { isCalm[$0] }, places.filter { !isCalm[$0] }),
    ]
    let choices = splits.filter { !$0.1.isEmpty && !$0.2.isEmpty }.map { name, first, second in
      let (a, b) = (best(of: cost, on: first), best(of: cost, on: second))
      return HalvedChoice(
        split: name, chosen: [settings[a].name, settings[b].name],
        own: [meanOf(first.map { clean[a][$0] }), meanOf(second.map { clean[b][$0] })],
        other: [meanOf(first.map { clean[b][$0] }), meanOf(second.map { clean[a][$0] })])
    }
    return (zip(clean, cost).map { [meanOf($0), 4 * (meanOf($1) - meanOf($0))] }, choices)
  }
}
