public import ASCIIText
public import ATCommands

/// Ends the older HTTP client: `AT+HTTPTERM` → `OK`; `ERROR` when it is not started.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPTERM`.
public enum HTTPTERM {
  /// Ends it: `AT+HTTPTERM`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+HTTPTERM") }
  }
}
