import CCurl
import LinuxDevices
import Quantities

/// One POST after the other over the board's network; it never waits.
///
/// Its owner watches the sockets and keeps the time. libcurl is behind it, or in tests a server on virtual time.
package protocol HTTPExchange: AnyObject {
  /// Called when a socket is to be watched, or with nil forgotten.
  var watch: (Int32, Readiness?) -> Void { get set }

  /// When `processTime` is wanted.
  var deadline: Instant? { get }

  /// Begins a request; one that is under way is broken off.
  func begin(_ bytes: [UInt8], url: String)

  /// Breaks the request off, and its connection with it.
  func cancel()

  /// A socket is ready.
  func process(_ readiness: Readiness, of socket: Int32)

  /// The time has come.
  func processTime()

  /// What became of the request, once; nil while it is under way.
  func takeResult() -> HTTPResult?
}

/// What became of a request.
package struct HTTPResult {
  /// libcurl's code.
  package var code: CURLcode
  /// The server's status; 0 when there was no answer.
  package var status = 0
  /// What it answered, as far as it is read.
  package var body: [UInt8] = []
  /// When it asks to be asked again, s; 0 when it does not.
  package var retryAfterSeconds = 0
  /// Where it sends the client.
  package var redirect: String?
  /// Linux's number for a connection that failed.
  package var errorNumber: Int32 = 0
  /// libcurl's words.
  package var detail = ""

  /// A request of which nothing is known but the code.
  package init(code: CURLcode) { self.code = code }
}
