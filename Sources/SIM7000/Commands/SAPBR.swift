import ASCIIText
import ATCommands
import Quantities

/// State of a bearer, which the `HTTP` commands and `CNTP` use.
@frozen package struct BearerStatus: Equatable, BitwiseCopyable, Sendable {
  /// How far it is.
  @frozen package enum State: UInt8, BitwiseCopyable, Sendable {
    /// On its way.
    case connecting = 0
    /// On.
    case connected = 1
    /// Being closed.
    case closing = 2
    /// Off.
    case closed = 3
  }

  /// Number of the bearer.
  package var number: UInt8
  /// How far it is.
  package var state: State
  /// The modem's address; nil when it is not of version 4.
  package var address: NetworkAddress?
}

/// Bearer: `AT+SAPBR=<command>,1[,…]` → `OK`; opens within 85 s, closes within 65 s. Bearer 1 is used throughout.
///
/// To open what is open is `ERROR` or `+CME ERROR: 3`: ask first. Lost at reset.
///
/// - Source: [sim7000at] `AT+SAPBR`.
package enum SAPBR {
  /// What can be set.
  @frozen package enum Parameter: UInt8, BitwiseCopyable, Sendable {
    /// Kind of the bearer: `GPRS`.
    case kind
    /// Name of the access point.
    case accessPoint
    /// User name.
    case user
    /// Password.
    case password
  }

  /// Sets a parameter: `AT+SAPBR=3,1,"APN","iot.example"`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var parameter: Parameter
    /// Its value.
    package var value: Credential
    /// The command.
    package init(_ parameter: Parameter, _ value: Credential) {
      self.parameter = parameter
      self.value = value
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SAPBR=3,1,")
      switch parameter {
      case .kind: sink.append(quoted: "CONTYPE")
      case .accessPoint: sink.append(quoted: "APN")
      case .user: sink.append(quoted: "USER")
      case .password: sink.append(quoted: "PWD")
      }
      sink.append(nextQuoted: value)
    }
  }

  /// Asks for the state: `AT+SAPBR=2,1` → `+SAPBR: 1,1,"10.89.193.1"`, `OK`.
  @frozen package struct Query: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+SAPBR") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+SAPBR=2,1") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> BearerStatus? {
      // The address has come without its closing quote.
      guard let fields = line.fields(of: "+SAPBR"), let number = fields.byte(0), let raw = fields.byte(1),
        let state = BearerStatus.State(rawValue: raw), let text = fields.text(2)
      else { return nil }
      return BearerStatus(number: number, state: state, address: NetworkAddress(text))
    }
  }
}
