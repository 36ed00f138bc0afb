public import ASCIIText
public import ATCommands

/// What the older HTTP client is at: `AT+HTTPSTATUS?` → `+HTTPSTATUS: <method>,<state>,<done>,<remaining>`, `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPSTATUS`.
public enum HTTPSTATUS {
  /// What it is at.
  @frozen public enum State: UInt8, BitwiseCopyable, Sendable {
    /// Nothing.
    case idle = 0
    /// It receives.
    case receiving = 1
    /// It sends.
    case sending = 2
  }

  /// How far it is.
  @frozen public struct Progress: Equatable, BitwiseCopyable, Sendable {
    /// What it is at.
    public var state: State
    /// Bytes done.
    public var done: UInt32
    /// Bytes still to do.
    public var remaining: UInt32
  }

  /// Asks for it: `AT+HTTPSTATUS?`.
  @frozen public struct Read: ATCommand {
    /// The command.
    public init() {}
    /// How it is answered.
    public var grammar: ATGrammar { ATGrammar(information: .named("+HTTPSTATUS")) }
    /// Writes it.
    public func encode(into sink: inout some ByteSink) { sink.append("+HTTPSTATUS?") }
    /// Reads a line of the answer.
    public static func decode(_ line: borrowing ATLine) -> Progress? {
      guard let fields = line.fields(of: "+HTTPSTATUS"), fields.count == 4, !fields.isBlank(0),
        let number = fields.byte(1),
        let state = State(rawValue: number), let done = fields.longWord(2), let remaining = fields.longWord(3)
      else { return nil }
      return Progress(state: state, done: done, remaining: remaining)
    }
  }
}
