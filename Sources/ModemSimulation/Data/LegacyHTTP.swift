import Quantities

// HTTPINIT, HTTPPARA, HTTPDATA, HTTPACTION, HTTPREAD, HTTPHEAD, HTTPSTATUS, HTTPTERM: HTTP over the bearer profile.
//
// Source: [sim7000-at] version 1.01, chapter 11.

/// The older HTTP stack. It speaks no TLS.
struct LegacyHTTP: Equatable, Sendable {
  /// Most bytes of `HTTPDATA` and of an answer that is kept.
  static let maximumBody = 319_488
  /// Methods by the number of `HTTPACTION`.
  static let methods = ["GET", "POST", "HEAD", "DELETE"]

  /// Between `HTTPINIT` and `HTTPTERM`.
  var isInitialised = false
  /// Parameters of `HTTPPARA`.
  var parameters: [String: String] = [:]
  /// Payload of `HTTPDATA`.
  var body: [UInt8] = []
  /// Number of the connection of a running action.
  var id: Int?
  /// Number of the method that runs.
  var action: Int?
  /// Header lines of the answer, as text.
  var answerHead: [UInt8] = []
  /// Body of the answer.
  var answer: [UInt8] = []
  /// Method of the last action.
  var lastAction = 0
}

extension SimulatedModem {
  /// The commands of this file.
  static var legacyHTTPCommands: [SimulatedCommand] {
    [
      legacyCommand("+HTTPINIT") { modem, call in
        if call.form == .test { return .ok }
        guard call.form == .execute else { return .error }
        guard !modem.data.legacy.isInitialised else { return .cme(3) }
        modem.data.legacy = LegacyHTTP()
        modem.data.legacy.isInitialised = true
        return .ok
      },
      legacyCommand("+HTTPTERM") { modem, call in
        guard call.form == .execute, modem.data.legacy.isInitialised else { return .error }
        modem.closeLegacyConnection()
        modem.data.legacy = LegacyHTTP()
        return .ok
      },
      legacyCommand("+HTTPPARA") { modem, call in modem.httppara(call) },
      legacyCommand("+HTTPDATA") { modem, call in modem.httpdata(call) },
      legacyCommand("+HTTPACTION") { modem, call in modem.httpaction(call) },
      legacyCommand("+HTTPREAD") { modem, call in modem.httpread(call) },
      legacyCommand("+HTTPHEAD") { modem, call in
        guard call.form == .execute, modem.data.legacy.isInitialised else { return .error }
        let head = modem.data.legacy.answerHead
        return Answer.ok.raw(modem.frame(Array("+HTTPHEAD: \(head.count)".utf8)) + head)
      },
      legacyCommand("+HTTPSTATUS") { modem, call in
        guard call.form == .read, modem.data.legacy.isInitialised else { return .error }
        let legacy = modem.data.legacy
        let method = LegacyHTTP.methods[legacy.action ?? legacy.lastAction]
        return Answer.ok.line("+HTTPSTATUS: \(method),\(legacy.action == nil ? 0 : 1),\(legacy.answer.count),0")
      },
    ]
  }

  /// A command that only firmware with this stack knows.
  private static func legacyCommand(_ name: String, _ action: @escaping SimulatedCommand.Action) -> SimulatedCommand {
    SimulatedCommand(name) { modem, call in
      guard modem.configuration.data.hasLegacyHTTP else { return .error }
      return action(&modem, call)
    }
  }

  /// `AT+HTTPPARA="tag","value"`.
  private mutating func httppara(_ call: CommandCall) -> Answer {
    if call.form == .read {
      let parameters = data.legacy.parameters.sorted { $0.key < $1.key }
      return Answer.ok.lines(["+HTTPPARA:"] + parameters.map { "\($0.key): \($0.value)" })
    }
    guard call.form == .write, data.legacy.isInitialised, call.count == 2, let tag = call.string(0)?.uppercased(),
      let value = call.string(1)
    else { return .error }
    switch tag {
    case "CID": guard call.integer(1) == 1 else { return .error }
    case "TIMEOUT": guard call.integer(1, in: 30...1000) != nil else { return .error }
    case "REDIR": guard call.integer(1, in: 0...1) != nil else { return .error }
    case "URL", "UA", "PROIP", "PROPORT", "BREAK", "BREAKEND", "CONTENT", "USERDATA": break
    default: return .error
    }
    data.legacy.parameters[tag] = value
    return .ok
  }

  /// `AT+HTTPDATA=<length>,<ms>`; 0 clears.
  private mutating func httpdata(_ call: CommandCall) -> Answer {
    guard call.form == .write, data.legacy.isInitialised,
      let length = call.integer(0, in: 0...LegacyHTTP.maximumBody)
    else { return .error }
    guard length > 0 else {
      data.legacy.body = []
      return .ok
    }
    guard let limit = call.integer(1, in: 1000...120_000) else { return .error }
    return .prompt(
      Prompt(text: .line("DOWNLOAD"), length: length, timeout: .milliseconds(limit), purpose: .data(.legacyData)))
  }

