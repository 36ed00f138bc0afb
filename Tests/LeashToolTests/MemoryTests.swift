import Foundation
import Glibc
import Quantities
import Recording
import Testing

private let leash = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  .appending(path: "leash").path

/// Runs the command and gives the most memory it ever held, in KiB.
private func peakMemory(_ arguments: [String]) throws -> Int {
  var words: [UnsafeMutablePointer<CChar>?] = ([leash] + arguments).map { strdup($0) }
  words.append(nil)
  defer { for word in words { free(word) } }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0) }
  var child: pid_t = 0
  try #require(posix_spawn(&child, leash, &actions, nil, words, nil) == 0)
  var status: Int32 = 0
  var usage = rusage()
  try #require(wait4(child, &status, 0, &usage) == child)
  #expect(status == 0, "\(arguments)")
  return usage.ru_maxrss
}

/// A log of a sensor at 5 Hz.
private func writeLog(_ path: String, seconds: Int) throws {
  let writer = try LeashLogWriter(path: path)
  let configuration: [UInt8] = []
  try writer.append(configuration: configuration.span)
  for step in 0..<seconds * 5 {
    let noise = Float((step &* 7919) % 17 - 8)
    try writer.append(
      InertialSample(
        time: .milliseconds(step * 200), angularRate: Vector3(0.01 + noise * 0.0001, 0, noise * 0.0002),
        specificForce: Vector3(noise * 0.004, 0.1, 9.81)))
  }
  try writer.close()
}

@Test func aDayNeedsNoMoreMemoryThanAMinute() throws {
  let folder = try TemporaryFolder()
  try writeLog(folder.path("minute.leash"), seconds: 60)
  try writeLog(folder.path("day.leash"), seconds: 86_400)
  let minute = try peakMemory(["replay", folder.path("minute.leash")])
  let day = try peakMemory(["replay", folder.path("day.leash")])
  #expect(day < minute + 2048, "a minute takes \(minute) KiB, a day \(day) KiB")
  let recorded = try peakMemory(["replay", folder.path("day.leash"), "--record", folder.path("again.leash")])
  #expect(recorded < minute + 4096, "recording a day takes \(recorded) KiB")
}

@Test func standardInputIsReadLikeAFile() throws {
  let process = Process()
  process.executableURL = URL(filePath: leash)
  process.arguments = ["replay", "--json", "-"]
  process.standardInput = try FileHandle(forReadingFrom: URL(filePath: Places.leiden))
  let out = Pipe()
  process.standardOutput = out
  process.standardError = FileHandle.nullDevice
  try process.run()
  let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  #expect(text == ToolRun("replay", "--json", Places.leiden).out)
}
