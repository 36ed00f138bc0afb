import Quantities
import SIM7000
import Telemetry
import TrackerRuntime

extension CellularUplink {
  /// What the driver knows.
  package var facts: [(name: String, value: String)] {
    var facts = [
      ("phase", "\(modem.phase.name)"), ("step", modem.step.map { "\($0.name)" } ?? "none"),
      ("delivered", "\(modem.diagnostics.delivered)"), ("attempts", "\(modem.diagnostics.attempts)"),
      ("waiting", "\(waiting.count + (current == nil ? 0 : 1))"),
    ]
    if let refusal = modem.refusedCommand {
      var words = ByteBuffer()
      refusal.write(into: &words)
      facts.append(
        (
          refusal.isOfCertificate ? "certificate" : refusal.step == .bearerOpen ? "bearer" : "apn",
          String(decoding: words.bytes, as: UTF8.self)
        ))
    }
    if settings.homeAssistant != nil, let announcer { facts.append(("announced", announcer.words)) }
    if let signal = modem.signalStrengthDBm { facts.append(("signal", "\(signal) dBm")) }
    if let supply = modem.supplyMillivolts {
      facts.append(("supply", "\(supply) mV\(supplyIsLow ? ", low" : "")"))
    }
    if let trouble = modem.trouble { facts.append(("trouble", "\(trouble.name)")) }
    var recoveries: [String] = []
    for rung in RecoveryRung.allCases where modem.ladder.counts[Int(rung.rawValue)] > 0 {
      recoveries.append("\(rung.name) \(modem.ladder.counts[Int(rung.rawValue)])")
    }
    facts.append(("recoveries", recoveries.isEmpty ? "none" : recoveries.joined(separator: ", ")))
    let microampereHours = modem.energy.microcoulombs / 3600
    let thousandths = "\(microampereHours % 1000)"
    let padding = String(repeating: "0", count: 3 - thousandths.utf8.count)
    facts.append(("energy", "\(microampereHours / 1000).\(padding)\(thousandths) mAh"))
    facts.append(("port opened", "\(portCount)"))
    return facts
  }

  /// Keeps what was found out of the modem.
  func keepQuirks() {
    let record = modem.quirks.record
    guard record != keptQuirks else { return }
    keptQuirks = record
    quirksMemory.write((0..<8).map { UInt8(truncatingIfNeeded: record >> UInt64(8 * $0)) })
  }

  /// Tells the signal when it was read.
  func tellSignal(at now: Instant) {
    guard modem.signalCount != toldSignals else { return }
    toldSignals = modem.signalCount
    guard let signal = modem.signalStrengthDBm else { return }
    tell(.reading(.network(NetworkReading(time: now, signalDBm: Int8(clamping: signal)))))
  }
}
