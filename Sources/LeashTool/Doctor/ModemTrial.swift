import LinuxDevices
import LinuxRuntime
import PacketDecoding
import Quantities
import SIM7000
import TrackerRuntime
import Uplinks

/// One packet over the modem, as the board would send it, with nothing kept that a test must not change.
struct ModemTrial {
  /// How it goes.
  let transport: ModemTransport
  private let settings: ModemSettings
  /// How long the modem may take: it may have to start, to look for its cell, and to recover.
  private let limit = Interval.seconds(240)

  /// The trial of a way; nil for one that is not over the modem.
  init?(_ modem: ModemSettings, _ way: UplinkSettings) {
    guard case .modem(let own) = way.kind else { return nil }
    transport = own ?? modem.transport
    var settings = modem
    // Neither the tracker's session nor what the broker keeps of it is touched, and requests wait for the tracker.
    settings.driver.mqttClient =
      ModemText(string: "\(modem.driver.mqttClient.string)-doctor") ?? modem.driver.mqttClient
    settings.driver.mqttCommandTopic = TopicName()
    settings.driver.mqttAvailabilityTopic = TopicName()
    settings.driver.mqttServerTopic = TopicName()
    settings.isRetained = false
    if modem.homeAssistant != nil {
      settings.driver.mqttTopic =
        TopicName(string: modem.driver.mqttTopic.string + MQTTAnnouncement.late) ?? modem.driver.mqttTopic
    }
    settings.homeAssistant = nil
    self.settings = settings
  }

  /// The modem with its lines, not started.
  func uplink() throws(DeviceFailure) -> any Uplink {
    CellularUplink(settings, lines: try ModemLines(settings), clock: MachineClock(), seed: 1)
  }

  /// Sends it, and waits for what comes of it; failures on the way are the driver's to mend.
  func send(_ packet: OutgoingPacket, by uplink: any Uplink) -> Finding {
    let name = "\(uplink.name) by \(transport)"
    let advice = "leash doctor, or 'leash modem send --verbose \(settings.port) …' for the dialogue"
    do throws(DeviceFailure) {
      let loop = try EventLoop(clock: MachineClock())
      let start = MonotonicClock.now
      try uplink.start(in: loop, at: start)
      defer { uplink.stop() }
      uplink.take(packet, at: start)
      var lastFailure = ""
      // The modem has forgotten them, and the tracker will never have them.
      var texts: [String] = []
      while MonotonicClock.now < start + limit {
        while let news = uplink.nextNews() {
          switch news {
          case .delivered:
            let seconds = TimeText.decimal((MonotonicClock.now - start).secondsDouble, 1)
            let found = "\(name): accepted the packet, \(packet.bytes.count) bytes (\(seconds) s)"
            guard !texts.isEmpty else { return .ok("send", found) }
            return .warn(
              "send", "\(found); text messages came for the tracker: \(texts.joined(separator: ", "))",
              advice: "send them again when the tracker runs")
          case .undelivered(_, _, let reason):
            return .fail("send", "\(name): \(reason)", advice: advice)
          case .textMessage(let bytes, _):
            texts.append("'\(terminalText(String(decoding: bytes, as: UTF8.self)))'")
            // The owner reads them here, and is told to send them again.
            uplink.noteKept(at: MonotonicClock.now)
          default: break
          }
        }
        if case .failed(let reason, _) = uplink.state { lastFailure = "; \(reason)" }
        loop.turn(until: start + limit)
      }
      let seconds = limit.microseconds / 1_000_000
      return .fail("send", "\(name): not delivered within \(seconds) s\(lastFailure)", advice: advice)
    } catch {
      return .fail("send", line: error.message)
    }
  }
}
