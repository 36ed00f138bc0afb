import ASCIIText
import ATCommands

/// Settings of the HTTP client: `AT+SHCONF="<tag>",<value>` → `OK`. Address and both lengths are mandatory before `SHCONN`.
///
/// The manual says that they are stored; real sessions set them again after every reset.
///
/// - Source: [sim7000at] `AT+SHCONF`.
package enum SHCONF {
  /// Sets scheme, host and port: `AT+SHCONF="URL","http://example.org:8080"`; no path, which stands in `SHREQ`.
  @frozen package struct SetAddress: ATCommand {
    /// Scheme, host and perhaps port.
    package let address: ServerAddress
    /// The command; nil without an address.
    package init?(_ address: ServerAddress) {
      guard !address.isEmpty else { return nil }
      self.address = address
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHCONF=\"URL\"")
      sink.append(nextQuoted: address)
    }
  }

  /// Sets how long a body may be: `AT+SHCONF="BODYLEN",1024`.
  @frozen package struct SetBodyLimit: ATCommand {
    /// Bytes: at most 1024, with the first firmware 350.
    package let count: UInt16
    /// The command; nil for more than the modem takes.
    package init?(_ count: UInt16) {
      guard count <= 1024 else { return nil }
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHCONF=\"BODYLEN\"")
      sink.append(next: count)
    }
  }

  /// Sets how long all headers together may be: `AT+SHCONF="HEADERLEN",350`.
  @frozen package struct SetHeaderLimit: ATCommand {
    /// Bytes, 350 at most.
    package let count: UInt16
    /// The command; nil for more than the modem takes.
    package init?(_ count: UInt16) {
      guard count <= 350 else { return nil }
      self.count = count
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHCONF=\"HEADERLEN\"")
      sink.append(next: count)
    }
  }
}
