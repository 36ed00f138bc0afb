import Quantities

// CIPSTART, CIPSEND, CIPCLOSE and transparent mode.
//
// Source: [sim7000-at] chapter 12; [sim7000-tcpip] sections 3 to 6.

extension SimulatedModem {
  /// The commands of this file.
  static var toolkitSocketCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CIPSTART") { modem, call in modem.cipstart(call) },
      SimulatedCommand("+CIPSEND") { modem, call in modem.cipsend(call) },
      SimulatedCommand("+CIPCLOSE") { modem, call in modem.cipclose(call) },
      SimulatedCommand("+CIPACK") { modem, call in modem.cipack(call) },
      SimulatedCommand("O") { modem, _ in modem.resumeTransparent() },
    ]
  }

  /// `n, ` in front of a line when there may be several sockets.
  private func prefix(_ place: Int) -> String { data.toolkit.isMultiple ? "\(place), " : "" }

  /// `AT+CIPSTART=[<n>,]"TCP","host",<port>`.
  private mutating func cipstart(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+CIPSTART: (0-7),(\"TCP\",\"UDP\"),(0-255),(1-65535)") }
    guard call.form == .write else { return .error }
    let shift = data.toolkit.isMultiple ? 1 : 0
    guard call.count == 3 + shift else { return .error }
    var place = 0
    if data.toolkit.isMultiple {
      guard let number = call.integer(0, in: 0...7) else { return .error }
      place = number
    }
    guard let kind = call.string(shift)?.uppercased(), kind == "TCP" || kind == "UDP",
      let host = call.string(shift + 1), !host.isEmpty, let port = call.integer(shift + 2, in: 1...65535)
    else { return .error }
    if data.toolkit.sockets[place].phase == .connected || data.toolkit.sockets[place].phase == .connecting {
      let line = Answer.Piece.line("\(prefix(place))ALREADY CONNECT")
      return data.toolkit.isMultiple ? Answer.ok.then(line) : Answer.error.then(line)
    }
    let startsBearer = data.toolkit.phase == .initial && !data.toolkit.isMultiple
    guard data.toolkit.phase == .status || startsBearer, radio.function == 1 else { return .error }
    var socket = ToolkitSocketTable.Socket()
    socket.phase = .connecting
    socket.isUDP = kind == "UDP"
    socket.host = host
    socket.port = UInt16(port)
    data.toolkit.sockets[place] = socket
    schedule(.data(.toolkitConnectTimeout(place)), after: .seconds(data.toolkit.isMultiple ? 75 : 160))
    if startsBearer {
      data.toolkit.phase = .config
      data.toolkit.waitsForBearer = true
      schedule(.data(.toolkitActivates), after: configuration.network.bearerDelay)
    } else {
      connectToolkitSocket(place)
    }
    return .ok
  }

  /// Asks the network for the connection.
  mutating func connectToolkitSocket(_ place: Int) {
    guard !nextConnectFails() else {
      schedule(.data(.toolkitConnectFails(place)), after: configuration.data.connectFailureDelay)
      return
    }
    let socket = data.toolkit.sockets[place]
    let id = newID(for: .toolkitSocket(place))
    data.toolkit.sockets[place].id = id
    ask(.openSocket(id: id, isUDP: socket.isUDP, host: socket.host, port: socket.port, usesTLS: false))
  }

  /// A connect ends in `CONNECT FAIL`.
  mutating func toolkitConnectFails(_ place: Int) {
    guard data.toolkit.sockets[place].phase == .connecting else { return }
    let id = data.toolkit.sockets[place].id
    forgetToolkitSocket(place)
    if let id { ask(.closeSocket(id: id)) }
    data.toolkit.sockets[place].phase = .closed
    if faults.failuresLoseBearer {
      loseToolkit(isSilent: true)
      faults.failuresLoseBearer = faults.connectFailures > 0
      urc("STATE: \(data.toolkit.statusText)")
      return
    }
    if !data.toolkit.isMultiple { urc("STATE: \(data.toolkit.statusText)") }
    urc("\(prefix(place))CONNECT FAIL")
  }

  /// The network answers for a socket.
  mutating func handleToolkit(_ reply: NetworkReply, _ place: Int) {
    switch reply {
    case .opened:
      guard data.toolkit.sockets[place].phase == .connecting else { return }
      timers.cancel(.data(.toolkitConnectTimeout(place)))
      data.toolkit.sockets[place].phase = .connected
      guard data.toolkit.isTransparent, !data.toolkit.isMultiple else {
        urc("\(prefix(place))CONNECT OK")
        return
      }
      urc("CONNECT")
      input.forgetLine()
      input.mode = .transparent
    case .refused:
      // The number is gone for the network, so nothing is closed.
      forgetID(data.toolkit.sockets[place].id)
      data.toolkit.sockets[place].id = nil
      toolkitConnectFails(place)
    case .sent(_, let count):
      data.toolkit.sockets[place].acknowledgedCount += count
      toolkitIsAcknowledged(place)
    case .received(_, let bytes): toolkitReceives(bytes, place)
    case .closed: toolkitSocketCloses(place, byPeer: true)
    default: break
    }
  }

  /// The peer closed, or nobody acknowledged for too long.
  mutating func toolkitSocketCloses(_ place: Int, byPeer: Bool) {
    guard data.toolkit.sockets[place].phase == .connected else { return }
    let isSending = isRunning("+CIPSEND") && data.toolkit.sendingPlace == place
    let id = data.toolkit.sockets[place].id
    forgetToolkitSocket(place)
    if let id, !byPeer { ask(.closeSocket(id: id)) }
    data.toolkit.sockets[place].phase = .closed
    endTransparentMode()
    if isSending {
      data.toolkit.sendingPlace = nil
      complete(Answer.silent.line("\(prefix(place))SEND FAIL"))
    }
    urc("\(prefix(place))CLOSED")
  }

  /// Takes timers and the number away; received bytes stay for `CIPRXGET`.
  private mutating func forgetToolkitSocket(_ place: Int) {
    forgetID(data.toolkit.sockets[place].id)
    data.toolkit.sockets[place].id = nil
    timers.cancel(.data(.toolkitConnectTimeout(place)))
    timers.cancel(.data(.toolkitConnectFails(place)))
    timers.cancel(.data(.toolkitSendTimeout(place)))
  }

  /// Closes a socket without a word to the host.
  mutating func dropToolkitSocket(_ place: Int) {
    if let id = data.toolkit.sockets[place].id { ask(.closeSocket(id: id)) }
    forgetToolkitSocket(place)
    if data.toolkit.sendingPlace == place {
      data.toolkit.sendingPlace = nil
      if isRunning("+CIPSEND") { complete(Answer.silent.line("\(prefix(place))SEND FAIL")) }
    }
    data.toolkit.sockets[place] = ToolkitSocketTable.Socket()
  }

  // MARK: Sending

  /// `AT+CIPSEND`, `=<length>`, `=<n>`, `=<n>,<length>`, and `?` for the room.
  private mutating func cipsend(_ call: CommandCall) -> Answer {
    let isMultiple = data.toolkit.isMultiple
    switch call.form {
    case .test: return Answer.ok.line(isMultiple ? "+CIPSEND: (0-7),<length>" : "+CIPSEND: <length>")
    case .read:
      guard isMultiple else {
        return Answer.ok.line("+CIPSEND: \(room(0))")
      }
      return Answer.ok.lines((0..<8).map { "+CIPSEND: \($0),\(room($0))" })
    case .execute, .write: break
    }
    var place = 0
    var length: Int?
    if isMultiple {
      guard let number = call.integer(0, in: 0...7), call.count <= 2 else { return .error }
      place = number
      if call.count == 2 {
        guard let bytes = call.integer(1, in: 1...ToolkitSocketTable.maximumSend) else { return .error }
        length = bytes
      }
    } else if call.form == .write {
      guard call.count == 1, let bytes = call.integer(0, in: 1...ToolkitSocketTable.maximumSend) else { return .error }
      length = bytes
    }
    guard data.toolkit.sockets[place].phase == .connected else { return .error }
    var prompt = Prompt(text: Prompt.greaterThan, length: length, timeout: nil, purpose: .data(.toolkitSend(place)))
    prompt.maximum = ToolkitSocketTable.maximumSend
    if length == nil, data.toolkit.autoSendAfter > 0 { prompt.timeout = .seconds(data.toolkit.autoSendAfter) }
    return .prompt(prompt)
  }

  /// Most bytes the next `CIPSEND` takes.
  private func room(_ place: Int) -> Int {
    data.toolkit.sockets[place].phase == .connected ? ToolkitSocketTable.maximumSend : 0
  }

  /// The payload of `CIPSEND` is there.
  mutating func toolkitSend(_ bytes: [UInt8], to place: Int, outcome: Prompt.Outcome) -> Answer {
    guard outcome != .cancelled else { return .ok }
    guard data.toolkit.sockets[place].phase == .connected, let id = data.toolkit.sockets[place].id, !bytes.isEmpty
    else { return Answer.silent.line("\(prefix(place))SEND FAIL") }
    askOpen(.send(id: id, bytes: bytes))
    if data.toolkit.sockets[place].isUDP {
      data.toolkit.sockets[place].acknowledgedCount += bytes.count
    } else if !timers.contains(.data(.toolkitSendTimeout(place))) {
      schedule(.data(.toolkitSendTimeout(place)), after: .seconds(645))
    }
    data.toolkit.sockets[place].sentCount += bytes.count
    if data.toolkit.sendsQuickly {
      let number = data.toolkit.isMultiple ? "\(place)," : ""
      return Answer.silent.line("DATA ACCEPT:\(number)\(bytes.count)")
    }
    if data.toolkit.sockets[place].isUDP { return Answer.silent.line("\(prefix(place))SEND OK") }
    data.toolkit.sendingPlace = place
    return .later
  }

  /// The peer acknowledged bytes: perhaps all that was sent.
  private mutating func toolkitIsAcknowledged(_ place: Int) {
    let socket = data.toolkit.sockets[place]
    guard socket.acknowledgedCount >= socket.sentCount else { return }
    timers.cancel(.data(.toolkitSendTimeout(place)))
    guard data.toolkit.sendingPlace == place else { return }
    data.toolkit.sendingPlace = nil
    if isRunning("+CIPSEND") { complete(Answer.silent.line("\(prefix(place))SEND OK")) }
  }

  /// `AT+CIPACK[=<n>]`: sent, acknowledged, not acknowledged.
  private mutating func cipack(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    let place = data.toolkit.isMultiple ? call.integer(0, in: 0...7) : call.form == .execute ? 0 : nil
    guard let place, data.toolkit.sockets[place].phase == .connected else { return .error }
    let socket = data.toolkit.sockets[place]
    let open = socket.sentCount - socket.acknowledgedCount
    return Answer.ok.line("+CIPACK: \(socket.sentCount), \(socket.acknowledgedCount), \(open)")
  }

  // MARK: Closing

  /// `AT+CIPCLOSE[=<n>[,<0|1>]]`; with one socket `[=<0|1>]`.
  private mutating func cipclose(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    guard call.form == .execute || call.form == .write else { return .error }
    var place = 0
    if data.toolkit.isMultiple {
      guard let number = call.integer(0, in: 0...7) else { return .error }
      place = number
    }
    let phase = data.toolkit.sockets[place].phase
    guard phase == .connected || phase == .connecting else { return .error }
    if let id = data.toolkit.sockets[place].id { ask(.closeSocket(id: id)) }
    forgetToolkitSocket(place)
    data.toolkit.sockets[place].phase = .closed
    return Answer.silent.line("\(prefix(place))CLOSE OK")
  }

  // MARK: Transparent mode

  /// `ATO`: back to the data after `+++`.
  private mutating func resumeTransparent() -> Answer {
    let toolkit = data.toolkit
    let isConnected = toolkit.isTransparent && !toolkit.isMultiple && toolkit.sockets[0].phase == .connected
    guard session.isDialled || isConnected else { return Answer(ending: .result("NO CARRIER", 3)) }
    input.mode = .transparent
    return Answer(ending: .result("CONNECT", 1))
  }

  /// Bytes from the host in transparent mode; `+++` has been taken out. They leave in blocks.
  mutating func receiveTransparent(_ bytes: [UInt8]) {
    guard !session.isDialled else { return }
    data.toolkit.transparent += bytes
    timers.cancel(.data(.transparentGap))
    if data.toolkit.transparent.count >= 1024 {
      flushTransparent()
    } else {
      schedule(.data(.transparentGap), after: configuration.data.transparentGap)
    }
  }

  /// Back to commands because the connection is gone.
  mutating func endTransparentMode() {
    guard input.mode == .transparent else { return }
    input.mode = .command
    input.forgetLine()
    data.toolkit.transparent = []
    timers.cancel(.data(.transparentGap))
    flushURCs()
  }

  /// Sends what was gathered in transparent mode.
  mutating func flushTransparent() {
    let bytes = data.toolkit.transparent
    data.toolkit.transparent = []
    guard !bytes.isEmpty, let id = data.toolkit.sockets[0].id else { return }
    askOpen(.send(id: id, bytes: bytes))
  }
}
