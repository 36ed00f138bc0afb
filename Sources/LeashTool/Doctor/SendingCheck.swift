import JSON5
import LinuxDevices
import LinuxRuntime
import OwnTracks
import Quantities
import SecretBox
import TrackerRuntime
import Telemetry
import Uplinks

extension DoctorCheck {
  /// One packet over each way, and what the server made of it.
  static let sending = DoctorCheck(name: "send", limit: .seconds(900)) { patient in
    guard let configuration = patient.configuration else {
      return [.fail("send", "no configuration, so no uplink to send on", advice: "leash doctor --send FILE")]
    }
    let remarks = UplinkSettings.remarks(of: configuration.uplinks)
    return zip(configuration.uplinks, remarks).map { way, remark in
      let now = patient.machine.clock().utcSeconds
      // As the board does: the next when one does not work.
      let ways = way.alternatives
      if case .modem = way.kind, patient.tracker.isThere {
        return .warn(
          "send", "the running tracker uses the modem, so nothing was sent over it",
          advice: "leash tell locate, then leash status; or stop it first: sudo systemctl stop leash")
      }
      guard ways.count > 1 else { return send(on: way, remark, configuration, now) }
      var failures: [String] = []
      for way in ways {
        let finding = send(on: way, remark, configuration, now)
        guard finding.state == .fail else {
          let before = failures.isEmpty ? "" : ", after \(failures.joined(separator: ", and "))"
          return Finding(
            name: finding.name, state: finding.state, found: finding.found + before, advice: finding.advice)
        }
        failures.append(finding.found)
      }
      return .fail("send", failures.joined(separator: ", and "), advice: "leash doctor")
    }
  }

  /// A packet that says that somebody has asked, and nothing of where it is: no server's map moves by it.
  private static func trial(at utcSeconds: Int64) -> Packet {
    var packet = Packet(
      kind: .status, time: .zero, utc: UTCTime(microseconds: utcSeconds * 1_000_000), phase: .starting, isArmed: false)
    packet.status = PacketStatus(reason: .asked, alertsEnabled: true)
    return packet
  }

  private static func send(
    on way: UplinkSettings, _ remark: String, _ configuration: BoardConfiguration, _ utcSeconds: Int64
  ) -> Finding {
    let overModem = configuration.modem.flatMap { ModemTrial($0, way) }
    var format = way.format ?? configuration.tracker.tracker.packetFormat
    // As the board does: nothing else fits into a text message.
    if overModem?.transport == .sms, !format.fitsTextMessage { format = .text }
    var buffer = ByteBuffer()
    let id = configuration.tracker.tracker.trackerID
    let packet = trial(at: utcSeconds)
    let message: MessageHead?
    if format == .ownTracks, let form = OwnTracksTopicForm(way, configuration.modem) {
      message = packet.encode(part: 0, as: form, trackerID: id.span, into: &buffer)
    } else {
      message = packet.encode(part: 0, as: format, trackerID: id.span, into: &buffer)
    }
    let uplink: any Uplink
    var topic: String?
    var isWebhook = false
    var broker: MQTTSettings?
    switch way.kind {
    case .modem:
      guard let overModem else { return .fail("send", "no modem is configured", advice: nil) }
      do throws(DeviceFailure) {
        uplink = try overModem.uplink()
      } catch {
        return .fail("send", line: error.message)
      }
    case .mqtt(var settings):
      broker = settings
      // Neither the tracker's session nor what the broker keeps of it is touched.
      settings.clientID += "-doctor"
      settings.keepsSession = false
      settings.will = nil
      settings.isRetained = false
      if settings.announcement != nil { settings.topic += MQTTAnnouncement.late }
      settings.announcement = nil
      // With MQTT 3.1.1 a broker acknowledges what its access list does not let in, too: only what comes back has been let in.
      topic = settings.topic + "\(message?.topic.suffix ?? "")"
      settings.commandTopic = topic
      uplink = MQTTUplink(settings, seed: 1)
    case .http(var settings):
      isWebhook = format == .osmAnd && settings.isHomeAssistantWebhook
      settings.timeout = min(settings.timeout, .seconds(20))
      let server = HTTPUplink(settings, seed: 1)
      server.remark = remark
      uplink = server
    }
    let name = uplink.name
    guard let message, !isWebhook else {
      let reason =
        isWebhook
        ? "Home Assistant's webhook takes no packet without a position"
        : "the form \(format.name) can't carry a packet without a position"
      return .warn("send", "\(name): \(reason)", advice: "use leash tell locate, and check at the server")
    }
    var outgoing = OutgoingPacket(
      sequence: 0, kind: .status, bytes: buffer.bytes, channel: overModem?.transport.rawValue, head: message)
    if format == .osmAnd { outgoing.bytes = withoutUnknown(outgoing.bytes) }
    if format == .traccar { outgoing.bytes = withoutUnknownMembers(outgoing.bytes) }
    // Whoever has no key for it must not read it here either.
    let passphrase = way.encryptionKey.map { Array($0.revealed.utf8) } ?? []
    if let key = SecretKey(passphrase: passphrase.span) {
      outgoing.bytes = MessageSeal(key: key, chance: { .random(in: 0...UInt64.max) }).sealed(outgoing.bytes)
    }
    if let overModem { return overModem.send(outgoing, by: uplink) }
    let finding = send(outgoing, by: uplink, format, name, on: topic, isSealed: !passphrase.isEmpty)
    guard finding.state != .fail, let broker else { return finding }
    return refusalToKeep(broker, name) ?? finding
  }

