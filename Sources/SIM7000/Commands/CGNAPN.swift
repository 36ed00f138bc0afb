public import ASCIIText
public import ATCommands

/// Access point that the network offers: `AT+CGNAPN` → `+CGNAPN: 1,"<apn>"` or `+CGNAPN: 0,""`, `OK`. Always 0 on GSM.
///
/// - Source: [sim7000at] `AT+CGNAPN`.
public enum CGNAPN {
  /// Asks for it: `AT+CGNAPN`; the answer is empty when the network offers none.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CGNAPN")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNAPN") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> AccessPointName? {
      guard let fields = line.fields(of: "+CGNAPN"), fields.count == 2, let isOffered = fields.flag(0),
        fields.isQuoted(1),
        let text = fields.text(1), isOffered != text.isEmpty
      else { return nil }
      return AccessPointName(text)
    }
  }
}
