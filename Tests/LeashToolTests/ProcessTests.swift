import Foundation
import Testing

/// The command as it was built beside these tests.
private let leash = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  .appending(path: "leash")

/// What a shell command that uses `$LEASH` does.
private func shell(_ script: String) throws -> (code: Int32, out: String, err: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  process.arguments = ["-c", script]
  process.environment = ["LEASH": leash.path, "PATH": "/usr/bin:/bin"]
  let out = Pipe()
  let err = Pipe()
  process.standardOutput = out
  process.standardError = err
  try process.run()
  let outData = out.fileHandleForReading.readDataToEndOfFile()
  let errData = err.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: outData, as: UTF8.self), String(decoding: errData, as: UTF8.self))
}

@Test func theProcessTellsItsVersionAndExitsWithZero() throws {
  let result = try shell("\"$LEASH\" --version")
  #expect(result.code == 0)
  #expect(result.out.hasPrefix("leash "))
  #expect(result.err == "")
}

@Test func aUsageErrorExitsWithTwo() throws {
  #expect(try shell("\"$LEASH\" --nonsense").code == 2)
}

@Test func aReaderThatLeavesEndsTheProcessWithoutAWord() throws {
  // Also when the parent ignores the signal, as some service managers do.
  for preparation in ["", "trap '' PIPE; "] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "\(preparation)exec '\(leash.path)' --help"]
    let out = Pipe()
    let err = Pipe()
    process.standardOutput = out
    process.standardError = err
    try out.fileHandleForReading.close()
    try process.run()
    let message = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(message.isEmpty)
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGPIPE)
  }
}

@Test func aFullStandardOutputIsAnEnvironmentError() throws {
  let result = try shell("\"$LEASH\" --help > /dev/full")
  #expect(result.code == 3)
  #expect(result.err == "leash: standard output: No space left on device\n")
}
