import ASCIIText
import ATCommands

/// How well a modem hears.
@frozen package struct SignalQuality: Equatable, BitwiseCopyable, Sendable {
  /// Received strength in dBm, −115 (or less) to −52 (or more); nil when it is not known.
  package var strengthDBm: Int16?
  /// Class of bit errors, 0 (few) to 7; nil when it is not known, as mostly.
  package var errorClass: UInt8?
}

/// Signal: `AT+CSQ` → `+CSQ: <rssi>,<ber>`, `OK`: 0 is −115 dBm or less, 1 −111, 2 to 30 −110 to −54, 31 −52 or more, 99 unknown.
///
/// The table of the manual; TS 27.007 has other numbers for 0 and counts from −113.
///
/// - Source: [sim7000at] `AT+CSQ`; [ts27007] section 8.5.
package enum CSQ {
  /// Measures: `AT+CSQ`.
  @frozen package struct Execute: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CSQ") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CSQ") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> SignalQuality? {
      guard let fields = line.fields(of: "+CSQ"), fields.count == 2, let strength = fields.byte(0, maximum: 99),
        let errors = fields.byte(1, maximum: 99), strength <= 31 || strength == 99, errors <= 7 || errors == 99
      else { return nil }
      return SignalQuality(strengthDBm: dBm(strength), errorClass: errors == 99 ? nil : errors)
    }
    private static func dBm(_ number: UInt8) -> Int16? {
      switch number {
      case 0: return -115
      case 1: return -111
      case 2...30: return 2 * Int16(number) - 114
      case 31: return -52
      default: return nil
      }
    }
  }
}
