import LinuxDevices
import Quantities

/// Cuts the bytes of a board into its lines, without the empty ones.
struct BoardLines {
  private var pending: [UInt8] = []

  /// A line that is longer is none of a board's.
  private static var longestLine: Int { 4096 }

  /// The lines that bytes complete.
  mutating func take(_ bytes: [UInt8]) -> [String] {
    var ready: [String] = []
    for byte in bytes {
      if byte == 0x0A || byte == 0x0D {
        if !pending.isEmpty { ready.append(String(decoding: pending, as: UTF8.self)) }
        pending = []
      } else if pending.count < BoardLines.longestLine {
        pending.append(byte)
      }
    }
    return ready
  }
}

/// A serial port with the console of a board at its other end: questions, their answers, and what the board tells meanwhile.
final class BoardSession {
  private let port: any SerialTransport
  private let stop: Int32
  let timeout: Interval
  private var lines = BoardLines()
  private var ready: [String] = []
  private var wait = EventWait()
  /// Bytes that have come.
  private(set) var heardCount = 0

  /// How often a question is asked that the board can't have understood, or has not heard.
  private static var tries: Int { 3 }

  init(_ port: any SerialTransport, stop: Int32, timeout: Interval) {
    self.port = port
    self.stop = stop
    self.timeout = timeout
  }

  /// Finds out whether a board is there. What somebody has left of a line ends first.
  func greet() throws(CommandFailure) {
    for _ in 0..<BoardSession.tries {
      try send("")
      if try question("@status", answeredBy: "@status") != nil { return }
    }
    throw .environment(
      "\(port.path): no board answers (sent @status \(BoardSession.tries) times at \(port.bitsPerSecond) bit/s, "
        + "\(heardCount) bytes came); is it the console of a live image, are TX and RX crossed?")
  }

  /// What the board answers, without the word in front.
  ///
  /// - Parameters:
  ///   - line: What it is asked.
  ///   - word: What its answer begins with.
  ///   - isRepeated: False for what must not happen twice.
  func ask(_ line: String, answeredBy word: String, isRepeated: Bool = true) throws(CommandFailure) -> String {
    for _ in 0..<(isRepeated ? BoardSession.tries : 1) {
      if let answer = try question(line, answeredBy: word) { return answer }
    }
    let shown = line.split(separator: " ").first.map(String.init) ?? line
    throw .environment("\(port.path): the board does not answer \(shown) within \(timeout.secondsDouble) s")
  }

  /// A single try; nil when no answer came, or one that says that the question was garbage.
  private func question(_ line: String, answeredBy word: String) throws(CommandFailure) -> String? {
    ready = []
    try send(line)
    let deadline = MonotonicClock.now + timeout
    while let heard = try nextLine(until: deadline) {
      if heard.hasPrefix(word + " ") { return String(heard.dropFirst(word.count + 1)) }
      // A board that has restarted meanwhile, or did not understand.
      if heard.hasPrefix("@garbage ") { return nil }
    }
    return nil
  }

  /// The next line; nil when none has come by the deadline.
  ///
  /// - Throws: Also when a signal asks to stop.
  func nextLine(until deadline: Instant?) throws(CommandFailure) -> String? {
    while true {
      if !ready.isEmpty { return ready.removeFirst() }
      take(try device { () throws(DeviceFailure) in try port.read() })
      if !ready.isEmpty { continue }
      if let deadline, MonotonicClock.now >= deadline { return nil }
      wait.removeAll()
      wait.add(port.descriptor)
      wait.add(stop)
      wait.wait(until: deadline)
      if wait.isReadable(1) { throw TalkSession.stopped }
    }
  }

  private func take(_ bytes: [UInt8]) {
    heardCount += bytes.count
    ready += lines.take(bytes)
  }

  func send(_ line: String) throws(CommandFailure) {
    var rest = Array((line + "\n").utf8)[...]
    let deadline = MonotonicClock.now + TalkSession.writeLimit
    while true {
      rest = rest.dropFirst(try device { () throws(DeviceFailure) in try port.write(rest) })
      guard !rest.isEmpty else { return }
      guard MonotonicClock.now < deadline else { throw .environment("\(port.path): accepts no bytes") }
      wait.removeAll()
      wait.add(port.descriptor, reading: false, writing: true)
      wait.add(stop)
      wait.wait(until: deadline)
      if wait.isReadable(1) { throw TalkSession.stopped }
    }
  }

  /// Sleeps, unless a signal asks to stop.
  func sleep(until moment: Instant) throws(CommandFailure) {
    while MonotonicClock.now < moment {
      wait.removeAll()
      wait.add(stop)
      wait.wait(until: moment)
      if wait.isReadable(0) { throw TalkSession.stopped }
    }
  }
}
