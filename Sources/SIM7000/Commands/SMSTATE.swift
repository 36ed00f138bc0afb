public import ASCIIText
public import ATCommands

/// Whether the MQTT client is connected: `AT+SMSTATE?` → `+SMSTATE: <0|1>`, `OK`. `+SMSTATE: 0` also comes by itself.
///
/// - Source: [sim7000at] `AT+SMSTATE`; 2 (connected, with a session of before) is printed by sister models only, and read.
public enum SMSTATE {
  /// Asks: `AT+SMSTATE?`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+SMSTATE")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+SMSTATE?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Bool? {
      guard let fields = line.fields(of: "+SMSTATE"), fields.count == 1, let state = fields.byte(0, maximum: 2) else {
        return nil
      }
      return state != 0
    }
  }
}
