public import ASCIIText
import ATCommands

/// The modem did not take a command without which nothing, or something else, can be had: the access point with its user and password,
/// the bearer, the certificate of the server.
@frozen public struct CommandRefusal: Equatable, BitwiseCopyable, Sendable {
  /// The exchange.
  public var step: ModemStep
  /// The number of its `+CME ERROR`; nil for an answer without one.
  public var code: UInt16?

  /// The command's name.
  public var command: StaticString {
    switch step {
    case .bearerAccess: return "AT+CNCFG"
    case .socketsAccess: return "AT+CSTT"
    case .profileAccess, .profileUser, .profilePassword: return "AT+SAPBR"
    case .bearerOpen: return "AT+CNACT"
    case .httpTLS: return "AT+SHSSL"
    case .mqttTLS: return "AT+SMSSL"
    default: return "AT+CGDCONT"
    }
  }

  /// True when it was about the certificate by which a server is known.
  package var isOfCertificate: Bool { step == .httpTLS || step == .mqttTLS }

  /// What follows from it, and what helps.
  package var consequence: StaticString {
    switch step {
    case .bearerOpen: return "so it opens no bearer; a modem that is no SIM7000 has another form of it"
    case .httpTLS, .mqttTLS:
      return "so it knows no server; its certificate may not be in the modem, which 'leash modem certificate' loads"
    default: return "and may use another access point"
    }
  }

  /// Writes the command and the modem's answer: `the modem answers AT+CGDCONT with '+CME ERROR: 3'`.
  public func write(into sink: inout some ByteSink) {
    sink.append("the modem answers ")
    sink.append(command)
    sink.append(" with '")
    if let code {
      sink.append("+CME ERROR: ")
      sink.append(number: code)
    } else {
      sink.append("ERROR")
    }
    sink.append("'")
  }
}

extension Modem {
  /// An exchange of this kind is over.
  mutating func noteRefusal(_ ended: ModemStep, _ result: ATResult) {
    guard !result.isUncertain else { return }
    if result.isOK {
      if refusedCommand?.step == ended { refusedCommand = nil }
      return
    }
    // Without a bearer it says nothing that another one, which stands in for it, has no access point either.
    if refusedCommand?.step == .bearerOpen, ended != .bearerOpen { return }
    var code: UInt16?
    if case .equipmentError(let error) = result, error != .unknownText { code = error.code }
    refusedCommand = CommandRefusal(step: ended, code: code)
  }
}
