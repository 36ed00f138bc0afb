import ASCIIText
import ATCommands

/// What the older HTTP client is at: `AT+HTTPSTATUS?` → `+HTTPSTATUS: <method>,<state>,<done>,<remaining>`, `OK`.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPSTATUS`.
package enum HTTPSTATUS {
  /// What it is at.
  @frozen package enum State: UInt8, BitwiseCopyable, Sendable {
    /// Nothing.
    case idle = 0
    /// It receives.
    case receiving = 1
    /// It sends.
    case sending = 2
  }

  /// How far it is.
  @frozen package struct Progress: Equatable, BitwiseCopyable, Sendable {
    /// What it is at.
    package var state: State
    /// Bytes done.
    package var done: UInt32
    /// Bytes still to do.
    package var remaining: UInt32
  }

  /// Asks for it: `AT+HTTPSTATUS?`.
  @frozen package struct Read: ATCommand {
    /// The command.
    package init() {}
    /// How it is answered.
    package var grammar: ATGrammar { ATGrammar(information: .named("+HTTPSTATUS")) }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) { sink.append("+HTTPSTATUS?") }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> Progress? {
      guard let fields = line.fields(of: "+HTTPSTATUS"), fields.count == 4, !fields.isBlank(0),
        let number = fields.byte(1),
        let state = State(rawValue: number), let done = fields.longWord(2), let remaining = fields.longWord(3)
      else { return nil }
      return Progress(state: state, done: done, remaining: remaining)
    }
  }
}
