import Glibc
import LinuxDevices
import Quantities

/// The keyboard of a terminal, key by key, as long as the value lives.
final class RawKeyboard {
  private var saved = termios()

  /// nil when standard input is no terminal.
  init?() {
    guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return nil }
    var raw = saved
    // Output stays as it is: a line feed goes to the next line's beginning.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(ICRNL | IXON)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return nil }
  }

  deinit { tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
}

/// The bench console on a terminal: what the modem says scrolls above the line that is being edited.
struct TalkConsole {
  let session: TalkSession
  let console: Console
  let stop: Int32
  private var editor = LineEditor()
  private var payload = TalkPayload()
  private var escapeDeadline: Instant?
  private let prompt = "at» "

  init(_ session: TalkSession, console: Console, stop: Int32) {
    self.session = session
    self.console = console
    self.stop = stop
  }

  /// Goes on until the user quits or a signal comes.
  mutating func run() throws(CommandFailure) {
    guard let keyboard = RawKeyboard() else { throw .environment("standard input: can't be read key by key") }
    defer {
      withExtendedLifetime(keyboard) { console.out.write("\r\u{1B}[2K") }
      console.out.flush()
    }
    var wait = EventWait()
    while true {
      draw()
      wait.removeAll()
      wait.add(session.port.descriptor)
      wait.add(stop)
      wait.add(STDIN_FILENO)
      wait.wait(until: [session.deadline, escapeDeadline].compactMap { $0 }.min())
      if wait.isReadable(1) { return }
      // What is shown from here on takes the place of the edited line, which is drawn again.
      console.out.write("\r\u{1B}[2K")
      try session.receive()
      while let line = session.takeLine() { payload.note(line) }
      if wait.isReadable(2), try !readKeys() { return }
      if let deadline = escapeDeadline, MonotonicClock.now >= deadline {
        escapeDeadline = nil
        if editor.endSequence() == .escape { try session.send([0x1B]) }
      }
    }
  }

  private func draw() {
    console.out.write(editor.drawing(prompt: prompt, width: console.width))
    console.out.flush()
  }

  /// Takes the keys that were pressed; false when the user quits.
  private mutating func readKeys() throws(CommandFailure) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    for byte in buffer[..<count] {
      switch editor.receive(byte) {
      case .line(let text): guard try enter(text) else { return false }
      case .payload(let text): try session.send(Array(text.utf8) + [0x1A])
      case .escape: try session.send([0x1B])
      case .clearScreen: console.out.write("\u{1B}[H\u{1B}[2J")
      case .quit: return false
      case nil: break
      }
    }
    escapeDeadline = editor.isInsideSequence ? MonotonicClock.now + .milliseconds(50) : nil
    return true
  }

  /// A line is done: it goes to the modem, or to the tool when it begins with a colon; false when the user quits.
  private mutating func enter(_ text: String) throws(CommandFailure) -> Bool {
    guard text.hasPrefix(":") else {
      try session.send(payload.bytes(for: Array(text.utf8)))
      return true
    }
    let words = text.dropFirst().split(separator: " ").map(String.init)
    do throws(DeviceFailure) {
      switch (words.first, words.dropFirst().first) {
      case ("q", _), ("quit", _): return false
      case ("rate", let value?):
        guard let rate = Int(value) else { break }
        try session.port.setRate(rate)
        session.remark("\(rate) bit/s")
        return true
      case ("dtr", let value?) where value == "on" || value == "off":
        try session.port.set(.dataTerminalReady, asserted: value == "on")
        session.remark("DTR \(value)")
        return true
      case ("rts", let value?) where value == "on" || value == "off":
        try session.port.set(.requestToSend, asserted: value == "on")
        session.remark("RTS \(value)")
        return true
      default: break
      }
    } catch {
      session.remark(error.message)
      return true
    }
    session.remark(":rate BITS, :dtr on|off, :rts on|off, :quit; Ctrl-Z sends the line and Ctrl-Z, Esc sends Esc")
    return true
  }
}
