import ASCIIText
import ATCommands
import Quantities

/// Settings of TLS: `AT+CSSLCFG="<tag>",<context>,<value>` → `OK`; contexts 0 to 5. Lost at reset, but for what was converted.
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

  /// Chooses whether certificates are checked against a clock that may not be set: `AT+CSSLCFG="ignorertctime",1,1`.
  ///
  /// The driver does not use it: it is for a modem whose clock nobody sets.
  @frozen package struct SetIgnoresClock: ATCommand {
    /// Context, 0 to 5.
    package let context: UInt8
    /// True to accept certificates of any time.
    package let ignoresClock: Bool
    /// The command; nil for a context the modem does not have.
    package init?(context: UInt8, _ ignoresClock: Bool) {
      guard context <= 5 else { return nil }
      self.context = context
      self.ignoresClock = ignoresClock
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSSLCFG=\"ignorertctime\"")
      sink.append(next: context)
      sink.append(",")
      sink.append(flag: ignoresClock)
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

  /// Takes a file in as the certificate of an authority: `AT+CSSLCFG="convert",2,"ca.pem"`. It stays over a reset.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct ConvertAuthority: ATCommand {
    /// The file.
    package let file: FileName
    /// The command; nil without a name.
    package init?(_ file: FileName) {
      guard !file.isEmpty else { return nil }
      self.file = file
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(10)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSSLCFG=\"convert\",2")
      sink.append(nextQuoted: file)
    }
  }

  /// Takes two files in as the client's own certificate and key: `AT+CSSLCFG="convert",1,"client.pem","client.key"`.
  ///
  /// The driver does not use it: it is for a program that writes certificates to the modem.
  @frozen package struct ConvertCertificate: ATCommand {
    /// File of the certificate.
    package let certificate: FileName
    /// File of the key.
    package let key: FileName
    /// The command; nil without names.
    package init?(certificate: FileName, key: FileName) {
      guard !certificate.isEmpty, !key.isEmpty else { return nil }
      self.certificate = certificate
      self.key = key
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(10)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSSLCFG=\"convert\",1")
      sink.append(nextQuoted: certificate)
      sink.append(nextQuoted: key)
    }
  }
}
