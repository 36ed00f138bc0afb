import Quantities

// SHCONF, SHCONN, SHSTATE, SHREQ, SHREAD, SHDISC: HTTP over the application network.
//
// Source: [sim7000-at] chapter 13; [sim7000-http] sections 2 and 3.

/// The session of the `SH*` commands.
struct SHSession: Equatable, Sendable {
  /// Most bytes of an answer that are kept.
  static let maximumAnswer = 306_176
  /// Most bytes of one `+SHREAD` block.
  static let blockLength = 2048
  /// Methods by the number of `SHREQ`.
  static let methods = ["GET", "PUT", "POST", "PATCH", "HEAD"]

  /// How far the session is.
  enum Phase: Equatable, Sendable {
    /// There is none.
    case closed
    /// `SHCONN` is on its way.
    case connecting
    /// Open, or believed to be: the connection may be gone (fault F3, silent).
    case open
    /// Dead, but not closed by the host.
    case halfOpen
  }

  /// How far the session is.
  var phase = Phase.closed
  /// Number of the connection; nil when it is gone.
  var id: Int?
  /// `SHCONF="URL"`.
  var url = ""
  /// `SHCONF="TIMEOUT"`, s.
  var timeout = 60
  /// `SHCONF="BODYLEN"`.
  var bodyLength: Int?
  /// `SHCONF="HEADERLEN"`.
  var headerLength: Int?
  /// `SHCONF="IPVER"`.
  var version = 0
  /// `SHSSL`: TLS context and certificate of the authority.
  var context: Int?
  /// Certificate of `SHSSL`; empty verifies nothing.
  var authority = ""
  /// `SHAHEAD`.
  var headers: [HTTPHeader] = []
  /// `SHPARA`, encoded.
  var parameters: [String] = []
  /// `SHBOD`, `SHBODEXT`.
  var body: [UInt8] = []
  /// Method of the request that waits for its answer.
  var pendingMethod: String?
  /// The answer's body.
  var answer: [UInt8] = []
}

extension SimulatedModem {
  /// The commands of this file.
  static var httpCommands: [SimulatedCommand] {
    [
      sessionCommand("+SHCONF") { modem, call in modem.shconf(call) },
      sessionCommand("+SHSSL") { modem, call in
        guard call.form == .write, let context = call.integer(0, in: 0...5), let name = call.string(1) else {
          return .error
        }
        modem.data.http.context = context
        modem.data.http.authority = name
        return .ok
      },
      sessionCommand("+SHCONN") { modem, call in modem.shconn(call) },
      sessionCommand("+SHSTATE") { modem, call in
        guard call.form == .read else { return .error }
        return Answer.ok.line("+SHSTATE: \(modem.data.http.phase == .open ? 1 : 0)")
      },
      sessionCommand("+SHREQ") { modem, call in modem.shreq(call) },
      sessionCommand("+SHREAD") { modem, call in modem.shread(call) },
      sessionCommand("+SHDISC") { modem, call in modem.shdisc(call) },
    ]
  }

