import CZlib
import Foundation
import InertialFusion
import Quantities
import Recording
import Testing

@testable import LeashTool

private let header = "t_s,gx,gy,gz,ax,ay,az,mx,my,mz"

/// A sensor that rests for two seconds and then turns about its z axis at 0.5 rad/s, 100 Hz.
private func row(_ index: Int) -> String {
  let seconds = Double(index) / 100
  // On every axis: one that never changes looks like a broken one.
  func noise(_ axis: Int) -> Double {
    let steps: Int = (index * 7919 + axis * 6) % 17 - 8
    return Double(steps) * 0.0005
  }
  let rate = index < 200 ? 0 : 0.5
  let angle = max(0, seconds - 2) * 0.5
  let (x, y) = (20 * sin(angle), 20 * cos(angle))
  let gyroscope = "\(noise(0)),\(noise(1)),\(rate + noise(2))"
  let accelerometer = "\(noise(3)),\(0.1 + noise(4)),\(9.8 + noise(5))"
  return "\(String(format: "%.4f", seconds)),\(gyroscope),\(accelerometer),\(x),\(y),\(-40 + noise(6))"
}

private func recording(_ count: Int) -> [String] { (0..<count).map(row) }

private func text(_ rows: [String], header: String = header) -> String {
  ([header] + rows).joined(separator: "\n") + "\n"
}

/// Runs `leash fuse` on a text and gives its rows.
private func fuse(_ text: String, _ arguments: String...) throws -> (run: ToolRun, rows: [[Substring]]) {
  let folder = try TemporaryFolder()
  let run = ToolRun(["fuse", try folder.file("imu.csv", text), "--output", "-"] + arguments)
  let rows = run.lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
  return (run, Array(rows))
}

private func unpacked(_ path: String) throws -> String {
  let source = try ByteSource(path: path)
  #expect(source.isCompressed)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = try chunk.withUnsafeMutableBufferPointer { buffer in
      try source.read(into: try #require(buffer.baseAddress), capacity: buffer.count)
    }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}

