import ASCIIText
import ATCommands

/// Alphabet of texts: `AT+CSCS="<alphabet>"` → `OK`; IRA after a reset.
///
/// - Source: [ts27007] section 5.5; [sim7000at] `AT+CSCS`.
package enum CSCS {
  /// An alphabet.
  @frozen package enum Alphabet: UInt8, BitwiseCopyable, Sendable {
    /// GSM, seven bits.
    case gsm
    /// The international reference alphabet: ASCII.
    case ira
    /// UCS-2 in hexadecimal digits.
    case ucs2
  }

  /// Chooses: `AT+CSCS="GSM"`.
  @frozen package struct Set: ATCommand {
    /// Which.
    package var alphabet: Alphabet
    /// The command.
    package init(_ alphabet: Alphabet) { self.alphabet = alphabet }
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+CSCS=")
      switch alphabet {
      case .gsm: sink.append(quoted: "GSM")
      case .ira: sink.append(quoted: "IRA")
      case .ucs2: sink.append(quoted: "UCS2")
      }
    }
  }

  /// Asks which: `AT+CSCS?` → `+CSCS: "IRA"`, `OK`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+CSCS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+CSCS?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Alphabet? {
      guard let fields = line.fields(of: "+CSCS"), fields.count == 1 else { return nil }
      if fields.equals(0, "GSM") { return .gsm }
      if fields.equals(0, "IRA") { return .ira }
      return fields.equals(0, "UCS2") ? .ucs2 : nil
    }
  }
}
