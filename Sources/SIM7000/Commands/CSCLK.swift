public import ASCIIText
public import ATCommands

/// Sleep: `AT+CSCLK=<0|1>` → `OK`; stored. With 1 the modem sleeps while DTR is high, and does not hear the serial line.
///
/// - Source: [sim7000at] `AT+CSCLK`; [sim7000an] UART and low power. DTR low for 50 ms wakes it.
public enum CSCLK {
  /// Allows sleep: `AT+CSCLK=1`.
  @frozen public struct Set: ATCommand {
    /// True to let it sleep.
    public var isAllowed: Bool
    /// The command.
    public init(isAllowed: Bool) { self.isAllowed = isAllowed }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CSCLK=")
      sink.append(flag: isAllowed)
    }
  }

  /// Asks whether it may sleep: `AT+CSCLK?` → `+CSCLK: 0`, `OK`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CSCLK", isRequired: false)) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CSCLK?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CSCLK"), fields.count == 1 else { return nil }
      return fields.flag(0)
    }
  }
}
