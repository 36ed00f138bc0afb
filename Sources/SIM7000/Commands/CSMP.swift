import ASCIIText
import ATCommands

/// Parameters of the short messages that are sent as text: `AT+CSMP=<first octet>,<validity>,<protocol>,<coding>` → `OK`.
///
/// - Source: [ts27005] section 3.3.4; [sim7000at] `AT+CSMP`.
package enum CSMP {
  /// Chooses: `AT+CSMP=49,167,0,0`.
  @frozen package struct Set: ATCommand {
    /// True when the network is to report what became of each message.
    package var wantsReport: Bool
    /// The command.
    package init(wantsReport: Bool) { self.wantsReport = wantsReport }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    ///
    /// - Source: [ts23040] sections 9.2.3.1, 9.2.3.3, 9.2.3.5 (17: a message to be sent, with a relative validity; 32 more asks
    ///   for the report), 9.2.3.12 (167: a day, which is also what a modem begins with).
    package func encode(into sink: inout some ByteSink) {
      sink.append(wantsReport ? "+CSMP=49,167,0,0" : "+CSMP=17,167,0,0")
    }
  }
}
