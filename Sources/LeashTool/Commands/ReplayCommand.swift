import Quantities
import Telemetry
import TrackerRuntime
import TrackerCore

/// `leash replay`: a recording goes in, what the tracker would have done comes out.
enum ReplayCommand {
  static let json = Flag("json", "Print every event and packet as one JSON object per line, and nothing else.")
  static let packets = Flag("packets", "Show every location packet, not only their number.")
  static let record = Option<String>("record", "FILE", "Write a Leash log of every input and action.")
  static let check = Option<String>(
    "check", "FILE", "Replay a Leash log and compare every action and byte; exit 1 at the first difference.")
  static let cut = Option<String>(
    "cut-every-action", "FILE",
    "Replay a Leash log with a power cut after each action, and check that nothing is lost after the restart; exit 1 if anything is."
  )
  static let trackerID = Option<String>("tracker-id", "NAME", "The device's name in packets.")
  static let format = Option<PacketFormat>(
    "format", "FORMAT", "Packet format, one of \(PacketFormat.words.joined(separator: ", ")).")
  static let seed = Option<UInt64>("seed", "NUMBER", default: 1, "Seed of all random numbers.")
  static let settings = Option<String>(
    "set", "NAME=VALUE",
    "Change a setting, such as motion.armAfter=60; may be given several times. 'leash settings' lists them.")
  static let commands = Option<String>(
    "at", "SECONDS=REQUEST",
    "Send the tracker a command at this time, such as 'alerts off', 'dismiss ALERT', 'track SECONDS DURATION' or 'locate'; "
      + "may be given several times.")
  static let silence = Option<Double>(
    "then", "SECONDS",
    "Continue without input for this time after the end of the recording. Default: 0; 0.5 after NMEA, where silence ends the last epoch."
  )
  static let synthesize = Flag(
    "simulate-inertial", "Add an accelerometer and a gyroscope, synthesised from the track at 100 Hz.")
  static let scene = Option<SceneName>(
    "simulate-scene", "SCENE", "Add a scene at the end of the ride: thief (ten quiet minutes, then a theft).")
  static let modem = Option<Transport>(
    "modem", "WAY",
    "Send the packets through the SIM7000 driver and a simulated modem to a receiver, on the ride's clock, by http, mqtt, "
      + "tcp or sms (always in the format text), as the only way. Otherwise each packet is acknowledged at once.")
  static let plot = Option<String>(
    "plot", "FILE", "Plot the evidence of the motion detectors and the alerts over time as SVG.")
  static let files = Positional(
    "FILE", count: .any, "Recordings of one ride: NMEA log, CSV, GPX, export folder of a phone, Leash log.")

  /// The ways through the modem by name.
  enum Transport: String, CaseIterable, ArgumentValue { case http, mqtt, tcp, sms }
  /// The scenes by name.
  enum SceneName: String, CaseIterable, ArgumentValue { case thief }

  static let command = Command(
    "replay", "Run the tracker on a recording",
    discussion: """
      Merges the recordings by time, runs the tracker on them as fast as the machine allows, and prints what \
      happened, when and why. The same input gives the same output, byte for byte. Columns of a CSV are identified \
      by name: t_s; gx gy gz (rad/s); ax ay az (m/s²); mx my mz (µT); utc, lat_deg, lon_deg, alt_m, speed_mps, \
      course_deg, hacc_m, wheel_pulses. Any file may be compressed with gzip; '-' is standard input.
      """,
    parameters: [
      .positional(files), .flag(json), .flag(packets), .option(record), .option(check), .option(cut),
      .option(trackerID),
      .option(format),
      .option(seed), .option(settings), .option(commands), .option(silence), .flag(synthesize), .option(scene),
      .option(modem), .option(plot),
    ]
  ) { arguments, console throws(CommandFailure) in
    if let log = arguments[check] { return try CheckRun.run(log, arguments, console) }
    if let log = arguments[cut] { return try CutRun.run(log, arguments, console) }
    guard !arguments[files].isEmpty else { throw .usage("FILE is missing: give at least one recording") }
    return try ReplayRun(arguments, console).run()
  }
}

/// The formats are named as in a configuration.
extension PacketFormat: ArgumentValue {
  /// Their names.
  static var words: [String] { allCases.map { "\($0.name)" } }
  /// The format of that name.
  package init?(argument: String) {
    guard let format = PacketFormat.allCases.first(where: { "\($0.name)" == argument }) else { return nil }
    self = format
  }
  /// What the text must be.
  package static var expectation: String { "one of " + words.joined(separator: ", ") }
}

extension CommandFailure {
  /// The failure a recording's error is for the user: what can't be opened is the machine's, what can't be read is, too.
  init(_ error: RecordingError) { self = .environment(error.description) }
}