  /// What is wrong with a broker that is to keep messages and does not take them; nil when all is right, or none are to be kept.
  private static func refusalToKeep(_ settings: MQTTSettings, _ name: String) -> Finding? {
    guard settings.isRetained || settings.announcement != nil else { return nil }
    guard let visitor = try? MQTTVisitor(settings, as: "-doctor", within: .seconds(12)) else { return nil }
    defer { visitor.leave() }
    // An empty message takes away what is kept there, which is nothing.
    let nothing = MQTTMessage(topic: settings.topic + "/doctor", bytes: [])
    guard visitor.publish([nothing], within: .seconds(5)) == 0 else { return nil }
    return .fail(
      "send", "\(name): takes packets, but closes the connection at one that it is to keep",
      advice: "let the broker keep messages (mosquitto: retain_available true)"
        + (settings.announcement == nil ? ", or set 'retain: false'" : ""))
  }

  /// Traccar keeps attributes for the device, and of these only the tracker knows the values.
  private static func withoutUnknown(_ bytes: [UInt8]) -> [UInt8] {
    let unknown = ["motion=", "odometer=", "armed=", "alertsEnabled="]
    let known = bytes.split(separator: 0x26).filter { field in
      !unknown.contains { field.starts(with: $0.utf8) }
    }
    return Array(known.joined(separator: [0x26]))
  }

  /// The same of its JSON, where they are the last or followed by a comma.
  private static func withoutUnknownMembers(_ bytes: [UInt8]) -> [UInt8] {
    let unknown = [
      "\"is_moving\":false", "\"odometer\":0", "\"armed\":false", "\"alertsEnabled\":true",
    ]
    var text = String(decoding: bytes, as: UTF8.self)
    for member in unknown {
      guard let place = text.firstRange(of: member) else { continue }
      text.removeSubrange(place)
    }
    // A comma that has lost its member.
    while let place = text.firstRange(of: ",,") { text.replaceSubrange(place, with: ",") }
    for (pair, single) in [("{,", "{"), (",}", "}")] {
      while let place = text.firstRange(of: pair) { text.replaceSubrange(place, with: single) }
    }
    return Array(text.utf8)
  }

