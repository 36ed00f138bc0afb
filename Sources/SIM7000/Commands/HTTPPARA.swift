import ASCIIText
import ATCommands

/// Parameters of the legacy HTTP client: `AT+HTTPPARA="<tag>",<value>` → `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPPARA`.
package enum HTTPPARA {
  /// Sets the URL: `AT+HTTPPARA="URL","http://example.org/p"`.
  @frozen package struct SetURL: ATCommand {
    /// The whole URL.
    package let url: RequestTarget
    /// The command; nil without a URL.
    package init?(_ url: RequestTarget) {
      guard !url.isEmpty else { return nil }
      self.url = url
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"URL\"")
      sink.append(nextQuoted: url)
    }
  }

  /// Sets the type of the body: `AT+HTTPPARA="CONTENT","application/json"`.
  @frozen package struct SetContentType: ATCommand {
    /// The type.
    package var type: HeaderText
    /// The command.
    package init(_ type: HeaderText) { self.type = type }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"CONTENT\"")
      sink.append(nextQuoted: type)
    }
  }
}