@Suite struct FuseRowTests {
  @Test func everyRowGivesARowWithItsTimeAsItWasWritten() throws {
    let rows = recording(500)
    let (run, fused) = try fuse(text(rows))
    #expect(run.code == .success && run.err.isEmpty, "\(run.err)")
    #expect(
      run.lines.first
        == "t_s,qw,qx,qy,qz,roll_deg,pitch_deg,yaw_deg,bx,by,bz,rest,heading_sigma_deg,rest_ratio,"
        + "mag_ratio,tilt_sigma_deg,bias_sigma")
    #expect(fused.map { $0[0] } == rows.map { $0.split(separator: ",")[0] })
    for row in fused {
      #expect(row.count == 17 && row.allSatisfy { Double($0)?.isFinite ?? false }, "\(row)")
      let norm = row[1...4].compactMap { Double($0) }.reduce(0) { $0 + $1 * $1 }
      #expect(abs(norm - 1) < 1e-6, "\(row)")
    }
    #expect(fused[180][11] == "1" && fused[400][11] == "0")
  }

  @Test func rowsTheFilterCannotUseRepeatTheStateBefore() throws {
    let plain = recording(300)
    // What is told of each; a row without anything is no fault.
    let bad = [
      ("2.4952,,,,,,,,,", nil), ("2.4900,1,2,3,4,5,6,7,8,9", "time of the row before"),
      ("1.0,1,2,3,4,5,6,7,8,9", "goes backwards"), ("9000000,0,0,0,0,0,9.8,1,2,3", "far ahead"),
      ("2.4953,1,2", "fewer fields"), ("x,1,2,3,4,5,6,7,8,9", "not a number"),
      (",1,2,3,4,5,6,7,8,9", "without a time"), ("2.4954,nan,nan,nan,,,,,,", "NaN"),
    ]
    for (line, words) in bad {
      var rows = plain
      rows.insert(line, at: 250)
      let (run, fused) = try fuse(text(rows))
      #expect(run.code == .success && fused.count == 301, "\(line): \(run.err)")
      #expect(fused[250].dropFirst() == fused[249].dropFirst(), "\(line)")
      #expect(fused[250][0] == line.split(separator: ",", omittingEmptySubsequences: false)[0], "\(line)")
      if let words { #expect(run.err.contains("imu.csv:252:") && run.err.contains(words), "\(line): \(run.err)") }
    }
    var rows = plain
    rows.insert(contentsOf: bad.map(\.0) + ["2.4955,nan,nan,nan,0,0,9.8,1,2,3"], at: 250)
    let (_, fused) = try fuse(text(rows))
    #expect(fused.count == 309)
    let numbers = fused.flatMap { $0.dropFirst() }
    #expect(numbers.allSatisfy { Double($0)?.isFinite ?? false })
  }

  @Test func theOrderOfTheColumnsAndColumnsBesideThemChangeNothing() throws {
    let rows = recording(300)
    let plain = try fuse(text(rows)).run.out
    let turned = rows.map { row in
      let cells = row.split(separator: ",")
      return "red;\(cells[9]);\(cells[8]);\(cells[7]);\(cells[6]);\(cells[5]);\(cells[4]);7;\(cells[3]);\(cells[2]);"
        + "\(cells[1]);\(cells[0])"
    }
    #expect(try fuse(text(turned, header: "colour;mz;my;mx;az;ay;ax;gxx;gz;gy;gx;t_s")).run.out == plain)
    #expect(try fuse(text(rows).replacing("\n", with: "\r\n")).run.out == plain)
  }

  @Test func jsonLinesHaveTheSameKeysAndValues() throws {
    let rows = recording(100) + ["x,1,2,3,4,5,6,7,8,9"]
    let csv = try fuse(text(rows))
    let run = try fuse(text(rows), "--json").run
    let objects = try run.objects()
    let keys = try #require(csv.run.lines.first).split(separator: ",").map(String.init)
    #expect(objects.count == 101)
    for (object, cells) in zip(objects, csv.rows) {
      #expect(Set(object.keys) == Set(keys))
      for (key, cell) in zip(keys, cells) where cell != "x" {
        #expect(object[key] as? Double == Double(cell), "\(key)")
      }
    }
    #expect(objects[100]["t_s"] is NSNull)
  }

  @Test func offlineGivesTheSameRowsFromTheWholeRecording() throws {
    let rows = recording(2000)
    let bad = rows[..<700] + ["7.0001,,,,,,,,,"] + rows[700...]
    let (causal, _) = try fuse(text(Array(bad)))
    let (run, fused) = try fuse(text(Array(bad)), "--offline")
    #expect(run.code == .success, "\(run.err)")
    #expect(run.lines.count == causal.lines.count && run.lines.first == causal.lines.first)
    #expect(fused.map { $0[0] } == bad.map { $0.split(separator: ",")[0] })
    #expect(fused.allSatisfy { $0.count == 17 && $0.allSatisfy { Double($0)?.isFinite ?? false } })
    #expect(fused[700][1...] == fused[699][1...])
    // Rest at the beginning is known from the first row on.
    #expect(fused[0][11] == "1" && fused[1000][11] == "0")
    #expect(run.lines != causal.lines)
  }

  @Test func packedFilesGoInAndOut() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", text(recording(2000)))
    let packed = folder.path("imu.csv.gz")
    let target = try ByteTarget(path: packed)
    try target.append(text(recording(2000)))
    try target.close()
    #expect(try unpacked(packed) == text(recording(2000)))
    let plain = ToolRun("fuse", input, "--output", "-")
    let run = ToolRun("fuse", packed, "--output", folder.path("out.csv.gz"))
    #expect(run.code == .success, "\(run.err)")
    #expect(try unpacked(folder.path("out.csv.gz")) == plain.out)
  }

  @Test func aTurnToTheLeftRaisesTheYaw() throws {
    let (_, fused) = try fuse(text(recording(400)), "--mode", "6d")
    let start = try #require(Double(fused[199][7]))
    let end = try #require(Double(fused[399][7]))
    // Two seconds at 0.5 rad/s.
    #expect(abs(end - start - 57.3) < 2, "\(start) \(end)")
  }

  @Test func theAnglesPutTheAttitudeTogetherAgain() {
    for (roll, pitch, yaw) in [(0.3, -0.4, 2.9), (-3.0, 1.2, -1.5), (1, 1.5, 0.2), (0, -1.57, 1)]
      as [(Float, Float, Float)]
    {
      let attitude =
        Quaternion(rotationVector: Vector3(0, 0, yaw)) * Quaternion(rotationVector: Vector3(0, pitch, 0))
        * Quaternion(rotationVector: Vector3(roll, 0, 0))
      let angles = EulerAngles(attitude)
      #expect(abs(angles.roll - roll) < 1e-3 && abs(angles.pitch - pitch) < 2e-3 && abs(angles.yaw - yaw) < 1e-3)
    }
    let upright = Quaternion(rotationVector: Vector3(0, 0, 0.7)) * Quaternion(rotationVector: Vector3(0, -.pi / 2, 0))
    let angles = EulerAngles(upright)
    #expect(angles.roll == 0 && abs(angles.yaw - 0.7) < 1e-3 && abs(angles.pitch + .pi / 2) < 1e-3)
  }
}

