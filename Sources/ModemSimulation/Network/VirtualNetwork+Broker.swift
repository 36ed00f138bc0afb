public import Quantities

/// What a broker remembers of one client.
struct BrokerSession: Sendable {
  /// Filters and their quality of service, in the order of subscribing.
  var subscriptions: [(filter: String, qos: Int)] = []
  /// Messages for a client that is away.
  var queued: [(topic: String, payload: [UInt8])] = []
  /// Number of the open connection; nil while the client is away.
  var connection: Int?
  /// True when the session ends with the connection.
  var isClean = true
}

extension VirtualNetwork {
  /// Messages a broker keeps for one client that is away; the oldest are dropped.
  static var maximumQueuedMessages: Int { 100 }

  /// Why a broker does not accept a client; nil when it does.
  func refusal(by broker: MQTTBroker, of settings: MQTTConnectRequest) -> NetworkFailure? {
    if broker.usesTLS != settings.usesTLS { return .tls }
    if let user = broker.user, user != settings.user || broker.password != settings.password { return .refused }
    // A client without a name must ask for a clean session. [mqtt311] section 3.1.3.1
    if settings.clientID.isEmpty && !settings.cleanSession { return .refused }
    return nil
  }

  /// Sessions belong to a broker and a client's name.
  static func sessionKey(_ settings: MQTTConnectRequest) -> String {
    "\(settings.host):\(settings.port)|\(settings.clientID)"
  }

  /// A client connects: an earlier connection of the same name is closed, what was kept for it is sent.
  mutating func beginSession(of settings: MQTTConnectRequest, id: Int, after delay: Interval) {
    let key = VirtualNetwork.sessionKey(settings)
    pending.removeAll {
      if case .vanished(let gone) = $0.event { VirtualNetwork.sessionKey(gone) == key } else { false }
    }
    var session = sessions[key] ?? BrokerSession()
    if let old = session.connection, old != id, connections[old] != nil {
      answer(.mqttClosed(id: old), on: .mqtt)
    }
    if settings.cleanSession { session = BrokerSession() }
    session.isClean = settings.cleanSession
    session.connection = id
    let kept = session.queued
    session.queued = []
    sessions[key] = session
    for message in kept {
      answer(.mqttMessage(id: id, topic: message.topic, payload: message.payload), on: .mqtt, after: delay)
    }
  }

  /// A client says goodbye: no last will.
  mutating func endSession(of settings: MQTTConnectRequest) {
    let key = VirtualNetwork.sessionKey(settings)
    if sessions[key]?.isClean ?? true { sessions[key] = nil } else { sessions[key]?.connection = nil }
  }

  /// A connection broke: the broker notices after one and a half times the client's silence limit, unless it closed the
  /// connection itself.
  mutating func abandon(_ settings: MQTTConnectRequest, after delay: Interval? = nil) {
    sessions[VirtualNetwork.sessionKey(settings)]?.connection = nil
    let patience = delay ?? Interval(microseconds: Int64(settings.keepAlive) * 1_500_000)
    schedule(.vanished(settings), at: now + patience)
  }

  /// An outage is over: the broker has given up clients of which it heard nothing for one and a half times their limit,
  /// and tells them now.
  mutating func dropSilentClients(since start: Instant) {
    guard endOfOutage(of: .mqtt, at: start) != nil else { return }
    for id in connections.keys.sorted() {
      guard let connection = connections[id], case .mqtt(_, let settings) = connection.peer else { continue }
      let patience = Interval(microseconds: Int64(settings.keepAlive) * 1_500_000)
      if settings.keepAlive > 0, connection.openedAt <= start, now - start >= patience { close(id) }
    }
  }

  /// Publishes what a vanished client left.
  mutating func publishWill(of settings: MQTTConnectRequest) {
    let key = VirtualNetwork.sessionKey(settings)
    guard sessions[key]?.connection == nil else { return }
    if sessions[key]?.isClean == true { sessions[key] = nil }
    guard let will = settings.will else { return }
    received.append(
      ReceivedPayload(time: now, channel: .mqtt, destination: will.topic, method: "will", bytes: will.payload, id: 0))
    distribute(will.topic, will.payload, isRetained: will.isRetained, after: .zero)
  }

  /// A request reaches a broker.
  mutating func handleMQTT(
    _ request: NetworkRequest, _ broker: MQTTBroker, _ settings: MQTTConnectRequest, after delay: Interval
  ) {
    let key = VirtualNetwork.sessionKey(settings)
    switch request {
    case .mqttPublish(let id, let message, let topic, let payload, _, let isRetained):
      guard TopicFilter.isTopic(topic),
        broker.refusedTopics.isEmpty || !TopicFilter.matches(broker.refusedTopics, topic)
      else { return close(id, after: delay) }
      received.append(ReceivedPayload(time: now, channel: .mqtt, destination: topic, bytes: payload, id: id))
      answer(.mqttAcknowledged(id: id, message: message), on: .mqtt, after: delay)
      distribute(topic, payload, isRetained: isRetained, after: delay)
      if !broker.acknowledgementSuffix.isEmpty, let sequence = VirtualNetwork.sequence(in: payload) {
        let answerTopic = topic + broker.acknowledgementSuffix
        distribute(answerTopic, Array("ACK \(sequence)".utf8), isRetained: false, after: delay)
      }
    case .mqttSubscribe(let id, let message, let filter, let qos):
      guard TopicFilter.isValid(filter) else { return close(id, after: delay) }
      sessions[key]?.subscriptions.removeAll { $0.filter == filter }
      sessions[key]?.subscriptions.append((filter, qos))
      answer(.mqttAcknowledged(id: id, message: message), on: .mqtt, after: delay)
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key }) where TopicFilter.matches(filter, topic) {
        answer(.mqttMessage(id: id, topic: topic, payload: payload), on: .mqtt, after: delay)
      }
    case .mqttUnsubscribe(let id, let message, let filter):
      sessions[key]?.subscriptions.removeAll { $0.filter == filter }
      answer(.mqttAcknowledged(id: id, message: message), on: .mqtt, after: delay)
    default: return
    }
  }

  /// Gives a message to everybody who subscribed to it, once each.
  mutating func distribute(_ topic: String, _ payload: [UInt8], isRetained: Bool, after delay: Interval) {
    if isRetained { retained[topic] = payload.isEmpty ? nil : payload }
    for key in sessions.keys.sorted() {
      guard let session = sessions[key] else { continue }
      let fitting = session.subscriptions.filter { TopicFilter.matches($0.filter, topic) }
      guard let qos = fitting.map(\.qos).max() else { continue }
      if let id = session.connection, connections[id] != nil {
        answer(.mqttMessage(id: id, topic: topic, payload: payload), on: .mqtt, after: delay)
      } else if qos > 0 && !session.isClean {
        if session.queued.count >= VirtualNetwork.maximumQueuedMessages { sessions[key]?.queued.removeFirst() }
        sessions[key]?.queued.append((topic, payload))
      }
    }
  }

  /// Somebody else publishes a message on the broker.
  public mutating func publish(_ payload: [UInt8], to topic: String, isRetained: Bool = false, at now: Instant) {
    advance(to: now)
    let delay = Interval(microseconds: latency.exchange.draw(with: &random).microseconds / 2)
    distribute(topic, payload, isRetained: isRetained, after: delay)
  }
}
