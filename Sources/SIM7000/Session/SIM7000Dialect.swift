import ATCommands
import ASCIIText

/// What a channel must know of a SIM7000.
package enum SIM7000Dialect: ATDialect {
  /// - Source: [sim7000at] `RDY`, `AT+CFUN`, `AT+CPOWD`, `AT+CBATCHK`.
  package static func sign(of line: borrowing ATLine) -> ATSign {
    if BootSign.matches(line) || line.equals("+CFUN: 1") { return .boot }
    if line.equals("NORMAL POWER DOWN") || line.ends(with: "-VOLTAGE POWER DOWN") { return .poweredDown }
    if line.equals("SMS Ready") || line.equals("Call Ready") || line.begins(with: "DST:") || line.begins(with: "RING")
      || line.begins(with: "STATE:")
      || line.ends(with: "CONNECT OK") || line.ends(with: "CONNECT FAIL") || line.ends(with: "CLOSED")
      || line.ends(with: "-VOLTAGE WARNNING") || line.ends(with: "-VOLTAGE WARNING")
    {
      return .notice
    }
    return .none
  }

  /// A message of MQTT: it has neither a length nor escapes.
  package static var quotedTextName: StaticString { "+SMSUB" }

  /// A short message that is not stored, one of the cell to all, or a text of the network.
  package static func beginsBurst(_ name: borrowing ATLine) -> Bool {
    name.equals("+CMT") || name.equals("+CBM") || name.equals("+CUSD")
  }

  /// Answered in every state, SIM card or none, with exactly one line.
  package static var fenceName: StaticString { "+IPR" }

  /// Asks for the rate.
  package static func encodeFence(into sink: inout some ByteSink) { sink.append("+IPR?") }
}
