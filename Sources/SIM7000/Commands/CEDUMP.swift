public import ASCIIText
public import ATCommands

/// What a crash of the modem's firmware leads to: `AT+CEDUMP=<0|1>` → `OK`: 0 a reset, 1 to hang until it is looked at.
///
/// - Source: [sim7000at] `AT+CEDUMP`.
public enum CEDUMP {
  /// Chooses: `AT+CEDUMP=0`.
  @frozen public struct Set: ATCommand {
    /// True to hang.
    public var hangs: Bool
    /// The command.
    public init(hangs: Bool) { self.hangs = hangs }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CEDUMP=")
      sink.append(flag: hangs)
    }
  }
}
