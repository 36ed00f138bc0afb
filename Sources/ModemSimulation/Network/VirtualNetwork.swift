public import Quantities

/// A network with servers on virtual time: it answers a modem's `NetworkRequest`s without a socket.
///
/// Servers, names, delays, outages and mishaps are set by whoever makes it; everything a server receives is kept with its
/// time. The state is a function of the set-up, the seed and the calls. Drive it like the modem: `take` what the modem
/// asks, `advance(to:)` its deadline, pull `nextReply()` until nil and deliver each to the modem.
public struct VirtualNetwork: Sendable {
  /// Delays of every operation.
  public var latency: NetworkLatency
  /// Time of day at `Instant.zero`, which the time servers report. Default 2026-06-01T08:00:00Z, as the modem.
  public var utcTimeAtZero = UTCTime(microseconds: 1_780_300_800_000_000)
  /// Names and their addresses. A server added under a name gets an entry by itself.
  public var addresses: [String: String] = [:]
  /// Code of `+CMS ERROR` with which the message centre refuses everything; nil when it works.
  public var smsRefusalCode: Int?
  /// What the message centre reports of messages that it has taken: see `MessageReport.status`.
  public var smsReportStatus = 0
  /// What the servers got, in the order of its arrival.
  public internal(set) var received: [ReceivedPayload] = []

  /// Virtual time.
  var now = Instant.zero
  /// Source of delays and chance.
  var random: ModemRandom
  /// What will go wrong.
  var plan = MishapPlan()
  /// When nothing gets through.
  var outages: [Outage] = []
  /// HTTP servers.
  var httpServers: [HTTPServer] = []
  /// TCP and UDP servers.
  var socketServers: [SocketServer] = []
  /// MQTT brokers.
  var brokers: [MQTTBroker] = []
  /// What is open, by the modem's number.
  var connections: [Int: Connection] = [:]
  /// What the brokers remember, by `sessionKey`.
  var sessions: [String: BrokerSession] = [:]
  /// Retained messages by topic.
  package internal(set) var retained: [String: [UInt8]] = [:]
  /// What will happen, in no order.
  var pending: [Scheduled] = []
  /// Counts what was scheduled, so that equal times keep their order.
  var order: UInt64 = 0
  /// Answers that are due.
  var replies: [NetworkReply] = []
  /// Last reference of the message centre.
  var smsReference = 0

  /// A network without servers.
  public init(seed: UInt64, latency: NetworkLatency = NetworkLatency()) {
    random = ModemRandom(seed: seed ^ 0x4E45_5457_4F52_4B21)
    self.latency = latency
  }

  /// A time during which nothing gets through.
  struct Outage: Sendable {
    /// First moment.
    var from: Instant
    /// First moment after it.
    var until: Instant
    /// What it concerns; nil for everything.
    var channel: NetworkChannel?
  }

  /// What is open between the modem and a server.
  struct Connection: Sendable {
    /// Who is at the other end.
    enum Peer: Sendable {
      case socket(SocketServer)
      case http(HTTPServer)
      case mqtt(MQTTBroker, MQTTConnectRequest)
    }
    /// Who is at the other end.
    var peer: Peer
    /// Answers of one connection keep their order.
    var lastDue = Instant.zero
    /// Start of a line that has not ended yet.
    var line: [UInt8] = []
    /// When anything last went over it.
    var lastUse: Instant
    /// When it was opened.
    var openedAt: Instant

    /// What kind of traffic it carries.
    var channel: NetworkChannel {
      switch peer {
      case .socket(let server): return server.isUDP ? .udp : .tcp
      case .http: return .http
      case .mqtt: return .mqtt
      }
    }
  }

  /// Something that will happen.
  struct Scheduled: Sendable {
    /// What happens.
    enum Event: Sendable {
      /// A request is at the server. The mishap was drawn when it left.
      case arrival(NetworkRequest, NetworkMishap?)
      /// An answer is at the modem.
      case reply(NetworkReply, NetworkChannel)
      /// A connection may have been idle for too long.
      case idleCheck(Int)
      /// What was silent for too long is closed.
      case outageEnds(from: Instant)
      /// A client is gone that never said goodbye.
      case vanished(MQTTConnectRequest)
    }
    /// When.
    var due: Instant
    /// Counts what was scheduled, so that equal times keep their order.
    var order: UInt64
    /// When it was sent, for the limit of retransmission.
    var since: Instant
    /// What.
    var event: Event
  }

  // MARK: Setting up

  /// Adds an HTTP server.
  public mutating func add(_ server: HTTPServer) {
    httpServers.append(server)
    enterName(server.host)
  }

  /// Adds a TCP or UDP server.
  public mutating func add(_ server: SocketServer) {
    socketServers.append(server)
    enterName(server.host)
  }

  /// Adds an MQTT broker.
  public mutating func add(_ broker: MQTTBroker) {
    brokers.append(broker)
    enterName(broker.host)
  }

  /// Gives a server's name an address.
  mutating func enterName(_ host: String) {
    guard URLParts.dotted(host) == nil, addresses[host] == nil else { return }
    // 203.0.113.0/24 is set aside for examples, so it can't be mistaken for a real host.
    addresses[host] = "203.0.113.\(1 + addresses.count % 254)"
  }

  /// Lets nothing through for a time: what is sent on open connections waits until the end, datagrams are lost, and
  /// connection attempts fail.
  public mutating func addOutage(from: Instant, until: Instant, of channel: NetworkChannel? = nil) {
    // Those that are over change nothing any more, and a network of years would never be rid of them.
    outages.removeAll { $0.until <= now }
    outages.append(Outage(from: from, until: until, channel: channel))
    schedule(.outageEnds(from: from), at: max(until, now))
  }

