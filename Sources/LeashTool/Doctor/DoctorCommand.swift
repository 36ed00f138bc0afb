import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities

/// `leash doctor`: what this machine has for a tracker, and what is wrong with it.
enum DoctorCommand {
  static let json = Flag("json", "Print one JSON object per line: name, state (ok, warn or fail), found, advice.")

  static let send = Flag(
    "send",
    "Send one packet over each uplink and show the server's answer. The packet is a status with number 0 and no position. Over "
      + "the modem it takes minutes, and only while no tracker runs.")

  static let command = Command(
    "doctor", "Find and test sensors, ports, modem, servers and permissions",
    discussion: """
      Each line says ok, warn or fail, what was found, and what to do. Nothing is sent to a server without '--send'. \
      Devices in use by a running 'leash run' are not disturbed; its own report is used. Without a configuration \
      only the machine is checked. Exits with 1 if something failed.
      """,
    parameters: [.positional(ConfigCommand.file), .flag(send), .flag(json)]
  ) { arguments, console throws(CommandFailure) in
    var configuration: BoardConfiguration?
    var warnings: [Finding] = []
    if arguments[ConfigCommand.file].first != nil || access(BoardConfigurationFile.standardPath, F_OK) == 0 {
      guard let file = try ConfigCommand.read(arguments, console) else { return .checkFailed }
      configuration = file.configuration
      warnings = [.ok("settings", "\(file.name): can be read")]
      warnings += file.warnings.map { .warn("settings", $0, advice: "leash config show --effective \(file.name)") }
    } else {
      warnings = [
        .warn(
          "settings", "no configuration at \(BoardConfigurationFile.standardPath): only the machine is checked",
          advice: "leash config example > leash.json5; leash doctor leash.json5")
      ]
    }
    ProcessSignals.ignoreWriteSignals()
    let machine = DoctorMachine.this
    let socket = (configuration ?? BoardConfiguration()).controlSocket
    let patient = DoctorCase(machine, configuration, tracker: machine.tracker(socket))
    let checks = DoctorCheck.all + (arguments[send] ? [.sending] : [])
    return examine(patient, first: warnings, checks, console, isJSON: arguments[json])
  }

  /// Runs the checks one after the other: two of them may need the same bus.
  static func examine(
    _ patient: DoctorCase, first: [Finding], _ checks: [DoctorCheck], _ console: Console, isJSON: Bool
  ) -> ExitCode {
    var report = DoctorReport(console, isJSON: isJSON)
    report.write(first)
    for check in checks {
      var progress = ProgressLine(console, delay: 2_000_000)
      let findings = check.findings(patient) { time in
        progress.update(
          "\(check.name): \(time.microseconds / 1_000_000) s of \(check.limit.microseconds / 1_000_000) s at most …")
      }
      progress.clear()
      report.write(findings)
    }
    report.end()
    return (report.counts[.fail] ?? 0) > 0 ? .checkFailed : .success
  }
}
