import CCurl
import Glibc
import Quantities

/// What the result of a request means for the packet and for the way.
enum HTTPOutcome: Equatable {
  /// The server has it.
  case delivered
  /// The server does not take it, and waiting does not change that; whether for what it says, so that it may take another.
  case refused(reason: String, isAboutPacket: Bool = false)
  /// It may work later, or at the time the server said.
  case passing(reason: String, retryAfter: Interval?)
  /// Something has to be changed before any packet can go, and this one waits for that.
  case broken(reason: String)
  /// The same packet is to be sent there.
  case redirected(to: String)

  /// The longest wait that a server can ask for.
  static var retryAfterLimit: Interval { .seconds(3600) }

  /// - Source: [rfc9110] sections 10.2.3 and 15: what statuses and `Retry-After` mean.
  /// - Parameters:
  ///   - result: What libcurl gave.
  ///   - url: Where it was sent.
  ///   - timeout: For the words.
  static func of(_ result: HTTPResult, sentTo url: String, timeout: Interval) -> HTTPOutcome {
    let status = result.status
    // The status is the server's word; what became of the body behind it changes nothing.
    if (200..<300).contains(status) { return .delivered }
    guard result.code == CURLE_OK else { return failure(result, timeout) }
    switch status {
    case 301, 302, 307, 308:
      guard let target = result.redirect, isAllowed(from: url, to: target) else {
        return .refused(
          reason: "status \(status): the server redirects to another host or to http; change the address")
      }
      return .redirected(to: target)
    case 408, 425, 429, 500...:
      let words =
        status == 429 ? "too many requests" : status == 408 ? "the server timed out" : "server error"
      let asked = Interval.seconds(result.retryAfterSeconds)
      let wait = result.retryAfterSeconds > 0 ? min(asked, retryAfterLimit) : nil
      return .passing(reason: "status \(status): \(words)", retryAfter: wait)
    // What is not said of the sender, of the address or of its kind is said of the packet.
    case 400..<500 where ![401, 402, 403, 404, 405, 407, 410, 415, 451].contains(status):
      return .refused(reason: "status \(status)\(words(status))", isAboutPacket: true)
    default: return .refused(reason: "status \(status)\(words(status))")
    }
  }

  private static func words(_ status: Int) -> String {
    switch status {
    case 400: ": the server can't read the packet, or does not know this tracker"
    case 401: ": user or password refused"
    case 403: ": forbidden"
    case 404: ": not found; check the path of the address"
    case 405: ": the server does not accept POST at this path; check the address"
    case 413: ": the packet is too large for the server"
    case 415: ": the server does not accept this content type"
    default: ""
    }
  }

  private static func failure(_ result: HTTPResult, _ timeout: Interval) -> HTTPOutcome {
    switch result.code {
    case CURLE_COULDNT_RESOLVE_HOST: return .passing(reason: "no such host", retryAfter: nil)
    case CURLE_OPERATION_TIMEDOUT:
      let seconds = timeout.microseconds / 1_000_000
      return .passing(reason: "no answer within \(seconds > 0 ? "\(seconds) s" : "the time set")", retryAfter: nil)
    case CURLE_COULDNT_CONNECT where result.errorNumber != 0:
      return .passing(reason: String(cString: strerror(result.errorNumber)).lowercased(), retryAfter: nil)
    case CURLE_COULDNT_CONNECT: return .passing(reason: "the server can't be reached", retryAfter: nil)
    case CURLE_PEER_FAILED_VERIFICATION:
      return .broken(
        reason: "the server's certificate is not trusted; check the authority file, the name and the clock")
    case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: return .broken(reason: result.detail)
    case CURLE_URL_MALFORMAT:
      return .broken(reason: "the address is wrong; expected http:// or https://, a host and a path")
    case CURLE_SSL_CONNECT_ERROR: return .passing(reason: "TLS failed: \(result.detail)", retryAfter: nil)
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE:
      return .passing(reason: "the server closed the connection", retryAfter: nil)
    // An address of another protocol never gets here (`HTTPAddress`): libcurl says so of an answer without a status line, too.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      return .broken(reason: "not an HTTP server")
    default: return .passing(reason: String(cString: curl_easy_strerror(result.code)).lowercased(), retryAfter: nil)
    }
  }

  /// Only to the same host and port, or from the usual port of `http` to that of `https`, and never to less security: credentials and positions go with the packet.
  static func isAllowed(from url: String, to target: String) -> Bool {
    guard let old = HTTPAddress(url), let new = HTTPAddress(target) else { return false }
    let isSamePort = old.port == new.port || (old.port == "80" && new.port == "443")
    return old.host == new.host && isSamePort && (new.isSecure || !old.isSecure)
  }
}

/// The parts of an address that matter here.
struct HTTPAddress: Equatable {
  /// True for `https`.
  var isSecure: Bool
  /// In small letters.
  var host: String
  /// As given, or that of the scheme.
  var port: String

  /// `NAME:PORT`.
  var place: String { "\(host):\(port)" }

  /// nil when it is no address of a web server.
  init?(_ url: String) {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
    func part(_ which: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, which, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
      let host = part(CURLUPART_HOST), let port = part(CURLUPART_PORT)
    else { return nil }
    isSecure = scheme == "https"
    self.host = host.lowercased()
    self.port = port
  }
}
