public import ASCIIText
public import ATCommands
import Quantities

/// Brings the toolkit's connection up: `AT+CIICR` → `OK` within 85 s, else `ERROR`.
///
/// - Source: [sim7000at] `AT+CIICR`.
public enum CIICR {
  /// Brings it up: `AT+CIICR`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .seconds(85)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CIICR") }
  }
}
