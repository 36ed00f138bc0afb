public import ASCIIText
public import ATCommands
public import InlineStorage
import Quantities

/// Identity of the subscriber: `AT+CIMI` → up to 15 digits, `OK` within 20 s.
///
/// - Source: [ts27007] section 5.6; [sim7000at] `AT+CIMI`.
public enum CIMI {
  /// Asks for it: `AT+CIMI`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false), within: .seconds(20)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CIMI") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> InlineBytes<15>? {
      let text = line.bytes
      guard text.count >= 6, text.count <= 15 else { return nil }
      var digits = InlineBytes<15>()
      var place = 0
      while place < text.count {
        guard isDigit(text[place]) else { return nil }
        digits.append(text[place])
        place += 1
      }
      return digits
    }
  }
}
