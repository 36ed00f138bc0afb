public import ASCIIText
public import ATCommands

/// Starts the satellite receiver with all it knew: `AT+CGNSHOT` → `OK`.
///
/// - Source: [sim7000at] `AT+CGNSHOT`.
public enum CGNSHOT {
  /// Starts it: `AT+CGNSHOT`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNSHOT") }
  }
}
