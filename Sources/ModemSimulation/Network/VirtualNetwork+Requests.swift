public import Quantities

extension VirtualNetwork {
  /// Takes a request of the modem.
  public mutating func take(_ request: NetworkRequest, at now: Instant) {
    advance(to: now)
    switch request {
    case .openSocket(let id, let isUDP, let host, let port, let usesTLS):
      let server = socketServers.first { reaches($0.host, host) && $0.port == port && $0.isUDP == isUDP }
      let fault: NetworkFailure? = server.map { $0.usesTLS == usesTLS ? nil : .tls } ?? .refused
      open(
        id, host: host, as: server.map { .socket($0) }, channel: isUDP ? .udp : .tcp, usesTLS: usesTLS, failure: fault,
        accepted: .opened(id: id), refused: { .refused(id: id, $0) })
    case .httpConnect(let id, let url):
      guard let address = URLParts(url: url) else { return answer(.httpFailed(id: id, .noSuchHost), on: .http) }
      let server = httpServers.first { reaches($0.host, address.host) && $0.port == address.port }
      let fault: NetworkFailure? = server.map { $0.usesTLS == address.usesTLS ? nil : .tls } ?? .refused
      open(
        id, host: address.host, as: server.map { .http($0) }, channel: .http, usesTLS: address.usesTLS, failure: fault,
        accepted: .httpConnected(id: id), refused: { .httpFailed(id: id, $0) })
    case .mqttConnect(let id, let settings):
      let broker = brokers.first { reaches($0.host, settings.host) && $0.port == settings.port }
      let fault = broker.map { refusal(by: $0, of: settings) } ?? .refused
      open(
        id, host: settings.host, as: broker.map { .mqtt($0, settings) }, channel: .mqtt, usesTLS: settings.usesTLS,
        failure: fault, accepted: .mqttConnected(id: id), refused: { .mqttRefused(id: id, $0) })
    case .send, .httpRequest, .mqttPublish, .mqttSubscribe, .mqttUnsubscribe: exchange(request)
    case .closeSocket(let id), .httpDisconnect(let id): forget(id)
    case .mqttDisconnect(let id):
      if case .mqtt(_, let settings)? = connections[id]?.peer { endSession(of: settings) }
      forget(id)
    case .resolve(let id, let host): resolve(id, host)
    case .networkTime(let id, let host): tellTime(id, host)
    case .sms(let id, let number, let text, let wantsReport): takeMessage(id, number, text, wantsReport: wantsReport)
    }
  }

  /// True when a host the modem named is the server's.
  func reaches(_ server: String, _ host: String) -> Bool {
    server == host || addresses[server] == host || addresses[host] == server
  }

  /// Nothing of a connection reaches anybody any more, what is under way to the server excepted.
  mutating func forget(_ id: Int) {
    // Bytes that left before the close still arrive, as a closing TCP socket flushes what it holds.
    let underway = pending.filter { if case .arrival(let request, _) = $0.event { request.id == id } else { false } }
    for next in underway.sorted(by: isEarlier) {
      if case .arrival(let request, let mishap) = next.event, endOfOutage(of: .tcp, at: now) == nil {
        handle(request, mishap: mishap)
      }
    }
    connections[id] = nil
    pending.removeAll {
      switch $0.event {
      case .arrival(let request, _): return request.id == id
      case .reply(let reply, _): return reply.id == id
      case .idleCheck(let checked): return checked == id
      case .vanished, .outageEnds: return false
      }
    }
    replies.removeAll { $0.id == id }
  }

