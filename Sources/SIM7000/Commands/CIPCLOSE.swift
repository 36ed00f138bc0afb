import ASCIIText
import ATCommands
import Quantities

/// Closes a connection of the toolkit: `AT+CIPCLOSE[=<n>]` → `[<n>, ]CLOSE OK` and no `OK`; `ERROR` when it is not open.
///
/// - Source: [sim7000at] `AT+CIPCLOSE`.
package enum CIPCLOSE {
  /// Closes: `AT+CIPCLOSE=0`.
  @frozen package struct Close: ATCommand {
    /// Connection 0 to 7; nil when there is only one.
    package let connection: UInt8?
    /// The command; nil for a connection the modem does not have.
    package init?(connection: UInt8?) {
      guard (connection ?? 0) <= 7 else { return nil }
      self.connection = connection
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(end: .text(closed, or: "CLOSE OK"), within: .seconds(10)) }
    private var closed: StaticString {
      switch connection {
      case nil: return "CLOSE OK"
      case 0: return "0, CLOSE OK"
      case 1: return "1, CLOSE OK"
      case 2: return "2, CLOSE OK"
      case 3: return "3, CLOSE OK"
      case 4: return "4, CLOSE OK"
      case 5: return "5, CLOSE OK"
      case 6: return "6, CLOSE OK"
      default: return "7, CLOSE OK"
      }
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CIPCLOSE")
      if let connection {
        sink.append("=")
        sink.append(number: connection)
      }
    }
  }
}
