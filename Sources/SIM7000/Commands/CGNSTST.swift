public import ASCIIText
public import ATCommands

/// Sentences of NMEA on the same line: `AT+CGNSTST=<0|1>` → `OK`; they begin with `$` and stand between all else.
///
/// - Source: [sim7000at] `AT+CGNSTST`.
public enum CGNSTST {
  /// Switches them: `AT+CGNSTST=1`.
  @frozen public struct Set: ATCommand {
    /// True to have them.
    public var isOn: Bool
    /// The command.
    public init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSTST=")
      sink.append(flag: isOn)
    }
  }
}
