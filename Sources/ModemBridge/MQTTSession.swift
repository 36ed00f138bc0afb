import CMosquitto
import LinuxDevices
import ModemSimulation
import Quantities
import Synchronization

/// libmosquitto wants to be set up once, before any thread uses it.
private let mosquittoIsReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

/// One connection of the modem to a broker, on a thread of its own, since libmosquitto waits while it connects.
///
/// It does not connect again by itself: a modem does not either.
final class MQTTSession: Sendable {
  private let id: Int
  private let settings: MQTTConnectRequest
  private let mailbox: BridgeMailbox
  /// nil once the thread has ended.
  private let client = Mutex<Client?>(nil)
  private let isEnding = Atomic<Bool>(false)
  private let isConnected = Atomic<Bool>(false)
  private let hasAnswered = Atomic<Bool>(false)

  /// libmosquitto's object, which may be used from several threads.
  private struct Client: @unchecked Sendable {
    var pointer: OpaquePointer
  }

  /// The longest time that connecting may take.
  static var connectLimit: Interval { .seconds(30) }

  init(id: Int, settings: MQTTConnectRequest, mailbox: BridgeMailbox) {
    self.id = id
    self.settings = settings
    self.mailbox = mailbox
  }

  /// Starts the thread, which holds the session until it ends.
  func start() -> Bool {
    guard mosquittoIsReady else { return false }
    let context = Unmanaged.passUnretained(self).toOpaque()
    let name: String? = settings.clientID.isEmpty ? nil : settings.clientID
    guard let pointer = mosquitto_new(name, settings.cleanSession || name == nil, context) else { return false }
    client.withLock { $0 = Client(pointer: pointer) }
    mosquitto_threaded_set(pointer, true)
    if !settings.user.isEmpty { mosquitto_username_pw_set(pointer, settings.user, settings.password) }
    if let will = settings.will, !will.topic.isEmpty {
      mosquitto_will_set(
        pointer, will.topic, Int32(clamping: will.payload.count), will.payload, Int32(clamping: will.qos),
        will.isRetained)
    }
    if settings.usesTLS {
      // As a module without a certificate file: encrypted, and nobody's identity checked.
      mosquitto_tls_set(pointer, nil, "/etc/ssl/certs", nil, nil, nil)
      mosquitto_tls_opts_set(pointer, 0, nil, nil)
      mosquitto_tls_insecure_set(pointer, true)
    }
    setCallbacks(pointer)
    let own = Client(pointer: pointer)
    return BackgroundThread.start { self.run(own) }
  }

  private func setCallbacks(_ pointer: OpaquePointer) {
    mosquitto_connect_callback_set(pointer) { _, context, code in
      MQTTSession.from(context)?.connected(code)
    }
    mosquitto_publish_callback_set(pointer) { _, context, number in
      MQTTSession.from(context)?.done(number)
    }
    mosquitto_unsubscribe_callback_set(pointer) { _, context, number in
      MQTTSession.from(context)?.done(number)
    }
    mosquitto_subscribe_callback_set(pointer) { _, context, number, count, granted in
      // 128 is the broker's no: the modem waits in vain, as it would.
      guard count > 0, let granted, granted[0] < 128 else { return }
      MQTTSession.from(context)?.done(number)
    }
    mosquitto_message_callback_set(pointer) { _, context, message in
      guard let message, let topic = message.pointee.topic else { return }
      let payload = UnsafeRawBufferPointer(
        start: message.pointee.payload, count: Int(max(0, message.pointee.payloadlen)))
      MQTTSession.from(context)?.received(String(cString: topic), Array(payload))
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> MQTTSession? {
    context.map { Unmanaged<MQTTSession>.fromOpaque($0).takeUnretainedValue() }
  }

  private func connected(_ code: Int32) {
    guard !hasAnswered.exchange(true, ordering: .acquiringAndReleasing) else { return }
    if code == 0 {
      isConnected.store(true, ordering: .releasing)
      mailbox.post(.mqttConnected(id: id))
    } else {
      mailbox.post(.mqttRefused(id: id, .refused))
    }
  }

  private func done(_ number: Int32) { mailbox.post(.mqttDone(id: id, number: number)) }

  private func received(_ topic: String, _ payload: [UInt8]) {
    mailbox.post(.mqttMessage(id: id, topic: topic, payload: payload))
  }

  private func run(_ own: Client) {
    let limit = MonotonicClock.now + MQTTSession.connectLimit
    // Silence below 5 s is more than libmosquitto allows.
    let keepAlive = settings.keepAlive <= 0 ? 0 : max(5, settings.keepAlive)
    var code = mosquitto_connect(
      own.pointer, settings.host, Int32(settings.port), Int32(clamping: min(65_535, keepAlive)))
    let failure: NetworkFailure =
      switch code {
      case Int32(MOSQ_ERR_EAI.rawValue): .noSuchHost
      case Int32(MOSQ_ERR_TLS.rawValue): .tls
      case Int32(MOSQ_ERR_ERRNO.rawValue): networkFailure(errnoOfThread())
      default: .unreachable
      }
    var isLate = false
    var endLimit: Instant?
    while code == Int32(MOSQ_ERR_SUCCESS.rawValue) && !isLate {
      // A goodbye ends the loop by itself once it is written; a broker that takes no bytes gets a second.
      if isEnding.load(ordering: .acquiring) {
        let limit = endLimit ?? MonotonicClock.now + .seconds(1)
        endLimit = limit
        if MonotonicClock.now > limit { break }
      }
      code = mosquitto_loop(own.pointer, endLimit == nil ? 1000 : 100, 1)
      isLate = !hasAnswered.load(ordering: .acquiring) && MonotonicClock.now > limit
    }
    if !isEnding.load(ordering: .acquiring) {
      if isConnected.load(ordering: .acquiring) {
        mailbox.post(.mqttClosed(id: id))
      } else if !hasAnswered.exchange(true, ordering: .acquiringAndReleasing) {
        mailbox.post(.mqttRefused(id: id, isLate ? .timedOut : failure))
      }
    }
    client.withLock { $0 = nil }
    mosquitto_destroy(own.pointer)
  }

  /// Publishes; gives libmosquitto's number of the message, nil when it can't be sent.
  func publish(topic: String, payload: [UInt8], qos: Int, isRetained: Bool) -> Int32? {
    use { pointer, number in
      mosquitto_publish(
        pointer, &number, topic, Int32(clamping: payload.count), payload, Int32(clamping: qos), isRetained)
    }
  }

  /// Subscribes; gives libmosquitto's number of the request.
  func subscribe(topic: String, qos: Int) -> Int32? {
    use { pointer, number in mosquitto_subscribe(pointer, &number, topic, Int32(clamping: qos)) }
  }

  /// Ends a subscription; gives libmosquitto's number of the request.
  func unsubscribe(topic: String) -> Int32? {
    use { pointer, number in mosquitto_unsubscribe(pointer, &number, topic) }
  }

  /// Says goodbye to the broker; the thread ends soon.
  func end() {
    isEnding.store(true, ordering: .releasing)
    _ = use { pointer, _ in mosquitto_disconnect(pointer) }
  }

  private func use(_ call: (OpaquePointer, inout Int32) -> Int32) -> Int32? {
    client.withLock { client in
      guard let client else { return nil }
      var number: Int32 = 0
      return call(client.pointer, &number) == Int32(MOSQ_ERR_SUCCESS.rawValue) ? number : nil
    }
  }
}
