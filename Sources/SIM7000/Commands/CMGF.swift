public import ASCIIText
public import ATCommands

/// Form of short messages: `AT+CMGF=<0|1>` → `OK`: 0 coded, 1 text.
///
/// - Source: [ts27005] section 3.2.3; [sim7000at] `AT+CMGF`.
public enum CMGF {
  /// Chooses: `AT+CMGF=1`.
  @frozen public struct Set: ATCommand {
    /// True for text.
    public var isText: Bool
    /// The command.
    public init(isText: Bool) { self.isText = isText }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CMGF=")
      sink.append(flag: isText)
    }
  }
}