  /// Sends it, and waits for what comes of it.
  ///
  /// - Parameters:
  ///   - topic: Where a broker is to give it back; nil for a server that answers.
  ///   - isSealed: Whether it was sealed with the owner's key.
  private static func send(
    _ packet: OutgoingPacket, by uplink: any Uplink, _ format: PacketFormat, _ name: String, on topic: String?,
    isSealed: Bool
  ) -> Finding {
    let place = topic.map { " on '\($0)'" } ?? ""
    do throws(DeviceFailure) {
      let loop = try EventLoop(clock: MachineClock())
      let start = MonotonicClock.now
      let end = start + .seconds(25)
      try uplink.start(in: loop, at: start)
      defer { uplink.stop() }
      uplink.take(packet, at: start)
      var delivered: Instant?
      var isBack = topic == nil
      var answer: [UInt8] = []
      while MonotonicClock.now < end {
        while let news = uplink.nextNews() {
          switch news {
          case .delivered: delivered = MonotonicClock.now
          case .request(packet.bytes, _): isBack = true
          case .answer(let bytes, _, _, _): answer = bytes
          case .undelivered(_, _, let reason): return refused(reason, by: uplink, name)
          default: break
          }
        }
        if let delivered, isBack || delivered + comingBack <= MonotonicClock.now {
          let time = (delivered - start).microseconds / 1000
          let size = "\(place), \(packet.bytes.count) bytes (\(time) ms)"
          guard isBack else {
            return .warn(
              "send",
              "\(name): acknowledged the packet\(size); the broker may still have denied it, as it does not give it back",
              advice: "let the access list of the broker have it write and read its topics, as in docs/servers.md")
          }
          let isWhole = (uplink as? HTTPUplink)?.answerIsWhole ?? true
          let said = ServerAnswer(answer, isWhole: isWhole, to: format)
          let isBlind = isSealed && topic == nil && !ServerAnswer.isSealed(answer)
          let remark = isBlind ? "; nothing in the answer says whether the server has the same key" : ""
          let back = topic == nil ? "" : ", and gives it back"
          let found = "\(name): accepted the packet\(size)\(back)\(said.words)\(remark)"
          guard !said.isKnown else { return .ok("send", found) }
          return .warn("send", found, advice: said.advice)
        }
        if case .failed(let reason, _) = uplink.state { return refused(reason, by: uplink, name) }
        loop.turn(until: min(end, (delivered ?? end) + comingBack))
      }
      return .fail("send", "\(name): no acknowledgement within 25 s", advice: "leash doctor")
    } catch {
      return .fail("send", line: error.message)
    }
  }

  /// How long what was acknowledged may take to come back.
  private static let comingBack = Interval.seconds(2)

  /// A failure, with what the server itself says about it.
  private static func refused(_ reason: String, by uplink: any Uplink, _ name: String) -> Finding {
    let said = (uplink as? HTTPUplink)?.lastComplaint ?? []
    // What stands behind a semicolon is advice.
    let end = reason.firstIndex(of: ";") ?? reason.endIndex
    return .fail("send", line: "\(name): \(reason[..<end])\(answered(said))\(reason[end...])")
  }

  /// The beginning of an answer on one line; nothing for an empty one.
  private static func answered(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(200), as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
    return text.isEmpty ? "" : ", and answers '\(json5Shown(text))'"
  }
}

extension UplinkSettings {
  /// The way with each of its servers alone, the preferred first.
  var alternatives: [UplinkSettings] {
    var way = self
    switch kind {
    case .mqtt(var settings):
      return settings.hosts.map { host in
        (settings.host, settings.port, settings.others) = (host.name, host.port, [])
        way.kind = .mqtt(settings)
        return way
      }
    case .http(var settings):
      return settings.urls.map { url in
        (settings.url, settings.otherURLs) = (url, [])
        way.kind = .http(settings)
        return way
      }
    case .modem: return [self]
    }
  }
}
