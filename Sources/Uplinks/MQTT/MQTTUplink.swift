import CMosquitto
import Delivery
import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry

/// MQTT 3.1.1 over the board's network: quality of service 1, a session that the broker keeps.
///
/// The broker's PUBACK delivers a packet, and nothing else does. What is under way when a connection breaks is sent again by
/// libmosquitto on the next; a connection on which the broker is silent for too long is made anew, and everything without an
/// acknowledgement published again.
///
/// A clean `stop` says goodbye and so keeps the broker from publishing the will; it takes no time but with a socket that is
/// full, where it waits `stopLimit` at most. Requests are subscribed to at each connection; a retained one, which would come
/// again with each, is counted and passed over, as nobody knows when it was meant. Whatever else the broker sends is told as it
/// comes, duplicates included.
package final class MQTTUplink: Uplink, TellingUplink {
  private enum Phase {
    case stopped
    /// Nothing is open until then.
    case pausing(until: Instant)
    /// A thread looks up the name and connects.
    case connecting(since: Instant)
    /// TLS and the broker's answer are waited for.
    case greeting(since: Instant)
    case open(since: Instant)
  }

  private struct Flight {
    /// Of its message, and of the one that is kept for its kind; nil for what has arrived.
    var number: Int32?
    var copy: Int32?
    var packet: OutgoingPacket
    var since: Instant
  }

  /// Called when there is news or the state has changed.
  package var onNews: () -> Void = {}
  /// Kind and place, of several the first, and what tells it from others to the same broker.
  package var name: String { MQTTUplink.place(of: settings) + remark }
  /// What stands behind the place in its name: `UplinkSettings.remarks`.
  package var remark = ""
  /// Packets that may be under way at the same time, as far as delivery wants it.
  package var capacity: Int { 32 }
  /// How it stands.
  package internal(set) var state = UplinkState.idle
  /// That the broker has taken packets and not acknowledged them, until it acknowledges one: to connect proves nothing then.
  package private(set) var doubt: String?

  private let settings: MQTTSettings
  private let limits: MQTTLimits
  private var loop: EventLoop?
  private var mailbox: Mailbox<MQTTConnection>?
  private let makeClient: (MQTTSettings) -> (any MQTTClient)?
  private var client: (any MQTTClient)?
  private var watched: Int32 = -1
  private var interest: Readiness = []
  private var phase = Phase.stopped
  var backOff: BackOff
  private var lastTry = Instant.zero
  private var lastFailureMayPass = true
  private var nextCare: Instant?
  private var waiting = PacketQueue()
  private var flights: [Flight] = []
  var news: [UplinkNews] = []
  private var connectionCount = 0
  private var publishedCount = 0
  private var acknowledgedCount = 0
  private var subscription: Bool?
  private var retainedCount = 0
  private let hosts: [MQTTHost]
  /// The broker that is used, and how many were tried since one last worked for a while.
  private var host = 0
  private var triedHosts = 0
  /// What the form of the packets has the broker say and keep.
  package var words = MQTTFormWords()
  /// The time of day at an instant; nil while nobody knows it.
  package var utc: (Instant) -> UTCTime? = { _ in nil }
  /// What the board says of itself, for whom the tracker is announced to.
  package var boardState: () -> [UInt8] = { [] }
  /// What is told beside the packets.
  private var announcer: MQTTAnnouncer?
  /// The newest packets, of all and on each topic.
  private var newest = NewestPackets()

  /// - Parameters:
  ///   - settings: The broker.
  ///   - limits: How long the broker may take.
  ///   - seed: Of the jitter.
  ///   - makeClient: Makes what talks to the broker; nil when it does not take the settings.
  package init(
    _ settings: MQTTSettings, limits: MQTTLimits = MQTTLimits(), seed: UInt64,
    makeClient: @escaping (MQTTSettings) -> (any MQTTClient)? = MQTTUplink.mosquitto
  ) {
    self.settings = settings
    self.makeClient = makeClient
    self.limits = limits
    hosts = settings.hosts
    announcer = settings.announcement.map { MQTTAnnouncer($0) }
    backOff = BackOff(seed: seed)
  }

  deinit { stop() }

  /// Kind and place in a name.
  static func place(of settings: MQTTSettings) -> String { "mqtt \(settings.host):\(settings.port)" }

  /// Clients of libmosquitto.
  package static func mosquitto(_ settings: MQTTSettings) -> (any MQTTClient)? { MosquittoClient(settings) }

  // MARK: Life

  /// Joins the loop and connects.
  ///
  /// - Throws: A certificate or key file that can't be read, or no file descriptors left.
  package func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    guard case .stopped = phase else { return }
    try settings.tls?.checkFiles()
    let mailbox = try Mailbox<MQTTConnection>()
    loop.add(self)
    do throws(DeviceFailure) {
      try loop.watch(mailbox.wakeUp.descriptor, for: .reading, by: self)
    } catch {
      loop.remove(self)
      throw error
    }
    self.mailbox = mailbox
    self.loop = loop
    state = .opening
    connect(at: now)
  }

  /// Says goodbye to the broker and leaves the loop; see `MQTTLimits.stop`.
  package func stop() {
    guard let loop else { return }
    loop.remove(self)
    self.loop = nil
    if let client, client.abandon() {
      // A goodbye keeps the will from being published: nobody else would say it.
      if case .open = phase, let announcer {
        _ = client.publish(
          Array(MQTTAnnouncement.offline.utf8), topic: announcer.content.availabilityTopic, isRetained: true)
      }
      client.disconnect(within: limits.stop)
    }
    client = nil
    mailbox = nil
    watched = -1
    for flight in flights.reversed() { waiting.putBack(flight.packet) }
    flights = []
    phase = .stopped
    state = .idle
  }

  private func connect(at now: Instant) {
    guard let mailbox else { return }
    lastTry = now
    if client == nil { client = makeClient(settings) }
    guard let client else { return fail("libmosquitto refused the settings", .refusal, at: now) }
    // No thread now is no thread for a moment.
    var settings = settings
    (settings.host, settings.port) = (hosts[host].name, hosts[host].port)
    if settings.will == nil, let will = words.will { settings.will = (settings.topic, will(utc(now))) }
    guard client.connect(settings, mailbox: mailbox) else {
      return fail("the system has no threads left", .passing, at: now)
    }
    phase = .connecting(since: now)
  }

  /// Gives the connection up for now; what is under way stays with the client, which sends it again.
  private func fail(_ reason: String, _ kind: BackOff.Kind, at now: Instant, keepsClient: Bool = true) {
    if watched >= 0 { loop?.forget(watched) }
    watched = -1
    if !keepsClient || (client?.socket ?? -1) >= 0 { dropClient() }
    // The next broker is tried at once, and only when none works there is a pause.
    host = (host + 1) % hosts.count
    triedHosts += 1
    var retry = now + limits.nextHost
    if triedHosts >= hosts.count {
      triedHosts = 0
      retry = now + backOff.next(after: kind)
    }
    lastFailureMayPass = kind == .passing
    phase = .pausing(until: retry)
    nextCare = nil
    show(.failed(reason: reason, retryAt: retry))
  }

  /// A client that can't be used any more goes; what it had under way is published again by the next.
  private func dropClient() {
    client?.abandon()
    client = nil
    for flight in flights.reversed() { waiting.putBack(flight.packet) }
    flights = []
  }

  // MARK: The loop

  /// The socket is ready, or the thread that connects has an answer.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    if descriptor == mailbox?.wakeUp.descriptor {
      for connection in mailbox?.takeAll() ?? [] where connection.client === client {
        connected(connection.code, connection.errorNumber, at: now)
      }
    } else if descriptor == watched, let client {
      settle(client.process(readiness), at: now)
    }
  }

  private func connected(_ code: Int32, _ errorNumber: Int32, at now: Instant) {
    guard case .connecting(let since) = phase, let client else { return }
    if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { phase = .greeting(since: since) }
    nextCare = now + careInterval
    settle(code, errorNumber: errorNumber, at: now)
    if case .greeting = phase, client.wantsToWrite { settle(client.process(.writing), at: now) }
  }

  /// Takes what a call of the library brought, and sees to the socket.
  private func settle(_ code: Int32, errorNumber: Int32 = 0, at now: Instant) {
    guard let client else { return }
    for event in client.takeEvents() {
      switch event {
      case .answered(0): opened(at: now)
      case .answered(let code):
        return fail(
          MQTTWords.refusal(code), MQTTWords.isLasting(refusal: code) ? .refusal : .passing, at: now)
      case .acknowledged(let number):
        noteAcknowledgement()
        guard let place = flights.firstIndex(where: { $0.number == number || $0.copy == number }) else {
          if announcer?.acknowledged(number) == true { announce(at: now) }
          continue
        }
        if flights[place].number == number { flights[place].number = nil } else { flights[place].copy = nil }
        guard flights[place].number == nil, flights[place].copy == nil else { continue }
        acknowledgedCount += 1
        let packet = flights.remove(at: place).packet
        tell(.delivered(sequence: packet.sequence, way: packet.way))
      case .subscribed(let isGranted): subscription = isGranted
      case .message(let payload, let topic, let isRetained):
        if let announcer, topic == announcer.content.serverTopic {
          guard payload.elementsEqual(MQTTAnnouncement.online.utf8) else { continue }
          self.announcer?.begin()
          announce(at: now)
        } else if announcer != nil, topic == answerTopic {
          self.announcer?.foundAnswer()
          client.unsubscribe(topic)
        } else if isRetained {
          retainedCount += 1
        } else {
          tell(.request(payload))
        }
      }
    }
    guard code == Int32(MOSQ_ERR_SUCCESS.rawValue), client.socket >= 0 else {
      let (reason, kind) = MQTTWords.failure(
        code, errorNumber: errorNumber, complaint: client.complaint, host: hosts[host].name)
      // What has worked once works again: a connection that breaks, however, is no refusal.
      if case .open = phase {
        // The library would send it again on the next, before anything else.
        let isSuspected = announcer?.closed(at: now) == true
        return fail(reason, .passing, at: now, keepsClient: !isSuspected)
      }
      return fail(reason, kind, at: now)
    }
    watch(client, at: now)
  }

  private func watch(_ client: any MQTTClient, at now: Instant) {
    let descriptor = client.socket
    if watched >= 0, watched != descriptor { loop?.forget(watched) }
    let next: Readiness = client.wantsToWrite ? [.reading, .writing] : .reading
    guard descriptor != watched || next != interest else { return }
    watched = descriptor
    interest = next
    do throws(DeviceFailure) {
      try loop?.watch(descriptor, for: next, by: self)
    } catch {
      fail(error.message, .passing, at: now, keepsClient: false)
    }
  }

  private func opened(at now: Instant) {
    phase = .open(since: now)
    connectionCount += 1
    // libmosquitto sends them again.
    for place in flights.indices { flights[place].since = now }
    subscription = nil
    if let topic = settings.commandTopic { client?.subscribe(topic) }
    if let announcer {
      self.announcer?.connected()
      client?.subscribe(announcer.content.serverTopic)
      client?.subscribe(answerTopic)
    }
    // A broker that acknowledges nothing has failed until it does. With nothing to send the next packet finds out.
    if let doubt, !(waiting.isEmpty && flights.isEmpty) {
      show(.failed(reason: doubt, retryAt: nil))
    } else {
      show(.open)
    }
    // Packets first; whoever waits for them must not wait for what is said about them.
    publish(at: now)
    if case .open = phase, let card = words.card {
      _ = client?.publish(Array(card().utf8), topic: settings.topic + "\(MessageTopic.info.suffix)", isRetained: true)
    }
    guard case .open = phase, let announcer else { return }
    _ = client?.publish(
      Array(MQTTAnnouncement.online.utf8), topic: announcer.content.availabilityTopic, isRetained: true)
    self.announcer?.begin()
    announce(at: now)
    tellState(at: now)
  }

  /// Tells what the board says of itself, when it is time and that has changed.
  private func tellState(at now: Instant) {
    guard case .open = phase, let client, let due = announcer?.stateDue, due <= now else { return }
    let state = boardState()
    guard announcer?.takes(state: state, at: now) == true else { return }
    _ = client.publish(state, topic: settings.topic + MQTTAnnouncement.state, isRetained: true)
    watch(client, at: now)
  }

  /// Sends the next of what is to be told, one at a time: a packet waits behind one of them at most.
  private func announce(at now: Instant) {
    guard case .open = phase, let client else { return }
    guard let message = announcer?.next else {
      // Whether alerts are on stands in answers alone: with none at the broker, or none any more, one is asked for, and with it comes how
      // the tracker stands and where it is.
      if announcer?.missesAnswer() == true {
        client.unsubscribe(answerTopic)
        tell(.request(Array("status".utf8)))
      }
      return
    }
    let (code, number) = client.publish(message.bytes, topic: message.topic, isRetained: true)
    // What is not taken now is told at the next connection.
    guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { return }
    announcer?.sent(number, at: now)
  }

  /// Where the last answer of the tracker is kept.
  private var answerTopic: String { settings.topic + (MQTTAnnouncement.suffix(of: .status) ?? "") }

  /// The broker has acknowledged something: whatever it did before, it works.
  private func noteAcknowledgement() {
    guard doubt != nil else { return }
    doubt = nil
    if case .open = phase { show(.open) }
  }

  private var careInterval: Interval {
    .seconds(max(1, min(15, Int(settings.keepAlive.microseconds / 4_000_000))))
  }

  /// Connects again, sends signs of life, and gives up on a broker that is silent.
  package func advance(to now: Instant) {
    guard let deadline = nextDeadline, deadline <= now else { return }
    tellState(at: now)
    guard let deadline = careDeadline, deadline <= now else { return }
    switch phase {
    case .stopped: return
    case .pausing:
      // It has failed until it works: a try does not make it better than another way.
      if case .failed(let reason, _) = state { show(.failed(reason: reason, retryAt: nil)) }
      connect(at: now)
    case .connecting: fail("\(hosts[host].name) can't be reached in time", .passing, at: now, keepsClient: false)
    case .greeting(let since) where since + limits.connect <= now:
      fail("connected, but the broker does not answer", .passing, at: now, keepsClient: false)
    case .open where oldestFlight.map({ $0 + limits.acknowledgement <= now }) ?? false:
      doubt = "the broker does not acknowledge"
      fail("the broker does not acknowledge", .passing, at: now, keepsClient: false)
    case .greeting, .open:
      nextCare = now + careInterval
      if case .open(let since) = phase, since + limits.stable <= now, doubt == nil {
        backOff.reset()
        triedHosts = 0
      }
      if let client { settle(client.processTime(), at: now) }
    }
  }

  private var oldestFlight: Instant? { flights.lazy.map(\.since).min() }

  /// When `advance` is wanted next.
  package var nextDeadline: Instant? {
    guard case .open = phase, let due = announcer?.stateDue, let care = careDeadline else { return careDeadline }
    return min(care, due)
  }

  /// When the connection has to be seen to.
  private var careDeadline: Instant? {
    switch phase {
    case .stopped: return nil
    case .pausing(let until): return until
    case .connecting(let since): return since + limits.connect
    case .greeting(let since): return min(since + limits.connect, nextCare ?? since)
    case .open(let since):
      let silence = oldestFlight.map { $0 + limits.acknowledgement }
      return min(nextCare ?? since, silence ?? nextCare ?? since)
    }
  }

  // MARK: Packets

  /// Takes a packet; it is on the socket when the call returns, if the way is open.
  package func take(_ packet: OutgoingPacket, at now: Instant) {
    guard !waiting.contains(packet), !flights.contains(where: { $0.packet.isSame(as: packet) })
    else { return }
    waiting.append(packet)
    if case .open = phase { publish(at: now) } else if packet.kind.priority == .alert { hurry(at: now) }
  }

  /// Forgets a packet that has not been published yet.
  package func forget(_ sequence: UInt32, way: Int) { waiting.remove(sequence, way: way) }

  private func publish(at now: Instant) {
    while case .open = phase, let client, let packet = waiting.popFirst() {
      let isLate = announcer != nil && newest.isLate(packet.sequence)
      let suffix = isLate ? MQTTAnnouncement.late : "\(packet.head.topic.suffix)"
      let isRetained = settings.isRetained && packet.head.mayBeRetained && !isLate && newest.isNewest(packet)
      let (code, number) = client.publish(packet.bytes, topic: settings.topic + suffix, isRetained: isRetained)
      switch code {
      case Int32(MOSQ_ERR_INVAL.rawValue), Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue),
        Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue), Int32(MOSQ_ERR_MALFORMED_UTF8.rawValue):
        tell(
          .undelivered(
            sequence: packet.sequence, way: packet.way, reason: "MQTT can't carry it: \(packet.bytes.count) bytes"))
      case Int32(MOSQ_ERR_NOMEM.rawValue):
        waiting.putBack(packet)
        return fail("out of memory", .passing, at: now, keepsClient: false)
      default:
        // In the library's hands now, even if the connection has just broken.
        publishedCount += 1
        var flight = Flight(number: number, packet: packet, since: now)
        // A second time where its kind is kept.
        if announcer != nil, newest.keeps(packet), let suffix = MQTTAnnouncement.suffix(of: packet.kind) {
          let (code, number) = client.publish(packet.bytes, topic: settings.topic + suffix, isRetained: true)
          if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { flight.copy = number }
        }
        flights.append(flight)
        settle(code, at: now)
      }
    }
  }

  /// A new alert does not wait for the end of a long pause.
  private func hurry(at now: Instant) {
    guard case .pausing(let until) = phase, lastFailureMayPass else { return }
    let soon = max(now, lastTry + BackOff.alertPatience)
    guard soon < until else { return }
    phase = .pausing(until: soon)
    if case .failed(let reason, _) = state { state = .failed(reason: reason, retryAt: soon) }
  }

  /// The next news.
  package func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  /// What was sent and acknowledged.
  package var facts: [(name: String, value: String)] {
    var facts = [
      ("published", "\(publishedCount)"), ("acknowledged", "\(acknowledgedCount)"),
      ("in flight", "\(flights.count + waiting.count)"), ("connections", "\(connectionCount)"),
    ]
    if hosts.count > 1 { facts.append(("broker", hosts[host].text)) }
    if let announcer {
      facts.append(("announced", "\(announcer.count) times"))
      if let bytes = announcer.longestRefused {
        facts.append(("not announced", "the broker closes the connection at a message of \(bytes) bytes"))
      }
    }
    if let topic = settings.commandTopic {
      facts.append(("requests", subscription == false ? "refused on \(topic)" : topic))
      if retainedCount > 0 { facts.append(("retained requests ignored", "\(retainedCount)")) }
    }
    return facts
  }
}

/// How long a broker may take.
package struct MQTTLimits: Equatable, Sendable {
  /// From the look-up of the name to the broker's yes. Default 20 s.
  package var connect: Interval = .seconds(20)
  /// From a publish to its acknowledgement; then the connection is made anew. Default 20 s.
  package var acknowledgement: Interval = .seconds(20)
  /// A connection that lives so long ends the trouble before it. Default 10 s.
  package var stable: Interval = .seconds(10)
  /// From a broker that failed to the next of the list. Default 0.1 s.
  package var nextHost: Interval = .milliseconds(100)
  /// The longest that `stop` waits for a socket that takes no bytes. Default 0.5 s.
  package var stop: Interval = .milliseconds(500)

  /// The defaults.
  package init() {}
}
