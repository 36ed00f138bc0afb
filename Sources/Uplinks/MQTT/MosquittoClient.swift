import CMosquitto
import Glibc
import LinuxDevices
import Quantities
import Synchronization

/// One client object of libmosquitto.
///
/// libmosquitto waits only while it looks up the name and connects: that is done on a thread of its own, `connect`. Then the
/// socket belongs to the event loop, and bytes are written by the call that publishes. The library's own thread was rejected:
/// it ends for good, and silently, at an unknown name or a certificate that is not trusted, and every publish has to wake it.
final class MosquittoClient: MQTTClient, @unchecked Sendable {
  /// Who has the object.
  private enum Owner { case loop, thread, nobody }

  /// libmosquitto wants to be set up once, before any thread uses it.
  static let isReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

  private let pointer: OpaquePointer
  private let owner = Mutex(Owner.loop)
  private let isSecure: Bool
  private var connected: MQTTHost?
  private var events: [MQTTEvent] = []
  /// The library's last words about an error.
  private(set) var complaint: String?
  /// The longest message that is heard: nothing longer is a request, and a visitor looks for announcements.
  private let messageLimit: Int32

  /// - Returns: nil when libmosquitto has no memory or does not take the settings.
  init?(_ settings: MQTTSettings) {
    guard MosquittoClient.isReady, let pointer = mosquitto_new(settings.clientID, !settings.keepsSession, nil) else {
      return nil
    }
    self.pointer = pointer
    isSecure = settings.tls != nil
    messageLimit = settings.keepsSession ? 4096 : 65_536
    mosquitto_user_data_set(pointer, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
    // An alert must not wait in the library until reports are acknowledged.
    mosquitto_int_option(pointer, MOSQ_OPT_SEND_MAXIMUM, 65_535)
    if let user = settings.user { mosquitto_username_pw_set(pointer, user, settings.password?.revealed) }
    if let tls = settings.tls {
      let folder: String? = tls.authorityFile == nil ? "/etc/ssl/certs" : nil
      mosquitto_tls_set(pointer, tls.authorityFile, folder, tls.certificateFile, tls.keyFile, nil)
      if !tls.verifiesServer {
        mosquitto_tls_opts_set(pointer, 0, nil, nil)
        mosquitto_tls_insecure_set(pointer, true)
      }
    }
    setCallbacks()
  }

  deinit { mosquitto_destroy(pointer) }

  private func setCallbacks() {
    mosquitto_connect_callback_set(pointer) { _, context, code in
      MosquittoClient.from(context)?.events.append(.answered(code: code))
    }
    mosquitto_publish_callback_set(pointer) { _, context, number in
      MosquittoClient.from(context)?.events.append(.acknowledged(number))
    }
    mosquitto_subscribe_callback_set(pointer) { _, context, _, count, granted in
      guard count > 0, let granted else { return }
      MosquittoClient.from(context)?.events.append(.subscribed(isGranted: granted[0] < 128))
    }
    mosquitto_message_callback_set(pointer) { _, context, message in
      guard let message, let topic = message.pointee.topic, let client = MosquittoClient.from(context),
        1...client.messageLimit ~= message.pointee.payloadlen
      else { return }
      let payload = UnsafeRawBufferPointer(start: message.pointee.payload, count: Int(message.pointee.payloadlen))
      client.events.append(
        .message(Array(payload), topic: String(cString: topic), isRetained: message.pointee.retain))
    }
    mosquitto_log_callback_set(pointer) { _, context, level, text in
      guard level & Int32(MOSQ_LOG_ERR) != 0, let text else { return }
      MosquittoClient.from(context)?.note(String(cString: text))
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
    context.map { Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue() }
  }

  private func note(_ text: String) {
    // The first of a chain of errors is the cause; the library's own word on a name is better than what follows.
    if complaint == nil || text.contains("host name verification") { complaint = text }
  }

  // MARK: Connecting

  /// What the broker says of this connection when it breaks.
  private func setWill(_ settings: MQTTSettings) {
    if let announcement = settings.announcement {
      let gone = MQTTAnnouncement.offline
      mosquitto_will_set(pointer, announcement.availabilityTopic, Int32(gone.utf8.count), gone, 1, true)
    } else if let will = settings.will {
      mosquitto_will_set(pointer, will.topic, Int32(clamping: will.payload.utf8.count), will.payload, 1, false)
    }
  }

  /// Connects on a thread of its own.
  func connect(_ settings: MQTTSettings, mailbox: Mailbox<MQTTConnection>) -> Bool {
    setWill(settings)
    owner.withLock { $0 = .thread }
    complaint = nil
    events = []
    let isRunning = BackgroundThread.start { [self] in
      var code: Int32
      let host = MQTTHost(name: settings.host, port: settings.port)
      if connected == host {
        code = mosquitto_reconnect(pointer)
      } else {
        // Shorter than 5 s is more than libmosquitto allows; 0 would be for ever.
        let keepAlive = max(5, min(65_535, settings.keepAlive.microseconds / 1_000_000))
        code = mosquitto_connect(pointer, settings.host, Int32(settings.port), Int32(keepAlive))
      }
      connected = host
      let errorNumber = errno
      // What was abandoned meanwhile says goodbye, or the broker would publish the will.
      let isWanted = owner.withLock { owner in
        if owner == .thread { owner = .loop }
        return owner == .loop
      }
      guard isWanted else {
        if code == Int32(MOSQ_ERR_SUCCESS.rawValue) { mosquitto_disconnect(pointer) }
        code = 0
        return
      }
      mailbox.post(MQTTConnection(self, code: code, errorNumber: errorNumber))
    }
    if !isRunning { owner.withLock { $0 = .loop } }
    return isRunning
  }

  /// Gives the object up; a thread that has it says goodbye for it.
  ///
  /// - Returns: False when a thread has it: nothing else may be called.
  @discardableResult func abandon() -> Bool {
    owner.withLock { owner in
      if owner == .loop { return true }
      owner = .nobody
      return false
    }
  }

  // MARK: Connected

  /// The socket; -1 when there is none.
  var socket: Int32 { mosquitto_socket(pointer) }

  /// True when bytes wait for room in the socket.
  var wantsToWrite: Bool { mosquitto_want_write(pointer) }

  /// Takes what was told since the last time.
  func takeEvents() -> [MQTTEvent] {
    defer { events = [] }
    return events
  }

  /// Reads or writes.
  ///
  /// - Returns: libmosquitto's code.
  func process(_ readiness: Readiness) -> Int32 {
    if readiness.contains(.writing) {
      let code = mosquitto_loop_write(pointer, 1)
      if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { return code }
    }
    guard readiness.contains(.reading) else { return Int32(MOSQ_ERR_SUCCESS.rawValue) }
    var code = mosquitto_loop_read(pointer, 1)
    guard isSecure else { return code }
    // One record of TLS may hold several packets: when the first is read, the socket has nothing more and would not be
    // ready again. A call that finds nothing costs a system call; some packets, as signs of life, show in no event.
    var quietCalls = 0
    var rounds = 0
    // A broker that never stops talking must not keep the loop.
    while code == Int32(MOSQ_ERR_SUCCESS.rawValue), socket >= 0, quietCalls < 2, rounds < 64 {
      rounds += 1
      let before = events.count
      code = mosquitto_loop_read(pointer, 1)
      quietCalls = events.count == before ? quietCalls + 1 : 0
    }
    return code
  }

  /// Sends a sign of life when it is time, and looks whether the broker's came.
  func processTime() -> Int32 { mosquitto_loop_misc(pointer) }

  /// Publishes; gives libmosquitto's code and number of the message.
  func publish(_ bytes: [UInt8], topic: String, isRetained: Bool) -> (code: Int32, number: Int32) {
    var number: Int32 = 0
    let code = mosquitto_publish(pointer, &number, topic, Int32(clamping: bytes.count), bytes, 1, isRetained)
    return (code, number)
  }

  /// Asks for messages.
  func subscribe(_ topic: String) { mosquitto_subscribe(pointer, nil, topic, 1) }

  /// Asks for them no more.
  func unsubscribe(_ topic: String) { mosquitto_unsubscribe(pointer, nil, topic) }

  /// Says goodbye, so that the broker does not publish the will.
  ///
  /// - Parameter limit: How long a socket that takes no bytes is waited for, when there are some to be written.
  func disconnect(within limit: Interval) {
    guard socket >= 0 else { return }
    _ = mosquitto_disconnect(pointer)
    let deadline = MonotonicClock.now + limit
    var wait = EventWait()
    // The library closes the socket when the goodbye has been written.
    while socket >= 0, MonotonicClock.now < deadline {
      wait.removeAll()
      wait.add(socket, reading: true, writing: wantsToWrite)
      wait.wait(until: deadline)
      let code = process([.reading, .writing])
      if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { return }
    }
  }
}
