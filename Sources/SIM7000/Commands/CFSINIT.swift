public import ASCIIText
public import ATCommands

/// Opens the file store: `AT+CFSINIT` → `OK`. Every other `CFS` command is an `ERROR` without.
///
/// - Source: [sim7000at] `AT+CFSINIT`.
public enum CFSINIT {
  /// Opens it: `AT+CFSINIT`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CFSINIT") }
  }
}
