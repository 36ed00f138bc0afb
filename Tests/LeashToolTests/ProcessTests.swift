import Foundation
import OtherPrograms
import Testing

/// The command as it was built beside these tests.
private let leash = OtherProgram.leash

/// What a shell command that uses `$LEASH` does.
private func shell(_ script: String) throws -> (code: Int32, out: String, err: String) {
  let run = try OtherProgram.output(of: ["/bin/bash", "-c", script], environment: ["LEASH": leash])
  return (run.status, run.out, run.err)
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
    // The reader has gone before the first word.
    let script = "exec 3> >(exec true); wait $!; \(preparation)'\(leash)' --help >&3; echo $? >&2"
    let run = try OtherProgram.output(of: ["/bin/bash", "-c", script])
    #expect(run.err == "\(128 + SIGPIPE)\n")
  }
}

@Test func rulesAreCheckedAsTheyComeFromStandardInput() throws {
  let rules = "{alarms: [{number: 1, label: 'up', at: '07:30'}]}"
  let right = try shell("echo \"\(rules)\" | \"$LEASH\" rules check -")
  #expect(right.code == 0 && right.out == "standard input: ok, no fences, no places, 1 alarm\n", "\(right.err)")
  // In pieces, as slow programs write, and with a mistake.
  let wrong = try shell("(printf '{\\n alar'; sleep 0.2; printf 'm: []}') | \"$LEASH\" rules check -")
  #expect(wrong.code == 1)
  #expect(wrong.err == "standard input:2:2: unknown key 'alarm'; did you mean 'alarms'?\n")
  let json = try shell("\"$LEASH\" rules check --json - < /dev/null")
  #expect(json.code == 1 && json.out.hasPrefix("{\"ok\":false,\"problems\":[\"standard input:1:1: "), "\(json.out)")
  let closed = try shell("\"$LEASH\" rules check - <&-")
  #expect(closed.code == 3 && closed.err.contains("can't read standard input: "), "\(closed.err)")
}

@Test func aFullStandardOutputIsAnEnvironmentError() throws {
  let result = try shell("\"$LEASH\" --help > /dev/full")
  #expect(result.code == 3)
  #expect(result.err == "leash: standard output: No space left on device\n")
}
