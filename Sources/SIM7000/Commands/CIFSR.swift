public import ASCIIText
public import ATCommands

/// Address of the toolkit: `AT+CIFSR` → the address and no `OK`, or `ERROR`. Without this step nothing can be opened.
///
/// - Source: [sim7000at] `AT+CIFSR`.
public enum CIFSR {
  /// Asks for it: `AT+CIFSR`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false), end: .information) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CIFSR") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> NetworkAddress? {
      NetworkAddress(line.bytes)
    }
  }
}
