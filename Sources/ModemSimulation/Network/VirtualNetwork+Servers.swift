import Quantities

extension VirtualNetwork {
  /// The sequence number in a payload: the digits behind `"sequence":` or `seq=`, the second number of OwnTracks' `_id`, the digits at
  /// the end of a text behind ` #`, else the first number of a text that begins with one; nil when there is none.
  public static func sequence(in payload: [UInt8]) -> String? {
    let text = String(decoding: payload, as: UTF8.self)
    for key in ["\"sequence\":", "\"seq\":", "sequence=", "seq=", "seq ", "sequence "] {
      guard let place = range(of: key, in: text) else { continue }
      let digits = text[place...].drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty { return String(digits) }
    }
    func isNumber(_ text: Substring) -> Bool { !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber } }
    if let place = range(of: "\"_id\":\"", in: text) {
      let parts = text[place...].prefix { $0 != "\"" }.split(separator: "-", omittingEmptySubsequences: false)
      if parts.count == 2, parts.allSatisfy(isNumber) { return String(parts[1]) }
    }
    let words = text.split(separator: " ")
    if words.count > 1, let last = words.last, last.first == "#", isNumber(last.dropFirst()) {
      return String(last.dropFirst())
    }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
  }

  /// Where a text goes on behind a key.
  static func range(of key: String, in text: String) -> String.Index? {
    var place = text.startIndex
    while place < text.endIndex {
      if text[place...].hasPrefix(key) { return text.index(place, offsetBy: key.count) }
      place = text.index(after: place)
    }
    return nil
  }

  /// Bytes reach a TCP or UDP server.
  mutating func handleBytes(_ bytes: [UInt8], id: Int, at server: SocketServer, after delay: Interval) {
    let channel: NetworkChannel = server.isUDP ? .udp : .tcp
    let destination = "\(server.host):\(server.port)"
    func payload(_ bytes: [UInt8]) -> ReceivedPayload {
      ReceivedPayload(time: now, channel: channel, destination: destination, bytes: bytes, id: id)
    }
    if !server.isUDP { answer(.sent(id: id, count: bytes.count), on: channel, after: delay) }
    switch server.behaviour {
    case .echo:
      received.append(payload(bytes))
      answer(.received(id: id, bytes: bytes), on: channel, after: delay)
    case .silent:
      received.append(payload(bytes))
    case .answerAndClose(let answerBytes):
      received.append(payload(bytes))
      answer(.received(id: id, bytes: answerBytes), on: channel, after: delay)
      close(id, after: delay)
    case .acknowledging:
      var lines: [[UInt8]] = []
      if server.isUDP {
        lines = [bytes]
      } else {
        var line = connections[id]?.line ?? []
        for byte in bytes {
          if byte == 0x0A {
            lines.append(line)
            line = []
          } else {
            line.append(byte)
          }
        }
        connections[id]?.line = line
      }
      for var line in lines {
        if line.last == 0x0D { line.removeLast() }
        received.append(payload(line))
        guard let sequence = VirtualNetwork.sequence(in: line) else { continue }
        answer(.received(id: id, bytes: Array("ACK \(sequence)\n".utf8)), on: channel, after: delay)
      }
    }
  }

  /// A server sends bytes unasked to every socket it has open.
  public mutating func send(_ bytes: [UInt8], from server: SocketServer, at now: Instant) {
    advance(to: now)
    for id in connections.keys.sorted() {
      guard case .socket(let peer)? = connections[id]?.peer, peer == server else { continue }
      let delay = Interval(microseconds: latency.exchange.draw(with: &random).microseconds / 2)
      answer(.received(id: id, bytes: bytes), on: server.isUDP ? .udp : .tcp, after: delay)
    }
  }

  /// A request reaches an HTTP server.
  mutating func handleHTTP(_ payload: ReceivedPayload, at server: HTTPServer, after delay: Interval) {
    received.append(payload)
    var result: HTTPAnswer
    switch server.behaviour {
    case .fixed(let answer): result = answer
    case .echo: result = HTTPAnswer(body: payload.bytes)
    case .custom(let function): result = function(payload)
    case .acknowledging:
      if let sequence = VirtualNetwork.sequence(in: payload.bytes) {
        result = HTTPAnswer(text: "ACK \(sequence)")
      } else {
        result = HTTPAnswer(status: 400, text: "no sequence number")
      }
    }
    if payload.method == "HEAD" { result.body = [] }
    let reply = NetworkReply.httpResponse(
      id: payload.id, status: result.status, headers: result.headers, body: result.body)
    answer(reply, on: .http, after: delay)
    if server.closesAfterAnswer {
      close(payload.id, after: delay)
    } else if let idle = server.closesIdleAfter {
      schedule(.idleCheck(payload.id), at: now + delay + idle)
    }
  }

  /// Closes an HTTP connection when nothing went over it for the server's time.
  mutating func closeIfIdle(_ id: Int) {
    guard case .http(let server)? = connections[id]?.peer, let idle = server.closesIdleAfter,
      let used = connections[id]?.lastUse
    else { return }
    if used + idle <= now { close(id) } else { schedule(.idleCheck(id), at: used + idle) }
  }

  /// Looks a name up.
  mutating func resolve(_ id: Int, _ host: String) {
    received.append(ReceivedPayload(time: now, channel: .dns, destination: host, bytes: [], id: id))
    var delay = latency.lookUp.draw(with: &random)
    let mishap = plan.next(on: .dns, opening: true, random: &random)
    if case .delay(let more)? = mishap { delay = delay + more }
    var address = URLParts.dotted(host) != nil ? host : addresses[host]
    if case .refuse? = mishap { address = nil }
    if endOfOutage(of: .dns, at: now) != nil {
      address = nil
      delay = latency.connectTimeout
    }
    let reply = address.map { NetworkReply.resolved(id: id, address: $0) } ?? .unresolved(id: id)
    schedule(.reply(reply, .dns), at: now + delay)
  }

  /// Tells the time of day.
  mutating func tellTime(_ id: Int, _ host: String) {
    received.append(ReceivedPayload(time: now, channel: .time, destination: host, bytes: [], id: id))
    var delay = latency.exchange.draw(with: &random)
    let mishap = plan.next(on: .time, opening: true, random: &random)
    if case .delay(let more)? = mishap { delay = delay + more }
    var fails = false
    if case .refuse? = mishap { fails = true }
    if endOfOutage(of: .time, at: now) != nil {
      fails = true
      delay = latency.connectTimeout
    }
    let time = utcTimeAtZero + (now + delay - .zero)
    schedule(.reply(fails ? .unresolved(id: id) : .time(id: id, time), .time), at: now + delay)
  }

  /// Takes a short message to the message centre.
  mutating func takeMessage(_ id: Int, _ number: String, _ text: String, wantsReport: Bool) {
    var delay = latency.shortMessage.draw(with: &random)
    let mishap = plan.next(on: .sms, opening: true, random: &random)
    let loss = plan.next(on: .sms, opening: false, random: &random)
    if case .delay(let more)? = mishap { delay = delay + more }
    var code = smsRefusalCode
    if case .refuse? = mishap { code = code ?? 38 }
    if endOfOutage(of: .sms, at: now) != nil { code = 332 }
    if loss == .loseRequest || loss == .dropBeforeHandling { return }
    if let code {
      schedule(.reply(.smsRefused(id: id, code: code), .sms), at: now + delay)
      return
    }
    received.append(ReceivedPayload(time: now, channel: .sms, destination: number, bytes: Array(text.utf8), id: id))
    if loss == .loseAnswer || loss == .dropAfterHandling {
      received[received.count - 1].answerIsLost = true
      return
    }
    smsReference = (smsReference + 1) % 256
    schedule(.reply(.smsAccepted(id: id, reference: smsReference), .sms), at: now + delay)
    if wantsReport { reportMessage(id, number, reference: smsReference, after: delay) }
  }

  /// The telephone has the message, or not. A report is an occasion of its own for mishaps: whatever loses an answer loses it.
  private mutating func reportMessage(_ id: Int, _ number: String, reference: Int, after delay: Interval) {
    var due = now + delay + latency.shortMessage.draw(with: &random)
    switch plan.next(on: .sms, opening: false, random: &random) {
    case .delay(let more)?: due = due + more
    case nil, .refuse?: break
    case .loseRequest?, .loseAnswer?, .dropBeforeHandling?, .dropAfterHandling?:
      received[received.count - 1].answerIsLost = true
      return
    }
    let report = MessageReport(
      reference: reference, to: number, sent: utcTimeAtZero + (now - .zero), done: utcTimeAtZero + (due - .zero),
      status: smsReportStatus)
    schedule(.reply(.smsReported(id: id, report), .sms), at: due)
  }
}
