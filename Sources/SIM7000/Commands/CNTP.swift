import ASCIIText
import ATCommands
import Quantities

/// Outcome of asking a time server.
@frozen package enum TimeServerOutcome: UInt8, BitwiseCopyable, Sendable {
  /// The clock was set.
  case done = 1
  /// No network.
  case networkError = 61
  /// No such name.
  case nameError = 62
  /// No connection.
  case connectionError = 63
  /// Not a time server.
  case serviceError = 64
  /// No answer.
  case timedOut = 65

  /// Reads `+CNTP: 1` or `+CNTP: 1,"<time>"`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+CNTP"), fields.count == 1 || (fields.count == 2 && fields.isQuoted(1)),
      let number = fields.byte(0)
    else { return nil }
    self.init(rawValue: number)
  }
}

/// Time server: `AT+CNTP="<host>",<zone>` → `OK`; `AT+CNTP` → `OK`, then `+CNTP: <code>`. The bearer must be open.
///
/// - Source: [sim7000at] `AT+CNTP`; [sim7000an] GNSS.
package enum CNTP {
  /// Sets the server: `AT+CNTP="pool.ntp.org",0`; the clock is set to UTC.
  ///
  /// The driver does not use it: it is for a place where neither network nor satellites tell the time.
  @frozen package struct Set: ATCommand {
    /// Name or address.
    package let host: ServerAddress
    /// The command; nil without a host.
    package init?(host: ServerAddress) {
      guard !host.isEmpty else { return nil }
      self.host = host
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNTP=")
      sink.append(quoted: host)
      sink.append(",0")
    }
  }

  /// Asks it: `AT+CNTP`.
  ///
  /// The driver does not use it: it is for a place where neither network nor satellites tell the time.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(end: .okThenNamed("+CNTP"), outcomeWithin: .seconds(75)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CNTP") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> TimeServerOutcome? {
      TimeServerOutcome(line)
    }
  }
}
