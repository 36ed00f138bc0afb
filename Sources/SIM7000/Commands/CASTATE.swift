import ASCIIText
import ATCommands

/// State of a socket.
@frozen package struct SocketStatus: Equatable, BitwiseCopyable, Sendable {
  /// A state.
  @frozen package enum State: UInt8, BitwiseCopyable, Sendable {
    /// Closed.
    case closed = 0
    /// Connected.
    case connected = 1
    /// Waiting for others.
    case listening = 2
  }

  /// Number of the socket.
  package var socket: UInt8
  /// Its state.
  package var state: State

  /// Reads `+CASTATE: <cid>,<state>`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+CASTATE"), fields.count == 2, let socket = fields.byte(0, maximum: 12),
      let number = fields.byte(1), let state = State(rawValue: number)
    else { return nil }
    self.socket = socket
    self.state = state
  }
}

/// States of the sockets: `AT+CASTATE?` → `+CASTATE: <cid>,<state>` for each that is open, `OK`. The same line comes by itself
/// when the peer closes.
///
/// - Source: [sim7000at] `AT+CASTATE`.
package enum CASTATE {
  /// Asks for them: `AT+CASTATE?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CASTATE", isRequired: false) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CASTATE?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> SocketStatus? {
      SocketStatus(line)
    }
  }
}
