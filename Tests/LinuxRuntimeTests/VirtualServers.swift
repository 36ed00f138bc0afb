import CCurl
import CMosquitto
import Glibc
import LinuxDevices
import Quantities
import TrackerRuntime
import Uplinks

/// What a server has been given on virtual time.
final class VirtualMail {
  private(set) var bodies: [(time: Instant, text: String)] = []

  func append(_ bytes: [UInt8], at now: Instant) { bodies.append((now, String(decoding: bytes, as: UTF8.self))) }

  /// The numbers of the packets, in the order they came.
  var sequences: [Int] { bodies.compactMap { number("sequence", in: $0.text) } }
  /// When alerts came.
  var alerts: [Instant] { bodies.filter { $0.text.contains("\"type\":\"movement\"") }.map(\.time) }

  private func number(_ name: String, in text: String) -> Int? {
    guard let range = text.firstRange(of: "\"\(name)\":") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }
}

/// An HTTP server on virtual time, in place of libcurl and all that is behind it.
final class VirtualHTTPServer {
  /// How it behaves.
  enum Mood {
    /// It takes what it gets, after 100 ms.
    case works
    /// Nobody listens.
    case refuses
    /// It takes the connection and never answers.
    case neverAnswers
    /// It answers with a status, and perhaps when it wants to be asked again.
    case says(Int, retryAfter: Int = 0)
    /// It answers, and not in HTTP.
    case talksNonsense
    /// It takes the packet and is gone before it has said so.
    case diesBeforeItAnswers
  }

  var mood: (Instant) -> Mood = { _ in .works }
  /// The same of servers at other addresses, by the beginning of these.
  var moods: [(address: String, mood: (Instant) -> Mood)] = []
  let mail = VirtualMail()
  /// What it says when it has taken something; each once.
  var answers: [String] = []
  /// When requests came.
  private(set) var requests: [Instant] = []
  /// Where they went.
  private(set) var addresses: [String] = []
  private let clock: VirtualClock

  init(_ clock: VirtualClock) { self.clock = clock }

  private func mood(of url: String, at now: Instant) -> Mood {
    (moods.first { url.hasPrefix($0.address) }?.mood ?? mood)(now)
  }

  func exchange(_ settings: HTTPSettings) -> any HTTPExchange { Exchange(self, timeout: settings.timeout) }

  private final class Exchange: HTTPExchange {
    var watch: (Int32, Readiness?) -> Void = { _, _ in }
    private(set) var deadline: Instant?
    private let server: VirtualHTTPServer
    private let timeout: Interval
    private var coming: HTTPResult?
    private var result: HTTPResult?
    private var body: [UInt8] = []

    init(_ server: VirtualHTTPServer, timeout: Interval) {
      self.server = server
      self.timeout = timeout
    }

    func begin(_ bytes: [UInt8], url: String) {
      cancel()
      let now = server.clock.now
      server.requests.append(now)
      server.addresses.append(url)
      body = []
      var answer = HTTPResult(code: CURLE_OK)
      deadline = now + .milliseconds(100)
      switch server.mood(of: url, at: now) {
      case .works:
        answer.status = 200
        if !server.answers.isEmpty { answer.body = Array(server.answers.removeFirst().utf8) }
        body = bytes
      case .refuses:
        answer = HTTPResult(code: CURLE_COULDNT_CONNECT)
        answer.errorNumber = ECONNREFUSED
        result = answer
        deadline = nil
        return
      case .neverAnswers:
        answer = HTTPResult(code: CURLE_OPERATION_TIMEDOUT)
        deadline = now + timeout
      case .says(let status, let seconds):
        answer.status = status
        answer.retryAfterSeconds = seconds
      case .talksNonsense: answer = HTTPResult(code: CURLE_WEIRD_SERVER_REPLY)
      case .diesBeforeItAnswers:
        answer = HTTPResult(code: CURLE_GOT_NOTHING)
        body = bytes
      }
      coming = answer
    }

    func cancel() {
      coming = nil
      result = nil
      deadline = nil
    }

    func process(_ readiness: Readiness, of socket: Int32) {}

    func processTime() {
      deadline = nil
      guard let coming else { return }
      result = coming
      self.coming = nil
      if !body.isEmpty { server.mail.append(body, at: server.clock.now) }
    }

