import InlineStorage
import ASCIIText
import ATCommands
import Quantities

/// What a SIM card wants.
@frozen package enum SIMState: UInt8, BitwiseCopyable, Sendable {
  /// Nothing: it works.
  case ready
  /// Its PIN.
  case needsPIN
  /// Its PUK: the PIN was wrong three times.
  case needsPUK
  /// The code that ties it to this modem.
  case needsPhonePIN
  /// The code that unties it from another modem.
  case needsPhonePUK
  /// Its second PIN.
  case needsPIN2
  /// Its second PUK.
  case needsPUK2
  /// It is not started yet, or was switched off with the radio.
  case notReady
  /// There is none.
  case notInserted

  /// Reads a line `+CPIN: …`; nil when it is something else.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+CPIN"), fields.count == 1 else { return nil }
    if fields.equals(0, "READY") {
      self = .ready
    } else if fields.equals(0, "SIM PIN") {
      self = .needsPIN
    } else if fields.equals(0, "SIM PUK") {
      self = .needsPUK
    } else if fields.equals(0, "PH_SIM PIN") {
      self = .needsPhonePIN
    } else if fields.equals(0, "PH_SIM PUK") {
      self = .needsPhonePUK
    } else if fields.equals(0, "SIM PIN2") {
      self = .needsPIN2
    } else if fields.equals(0, "SIM PUK2") {
      self = .needsPUK2
    } else if fields.equals(0, "NOT READY") {
      self = .notReady
    } else if fields.equals(0, "NOT INSERTED") {
      self = .notInserted
    } else {
      return nil
    }
  }
}

/// PIN of the SIM card: `AT+CPIN?` → `+CPIN: <code>`, `OK`; `AT+CPIN=<pin>` → `OK` within 5 s, then the notice `+CPIN: READY`.
///
/// Without a card, or while it starts, the answer is `+CME ERROR: 10`, `13` or `14`.
///
/// - Source: [ts27007] section 8.3; [sim7000at] `AT+CPIN`.
package enum CPIN {
  /// Asks what the card wants: `AT+CPIN?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(named: "+CPIN") }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CPIN?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> SIMState? {
      SIMState(line)
    }
  }

  /// Gives the PIN: `AT+CPIN="1234"`.
  @frozen package struct Enter: ATCommand {
    /// Four to eight digits.
    package let pin: ModemText<8>
    /// The command; nil when the text is not four to eight digits.
    package init?(_ pin: ModemText<8>) {
      guard pin.bytes.count >= 4 else { return nil }
      var place = 0
      while place < pin.bytes.count {
        guard isDigit(pin.bytes[place]) else { return nil }
        place += 1
      }
      self.pin = pin
    }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(within: .seconds(5)) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CPIN=")
      sink.append(quoted: pin)
    }
  }
}
