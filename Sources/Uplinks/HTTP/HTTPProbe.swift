import CCurl
import Quantities

/// Whether a server can be reached and trusted, without a request to it.
package enum HTTPProbe {
  /// Looks up the name, connects and, for `https`, agrees on TLS; then closes the connection. It waits.
  ///
  /// - Parameter settings: The server; its `timeout` bounds the whole.
  /// - Returns: One line that says what does not work; nil when all does.
  package static func problem(reaching settings: HTTPSettings) -> String? {
    guard CurlExchange.isReady, let handle = curl_easy_init() else { return "libcurl has no memory" }
    defer { curl_easy_cleanup(handle) }
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    defer { words.deallocate() }
    curl_shim_set_long(handle, CURLOPT_NOSIGNAL, 1)
    curl_shim_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_shim_set_text(handle, CURLOPT_URL, settings.url)
    curl_shim_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
    let limit = max(1, Int(settings.timeout.microseconds / 1000))
    curl_shim_set_long(handle, CURLOPT_TIMEOUT_MS, limit)
    curl_shim_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, limit)
    curl_shim_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
    settings.tls.apply(to: handle)
    let code = curl_easy_perform(handle)
    guard code != CURLE_OK else { return nil }
    var result = HTTPResult(code: code)
    result.errorNumber = Int32(clamping: curl_shim_system_error(handle))
    result.detail = String(cString: words)
    switch HTTPOutcome.of(result, sentTo: settings.url, timeout: settings.timeout) {
    case .delivered, .redirected: return nil
    case .refused(let reason, _), .passing(let reason, _), .broken(let reason): return reason
    }
  }
}
