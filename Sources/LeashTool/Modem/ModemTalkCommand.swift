import Glibc
import LinuxDevices
import Quantities

/// `leash modem talk`: a bench console for a modem on a serial port.
enum ModemTalkCommand {
  static let rate = Option<Int>(
    "rate", "BITS", "Speed of the port. Default: detected, beginning with 115200.")
  static let log = Option<String>("log", "FILE", "Log every byte with its time, for --replay.")
  static let script = Option<String>(
    "script", "FILE", "Run a script of send, expect, wait, … and quit; exit 1 if an expected line does not come.")
  static let replay = Option<String>(
    "replay", "FILE",
    "Send the host side of a log again and compare the answers; exit 1 at the first difference.")
  static let ignore = Option<String>(
    "ignore", "TEXT",
    "With --replay, ignore lines that begin with TEXT, such as +CSQ; may be given several times.")
  static let timeout = Option<Double>(
    "timeout", "SECONDS", default: 5, "Timeout of answers that have no timeout of their own.")
  static let noProbe = Flag("no-probe", "Do not send AT first to find the modem.")
  static let json = Flag("json", "Print one JSON object for every line: t in seconds, from, text, note.")
  static let port = Positional("PORT", "A serial port such as /dev/ttyUSB0, or a pseudo-terminal.")

  static let command = Command(
    "talk", "Open a console for a modem on a serial port",
    discussion: """
      Shows the dialogue with times and, in brackets, explanations. On a terminal the line can be edited, and the \
      arrow keys recall earlier ones; Ctrl-Z sends the line as a payload, Esc sends Esc, a line such as ':rate 9600' \
      controls the console (':help' lists these), Ctrl-D quits. Lines from a file or pipe are sent one by one, each \
      after the answer to the one before. docs/modem-bench.md describes scripts.
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
      session.remark("identical: \(run.compared) lines received, \(run.sent) sent")
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
