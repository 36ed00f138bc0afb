import LinuxDevices
import OwnTracks
import Quantities
import SecretBox
import TrackerRuntime
import SIM7000
import Telemetry
import Uplinks

/// Parts as a configuration wants them.
extension BoardParts {
  /// Makes sensors and uplinks; nothing is opened yet, but the lines that switch the modem.
  ///
  /// - Parameter clock: The clock of the board's loop.
  /// - Throws: When a line of a GPIO chip can't be had.
  package init(
    _ configuration: BoardConfiguration, clock: any LoopClock, libraries: BoardLibraries = BoardLibraries()
  ) throws(DeviceFailure) {
    var sensors: [any SensorSource] = []
    switch configuration.gnss {
    case .none, .modem: break
    case .gpsd(let host, let port, let device):
      sensors.append(GPSDSensor(host: host, port: port, device: device, clock: clock, open: libraries.gpsd))
    case .serial(let port, let rate): sensors.append(SentenceSensor(port: port, bitsPerSecond: rate))
    }
    switch configuration.imu {
    case .none: break
    case .iio(let device, let root, let hertz, let force, let rate):
      let settings = InertialSettings(hertz: hertz, specificForceRange: force, angularRateRange: rate)
      sensors.append(IndustrialIOSensor(device, settings: settings, root: root))
    case .i2c(let bus, let address, let part, let hertz, let force, let rate, let file):
      let settings = InertialSettings(hertz: hertz, specificForceRange: force, angularRateRange: rate)
      sensors.append(
        I2CInertialSensor(
          bus: bus, address: address, part: InertialPart.named(part), settings: settings, configurationFile: file,
          clock: clock))
    case .witMotion(let port, let rate): sensors.append(WitMotionSensor(port, bitsPerSecond: rate))
    }
    if let supply = configuration.supply {
      sensors.append(PolledSensor(PowerSupply(battery: supply.battery, root: supply.root), every: supply.interval))
    }
    if let barometer = configuration.barometer {
      sensors.append(PolledSensor(Barometer(device: barometer.device, root: barometer.root), every: barometer.interval))
    }
    if let wheel = configuration.wheel, let line = wheel.line {
      sensors.append(WheelSensor(chip: wheel.chip, line: line, bounce: wheel.bounce))
    }
    if !configuration.contacts.isEmpty { sensors.append(ContactSensor(configuration.contacts)) }
    if let presence = configuration.presence {
      if !presence.tags.isEmpty {
        sensors.append(TagSensor(presence.tags, scanner: BlueZScanner(adapter: presence.adapter)))
      }
      if let line = presence.line {
        let token = UInt8(clamping: presence.tags.count + 1)
        sensors.append(PresenceSwitch(line, token: token, tellsAway: presence.tags.isEmpty))
      }
    }
    var modem: CellularUplink?
    if let settings = configuration.modem {
      let memory = AnnouncedFile(ofState: configuration.stateFile)
      modem = CellularUplink(
        settings, lines: try ModemLines(settings), clock: clock, seed: libraries.drawSeed(), memory: memory,
        quirks: QuirksFile(ofState: configuration.stateFile))
    }
    let names = configuration.receivers
    let id = configuration.tracker.tracker.trackerID
    let trackerID = id.span.withUnsafeBufferPointer { Array($0) }
    let remarks = UplinkSettings.remarks(of: configuration.uplinks)
    let ways: [PacketDelivery.Way] = zip(configuration.uplinks, remarks).compactMap { uplink, remark in
      let seed = libraries.drawSeed()
      var format = uplink.format ?? configuration.tracker.tracker.packetFormat
      let port: any Uplink
      var channel: UInt8?
      let passphrase = uplink.encryptionKey.map { Array($0.revealed.utf8) } ?? []
      let key = SecretKey(passphrase: passphrase.span)
      switch uplink.kind {
      case .mqtt(let settings):
        let broker = MQTTUplink(settings, seed: seed, makeClient: libraries.mqtt)
        broker.words = MQTTFormWords(format, trackerID: trackerID, key: key, chance: libraries.drawSeed)
        broker.remark = remark
        port = broker
      case .http(let settings):
        let server = HTTPUplink(settings, seed: seed, makeExchange: libraries.http)
        server.remark = remark
        port = server
      case .modem(let own):
        guard let modem, let settings = configuration.modem else { return nil }
        let transport = own ?? settings.transport
        port = modem
        channel = transport.rawValue
        // Nothing else fits into a text message.
        if transport == .sms, !format.fitsTextMessage { format = .text }
      }
      var way = PacketDelivery.Way(
        port, receiver: names.firstIndex(of: uplink.receiver) ?? 0, format: format, channel: channel)
      if case .modem(let own) = uplink.kind {
        let transport = own ?? configuration.modem?.transport
        way.isTextMessage = transport == .sms
        way.byteLimit = transport?.payloadLimit
      }
      if case .http(let settings) = uplink.kind, settings.isHomeAssistantWebhook {
        // Its answer to a form without one is a refusal, where Traccar's server keeps the packet at the last known place.
        way.needsPosition = format == .osmAnd
      }
      way.topicForm = OwnTracksTopicForm(uplink, configuration.modem)
      way.seal = key.map { MessageSeal(key: $0, chance: libraries.drawSeed) }
      return way
    }
    let sound: (any SoundMaker)? =
      switch configuration.buzzer {
      case .line(let line): try BuzzerLine(line)
      case .command(let path): BuzzerCommand(path)
      case nil: nil
      }
    self.init(sensors: sensors, ways: ways, modem: modem, sound: sound)
  }
}
