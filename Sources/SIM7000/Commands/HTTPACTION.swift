import ASCIIText
import ATCommands
import Quantities

/// Outcome of a request by the legacy HTTP client.
@frozen package struct ActionOutcome: Equatable, BitwiseCopyable, Sendable {
  /// Method.
  package var method: HTTPACTION.Method
  /// Status of HTTP, or 600 not HTTP, 601 network, 602 memory, 603 name, 604 busy.
  package var status: UInt16
  /// Bytes of the answer's body.
  package var count: UInt32

  /// Reads `<method>,<status>,<length>`, with blanks or without.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+HTTPACTION"), fields.count == 3, let number = fields.byte(0),
      let method = HTTPACTION.Method(rawValue: number), let status = fields.word(1, maximum: 999),
      let count = fields.longWord(2)
    else { return nil }
    self.method = method
    self.status = status
    self.count = count
  }
}

/// Requests: `AT+HTTPACTION=<method>` → `OK`, then `+HTTPACTION: <method>,<status>,<length>` when the server answered or the
/// `TIMEOUT` of `HTTPPARA` (120 s unless set) is over.
///
/// - Source: [sim7000at] version 1.01, `AT+HTTPACTION`.
package enum HTTPACTION {
  /// Method of HTTP.
  @frozen package enum Method: UInt8, BitwiseCopyable, Sendable {
    /// GET.
    case get = 0
    /// POST.
    case post = 1
    /// HEAD.
    case head = 2
    /// DELETE.
    case delete = 3

    /// Its number in the outcome.
    var digit: StaticString {
      switch self {
      case .get: "0"
      case .post: "1"
      case .head: "2"
      case .delete: "3"
      }
    }
  }

  /// Requests: `AT+HTTPACTION=1`.
  @frozen package struct Request: ATCommand {
    /// Method.
    package var method: Method
    /// The command.
    package init(_ method: Method) { self.method = method }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(end: .okThenNamed("+HTTPACTION", shape: .firstField(method.digit)), outcomeWithin: .seconds(130))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+HTTPACTION=")
      sink.append(number: method.rawValue)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> ActionOutcome? {
      ActionOutcome(line)
    }
  }
}
