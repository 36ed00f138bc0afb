public import ASCIIText
public import ATCommands

/// Closes the file store: `AT+CFSTERM` → `OK`.
///
/// - Source: [sim7000at] `AT+CFSTERM`.
public enum CFSTERM {
  /// Closes it: `AT+CFSTERM`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CFSTERM") }
  }
}