  /// Answers a connection attempt.
  mutating func open(
    _ id: Int, host: String, as peer: Connection.Peer?, channel: NetworkChannel, usesTLS: Bool,
    failure: NetworkFailure?, accepted: NetworkReply, refused: (NetworkFailure) -> NetworkReply
  ) {
    var delay = latency.connect.draw(with: &random)
    if usesTLS { delay = delay + latency.handshake.draw(with: &random) }
    let mishap = plan.next(on: channel, opening: true, random: &random)
    if case .delay(let more)? = mishap { delay = delay + more }
    var outcome = failure
    if URLParts.dotted(host) == nil && addresses[host] == nil { outcome = .noSuchHost }
    if case .refuse(let reason)? = mishap { outcome = reason }
    if endOfOutage(of: channel, at: now) != nil { outcome = .timedOut }
    // A datagram socket needs nobody on the other side.
    if channel == .udp, outcome == .refused || outcome == .timedOut, mishap == nil { outcome = nil }
    guard outcome == nil else {
      if outcome == .timedOut || outcome == .unreachable { delay = latency.connectTimeout }
      // The failure is found by the modem itself; it needs no way back through an outage.
      schedule(.reply(refused(outcome ?? .refused), channel), at: now + delay)
      return
    }
    let silent = SocketServer(host: host, port: 0, isUDP: true, behaviour: .silent)
    let connection = Connection(peer: peer ?? .socket(silent), lastUse: now, openedAt: now)
    connections[id] = connection
    answer(accepted, on: channel, after: delay)
    if case .http(let server) = connection.peer, let idle = server.closesIdleAfter {
      schedule(.idleCheck(id), at: now + delay + idle)
    }
    if case .mqtt(_, let settings) = connection.peer { beginSession(of: settings, id: id, after: delay) }
  }

  /// Sends a request on an open connection.
  mutating func exchange(_ request: NetworkRequest) {
    guard let connection = connections[request.id] else { return }
    let mishap = plan.next(on: connection.channel, opening: false, random: &random)
    if mishap == .loseRequest { return }
    if connection.channel == .udp, endOfOutage(of: .udp, at: now) != nil { return }
    // Half of the way there and back lies before the server.
    let there = Interval(microseconds: latency.exchange.draw(with: &random).microseconds / 2)
    let due = max(now + there, connection.lastDue)
    connections[request.id]?.lastDue = due
    connections[request.id]?.lastUse = due
    schedule(.arrival(request, mishap), at: due)
  }

  /// A request is at its server.
  mutating func handle(_ request: NetworkRequest, mishap: NetworkMishap?) {
    guard let connection = connections[request.id] else { return }
    if mishap == .dropBeforeHandling { return close(request.id) }
    let already = pending.count
    let before = received.count
    var back = Interval(microseconds: latency.exchange.draw(with: &random).microseconds / 2)
    if case .delay(let more)? = mishap { back = back + more }
    switch (request, connection.peer) {
    case (.send(let id, let bytes), .socket(let server)): handleBytes(bytes, id: id, at: server, after: back)
    case (.httpRequest(let id, let method, let url, let headers, let body), .http(let server)):
      let payload = ReceivedPayload(
        time: now, channel: .http, destination: url, method: method, headers: headers, bytes: body, id: id)
      handleHTTP(payload, at: server, after: back)
    case (_, .mqtt(let broker, let settings)): handleMQTT(request, broker, settings, after: back)
    default: return
    }
    guard mishap == .loseAnswer || mishap == .dropAfterHandling else { return }
    pending.removeSubrange(already...)
    for place in before..<received.count { received[place].answerIsLost = true }
    if mishap == .dropAfterHandling { close(request.id, after: back) }
  }

  /// A server closes a connection.
  mutating func close(_ id: Int, after delay: Interval = .zero) {
    guard let connection = connections[id] else { return }
    answer(closing(of: connection, id: id), on: connection.channel, after: delay)
    if case .mqtt(_, let settings) = connection.peer { abandon(settings, after: delay) }
  }

  /// All servers of a channel close their connections now: kept-open HTTP connections die, the broker drops its clients.
  public mutating func closeConnections(of channel: NetworkChannel, at now: Instant) {
    advance(to: now)
    for id in connections.keys.sorted() where connections[id]?.channel == channel { close(id) }
    advance(to: now)
  }

  /// The modem lost its power or its way: nothing it had open will hear or say anything more, and the servers find out only
  /// by time.
  public mutating func abandonConnections(at now: Instant) {
    advance(to: now)
    for id in connections.keys.sorted() {
      if case .mqtt(_, let settings)? = connections[id]?.peer { abandon(settings) }
      connections[id] = nil
    }
    pending.removeAll {
      switch $0.event {
      // The message centre does not care whether the modem is there.
      case .vanished, .outageEnds, .reply(.smsReported, _): return false
      default: return true
      }
    }
    replies = []
  }
}
