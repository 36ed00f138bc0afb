import Foundation
import InertialFusion
import Quantities
import Testing

@testable import LeashTool

/// `leash calibrate`: what it finds, what it says when it finds nothing, and that what it prints can be used.
@Suite struct CalibrateTests {
  private static let header = "t_s,gx,gy,gz,ax,ay,az"

  /// Rows of poses of five seconds at 50 Hz, from a sensor with an offset and factors, and a swing between them.
  private static func poses(_ ups: [(Double, Double, Double)]) -> String {
    var text = header + "\n"
    var row = 0
    for up in ups {
      let length = (up.0 * up.0 + up.1 * up.1 + up.2 * up.2).squareRoot()
      for step in 0..<300 {
        let swing = step < 50 ? 3 * Foundation.sin(Double(step)) : 0
        let noise = 0.01 * Foundation.sin(Double(row) * 12.9898)
        let force = [
          9.80665 * up.0 / length / 1.02 + 0.3, 9.80665 * up.1 / length / 0.99 - 0.2, 9.80665 * up.2 / length + 0.1,
        ].map { $0 + swing + noise }
        text += "\(Double(row) * 0.02),0.01,-0.02,\(swing),\(force[0]),\(force[1]),\(force[2])\n"
        row += 1
      }
    }
    return text
  }

  private static let sevenPoses: [(Double, Double, Double)] = [
    (1, 0.1, 0), (-1, 0, 0.1), (0, 1, 0.1), (0.1, -1, 0), (0, 0.1, 1), (0.1, 0, -1), (1, 1, 1),
  ]

  /// A car with its sensor's x back and y right, that brakes and speeds up: ±1 m/s² between 4 and 14 m/s.
  private static func ride(seconds: Int, acceleration: Double = 1) -> (imu: String, gnss: String) {
    var imu = header + "\n"
    var gnss = "t_s,lat_deg,lon_deg,alt_m,speed_mps,course_deg,hacc_m\n"
    for row in 0..<seconds * 25 {
      let time = Double(row) / 25
      let phase = time.truncatingRemainder(dividingBy: 20)
      let noise = Foundation.sin(Double(row) * 12.9898) * 0.4
      let forward = phase < 10 ? acceleration : -acceleration
      imu += "\(time),0.01,0.01,0.01,\(noise - forward),\(noise * 0.7),\(9.8 - noise)\n"
      guard row % 25 == 0 else { continue }
      let speed = acceleration == 0 ? 6 : phase < 10 ? 4 + phase : 24 - phase
      gnss += "\(time),52,\(4 + time * 1e-4),10,\(speed),90,3\n"
    }
    return (imu, gnss)
  }

