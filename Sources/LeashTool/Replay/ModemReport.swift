import Quantities
import SIM7000
import SimulatedWorld
import Telemetry

/// What a replay tells of its modem: how the packets fared, and what was said about the first alert.
struct ModemReport {
  let uplink: ModemUplink
  let console: Console

  /// Writes the summary and the dialogue.
  func write() {
    let acknowledged = uplink.deliveries.filter { $0.acknowledged != nil }
    console.out.writeLine()
    console.out.writeLine(
      console.styled("Through a simulated SIM7000 to a receiver (\(uplink.transport.word), virtual time)", .bold))
    let received = uplink.bench.network.received.count
    console.out.writeLine(
      "  \(TimeText.count(acknowledged.count)) of \(TimeText.count(uplink.deliveries.count)) packets acknowledged; "
        + "the receiver has \(TimeText.count(received))")
    let waits = acknowledged.compactMap { delivery in delivery.acknowledged.map { $0 - delivery.given } }.sorted()
    if let longest = waits.last {
      console.out.writeLine(
        "  from packet to acknowledgement: median \(seconds(waits[waits.count / 2])), longest \(seconds(longest))")
    }
    let charge = Double(uplink.bench.driver.modem.energy.microcoulombs) / 3_600_000
    console.out.writeLine("  charge of the modem in all: \(TimeText.decimal(charge, 2)) mAh")
    writeAlert()
  }

  private func writeAlert() {
    guard let alert = uplink.deliveries.first(where: { $0.kind == .movement }), let done = alert.acknowledged else {
      return
    }
    let cost = TimeText.decimal(Double(alert.microcoulombs) / 1000, 1)
    console.out.writeLine(
      "  the first alert, packet \(alert.sequence): acknowledged \(seconds(done - alert.given)) after it was made; "
        + "\(cost) mC while it was under way")
    console.out.writeLine()
    console.out.writeLine(console.styled("Its dialogue on the serial line", .bold))
    for line in DialogueEntry.lines(of: uplink.dialogue(of: alert.sequence)) {
      let arrow = line.isToModem ? "→" : "←"
      let time = TimeText.decimal((line.time - alert.given).secondsDouble, 3)
      let padding = String(repeating: " ", count: max(0, 8 - time.count))
      console.out.writeLine(console.styled("  +\(time)\(padding) \(arrow) ", .dim) + line.text)
    }
  }

  private func seconds(_ interval: Interval) -> String { TimeText.decimal(interval.secondsDouble, 1) + " s" }
}

/// A line of a dialogue, pieced together from what came in bytes.
struct DialogueEntry: Equatable {
  var time: Instant
  var isToModem: Bool
  var text: String

  /// The lines of a dialogue. What the modem only echoes is left out: it is what stands above it.
  static func lines(of dialogue: [ModemUplink.Utterance]) -> [DialogueEntry] {
    var lines: [DialogueEntry] = []
    var current: (time: Instant, isToModem: Bool, bytes: [UInt8])?
    var said: Set<String> = []
    func flush() {
      guard let held = current else { return }
      current = nil
      let text = String(decoding: held.bytes, as: UTF8.self).trimmingBlanks
      guard !text.isEmpty else { return }
      if held.isToModem { said.insert(text) } else if said.contains(text) { return }
      lines.append(DialogueEntry(time: held.time, isToModem: held.isToModem, text: text))
    }
    for piece in dialogue {
      for byte in piece.bytes {
        if let held = current, held.isToModem != piece.isToModem { flush() }
        if byte == 0x0D || byte == 0x0A || (byte == 0x1A && piece.isToModem) {
          flush()
          continue
        }
        if current == nil { current = (piece.time, piece.isToModem, []) }
        current?.bytes.append(byte)
        // A prompt has no line end.
        if byte == 0x3E, current?.bytes.count == 1, !piece.isToModem { flush() }
      }
    }
    flush()
    return lines
  }
}

extension String {
  /// Without blanks at both ends.
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension ModemTransport {
  /// The name on the command line.
  var word: String {
    switch self {
    case .http: "http"
    case .legacyHTTP: "legacy-http"
    case .mqtt: "mqtt"
    case .tcp: "tcp"
    case .applicationTCP: "application-tcp"
    case .sms: "sms"
    }
  }
}
