import ASCIIText
import ATCommands
import Quantities

/// Deletes short messages: `AT+CMGD=<index>[,<flag>]` → `OK` within 5 s, 25 s for many.
///
/// - Source: [ts27005] section 3.5.4; [sim7000at] `AT+CMGD`.
package enum CMGD {
  /// Deletes one: `AT+CMGD=3`.
  @frozen package struct Delete: ATCommand {
    /// Place in the store.
    package var index: UInt16
    /// The command.
    package init(index: UInt16) { self.index = index }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(5)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGD=")
      sink.append(number: index)
    }
  }

  /// Deletes many: `AT+CMGD=1,4`.
  ///
  /// The driver does not use it: it is for a program that tidies up the card.
  @frozen package struct DeleteMany: ATCommand {
    /// Which.
    @frozen package enum Extent: UInt8, BitwiseCopyable, Sendable {
      /// Those that were read.
      case read = 1
      /// Those and what was sent.
      case readAndSent = 2
      /// Those and what was stored to be sent.
      case readSentAndUnsent = 3
      /// All.
      case all = 4
    }
    /// Which.
    package var extent: Extent
    /// The command.
    package init(_ extent: Extent) { self.extent = extent }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(25)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CMGD=1")
      sink.append(next: extent.rawValue)
    }
  }
}