    func takeResult() -> HTTPResult? {
      defer { result = nil }
      return result
    }
  }
}

/// A broker on virtual time, in place of libmosquitto and all that is behind it. Put it into the loop.
final class VirtualBroker: LoopMember {
  /// How it behaves.
  enum Mood: Equatable {
    /// It takes what it gets, after 50 ms.
    case works
    /// Nobody listens, and connections that are there break.
    case isDown
    /// Nothing comes back, of connecting or of what is sent.
    case isCutOff
    /// It answers each connection with this code.
    case refuses(Int32)
    /// It takes connections and never says a word.
    case isMute
  }

  var mood: (Instant) -> Mood = { _ in .works }
  /// Packets, on the topics that end so in tests.
  let mail = VirtualMail()
  /// All that was published, in its order.
  private(set) var published: [(topic: String, text: String, isRetained: Bool)] = []
  /// What is kept, by topic.
  private(set) var kept: [String: [UInt8]] = [:]
  /// When somebody began to connect.
  private(set) var connections: [Instant] = []
  /// To which of several.
  private(set) var hosts: [String] = []
  private let clock: VirtualClock
  private var clients: [Client] = []
  private var plans: [(due: Instant, act: () -> Void)] = []

  init(_ clock: VirtualClock) { self.clock = clock }

  func client(_ settings: MQTTSettings) -> (any MQTTClient)? { try? Client(self, settings) }

  private var now: Mood { mood(clock.now) }

  /// What is kept on a topic, as text.
  func text(on topic: String) -> String? { kept[topic].map { String(decoding: $0, as: UTF8.self) } }

  /// Loses what it keeps, as a broker does that is killed before it has written it.
  func forgetAll() { kept = [:] }

  /// Publishes for somebody else.
  func say(_ text: String, on topic: String) { for client in clients { client.hear(text, on: topic) } }

  fileprivate func take(_ bytes: [UInt8], on topic: String, isRetained: Bool) {
    if topic.hasSuffix("packet") { mail.append(bytes, at: clock.now) }
    published.append((topic, String(decoding: bytes, as: UTF8.self), isRetained))
    guard isRetained else { return }
    kept[topic] = bytes.isEmpty ? nil : bytes
  }

  private func plan(in wait: Interval, _ act: @escaping () -> Void) { plans.append((clock.now + wait, act)) }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  func advance(to now: Instant) {
    // A connection breaks at once when the broker goes down; looked for every ten seconds.
    let due = plans.filter { $0.due <= now }
    plans.removeAll { $0.due <= now }
    for plan in due { plan.act() }
    if self.now == .isDown { for client in clients where client.socket >= 0 { client.breakOff() } }
    if now >= nextLook { nextLook = now + .seconds(10) }
  }

  private var nextLook: Instant = .zero
  var nextDeadline: Instant? { min(plans.lazy.map(\.due).min() ?? nextLook, nextLook) }

  private final class Client: MQTTClient, @unchecked Sendable {
    private(set) var complaint: String?
    private unowned let broker: VirtualBroker
    private let bell: WakeUp
    private let keepAlive: Interval
    private var isConnecting = false
    private var isConnected = false
    private var isBroken = false
    private var isAbandoned = false
    private var lastHeard = Instant.zero
    private var arrived: [MQTTEvent] = []
    private var events: [MQTTEvent] = []
    private var lastNumber: Int32 = 0
    private var unacknowledged: [Message] = []
    fileprivate private(set) var topics: Set<String> = []
    private let will: String?
    private var formWill: (topic: String, payload: String)?

    private struct Message {
      var number: Int32
      var bytes: [UInt8]
      var topic: String
      var isRetained: Bool
    }

    init(_ broker: VirtualBroker, _ settings: MQTTSettings) throws(DeviceFailure) {
      self.broker = broker
      keepAlive = settings.keepAlive
      will = settings.announcement?.availabilityTopic
      bell = try WakeUp()
      broker.clients.append(self)
    }

