import ASCIIText
import ATCommands
import Quantities

/// Outcome of opening a socket.
@frozen package enum SocketOutcome: UInt8, BitwiseCopyable, Sendable {
  /// Open.
  case done = 0
  /// Something with the socket, or a number that is not known.
  case socketError = 1
  /// No memory.
  case noMemory = 2
  /// No more connections.
  case connectionLimit = 3
  /// A parameter is wrong.
  case badParameter = 4
  /// The address is wrong.
  case badAddress = 6
  /// Not supported.
  case unsupported = 7
  /// Could not be bound.
  case bindError = 12
  /// Could not listen.
  case listenError = 13
  /// No such name.
  case nameError = 20
  /// The network is not active.
  case networkInactive = 21
  /// Refused by the server.
  case refused = 23
  /// The certificate is too old, or the clock wrong.
  case certificateExpired = 24
  /// The certificate is of another name.
  case certificateMismatch = 25
  /// Both.
  case certificateExpiredAndMismatch = 26
  /// Not connected.
  case connectionError = 27

  /// True for what the modem has to do with itself, and no server.
  package var isOfModem: Bool {
    switch self {
    case .noMemory, .connectionLimit, .badParameter, .unsupported, .bindError, .listenError: return true
    default: return false
    }
  }
}

/// Opens a socket: `AT+CAOPEN=0,"<host>",<port>` → `+CAOPEN: 0,<result>`, then `OK`, or the other way round. `CNACT` must be active.
///
/// The parameter `"TCP"` of the manual is refused by real firmware and left out.
///
/// - Source: [sim7000at] `AT+CAOPEN`.
package enum CAOPEN {
  /// Opens: `AT+CAOPEN=0,"example.org",5000`.
  @frozen package struct Open: ATCommand {
    /// Name or address of the server.
    package let host: ServerAddress
    /// Port.
    package let port: UInt16
    /// The command; nil without a host or with port 0.
    package init?(host: ServerAddress, port: UInt16) {
      guard !host.isEmpty, port > 0 else { return nil }
      self.host = host
      self.port = port
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(
        end: .okThenNamed("+CAOPEN"), within: .seconds(75), outcomeWithin: .seconds(75), patience: .seconds(10))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CAOPEN=0")
      sink.append(nextQuoted: host)
      sink.append(next: port)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> SocketOutcome? {
      guard let fields = line.fields(of: "+CAOPEN"), fields.byte(0) == 0,
        let number = fields.byte(1)
      else { return nil }
      return SocketOutcome(rawValue: number) ?? .socketError
    }
  }
}
