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

  /// What a modem says most while something is under way: its receiver's sentences, the supply, the network, what has come.
  package static func isWholeNotice(_ line: borrowing ATLine) -> Bool {
    guard line.bytes.count > 2 else { return false }
    switch line.bytes[0] {
    case 0x24: return isWholeSentence(line.bytes)
    case 0x4F, 0x55: return SupplyWarningNotice.decode(line) != nil
    case 0x2B:
      return RegistrationNotice.decode(line) != nil || StoredMessageNotice.decode(line) != nil
        || SocketDataNotice.decode(line) != nil || ReceivedNotice.decode(line) != nil || isWholeReport(line)
    default: return false
    }
  }

  /// A report of the receiver: `+UGNSINF:` and numbers, nothing else.
  private static func isWholeReport(_ line: borrowing ATLine) -> Bool {
    guard line.isNamed("+UGNSINF") else { return false }
    var place = 9
    while place < line.bytes.count {
      let byte = line.bytes[place]
      guard isDigit(byte) || byte == 0x2C || byte == 0x2E || byte == 0x2D || byte == 0x20 else { return false }
      place += 1
    }
    return true
  }

  /// `$…*hh` with the right sum, and nothing behind it.
  ///
  /// - Source: [nmea0183] (the sum is the exclusive or of what stands between `$` and `*`).
  private static func isWholeSentence(_ bytes: Span<UInt8>) -> Bool {
    let star = bytes.count - 3
    guard star > 0, bytes[star] == 0x2A, let high = hexadecimalValue(bytes[star + 1]),
      let low = hexadecimalValue(bytes[star + 2])
    else { return false }
    var sum: UInt8 = 0
    var place = 1
    while place < star {
      sum ^= bytes[place]
      place += 1
    }
    return sum == high << 4 | low
  }

  /// A message of MQTT: it has neither a length nor escapes.
  package static var quotedTextName: StaticString { "+SMSUB" }

  /// A text of the network: `+CUSD: <m>[,"<text>"[,<dcs>]]`.
  ///
  /// - Source: [ts27007] section 7.15.
  package static var numberedTextName: StaticString { "+CUSD" }

  /// A short message that is not stored, or one of the cell to all.
  package static func beginsBurst(_ name: borrowing ATLine) -> Bool { name.equals("+CMT") || name.equals("+CBM") }

  /// Answered in every state, SIM card or none, with exactly one line.
  package static var fenceName: StaticString { "+IPR" }

  /// Asks for the rate.
  package static var fence: StaticString { "+IPR?" }
}
