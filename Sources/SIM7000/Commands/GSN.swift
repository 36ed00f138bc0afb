public import ASCIIText
public import ATCommands
public import InlineStorage

/// Identity of the equipment: `AT+GSN` → 15 digits, `OK`.
///
/// - Source: [sim7000at] `AT+GSN`.
public enum GSN {
  /// Asks for it: `AT+GSN`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .bare(allowsText: false)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+GSN") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> InlineBytes<15>? {
      let text = line.bytes
      guard text.count == 15 else { return nil }
      var digits = InlineBytes<15>()
      var place = 0
      while place < 15 {
        guard isDigit(text[place]) else { return nil }
        digits.append(text[place])
        place += 1
      }
      return digits
    }
  }
}
