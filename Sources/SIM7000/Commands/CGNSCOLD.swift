public import ASCIIText
public import ATCommands

/// Starts the satellite receiver without anything it knew: `AT+CGNSCOLD` → `OK`, with `+CGNSXTRA: <n>` after it when assistance
/// is on. A fix takes 35 s under open sky.
///
/// - Source: [sim7000at] `AT+CGNSCOLD`; [sim7000hd] GNSS.
public enum CGNSCOLD {
  /// Starts it: `AT+CGNSCOLD`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNSCOLD") }
  }
}
