import LinuxDevices
import Quantities

/// Runs a script over a session.
struct TalkScriptRun {
  let script: TalkScript
  let path: String
  let session: TalkSession
  var timeout: Interval

  /// Runs to the end.
  ///
  /// - Throws: A check failure at the first line that did not come.
  mutating func run() throws(CommandFailure) {
    for (line, statement) in script.statements {
      switch statement {
      case .send(let bytes), .payload(let bytes): try session.send(bytes)
      case .expect(let pattern): try expect(pattern, line: line)
      case .prompt: try expectPrompt(line: line)
      case .wait(let interval):
        let deadline = MonotonicClock.now + interval
        // What comes meanwhile stays for the next statement.
        var heard: [ModemLine] = []
        while let line = try session.nextLine(until: deadline) { heard.append(line) }
        session.putBack(heard)
      case .timeout(let interval): timeout = interval
      case .rate(let rate): try device { () throws(DeviceFailure) in try session.port.setRate(rate) }
      }
    }
    // The rest of the last answer belongs to the dialogue, too.
    let end = MonotonicClock.now + .seconds(1)
    while try session.nextLine(until: min(end, MonotonicClock.now + .milliseconds(100))) != nil {}
  }

  private func expect(_ pattern: String, line number: Int) throws(CommandFailure) {
    try look(for: "'\(pattern)'", line: number) { TalkScript.matches($0.text, pattern) }
  }

  private func expectPrompt(line number: Int) throws(CommandFailure) {
    try look(for: "a prompt", line: number) { $0.isPrompt }
  }

  private func look(
    for what: String, line number: Int, _ fits: (ModemLine) -> Bool
  ) throws(CommandFailure) {
    let deadline = MonotonicClock.now + timeout
    var heard: [String] = []
    while let line = try session.nextLine(until: deadline) {
      if fits(line) { return }
      heard.append(line.text)
      // An error ends the command: nothing else will come.
      if line.isError { throw .check("\(path):\(number): expected \(what), and got '\(line.text)'") }
    }
    let came = heard.isEmpty ? "nothing" : heard.suffix(5).map { "'\($0)'" }.joined(separator: ", ")
    throw .check("\(path):\(number): expected \(what) within \(TimeText.length(timeout)); came: \(came)")
  }
}
