public import ASCIIText
public import ATCommands

/// Notices of power saving: `AT+CPSMSTATUS=<0|1>` → `OK`; with 1 come `+CPSMSTATUS: "ENTER PSM"` and `"EXIT PSM"`.
///
/// - Source: [sim7000at] `AT+CPSMSTATUS`; [sim7000an] low power.
public enum CPSMSTATUS {
  /// Chooses: `AT+CPSMSTATUS=1`.
  @frozen public struct Set: ATCommand {
    /// True to have them.
    public var isOn: Bool
    /// The command.
    public init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CPSMSTATUS=")
      sink.append(flag: isOn)
    }
  }
}
