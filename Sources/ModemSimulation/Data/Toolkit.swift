import Quantities

// CSTT, CIICR, CIFSR, CIPSHUT, CIPSTATUS and the settings of the TCP/IP toolkit.
//
// Source: [sim7000-at] chapter 12; [sim7000-tcpip] sections 2 and 3.

extension SimulatedModem {
  /// The commands of this file.
  static var toolkitCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CSTT") { modem, call in modem.cstt(call) },
      SimulatedCommand("+CIICR") { modem, call in modem.ciicr(call) },
      SimulatedCommand("+CIFSR") { modem, call in
        guard call.form == .execute, let address = modem.toolkitAddress() else { return .error }
        return Answer.silent.line(address)
      },
      SimulatedCommand("+CIFSREX") { modem, call in
        guard call.form == .execute, let address = modem.toolkitAddress() else { return .error }
        return Answer.ok.line("+CIFSREX: \(address)")
      },
      SimulatedCommand("+CIPSHUT") { modem, call in
        if call.form == .test { return .ok }
        guard call.form == .execute else { return .error }
        modem.schedule(.data(.toolkitShut), after: modem.configuration.data.closingDelay)
        return .later
      },
      SimulatedCommand("+CIPSTATUS") { modem, call in modem.cipstatus(call) },
      SimulatedCommand("+CIPMUX") { modem, call in
        modem.toolkitSwitch(call, \.isMultiple, isAllowed: modem.data.toolkit.phase == .initial)
      },
      SimulatedCommand("+CIPQSEND") { modem, call in modem.toolkitSwitch(call, \.sendsQuickly, isAllowed: true) },
      SimulatedCommand("+CIPHEAD") { modem, call in modem.toolkitSwitch(call, \.printsHead, isAllowed: true) },
      SimulatedCommand("+CIPSRIP") { modem, call in modem.toolkitSwitch(call, \.printsSource, isAllowed: true) },
      SimulatedCommand("+CIPMODE") { modem, call in
        let toolkit = modem.data.toolkit
        return modem.toolkitSwitch(
          call, \.isTransparent, isAllowed: toolkit.phase == .initial && !toolkit.isMultiple)
      },
      SimulatedCommand("+CIPATS") { modem, call in modem.cipats(call) },
      SimulatedCommand("+CDNSGIP") { modem, call in modem.cdnsgip(call) },
      remembering("+CDNSCFG"), remembering("+CIPTKA"), remembering("+CIPSCONT"), remembering("+CIPUDPMODE"),
      remembering("+CIPCCFG"), remembering("+CIPRDTIMER"), remembering("+CLPORT"), remembering("+CIPDPDP"),
      remembering("+CIPSPRT"),
    ]
  }

  /// `AT+NAME=<0|1>`.
  private mutating func toolkitSwitch(
    _ call: CommandCall, _ setting: WritableKeyPath<ToolkitSocketTable, Bool>, isAllowed: Bool
  ) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("\(call.name): (0,1)")
    case .read: return Answer.ok.line("\(call.name): \(data.toolkit[keyPath: setting] ? 1 : 0)")
    case .execute: return .error
    case .write:
      guard let value = call.integer(0, in: 0...1), call.count == 1, isAllowed else { return .error }
      data.toolkit[keyPath: setting] = value == 1
      return .ok
    }
  }

  /// `AT+CIPATS=<mode>[,<seconds>]`.
  private mutating func cipats(_ call: CommandCall) -> Answer {
    if call.form == .read {
      let seconds = data.toolkit.autoSendAfter
      return Answer.ok.line("+CIPATS: \(seconds > 0 ? 1 : 0),\(seconds)")
    }
    guard call.form == .write, let mode = call.integer(0, in: 0...1) else { return .error }
    guard mode == 1 else {
      data.toolkit.autoSendAfter = 0
      return .ok
    }
    guard let seconds = call.integer(1, in: 1...100) else { return .error }
    data.toolkit.autoSendAfter = seconds
    return .ok
  }

  /// `AT+CSTT="apn"[,"user","password"]`; only in IP INITIAL.
  private mutating func cstt(_ call: CommandCall) -> Answer {
    switch call.form {
    case .read:
      let access = data.toolkit.access
      return Answer.ok.line("+CSTT: \"\(access[0])\",\"\(access[1])\",\"\(access[2])\"")
    case .test: return Answer.ok.line("+CSTT: \"APN\",\"USER\",\"PWD\"")
    case .write, .execute:
      guard data.toolkit.phase == .initial, call.count <= 3 else { return .error }
      for place in 0..<call.count { data.toolkit.access[place] = call.string(place) ?? "" }
      data.toolkit.phase = .start
      return .ok
    }
  }

  /// `AT+CIICR`: up to 85 s.
  private mutating func ciicr(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    guard call.form == .execute, data.toolkit.phase == .start else { return .error }
    data.toolkit.phase = .config
    schedule(.data(.toolkitActivates), after: configuration.network.bearerDelay)
    return .later
  }

  /// The network has answered the request for a bearer.
  mutating func toolkitActivates() {
    guard data.toolkit.phase == .config else { return }
    let opens = hasPacketService && accepts(accessPointName: data.toolkit.access[0])
    data.toolkit.phase = opens ? .active : .deactivated
    if opens { faults.isConnectionStale = false }
    if data.toolkit.waitsForBearer {
      data.toolkit.waitsForBearer = false
      guard opens else {
        toolkitConnectFails(0)
        return
      }
      data.toolkit.phase = .status
      connectToolkitSocket(0)
    } else if isRunning("+CIICR") {
      complete(opens ? .ok : .error)
    }
  }

  /// The address, with the step to IP STATUS that asking for it brings.
  private mutating func toolkitAddress() -> String? {
    guard data.toolkit.phase == .active || data.toolkit.phase == .status else { return nil }
    data.toolkit.phase = .status
    return configuration.network.address
  }

  /// `CIPSHUT` has come to its end.
  mutating func toolkitIsShut() {
    for place in data.toolkit.sockets.indices { dropToolkitSocket(place) }
    timers.cancel(.data(.toolkitActivates))
    data.toolkit.waitsForBearer = false
    data.toolkit.phase = .initial
    if isRunning("+CIPSHUT") { complete(Answer.silent.line("SHUT OK")) }
  }

  /// `AT+CIPSTATUS[=<n>]`: `OK` comes first.
  private mutating func cipstatus(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return .ok
    case .read: return .error
    case .write:
      guard data.toolkit.isMultiple, let place = call.integer(0, in: 0...7) else { return .error }
      return Answer.ok.line("+CIPSTATUS: \(socketText(place))")
    case .execute:
      let answer = Answer.ok.then(.line("STATE: \(data.toolkit.statusText)"))
      guard data.toolkit.isMultiple else { return answer }
      return answer.then(.line((0..<8).map { "C: \(socketText($0))" }.joined(separator: "\r\n")))
    }
  }

  /// `0,0,"TCP","1.2.3.4","8500","CONNECTED"`.
  private func socketText(_ place: Int) -> String {
    let socket = data.toolkit.sockets[place]
    if socket.phase == .initial { return "\(place),,\"\",\"\",\"\",\"INITIAL\"" }
    let kind = socket.isUDP ? "UDP" : "TCP"
    return "\(place),0,\"\(kind)\",\"\(socket.host)\",\"\(socket.port)\",\"\(socket.phase.rawValue)\""
  }

  /// `AT+CDNSGIP="name"`.
  private mutating func cdnsgip(_ call: CommandCall) -> Answer {
    if call.form == .test { return .ok }
    guard call.form == .write, call.count == 1, let host = call.string(0), !host.isEmpty,
      data.toolkit.phase == .active || data.toolkit.phase == .status
    else { return .error }
    let id = newID(for: .lookUp(host))
    askOpen(.resolve(id: id, host: host))
    schedule(.data(.lookUpTimeout(id)), after: .seconds(30))
    return .ok
  }

  /// A name is looked up, or unknown.
  mutating func handleLookUp(_ reply: NetworkReply, _ host: String) {
    forgetID(reply.id)
    timers.cancel(.data(.lookUpTimeout(reply.id)))
    if case .resolved(_, let address) = reply {
      urc("+CDNSGIP: 1,\"\(host)\",\"\(address)\"")
    } else {
      urc("+CDNSGIP: 0,8")
    }
  }

  /// The bearer goes; sockets die without a line of their own.
  mutating func loseToolkit(isSilent: Bool) {
    guard data.toolkit.phase == .active || data.toolkit.phase == .status else { return }
    endTransparentMode()
    for place in data.toolkit.sockets.indices { dropToolkitSocket(place) }
    data.toolkit.phase = .deactivated
    if !isSilent { urc("+PDP: DEACT") }
  }
}