  /// What came within the time of `HTTPDATA` counts.
  mutating func setLegacyData(_ bytes: [UInt8]) -> Answer {
    data.legacy.body = bytes
    return .ok
  }

  /// `AT+HTTPACTION=<method>`: `OK` first; 601 is what comes without a bearer.
  private mutating func httpaction(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+HTTPACTION: (0-3)") }
    guard call.form == .write, data.legacy.isInitialised, data.legacy.action == nil, call.count == 1,
      let action = call.integer(0, in: 0...3), data.legacy.parameters["URL"] != nil
    else { return .error }
    data.legacy.action = action
    let url = legacyURL
    guard data.profile.phase == .connected, !nextConnectFails(), let address = URLParts(url: url),
      !address.usesTLS
    else {
      schedule(.data(.legacyFails(601)), after: configuration.data.connectFailureDelay)
      return .ok
    }
    let id = newID(for: .legacyHTTP)
    data.legacy.id = id
    ask(.httpConnect(id: id, url: url))
    let limit = data.legacy.parameters["TIMEOUT"].flatMap { Int($0) } ?? 120
    schedule(.data(.legacyFails(408)), after: .seconds(limit))
    return .ok
  }

  /// The stack adds the scheme when it is missing.
  private var legacyURL: String {
    let url = data.legacy.parameters["URL"] ?? ""
    return url.lowercased().hasPrefix("http") ? url : "http://" + url
  }

  /// The network answers for the action.
  mutating func handleLegacy(_ reply: NetworkReply) {
    switch reply {
    case .httpConnected(let id):
      guard let action = data.legacy.action else { return }
      var headers: [HTTPHeader] = []
      if let type = data.legacy.parameters["CONTENT"] { headers.append(HTTPHeader(name: "Content-Type", value: type)) }
      if let agent = data.legacy.parameters["UA"] { headers.append(HTTPHeader(name: "User-Agent", value: agent)) }
      if let text = data.legacy.parameters["USERDATA"], let colon = text.firstIndex(of: ":") {
        let value = String(text[text.index(after: colon)...].drop { $0 == " " })
        headers.append(HTTPHeader(name: String(text[..<colon]), value: value))
      }
      let method = LegacyHTTP.methods[action]
      let body = action == 1 ? data.legacy.body : []
      askOpen(.httpRequest(id: id, method: method, url: legacyURL, headers: headers, body: body))
    case .httpResponse(_, let status, let headers, let body):
      legacyEnds(status: status, headers: headers, body: body)
    case .httpFailed(let id, let reason):
      forgetID(id)
      data.legacy.id = nil
      legacyEnds(status: reason == .noSuchHost ? 603 : 601, headers: [], body: [])
    case .httpClosed: legacyEnds(status: 601, headers: [], body: [])
    default: break
    }
  }

  /// The action comes to its end with a status or a pseudo status.
  mutating func legacyEnds(status: Int, headers: [HTTPHeader], body: [UInt8]) {
    guard let action = data.legacy.action else { return }
    closeLegacyConnection()
    data.legacy.lastAction = action
    data.legacy.answer = Array(body.prefix(LegacyHTTP.maximumBody))
    let lines = ["HTTP/1.1 \(status)"] + headers.map { "\($0.name): \($0.value)" }
    data.legacy.answerHead = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    urc("+HTTPACTION: \(action),\(status),\(data.legacy.answer.count)")
  }

  /// Lets the connection of the action go.
  mutating func closeLegacyConnection() {
    if let id = data.legacy.id { ask(.httpDisconnect(id: id)) }
    forgetID(data.legacy.id)
    data.legacy.id = nil
    data.legacy.action = nil
    timers.cancel {
      if case .data(.legacyFails) = $0 { true } else { false }
    }
  }

  /// `AT+HTTPREAD[=<start>,<size>]`.
  private mutating func httpread(_ call: CommandCall) -> Answer {
    guard data.legacy.isInitialised, call.form == .execute || call.form == .write else { return .error }
    var range = 0..<data.legacy.answer.count
    if call.form == .write {
      guard call.count == 2, let start = call.integer(0, in: 0...data.legacy.answer.count),
        let size = call.integer(1, in: 1...LegacyHTTP.maximumBody)
      else { return .error }
      range = start..<min(start + size, data.legacy.answer.count)
    }
    guard !range.isEmpty else { return .ok }
    return Answer.ok.raw(frame(Array("+HTTPREAD: \(range.count)".utf8)) + data.legacy.answer[range])
  }

  /// The bearer is gone; an action that runs ends with 601.
  mutating func loseLegacyHTTP() {
    guard data.legacy.action != nil else { return }
    legacyEnds(status: 601, headers: [], body: [])
  }
}
