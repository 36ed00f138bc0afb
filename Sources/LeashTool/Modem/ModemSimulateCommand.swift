import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import SIM7000

/// `leash modem simulate`: a SIM7000 on a pseudo-terminal.
enum ModemSimulateCommand {
  static let link = Option<String>("link", "PATH", "Create a symbolic link to the port, and remove it at the end.")
  static let profile = Option<ProfileName>(
    "profile", "NAME", default: .b05,
    "Firmware to simulate: b03 (1351B03, without SM* and SH*), b05 (1351B05) or g10 (1529B10 of the SIM7000G).")
  static let seed = Option<UInt64>("seed", "NUMBER", default: 1, "Seed of all random numbers.")
  static let power = Option<PowerName>(
    "power", "STATE", default: .on,
    "on: already running; boot: the power key is pressed at the start; off: waits for the power key (--control)."
  )
  static let rate = Option<Int>(
    "rate", "BITS", default: 115_200, "The stored speed. At another speed a client reads garbage.")
  static let autoBaud = Flag("auto-baud", "Detect the speed from the first AT, the factory setting.")
  static let pin = Option<String>("pin", "DIGITS", "PIN of the SIM.")
  static let noSIM = Flag("no-sim", "Simulate a missing SIM.")
  static let gnss = Option<String>(
    "gnss", "FILE", "NMEA log that the satellite receiver plays, in a loop.")
  static let fault = Option<FaultSchedule>(
    "fault", "NAME@SECONDS",
    "A fault and its time: F1@30 or freeze@30; may be given several times. docs/modem-bench.md lists the faults.")
  static let control = Option<String>(
    "control", "PATH", "Socket for controls outside the serial line: pwrkey, reset, dtr, supply, fault, sms, status.")
  static let smsFolder = Option<String>("sms-dir", "FOLDER", "Write every sent text message to a file in this folder.")
  static let verify = Flag("verify-tls", "Refuse HTTPS servers whose certificate this machine does not trust.")
  static let quiet = Flag("quiet", "Show only the port and the messages.")
  static let json = Flag("json", "Print one JSON object for every event.")

  static let command = Command(
    "simulate", "Simulate a SIM7000 on a pseudo-terminal",
    discussion: """
      Prints the path of its port and serves one client after another until it is interrupted. Data sent by HTTP, \
      MQTT, TCP and UDP goes out through this machine's network; text messages are printed. docs/modem-bench.md has \
      examples.
      """,
    parameters: [
      .option(link), .option(profile), .option(seed), .option(power), .option(rate), .flag(autoBaud), .option(pin),
      .flag(noSIM), .option(gnss), .option(fault), .option(control), .option(smsFolder), .flag(verify), .flag(quiet),
      .flag(json),
    ]
  ) { arguments, console throws(CommandFailure) in
    let settings = try settings(arguments)
    let signals = try device { () throws(DeviceFailure) in try StopSignals() }
    let printer = SimulatePrinter(console, isJSON: arguments[json], isQuiet: arguments[quiet])
    let server = try device { () throws(DeviceFailure) in
      try ModemServer(settings) { printer.show($0) }
    }
    printer.showPort(server.path, link: settings.link)
    defer { withExtendedLifetime(signals) {} }
    try device { () throws(DeviceFailure) in try server.run(until: signals.descriptor) }
    return .success
  }

  private static func settings(_ arguments: Arguments) throws(CommandFailure) -> ModemServer.Settings {
    if arguments[power] == .off && arguments[control] == nil {
      throw .usage("option '--power': 'off' needs --control, the only way to press the power key")
    }
    var settings = ModemServer.Settings()
    settings.configuration = SimulatedModemConfiguration(profile: (arguments[profile] ?? .b05).profile)
    settings.configuration.startsPoweredOff = arguments[power] != .on
    settings.pressesPowerKey = arguments[power] == .boot
    settings.configuration.startTime = startTime
    settings.seed = arguments[seed] ?? 1
    settings.link = arguments[link]
    settings.controlPath = arguments[control]
    settings.smsFolder = arguments[smsFolder]
    settings.network.verifiesCertificates = arguments[verify]
    settings.faults = arguments.all(fault).map { ($0.time, $0.fault) }
    let bits = arguments[rate] ?? 115_200
    guard let rate = UInt32(exactly: bits), rate > 0, IPR.Set(bitsPerSecond: rate) != nil else {
      throw .usage("option '--rate': a SIM7000 does not support \(bits) bit/s; 115200 is usual")
    }
    settings.configuration.link.rate = arguments[autoBaud] ? 0 : bits
    settings.configuration.hasSIM = !arguments[noSIM]
    if let pin = arguments[pin] {
      guard 4...8 ~= pin.utf8.count, pin.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
        throw .usage("option '--pin': '\(pin)' is not a number of 4 to 8 digits")
      }
      settings.configuration.pin = pin
    }
    if let folder = arguments[smsFolder], !isFolder(folder) {
      throw .environment("\(folder): not a writable folder; create it first")
    }
    if let path = arguments[gnss] {
      let text = try smallText(of: path)
      let sentences = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("$") }.map(String.init)
      guard !sentences.isEmpty else {
        throw .environment("\(path): no NMEA 0183 sentence in it; expected lines such as $GPRMC,…*hh")
      }
      settings.configuration.gnss.source = .sentences(sentences)
    }
    return settings
  }
}

/// The simulator's profiles by name.
enum ProfileName: String, ArgumentValue, CaseIterable, Sendable {
  case b03
  case b05
  case g10

  /// The simulator's own.
  var profile: ModemProfile {
    switch self {
    case .b03: .b03
    case .b05: .b05
    case .g10: .g10
    }
  }
}

/// How the modem is found at the start.
enum PowerName: String, ArgumentValue, CaseIterable, Sendable {
  case on
  case boot
  case off
}

/// A fault and when it comes, as `F1@30`.
struct FaultSchedule: ArgumentValue, Sendable {
  let time: Interval
  let fault: ModemFault

  init?(argument: String) {
    let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let fault = ModemFault(name: String(parts[0])),
      let seconds = Double(parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]), seconds >= 0, seconds < 1e9
    else { return nil }
    self.fault = fault
    time = Interval(microseconds: Int64(seconds * 1_000_000))
  }

  static var expectation: String { "a fault and its time, such as F1@30 or freeze@12.5" }
}
