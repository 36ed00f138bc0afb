import Foundation
import FusionEvaluation
import InertialFusion
import Quantities
import VehicleSimulation

/// A drive with another sensor than that of the trials, beside the course that a satellite receiver gave.
struct Drive {
  let name: String
  /// As recorded, without a reference.
  var trial: OrientationTrial
  /// Times, s, and directions of travel, rad, from east to north and unwrapped, where it was faster than 3 m/s.
  var courses: [(time: Double, yaw: Double)] = []
  /// Times, s, and speeds, m/s, of all fixes.
  var speeds: [(time: Double, speed: Double)] = []

  static let names = ["car_rtk_drive", "car_dresden_1", "motorbike_dresden"]

  /// Reads both files of a drive; nil when they are not there.
  init?(_ name: String, in folder: String) {
    self.name = name
    trial = OrientationTrial(name: name)
    guard let rows = Drive.rows("\(folder)/\(name)_imu.csv.gz"), let fixes = Drive.rows("\(folder)/\(name)_gnss.csv.gz")
    else { return nil }
    for row in rows {
      let values = ["t_s", "gx", "gy", "gz", "ax", "ay", "az"].compactMap { row[$0] }
      guard values.count == 7, trial.times.last.map({ values[0] > $0 }) ?? true else { continue }
      trial.times.append(values[0])
      trial.angularRate += values[1..<4]
      trial.specificForce += values[4..<7]
      trial.magneticFluxDensity += [0, 0, 0]
      trial.reference += [.nan, .nan, .nan, .nan]
      trial.isMoving.append(true)
    }
    for fix in fixes {
      guard let time = fix["t_s"], let speed = fix["speed_mps"] else { continue }
      speeds.append((time, speed))
      guard let course = fix["course_deg"], speed > 3 else { continue }
      courses.append((time, unwrapped((90 - course) * .pi / 180, after: courses.last?.yaw)))
    }
  }

  private static func rows(_ path: String) -> [[String: Double]]? {
    guard FileManager.default.isReadableFile(atPath: path), let pipe = popen("gzip -dc '\(path)'", "r") else {
      return nil
    }
    defer { pclose(pipe) }
    var titles: [String] = []
    var result: [[String: Double]] = []
    var line = [CChar](repeating: 0, count: 1000)
    while fgets(&line, 1000, pipe) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let words = text.trimmingCharacters(in: .newlines).components(separatedBy: ",")
      if titles.isEmpty {
        titles = words
        continue
      }
      var row: [String: Double] = [:]
      for (title, word) in zip(titles, words) { row[title] = Double(word) }
      result.append(row)
    }
    return result
  }

  /// The attitudes of somebody who knows the whole drive: of a filter that looks back, turned about the vertical by what the mean of the
  /// courses of 30 s differs from it.
  mutating func setReference(_ quaternions: [Double]) {
    let yaws = Drive.yaws(quaternions, trial.count)
    var offsets: [(time: Double, turn: Double)] = []
    var row = 0
    for (time, course) in courses {
      while row + 1 < trial.count, trial.times[row + 1] <= time { row += 1 }
      offsets.append((time, unwrapped(course - yaws[row], after: offsets.last?.turn)))
    }
    var (from, to, sum) = (0, 0, 0.0)
    for row in 0..<trial.count {
      let time = trial.times[row]
      while to < offsets.count, offsets[to].time <= time + 15 {
        sum += offsets[to].turn
        to += 1
      }
      while from < to - 1, offsets[from].time < time - 15 {
        sum -= offsets[from].turn
        from += 1
      }
      guard let nearest = offsets[..<to].last ?? offsets.first else { return }
      // While it stands the next course there was, or will be, holds.
      let isSeen = to > from && offsets[to - 1].time >= time - 15
      let turn = isSeen ? sum / Double(to - from) : nearest.turn
      let q = PreciseQuaternion.aboutVertical(turn) * precise(quaternions, row)
      trial.reference.replaceSubrange(4 * row..<4 * row + 4, with: [q.w, q.x, q.y, q.z])
    }
  }

  /// The drive from a row on for so many seconds, with a magnetometer of half a microtesla of noise in a field.
  ///
  /// - Parameter bias: What the gyroscope tells too much about the vertical, rad/s.
  func part(from start: Int, seconds: Double, in field: EarthField, bias: Double = 0) -> OrientationTrial {
    let end = trial.times.firstIndex { $0 > trial.times[start] + seconds } ?? trial.count
    var result = trial.rows(Array(start..<end))
    var random = SeededRandom(seed: UInt64(start), stream: 0x6D67)
    for row in 0..<result.count {
      let q = precise(result.reference, row)
      let noise = SIMD3(random.gaussian(), random.gaussian(), random.gaussian()) * 0.5
      let flux = (q.isFinite ? q.conjugate.turn(field.vector) : .zero) + noise
      let up = q.isFinite ? q.conjugate.turn(SIMD3(0, 0, 1)) : .zero
      for axis in 0..<3 {
        result.magneticFluxDensity[3 * row + axis] = flux[axis]
        result.angularRate[3 * row + axis] += bias * up[axis]
      }
    }
    return result
  }

  /// How fast the heading of 6D drifts against the courses, °/s: over each 30 s, without sign.
  func drifts(_ quaternions: [Double]) -> [Double] {
    let yaws = Drive.yaws(quaternions, trial.count)
    var points: [(time: Double, turn: Double)] = []
    var row = 0
    for (time, course) in courses {
      while row + 1 < trial.count, trial.times[row + 1] <= time { row += 1 }
      points.append((time, unwrapped(yaws[row] - course, after: points.last?.turn)))
    }
    guard let first = points.first?.time, let last = points.last?.time else { return [] }
    return stride(from: first, to: last - 30, by: 30).compactMap { start in
      let window = points.filter { $0.time >= start && $0.time < start + 30 }
      guard window.count > 20 else { return nil }
      let time = meanOf(window.map(\.time))
      let turn = meanOf(window.map(\.turn))
      let squares = window.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
      let slope = window.reduce(0) { $0 + ($1.time - time) * ($1.turn - turn) } / squares
      return abs(slope) * 180 / .pi
    }
  }

  private static func yaws(_ quaternions: [Double], _ count: Int) -> [Double] {
    var result: [Double] = []
    for row in 0..<count {
      let q = precise(quaternions, row)
      let yaw = atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
      result.append(unwrapped(yaw, after: result.last))
    }
    return result
  }
}

