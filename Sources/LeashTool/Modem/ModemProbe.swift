import LinuxDevices
import Quantities

/// Looks for a modem: who answers `AT`, and at which speed.
struct ModemProbe {
  /// The speeds to try, in order: what modules are delivered with, then what boards and their owners set.
  static let rates = [115_200, 9600, 57_600, 38_400, 19_200, 230_400, 460_800, 921_600]

  /// What was tried, as it is told.
  private(set) var attempts: [(bitsPerSecond: Int, count: Int, heardBytes: Int)] = []

  /// Tries a speed: a module that finds the speed by itself loses the first `AT`.
  ///
  /// - Returns: True when a line `OK` (or `0`, for a modem in numeric mode) came.
  mutating func answers(_ session: TalkSession, at rate: Int, tries: Int) throws(CommandFailure) -> Bool {
    try device { () throws(DeviceFailure) in try session.port.setRate(rate) }
    session.forget()
    var heard = 0
    for _ in 1...tries {
      try session.send(Array("AT\r".utf8))
      let deadline = MonotonicClock.now + .milliseconds(300)
      while let line = try session.nextLine(until: deadline) {
        heard += line.bytes.count
        guard line.text == "OK" || line.text == "0" else { continue }
        // A second answer to the same question would be taken for the next one's.
        let quiet = MonotonicClock.now + .milliseconds(30)
        while try session.nextLine(until: quiet) != nil {}
        return true
      }
    }
    attempts.append((rate, tries, heard))
    return false
  }

  /// The speed at which something answers; nil when nothing does, and the first speed is set again.
  ///
  /// - Parameter rate: The only speed to try; nil tries all.
  mutating func search(_ session: TalkSession, rate: Int?) throws(CommandFailure) -> Int? {
    session.isShowing = false
    defer {
      session.isShowing = true
      session.forget()
    }
    let rates = rate.map { [$0] } ?? ModemProbe.rates
    for (place, rate) in rates.enumerated() where try answers(session, at: rate, tries: place == 0 ? 4 : 2) {
      return rate
    }
    try device { () throws(DeviceFailure) in try session.port.setRate(rates[0]) }
    return nil
  }

  /// One line: what was tried, and what to look at.
  func failure(path: String) -> String {
    let tried = attempts.map { attempt in
      "\(attempt.bitsPerSecond)" + (attempt.heardBytes > 0 ? " (\(attempt.heardBytes) bytes of noise)" : "")
    }
    let count = attempts.reduce(0) { $0 + $1.count }
    return
      "\(path): nothing answers AT (sent \(count) times, at \(tried.joined(separator: ", ")) bit/s); is the modem on "
      + "(PWRKEY), are TX and RX crossed, is it asleep (DTR)? --no-probe listens anyway"
  }
}