  /// Plans a mishap for an occasion to come.
  ///
  /// - Parameters:
  ///   - mishap: What goes wrong.
  ///   - channel: Where.
  ///   - count: How many occasions go well before it. Connection attempts count for `refuse`, requests for the others.
  public mutating func plan(_ mishap: NetworkMishap, on channel: NetworkChannel, after count: Int = 0) {
    plan.once.append(.init(channel: channel, mishap: mishap, occasionsBefore: count))
  }

  /// Makes a mishap happen by chance, at each occasion with `perMille` of 1000.
  public mutating func setChance(of mishap: NetworkMishap, on channel: NetworkChannel, perMille: Int) {
    plan.chances.removeAll { $0.channel == channel && $0.mishap == mishap }
    if perMille > 0 { plan.chances.append(.init(channel: channel, mishap: mishap, perMille: UInt64(perMille))) }
  }

  // MARK: Doors

  /// What the servers got since this was asked last; it is forgotten with that, for a network of years.
  package mutating func takeReceived() -> [ReceivedPayload] {
    defer { received.removeAll(keepingCapacity: true) }
    return received
  }

  /// When something will happen next; nil when nothing will.
  public var nextDeadline: Instant? {
    if !replies.isEmpty { return now }
    return pending.lazy.map(\.due).min()
  }

  /// The same in place: a look at a network that is part of an object copies all of it.
  package mutating func lookAtDeadline() -> Instant? { nextDeadline }

  /// The next answer that is due.
  public mutating func nextReply() -> NetworkReply? { replies.isEmpty ? nil : replies.removeFirst() }

  /// Lets everything happen that is due by `now`, in order of time. Time never goes back; an earlier time does nothing.
  public mutating func advance(to now: Instant) {
    while let place = pending.indices.min(by: { isEarlier(pending[$0], pending[$1]) }), pending[place].due <= now {
      let next = pending.remove(at: place)
      self.now = max(self.now, next.due)
      happen(next)
    }
    self.now = max(self.now, now)
  }

  /// Order of happening.
  func isEarlier(_ a: Scheduled, _ b: Scheduled) -> Bool { a.due != b.due ? a.due < b.due : a.order < b.order }

  /// Plans an event.
  mutating func schedule(_ event: Scheduled.Event, at due: Instant, since: Instant? = nil) {
    pending.append(Scheduled(due: due, order: order, since: since ?? now, event: event))
    order += 1
  }

  /// An event is due.
  mutating func happen(_ next: Scheduled) {
    switch next.event {
    case .arrival(let request, let mishap):
      guard let channel = connections[request.id]?.channel else { return }
      if let end = endOfOutage(of: channel, at: now) { return hold(next, id: request.id, channel: channel, until: end) }
      handle(request, mishap: mishap)
    case .reply(let reply, let channel):
      if let end = endOfOutage(of: channel, at: now), connections[reply.id] != nil {
        return hold(next, id: reply.id, channel: channel, until: end)
      }
      replies.append(reply)
      if isEnd(reply) { connections[reply.id] = nil }
    case .idleCheck(let id): closeIfIdle(id)
    case .outageEnds(let from): dropSilentClients(since: from)
    case .vanished(let settings): publishWill(of: settings)
    }
  }

  /// Keeps something until an outage is over, or breaks the connection when that takes too long.
  mutating func hold(_ next: Scheduled, id: Int, channel: NetworkChannel, until end: Instant) {
    guard channel != .udp else { return }
    let limit = next.since + latency.retransmissionLimit
    if end <= limit {
      schedule(next.event, at: end, since: next.since)
    } else if let connection = connections.removeValue(forKey: id) {
      // Whoever waits learns of it without the network: the modem's own retransmission timer runs out.
      loseAnswer(next, to: id)
      pending.removeAll { if case .reply(let reply, _) = $0.event { reply.id == id } else { false } }
      replies.append(closing(of: connection, id: id))
      if case .mqtt(_, let settings) = connection.peer { abandon(settings) }
    }
  }

  /// A connection breaks with an answer on its way: what it was to was received, and nobody hears of it.
  private mutating func loseAnswer(_ next: Scheduled, to id: Int) {
    var isOnItsWay = false
    for event in [next] + pending {
      if case .reply(let reply, _) = event.event, reply.id == id { isOnItsWay = true }
    }
    guard isOnItsWay, let place = received.lastIndex(where: { $0.id == id }) else { return }
    received[place].answerIsLost = true
  }

  /// When the outages of a moment are over; nil when there is none.
  func endOfOutage(of channel: NetworkChannel, at time: Instant) -> Instant? {
    var end: Instant?
    for outage in outages where outage.from <= time && time < outage.until {
      if outage.channel == nil || outage.channel == channel { end = max(end ?? outage.until, outage.until) }
    }
    return end
  }

  /// True for what ends a connection.
  func isEnd(_ reply: NetworkReply) -> Bool {
    switch reply {
    case .closed, .httpClosed, .mqttClosed, .refused, .mqttRefused: return true
    default: return false
    }
  }

  /// How the end of a connection is told.
  func closing(of connection: Connection, id: Int) -> NetworkReply {
    switch connection.channel {
    case .http: return .httpClosed(id: id)
    case .mqtt: return .mqttClosed(id: id)
    default: return .closed(id: id)
    }
  }

  /// Sends an answer on a connection, never ahead of an earlier one.
  mutating func answer(_ reply: NetworkReply, on channel: NetworkChannel, after delay: Interval = .zero) {
    var due = now + delay
    if let connection = connections[reply.id] {
      due = max(due, connection.lastDue)
      connections[reply.id]?.lastDue = due
      connections[reply.id]?.lastUse = due
    }
    schedule(.reply(reply, channel), at: due)
  }
}
