import LinuxDevices
import Quantities

/// Sends the host's side of a transcript again and compares what the modem says.
///
/// Lines are compared in their order, without regard to how they were cut into reads. What the host sends goes out as soon as
/// all that came before it in the transcript has come again.
struct TalkReplay {
  let transcript: Transcript
  let path: String
  let session: TalkSession
  let ignored: [String]
  let timeout: Interval
  private(set) var sent = 0
  private(set) var compared = 0

  init(_ transcript: Transcript, path: String, session: TalkSession, ignored: [String], timeout: Interval) {
    self.transcript = transcript
    self.path = path
    self.session = session
    self.ignored = ignored
    self.timeout = timeout
  }

  /// What is done, in order.
  private enum Step {
    case send([UInt8], at: Interval)
    case line(ModemLine, at: Interval)
  }

  /// Replays to the end.
  ///
  /// - Throws: A check failure at the first difference.
  mutating func run() throws(CommandFailure) {
    var last: Interval?
    for step in steps() {
      switch step {
      case .send(let bytes, let time):
        try session.send(bytes)
        sent += 1
        last = time
      case .line(let expected, let time):
        // As long as it took when it was recorded, and the allowance.
        let wait = max(.zero, time - (last ?? time)) + timeout
        guard let line = try nextLine(until: MonotonicClock.now + wait) else {
          throw .check(
            "\(difference(at: time)): expected '\(expected.text)'; nothing came for \(TimeText.length(wait))")
        }
        guard line.bytes == expected.bytes else {
          throw .check("\(difference(at: time)): expected '\(expected.text)', got '\(line.text)'")
        }
        compared += 1
        last = time
      }
    }
    // What comes now was not in the transcript.
    if let line = try nextLine(until: MonotonicClock.now + .milliseconds(300)) {
      throw .check("\(path): unexpected '\(line.text)' after the end of the log")
    }
  }

  private func difference(at time: Interval) -> String {
    "\(path): difference at \(TimeText.decimal(time.secondsDouble, 3)) s"
  }

  private func nextLine(until deadline: Instant) throws(CommandFailure) -> ModemLine? {
    while let line = try session.nextLine(until: deadline) { if !isIgnored(line) { return line } }
    return nil
  }

  private func isIgnored(_ line: ModemLine) -> Bool {
    let text = line.text
    return ignored.contains { TalkScript.matches(text, $0) || text.hasPrefix($0) }
  }

  private func steps() -> [Step] {
    var steps: [Step] = []
    var lines = LineSplitter()
    for entry in transcript.entries {
      let now = Instant.zero + entry.time
      if let line = lines.flush(at: now) { steps.append(.line(line, at: entry.time)) }
      if entry.isHost {
        steps.append(.send(entry.bytes, at: entry.time))
      } else {
        for line in lines.receive(entry.bytes, at: now) { steps.append(.line(line, at: entry.time)) }
      }
    }
    let end = transcript.entries.last?.time ?? .zero
    if let line = lines.flush(at: .zero + end + .seconds(1)) { steps.append(.line(line, at: end)) }
    return steps.filter { step in
      if case .line(let line, _) = step { !isIgnored(line) } else { true }
    }
  }
}
