import Quantities

// CNACT: the bearer of SH*, SM*, CA*, HTTPTOFS and SNPING4.
//
// Source: [sim7000-at] section 8.2.1.

/// The application network.
struct AppBearer: Equatable, Sendable {
  /// How far it is.
  enum Phase: Int, Equatable, Sendable {
    /// There is none.
    case off = 0
    /// There is one.
    case active = 1
    /// On its way.
    case activating = 2
  }

  /// How far it is.
  var phase = Phase.off
  /// Access point name of `CNACT` or `CNCFG`.
  var accessPointName = ""
  /// True when it shall come back by itself (`CNACT=2`).
  var reactivates = false
}

extension SimulatedModem {
  /// The commands of this file.
  static var appBearerCommands: [SimulatedCommand] {
    [SimulatedCommand("+CNACT") { modem, call in modem.cnact(call) }, remembering("+CNCFG")]
  }

  /// `AT+CNACT=<0|1|2>[,"apn"]`.
  private mutating func cnact(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CNACT: (0-2),(0-50)")
    case .read:
      let address = data.app.phase == .active ? configuration.network.address : "0.0.0.0"
      let context = configuration.data.printsContextInCNACT ? "0," : ""
      return Answer.ok.line("+CNACT: \(context)\(data.app.phase.rawValue),\"\(address)\"")
    case .execute: return .error
    case .write: break
    }
    guard let mode = call.integer(0, in: 0...2), call.count <= 2 else { return .error }
    if mode == 0 {
      guard data.app.phase != .off else {
        return configuration.data.refusesRepeatedDeactivation || faults.hasStrictStates ? .error : .ok
      }
      timers.cancel(.data(.appActivates))
      schedule(.data(.appDeactivates), after: configuration.data.closingDelay)
      return .ok
    }
    guard radio.function == 1 else { return .error }
    if data.app.phase != .off { return refusesRepeatedActivation ? .error : .ok }
    data.app.accessPointName = call.string(1) ?? data.app.accessPointName
    data.app.reactivates = mode == 2
    data.app.phase = .activating
    timers.cancel(.data(.appRetries))
    timers.cancel(.data(.appDeactivates))
    schedule(.data(.appActivates), after: configuration.network.bearerDelay)
    return .ok
  }

  /// True when the network takes the name; the empty one stands for the network's own.
  func accepts(accessPointName name: String) -> Bool {
    guard let accepted = configuration.network.accessPointNames, !name.isEmpty else { return true }
    return accepted.contains(name)
  }

  /// The network has answered the request for a bearer.
  mutating func appActivates() {
    guard hasPacketService, accepts(accessPointName: data.app.accessPointName) else {
      data.app.phase = .off
      urc("+APP PDP: DEACTIVE")
      return
    }
    data.app.phase = .active
    faults.isConnectionStale = false
    urc("+APP PDP: ACTIVE")
  }

  /// The host gave the bearer back.
  mutating func appDeactivates() {
    data.app.reactivates = false
    if data.app.phase == .activating {
      data.app.phase = .off
      urc("+APP PDP: DEACTIVE")
    }
    loseAppBearer(isSilent: false)
  }

  /// After a loss, `CNACT=2` asks again as soon as there is a network.
  mutating func appRetries() {
    guard data.app.reactivates, data.app.phase == .off else { return }
    if hasPacketService {
      data.app.phase = .activating
      schedule(.data(.appActivates), after: configuration.network.bearerDelay)
    } else {
      schedule(.data(.appRetries), after: .seconds(5))
    }
  }

  /// The bearer goes, and all that stood on it.
  mutating func loseAppBearer(isSilent: Bool) {
    guard data.app.phase == .active else { return }
    data.app.phase = .off
    if data.app.reactivates { schedule(.data(.appRetries), after: .seconds(5)) }
    if !isSilent { urc("+APP PDP: DEACTIVE") }
    loseHTTP(isSilent: isSilent)
    loseMQTT(isSilent: isSilent)
    loseApplicationSockets(isSilent: isSilent)
    loseAppServices()
  }
}
