public import ASCIIText
public import ATCommands
import Quantities

/// Attention: `AT` → `OK`.
///
/// - Source: [v250] section 5.2.1; [sim7000at] section 1.4. Answered at once; the first after the modem starts or wakes may be
///   lost.
public enum AT {
  /// Asks whether anybody is there: `AT`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(within: .milliseconds(500)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { _ = sink }
  }
}
