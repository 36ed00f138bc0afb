import Foundation
import OtherPrograms
import Quantities

@testable import VehicleSimulation

/// Tracks for the tests: the fixtures, and made-up ones.
enum RideTracks {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The fields of each line of a gzipped CSV but the first.
  static func rows(_ file: URL) throws -> [[Substring]] {
    let bytes = try OtherProgram.bytes(of: ["/usr/bin/env", "gzip", "-dc", file.path])
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  }

  /// The fixes of one of the two rides in `fixtures/rides`.
  static func fixture(_ name: String) throws -> [GNSSFix] {
    let rows = try rows(root.appendingPathComponent("fixtures/rides/\(name).csv.gz"))
    // All rows are a second of UTC or more apart; the first is 2019-09-20T14:10:03Z in the Ardennes.
    return rows.compactMap { row in
      guard row.count > 5, let t = Double(row[0]) else { return nil }
      var fix = GNSSFix(time: Instant(microseconds: Elementary.roundedInteger(t * 1e6)))
      fix.utc = UTCTime(microseconds: 1_568_988_603_000_000) + (fix.time - .zero)
      if let latitude = Double(row[2]), let longitude = Double(row[3]) {
        fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
        fix.mode = .threeDimensional
      }
      fix.heightAboveSeaLevel = Double(row[4])
      fix.speed = Double(row[5])
      return fix
    }
  }

  /// A fix at 50° N 6° E displaced by metres.
  static func fix(
    at seconds: Double, east: Double, north: Double, height: Double? = 100, speed: Double? = nil
  ) -> GNSSFix {
    var fix = GNSSFix(time: Instant(microseconds: Elementary.roundedInteger(seconds * 1e6)))
    if let origin = GeodeticPosition(latitudeDegrees: 50, longitudeDegrees: 6) {
      fix.position = LocalFrame(at: origin).place(from: origin, east: east, north: north)
    }
    fix.mode = .threeDimensional
    fix.heightAboveSeaLevel = height
    fix.speed = speed
    return fix
  }

  /// A circle, counterclockwise, one fix a second.
  static func circle(radius: Double, speed: Double, seconds: Int) -> [GNSSFix] {
    (0...seconds).map { second in
      let angle = Elementary.sincos(speed / radius * Double(second))
      return fix(at: Double(second), east: radius * angle.cos, north: radius * angle.sin, speed: speed)
    }
  }

  /// Standing still.
  static func standing(seconds: Int) -> [GNSSFix] {
    (0...seconds).map { fix(at: Double($0), east: 0, north: 0, speed: 0) }
  }

  /// Everything the extension gives for a track.
  static func outputs(
    of track: [GNSSFix], seed: UInt64 = 1, hertz: Int = 100, scene: ParkingScene? = nil
  ) -> (all: [RideExtension.Output], extension: RideExtension) {
    var made = RideExtension(seed: seed, hertz: hertz, scene: scene)
    var all: [RideExtension.Output] = []
    for fix in track {
      made.receive(fix)
      while let output = made.next() { all.append(output) }
    }
    made.finish()
    while let output = made.next() { all.append(output) }
    return (all, made)
  }

  /// Standard deviations of the six channels (rad/s, m/s²) in each half second: window time and values.
  static func deviations(_ samples: [InertialSample]) -> [(time: Instant, values: [Double])] {
    var result: [(time: Instant, values: [Double])] = []
    var start = 0
    while start < samples.count {
      var end = start
      let limit = samples[start].time + .milliseconds(500)
      while end < samples.count, samples[end].time < limit { end += 1 }
      if end - start >= 8 {
        let values = (0..<6).map { channel in
          let series = samples[start..<end].map { component($0, channel) }
          let mean = series.reduce(0, +) / Double(series.count)
          return (series.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(series.count)).squareRoot()
        }
        result.append((samples[start].time, values))
      }
      start = end
    }
    return result
  }

  static func component(_ sample: InertialSample, _ channel: Int) -> Double {
    let rate = sample.angularRate ?? .zero
    let force = sample.specificForce ?? .zero
    return Double([rate.x, rate.y, rate.z, force.x, force.y, force.z][channel])
  }

  static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

extension [RideExtension.Output] {
  var samples: [InertialSample] {
    compactMap { output in
      if case .inertial(let sample) = output { return sample }
      return nil
    }
  }

  var fixes: [GNSSFix] {
    compactMap { output in
      if case .fix(let fix) = output { return fix }
      return nil
    }
  }
}
