public import ASCIIText
public import ATCommands

/// Several connections of the toolkit: `AT+CIPMUX=<0|1>` → `OK`; only in the state IP INITIAL, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CIPMUX`.
public enum CIPMUX {
  /// Chooses: `AT+CIPMUX=1`.
  @frozen public struct Set: ATCommand {
    /// True for eight connections, false for one.
    public var isMultiple: Bool
    /// The command.
    public init(isMultiple: Bool) { self.isMultiple = isMultiple }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CIPMUX=")
      sink.append(flag: isMultiple)
    }
  }
}
