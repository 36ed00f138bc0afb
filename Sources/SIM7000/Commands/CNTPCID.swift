public import ASCIIText
public import ATCommands

/// Bearer for the time server: `AT+CNTPCID=1` → `OK`.
///
/// - Source: [sim7000at] `AT+CNTPCID`.
public enum CNTPCID {
  /// Chooses bearer 1: `AT+CNTPCID=1`.
  @frozen public struct Set: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CNTPCID=1") }
  }
}
