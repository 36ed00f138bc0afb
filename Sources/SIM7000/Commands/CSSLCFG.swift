import ASCIIText
import ATCommands

/// Settings of TLS: `AT+CSSLCFG="<tag>",<context>,<value>` → `OK`; contexts 0 to 5. Lost at reset.
///
/// Tags are in small letters: firmware refuses others.
///
/// - Source: [sim7000at] `AT+CSSLCFG`; [sim7000an] HTTP(S) and MQTT(S).
package enum CSSLCFG {
  /// Version of TLS.
  @frozen package enum Version: UInt8, BitwiseCopyable, Sendable {
    /// TLS 1.0.
    case tls10 = 1
    /// TLS 1.1.
    case tls11 = 2
    /// TLS 1.2, the newest there is.
    case tls12 = 3
    /// DTLS 1.0.
    case dtls10 = 4
    /// DTLS 1.2.
    case dtls12 = 5
  }

  /// Chooses the version: `AT+CSSLCFG="sslversion",1,3`.
  @frozen package struct SetVersion: ATCommand {
    /// Context, 0 to 5.
    package let context: UInt8
    /// Version.
    package let version: Version
    /// The command; nil for a context the modem does not have.
    package init?(context: UInt8, _ version: Version = .tls12) {
      guard context <= 5 else { return nil }
      self.context = context
      self.version = version
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSSLCFG=\"sslversion\"")
      sink.append(next: context)
      sink.append(next: version.rawValue)
    }
  }

  /// Names the server to those who serve many: `AT+CSSLCFG="sni",1,"example.org"`.
  @frozen package struct SetServerName: ATCommand {
    /// Context, 0 to 5.
    package let context: UInt8
    /// Name.
    package let name: ServerAddress
    /// The command; nil for a context the modem does not have, or without a name.
    package init?(context: UInt8, _ name: ServerAddress) {
      guard context <= 5, !name.isEmpty else { return nil }
      self.context = context
      self.name = name
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSSLCFG=\"sni\"")
      sink.append(next: context)
      sink.append(nextQuoted: name)
    }
  }
}