    func connect(_ settings: MQTTSettings, mailbox: Mailbox<MQTTConnection>) -> Bool {
      isConnecting = true
      formWill = settings.will
      broker.connections.append(broker.clock.now)
      broker.hosts.append(settings.host)
      switch broker.now {
      case .isCutOff: break
      case .isDown:
        broker.plan(in: .milliseconds(1)) {
          self.isConnecting = false
          mailbox.post(
            MQTTConnection(self, code: Int32(MOSQ_ERR_ERRNO.rawValue), errorNumber: ECONNREFUSED))
        }
      case .works, .refuses, .isMute:
        broker.plan(in: .milliseconds(50)) {
          self.isConnecting = false
          self.isConnected = true
          self.isBroken = false
          self.lastHeard = self.broker.clock.now
          mailbox.post(MQTTConnection(self, code: Int32(MOSQ_ERR_SUCCESS.rawValue), errorNumber: 0))
          self.greet()
        }
      }
      return true
    }

    /// The broker's answer, and what was under way on the connection before.
    private func greet() {
      broker.plan(in: .milliseconds(50)) {
        switch self.broker.now {
        case .works:
          self.tell(.answered(code: 0))
          for message in self.unacknowledged { self.send(message) }
        case .refuses(let code): self.tell(.answered(code: code))
        case .isDown, .isCutOff, .isMute: break
        }
      }
    }

    private func tell(_ event: MQTTEvent) {
      guard isConnected, !isAbandoned else { return }
      lastHeard = broker.clock.now
      arrived.append(event)
      bell.signal()
    }

    private func send(_ message: Message) {
      guard isConnected, !isAbandoned, broker.now == .works else { return }
      broker.plan(in: .milliseconds(50)) {
        guard self.isConnected, !self.isAbandoned, self.broker.now == .works else { return }
        self.broker.take(message.bytes, on: message.topic, isRetained: message.isRetained)
        self.unacknowledged.removeAll { $0.number == message.number }
        self.tell(.acknowledged(message.number))
      }
    }

    func breakOff() {
      if !isBroken, isConnected, let will { broker.take(Array("offline".utf8), on: will, isRetained: true) }
      if !isBroken, isConnected, let formWill {
        broker.take(Array(formWill.payload.utf8), on: formWill.topic, isRetained: false)
      }
      isBroken = true
      bell.signal()
    }

    func abandon() -> Bool {
      broker.clients.removeAll { $0 === self }
      isAbandoned = true
      return !isConnecting
    }

    var socket: Int32 { isConnected ? bell.descriptor : -1 }
    var wantsToWrite: Bool { false }

    func takeEvents() -> [MQTTEvent] {
      defer { events = [] }
      return events
    }

    func process(_ readiness: Readiness) -> Int32 {
      bell.clear()
      if isBroken {
        isConnected = false
        return Int32(MOSQ_ERR_CONN_LOST.rawValue)
      }
      events += arrived
      arrived = []
      return Int32(MOSQ_ERR_SUCCESS.rawValue)
    }

    func processTime() -> Int32 {
      if broker.now == .works { lastHeard = broker.clock.now }
      guard broker.clock.now - lastHeard > keepAlive + keepAlive else { return Int32(MOSQ_ERR_SUCCESS.rawValue) }
      isConnected = false
      return Int32(MOSQ_ERR_KEEPALIVE.rawValue)
    }

    func publish(_ bytes: [UInt8], topic: String, isRetained: Bool) -> (code: Int32, number: Int32) {
      lastNumber += 1
      let message = Message(number: lastNumber, bytes: bytes, topic: topic, isRetained: isRetained)
      unacknowledged.append(message)
      send(message)
      return (Int32(MOSQ_ERR_SUCCESS.rawValue), lastNumber)
    }

    func subscribe(_ topic: String) {
      tell(.subscribed(isGranted: true))
      topics.insert(topic)
      if let bytes = broker.kept[topic] { tell(.message(bytes, topic: topic, isRetained: true)) }
    }
    func unsubscribe(_ topic: String) { topics.remove(topic) }
    /// What stands before the goodbye arrives, too.
    func disconnect(within limit: Interval) {
      if isConnected, broker.now == .works {
        for message in unacknowledged {
          broker.take(message.bytes, on: message.topic, isRetained: message.isRetained)
        }
      }
      unacknowledged = []
      isConnected = false
    }

    /// Hands on what somebody else has published.
    fileprivate func hear(_ text: String, on topic: String) {
      if topics.contains(topic) { tell(.message(Array(text.utf8), topic: topic, isRetained: false)) }
    }
  }
}
