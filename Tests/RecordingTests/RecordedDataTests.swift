import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime

/// Every recording of the shared data, where it is at hand.
@Suite struct RecordedDataTests {
  /// Rows of a CSV file below its header.
  static func rowCount(_ path: String) throws -> Int {
    let lines = LineReader(ByteWindow(try ByteSource(path: path)))
    var count = -1
    while let line = try lines.next() { count += line.count > 0 ? 1 : 0 }
    return count
  }

  /// Rows that were skipped as a whole.
  static func skipped(_ report: ImportReport) -> Int {
    let kinds: [ImportReport.Problem] = [
      .unreadableField, .shortRow, .missingTime, .timeBackwards, .duplicateTime, .timeOutlier, .positionOutOfRange,
    ]
    return kinds.reduce(0) { $0 + report.count(of: $1) }
  }

  static func count(_ path: String) throws -> Int {
    let importer = try openRecording(path)
    var count = 0
    while try importer.next() != nil { count += 1 }
    let report = importer.reports[0]
    #expect(report.inputCount == count)
    #expect(try count + skipped(report) == rowCount(path), "\(path)")
    return count
  }

  @Test func everyRideIsImportedWholly() throws {
    guard let folder = recordedData("rides") else { return }
    let known = [
      "bike_campus_laps_1_imu": 2432, "bike_campus_laps_2_imu": 22427, "bike_still_15min_imu": 23697,
      "bike_tilt_by_hand_imu": 3600, "motorbike_dresden_imu": 5380, "leaning_by_hand_1_imu": 885,
      "car_dresden_1_imu": 10800, "car_rtk_drive_imu": 54859, "still_mpu6050_11min_imu": 65067,
      "motorbike_dresden_gnss": 107, "leaning_by_hand_1_gnss": 18, "car_dresden_1_gnss": 2158,
      "car_rtk_drive_gnss": 2197,
    ]
    for file in files(in: folder, suffix: ".csv.gz") {
      let path = folder + "/" + file
      if file.contains("_wheel") {
        #expect(throws: RecordingError.self, "a wheel's speed alone is no recording") { try openRecording(path) }
        continue
      }
      let count = try Self.count(path)
      if let expected = known[String(file.dropLast(7))] { #expect(count == expected, "\(file)") }
    }
  }

  @Test func everySatelliteRideIsImportedWholly() throws {
    for name in ["rides_gnss", "rides_dublin"] {
      guard let folder = recordedData(name) else { return }
      for file in files(in: folder, suffix: "_gnss.csv.gz") {
        let count = try Self.count(folder + "/" + file)
        if file.hasPrefix("ardennes") { #expect(count == 8357) }
      }
    }
  }

  @Test func laboratoryTrialsAreImportedWholly() throws {
    guard let folder = recordedData("broad") else { return }
    for (file, rows) in [
      ("01_undisturbed_slow_rotation_A", 56940), ("35_disturbed_attached_magnet_4cm", 46885),
    ] {
      #expect(try Self.count(folder + "/" + file + ".csv.gz") == rows)
    }
  }

  @Test func receiverLogsKeepEveryByte() throws {
    for name in ["nmea", "nmea_long"] {
      guard let folder = recordedData(name) else { return }
      let logs = files(in: folder, suffix: ".log") + files(in: folder, suffix: ".log.gz")
      #expect(!logs.isEmpty)
      for file in logs {
        let importer = try openRecording(folder + "/" + file)
        #expect(importer.formatName == "NMEA log", "\(file)")
        var joined: [UInt8] = []
        var last = Instant.zero
        while let input = try importer.next() {
          #expect(input.time >= last)
          last = input.time
          joined += importer.payload
        }
        let source = try ByteSource(path: folder + "/" + file)
        var whole = [UInt8](repeating: 0, count: 4_000_000)
        var count = 0
        whole.withUnsafeMutableBufferPointer { buffer in
          guard let base = buffer.baseAddress else { return }
          while let read = try? source.read(into: base + count, capacity: buffer.count - count), read > 0 {
            count += read
          }
        }
        #expect(Array(whole[..<count].suffix(joined.count)) == joined, "\(file)")
        // What is missing at the top are comment lines.
        let top = String(decoding: whole[..<(count - joined.count)], as: UTF8.self)
        #expect(top.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("#") }, "\(file)")
        #expect(last.microseconds < 7_200_000_000, "\(file) lasts \(last.secondsDouble) s")
      }
    }
  }

  @Test func ridesComeBackFromALeashLogBitForBit() throws {
    guard let folder = recordedData("rides") else { return }
    let directory = try TemporaryDirectory()
    for ride in ["bike_tilt_by_hand", "motorbike_dresden", "leaning_by_hand_1", "car_dresden_1"] {
      let paths = ["_imu", "_gnss"].map { folder + "/" + ride + $0 + ".csv.gz" }
      func merged() throws -> MergedRecording {
        let present = files(in: folder, suffix: ".csv.gz")
        return try MergedRecording(
          paths.filter { path in present.contains { path.hasSuffix("/" + $0) } }.map { try openRecording($0) })
      }
      let path = directory.path + "/ride.leash"
      let writer = try LeashLogWriter(path: path)
      let source = try merged()
      while let input = try source.next() { try writer.append(input, bytes: source.payload.span) }
      try writer.close()
      let expected = try merged()
      let log = try openRecording(path)
      #expect(log.formatName == "Leash log")
      var count = 0
      while let input = try expected.next() {
        let found = try log.next()
        if found != input {
          Issue.record("\(ride): \(String(describing: found)) is not \(input)")
          break
        }
        count += 1
      }
      #expect(try log.next() == nil)
      #expect(count == expected.reports.reduce(0) { $0 + $1.inputCount })
    }
  }
}
