import ASCIIText
import ATCommands
import Quantities

/// Kind of a connection.
@frozen package enum ConnectionKind: UInt8, BitwiseCopyable, Sendable {
  /// A stream.
  case tcp
  /// Packets.
  case udp

  /// As it is written in a command.
  var name: StaticString {
    switch self {
    case .tcp: return "TCP"
    case .udp: return "UDP"
    }
  }
}

/// Opens a connection of the toolkit: `AT+CIPSTART=[<n>,]"TCP","<host>",<port>` → `OK`, then `[<n>, ]CONNECT OK` or
/// `CONNECT FAIL`, or the state the toolkit is in instead (`STATE: PDP DEACT`), within 160 s (75 s with several connections).
///
/// - Source: [sim7000at] `AT+CIPSTART`.
package enum CIPSTART {
  /// Opens: `AT+CIPSTART=0,"TCP","example.org",5000`. To open what is open fails.
  @frozen package struct Open: ATCommand {
    /// Connection 0 to 7; nil when there is only one.
    package let connection: UInt8?
    /// Kind.
    package let kind: ConnectionKind
    /// Name or address of the server.
    package let host: ServerAddress
    /// Port.
    package let port: UInt16
    /// The command; nil for a connection the modem does not have, without a host, or for port 0.
    package init?(connection: UInt8?, kind: ConnectionKind = .tcp, host: ServerAddress, port: UInt16) {
      guard (connection ?? 0) <= 7, !host.isEmpty, port > 0 else { return nil }
      self.connection = connection
      self.kind = kind
      self.host = host
      self.port = port
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(
        end: .okThenText("CONNECT OK", failure: "CONNECT FAIL"), failure: "STATE:", within: .seconds(10),
        outcomeWithin: .seconds(connection == nil ? 160 : 75))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPSTART=")
      if let connection {
        sink.append(number: connection)
        sink.append(",")
      }
      sink.append(quoted: kind.name)
      sink.append(nextQuoted: host)
      sink.append(next: port)
    }
  }
}
