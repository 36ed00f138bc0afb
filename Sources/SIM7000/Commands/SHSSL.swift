import ASCIIText
import ATCommands

/// Security of the HTTP client: `AT+SHSSL=<context>,"<authority>"` → `OK`; before `SHCONN`.
///
/// - Source: [sim7000at] `AT+SHSSL`; an empty name means that the server is not checked.
package enum SHSSL {
  /// Sets it: `AT+SHSSL=1,"ca.pem"`.
  @frozen package struct Set: ATCommand {
    /// Number of the settings of `CSSLCFG`, 0 to 5.
    package let context: UInt8
    /// File of the certificate by which the server is checked; empty to trust anybody.
    package let authority: FileName
    /// The command; nil for a number the modem does not have.
    package init?(context: UInt8, authority: FileName) {
      guard context <= 5 else { return nil }
      self.context = context
      self.authority = authority
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHSSL=")
      sink.append(number: context)
      sink.append(nextQuoted: authority)
    }
  }
}
