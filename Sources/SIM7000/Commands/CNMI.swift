import ASCIIText
import ATCommands

/// How short messages are told: `AT+CNMI=<mode>,<mt>`, with `,<bm>` and `,<ds>` or without → `OK`. May fail until `SMS Ready`.
///
/// Reports of what became of a message are told by `<ds>`: 1 as `+CDS: …`, 2 stored, with `+CDSI: "SM",<index>`.
///
/// - Source: [ts27005] section 3.4.1; [sim7000at] `AT+CNMI`.
package enum CNMI {
  /// Chooses: `AT+CNMI=2,1`, `AT+CNMI=2,1,0,1`, `AT+CNMI=2,1,0,2`.
  @frozen package struct Set: ATCommand {
    /// True for `+CMTI: "SM",<index>`; false for nothing.
    package var tellsIndex: Bool
    /// True for `+CDS: …` when the network reports what became of a message that was sent.
    package var tellsReports: Bool
    /// True when such reports are to be stored instead, and told by their place.
    package var storesReports: Bool
    /// True when what a cell says to all is not to be told.
    package var isQuiet: Bool
    /// The command.
    package init(tellsIndex: Bool, tellsReports: Bool = false, storesReports: Bool = false, isQuiet: Bool = false) {
      self.tellsIndex = tellsIndex
      self.tellsReports = tellsReports
      self.storesReports = storesReports
      self.isQuiet = isQuiet
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CNMI=2,")
      sink.append(flag: tellsIndex)
      if tellsReports { sink.append(storesReports ? ",0,2" : ",0,1") } else if isQuiet { sink.append(",0") }
    }
  }
}
