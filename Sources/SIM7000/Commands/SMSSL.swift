import ASCIIText
import ATCommands

/// Security of the MQTT client: `AT+SMSSL=<0|context>[,"<authority>","<certificate>"]` → `OK`; before `SMCONN`.
///
/// - Source: [sim7000at] `AT+SMSSL`; [sim7000an] MQTT(S): names of 20 bytes at most.
package enum SMSSL {
  /// Sets it: `AT+SMSSL=1,"ca.pem","client.pem"`.
  @frozen package struct Set: ATCommand {
    /// Number of the settings of `CSSLCFG`, 1 to 5.
    package let context: UInt8
    /// File of the certificate by which the broker is checked; empty to trust anybody.
    package let authority: ModemText<20>
    /// File of the client's own certificate; empty when it has none.
    package let certificate: ModemText<20>
    /// The command; nil for a number the modem does not have.
    package init?(context: UInt8 = 1, authority: ModemText<20>, certificate: ModemText<20> = ModemText()) {
      guard context >= 1, context <= 5 else { return nil }
      self.context = context
      self.authority = authority
      self.certificate = certificate
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SMSSL=")
      sink.append(number: context)
      sink.append(nextQuoted: authority)
      sink.append(nextQuoted: certificate)
    }
  }
}
