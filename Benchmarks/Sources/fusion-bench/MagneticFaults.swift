import FusionEvaluation
import Glibc
import InertialFusion
import Quantities
import VehicleSimulation

/// What goes wrong with the earth's field, laid on recorded trials in fields of other places.
enum MagneticFault: String, CaseIterable, Codable {
  case missedTurn = "a turn of 20 to 180° that nobody saw, 0.02 to 2 s missing"
  case steady = "a wide, steady disturbance of 12 and 30 µT for 5 to 60 s"
  case steadyLong = "the same for 25 s only"
  case changing = "one that changes with movement, 12 and 30 µT for 5 to 60 s"
  case besideRest = "one beside a sensor at rest, 12 and 30 µT for 10 and 60 s"
  case badStart = "a start in a disturbed place that is left after 20 to 60 s"
  case iron = "iron of 8 and 20 µT laid on the sensor"

  /// How strong, and for how long: one case each.
  var variants: [(size: Double, seconds: Double)] {
    switch self {
    case .missedTurn: [(20, 0.02), (-45, 0.3), (90, 1), (180, 2)]
    case .steady: [(12, 5), (12, 60), (30, 5), (30, 60)]
    case .steadyLong: [(12, 25), (30, 25)]
    case .changing: [(12, 5), (12, 60), (30, 5), (30, 60)]
    case .besideRest: [(12, 10), (12, 60), (30, 10), (30, 60)]
    case .badStart: [(12, 20), (30, 60)]
    case .iron: [(8, 1e6), (20, 1e6)]
    }
  }

  /// Where in a trial it begins, one row of these; none when there is no such place.
  func places(in trial: OrientationTrial) -> [Int] {
    switch self {
    case .badStart: [0]
    case .besideRest:
      trial.times.indices.filter {
        $0 > 0 && trial.times[$0] > 15 && trial.isMoving[$0 - 1] && !trial.isMoving[$0]
      }
    default: movingPlaces(in: trial, every: 8, after: 20).filter { trial.times[$0] > 15 }
    }
  }
}

/// A field of the earth: flux density, µT, and dip, degrees.
struct EarthField {
  let strength: Double
  let dip: Double

  /// East, north, up.
  var vector: SIMD3<Double> {
    let angle = dip * .pi / 180
    return SIMD3(0, strength * cos(angle), -strength * sin(angle))
  }

  /// From Recife to Yakutsk, and the south.
  static let all = [
    EarthField(strength: 27, dip: -25), EarthField(strength: 50, dip: 65), EarthField(strength: 62, dip: 75),
    EarthField(strength: 56, dip: -60),
  ]
}

/// How the filters do with a fault, on one half of the trials.
struct MagneticResult: Codable {
  let fault: MagneticFault
  let half: String
  var cases = 0
  /// Root mean square of the heading error from the fault on, of each filter, mean over cases, degrees.
  var heading: [String: Double] = [:]
  /// Seconds in which `AttitudeFilter` is off by more than three stated deviations, a share of all.
  var beyond = 0.0
  /// Cases with a rest after movement behind the fault; those whose heading is off by more than 12° at its end, and of those the ones
  /// beyond three deviations.
  var rests = 0
  var wrongRests = 0
  var unsaidRests = 0
}

/// A fault, on both halves.
///
/// The recorded field is taken apart by the true attitude: what is left beside its mean is the room's own disturbance and noise, which
/// stays; the mean is replaced. Trials are as recorded in two of the fields, and block means of six (48 Hz) in the two others.
func magneticResults(
  of contenders: [Contender], on trials: [OrientationTrial], with fault: MagneticFault
) -> [MagneticResult] {
  let blocks = trials.map { Perturbation.blockAverage(6).applied(to: $0) }
  return [0, 1].map { half in
    var result = MagneticResult(fault: fault, half: half == 0 ? "first" : "second")
    var beyond = (rows: 0, all: 0)
    var sums: [String: Double] = [:]
    for number in trials.indices where number % 2 == half {
      for (place, field) in EarthField.all.enumerated() {
        let trial = place < 2 ? trials[number] : blocks[number]
        let places = fault.places(in: trial)
        guard !places.isEmpty else { continue }
        for (variant, strength) in fault.variants.enumerated() {
          let start = places[(variant * 3 + place) % places.count]
          let seed = UInt64(number * 1000 + place * 100 + variant)
          let (changed, scored) = trial.with(fault, strength, from: start, in: field, seed: seed)
          guard scored.lowerBound < changed.count else { continue }
          result.cases += 1
          for contender in contenders {
            let error = headingError(contender.prepare(changed, .nine).estimates().quaternions, changed, scored)
            sums[contender.name, default: 0] += error
          }
          note(changed, scored, &result, &beyond)
        }
      }
    }
    result.heading = sums.mapValues { $0 / Double(max(1, result.cases)) }
    result.beyond = Double(beyond.rows) / Double(max(1, beyond.all))
    return result
  }
}

/// Root of the mean square of the heading error over rows, degrees.
func headingError(_ estimates: [Double], _ trial: OrientationTrial, _ rows: Range<Int>) -> Double {
  var (sum, count) = (0.0, 0)
  for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 4) {
    let truth = precise(trial.reference, row)
    guard truth.isFinite else { continue }
    let error = OrientationError(of: precise(estimates, row), against: truth).heading
    sum += error * error
    count += 1
  }
  return (sum / Double(max(1, count))).squareRoot() * 180 / .pi
}

