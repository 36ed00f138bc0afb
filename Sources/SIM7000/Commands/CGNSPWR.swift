public import ASCIIText
public import ATCommands

/// Power of the satellite receiver: `AT+CGNSPWR=<0|1>` → `OK`; off after a reset.
///
/// - Source: [sim7000at] `AT+CGNSPWR`.
public enum CGNSPWR {
  /// Switches it: `AT+CGNSPWR=1`.
  @frozen public struct Set: ATCommand {
    /// True for on.
    public var isOn: Bool
    /// The command.
    public init(isOn: Bool) { self.isOn = isOn }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CGNSPWR=")
      sink.append(flag: isOn)
    }
  }

  /// Asks for it: `AT+CGNSPWR?` → `+CGNSPWR: 1`, `OK`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CGNSPWR")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CGNSPWR?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+CGNSPWR"), fields.count == 1 else { return nil }
      return fields.flag(0)
    }
  }
}
