public import ASCIIText
public import ATCommands

/// Kind of LTE: `AT+CMNB=<1|2|3>` → `OK`; stored.
///
/// - Source: [sim7000at] `AT+CMNB`.
public enum CMNB {
  /// Which kind.
  @frozen public enum Mode: UInt8, BitwiseCopyable, Sendable {
    /// Cat-M1 only.
    case catM = 1
    /// NB-IoT only.
    case narrowband = 2
    /// Both, Cat-M1 first.
    case both = 3
  }

  /// Chooses: `AT+CMNB=1`.
  @frozen public struct Set: ATCommand {
    /// Which.
    public var mode: Mode
    /// The command.
    public init(_ mode: Mode) { self.mode = mode }
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar() }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) {
      sink.append("+CMNB=")
      sink.append(number: mode.rawValue)
    }
  }

  /// Asks for the choice: `AT+CMNB?` → `+CMNB: 3`, `OK`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+CMNB")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+CMNB?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Mode? {
      guard let fields = line.fields(of: "+CMNB"), fields.count == 1, let number = fields.byte(0) else { return nil }
      return Mode(rawValue: number)
    }
  }
}