/// What the filter says of its own error.
private func note(
  _ trial: OrientationTrial, _ rows: Range<Int>, _ result: inout MagneticResult, _ beyond: inout (rows: Int, all: Int)
) {
  var filter = AttitudeFilter()
  /// Seconds of movement since the fault, and the last error at rest after it.
  var moved = 0.0
  let period = trial.period
  var atRest: (error: Double, sigma: Double)?
  for (row, sample) in inertialSamples(of: trial, axes: .nine).enumerated() {
    filter.update(with: sample)
    guard rows.contains(row) else { continue }
    if trial.isMoving[row] {
      moved += period
      // The first rest with enough movement before it counts.
      if atRest != nil { continue }
    }
    let truth = precise(trial.reference, row)
    guard row % 4 == 0, truth.isFinite else { continue }
    let error = OrientationError(of: PreciseQuaternion(filter.earthFromBody), against: truth).heading
    let sigma = Double(filter.headingUncertainty)
    beyond.all += 1
    if error > 3 * sigma { beyond.rows += 1 }
    if !trial.isMoving[row], moved > 5 { atRest = (error, sigma) }
  }
  guard let atRest else { return }
  result.rests += 1
  if atRest.error * 180 / .pi > 12 {
    result.wrongRests += 1
    if atRest.error > 3 * atRest.sigma { result.unsaidRests += 1 }
  }
}

extension OrientationTrial {
  /// The trial in another field and with a fault, and the rows on which it is judged.
  fileprivate func with(
    _ fault: MagneticFault, _ strength: (size: Double, seconds: Double), from start: Int, in field: EarthField,
    seed: UInt64
  ) -> (trial: OrientationTrial, scored: Range<Int>) {
    var result = self
    var random = SeededRandom(seed: seed, stream: 0x6D61)
    let end = times.firstIndex { $0 >= times[start] + strength.seconds } ?? count
    let turned = PreciseQuaternion.aboutVertical(fault == .missedTurn ? strength.size * .pi / 180 : 0)
    let direction = random.direction()
    var wander = SIMD3(random.gaussian(), random.gaussian(), random.gaussian())
    let change = field.vector - meanField
    var truth = PreciseQuaternion(w: 1, x: 0, y: 0, z: 0)
    for row in 0..<count {
      let reference = precise(self.reference, row)
      if reference.isFinite { truth = reference.normalized }
      let isFaulty = row >= start && row < end
      var attitude = truth
      var earth = truth.turn(flux(at: row)) + change
      switch fault {
      case .missedTurn where row >= start:
        attitude = (turned * truth).normalized
        // The room's own disturbance turns with the path.
        earth = turned.turn(earth - field.vector) + field.vector
        if reference.isFinite {
          for (part, value) in [attitude.w, attitude.x, attitude.y, attitude.z].enumerated() {
            result.reference[4 * row + part] = value
          }
        }
      case .steady, .steadyLong, .besideRest, .badStart: if isFaulty { earth += direction * strength.size }
      case .changing:
        guard isFaulty else { break }
        // Renewed over two seconds of movement, as when a sensor goes past things.
        let share = isMoving[row] ? step / 2 : 0
        let news = SIMD3(random.gaussian(), random.gaussian(), random.gaussian())
        wander += (2 * share).squareRoot() * news - share * wander
        earth += wander * (strength.size / 3.0.squareRoot())
      case .missedTurn, .iron: break
      }
      var body = attitude.conjugate.turn(earth)
      if fault == .iron, row >= start { body += direction * strength.size }
      for axis in 0..<3 { result.magneticFluxDensity[3 * row + axis] = body[axis] }
    }
    let last = times.firstIndex { $0 >= times[min(end, count - 1)] + 45 } ?? count
    guard fault == .missedTurn else {
      // A rest is judged while its disturbance lasts and after it.
      return (result, (fault == .badStart ? end : start)..<last)
    }
    result = result.rows(Array(0..<start) + Array(end..<count))
    return (result, start..<min(last - (end - start), result.count))
  }

  private func flux(at row: Int) -> SIMD3<Double> {
    SIMD3(magneticFluxDensity[3 * row], magneticFluxDensity[3 * row + 1], magneticFluxDensity[3 * row + 2])
  }

  /// The time from sample to sample, without sorting all of them: trials have one rate.
  private var step: Double { count > 1 ? (times[count - 1] - times[0]) / Double(count - 1) : 0 }

  /// The mean of the field in the earth's frame.
  private var meanField: SIMD3<Double> {
    var sum = SIMD3<Double>.zero
    var rows = 0.0
    for row in stride(from: 0, to: count, by: 4) {
      let truth = precise(reference, row)
      guard truth.isFinite else { continue }
      sum += truth.normalized.turn(flux(at: row))
      rows += 1
    }
    return sum / max(1, rows)
  }
}

extension PreciseQuaternion {
  /// v + 2 w (q × v) + 2 q × (q × v).
  func turn(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let q = SIMD3(x, y, z)
    let t = 2 * cross(q, v)
    return v + w * t + cross(q, t)
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

extension SeededRandom {
  fileprivate mutating func direction() -> SIMD3<Double> {
    let v = SIMD3(gaussian(), gaussian(), gaussian())
    return v / max((v * v).sum().squareRoot(), 1e-9)
  }
}
