public import ASCIIText
public import ATCommands

/// How short messages are told: `AT+CNMI=<mode>,<mt>`, or `AT+CNMI=<mode>,<mt>,<bm>,<ds>` → `OK`. May fail until `SMS Ready`.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
public enum CNMI {
  /// Chooses: `AT+CNMI=2,1`, `AT+CNMI=2,1,0,1`.
  @frozen public struct Set: ATCommand {
    /// True for `+CMTI: "SM",<index>`; false for nothing.
    public var tellsIndex: Bool
    /// True for `+CDS: …` when the network reports what became of a message that was sent.
    public var tellsReports: Bool
    /// The command.
    public init(tellsIndex: Bool, tellsReports: Bool = false) {
      self.tellsIndex = tellsIndex
      self.tellsReports = tellsReports
    }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CNMI=2,")
      sink.append(flag: tellsIndex)
      if tellsReports { sink.append(",0,1") }
    }
  }
}
