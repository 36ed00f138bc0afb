import CCurl
import Delivery
import LinuxDevices
import Quantities
import TrackerRuntime
import Telemetry

/// HTTP over the board's network: a POST per packet, one after the other, alerts first, on a connection that stays open.
///
/// A status of 2xx delivers a packet, and nothing else does; a body with it is told as the answer to that packet. A status that waiting does
/// not change hands the packet back, and the way counts as failed until one is taken. If it is about the packet, as 400 and 422 are, and the
/// server takes others, nothing else waits for that: see `RefusedPackets`. Everything else is tried again with
/// back-off, after `Retry-After` where the server says so. A redirection is followed to the same host at most three times,
/// with the same request, never from `https` to `http`.
///
/// Of several servers (`HTTPHosts`) the next is asked at once when one does not work, and it counts as failed when none does.
///
/// There is no connection to lose: the way counts as open until a request fails, and again when the pause after it is over.
/// So a server that comes back is found by the next packet. Until it has taken one, `doubt` says why it failed.
package final class HTTPUplink: Uplink, TellingUplink {
  private enum Phase {
    case stopped
    case resting
    /// Nothing is sent until then.
    case pausing(until: Instant)
    case asking(OutgoingPacket, url: String, hops: Int)
  }

  /// Called when there is news or the state has changed.
  package var onNews: () -> Void = {}
  /// Kind and place, without path and credentials, and what tells it from others to the same server.
  package var name: String { place + remark }
  private let place: String
  /// What stands behind the place in its name: `UplinkSettings.remarks`.
  package var remark = ""
  /// How it stands.
  package internal(set) var state = UplinkState.idle
  /// Why it failed last; nil since a packet was delivered.
  package private(set) var doubt: String?
  /// What the server said with the last status that delivered nothing; no packet's answer, so nothing obeys it.
  package private(set) var lastComplaint: [UInt8] = []
  /// Whether all of the last answer was read: it was not longer, and did not take longer, than an answer is read.
  package private(set) var answerIsWhole = true

  private let settings: HTTPSettings
  private var loop: EventLoop?
  private let makeExchange: (HTTPSettings) -> (any HTTPExchange)?
  private var exchange: (any HTTPExchange)?
  private var sockets: Set<Int32> = []
  private var watchFailure: DeviceFailure?
  private var phase = Phase.stopped
  var backOff: BackOff
  private var lastTry = Instant.zero
  private var pauseIsOrdered = false
  private var refused = RefusedPackets()
  private var hosts: HTTPHosts
  /// Why the last server did not work for which another stood in; nil since the first has taken a packet.
  private var switchReason: String?
  /// When an alert goes to another server.
  private var hostDeadline: Instant?
  /// When an alert no longer waits for the report before it.
  private var alertDeadline: Instant?
  private var waiting = PacketQueue()
  var news: [UplinkNews] = []
  private var requestCount = 0
  private var deliveredCount = 0
  private var refusedCount = 0
  private var lastStatus = 0

  /// - Parameters:
  ///   - settings: The server.
  ///   - seed: Of the jitter.
  ///   - makeExchange: Makes what carries the requests; nil when there is no memory for it.
  package init(
    _ settings: HTTPSettings, seed: UInt64,
    makeExchange: @escaping (HTTPSettings) -> (any HTTPExchange)? = HTTPUplink.curl
  ) {
    self.settings = settings
    hosts = HTTPHosts(settings.urls)
    self.makeExchange = makeExchange
    backOff = BackOff(seed: seed)
    place = HTTPUplink.place(of: settings)
  }

  /// Kind and place in a name.
  static func place(of settings: HTTPSettings) -> String {
    guard let address = HTTPAddress(settings.url) else { return "http" }
    return "\(address.isSecure ? "https" : "http") \(address.host):\(address.port)"
  }

  deinit { stop() }

  /// Requests by libcurl.
  package static func curl(_ settings: HTTPSettings) -> (any HTTPExchange)? { CurlExchange(settings) }

  // MARK: Life

  /// Joins the loop; the connection is made for the first packet.
  ///
  /// - Throws: An address that is none, or a certificate or key file that can't be read.
  package func start(in loop: EventLoop, at now: Instant) throws(DeviceFailure) {
    guard case .stopped = phase else { return }
    // The address may hold a password: it is not shown.
    guard settings.urls.allSatisfy({ HTTPAddress($0) != nil }) else {
      throw DeviceFailure(
        .open, "address of the HTTP server (expected http://HOST… or https://HOST…)", errorNumber: 22, .other)
    }
    try settings.tls.checkFiles()
    guard let exchange = makeExchange(settings) else {
      throw DeviceFailure(.create, "libcurl", errorNumber: 12, .other)
    }
    self.exchange = exchange
    exchange.watch = { [unowned self] in watch($0, $1) }
    self.loop = loop
    loop.add(self)
    phase = .resting
    state = .open
    beginNext(at: now)
  }

  /// Breaks off what is under way and leaves the loop.
  package func stop() {
    guard let loop else { return }
    if case .asking(let packet, _, _) = phase { waiting.putBack(packet) }
    loop.remove(self)
    self.loop = nil
    exchange = nil
    sockets = []
    phase = .stopped
    state = .idle
    alertDeadline = nil
    hostDeadline = nil
  }

  private func watch(_ socket: Int32, _ readiness: Readiness?) {
    guard let readiness else {
      sockets.remove(socket)
      loop?.forget(socket)
      return
    }
    sockets.insert(socket)
    do throws(DeviceFailure) {
      try loop?.watch(socket, for: readiness, by: self)
    } catch {
      watchFailure = error
    }
  }

  // MARK: The loop

  /// A socket of libcurl is ready.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    exchange?.process(readiness, of: descriptor)
    settle(at: now)
  }

  /// Lets libcurl see to its time-outs, and sends what waited for the end of a pause.
  package func advance(to now: Instant) {
    if let due = exchange?.deadline, due <= now {
      exchange?.processTime()
      settle(at: now)
    }
    if let due = alertDeadline, due <= now { preferAlert(at: now) }
    if let due = hostDeadline, due <= now { leaveHost(at: now) }
    if case .pausing(let until) = phase, until <= now {
      phase = .resting
      if waiting.isEmpty {
        show(.open)
      } else if case .failed(let reason, _) = state {
        // It has failed until it works: a try does not make it better than another way.
        show(.failed(reason: reason, retryAt: nil))
      }
      beginNext(at: now)
    }
  }

  /// When `advance` is wanted next.
  package var nextDeadline: Instant? {
    var earliest = exchange?.deadline
    if let alertDeadline { earliest = min(earliest ?? alertDeadline, alertDeadline) }
    if let hostDeadline { earliest = min(earliest ?? hostDeadline, hostDeadline) }
    if case .pausing(let until) = phase { earliest = min(earliest ?? until, until) }
    return earliest
  }

  // MARK: Packets

  /// Takes a packet; it is on the socket when the call returns, if the way is open and nothing is under way.
  package func take(_ packet: OutgoingPacket, at now: Instant) {
    if case .asking(let current, _, _) = phase, current.isSame(as: packet) { return }
    guard !waiting.contains(packet) else { return }
    waiting.append(packet)
    let isAlert = packet.kind.priority == .alert
    switch phase {
    case .resting: beginNext(at: now)
    case .pausing(let until):
      let soon = max(now, lastTry + BackOff.alertPatience)
      if isAlert, !pauseIsOrdered, soon < until {
        shorten(to: soon)
      } else if let limit = trialLimit, limit < until {
        shorten(to: max(now, limit))
      }
      advance(to: now)
    case .asking(let current, _, _):
      if isAlert, current.kind.priority != .alert, alertDeadline == nil { alertDeadline = now + BackOff.alertPatience }
    case .stopped: break
    }
  }

  /// Forgets a packet; a request for it that has left goes on.
  package func forget(_ sequence: UInt32, way: Int) { waiting.remove(sequence, way: way) }

  private func shorten(to instant: Instant) {
    phase = .pausing(until: instant)
    if case .failed(let reason, _) = state { state = .failed(reason: reason, retryAt: instant) }
  }

  /// Until when a pause over a packet's refusal may last while one waits that the server has not seen; nil for any other pause.
  private var trialLimit: Instant? {
    guard refused.isReason, waiting.packets.contains(where: { !refused.has($0) }) else { return nil }
    return lastTry + Interval(microseconds: 60 * backOff.unit.microseconds)
  }

  private func beginNext(at now: Instant) {
    guard case .resting = phase, let exchange, let packet = waiting.popFirst() else { return }
    let isAlert = packet.kind.priority == .alert
    let url = hosts.begin(isAlert: isAlert, at: now)
    phase = .asking(packet, url: url, hops: 0)
    lastTry = now
    requestCount += 1
    hostDeadline = isAlert && hosts.hasAnother ? now + HTTPHosts.alertLimit : nil
    exchange.begin(packet.bytes, url: url)
    settle(at: now)
  }

  /// A report whose request takes long makes room for an alert.
  private func preferAlert(at now: Instant) {
    alertDeadline = nil
    guard case .asking(let packet, _, _) = phase, packet.kind.priority != .alert, waiting.hasAlert else { return }
    exchange?.cancel()
    waiting.putBack(packet)
    phase = .resting
    if hosts.isTrial { _ = hosts.moveOn(at: now) }
    beginNext(at: now)
  }

  /// An alert whose server takes long goes to the next.
  private func leaveHost(at now: Instant) {
    hostDeadline = nil
    guard case .asking(let packet, _, _) = phase else { return }
    exchange?.cancel()
    alertDeadline = nil
    phase = .resting
    guard !asksAnother(packet, "no answer within \(HTTPHosts.alertLimit.microseconds / 1_000_000) s", at: now) else {
      return
    }
    waiting.putBack(packet)
    beginNext(at: now)
  }

  /// Sends the packet to the next server, where there is one that was not tried since one worked.
  private func asksAnother(_ packet: OutgoingPacket, _ reason: String, at now: Instant) -> Bool {
    guard hosts.moveOn(at: now) else { return false }
    switchReason = reason
    waiting.putBack(packet)
    beginNext(at: now)
    return true
  }

  private func settle(at now: Instant) {
    guard case .asking(let packet, let url, let hops) = phase, let exchange else { return }
    if let failure = watchFailure {
      watchFailure = nil
      exchange.cancel()
      waiting.putBack(packet)
      return pause(failure.message, after: backOff.next(after: .passing), at: now)
    }
    guard let result = exchange.takeResult() else { return }
    alertDeadline = nil
    hostDeadline = nil
    lastStatus = result.status
    answerIsWhole = result.code == CURLE_OK && result.body.count < CurlExchange.bodyLimit
    lastComplaint = (200..<300).contains(result.status) ? [] : result.body
    phase = .resting
    switch HTTPOutcome.of(result, sentTo: url, timeout: settings.timeout) {
    case .delivered:
      deliveredCount += 1
      doubt = nil
      backOff.reset()
      refused.noteDelivered(packet)
      hosts.delivered(at: now)
      if hosts.used == 0 { switchReason = nil }
      tell(.delivered(sequence: packet.sequence, way: packet.way))
      if !result.body.isEmpty {
        tell(.answer(result.body, to: packet.sequence, kind: packet.kind, way: packet.way))
      }
      show(.open)
      beginNext(at: now)
    case .redirected(let target) where hops < 3:
      phase = .asking(packet, url: target, hops: hops + 1)
      exchange.begin(packet.bytes, url: target)
      settle(at: now)
    case .passing(let reason, _) where asksAnother(packet, reason, at: now): break
    case .broken(let reason) where asksAnother(packet, reason, at: now): break
    case .refused(let reason, false) where asksAnother(packet, reason, at: now): break
    case .refused(let reason, true) where hosts.isTrial && asksAnother(packet, reason, at: now): break
    case .redirected: refuse(packet, "the server redirects in a loop; change the address", at: now)
    case .refused(let reason, true) where !refused.note(packet):
      refusedCount += 1
      tell(.undelivered(sequence: packet.sequence, way: packet.way, reason: reason))
      if waiting.isEmpty { show(.open) }
      beginNext(at: now)
    case .refused(let reason, let isAboutPacket):
      refuse(packet, isAboutPacket ? reason : ofAll(reason), at: now, isAboutPacket: isAboutPacket)
    case .passing(let reason, let wait):
      waiting.putBack(packet)
      let own = backOff.next(after: .passing)
      pauseIsOrdered = wait != nil
      pause(ofAll(reason), after: max(own, wait ?? .zero), at: now)
    case .broken(let reason):
      waiting.putBack(packet)
      pauseIsOrdered = false
      pause(ofAll(reason), after: backOff.next(after: .refusal), at: now)
    }
  }

  /// Why none of the servers works.
  private func ofAll(_ reason: String) -> String {
    hosts.count > 1 ? "none of \(hosts.count) servers works, the last: \(reason)" : reason
  }

  private func refuse(_ packet: OutgoingPacket, _ reason: String, at now: Instant, isAboutPacket: Bool = false) {
    refusedCount += 1
    pauseIsOrdered = false
    tell(.undelivered(sequence: packet.sequence, way: packet.way, reason: reason))
    pause(reason, after: backOff.next(after: .refusal), at: now, isAboutPacket: isAboutPacket)
  }

  private func pause(_ reason: String, after wait: Interval, at now: Instant, isAboutPacket: Bool = false) {
    refused.isReason = isAboutPacket
    var until = now + wait
    if let limit = trialLimit { until = min(until, max(now, limit)) }
    if waiting.hasAlert, !pauseIsOrdered, let alert = waiting.first, alert.sequence != lastAlertTried {
      until = min(until, max(now, lastTry + BackOff.alertPatience))
      lastAlertTried = alert.sequence
    }
    phase = .pausing(until: until)
    doubt = reason
    show(.failed(reason: reason, retryAt: until))
  }

  /// The alert for which a pause was cut short last: once is enough.
  private var lastAlertTried: UInt32?

  /// The next news.
  package func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  /// What was sent and acknowledged.
  package var facts: [(name: String, value: String)] {
    var facts = [
      ("requests", "\(requestCount)"), ("acknowledged", "\(deliveredCount)"), ("refused", "\(refusedCount)"),
      ("waiting", "\(waiting.count)"), ("last status", lastStatus == 0 ? "none" : "\(lastStatus)"),
    ]
    guard hosts.count > 1, let address = HTTPAddress(settings.urls[hosts.used]) else { return facts }
    facts.append(("server", address.place))
    if let switchReason { facts.append(("last switch", switchReason)) }
    return facts
  }
}
