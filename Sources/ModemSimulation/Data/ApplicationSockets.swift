import Quantities

// CACID, CASSLCFG, CAOPEN, CASEND, CARECV, CASTATE, CAACK, CACLOSE: sockets of the application network.
//
// Source: [sim7000-at] chapter 15; [sim7000-ssl] section 2.

/// The application sockets.
struct ApplicationSockets: Equatable, Sendable {
  /// Highest `cid`.
  static let highest = 12
  /// Most bytes of one `CASEND`.
  static let maximumSend = 1460
  /// Received bytes kept per socket.
  static let bufferCapacity = 1 << 16

  /// One socket.
  struct Socket: Equatable, Sendable {
    /// Number of the connection; nil when it is gone.
    var id: Int?
    /// True from `+CAOPEN: n,0` until the host is told otherwise.
    var isConnected = false
    /// Bytes not read yet.
    var received: [UInt8] = []
    /// Bytes sent in all.
    var sentCount = 0
    /// Bytes the peer acknowledged.
    var acknowledgedCount = 0
  }

  /// Options of `CASSLCFG` for one socket.
  struct Options: Equatable, Sendable {
    /// Tag `ssl`.
    var usesTLS = false
    /// Tag `protocol`.
    var isUDP = false
    /// Tag `crindex`: context of `CSSLCFG`.
    var context = 0
    /// Tag `cacert`.
    var authority = ""
  }

  /// `CACID`.
  var selected = 0
  /// Sockets by `cid`, open or closed by the peer.
  var sockets: [Int: Socket] = [:]
  /// Options by `cid`.
  var options: [Int: Options] = [:]
}

