import Glibc
import LinuxDevices
import Quantities

/// Sends the lines of standard input, each when the one before it is answered.
struct TalkPlain {
  let session: TalkSession
  let stop: Int32
  let timeout: Interval
  private var input: [UInt8] = []
  private var isInputOver = false
  private var isWaiting = false
  private var answerDeadline = Instant.zero
  private var payload = TalkPayload()

  init(_ session: TalkSession, stop: Int32, timeout: Interval) {
    self.session = session
    self.stop = stop
    self.timeout = timeout
  }

  /// Goes on until the input is over and its last line answered, or a signal comes.
  mutating func run() throws(CommandFailure) {
    var wait = EventWait()
    while true {
      try session.receive()
      while let line = session.takeLine() {
        if line.isFinalResult || line.isPrompt { isWaiting = false }
        payload.note(line)
      }
      let now = MonotonicClock.now
      if isWaiting && now >= answerDeadline { isWaiting = false }
      if !isWaiting, try sendNext(at: now) { continue }
      if isInputOver && !isWaiting && input.isEmpty {
        // Events may follow what was answered.
        let quiet = max(session.lastHeard ?? session.origin, lastSent) + .milliseconds(500)
        if now >= quiet { return }
        answerDeadline = quiet
      }
      wait.removeAll()
      wait.add(session.port.descriptor)
      wait.add(stop)
      let keyboard = wait.add(isInputOver || isWaiting ? -1 : STDIN_FILENO)
      let isTimed = isWaiting || isInputOver
      let deadlines = [session.deadline, isTimed ? answerDeadline : nil].compactMap { $0 }
      wait.wait(until: deadlines.min())
      if wait.isReadable(1) { return }
      if wait.isReadable(keyboard) { readInput() }
    }
  }

  private var lastSent = Instant.zero

  private mutating func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count > 0 {
      input += buffer[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      isInputOver = true
    }
  }

  private mutating func sendNext(at now: Instant) throws(CommandFailure) -> Bool {
    let line: [UInt8]
    if let end = input.firstIndex(of: 0x0A) {
      line = Array(input[..<end])
      input.removeSubrange(...end)
    } else if isInputOver && !input.isEmpty {
      line = input
      input = []
    } else {
      return false
    }
    let bytes = payload.bytes(for: line.last == 0x0D ? line.dropLast() : line)
    try session.send(bytes)
    lastSent = now
    isWaiting = true
    answerDeadline = now + timeout
    return true
  }
}

/// What a line of the user becomes on the wire: a command, or the payload that a prompt asked for.
struct TalkPayload {
  private var isAsked = false
  private var endsWithControlZ = false

  /// Takes note of what the modem said.
  mutating func note(_ line: ModemLine) {
    if line.isPrompt { isAsked = true } else if line.isFinalResult { isAsked = false }
  }

  /// The bytes for a line.
  ///
  /// A command ends with a carriage return. A payload goes as it is, with Ctrl-Z behind it after the commands that wait for one:
  /// CMGS and CMGW, and CIPSEND without a length.
  mutating func bytes(for line: [UInt8]) -> [UInt8] {
    defer { isAsked = false }
    if isAsked { return endsWithControlZ && line.last != 0x1A && line.last != 0x1B ? line + [0x1A] : line }
    let command = String(decoding: line, as: UTF8.self).uppercased()
    endsWithControlZ =
      command.hasPrefix("AT+CMGS") || command.hasPrefix("AT+CMGW")
      || (command.hasPrefix("AT+CIPSEND") && !command.contains(","))
        && (!command.contains("=") || command.split(separator: "=").last?.count == 1)
    return line.last == 0x1A || line.last == 0x1B ? line : line + [0x0D]
  }
}
