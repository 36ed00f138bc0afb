import ASCIIText
import ATCommands

/// A pin of the modem, such as the supply of the GNSS antenna: `AT+SGPIO=0,<pin>,1,<level>` → `OK`.
///
/// - Source: [sim7000at] `AT+SGPIO`: pins 1 to 4. Pin 4 feeds the antenna of some boards.
package enum SGPIO {
  /// Sets a pin as output: `AT+SGPIO=0,4,1,1`.
  @frozen package struct Set: ATCommand {
    /// Pin, 1 to 4.
    package let pin: UInt8
    /// Level.
    package let isHigh: Bool
    /// The command; nil for a pin the modem does not have.
    package init?(pin: UInt8, isHigh: Bool) {
      guard pin >= 1, pin <= 4 else { return nil }
      self.pin = pin
      self.isHigh = isHigh
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SGPIO=0")
      sink.append(next: pin)
      sink.append(",1,")
      sink.append(flag: isHigh)
    }
  }
}
