import LinuxRuntime

extension DoctorCheck {
  /// Room for the state and the recording.
  static let storage = DoctorCheck(name: "storage") { patient in
    let machine = patient.machine
    let configuration = patient.configuration ?? BoardConfiguration()
    let folder = machine.existingFolder(above: configuration.stateFile)
    var findings: [Finding] = []
    func megabytes(_ bytes: Int) -> String { "\(TimeText.count(bytes >> 20)) MiB" }
    if let free = machine.freeBytes(folder) {
      // The state is tens of KiB; a disk this full stops other programs, the journal first.
      switch free {
      case ..<(8 << 20):
        findings.append(
          .fail(
            "storage", "\(megabytes(free)) free for the state at \(folder)",
            advice: "df -h \(folder); sudo apt-get clean"))
      case ..<(100 << 20):
        findings.append(
          .warn(
            "storage", "\(megabytes(free)) free for the state at \(folder)",
            advice: "df -h \(folder); sudo apt-get clean"))
      default: findings.append(.ok("storage", "\(megabytes(free)) free for the state at \(folder)"))
      }
    } else {
      findings.append(.warn("storage", "\(folder): free space is unknown", advice: "df -h \(folder)"))
    }
    guard let recording = configuration.recording else { return findings }
    let place = machine.existingFolder(above: recording.folder + "/")
    guard let free = machine.freeBytes(place) else { return findings }
    if free < 2 * recording.segmentBytes {
      findings.append(
        .fail(
          "recording", "\(megabytes(free)) free at \(place), less than two files of a recording",
          advice: "df -h \(place)"))
    } else if free < recording.totalBytes {
      findings.append(
        .warn(
          "recording",
          "\(megabytes(free)) free at \(place), less than the \(megabytes(recording.totalBytes)) configured for recordings",
          advice: "reduce record.totalMegabytes, or free space: df -h \(place)"))
    } else {
      findings.append(
        .ok(
          "recording",
          "\(megabytes(free)) free at \(place), \(megabytes(recording.totalBytes)) configured for recordings"))
    }
    return findings
  }
}
