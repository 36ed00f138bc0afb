import Foundation
import OtherPrograms
import Quantities
import Recording
import Testing

private let leash = OtherProgram.leash

/// Runs the command with so much memory for data and no more, in KiB; its exit code.
///
/// The kernel's count of a child's memory begins with that of the process that made it, so a limit says more than a reading.
private func run(_ arguments: String, withinKibibytes limit: Int) throws -> Int32 {
  try OtherProgram.output(of: ["/bin/bash", "-c", "ulimit -d \(limit) && exec '\(leash)' \(arguments)"]).status
}

/// A log of a sensor at 2 Hz.
private func writeLog(_ path: String, seconds: Int) throws {
  let writer = try LeashLogWriter(path: path)
  let configuration: [UInt8] = []
  try writer.append(configuration: configuration.span)
  for step in 0..<seconds * 2 {
    let noise = Float((step &* 7919) % 17 - 8)
    try writer.append(
      InertialSample(
        time: .milliseconds(step * 500), angularRate: Vector3(0.01 + noise * 0.0001, 0, noise * 0.0002),
        specificForce: Vector3(noise * 0.004, 0.1, 9.81)))
  }
  try writer.close()
}

@Test func aDayNeedsNoMoreMemoryThanAMinute() throws {
  let folder = try TemporaryFolder()
  try writeLog(folder.path("minute.leash"), seconds: 60)
  try writeLog(folder.path("day.leash"), seconds: 86_400)
  // The 172,800 samples of the day alone would take a quarter more, at 96 bytes each.
  let limit = 13_312
  #expect(try run("replay '\(folder.path("minute.leash"))'", withinKibibytes: limit) == 0)
  let recording = "replay '\(folder.path("day.leash"))' --record '\(folder.path("again.leash"))'"
  #expect(try run(recording, withinKibibytes: limit) == 0)
  let fusion =
    "fuse '\(folder.path("day.leash"))' --output '\(folder.path("day.csv"))' --plot '\(folder.path("day.svg"))'"
  #expect(try run(fusion, withinKibibytes: limit) == 0)
  // The limit is one: far less does not do.
  #expect(try run("replay '\(folder.path("day.leash"))'", withinKibibytes: 512) != 0)
}

@Test func standardInputIsReadLikeAFile() throws {
  let run = try OtherProgram.output(
    of: ["/bin/sh", "-c", "exec \"$0\" replay --json - < \"$1\"", leash, Places.leiden])
  #expect(run.status == 0)
  #expect(run.out == ToolRun("replay", "--json", Places.leiden).out)
}
