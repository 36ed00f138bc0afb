import LinuxDevices
import LinuxRuntime
import NMEA
import Quantities

extension DoctorCheck {
  /// Where positions come from.
  static let satellites = DoctorCheck(name: "gnss", limit: .seconds(30)) { patient in
    let settings = patient.configuration?.gnss ?? BoardConfiguration().gnss
    switch settings {
    case .none:
      return [.ok("gnss", "none is configured: no distances, and no positions in alerts")]
    case .modem: return [.ok("gnss", "the modem's own receiver; the tracker switches it on, see 'modem'")]
    case .gpsd, .serial: break
    }
    if case .running(let status) = patient.tracker,
      let device = status.sensors.first(where: { $0.name.hasPrefix("gnss") })
    {
      return [told("gnss", device)]
    }
    if case .serial = settings, patient.tracker.isThere { return [unasked("gnss", patient)] }
    var configuration = patient.configuration ?? BoardConfiguration()
    configuration.imu = .none
    configuration.modem = nil
    configuration.uplinks = []
    do throws(DeviceFailure) {
      guard let sensor = try patient.machine.sensor(configuration) else { return [] }
      return [judge(sensor, isConfigured: patient.configuration != nil)]
    } catch {
      return [.fail("gnss", line: error.message)]
    }
  }

  /// Listens to a receiver until it has a position, 20 s at most.
  private static func judge(_ sensor: any SensorSource, isConfigured: Bool) -> Finding {
    var receiver = NMEAReceiver()
    var seen = 0
    var fixes: [GNSSFix] = []
    let trial = SensorTrial(sensor, for: .seconds(20)) { inputs in
      for input in inputs[seen...] {
        switch input {
        case .fix(let fix): fixes.append(fix)
        case .sentences(let bytes, let time): receiver.receive(bytes.span, at: time)
        case .inertial, .reading: break
        }
      }
      seen = inputs.count
      while let fix = receiver.nextFix() { fixes.append(fix) }
      return fixes.contains { $0.hasPosition }
    }
    let facts = trial.facts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    if let failure = trial.failure {
      let finding = Finding.fail("gnss", line: failure)
      // Without a configuration nobody has said that there is to be a gpsd.
      return isConfigured ? finding : .warn("gnss", finding.found, advice: finding.advice)
    }
    if let fix = fixes.last(where: { $0.hasPosition }), let position = fix.position {
      var text = "\(sensor.name): \(TimeText.decimal(position.latitudeDegrees, 5)) "
      text += TimeText.decimal(position.longitudeDegrees, 5)
      if let accuracy = fix.horizontalAccuracy { text += " ± \(TimeText.decimal(accuracy, 1)) m" }
      return .ok("gnss", text + (facts.isEmpty ? "" : "; \(facts)"))
    }
    guard !fixes.isEmpty || seen > 0 else {
      return .fail(
        "gnss", "\(sensor.name): nothing came within 20 s\(facts.isEmpty ? "" : "; \(facts)")", advice: "gpsmon")
    }
    return .warn(
      "gnss", "\(sensor.name): works, no position yet; \(facts)",
      advice: "give the antenna a view of the sky; the first fix may take minutes")
  }
}
