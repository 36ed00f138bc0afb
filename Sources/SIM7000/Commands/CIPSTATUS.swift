import ASCIIText
import ATCommands
import Quantities

/// How far the toolkit is.
@frozen package enum ToolkitState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing was done.
  case initial
  /// The access point is set.
  case started
  /// It is brought up.
  case configuring
  /// It is up; the address was not asked for.
  case active
  /// It is up, and connections can be opened.
  case ready
  /// Connections exist, or did.
  case processing
  /// A connection is being opened.
  case connecting
  /// It is a server.
  case listening
  /// The connection is open.
  case connected
  /// The connection is being closed.
  case closing
  /// The connection is closed.
  case closed
  /// The network has ended it: `CIPSHUT` is needed.
  case deactivated

  /// Reads `STATE: <words>`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "STATE"), fields.count == 1 else { return nil }
    if fields.equals(0, "IP INITIAL") {
      self = .initial
    } else if fields.equals(0, "IP START") {
      self = .started
    } else if fields.equals(0, "IP CONFIG") {
      self = .configuring
    } else if fields.equals(0, "IP GPRSACT") {
      self = .active
    } else if fields.equals(0, "IP STATUS") {
      self = .ready
    } else if fields.equals(0, "IP PROCESSING") {
      self = .processing
    } else if fields.equals(0, "TCP CONNECTING") || fields.equals(0, "UDP CONNECTING") {
      self = .connecting
    } else if fields.equals(0, "SERVER LISTENING") {
      self = .listening
    } else if fields.equals(0, "CONNECT OK") {
      self = .connected
    } else if fields.equals(0, "TCP CLOSING") || fields.equals(0, "UDP CLOSING") {
      self = .closing
    } else if fields.equals(0, "TCP CLOSED") || fields.equals(0, "UDP CLOSED") {
      self = .closed
    } else if fields.equals(0, "PDP DEACT") {
      self = .deactivated
    } else {
      return nil
    }
  }
}

/// State of one connection of the toolkit.
@frozen package enum ClientState: UInt8, BitwiseCopyable, Sendable {
  /// Not used yet.
  case initial
  /// Being opened.
  case connecting
  /// Open.
  case connected
  /// Being closed by the peer.
  case remoteClosing
  /// Being closed.
  case closing
  /// Closed.
  case closed

  /// Reads a field.
  init?(_ fields: borrowing ATFields, _ index: Int) {
    if fields.equals(index, "INITIAL") {
      self = .initial
    } else if fields.equals(index, "CONNECTING") {
      self = .connecting
    } else if fields.equals(index, "CONNECTED") {
      self = .connected
    } else if fields.equals(index, "REMOTE CLOSING") {
      self = .remoteClosing
    } else if fields.equals(index, "CLOSING") {
      self = .closing
    } else if fields.equals(index, "CLOSED") {
      self = .closed
    } else {
      return nil
    }
  }
}

/// State of the toolkit: `AT+CIPSTATUS` → `OK` first, then `STATE: <state>`, and with several connections a line
/// `C: <n>,…` for each. `AT+CIPSTATUS=<n>` → `+CIPSTATUS: <n>,<bearer>,"TCP","<address>","<port>","<state>"`, `OK`.
///
/// - Source: [sim7000at] `AT+CIPSTATUS`.
package enum CIPSTATUS {
  /// Asks for the state: `AT+CIPSTATUS`. The lines `C: …` come after the end, and say nothing that `Query` does not.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(end: .okThenNamed("STATE"), outcomeWithin: .seconds(5)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIPSTATUS") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ToolkitState? {
      ToolkitState(line)
    }
  }

  /// Asks for one connection: `AT+CIPSTATUS=0`.
  @frozen package struct Query: ATCommand {
    /// Connection 0 to 7.
    package let connection: UInt8
    /// The command; nil for a connection the modem does not have.
    package init?(connection: UInt8) {
      guard connection <= 7 else { return nil }
      self.connection = connection
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CIPSTATUS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPSTATUS=")
      sink.append(number: connection)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ClientState? {
      guard let fields = line.fields(of: "+CIPSTATUS"), fields.count == 6, fields.byte(0, maximum: 7) != nil else {
        return nil
      }
      return ClientState(fields, 5)
    }
  }
}
