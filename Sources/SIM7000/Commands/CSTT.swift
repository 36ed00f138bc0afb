import ASCIIText
import ATCommands

/// Access point of the toolkit: `AT+CSTT="<apn>","<user>","<password>"` → `OK`; only in the state IP INITIAL, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CSTT`; [sim7000an] TCP/IP.
package enum CSTT {
  /// Sets it: `AT+CSTT="iot.example","",""`.
  @frozen package struct Set: ATCommand {
    /// Name of the access point.
    package var accessPoint: AccessPointName
    /// User name, perhaps empty.
    package var user: Credential
    /// Password, perhaps empty.
    package var password: Credential
    /// The command.
    package init(accessPoint: AccessPointName, user: Credential = Credential(), password: Credential = Credential()) {
      self.accessPoint = accessPoint
      self.user = user
      self.password = password
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSTT=")
      sink.append(quoted: accessPoint)
      sink.append(nextQuoted: user)
      sink.append(nextQuoted: password)
    }
  }
}
