import CellularDelivery
import Quantities
import SIM7000
import Telemetry
import TrackerRuntime

/// A packet on a way.
struct PacketKey: Hashable {
  var sequence: UInt32
  var way: Int
}

/// Keeps nothing.
package struct ForgottenBytes: KeptBytes {
  /// Nothing.
  package init() {}
  /// Nothing.
  package func read() -> [UInt8] { [] }
  /// Forgets them.
  package func write(_ bytes: [UInt8]) {}
}

extension ModemAnnouncer {
  /// What the broker of a modem is to keep; nothing for one to which the tracker is not announced.
  init(_ settings: ModemSettings, memory: any KeptBytes) {
    let driver = settings.driver
    let content = settings.homeAssistant?.announcement ?? MQTTAnnouncement()
    let topic = driver.mqttTopic.string
    let kinds = settings.homeAssistant == nil ? [] : ["", "/alert", "/status", "/ride"]
    self.init(
      content, packetTopics: kinds.map { topic + $0 },
      broker: "\(driver.mqttHost.string):\(driver.mqttPort) \(driver.mqttClient.string)", memory: memory)
  }
}

/// Home Assistant behind the modem's broker: what it is told beside the packets, and where these go for it.
extension CellularUplink {
  /// Where a packet goes at the broker; nil when the topic would be too long.
  func publication(of packet: OutgoingPacket) -> ModemPublication? {
    let base = settings.driver.mqttTopic.string
    if copies.contains(PacketKey(sequence: packet.sequence, way: packet.way)),
      let suffix = MQTTAnnouncement.suffix(of: packet.kind)
    {
      return TopicName(string: base + suffix).map { ModemPublication(topic: $0, isRetained: true) }
    }
    let isLate = settings.homeAssistant != nil && newest.isLate(packet.sequence)
    let suffix = isLate ? MQTTAnnouncement.late : "\(packet.head.topic.suffix)"
    let isRetained = settings.isRetained && packet.head.mayBeRetained && !isLate && newest.isNewest(packet)
    return TopicName(string: base + suffix).map { ModemPublication(topic: $0, isRetained: isRetained) }
  }

  /// True when the packet is to be kept for its kind, too; it goes a second time, and is delivered with that.
  func takesCopy(_ packet: OutgoingPacket) -> Bool {
    let key = PacketKey(sequence: packet.sequence, way: packet.way)
    if copies.remove(key) != nil { return false }
    guard settings.homeAssistant != nil, transport(of: packet) == .mqtt, newest.keeps(packet) else { return false }
    copies.insert(key)
    return true
  }

  /// Notes what has become of the connection to the broker.
  func noteSession(at now: Instant) {
    if modem.brokerSessionCount != toldSessions {
      toldSessions = modem.brokerSessionCount
      announcer?.connected()
    }
    if !modem.hearsServer { hearsSince = nil } else if hearsSince == nil { hearsSince = now }
  }

  /// What is kept on the server's topic comes at once when that is subscribed to, and says nothing of now; the modem does not tell it from
  /// others.
  static var keptTime: Interval { .seconds(5) }

  /// Takes what a server says to all.
  func hearServer(_ bytes: [UInt8], at now: Instant) {
    guard bytes.elementsEqual(MQTTAnnouncement.online.utf8) else { return }
    // One that the broker has kept for the session comes before that.
    if modem.step == .mqttListen || modem.hearsServer, now - (hearsSince ?? now) < CellularUplink.keptTime { return }
    announcer?.serverStarted()
  }

  /// Begins the next message of the announcement, where nothing else is to be done and a connection is there.
  func announce(at now: Instant) -> Bool {
    guard waiting.isEmpty, current == nil, modem.isFree, modem.phase == .running, modem.hasBrokerSession,
      let message = announcer?.begin(at: now)
    else { return false }
    let topic = TopicName(string: message.topic)
    let isTaken = topic.map {
      way.begin(
        message.bytes.span, sequence: ModemAnnouncer.ticket, way: ModemAnnouncer.way, kind: .location, by: .mqtt,
        to: ModemPublication(topic: $0, isRetained: true), on: &modem, at: time(now))
    }
    if isTaken != true { announcer?.failed(at: now) }
    return isTaken == true
  }

  /// When the next message of it is due, where that could go now.
  var announcementDue: Instant? {
    guard waiting.isEmpty, current == nil, modem.isFree, modem.hasBrokerSession else { return nil }
    return announcer?.due(at: clock.now)
  }

  /// Takes a message of the announcement back for a packet, unless it is being sent.
  func interruptAnnouncement(at now: Instant) {
    guard announcer?.underWay != nil, way.makeRoom(on: &modem, at: time(now)) != nil else { return }
    announcer?.interrupted()
  }

  /// Nothing is done against trouble for the sake of an announcement.
  func giveUpAnnouncement(at now: Instant) {
    guard announcer?.underWay != nil, way.yield(on: &modem, at: time(now)) else { return }
    announcer?.failed(at: now)
  }

  /// Takes what has become of a message of the announcement; false when it is about a packet.
  func noteAnnouncement(_ outcome: ModemOutcome, at now: Instant) -> Bool {
    switch outcome {
    case .delivered(ModemAnnouncer.ticket, ModemAnnouncer.way):
      // What only answers say is known to nobody there.
      if announcer?.delivered() == true {
        tell(.request(Array("status".utf8), channel: ModemTransport.mqtt.rawValue))
      }
      return true
    case .undelivered(ModemAnnouncer.ticket, ModemAnnouncer.way, _):
      announcer?.failed(at: now)
      return true
    default: return false
    }
  }
}
