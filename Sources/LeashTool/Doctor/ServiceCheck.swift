extension DoctorCheck {
  /// The systemd unit.
  static let service = DoctorCheck(name: "service") { patient in
    let machine = patient.machine
    guard machine.exists("/run/systemd/system") else {
      return [.ok("service", "this machine does not use systemd; start 'leash run' with its own init system")]
    }
    let folders = [
      "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    guard let folder = folders.first(where: { machine.exists("\($0)/leash.service") }) else {
      return [
        .warn("service", "no leash.service: the tracker does not start with the machine", advice: "sudo make install")
      ]
    }
    guard machine.exists("/etc/systemd/system/multi-user.target.wants/leash.service") else {
      return [
        .warn(
          "service",
          "\(folder)/leash.service is installed but not enabled: the tracker does not start with the machine",
          advice: "sudo systemctl enable --now leash")
      ]
    }
    if patient.tracker == .none {
      return [
        .warn(
          "service", "leash.service is enabled but no tracker answers",
          advice: "sudo systemctl start leash; journalctl -u leash -e")
      ]
    }
    return [.ok("service", "\(folder)/leash.service, enabled")]
  }
}