  /// A command that only firmware with `SH*` and `SM*` knows.
  static func sessionCommand(_ name: String, _ action: @escaping SimulatedCommand.Action) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      guard modem.configuration.data.hasSessionCommands else { return .error }
      return action(&modem, call)
    }
  }

  /// `AT+SHCONF="tag",value`.
  private mutating func shconf(_ call: CommandCall) -> Answer {
    let longest = configuration.data.maximumBodyLength
    switch call.form {
    case .test:
      return Answer.ok.lines([
        "+SHCONF: \"URL\",(64)", "+SHCONF: \"TIMEOUT\",(30-1800)", "+SHCONF: \"BODYLEN\",(1-\(longest))",
        "+SHCONF: \"HEADERLEN\",(1-350)", "+SHCONF: \"IPVER\",(0,1)",
      ])
    case .read:
      let http = data.http
      return Answer.ok.lines([
        "+SHCONF: ", "URL: \(http.url)", "TIMEOUT: \(http.timeout)", "BODYLEN: \(http.bodyLength ?? 0)",
        "HEADERLEN: \(http.headerLength ?? 0)", "IPVER: \(http.version)",
      ])
    case .execute: return .error
    case .write: break
    }
    guard call.count == 2, let tag = call.string(0)?.uppercased() else { return .error }
    switch tag {
    case "URL":
      guard let url = call.string(1), url.utf8.count <= 64, URLParts(url: url)?.path == "/" else { return .error }
      data.http.url = url
    case "TIMEOUT":
      guard let value = call.integer(1, in: 30...1800) else { return .error }
      data.http.timeout = value
    case "BODYLEN":
      guard let value = call.integer(1, in: 1...longest) else { return .error }
      data.http.bodyLength = value
    case "HEADERLEN":
      guard let value = call.integer(1, in: 1...350) else { return .error }
      data.http.headerLength = value
    case "IPVER":
      guard let value = call.integer(1, in: 0...1) else { return .error }
      data.http.version = value
    default: return .error
    }
    return .ok
  }

  /// `AT+SHCONN`: `OK` when connected, `ERROR` for any reason.
  private mutating func shconn(_ call: CommandCall) -> Answer {
    let http = data.http
    guard call.form == .execute, http.phase == .closed, data.app.phase == .active, http.bodyLength != nil,
      http.headerLength != nil, let address = URLParts(url: http.url)
    else { return .error }
    data.http.phase = .connecting
    let isVerifiable = !address.usesTLS || http.context.map { canVerify(http.authority, context: $0) } == true
    guard isVerifiable, !nextConnectFails() else {
      schedule(.data(.httpConnectFails), after: configuration.data.connectFailureDelay)
      return .later
    }
    let id = newID(for: .http)
    data.http.id = id
    ask(.httpConnect(id: id, url: http.url))
    schedule(.data(.httpConnectFails), after: configuration.data.connectTimeout)
    return .later
  }

  /// `SHCONN` ends in `ERROR`.
  mutating func httpConnectFails() {
    guard data.http.phase == .connecting else { return }
    closeHTTPConnection()
    data.http.phase = .closed
    if isRunning("+SHCONN") { complete(.error) }
  }

  /// Lets the connection go and forgets what waited on it.
  private mutating func closeHTTPConnection() {
    if let id = data.http.id { ask(.httpDisconnect(id: id)) }
    forgetID(data.http.id)
    data.http.id = nil
    data.http.pendingMethod = nil
    timers.cancel(.data(.httpConnectFails))
    timers.cancel(.data(.httpTimeout))
    timers.cancel(.data(.httpDrops))
  }

  /// `AT+SHREQ="/path",<method>`: `OK` first, the status later.
  private mutating func shreq(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, let path = call.string(0), !path.isEmpty,
      path.utf8.count <= configuration.data.maximumRequestURL, let number = call.integer(1, in: 1...5),
      data.http.phase == .open, data.http.pendingMethod == nil
    else { return .error }
    let method = SHSession.methods[number - 1]
    data.http.pendingMethod = method
    data.http.answer = []
    let drops = faults.dropsNextHTTPRequest
    faults.dropsNextHTTPRequest = false
    if drops { tellingsLost += 1 }
    if drops { schedule(.data(.httpDrops), after: .seconds(1)) }
    schedule(.data(.httpTimeout), after: .seconds(data.http.timeout))
    // A dying session may or may not have got the request out.
    if drops, random.integer(below: 2) == 0 { return .ok }
    guard let id = data.http.id else { return .ok }
    let base = data.http.url.hasSuffix("/") ? String(data.http.url.dropLast()) : data.http.url
    let url = path.hasPrefix("http") ? path : base + (path.hasPrefix("/") ? path : "/" + path)
    let takesBody = method == "PUT" || method == "POST" || method == "PATCH"
    var body: [UInt8] = []
    if takesBody {
      body = data.http.body.isEmpty ? Array(data.http.parameters.joined(separator: "&").utf8) : data.http.body
    }
    let headers = data.http.headers
    askOpen(.httpRequest(id: id, method: method, url: url, headers: headers, body: body))
    return .ok
  }

  /// The network answers for the session.
  mutating func handleHTTP(_ reply: NetworkReply) {
    switch reply {
    case .httpConnected:
      guard data.http.phase == .connecting else { return }
      timers.cancel(.data(.httpConnectFails))
      data.http.phase = .open
      if isRunning("+SHCONN") { complete(.ok) }
    case .httpFailed(let id, _) where data.http.phase == .connecting:
      forgetID(id)
      data.http.id = nil
      httpConnectFails()
    case .httpResponse(_, let status, _, let body): httpAnswers(status: status, body: body)
    case .httpFailed, .httpClosed:
      if !timers.contains(.data(.httpDrops)) { httpDrops() }
    default: break
    }
  }

  /// The server's response is there.
  private mutating func httpAnswers(status: Int, body: [UInt8]) {
    guard let method = data.http.pendingMethod, !timers.contains(.data(.httpDrops)) else { return }
    data.http.pendingMethod = nil
    timers.cancel(.data(.httpTimeout))
    data.http.answer = Array(body.prefix(SHSession.maximumAnswer))
    urc("+SHREQ: \"\(method)\",\(status),\(data.http.answer.count)")
  }

  /// The server is gone: the host is told, and no `+SHREQ` comes any more.
  mutating func httpDrops() {
    guard data.http.phase == .open else { return }
    closeHTTPConnection()
    let isHalfOpen = configuration.data.keepsDroppedSessionHalfOpen || faults.hasStrictStates
    data.http.phase = isHalfOpen ? .halfOpen : .closed
    urc("+SHSTATE: 0")
  }

  /// No response within the time of `SHCONF`.
  mutating func httpTimesOut() {
    guard let method = data.http.pendingMethod else { return }
    switch configuration.data.requestTimeoutAnswer {
    case .sessionLost: httpDrops()
    case .status(let number):
      data.http.pendingMethod = nil
      urc("+SHREQ: \"\(method)\",\(number),0")
    }
  }

  /// `AT+SHREAD=<start>,<n>`: `OK` first, then blocks; asking for more than there is fails.
  private mutating func shread(_ call: CommandCall) -> Answer {
    guard call.form == .write, call.count == 2, let start = call.integer(0, in: 0...SHSession.maximumAnswer),
      let count = call.integer(1, in: 1...SHSession.maximumAnswer), start + count <= data.http.answer.count
    else { return .error }
    var answer = Answer.ok
    var place = start
    while place < start + count {
      let end = min(place + SHSession.blockLength, start + count)
      let block = Array("\r\n+SHREAD: \(end - place)\r\n".utf8) + data.http.answer[place..<end] + [0x0D, 0x0A]
      answer = answer.then(.raw(block))
      place = end
    }
    return answer
  }

  /// `AT+SHDISC`.
  private mutating func shdisc(_ call: CommandCall) -> Answer {
    guard call.form == .execute else { return .error }
    if data.http.phase == .closed, configuration.data.refusesNeedlessDisconnect || faults.hasStrictStates {
      return .error
    }
    closeHTTPConnection()
    data.http.phase = .closed
    return .ok
  }

  /// The bearer is gone, and the session with it.
  mutating func loseHTTP(isSilent: Bool) {
    switch data.http.phase {
    case .closed, .halfOpen: return
    case .connecting: httpConnectFails()
    case .open:
      if isSilent {
        if let id = data.http.id { ask(.httpDisconnect(id: id)) }
        forgetID(data.http.id)
        data.http.id = nil
      } else {
        httpDrops()
      }
    }
  }
}
