public import ASCIIText
public import ATCommands

/// Starts the satellite receiver with almanac and place: `AT+CGNSWARM` → `OK`.
///
/// - Source: [sim7000at] `AT+CGNSWARM`.
public enum CGNSWARM {
  /// Starts it: `AT+CGNSWARM`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNSWARM") }
  }
}
