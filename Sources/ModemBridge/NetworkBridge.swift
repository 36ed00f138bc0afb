import Glibc
import LinuxDevices
import ModemSimulation
import Quantities

/// Carries a simulated modem's requests to real servers over this machine's network, and brings back what they answer.
///
/// Sockets are served by whoever polls. What waits inside a library (names, HTTP, MQTT) has threads of its own, so that the
/// serial side never stalls. Give it requests, let it add its descriptors to the wait, call `process`, take the replies.
package final class NetworkBridge {
  /// What the bridge does beyond carrying bytes.
  package struct Settings: Sendable {
    /// True when servers must show a certificate that this machine trusts. A module without a certificate file checks none.
    package var verifiesCertificates = false

    /// The usual: no certificate is checked.
    package init() {}
  }

  private let settings: Settings
  private let mailbox: BridgeMailbox
  private var replies: [NetworkReply] = []
  private var sockets: [Int: BridgeSocket] = [:]
  private var secureSockets: [Int: SecureSocket] = [:]
  private var httpSessions: [Int: HTTPSession] = [:]
  private var mqttSessions: [Int: MQTTSession] = [:]
  /// The modem's numbers of what libmosquitto has under way.
  private var mqttMessages: [Int: [Int32: Int]] = [:]
  private var messageReference = 0
  private var mailboxPlace = -1

  /// - Throws: When the process has no file descriptors left.
  package init(_ settings: Settings = Settings()) throws(DeviceFailure) {
    self.settings = settings
    mailbox = try BridgeMailbox()
  }

  deinit {
    for id in sockets.keys { sockets[id]?.close() }
    for socket in secureSockets.values { socket.end() }
    for session in httpSessions.values { session.end() }
    for session in mqttSessions.values { session.end() }
  }

  /// When `process` has something to do by itself.
  package var nextDeadline: Instant? { sockets.values.compactMap(\.deadline).min() }

  /// The next thing that came back, or nil when nothing waits.
  package func nextReply() -> NetworkReply? { replies.isEmpty ? nil : replies.removeFirst() }

  /// Adds what it waits for.
  package func addDescriptors(to wait: inout EventWait) {
    mailboxPlace = wait.add(mailbox.wakeUp.descriptor)
    for id in sockets.keys { sockets[id]?.addDescriptor(to: &wait) }
  }

  /// Goes on after the wait.
  package func process(_ wait: EventWait) {
    let now = MonotonicClock.now
    for id in sockets.keys { take(sockets[id]?.process(wait, at: now) ?? []) }
    guard mailboxPlace >= 0, wait.isReadable(mailboxPlace) else { return }
    for news in mailbox.takeAll() {
      switch news {
      case .reply(let reply): take([reply])
      case .addresses(let id, let addresses, let failure): take(sockets[id]?.connect(addresses, failure) ?? [])
      case .mqttDone(let id, let number):
        if let message = mqttMessages[id]?.removeValue(forKey: number) {
          replies.append(.mqttAcknowledged(id: id, message: message))
        }
      }
    }
  }

  /// Replies on their way to the modem; what they end is cleared away here.
  private func take(_ new: [NetworkReply]) {
    for reply in new {
      switch reply {
      case .refused(let id, _):
        let secure = secureSockets.removeValue(forKey: id)
        guard secure != nil || sockets[id] != nil else { continue }
        sockets[id]?.close()
        sockets[id] = nil
      case .opened(let id), .received(let id, _), .sent(let id, _), .closed(let id):
        guard secureSockets[id] != nil || sockets[id] != nil else { continue }
      case .mqttRefused(let id, _), .mqttClosed(let id):
        guard mqttSessions.removeValue(forKey: id) != nil else { continue }
        mqttMessages[id] = nil
      case .mqttConnected(let id), .mqttMessage(let id, _, _):
        guard mqttSessions[id] != nil else { continue }
      case .httpConnected(let id), .httpResponse(let id, _, _, _):
        guard httpSessions[id] != nil || loneRequests.remove(id) != nil else { continue }
      case .httpFailed(let id, _), .httpClosed(let id):
        // The modem makes a new session after either; a request that still comes for this one stands alone.
        let session = httpSessions.removeValue(forKey: id)
        session?.end()
        guard session != nil || loneRequests.remove(id) != nil else { continue }
      default: break
      }
      replies.append(reply)
    }
  }

  /// Requests outside a session: their number is good for one answer.
  private var loneRequests: Set<Int> = []

  /// Takes a request of the modem.
  package func take(_ request: NetworkRequest) {
    switch request {
    case .openSocket(let id, let isUDP, let host, let port, let usesTLS):
      open(id, isUDP: isUDP, host: host, port: port, usesTLS: usesTLS)
    case .send(let id, let bytes):
      secureSockets[id]?.send(bytes)
      take(sockets[id]?.send(bytes) ?? [])
    case .closeSocket(let id):
      secureSockets.removeValue(forKey: id)?.end()
      sockets[id]?.close()
      sockets[id] = nil
    case .httpConnect(let id, let url):
      guard let session = makeHTTPSession(id) else { return take([.httpFailed(id: id, .unreachable)]) }
      httpSessions[id] = session
      session.connect(url: url)
    case .httpRequest(let id, let method, let url, let headers, let body):
      if let session = httpSessions[id] {
        session.request(method: method, url: url, headers: headers, body: body, isOnly: false)
      } else if let session = makeHTTPSession(id) {
        loneRequests.insert(id)
        session.request(method: method, url: url, headers: headers, body: body, isOnly: true)
      } else {
        replies.append(.httpFailed(id: id, .unreachable))
      }
    case .httpDisconnect(let id): httpSessions.removeValue(forKey: id)?.end()
    case .mqttConnect(let id, let settings):
      let session = MQTTSession(id: id, settings: settings, mailbox: mailbox)
      mqttSessions[id] = session
      if !session.start() { take([.mqttRefused(id: id, .unreachable)]) }
    case .mqttPublish(let id, let message, let topic, let payload, let qos, let isRetained):
      note(mqttSessions[id]?.publish(topic: topic, payload: payload, qos: qos, isRetained: isRetained), id, message)
    case .mqttSubscribe(let id, let message, let topic, let qos):
      note(mqttSessions[id]?.subscribe(topic: topic, qos: qos), id, message)
    case .mqttUnsubscribe(let id, let message, let topic):
      note(mqttSessions[id]?.unsubscribe(topic: topic), id, message)
    case .mqttDisconnect(let id):
      mqttSessions.removeValue(forKey: id)?.end()
      mqttMessages[id] = nil
    case .resolve(let id, let host):
      let mailbox = mailbox
      let isRunning = BackgroundThread.start {
        let address = SocketAddress.resolve(host, port: 0, isUDP: false).0.first?.text
        mailbox.post(address.map { .resolved(id: id, address: $0) } ?? .unresolved(id: id))
      }
      if !isRunning { replies.append(.unresolved(id: id)) }
    case .networkTime(let id, _): replies.append(.time(id: id, NetworkBridge.timeOfDay))
    case .sms(let id, let number, _, let wantsReport):
      messageReference = (messageReference + 1) % 256
      replies.append(.smsAccepted(id: id, reference: messageReference))
      guard wantsReport else { return }
      // Nobody but this program receives it.
      let now = NetworkBridge.timeOfDay
      replies.append(.smsReported(id: id, MessageReport(reference: messageReference, to: number, sent: now, done: now)))
    }
  }

  private func open(_ id: Int, isUDP: Bool, host: String, port: UInt16, usesTLS: Bool) {
    if usesTLS {
      // Datagrams have no TLS; theirs would be another protocol.
      guard !isUDP,
        let socket = try? SecureSocket(
          id: id, host: host, port: port, mailbox: mailbox, verifiesCertificates: settings.verifiesCertificates),
        socket.start()
      else {
        replies.append(.refused(id: id, .tls))
        return
      }
      secureSockets[id] = socket
      return
    }
    sockets[id] = BridgeSocket(id: id, isUDP: isUDP, at: MonotonicClock.now)
    let mailbox = mailbox
    let isRunning = BackgroundThread.start {
      let (addresses, failure) = SocketAddress.resolve(host, port: port, isUDP: isUDP)
      mailbox.post(.addresses(id: id, addresses, failure))
    }
    if !isRunning { take([.refused(id: id, .unreachable)]) }
  }

  private func makeHTTPSession(_ id: Int) -> HTTPSession? {
    guard
      let session = try? HTTPSession(
        id: id, mailbox: mailbox, verifiesCertificates: settings.verifiesCertificates), session.start()
    else { return nil }
    return session
  }

  private func note(_ number: Int32?, _ id: Int, _ message: Int) {
    if let number { mqttMessages[id, default: [:]][number] = message }
  }

  /// The time of this machine, which stands for every time server.
  private static var timeOfDay: UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UTCTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