@Suite struct FuseInputTests {
  @Test func aLogGivesARowForEverySample() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ride.leash")
    let writer = try LeashLogWriter(path: path)
    for step in 0..<500 {
      try writer.append(
        InertialSample(
          time: .milliseconds(step * 10), angularRate: .zero, specificForce: Vector3(0, 0.1, 9.8),
          magneticFluxDensity: step % 10 == 3 ? Vector3(0, 20, -40) : nil))
    }
    try writer.close()
    let run = ToolRun("fuse", path, "--output", "-")
    #expect(run.code == .success && run.lines.count == 501, "\(run.err)")
    #expect(run.lines[2].hasPrefix("0.010000,"))
    #expect(ToolRun("fuse", path, "--output", folder.path("a.csv")).out.hasPrefix("9d"))
    let wrong = ToolRun("fuse", path, "--output", "-", "--reference")
    #expect(wrong.code == .usage && wrong.err.contains("qw,qx,qy,qz"))
  }

  @Test func aPhonesFolderIsReadAndNotWrittenOver() throws {
    let folder = try TemporaryFolder()
    func file(_ name: String, _ z: Double) throws -> String {
      var text = "time,seconds_elapsed,z,y,x\n"
      for step in 0..<300 {
        text += "\(1_700_000_000_000_000_000 + step * 10_000_000),\(Double(step) / 100),\(z),0,0\n"
      }
      return try folder.file(name, text)
    }
    _ = try file("TotalAcceleration.csv", 9.8)
    let gyroscope = try file("Gyroscope.csv", 0)
    let run = ToolRun("fuse", folder.url.path, "--output", "-")
    #expect(run.code == .success && run.lines.count == 301, "\(run.err)")
    let wrong = ToolRun("fuse", folder.url.path, "--output", gyroscope)
    #expect(wrong.code == .usage && wrong.err.contains("would be lost"), "\(wrong.err)")
  }

  @Test func theModeFollowsTheMagnetometer() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.file("nine.csv", text(recording(50)))
    let six = recording(50).map { $0.split(separator: ",").prefix(7).joined(separator: ",") }
    let short = try folder.file("six.csv", text(six, header: "t_s,gx,gy,gz,ax,ay,az"))
    let empty = try folder.file("empty.csv", text(six.map { $0 + ",,," }))
    func mode(_ arguments: String...) -> String {
      String(ToolRun(["fuse", "--output", folder.path("out.csv")] + arguments).out.prefix(2))
    }
    #expect(mode(whole) == "9d" && mode(short) == "6d" && mode(empty) == "6d" && mode(whole, "--mode", "6d") == "6d")
    let run = ToolRun("fuse", short, "--output", folder.path("no.csv"), "--mode", "9d")
    #expect(run.code == .usage && run.err.contains("mx,my,mz") && run.problems.count == 1, "\(run.err)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("no.csv")))
  }

  @Test(arguments: [
    ("empty", "", "is empty"), ("header only", header + "\n", "no rows"), ("words", "This is none.\n", "t_s"),
    ("a column missing", "t_s,gx,gy,gz,ax,ay\n0,1,2,3,4,5\n", "no column az"),
    ("GNSS", "t_s,lat_deg,lon_deg\n0,52,4\n", "gx,gy,gz,ax,ay,az"), ("web page", "<html></html>\n", "expected"),
    ("NMEA", "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\n", "NMEA"),
    ("all rows bad", header + "\nx,y,z,,,,,,,\nx,y,z,,,,,,,\n", "imu.csv:2"),
  ])
  func aFileThatIsNoneIsRefusedAndNothingIsWritten(name: String, content: String, words: String) throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", content)
    let output = try folder.file("out.csv", "precious")
    let run = ToolRun("fuse", input, "--output", output)
    #expect(run.code == .environment && run.err.contains(words) && run.err.contains("imu.csv"), "\(name): \(run.err)")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "precious", "\(name)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2, "\(name)")
  }

  @Test func whatIsAskedWronglyIsToldByOption() throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("imu.csv", text(recording(10)))
    for (arguments, words) in [
      ([input], "--output"), ([input, "--output", "-", "--mode", "7d"], "6d, 9d"),
      ([input, "--output", input], "would be lost"), ([input, "--plot", input], "would be lost"),
      ([input, "--plot", "-"], "--plot"), (["--output", "-"], "IN is missing"),
      ([input, "--output", folder.path("a"), "--plot", folder.path("a")], "--plot"),
      ([input, "--output", "-", "--reference"], "qw,qx,qy,qz"),
      ([input, "--output", "-", "--part", "mpu650"], "did you mean 'mpu6050'?"),
      ([input, "--output", "-", "--part", "toaster"], "expected one of mpu6050, "),
      ([input, "--output", "-", "--rate", "50"], "'--rate' needs '--part'"),
      ([input, "--output", "-", "--part", "bmi160", "--rate", "0"], "0.0 is not a rate from 1 to 10000 Hz"),
      ([input, "--output", "-", "--set", "sensor.latensy=0.1"], "did you mean 'sensor.latency'?"),
      (
        [input, "--output", "-", "--set", "sensor.latency=2.4"],
        "sensor.latency: expected seconds from 0 to 0.1; found '2.4'"
      ),
      ([input, "--output", "-", "--set", "sensor.latency"], "NAME=VALUE"),
      ([input, "--output", "-", "--set", "motion.armAfter=60"], "'motion.armAfter' tells nothing about the sensor"),
    ] {
      let run = ToolRun(["fuse"] + arguments)
      #expect(run.code == .usage && run.problems.count == 1 && run.err.contains(words), "\(arguments): \(run.err)")
    }
    for output in [folder.path("none/out.csv"), folder.url.path, "/dev/full"] {
      let run = ToolRun("fuse", input, "--output", output)
      #expect(run.code == .environment && run.err.contains(output), "\(run.err)")
    }
    #expect(try String(contentsOfFile: input, encoding: .utf8) == text(recording(10)))
  }

  @Test func aPackedFileThatEndsTooEarlyGivesWhatWasThereAndSaysSo() throws {
    let folder = try TemporaryFolder()
    let target = try ByteTarget(path: folder.path("imu.csv.gz"))
    try target.append(text(recording(3000)))
    try target.close()
    let bytes = try Data(contentsOf: URL(filePath: folder.path("imu.csv.gz")))
    let input = try folder.file("cut.csv.gz", bytes.prefix(bytes.count / 2))
    let run = ToolRun("fuse", input, "--output", folder.path("out.csv"))
    #expect(run.code == .environment && run.err.contains("cut.csv.gz"))
    let rows = try String(contentsOfFile: folder.path("out.csv"), encoding: .utf8).split(separator: "\n")
    #expect(rows.count > 1000 && rows.count < 2500)
  }
}
