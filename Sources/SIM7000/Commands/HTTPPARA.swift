public import ASCIIText
public import ATCommands

/// Parameters of the older HTTP client: `AT+HTTPPARA="<tag>",<value>` → `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPPARA`.
public enum HTTPPARA {
  /// Chooses bearer 1: `AT+HTTPPARA="CID",1`.
  @frozen public struct SetBearer: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+HTTPPARA=\"CID\",1") }
  }

  /// Sets the URL: `AT+HTTPPARA="URL","http://example.org/p"`.
  @frozen public struct SetURL: ATCommand {
    /// The whole URL.
    public let url: RequestTarget
    /// The command; nil without a URL.
    public init?(_ url: RequestTarget) {
      guard !url.isEmpty else { return nil }
      self.url = url
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"URL\"")
      sink.append(nextQuoted: url)
    }
  }

  /// Sets the type of the body: `AT+HTTPPARA="CONTENT","application/json"`.
  @frozen public struct SetContentType: ATCommand {
    /// The type.
    public var type: HeaderText
    /// The command.
    public init(_ type: HeaderText) { self.type = type }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"CONTENT\"")
      sink.append(nextQuoted: type)
    }
  }

  /// Adds a header: `AT+HTTPPARA="USERDATA","Name: value"`.
  @frozen public struct SetHeader: ATCommand {
    /// The line of the header.
    public var line: RequestTarget
    /// The command.
    public init(_ line: RequestTarget) { self.line = line }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"USERDATA\"")
      sink.append(nextQuoted: line)
    }
  }

  /// Sets how long the modem waits for the server: `AT+HTTPPARA="TIMEOUT",120`.
  @frozen public struct SetTimeout: ATCommand {
    /// Seconds, 30 to 1000.
    public let seconds: UInt16
    /// The command; nil for a time the modem refuses.
    public init?(seconds: UInt16) {
      guard seconds >= 30, seconds <= 1000 else { return nil }
      self.seconds = seconds
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPPARA=\"TIMEOUT\"")
      sink.append(next: seconds)
    }
  }
}
