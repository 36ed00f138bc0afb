import Foundation
import OtherPrograms
import Quantities
import Recording
import ServerSupport
import TestSupport
import Testing

/// What an inertial sensor on a bike gave: standing at first, then ridden.
struct RideSamples: Sendable {
  /// Two seconds and a half of standing.
  var standing: [InertialSample] = []
  /// Half a minute of riding.
  var riding: [InertialSample] = []

  /// The beginning of a recorded ride, with the 100 inertial samples a second that `leash replay` makes of its track.
  static let ride: Result<RideSamples, any Error> = Result { try RideSamples() }

  private init() throws {
    let folder = try BoardFolder()
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let track = root.appending(path: "fixtures/rides/ardennes_edge1000_gnss.csv.gz").path
    let replay = "'\(OtherProgram.leash)' replay --simulate-inertial --record \(folder.path)/ride.leash -"
    let script = "zcat '\(track)' | head -40 | \(replay) > /dev/null"
    guard try runProgram(URL(filePath: "/bin/sh"), ["-c", script]) else { throw SetUpFailure("no ride: \(script)") }
    for sample in try recordedSamples("\(folder.path)/ride.leash") {
      let second = sample.time.secondsDouble
      if second < 2.5 { standing.append(sample) } else if second > 8 { riding.append(sample) }
    }
    guard standing.count > 200, riding.count > 2000 else { throw SetUpFailure("the ride has too few samples") }
  }
}

/// A folder with a short path that goes away with the value.
final class BoardFolder: Sendable {
  /// Where it is.
  let path: String

  init() throws {
    path = "/tmp/leash-board-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file; gives its path.
  @discardableResult func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
}