extension SimulatedModem {
  /// The commands of this file.
  static var applicationSocketCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CACID") { modem, call in
        if call.form == .read { return Answer.ok.line("+CACID: \(modem.data.application.selected)") }
        guard modem.configuration.data.hasSessionCommands, modem.data.app.phase == .active else { return .cme(3) }
        guard call.form == .write, let cid = call.integer(0, in: 0...ApplicationSockets.highest) else { return .error }
        modem.data.application.selected = cid
        return .ok
      },
      SimulatedCommand("+CASSLCFG") { modem, call in modem.casslcfg(call) },
      SimulatedCommand("+CAOPEN") { modem, call in modem.caopen(call) },
      SimulatedCommand("+CASEND") { modem, call in modem.casend(call) },
      SimulatedCommand("+CARECV") { modem, call in modem.carecv(call) },
      SimulatedCommand("+CASTATE") { modem, call in
        guard call.form == .read else { return .error }
        let sockets = modem.data.application.sockets.sorted { $0.key < $1.key }
        return Answer.ok.lines(sockets.map { "+CASTATE: \($0.key),\($0.value.isConnected ? 1 : 0)" })
      },
      SimulatedCommand("+CAACK") { modem, call in
        guard let cid = call.integer(0), let socket = modem.data.application.sockets[cid] else { return .error }
        return Answer.ok.line("+CAACK: \(socket.sentCount),\(socket.sentCount - socket.acknowledgedCount)")
      },
      SimulatedCommand("+CACLOSE") { modem, call in
        guard call.form == .write, let cid = call.integer(0), let socket = modem.data.application.sockets[cid] else {
          return .error
        }
        modem.data.application.sockets[cid] = nil
        modem.forgetID(socket.id)
        if let id = socket.id { modem.ask(.closeSocket(id: id)) }
        return .ok
      },
      remembering("+CACFG"),
    ]
  }

  /// `AT+CASSLCFG=<cid>,"tag",<value>`.
  private mutating func casslcfg(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    guard call.form == .write, let cid = call.integer(0, in: 0...ApplicationSockets.highest), let tag = call.string(1),
      let value = call.string(2)
    else { return .error }
    var options = data.application.options[cid] ?? .init()
    switch tag.lowercased() {
    case "ssl":
      guard let number = call.integer(2, in: 0...1) else { return .error }
      options.usesTLS = number == 1
    case "protocol":
      guard let number = call.integer(2, in: 0...1) else { return .error }
      options.isUDP = number == 1
    case "crindex":
      guard let number = call.integer(2, in: 0...5) else { return .error }
      options.context = number
    case "cacert": options.authority = value
    case "clientcert", "timeout", "clientkey", "psktable": break
    default: return .error
    }
    data.application.options[cid] = options
    return .ok
  }

  /// `AT+CAOPEN=<cid>,"host",<port>[,"TCP"]`: the outcome comes before `OK`.
  private mutating func caopen(_ call: CommandCall) -> Answer {
    if call.form == .read {
      let open = data.application.sockets.keys.sorted()
      return Answer.ok.lines(open.map { "+CAOPEN: \($0)" })
    }
    guard configuration.data.hasSessionCommands else { return .cme(3) }
    guard call.form == .write else { return .error }
    var parameters = call.parameters
    var kind: String?
    if let place = parameters.firstIndex(where: { ["TCP", "UDP"].contains(String(decoding: $0.bytes, as: UTF8.self)) })
    {
      guard configuration.data.acceptsSocketType else { return .error }
      kind = String(decoding: parameters.remove(at: place).bytes, as: UTF8.self)
    }
    guard parameters.count == 3, let cid = parameters[0].integer, (0...ApplicationSockets.highest).contains(cid),
      let port = parameters[2].integer, (1...65535).contains(port), !parameters[1].bytes.isEmpty
    else { return .error }
    guard data.application.sockets[cid] == nil else { return .error }
    guard data.app.phase == .active else { return Answer.ok.line("+CAOPEN: \(cid),21") }
    let options = data.application.options[cid] ?? .init()
    data.application.sockets[cid] = .init()
    schedule(.data(.applicationConnectFails(cid, 27)), after: configuration.data.connectTimeout)
    if options.usesTLS, !canVerify(options.authority, context: options.context) {
      schedule(.data(.applicationConnectFails(cid, 24)), after: configuration.data.connectFailureDelay)
    } else if nextConnectFails() {
      schedule(.data(.applicationConnectFails(cid, 27)), after: configuration.data.connectFailureDelay)
    } else {
      let id = newID(for: .applicationSocket(cid))
      data.application.sockets[cid]?.id = id
      let host = String(decoding: parameters[1].bytes, as: UTF8.self)
      let isUDP = kind.map { $0 == "UDP" } ?? options.isUDP
      ask(.openSocket(id: id, isUDP: isUDP, host: host, port: UInt16(port), usesTLS: options.usesTLS))
    }
    return .later
  }

  /// A connect has come to its end.
  private mutating func cancelApplicationTimers(_ cid: Int) {
    timers.cancel {
      if case .data(.applicationConnectFails(cid, _)) = $0 { true } else { false }
    }
  }

  /// A connect ends with a result other than 0.
  mutating func applicationConnectFails(_ cid: Int, result: Int) {
    guard let socket = data.application.sockets[cid], !socket.isConnected else { return }
    cancelApplicationTimers(cid)
    forgetID(socket.id)
    if let id = socket.id { ask(.closeSocket(id: id)) }
    data.application.sockets[cid] = nil
    if isRunning("+CAOPEN") { complete(Answer.ok.line("+CAOPEN: \(cid),\(result)")) }
  }

  /// The network answers for an application socket.
  mutating func handleApplication(_ reply: NetworkReply, _ cid: Int) {
    switch reply {
    case .opened:
      cancelApplicationTimers(cid)
      data.application.sockets[cid]?.isConnected = true
      if isRunning("+CAOPEN") { complete(Answer.ok.line("+CAOPEN: \(cid),0")) }
    case .refused(let id, let reason):
      forgetID(id)
      data.application.sockets[cid]?.id = nil
      switch reason {
      case .refused: applicationConnectFails(cid, result: 23)
      case .noSuchHost: applicationConnectFails(cid, result: 20)
      case .tls: applicationConnectFails(cid, result: 25)
      case .unreachable, .timedOut: applicationConnectFails(cid, result: 27)
      }
    case .sent(_, let count): data.application.sockets[cid]?.acknowledgedCount += count
    case .received(_, let bytes):
      guard let socket = data.application.sockets[cid] else { return }
      let room = max(0, ApplicationSockets.bufferCapacity - socket.received.count)
      data.application.sockets[cid]?.received += bytes.prefix(room)
      if socket.received.isEmpty { urc("+CADATAIND: \(cid)") }
    case .closed(let id):
      forgetID(id)
      data.application.sockets[cid]?.id = nil
      data.application.sockets[cid]?.isConnected = false
      urc("+CASTATE: \(cid),0")
    default: break
    }
  }

  /// `AT+CASEND=<cid>,<length>[,<ms>]`; `AT+CASEND=<cid>` asks for the room.
  private mutating func casend(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+CASEND: (0-12),(1-1460),(0-10000)") }
    guard call.form == .write, let cid = call.integer(0), data.application.sockets[cid]?.isConnected == true else {
      return .error
    }
    if call.count == 1 { return Answer.ok.line("+CASEND: \(ApplicationSockets.maximumSend)") }
    guard let length = call.integer(1, in: 1...ApplicationSockets.maximumSend), call.count <= 3 else { return .error }
    var limit = 5000
    if call.count == 3 {
      guard let given = call.integer(2, in: 100...60_000) else { return .error }
      limit = given
    }
    return .prompt(
      Prompt(
        text: .raw(Array("\r\n>".utf8)), length: length, timeout: .milliseconds(limit),
        purpose: .data(.applicationSend(cid))))
  }

  /// What came is sent, also when the host took too long for the rest [U].
  mutating func applicationSend(_ bytes: [UInt8], to cid: Int) -> Answer {
    guard !bytes.isEmpty, let socket = data.application.sockets[cid] else { return .error }
    guard let id = socket.id, socket.isConnected else {
      schedule(.data(.applicationSent(cid, 1, 0)), after: .milliseconds(20))
      return .ok
    }
    askOpen(.send(id: id, bytes: bytes))
    data.application.sockets[cid]?.sentCount += bytes.count
    let isFirst = configuration.dialect.outcomesFirst.contains("+CASEND")
    if isFirst { return Answer.ok.line("+CASEND: \(cid),0,\(bytes.count)") }
    schedule(.data(.applicationSent(cid, 0, bytes.count)), after: .milliseconds(20))
    return .ok
  }

  /// `AT+CARECV=<cid>,<n>`: asking for more than there is, or for anything without a socket, may freeze the module (F12).
  private mutating func carecv(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    if call.form == .read {
      let sockets = data.application.sockets.sorted { $0.key < $1.key }
      guard !sockets.isEmpty else { return overRead(otherwise: .ok) }
      return Answer.ok.lines(sockets.map { "+CARECV: \($0.key),\($0.value.received.count)" })
    }
    guard call.form == .write, call.count == 2, let cid = call.integer(0), let wanted = call.integer(1, in: 1...1460)
    else { return .error }
    guard let socket = data.application.sockets[cid] else { return .error }
    guard wanted <= socket.received.count else { return overRead(otherwise: .error) }
    let bytes = Array(socket.received.prefix(wanted))
    data.application.sockets[cid]?.received.removeFirst(wanted)
    switch configuration.data.receiveFormat {
    case .manual: return Answer.ok.raw(frame(Array("+CARECV: \(cid),\(wanted)".utf8)) + bytes)
    case .lengthFirst: return Answer.ok.raw(Array("\r\n+CARECV: \(wanted),".utf8) + bytes)
    }
  }

  /// What reading too much does: freeze the module under fault F12, otherwise the answer.
  private mutating func overRead(otherwise answer: Answer) -> Answer {
    guard faults.overReadFreezes else { return answer }
    freeze()
    return .later
  }

  /// The bearer is gone, and the sockets with it.
  mutating func loseApplicationSockets(isSilent: Bool) {
    for (cid, socket) in data.application.sockets.sorted(by: { $0.key < $1.key }) {
      cancelApplicationTimers(cid)
      forgetID(socket.id)
      if let id = socket.id { ask(.closeSocket(id: id)) }
      data.application.sockets[cid]?.id = nil
      guard socket.isConnected else {
        data.application.sockets[cid] = nil
        if isRunning("+CAOPEN") { complete(Answer.ok.line("+CAOPEN: \(cid),21")) }
        continue
      }
      // A socket lost in silence looks connected until something is sent.
      if isSilent { continue }
      data.application.sockets[cid]?.isConnected = false
      urc("+CASTATE: \(cid),0")
    }
  }
}
