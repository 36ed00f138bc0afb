public import ASCIIText
public import ATCommands

/// Position: `AT+CGNSINF` → `+CGNSINF: <21 fields>`, `OK`; the fields are those of `GNSSReport`.
///
/// - Source: [sim7000at] `AT+CGNSINF`.
public enum CGNSINF {
  /// Asks for it: `AT+CGNSINF`.
  @frozen public struct Execute: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CGNSINF")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNSINF") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> GNSSReport? {
      guard let fields = line.fields(of: "+CGNSINF") else { return nil }
      return GNSSReport(fields)
    }
  }
}
