import ASCIIText
import ATCommands

/// Settings of the application network: `AT+CNCFG=<version>,"<apn>","<user>","<password>",<method>` → `OK`; before `CNACT`.
///
/// - Source: [sim7000at] `AT+CNCFG`; later firmware only, `ERROR` otherwise.
package enum CNCFG {
  /// Version of the Internet Protocol.
  @frozen package enum Version: UInt8, BitwiseCopyable, Sendable {
    /// Both.
    case both = 0
    /// 4.
    case four = 1
    /// 6.
    case six = 2
  }

  /// How user name and password are told.
  @frozen package enum Authentication: UInt8, BitwiseCopyable, Sendable {
    /// Not at all.
    case none = 0
    /// By PAP.
    case pap = 1
    /// By CHAP.
    case chap = 2
    /// By either.
    case either = 3
  }

  /// Sets them: `AT+CNCFG=1,"iot.example","user","secret",1`.
  @frozen package struct Set: ATCommand {
    /// Version.
    package var version: Version
    /// Name of the access point.
    package var accessPoint: AccessPointName
    /// User name.
    package var user: Credential
    /// Password.
    package var password: Credential
    /// How both are told.
    package var authentication: Authentication
    /// The command.
    package init(
      version: Version = .four, accessPoint: AccessPointName, user: Credential = Credential(),
      password: Credential = Credential(), authentication: Authentication = .none
    ) {
      self.version = version
      self.accessPoint = accessPoint
      self.user = user
      self.password = password
      self.authentication = authentication
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNCFG=")
      sink.append(number: version.rawValue)
      sink.append(nextQuoted: accessPoint)
      sink.append(nextQuoted: user)
      sink.append(nextQuoted: password)
      sink.append(next: authentication.rawValue)
    }
  }
}
