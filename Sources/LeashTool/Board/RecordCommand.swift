import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities

/// `leash record`: sensors to a Leash log, without decisions.
enum RecordCommand {
  static let length = Option<Int>("for", "SECONDS", "Stop after this time.")
  static let json = Flag("json", "One JSON object a second: rates, fixes, file and its size.")

  static let command = Command(
    "record", "Record the sensors of this machine",
    discussion: """
      Records the configured sensors into files that 'leash replay' and 'leash fuse' read, until Ctrl-C. It makes no \
      decisions, sends nothing and keeps no other state. Sensors that are missing are retried. While the tracker \
      runs, record with 'leash run --record' instead.
      """,
    parameters: [.positional(ConfigCommand.file), .option(RunCommand.record), .option(length), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    guard let (configuration, settings) = try settings(arguments, console) else { return .checkFailed }
    if let seconds = arguments[length], !(1...31_536_000 ~= seconds) {
      throw .usage("option '--for': '\(seconds)' is not a number of seconds from 1 to 31536000")
    }
    try refuseBesideTracker(configuration)
    ProcessSignals.ignoreWriteSignals()
    let signals = try device { () throws(DeviceFailure) in try RunSignals() }
    let loop = try device { () throws(DeviceFailure) in try EventLoop(clock: MachineClock()) }
    let sensors = try device { () throws(DeviceFailure) in try BoardParts(configuration, clock: loop.clock).sensors }
    guard !sensors.isEmpty else {
      throw .environment(
        "no sensor is configured; set 'gnss' or 'imu' (the modem's receiver needs 'leash run --record')")
    }
    let now = loop.clock.now
    let recording = SensorRecording(
      settings, configuration: configuration.tracker, sensors: sensors, loop: loop, at: now)
    let session = RecordSession(
      recording, console, loop: loop, signals: signals, isJSON: arguments[json],
      until: arguments[length].map { now + .seconds($0) })
    return try session.run()
  }

  /// What is recorded and where to; nil when the configuration has problems, which have been told.
  private static func settings(
    _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) -> (BoardConfiguration, RecordingSettings)? {
    var configuration = BoardConfiguration()
    if arguments[ConfigCommand.file].first != nil || access(BoardConfigurationFile.standardPath, F_OK) == 0 {
      guard let file = try ConfigCommand.read(arguments, console) else { return nil }
      for line in file.warnings { console.err.writeLine("\(line) (warning)") }
      configuration = file.configuration
    }
    // No modem is switched on, and nobody is called.
    configuration.modem = nil
    configuration.uplinks = []
    var settings = configuration.recording
    if let folder = arguments[RunCommand.record] {
      guard !folder.isEmpty else { throw .usage("option '--record': a folder is expected") }
      settings = settings ?? RecordingSettings(folder: folder)
      settings?.folder = folder
    }
    guard let settings else {
      throw .usage("no folder to record into; use '--record FOLDER', or set 'record.folder' in the configuration")
    }
    return (configuration, settings)
  }

  /// Two programs that set up one part spoil each other's samples; gpsd is made for many.
  private static func refuseBesideTracker(_ configuration: BoardConfiguration) throws(CommandFailure) {
    if case .gpsd = configuration.gnss, configuration.imu == .none { return }
    if TrackerQuestion.ask(at: configuration.controlSocket).isThere {
      throw .environment(
        "\(configuration.controlSocket): 'leash run' uses the sensors; record with 'leash run --record FOLDER', or "
          + "stop it first (sudo systemctl stop leash)")
    }
  }
}

/// One recording at the console.
final class RecordSession: LoopMember {
  private let recording: SensorRecording
  private let console: Console
  private let loop: EventLoop
  private let signals: RunSignals
  private let isJSON: Bool
  private let end: Instant?
  private var progress: ProgressLine
  private var isStopping = false
  private var lineAt: Instant?
  private var troubles = ToldTroubles()

  init(
    _ recording: SensorRecording, _ console: Console, loop: EventLoop, signals: RunSignals, isJSON: Bool,
    until end: Instant?
  ) {
    self.recording = recording
    self.console = console
    self.loop = loop
    self.signals = signals
    self.isJSON = isJSON
    self.end = end
    progress = ProgressLine(console)
  }

  /// Runs until it is to stop.
  ///
  /// - Returns: A failed check when no sensor gave anything.
  func run() throws(CommandFailure) -> ExitCode {
    loop.add(self)
    defer { loop.remove(self) }
    try device { () throws(DeviceFailure) in
      try loop.watch(signals.descriptor, for: .reading, by: self)
      try recording.start(at: loop.clock.now)
    }
    lineAt = isJSON || console.errIsTerminal ? loop.clock.now + .seconds(1) : nil
    while !isStopping {
      recording.turn(until: end)
      tellTroubles()
      if let end, loop.clock.now >= end { isStopping = true }
    }
    let last = recording.progress(at: loop.clock.now)
    recording.stop()
    progress.clear()
    if isJSON { write(last) } else { console.out.writeLine(RecordSession.summary(last)) }
    return last.samples + last.fixes > 0 ? .success : .checkFailed
  }

  /// Says what has changed with sensors and files, each once.
  private func tellTroubles() {
    for line in troubles.lines(recording.sensors, recording.recorder) {
      progress.clear()
      console.err.writeLine("leash record: \(line)")
    }
  }

  private func write(_ progress: SensorRecording.Progress) {
    console.out.append(bytes: progress.json.span)
    console.out.append(0x0A)
    console.out.flush()
  }

  /// One line: rates, fixes, size.
  static func line(_ progress: SensorRecording.Progress) -> String {
    var parts = [TimeText.elapsed(Instant(microseconds: Int64(progress.seconds * 1_000_000)))]
    for sensor in progress.sensors {
      let word = sensor.name.split(separator: " ").first.map(String.init) ?? sensor.name
      let rate = sensor.hertz.map { "\(TimeText.decimal($0, 1)) Hz" } ?? "…"
      parts.append("\(word) \(sensor.state == "running" ? rate : sensor.state)")
    }
    parts.append("\(TimeText.count(progress.positions)) of \(TimeText.count(progress.fixes)) fixes with a position")
    parts.append(size(progress.bytes))
    if progress.lost > 0 { parts.append("\(TimeText.count(progress.lost)) records lost") }
    return parts.joined(separator: " · ")
  }

  /// The last words.
  static func summary(_ progress: SensorRecording.Progress) -> String {
    var text = "\(TimeText.count(progress.samples)) samples and \(TimeText.count(progress.fixes)) fixes "
    text += "(\(TimeText.count(progress.positions)) with a position) in \(TimeText.decimal(progress.seconds, 1)) s, "
    text += "\(size(progress.bytes)): \(progress.folder)"
    if let file = progress.file { text += "/\(file)" }
    return text + (progress.lost > 0 ? "; \(TimeText.count(progress.lost)) records lost" : "")
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20
      ? "\(TimeText.decimal(Double(bytes) / 1024, 1)) KiB" : "\(TimeText.decimal(Double(bytes) / 1_048_576, 2)) MiB"
  }

  // MARK: In the loop

  /// A signal came; one that asks for the configuration again means nothing here.
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    while let signal = signals.next() { if signal == .stop { isStopping = true } }
  }

  /// When the live line is due.
  var nextDeadline: Instant? { lineAt }

  /// Shows how it stands, once a second.
  func advance(to now: Instant) {
    guard let due = lineAt, now >= due else { return }
    lineAt = now + .seconds(1)
    let state = recording.progress(at: now)
    if isJSON { write(state) } else { progress.update(RecordSession.line(state)) }
  }
}
