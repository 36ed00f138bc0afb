public import ASCIIText
import ATCommands

/// The modem did not take a command with the access point, its user or its password: what opens then is another one, or none.
@frozen public struct AccessRefusal: Equatable, BitwiseCopyable, Sendable {
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
    default: return "AT+CGDCONT"
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
  /// An exchange with the access point is over.
  mutating func noteAccess(_ ended: ModemStep, _ result: ATResult) {
    guard !result.isUncertain else { return }
    if result.isOK {
      if refusedAccess?.step == ended { refusedAccess = nil }
      return
    }
    var code: UInt16?
    if case .equipmentError(let error) = result, error != .unknownText { code = error.code }
    refusedAccess = AccessRefusal(step: ended, code: code)
  }
}
