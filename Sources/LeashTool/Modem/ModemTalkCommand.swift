import Glibc
import LinuxDevices
import Quantities

/// `leash modem talk`: a bench console for a modem on a serial port.
enum ModemTalkCommand {
  static let rate = Option<Int>(
    "rate", "BITS", "The port's speed. Without it 115200 is tried first, then the other usual ones.")
  static let log = Option<String>("log", "FILE", "Write down every byte with its time; --replay reads it.")
  static let script = Option<String>(
    "script", "FILE", "Run statements of send, expect, wait, … and end; exit 1 at what did not come.")
  static let replay = Option<String>(
    "replay", "FILE",
    "Send the host's side of a transcript again and compare the answers; exit 1 at the first difference.")
  static let ignore = Option<String>(
    "ignore", "TEXT",
    "With --replay, leave out lines that begin with it, such as +CSQ; may be given several times.")
  static let timeout = Option<Double>(
    "timeout", "SECONDS", default: 5, "How long an answer may take that nothing else says about.")
  static let noProbe = Flag("no-probe", "Do not send AT first to see who answers.")
  static let json = Flag("json", "One JSON object for every line: t in seconds, from, text, note.")
  static let port = Positional("PORT", "A serial port such as /dev/ttyUSB0, or a pseudo-terminal.")

  static let command = Command(
    "talk", "A bench console for a modem on a serial port",
    discussion: """
      Shows what is said with the time and, in brackets, what it means. On a terminal the line can be edited, and the arrow \
      keys bring back earlier ones; Ctrl-Z sends the line as a payload, Esc sends Esc, a line such as ':rate 9600' is for the \
      console (':help' lists them), Ctrl-D quits. Lines of a file or pipe go out one by one, each when the one before it is \
      answered. docs/modem-bench.md tells about scripts.
      """,
    parameters: [
      .positional(port), .option(rate), .option(log), .option(script), .option(replay), .option(ignore),
      .option(timeout),
      .flag(noProbe), .flag(json),
    ]
  ) { arguments, console throws(CommandFailure) in
    try run(arguments, console)
  }

  private static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let path = arguments[port][0]
    if let rate = arguments[rate], rate <= 0 {
      throw .usage("option '--rate': '\(rate)' is not a number of bits per second")
    }
    let seconds = arguments[timeout] ?? 5
    guard seconds > 0, seconds <= 86_400 else {
      throw .usage("option '--timeout': '\(seconds)' is not a number of seconds above 0")
    }
    let timeout = Interval(microseconds: Int64(seconds * 1_000_000))
    if arguments[script] != nil && arguments[replay] != nil { throw .usage("--script and --replay exclude each other") }
    // Files first: a mistake in one is told before the modem is touched.
    let script = try arguments[script].map { name throws(CommandFailure) in
      (name, try TalkScript(text: smallText(of: name), path: name))
    }
    let transcript = try arguments[replay].map { name throws(CommandFailure) in
      (name, try Transcript(text: smallText(of: name), path: name))
    }
    let signals = try device { () throws(DeviceFailure) in try StopSignals() }
    defer { withExtendedLifetime(signals) {} }
    let port = try device { () throws(DeviceFailure) in
      try SerialPort.open(path, bitsPerSecond: arguments[rate] ?? ModemProbe.rates[0])
    }
    defer { port.close() }
    let session = try TalkSession(
      port, console: console, isJSON: arguments[json], log: arguments[log], stop: signals.descriptor)
    let isInteractive = script == nil && transcript == nil && isatty(STDIN_FILENO) == 1 && console.outIsTerminal
    if !arguments[noProbe] {
      var probe = ModemProbe()
      if let found = try probe.search(session, rate: arguments[rate]) {
        session.remark("\(path) answers at \(found) bit/s")
      } else if isInteractive {
        session.remark(probe.failure(path: path))
      } else {
        throw .environment(probe.failure(path: path))
      }
    }
    if let (name, script) = script {
      var run = TalkScriptRun(script: script, path: name, session: session, timeout: timeout)
      try run.run()
    } else if let (name, transcript) = transcript {
      var run = TalkReplay(
        transcript, path: name, session: session, ignored: arguments.all(ignore), timeout: timeout)
      try run.run()
      session.remark("the same: \(run.compared) lines came again, to \(run.sent) that were sent")
    } else if isInteractive {
      var talk = TalkConsole(session, console: console, stop: signals.descriptor)
      try talk.run()
    } else {
      var talk = TalkPlain(session, stop: signals.descriptor, timeout: timeout)
      try talk.run()
    }
    try session.finish()
    return .success
  }
}