  @Test func posesGiveOffsetAndScaleThatReplayTakes() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("poses.csv", CalibrateTests.poses(CalibrateTests.sevenPoses))
    let run = ToolRun("calibrate", "accelerometer", file)
    #expect(run.code == .success && run.err.isEmpty, "\(run.err)")
    let json = try #require(ToolRun("calibrate", "accelerometer", "--json", file).objects().first)
    #expect(json["outcome"] as? String == "solved" && (json["poses"] as? [Any])?.count == 7)
    let offset = try #require(json["offset"] as? [Double])
    let scale = try #require(json["scale"] as? [Double])
    #expect(zip(offset, [0.3, -0.2, 0.1]).allSatisfy { abs($0 - $1) < 0.02 }, "\(offset)")
    #expect(zip(scale, [1.02, 0.99, 1]).allSatisfy { abs($0 - $1) < 0.002 }, "\(scale)")
    let settings = try #require(json["settings"] as? [String: String]).map { "\($0.key)=\($0.value)" }
    // What is printed for people holds the same settings, and replay takes them.
    #expect(settings.count == 2 && settings.allSatisfy { run.out.contains("--set '\($0)'") }, "\(run.out)")
    let replay = ToolRun(["replay", "--json"] + settings.flatMap { ["--set", $0] } + [file])
    #expect(replay.code == .success, "\(replay.err)")
    // With the offset taken away nothing is left to find.
    let mount = ToolRun(["calibrate", "mount", "--set", settings[0], file])
    #expect(mount.code == .checkFailed && mount.problems.count == 1)
  }

  @Test func tooFewPosesNameTheMissingAxes() throws {
    let folder = try TemporaryFolder()
    let four = CalibrateTests.sevenPoses.prefix(4)
    let run = ToolRun("calibrate", "accelerometer", try folder.file("four.csv", CalibrateTests.poses(Array(four))))
    #expect(run.code == .checkFailed && run.problems.count == 1)
    #expect(run.err.contains("no still pose with the sensor's +z or -z axis up"), "\(run.err)")
    #expect(!run.out.contains("--set"))
    // The axes apart, split over two recordings.
    let rest = CalibrateTests.poses(Array(CalibrateTests.sevenPoses.suffix(3)))
    let both = ToolRun("calibrate", "accelerometer", folder.path("four.csv"), try folder.file("rest.csv", rest))
    #expect(both.code == .success, "\(both.err)")
  }

  @Test func aRideGivesTheMountingThatReplayTakes() throws {
    let folder = try TemporaryFolder()
    let ride = CalibrateTests.ride(seconds: 180)
    let files = [try folder.file("a ride.csv", ride.imu), try folder.file("gnss.csv", ride.gnss)]
    let run = ToolRun(["calibrate", "mount"] + files)
    #expect(run.code == .success && run.err.isEmpty, "\(run.err)")
    let json = try #require(ToolRun(["calibrate", "mount", "--json"] + files).objects().first)
    #expect(json["isReliable"] as? Bool == true && json["hasSpeed"] as? Bool == true)
    let q = try #require(json["bodyFromSensor"] as? [Double]).map { Float($0) }
    let forward = Quaternion(w: q[0], x: q[1], y: q[2], z: q[3]).rotate(Vector3(-1, 0, 0))
    #expect(forward.x > 0.998, "\(forward)")
    let setting =
      "calibration.mounting=" + (try #require((json["settings"] as? [String: String])?["calibration.mounting"]))
    // The line that is printed is whole, with names a shell reads back.
    #expect(run.out.contains("leash replay \\\n  --set '\(setting)' \\\n  '\(files[0])' \(files[1])\n"), "\(run.out)")
    #expect(ToolRun(["replay", "--json", "--set", setting] + files).code == .success)
    let sensor = "calibration.specificForceOffset=0.1 0 0"
    #expect(
      ToolRun(["calibrate", "mount", "--set", sensor] + files).out.contains("--set '\(sensor)' \\\n  --set 'cal"))
  }

  @Test func aRideThatShowsNothingSaysSoAndFails() throws {
    let folder = try TemporaryFolder()
    let steady = CalibrateTests.ride(seconds: 180, acceleration: 0)
    let run = ToolRun(
      "calibrate", "mount", try folder.file("imu.csv", steady.imu), try folder.file("gnss.csv", steady.gnss))
    #expect(
      run.code == .checkFailed && run.problems.count == 1 && run.err.contains("forward direction is unknown"),
      "\(run.err)")
    #expect(!run.out.contains("--set"))
    let short = CalibrateTests.ride(seconds: 40)
    let files = [try folder.file("imu.csv", short.imu), try folder.file("gnss.csv", short.gnss)]
    let early = ToolRun(["calibrate", "mount", "--json"] + files)
    #expect(early.code == .checkFailed && early.err.contains("expected 60 s or more"), "\(early.err)")
    let json = try #require(early.objects().first)
    #expect(json["isReliable"] as? Bool == false && json["obstacle"] as? String == "tooLittleRiding")
    #expect(json["settings"] == nil)
  }

  @Test(arguments: ["mount", "accelerometer"])
  func badInputIsOneLineAndItsExitCode(kind: String) throws {
    let folder = try TemporaryFolder()
    func check(_ code: ExitCode, _ words: String, _ arguments: String...) {
      let run = ToolRun(["calibrate", kind] + arguments)
      #expect(run.code == code && run.problems.count == 1 && run.err.contains(words), "\(arguments): \(run.err)")
    }
    check(.environment, "can't open", folder.path("none.csv"))
    let track = CalibrateTests.ride(seconds: 90).gnss
    check(.environment, "no accelerometer in it; expected columns ax", try folder.file("track.csv", track))
    check(.environment, "header.csv", try folder.file("header.csv", "a,b,c\n1,2,3\n"))
    check(.usage, "FILE is missing")
    check(.usage, "--turbo", "--turbo", "x.csv")
    // A sensor that lies still all the time.
    let still = CalibrateTests.poses([(0, 0, 1)])
    check(.checkFailed, kind == "mount" ? "s of riding" : "axis up", try folder.file("still.csv", still))
  }

  @Test func impossibleOptionsAreUsageErrors() {
    for (arguments, words) in [
      (["accelerometer", "--gravity", "5", "x"], "'--gravity'"),
      (["accelerometer", "--gravity", "9.8", "--latitude", "52", "x"], "exclude each other"),
      (["accelerometer", "--height", "52", "x"], "needs '--latitude'"),
      (["accelerometer", "--latitude", "91", "x"], "-90 to 90"),
      (["mount", "--set", "calibration.mounting=+x +y +z", "x"], "neither"),
      (["mount", "--set", "calibration.specificForceOffset=1 2", "x"], "specificForceOffset"),
    ] {
      let run = ToolRun(["calibrate"] + arguments)
      #expect(run.code == .usage && run.err.contains(words), "\(arguments): \(run.err)")
    }
  }
}
