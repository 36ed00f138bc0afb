import LinuxDevices
import LinuxRuntime

extension DoctorCheck {
  /// The machine's serial ports, and those that the configuration names.
  static let ports = DoctorCheck(name: "ports") { patient in
    let machine = patient.machine
    let listed = machine.ports()
    var findings = listed.map { port in
      let text = port.text.isEmpty ? "" : " (\(port.text))"
      let holders = machine.holders(port.path)
      let use = holders.isEmpty ? "" : ", used by \(holders.map(\.text).joined(separator: ", "))"
      return Finding.ok("ports", port.path + text + use)
    }
    if listed.isEmpty { findings.append(.ok("ports", "this machine has no serial ports")) }
    for (key, path) in named(patient.configuration) where !machine.canAccess(path, .existing) {
      let others = listed.isEmpty ? "there are no others" : "there are: \(listed.map(\.path).joined(separator: ", "))"
      findings.append(
        .fail(
          "ports", "\(key) \(path): no such port; \(others)",
          advice: "check cable and supply: sudo dmesg | tail; ls -l /dev/serial/by-id"))
    }
    // A login console on the port eats what the modem says.
    if let console = machine.text("/proc/cmdline").flatMap(serialConsole),
      named(patient.configuration).contains(where: { machine.resolved($0.1) == console })
    {
      findings.append(
        .fail(
          "ports", "\(console): the kernel's console uses it, too",
          advice: "sudo raspi-config nonint do_serial_cons 1, and reboot"))
    }
    return findings
  }

  /// Ports of a configuration with the key that names each.
  private static func named(_ configuration: BoardConfiguration?) -> [(String, String)] {
    var ports: [(String, String)] = []
    guard let configuration else { return ports }
    if case .serial(let port, _) = configuration.gnss { ports.append(("gnss.port", port)) }
    if case .witMotion(let port, _) = configuration.imu { ports.append(("imu.port", port)) }
    if let modem = configuration.modem { ports.append(("modem.port", modem.port)) }
    return ports
  }

  /// The serial port of the kernel's console.
  private static func serialConsole(_ line: String) -> String? {
    line.split(whereSeparator: \.isWhitespace).compactMap { word -> String? in
      guard word.hasPrefix("console="), let name = word.dropFirst(8).split(separator: ",").first else { return nil }
      return ["ttyS", "ttyAMA", "ttyUSB"].contains { name.hasPrefix($0) } ? "/dev/\(name)" : nil
    }.first
  }
}
