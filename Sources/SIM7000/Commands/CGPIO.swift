import ASCIIText
import ATCommands

/// A pin of the modem by its number on the part: `AT+CGPIO=0,<pin>,1,<level>` → `OK`.
///
/// - Source: [sim7000at] `AT+CGPIO`. Pin 48 feeds the antenna of some boards.
package enum CGPIO {
  /// Sets a pin as output: `AT+CGPIO=0,48,1,1`.
  @frozen package struct Set: ATCommand {
    /// Pin of the part, 1 to 68.
    package let pin: UInt8
    /// Level.
    package let isHigh: Bool
    /// The command; nil for a pin the modem does not have.
    package init?(pin: UInt8, isHigh: Bool) {
      guard pin >= 1, pin <= 68 else { return nil }
      self.pin = pin
      self.isHigh = isHigh
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CGPIO=0")
      sink.append(next: pin)
      sink.append(",1,")
      sink.append(flag: isHigh)
    }
  }
}
