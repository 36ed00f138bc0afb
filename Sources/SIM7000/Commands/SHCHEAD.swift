public import ASCIIText
public import ATCommands

/// Forgets all headers of the HTTP client: `AT+SHCHEAD` → `OK`. They add up until then. Only while connected.
///
/// - Source: [sim7000at] `AT+SHCHEAD`.
public enum SHCHEAD {
  /// Forgets them: `AT+SHCHEAD`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+SHCHEAD") }
  }
}
