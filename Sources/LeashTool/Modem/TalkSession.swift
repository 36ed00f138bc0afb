import LinuxDevices
import Quantities

/// A port with everything that `talk` does to it: cutting into lines, showing, writing down.
final class TalkSession {
  let port: any SerialTransport
  let origin: Instant
  private(set) var printer: TalkPrinter
  private let transcript: TranscriptWriter?
  private let stop: Int32
  private var lines = LineSplitter()
  private var ready: [ModemLine] = []
  private var wait = EventWait()
  /// When a byte came last.
  private(set) var lastHeard: Instant?
  /// False while the port is probed: nobody wants to see that.
  var isShowing = true

  /// The longest time that a port may refuse bytes.
  static var writeLimit: Interval { .seconds(10) }

  init(
    _ port: any SerialTransport, console: Console, isJSON: Bool, log: String?, stop: Int32
  ) throws(CommandFailure) {
    self.port = port
    self.stop = stop
    origin = MonotonicClock.now
    printer = TalkPrinter(console, isJSON: isJSON, origin: origin)
    transcript =
      if let log {
        try TranscriptWriter(path: log, port: port.path, bitsPerSecond: port.bitsPerSecond, origin: origin)
      } else {
        nil
      }
  }

  /// Sends bytes, waiting while the port takes none.
  func send(_ bytes: [UInt8]) throws(CommandFailure) {
    let now = MonotonicClock.now
    if isShowing {
      printer.show(sent: bytes, at: now)
      transcript?.add(.host, bytes, at: now)
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(try device { () throws(DeviceFailure) in try port.write(rest) })
      guard !rest.isEmpty else { return }
      guard MonotonicClock.now < now + TalkSession.writeLimit else {
        throw .environment("\(port.path): accepts no bytes: is it blocked by flow control?")
      }
      wait.removeAll()
      wait.add(port.descriptor, reading: false, writing: true)
      wait.add(stop)
      wait.wait(until: now + TalkSession.writeLimit)
      if wait.isReadable(1) { throw TalkSession.stopped }
    }
  }

  /// What a signal to stop makes of a command that is not done.
  static var stopped: CommandFailure { .environment("interrupted") }

  /// The next line; nil when none has come by the deadline.
  ///
  /// - Throws: Also when a signal asks to stop.
  func nextLine(until deadline: Instant) throws(CommandFailure) -> ModemLine? {
    while true {
      if let line = takeLine() { return line }
      try receive()
      if let line = takeLine() { return line }
      let now = MonotonicClock.now
      guard now < deadline else { return nil }
      wait.removeAll()
      wait.add(port.descriptor)
      wait.add(stop)
      wait.wait(until: min(deadline, lines.deadline ?? deadline))
      if wait.isReadable(1) { throw TalkSession.stopped }
    }
  }

  /// A line that is there already.
  func takeLine() -> ModemLine? {
    ready.isEmpty ? nil : ready.removeFirst()
  }

  /// Gives lines back, to be taken again before what comes later.
  func putBack(_ lines: [ModemLine]) { ready = lines + ready }

  /// When an unfinished line is to be shown.
  var deadline: Instant? { lines.deadline }

  /// Reads what has come, and shows it.
  func receive() throws(CommandFailure) {
    let bytes = try device { () throws(DeviceFailure) in try port.read() }
    let now = MonotonicClock.now
    if !bytes.isEmpty { lastHeard = now }
    if isShowing { transcript?.add(.modem, bytes, at: now) }
    var fresh = lines.receive(bytes, at: now)
    if bytes.isEmpty, let line = lines.flush(at: now) { fresh.append(line) }
    if isShowing { for line in fresh { printer.show(received: line, at: now) } }
    ready += fresh
  }

  /// Forgets what has come so far.
  func forget() {
    lines = LineSplitter()
    ready = []
    port.discardInput()
  }

  /// Shows a remark of the tool.
  func remark(_ text: String) { printer.show(remark: text, at: MonotonicClock.now) }

  /// Writes the transcript to its end.
  func finish() throws(CommandFailure) { try transcript?.finish() }
}

/// Gives a device's failure as the command's.
func device<Result>(_ body: () throws(DeviceFailure) -> Result) throws(CommandFailure) -> Result {
  do throws(DeviceFailure) {
    return try body()
  } catch {
    throw .environment(error.message)
  }
}
