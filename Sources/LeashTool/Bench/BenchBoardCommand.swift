import BoardHealth
import Glibc
import InlineStorage
import JSON5
import LinuxDevices
import Quantities

/// What the console of a board can be asked.
enum BoardQuestion: String, ArgumentValue, CaseIterable {
  case status
  case tail
  case log
  case inject
  case selfTest = "self-test"
  case fault
  case restart
  case update

  /// What belongs to it, as help names it; nil for nothing.
  var fileName: String? {
    switch self {
    case .log, .inject: "FILE"
    case .update: "IMAGE"
    case .status, .tail, .selfTest, .fault, .restart: nil
    }
  }

  var help: String {
    switch self {
    case .status: "Why it runs, what it leaves out, counts of its ports. The default."
    case .tail: "Its last events and packets; --follow shows those that come, too."
    case .log: "Fetch its Leash log into FILE, for leash replay --check."
    case .inject: "Play FILE into its receiver and its sensor: sentences, frames of a WitMotion sensor, or a Leash log."
    case .selfTest: "Whether its parts work; exit 1 if one does not."
    case .fault: "What is known of its last crash: cause, part of the loop, registers, stack."
    case .restart: "Let it restart, with everything that it leaves out."
    case .update:
      "Send a signed image, which starts when all of it is there; exit 1 if it is refused. After an interruption the "
        + "same command goes on."
    }
  }
}

/// `leash bench-board`: talks to the console of a board that runs the firmware.
enum BenchBoardCommand {
  static let port = Positional("PORT", "A serial port such as /dev/ttyACM0, or a pseudo-terminal.")
  static let question = Positional("QUESTION", count: .optional, "What the board is asked.")
  static let file = Positional("FILE", count: .optional, "What 'log' writes and 'inject' and 'update' read.")
  static let rate = Option<Int>("rate", "BITS", default: 115_200, "Speed of the port.")
  static let timeout = Option<Double>("timeout", "SECONDS", default: 3, "How long an answer may take.")
  static let pace = Option<Int>(
    "pace", "BYTES",
    "With inject, bytes a second of sentences (default 11520) or frames (default 1100); a log has its own times.")
  static let follow = Flag("follow", "With tail, go on until interrupted.")
  static let json = Flag("json", "Print the answer as JSON.")

  static let command = Command(
    "bench-board", "Talk to the console of a board that runs the firmware",
    discussion: """
      Asks the console of a live image and prints its answer. The board goes on meanwhile; its own events on the console \
      are skipped. docs/firmware.md describes the console.
      """,
    parameters: [
      .positional(port), .positional(question), .positional(file), .option(rate), .option(timeout), .option(pace),
      .flag(follow), .flag(json),
    ],
    table: HelpTable(
      title: "Questions",
      rows: BoardQuestion.allCases.map { question in
        (question.rawValue + (question.fileName.map { " \($0)" } ?? ""), question.help)
      })
  ) { arguments, console throws(CommandFailure) in
    try run(arguments, console)
  }

  private static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> ExitCode {
    let path = arguments[port][0]
    let word = arguments[question].first ?? BoardQuestion.status.rawValue
    guard let asked = BoardQuestion(rawValue: word) else {
      let words = BoardQuestion.allCases.map(\.rawValue)
      throw .usage(
        "'\(word)' is no question: \(words.joined(separator: ", "))" + didYouMean(nearest(to: word, among: words)))
    }
    let name = arguments[file].first
    if let file = asked.fileName, name == nil {
      throw .usage("\(word) needs a file: leash bench-board PORT \(word) \(file)")
    }
    if asked.fileName == nil, let name { throw .usage("unexpected argument '\(name)'") }
    if let rate = arguments[rate], rate <= 0 {
      throw .usage("option '--rate': '\(rate)' is not a number of bits per second")
    }
    if let pace = arguments[pace], pace <= 0 {
      throw .usage("option '--pace': '\(pace)' is not a number of bytes per second")
    }
    let seconds = arguments[timeout] ?? 3
    guard seconds > 0, seconds <= 3600 else {
      throw .usage("option '--timeout': '\(seconds)' is not a number of seconds above 0")
    }
    // Files first: a mistake in one is told before the board is touched.
    let recording =
      asked == .inject ? try BoardRecording(path: name ?? "", bytesPerSecond: arguments[pace]) : nil
    let image = asked == .update ? try FirmwareFile(path: name ?? "") : nil
    let signals = try device { () throws(DeviceFailure) in try StopSignals() }
    defer { withExtendedLifetime(signals) {} }
    let port = try device { () throws(DeviceFailure) in
      try SerialPort.open(path, bitsPerSecond: arguments[rate] ?? 115_200)
    }
    defer { port.close() }
    let session = BoardSession(
      port, stop: signals.descriptor, timeout: Interval(microseconds: Int64(seconds * 1_000_000)))
    try session.greet()
    let bench = BoardBench(session: session, console: console, path: path, isJSON: arguments[json])
    switch asked {
    case .status: return try bench.show("@status", "the board has no status")
    case .fault: return try bench.show("@fault", "no crash is known since the board got power")
    case .selfTest: return try bench.selfTest()
    case .tail: return try bench.tail(follows: arguments[follow])
    case .log: return try bench.fetchLog(into: name ?? "")
    case .inject: return try bench.inject(recording)
    case .restart: return try bench.restart()
    case .update: return try bench.update(image)
    }
  }
}
