import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime

@Suite struct PhoneExportTests {
  static let start: Int64 = 1_700_000_000_000_000_000

  /// A vector file at 100 Hz from `offset` ms on.
  static func vectors(_ count: Int, offset: Int = 0, _ value: (Int) -> (Double, Double, Double)) -> String {
    var text = "time,seconds_elapsed,z,y,x\n"
    for index in 0..<count {
      let milliseconds = index * 10 + offset
      let (x, y, z) = value(index)
      text += "\(start + Int64(milliseconds) * 1_000_000),\(Double(milliseconds) / 1000),\(z),\(y),\(x)\n"
    }
    return text
  }

  static func metadata(_ platform: String, standardised: Bool) -> String {
    "version,device name,recording epoch time,recording time,recording timezone,platform,appVersion,device id,sensors,"
      + "sampleRateMs,standardisation,platform version\n"
      + "3,\"A, phone\",1700000000000,2023-11-14_22-13-20,Europe/Berlin,\(platform),1.50,abc,Accelerometer|Gyroscope,"
      + "10|10,\(standardised),17\n"
  }

  static let location =
    "time,seconds_elapsed,bearingAccuracy,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,bearing,altitude,"
    + "longitude,latitude\n1699999990000000000,-10,0,0,5,10,0,0,500,11.5,48.1\n"
    + "1700000000050000000,0.05,10,0.5,5,4.5,3.25,90,520,11.5,48.1\n"
    + "1700000001050000000,1.05,-1,-1,-1,9,-1,-1,0,11.5,48.1\n"

  @Test func androidFilesBecomeSamplesAndFixes() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("Metadata.csv", Self.metadata("android", standardised: false))
    _ = try folder.write("TotalAcceleration.csv", Self.vectors(200) { (0.25, Double($0), 9.8) })
    _ = try folder.write("Accelerometer.csv", Self.vectors(200) { _ in (0, 0, 0) })
    _ = try folder.write("Gyroscope.csv", Self.vectors(200, offset: 5) { (Double($0), 0, 1) })
    _ = try folder.write("Magnetometer.csv", Self.vectors(10, offset: 12) { (Double($0), 2, 3) })
    _ = try folder.write("Location.csv", Self.location)
    let importer = try openRecording(folder.path)
    let inputs = try collect(importer).map(\.input)
    #expect(inputs.count == 202)
    #expect(importer.timeline.utcAtZero?.microseconds == 1_700_000_000_000_000)
    let samples = inputs.compactMap { if case .inertial(let sample) = $0 { sample } else { nil } }
    #expect(samples.count == 200)
    #expect(samples[3].time == .milliseconds(30))
    #expect(samples[3].specificForce == Vector3(0.25, 3, 9.8))
    // Between the gyroscope's rows 2 (25 ms) and 3 (35 ms).
    #expect(samples[3].angularRate == Vector3(2.5, 0, 1))
    #expect(samples[0].angularRate == Vector3(0, 0, 1))
    #expect(samples[1].magneticFluxDensity == nil)
    #expect(samples[2].magneticFluxDensity == Vector3(0, 2, 3))
    #expect(samples[50].magneticFluxDensity == nil)
    let fixes = inputs.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    guard inputs[6].mergeRank == 1, fixes.count == 2, let fix = fixes.first, let last = fixes.last else {
      Issue.record("no fix where one was expected")
      return
    }
    #expect(fix.time == .milliseconds(50) && fix.speed == 3.25 && fix.course == courseRadians(90))
    #expect(fix.heightAboveEllipsoid == 520 && fix.heightAboveSeaLevel == nil && fix.horizontalAccuracy == 4.5)
    #expect(last.mode == .twoDimensional && last.speed == nil && last.course == nil)
    #expect(importer.reports.contains { $0.count(of: .beforeStart) == 1 })
  }

  @Test func anIPhoneHasItsSignsTurned() throws {
    for (standardised, sign) in [(false, -1.0), (true, 1.0)] {
      let folder = try TemporaryDirectory()
      _ = try folder.write("Metadata.csv", Self.metadata("ios", standardised: standardised))
      _ = try folder.write("Accelerometer.csv", Self.vectors(20) { _ in (0.5 * sign, 0, 0) })
      _ = try folder.write("Gravity.csv", Self.vectors(20) { _ in (0, 0, 9.75 * sign) })
      _ = try folder.write("Gyroscope.csv", Self.vectors(20) { _ in (1, 2, 3) })
      let inputs = try collect(openRecording(folder.path)).map(\.input)
      #expect(inputs.count == 20)
      #expect(
        inputs[7]
          == .inertial(
            InertialSample(
              time: .milliseconds(70), angularRate: Vector3(1, 2, 3), specificForce: Vector3(0.5, 0, 9.75))))
    }
  }

  @Test func uncalibratedAccelerationInUnitsOfGravityIsScaled() throws {
    let folder = try TemporaryDirectory()
    _ = try folder.write("AccelerometerUncalibrated.csv", Self.vectors(20) { _ in (0, 0, 1) })
    let inputs = try collect(openRecording(folder.path)).map(\.input)
    #expect(inputs.first == .inertial(InertialSample(time: .zero, specificForce: Vector3(0, 0, 9.80665))))
  }

  @Test func foldersWithoutSensorsAndEmptyFilesAreNamed() throws {
    let folder = try TemporaryDirectory()
    #expect(throws: RecordingError.self) { try openRecording(folder.path) }
    _ = try folder.write("Gyroscope.csv", "")
    #expect(throws: RecordingError.self) { try openRecording(folder.path) }
    _ = try folder.write("TotalAcceleration.csv", Self.vectors(5) { _ in (0, 0, 9.8) })
    let importer = try openRecording(folder.path)
    #expect(try collect(importer).count == 5)
    #expect(importer.reports[0].remarks.contains { $0.contains("Gyroscope.csv") })
  }
}
