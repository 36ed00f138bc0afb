import ASCIIText
import ATCommands

/// Security of a socket: `AT+CASSLCFG=<cid>,"<tag>",<value>` → `OK`; before it is opened.
///
/// - Source: [sim7000at] `AT+CASSLCFG`.
package enum CASSLCFG {
  /// Switches TLS: `AT+CASSLCFG=0,"ssl",1`.
  ///
  /// The driver does not use it: it is for TLS over the sockets of the modem.
  @frozen package struct SetSecure: ATCommand {
    /// True for TLS.
    package var isSecure: Bool
    /// The command.
    package init(isSecure: Bool) { self.isSecure = isSecure }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CASSLCFG=0,\"ssl\",")
      sink.append(flag: isSecure)
    }
  }

  /// Chooses the kind: `AT+CASSLCFG=0,"protocol",0`.
  ///
  /// The driver does not use it: it is for datagrams over the sockets of the modem.
  @frozen package struct SetKind: ATCommand {
    /// Kind.
    package var kind: ConnectionKind
    /// The command.
    package init(_ kind: ConnectionKind) { self.kind = kind }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CASSLCFG=0,\"protocol\",")
      sink.append(flag: kind == .udp)
    }
  }

  /// Chooses the settings of `CSSLCFG`: `AT+CASSLCFG=0,"crindex",1`.
  ///
  /// The driver does not use it: it is for TLS over the sockets of the modem.
  @frozen package struct SetContext: ATCommand {
    /// Their number, 0 to 5.
    package let context: UInt8
    /// The command; nil for a number the modem does not have.
    package init?(_ context: UInt8) {
      guard context <= 5 else { return nil }
      self.context = context
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CASSLCFG=0,\"crindex\"")
      sink.append(next: context)
    }
  }

  /// Names the certificate by which the server is checked: `AT+CASSLCFG=0,"cacert","ca.pem"`.
  ///
  /// The driver does not use it: it is for TLS over the sockets of the modem.
  @frozen package struct SetAuthority: ATCommand {
    /// Its file.
    package let file: FileName
    /// The command; nil without a name.
    package init?(_ file: FileName) {
      guard !file.isEmpty else { return nil }
      self.file = file
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CASSLCFG=0,\"cacert\"")
      sink.append(nextQuoted: file)
    }
  }
}
