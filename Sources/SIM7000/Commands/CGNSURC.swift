public import ASCIIText
public import ATCommands

/// Positions by themselves: `AT+CGNSURC=<n>` → `OK`; a notice `+UGNSINF` every `n` fixes of one second, 0 for none.
///
/// - Source: [sim7000at] `AT+CGNSURC`.
public enum CGNSURC {
  /// Chooses: `AT+CGNSURC=1`.
  @frozen public struct Set: ATCommand {
    /// Every how many fixes; 0 for never.
    public var interval: UInt8
    /// The command.
    public init(every interval: UInt8) { self.interval = interval }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSURC=")
      sink.append(number: interval)
    }
  }
}