/// An angle, rad, brought next to another.
private func unwrapped(_ angle: Double, after last: Double?) -> Double {
  guard let last, angle.isFinite, last.isFinite else { return angle }
  return angle - ((angle - last) / (2 * .pi)).rounded() * 2 * .pi
}

/// What the filters make of a drive.
struct DriveResult: Codable {
  let name: String
  /// Drift of 6D, °/s: median and largest of windows of 30 s.
  var median: [String: Double] = [:]
  var largest: [String: Double] = [:]
  /// Starts on the way, and the heading error of 9D from 5 to 150 s after them: root of the mean square over all, degrees.
  var starts = 0
  var heading: [String: Double] = [:]
  /// Of `AttitudeFilter`: share beyond three stated deviations, and the largest in units of them; the largest vertical bias, °/s.
  var beyond = 0.0
  var worst = 0.0
  var bias = 0.0
  /// The same with another bias about the vertical, °/s, laid on.
  struct Laid: Codable {
    let bias: Double
    var heading: [String: Double] = [:]
    var beyond = 0.0
    var worst = 0.0
  }
  var laid: [Laid] = []
  /// Tilt of 6D against what the fixes tell of the acceleration: of each filter that states its deviation or is compared.
  var tilt: [String: DriveTilt.Result] = [:]
  /// What the fit of the truth leaves, degrees.
  var tiltDoubt = 0.0

  init(_ drive: Drive, _ contenders: [Contender], offline: Contender) {
    var drive = drive
    name = drive.name
    for contender in contenders {
      let drifts = drive.drifts(contender.prepare(drive.trial, .six).estimates().quaternions).sorted()
      guard !drifts.isEmpty else { continue }
      median[contender.name] = drifts[drifts.count / 2]
      largest[contender.name] = drifts[drifts.count - 1]
    }
    if let truth = DriveTilt(drive) {
      tiltDoubt = truth.doubt
      for contender in contenders {
        let quaternions = contender.prepare(drive.trial, .six).estimates().quaternions
        let stated = contender.name == OurName.withoutLatency ? DriveResult.statedTilts(drive.trial) : []
        tilt[contender.name] = truth.result(of: quaternions, stated: stated, drive.trial)
      }
    }
    drive.setReference(offline.prepare(drive.trial, .six).estimates().quaternions)
    let plain = Starts(drive, contenders, bias: 0)
    (starts, heading, beyond, worst, bias) = (plain.count, plain.heading, plain.beyond, plain.worst, plain.bias)
    for bias in [-4, -2, 2, 4] as [Double] {
      let starts = Starts(drive, contenders, bias: bias)
      laid.append(Laid(bias: bias, heading: starts.heading, beyond: starts.beyond, worst: starts.worst))
    }
  }
}

extension DriveResult {
  fileprivate static func statedTilts(_ trial: OrientationTrial) -> [Double] {
    var filter = Starts.filter
    return inertialSamples(of: trial, axes: .six).map {
      filter.update(with: $0)
      return Double(filter.tiltUncertainty)
    }
  }
}

/// Starts on the way, each 50 s, in two fields.
private struct Starts {
  var count = 0
  var heading: [String: Double] = [:]
  var beyond = 0.0
  var worst = 0.0
  var bias = 0.0

  /// - Parameter bias: Laid on, °/s about the vertical.
  init(_ drive: Drive, _ contenders: [Contender], bias laid: Double) {
    var squares: [String: Double] = [:]
    var (rows, above) = (0, 0)
    for start in stride(from: 0, to: drive.trial.count, by: max(1, Int(50 / drive.trial.period))) {
      for field in EarthField.all[..<2] {
        let part = drive.part(from: start, seconds: 150, in: field, bias: laid * .pi / 180)
        guard let first = part.times.firstIndex(where: { $0 > part.times[0] + 5 }),
          part.times[part.count - 1] > part.times[0] + 50
        else { continue }
        count += 1
        for contender in contenders {
          let error = headingError(contender.prepare(part, .nine).estimates().quaternions, part, first..<part.count)
          squares[contender.name, default: 0] += error * error
        }
        var filter = Starts.filter
        for (row, sample) in inertialSamples(of: part, axes: .nine).enumerated() {
          filter.update(with: sample)
          let truth = precise(part.reference, row)
          guard row >= first, truth.isFinite else { continue }
          let error = OrientationError(of: PreciseQuaternion(filter.earthFromBody), against: truth).heading
          let ratio = error / Double(filter.headingUncertainty)
          rows += 1
          if ratio > 3 { above += 1 }
          worst = max(worst, ratio)
          bias = max(bias, abs(Double(filter.gyroBias.z)) * 180 / .pi)
        }
      }
    }
    heading = squares.mapValues { ($0 / Double(max(1, count))).squareRoot() }
    beyond = Double(above) / Double(max(1, rows))
  }

  /// Another sensor's delay is not known.
  static var filter: AttitudeFilter {
    var parameters = AttitudeParameters()
    parameters.gyroscopeLatency = 0
    return AttitudeFilter(parameters: parameters)
  }
}
