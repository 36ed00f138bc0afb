import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime

/// A folder as the phone application exports it, from rows of milliseconds and values.
private struct PhoneFolder {
  let directory: TemporaryDirectory
  private static let start: Int64 = 1_700_000_000_000

  init() throws { directory = try TemporaryDirectory() }

  func vectors(_ name: String, _ rows: [(milliseconds: Double, x: Double)]) throws {
    var text = "time,seconds_elapsed,z,y,x\n"
    for row in rows {
      text +=
        "\(PhoneFolder.start * 1_000_000 + Int64(row.milliseconds * 1_000_000)),\(row.milliseconds / 1000),0,0,\(row.x)\n"
    }
    _ = try directory.write(name + ".csv", text)
  }

  func samples() throws -> [InertialSample] {
    try collect(openRecording(directory.path)).compactMap {
      if case .inertial(let sample) = $0.input { sample } else { nil }
    }
  }
}

@Suite struct PhoneLimitTests {
  /// Between rows of up to a tenth of a second there is a straight line; beyond, the nearest row within 20 ms.
  @Test func theGyroscopeIsTakenFromItsNeighboursUpToTheirDistance() throws {
    let folder = try PhoneFolder()
    try folder.vectors("Gyroscope", [(100, 0), (200, 10), (300.001, 20), (500, 30)])
    let times: [Double] = [
      79.999, 80, 100, 125, 199, 200, 220, 220.001, 250, 280, 280.001, 299, 310, 479.999, 480, 500, 520, 520.001,
    ]
    try folder.vectors("TotalAcceleration", times.map { ($0, 1) })
    let found = try folder.samples().map { $0.angularRate?.x }
    #expect(
      found == [
        nil, 0, 0, 2.5, 9.9, 10, 10, nil, nil, nil, 20, 20, 20, nil, 30, 30, 30, nil,
      ])
  }

  /// Each row of the magnetometer is given once, with the first sample at or after it.
  @Test func aFieldIsGivenOnceWithTheFirstSampleAfterIt() throws {
    let folder = try PhoneFolder()
    try folder.vectors("TotalAcceleration", [(0, 1), (10, 1), (20, 1), (30, 1), (40, 1)])
    try folder.vectors("Magnetometer", [(10, 5), (11, 6), (12, 7), (31, 8)])
    #expect(try folder.samples().map { $0.magneticFluxDensity?.x } == [nil, 5, 7, nil, 8])
  }

  /// Which files the specific force comes from, the best first.
  @Test func specificForceComesFromTheBestFileThatIsThere() throws {
    let files = ["TotalAcceleration", "Accelerometer", "Gravity", "AccelerometerUncalibrated", "Gyroscope"]
    for mask in 1..<32 {
      let folder = try PhoneFolder()
      for (place, name) in files.enumerated() where mask >> place & 1 != 0 {
        try folder.vectors(name, [(0, Double(10 * (place + 1))), (10, Double(10 * (place + 1)))])
      }
      func has(_ place: Int) -> Bool { mask >> place & 1 != 0 }
      let force: Float? = has(0) ? 10 : has(1) && has(2) ? 50 : has(3) ? 40 : nil
      guard force != nil || has(4) else {
        #expect(throws: RecordingError.self) { try openRecording(folder.directory.path) }
        continue
      }
      let samples = try folder.samples()
      #expect(samples.map { $0.specificForce?.x } == [force, force], "\(mask)")
      #expect(samples.map { $0.angularRate?.x } == (has(4) ? [50, 50] : [nil, nil]), "\(mask)")
      let remarks = try openRecording(folder.directory.path).reports[0].remarks
      #expect(remarks.first == "no Metadata.csv: the signs and units of Android are assumed")
      #expect(
        remarks.contains { $0.contains("does not include gravity") } == (has(1) && !has(2) && !has(0) && !has(3)),
        "\(mask)")
    }
  }

  /// A short first vector is in units of gravity, a long one is not; the metadata decides where there is some.
  @Test func theUnitOfTheUncalibratedIsByItsLength() throws {
    for (first, factor) in [(3.9, 9.80665), (4.0, 1.0), (-1.0, 9.80665), (9.8, 1)] as [(Double, Double)] {
      let folder = try PhoneFolder()
      try folder.vectors("AccelerometerUncalibrated", [(0, first), (10, 2)])
      #expect(try folder.samples().map { $0.specificForce?.x } == [Float(first * factor), Float(2 * factor)])
    }
    for (platform, standardised, factor) in [
      ("ios", "false", -9.80665), ("iPadOS", "false", -9.80665), ("ios", "true", 1), ("android", "false", 1),
      ("macos", "false", 1),
    ] as [(String, String, Double)] {
      let folder = try PhoneFolder()
      _ = try folder.directory.write(
        "metadata.csv", "device name,Platform,standardisation\n\"A, b\",\(platform),\(standardised)\n")
      try folder.vectors("AccelerometerUncalibrated", [(0, 1), (10, 9)])
      #expect(try folder.samples().map { $0.specificForce?.x } == [Float(factor), Float(9 * factor)], "\(platform)")
      #expect(try openRecording(folder.directory.path).reports[0].remarks.isEmpty)
    }
  }

  @Test func rowsThatCanNotBeUsedAreCountedByKind() throws {
    let folder = try PhoneFolder()
    let start = "1700000000"
    _ = try folder.directory.write(
      "TotalAcceleration.csv",
      "time,seconds_elapsed,z,y,x\n"
        + [
          "\(start)000000000,-0.001,1,1,1", "\(start)000000000,0,1,1,1", "\(start)000000400,0,1,1,1",
          "\(start)000001600,0,1,1,2",
          "\(start)000000600,0,1,1,1", "\(start)000009000,0,1,,1", ",0,1,1,1", "\(start)000010000,0,1,1,3",
        ].joined(separator: "\n") + "\n")
    let importer = try openRecording(folder.directory.path)
    let inputs = try collect(importer).map(\.input)
    // Nanoseconds are rounded to microseconds; the zero is by the first row that has one, also when it is passed over.
    #expect(inputs.map(\.time.microseconds) == [-1000, -998, -990])
    let report = try #require(importer.reports.last)
    #expect(report.count(of: .beforeStart) == 1 && report.count(of: .duplicateTime) == 1)
    #expect(report.count(of: .timeBackwards) == 1 && report.count(of: .incompleteVector) == 1)
    #expect(report.count(of: .missingTime) == 1 && report.inputCount == 3 && importer.reports[0].inputCount == 3)
  }

  @Test func whatAPhoneDoesNotKnowIsUnknown() throws {
    func fix(_ fields: [String: String]) throws -> GNSSFix? {
      let folder = try PhoneFolder()
      var all = ["time": "1700000000000000000", "seconds_elapsed": "0", "latitude": "50", "longitude": "5"]
      for (name, value) in fields { all[name] = value }
      let names = all.keys.sorted()
      _ = try folder.directory.write(
        "Location.csv", names.joined(separator: ",") + "\n" + names.map { all[$0] ?? "" }.joined(separator: ",") + "\n")
      guard case .fix(let fix)? = try openRecording(folder.directory.path).next() else { return nil }
      return fix
    }
    #expect(try fix(["speed": "0"])?.speed == 0 && fix(["speed": "-1"])?.speed == nil)
    #expect(
      try fix(["speed": "0", "speedAccuracy": "0"])?.speed == nil
        && fix(["speed": "0", "speedAccuracy": "0.1"])?.speed == 0)
    #expect(try fix(["speed": "1", "speedAccuracy": "0"])?.speed == 1)
    #expect(try fix(["bearing": "0"])?.course == 0 && fix(["bearing": "0", "bearingAccuracy": "0"])?.course == nil)
    #expect(try fix(["bearing": "0", "bearingAccuracy": "1"])?.course == 0)
    #expect(try fix(["bearing": "90", "bearingAccuracy": "0"])?.course == courseRadians(90))
    #expect(
      try fix(["bearing": "90", "bearingAccuracy": "-1"])?.course == nil && fix(["bearing": "361"])?.course == nil)
    #expect(try fix(["altitude": "5"])?.heightAboveEllipsoid == 5 && fix(["altitude": "5"])?.mode == .threeDimensional)
    #expect(try fix(["altitude": "5", "verticalAccuracy": "-1"])?.mode == .twoDimensional)
    #expect(try fix(["altitude": "5", "verticalAccuracy": "0"])?.heightAboveEllipsoid == 5)
    #expect(try fix(["altitudeAboveMeanSeaLevel": "7"])?.heightAboveSeaLevel == 7)
    #expect(
      try fix(["horizontalAccuracy": "0"])?.horizontalAccuracy == nil
        && fix(["horizontalAccuracy": "2"])?.horizontalAccuracy == 2)
    #expect(
      try fix(["verticalAccuracy": "3"])?.verticalAccuracy == 3
        && fix(["verticalAccuracy": "0"])?.verticalAccuracy == nil)
    #expect(try fix(["latitude": ""])?.mode == FixMode.none && fix([:])?.mode == .twoDimensional)
    #expect(try fix([:])?.utc?.microseconds == 1_700_000_000_000_000)
  }
}
