import ASCIIText
import ATCommands
import Quantities

/// Outcome of a request by the HTTP client.
@frozen package struct RequestOutcome: Equatable, BitwiseCopyable, Sendable {
  /// Status of HTTP, or 600 to 606: not HTTP, network, memory, name, busy.
  package var status: UInt16
  /// Bytes of the answer's body.
  package var count: UInt32

  /// Reads `"<method>",<status>,<length>`.
  init?(_ line: borrowing ATLine) {
    guard let fields = line.fields(of: "+SHREQ"), fields.count >= 2, !fields.isBlank(0),
      let status = fields.word(1, maximum: 999)
    else { return nil }
    var count: UInt32 = 0
    if fields.count > 2 {
      guard let length = fields.longWord(2) else { return nil }
      count = length
    }
    self.status = status
    self.count = count
  }
}

/// Requests: `AT+SHREQ="<path>",<method>` → `OK`, then `+SHREQ: "<method>",<status>,<length>`.
///
/// When the server closes there is `+SHSTATE: 0` in place of the outcome, or before it, or nothing. The modem waits for its `TIMEOUT`, 60 s
/// unless set.
///
/// - Source: [sim7000at] `AT+SHREQ`.
package enum SHREQ {
  /// Method of HTTP.
  @frozen package enum Method: UInt8, BitwiseCopyable, Sendable {
    /// GET.
    case get = 1
    /// PUT.
    case put = 2
    /// POST.
    case post = 3
    /// PATCH.
    case patch = 4
    /// HEAD.
    case head = 5

    /// Its name in the outcome.
    var name: StaticString {
      switch self {
      case .get: "GET"
      case .put: "PUT"
      case .post: "POST"
      case .patch: "PATCH"
      case .head: "HEAD"
      }
    }
  }

  /// Requests: `AT+SHREQ="/api/pos",3`.
  @frozen package struct Request: ATCommand {
    /// Path and query.
    package let target: RequestTarget
    /// Method.
    package let method: Method
    /// The command; nil without a path.
    package init?(_ target: RequestTarget, method: Method) {
      guard !target.isEmpty else { return nil }
      self.target = target
      self.method = method
    }
    /// How it is answered.
    package var grammar: ATGrammar {
      ATGrammar(
        end: .okThenNamed("+SHREQ", shape: .firstField(method.name)), within: .seconds(10), outcomeWithin: .seconds(65))
    }
    /// Writes it.
    package func encode(into sink: inout some ByteSink) {
      sink.append("+SHREQ=")
      sink.append(quoted: target)
      sink.append(next: method.rawValue)
    }
    /// Reads a line of the answer.
    package static func decode(_ line: borrowing ATLine) -> RequestOutcome? {
      RequestOutcome(line)
    }
  }
}
