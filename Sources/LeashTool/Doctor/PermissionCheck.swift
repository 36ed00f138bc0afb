import LinuxRuntime
import Uplinks

extension DoctorCheck {
  /// Groups, and files and folders that must be had.
  static let permissions = DoctorCheck(name: "permissions") { patient in
    let machine = patient.machine
    var findings: [Finding] = []
    if !machine.isRoot { findings.append(groups(patient)) }
    guard let configuration = patient.configuration else {
      return findings.isEmpty
        ? [.ok("permissions", "root may use every device; the service runs as another user")] : findings
    }
    for path in devices(of: configuration) {
      if !machine.canAccess(path, .existing) {
        // Ports and buses that are not there are the other checks' matter.
        continue
      }
      if !machine.canAccess(path, .both) {
        findings.append(
          .fail(
            "permissions", "\(path): \(machine.user) may not use it",
            advice: "ls -l \(path); sudo usermod -aG \(group(of: path)) \(machine.user)"))
      }
    }
    let places = [
      ("state", configuration.stateFile), ("control socket", configuration.controlSocket),
      ("recording", configuration.recording.map { $0.folder + "/" }),
    ]
    for (what, path) in places {
      guard let path else { continue }
      let folder = machine.existingFolder(above: path)
      if !machine.canAccess(folder, .writing) {
        // A tracker that runs has what it needs; it is another user.
        if case .hidden = patient.tracker { continue }
        findings.append(
          .fail(
            "permissions", "\(folder): \(machine.user) may not write there; needed for the \(what) \(path)",
            advice:
              "run it as the service's user: sudo -u leash leash doctor; or set another path in the configuration"))
      }
    }
    if findings.allSatisfy({ $0.state == .ok }) {
      findings.append(.ok("permissions", "\(machine.user) may use devices, state and control socket"))
    }
    return findings
  }

  private static func groups(_ patient: DoctorCase) -> Finding {
    let machine = patient.machine
    let known = Set(
      (machine.text("/etc/group") ?? "").split(separator: "\n").compactMap { $0.split(separator: ":").first })
    let missing = ["dialout", "i2c", "gpio"].filter { known.contains(Substring($0)) && !machine.groups.contains($0) }
    guard !missing.isEmpty else {
      return .ok("groups", "\(machine.user) is in all groups for serial ports, I²C and GPIO")
    }
    return .warn(
      "groups", "\(machine.user) is not in \(missing.joined(separator: ", "))",
      advice: "sudo usermod -aG \(missing.joined(separator: ",")) \(machine.user), and log in again")
  }

  /// Every device that a configuration names.
  static func devices(of configuration: BoardConfiguration) -> [String] {
    var paths: [String] = []
    if case .serial(let port, _) = configuration.gnss { paths.append(port) }
    switch configuration.imu {
    case .i2c(let bus, _, _, _, _, _, _): paths.append(bus)
    case .witMotion(let port, _): paths.append(port)
    case .none, .iio: break
    }
    var chips = configuration.contacts.values.map(\.chip)
    if let line = configuration.presence?.line { chips.append(line.chip) }
    if let wheel = configuration.wheel { chips.append(wheel.chip) }
    if let modem = configuration.modem {
      paths.append(modem.port)
      chips += [modem.powerKey, modem.reset, modem.status, modem.supply].compactMap { $0?.chip }
    }
    return paths + Set(chips.map { $0.hasPrefix("/") ? $0 : "/dev/\($0)" }).sorted()
  }

  /// The group that Debian gives such a device to.
  private static func group(of path: String) -> String {
    path.hasPrefix("/dev/i2c") ? "i2c" : path.hasPrefix("/dev/gpiochip") ? "gpio" : "dialout"
  }
}
