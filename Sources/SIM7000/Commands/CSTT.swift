public import ASCIIText
public import ATCommands

/// Access point of the toolkit: `AT+CSTT="<apn>","<user>","<password>"` → `OK`; only in the state IP INITIAL, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CSTT`; [sim7000an] TCP/IP.
public enum CSTT {
  /// Sets it: `AT+CSTT="iot.example","",""`.
  @frozen public struct Set: ATCommand {
    /// Name of the access point.
    public var accessPoint: AccessPointName
    /// User name, perhaps empty.
    public var user: Credential
    /// Password, perhaps empty.
    public var password: Credential
    /// The command.
    public init(accessPoint: AccessPointName, user: Credential = Credential(), password: Credential = Credential()) {
      self.accessPoint = accessPoint
      self.user = user
      self.password = password
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CSTT=")
      sink.append(quoted: accessPoint)
      sink.append(nextQuoted: user)
      sink.append(nextQuoted: password)
    }
  }
}
