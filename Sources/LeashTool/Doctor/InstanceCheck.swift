import LinuxRuntime

extension DoctorCheck {
  /// Whether a tracker runs already.
  static let instance = DoctorCheck(name: "tracker") { patient in
    let socket = (patient.configuration ?? BoardConfiguration()).controlSocket
    switch patient.tracker {
    case .none: return [.ok("tracker", "not running (no answer at \(socket)): devices are tested directly")]
    case .running(let status):
      var text =
        "'leash run' is process \(status.process.id), up \(TimeText.decimal(status.process.uptimeSeconds, 0)) s, "
      text += "\(status.phase), \(status.outbox.waiting.count) packets wait; its devices are not disturbed"
      guard let problem = status.store.problem else { return [.ok("tracker", text)] }
      return [.ok("tracker", text), .fail("state", "not saved: \(problem)", advice: "df -h \(status.store.path)")]
    case .hidden(let owner):
      return [
        .warn(
          "tracker", "runs as \(owner), and only that user may query it; its devices are not tested",
          advice: owner == "root" ? "sudo leash doctor" : "sudo -u \(owner) leash doctor")
      ]
    case .mute(let reason):
      return [
        .warn(
          "tracker", "\(socket) is open but does not answer: \(reason)",
          advice: "sudo systemctl restart leash")
      ]
    }
  }
}
