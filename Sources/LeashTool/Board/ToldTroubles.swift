import LinuxRuntime

/// What has been told of the troubles of devices: each trouble once, and its end.
struct ToldTroubles {
  /// The last trouble that was told of each device, by its place: names change with what is found.
  private var told: [String: String] = [:]

  /// The line to tell now; nil when there is nothing new.
  ///
  /// - Parameters:
  ///   - trouble: What is wrong; nil when the device works.
  ///   - key: The device, the same for as long as the process runs.
  ///   - name: What the device is called now.
  mutating func line(_ trouble: String?, of key: String, called name: String) -> String? {
    guard told[key] != trouble else { return nil }
    told[key] = trouble
    guard let trouble else { return "\(name): works again" }
    // Most reasons say themselves what and where.
    let place = name.split(separator: " ", maxSplits: 1).last.map(String.init) ?? name
    return trouble.contains(place) ? trouble : "\(name): \(trouble)"
  }

  /// The lines to tell now of sensors and of a recording.
  mutating func lines(_ sensors: [SupervisedSensor], _ recorder: RideRecorder?) -> [String] {
    var lines: [String] = []
    for (place, sensor) in sensors.enumerated() {
      // One that has just been started may fail at once: it works when it has given something.
      if sensor.state.failure == nil, sensor.inputCount == 0 { continue }
      let trouble = sensor.state.failure.map { $0.reason + "; trying again" }
      if let line = line(trouble, of: "sensor \(place)", called: sensor.source.name) { lines.append(line) }
    }
    if let recorder {
      let trouble = recorder.problem.map { $0 + "; trying again" }
      if let line = line(trouble, of: "recording", called: "recording") { lines.append(line) }
    }
    return lines
  }
}
