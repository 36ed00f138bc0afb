import Quantities

// SAPBR: the bearer of the HTTPINIT stack, CNTP and CLBS.
//
// Source: [sim7000-at] section 9.2.1.

/// The bearer profile.
struct ProfileBearer: Equatable, Sendable {
  /// How far it is, with the numbers of `SAPBR=2`.
  enum Phase: Int, Equatable, Sendable {
    /// Being opened.
    case connecting = 0
    /// Open.
    case connected = 1
    /// Being closed.
    case closing = 2
    /// Closed.
    case closed = 3
  }

  /// How far it is.
  var phase = Phase.closed
  /// Parameters of `SAPBR=3`.
  var parameters: [String: String] = [:]
}

extension SimulatedModem {
  /// The commands of this file.
  static var profileBearerCommands: [SimulatedCommand] {
    [SimulatedCommand("+SAPBR") { modem, call in modem.sapbr(call) }]
  }

  /// `AT+SAPBR=<cmd>,<cid>[,"tag","value"]`: 0 close, 1 open, 2 ask, 3 set, 4 show.
  private mutating func sapbr(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+SAPBR: (0-4),(1),\"ConParamTag\",\"ConParamValue\"") }
    guard call.form == .write, let action = call.integer(0, in: 0...4), call.integer(1) == 1 else { return .error }
    switch action {
    case 0:
      guard data.profile.phase == .connected else { return .cme(3) }
      data.profile.phase = .closing
      schedule(.data(.profileCloses), after: configuration.data.closingDelay)
      return .later
    case 1:
      guard data.profile.phase == .closed else { return .cme(3) }
      guard radio.function == 1 else { return .cme(3) }
      data.profile.phase = .connecting
      schedule(.data(.profileOpens), after: configuration.network.bearerDelay)
      return .later
    case 2:
      let address = data.profile.phase == .connected ? configuration.network.address : "0.0.0.0"
      return Answer.ok.line("+SAPBR: 1,\(data.profile.phase.rawValue),\"\(address)\"")
    case 3:
      guard let tag = call.string(2), let value = call.string(3), !tag.isEmpty else { return .error }
      data.profile.parameters[tag.uppercased()] = value
      return .ok
    default:
      let tags = ["CONTYPE", "APN", "USER", "PWD"]
      return Answer.ok.lines(["+SAPBR:"] + tags.map { "\($0): \(data.profile.parameters[$0] ?? "")" })
    }
  }

  /// The network has answered `SAPBR=1`.
  mutating func profileOpens() {
    let opens = hasPacketService && accepts(accessPointName: data.profile.parameters["APN"] ?? "")
    data.profile.phase = opens ? .connected : .closed
    if opens { faults.isConnectionStale = false }
    if isRunning("+SAPBR") { complete(opens ? .ok : .error) }
  }

  /// `SAPBR=0` has come to its end.
  mutating func profileCloses() {
    data.profile.phase = .closed
    loseLegacyHTTP()
    if isRunning("+SAPBR") { complete(.ok) }
  }

  /// The network took the bearer away.
  mutating func loseProfileBearer(isSilent: Bool) {
    guard data.profile.phase == .connected else { return }
    data.profile.phase = .closed
    if !isSilent { urc("+SAPBR 1: DEACT") }
    loseLegacyHTTP()
  }
}
