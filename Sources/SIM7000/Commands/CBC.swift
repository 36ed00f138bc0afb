import ASCIIText
import ATCommands

/// Supply of the modem.
@frozen package struct ModuleSupply: Equatable, BitwiseCopyable, Sendable {
  /// What a charger does.
  @frozen package enum Charging: UInt8, BitwiseCopyable, Sendable {
    /// Nothing.
    case notCharging = 0
    /// It charges.
    case charging = 1
    /// It has finished.
    case full = 2
  }

  /// What a charger does.
  package var charging: Charging
  /// Charge in per cent of full, 0 to 100, as the modem guesses from the voltage.
  package var percent: UInt8
  /// Voltage at the modem in millivolts.
  package var supplyMillivolts: UInt16
}

/// Battery: `AT+CBC` → `+CBC: <bcs>,<bcl>,<mV>`, `OK`.
///
/// - Source: [ts27007] section 8.4; [sim7000at] `AT+CBC`.
package enum CBC {
  /// Measures: `AT+CBC`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CBC") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CBC") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ModuleSupply? {
      guard let fields = line.fields(of: "+CBC"), fields.count == 3, let raw = fields.byte(0),
        let charging = ModuleSupply.Charging(rawValue: raw), let percent = fields.byte(1, maximum: 100),
        let millivolts = fields.word(2, maximum: 10_000)
      else { return nil }
      return ModuleSupply(charging: charging, percent: percent, supplyMillivolts: millivolts)
    }
  }
}
