import ASCIIText
import ATCommands
import Quantities

/// Level of function: `AT+CFUN=<fun>[,<rst>]` → `OK` within 10 s; a reset restarts the modem around its `OK`.
///
/// With 0 the notice `+CPIN: NOT READY` comes before `OK`. Levels but 0 are stored.
///
/// - Source: [ts27007] section 8.2; [sim7000at] `AT+CFUN`.
package enum CFUN {
  /// What works.
  @frozen package enum Level: UInt8, BitwiseCopyable, Sendable {
    /// Neither radio nor SIM card.
    case minimum = 0
    /// Everything.
    case full = 1
    /// No radio.
    case flight = 4
    /// Test in the factory.
    case factoryTest = 5
    /// The modem resets.
    case reset = 6
    /// No network.
    case offline = 7
  }

  /// Sets the level: `AT+CFUN=0`.
  @frozen package struct Set: ATCommand {
    /// What is to work.
    package var level: Level
    /// The command.
    package init(_ level: Level) { self.level = level }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(10)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CFUN=")
      sink.append(number: level.rawValue)
    }
  }

  /// Restarts the modem: `AT+CFUN=1,1` → `OK`, or nothing before it restarts.
  @frozen package struct Reset: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(10)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CFUN=1,1") }
  }
}
