import ASCIIText
import ATCommands

/// Address of the toolkit: `AT+CIFSR` → the address and no `OK`, or `ERROR`. Without this step nothing can be opened.
///
/// - Source: [sim7000at] `AT+CIFSR`.
package enum CIFSR {
  /// Asks for it: `AT+CIFSR`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false), end: .information) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CIFSR") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> NetworkAddress? {
      NetworkAddress(line.bytes)
    }
  }
}
