import CCurl
import LinuxDevices
import Quantities

/// One POST after the other through libcurl's multi interface; it never waits.
///
/// The connection stays open between requests.
final class CurlExchange: HTTPExchange {
  /// libcurl wants to be set up once, before any thread uses it.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
  /// Answers are read so far, bytes; a request of the owner is shorter.
  static var bodyLimit: Int { 4096 }
  /// An answer that goes on beyond this, bytes, is broken off: what it says has been read, and its status counts.
  static var longestBody: Int { 65_536 }

  /// How long a body is read after a status that delivers the packet: a request of the owner comes with it or not at all.
  static var bodyPatience: Interval { .seconds(2) }

  /// Called when a socket is to be watched, or with nil forgotten.
  var watch: (Int32, Readiness?) -> Void = { _, _ in }
  /// When `processTime` is wanted.
  var deadline: Instant? {
    guard let bodyDeadline else { return curlDeadline }
    return min(curlDeadline ?? bodyDeadline, bodyDeadline)
  }

  private var curlDeadline: Instant?
  /// When the body is left at that.
  private var bodyDeadline: Instant?
  private let multi: UnsafeMutableRawPointer
  private let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let settings: HTTPSettings
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var isBusy = false
  private var body: [UInt8] = []
  private var bodyLength = 0

  /// - Returns: nil when libcurl has no memory.
  init?(_ settings: HTTPSettings) {
    guard CurlExchange.isReady, let multi = curl_multi_init() else { return nil }
    guard let handle = curl_easy_init() else {
      curl_multi_cleanup(multi)
      return nil
    }
    self.multi = multi
    self.handle = handle
    self.settings = settings
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    prepare(settings)
    setCallbacks()
  }

  deinit {
    watch = { _, _ in }
    cancel()
    curl_easy_cleanup(handle)
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
    errorText.deallocate()
  }

  private func prepare(_ settings: HTTPSettings) {
    curl_shim_set_long(handle, CURLOPT_NOSIGNAL, 1)
    // A request that is broken off must not wait for the thread that looks up its host.
    curl_shim_set_long(handle, CURLOPT_QUICK_EXIT, 1)
    // A board has no proxy; what the environment of a shell says is not meant for it.
    curl_shim_set_text(handle, CURLOPT_PROXY, "")
    curl_shim_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_shim_set_long(handle, CURLOPT_HTTP_VERSION, 2)  // CURL_HTTP_VERSION_1_1
    curl_shim_set_text(handle, CURLOPT_USERAGENT, "leash")
    let limit = max(1, Int(settings.timeout.microseconds / 1000))
    curl_shim_set_long(handle, CURLOPT_TIMEOUT_MS, limit)
    curl_shim_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, min(limit, 15_000))
    curl_shim_set_long(handle, CURLOPT_TCP_NODELAY, 1)
    curl_shim_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
    // Reports may come an hour apart; libcurl would take a new connection after two minutes.
    curl_shim_set_long(handle, CURLOPT_MAXAGE_CONN, 7200)
    curl_shim_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    if let user = settings.user {
      curl_shim_set_long(handle, CURLOPT_HTTPAUTH, 1)  // CURLAUTH_BASIC
      curl_shim_set_text(handle, CURLOPT_USERNAME, user)
      curl_shim_set_text(handle, CURLOPT_PASSWORD, settings.password?.revealed ?? "")
    }
    settings.tls.apply(to: handle)
  }

  /// The headers of one request; the one before is over.
  private func setHeaders(_ more: [(name: String, value: String)]) {
    curl_slist_free_all(headers)
    headers = curl_slist_append(nil, "Content-Type: \(settings.contentType)")
    headers = curl_slist_append(headers, "Expect:")
    for (name, value) in more { headers = curl_slist_append(headers, value.isEmpty ? "\(name);" : "\(name): \(value)") }
    curl_shim_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_shim_on_body(
      handle,
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        exchange.add(UnsafeRawBufferPointer(start: bytes, count: size * count))
        // Fewer than there are: libcurl ends the transfer.
        return exchange.isTooLong ? 0 : size * count
      }, context)
    curl_shim_multi_on_socket(
      multi,
      { _, socket, interest, context, _ in
        guard let context else { return 0 }
        let readiness: Readiness? =
          switch interest {
          case CURL_POLL_IN: .reading
          case CURL_POLL_OUT: .writing
          case CURL_POLL_INOUT: [.reading, .writing]
          default: nil
          }
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().watch(socket, readiness)
        return 0
      }, context)
    curl_shim_multi_on_timer(
      multi,
      { _, milliseconds, context in
        guard let context else { return 0 }
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().curlDeadline =
          milliseconds < 0 ? nil : MonotonicClock.now + .milliseconds(milliseconds)
        return 0
      }, context)
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    body += bytes.prefix(max(0, CurlExchange.bodyLimit - body.count))
    bodyLength += bytes.count
  }

  private var isTooLong: Bool { bodyLength > CurlExchange.longestBody }

  /// Begins a request; with a connection that is open its bytes are on the socket when the call returns.
  func begin(_ packet: [UInt8], url: String) {
    cancel()
    body = []
    bodyLength = 0
    let content = settings.body(for: packet)
    setHeaders(settings.headers(for: packet, body: content))
    errorText[0] = 0
    let bytes = settings.usesAddress ? [] : content
    let mark = url.contains("?") ? "&" : "?"
    let address = settings.usesAddress ? url + mark + String(decoding: content, as: UTF8.self) : url
    curl_shim_set_text(handle, CURLOPT_URL, address)
    curl_shim_set_long(handle, CURLOPT_POST, 1)
    curl_shim_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
    bytes.withUnsafeBytes { bytes in
      _ = curl_shim_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
    isBusy = true
    bodyDeadline = nil
    curl_multi_add_handle(multi, handle)
    // Until this has run, the status is that of the request before.
    actOnTime()
  }

  /// Breaks the request off, and its connection with it.
  func cancel() {
    guard isBusy else { return }
    isBusy = false
    bodyDeadline = nil
    curl_multi_remove_handle(multi, handle)
  }

  /// A socket is ready.
  func process(_ readiness: Readiness, of socket: Int32) {
    var events: Int32 = 0
    if readiness.contains(.reading) { events |= CURL_CSELECT_IN }
    if readiness.contains(.writing) { events |= CURL_CSELECT_OUT }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &running)
    watchBody()
  }

  /// A server that has taken the packet must not hold up the next one with its body.
  private func watchBody() {
    guard isBusy, bodyDeadline == nil, (200..<300).contains(curl_shim_status(handle)) else { return }
    bodyDeadline = MonotonicClock.now + CurlExchange.bodyPatience
  }

  /// The time has come.
  func processTime() {
    actOnTime()
    watchBody()
  }

  private func actOnTime() {
    curlDeadline = nil
    var running: Int32 = 0
    curl_multi_socket_action(multi, -1, 0, &running)  // CURL_SOCKET_TIMEOUT
  }

  /// What became of the request; nil while it is under way.
  func takeResult() -> HTTPResult? {
    var code = CURLE_OK
    if curl_shim_multi_next_result(multi, &code) == 0 {
      guard let bodyDeadline, bodyDeadline <= MonotonicClock.now else { return nil }
      code = CURLE_OPERATION_TIMEDOUT
    }
    var result = HTTPResult(code: code == CURLE_WRITE_ERROR && isTooLong ? CURLE_OK : code)
    result.status = curl_shim_status(handle)
    result.body = body
    result.retryAfterSeconds = Int(clamping: curl_shim_retry_after(handle))
    result.redirect = curl_shim_redirect(handle).map { String(cString: $0) }
    result.errorNumber = Int32(clamping: curl_shim_system_error(handle))
    result.detail = String(cString: errorText)
    isBusy = false
    bodyDeadline = nil
    curl_multi_remove_handle(multi, handle)
    return result
  }
}

extension TLSSettings {
  /// Has libcurl use these files and checks.
  func apply(to handle: UnsafeMutableRawPointer) {
    if let file = authorityFile { curl_shim_set_text(handle, CURLOPT_CAINFO, file) }
    if let file = certificateFile { curl_shim_set_text(handle, CURLOPT_SSLCERT, file) }
    if let file = keyFile { curl_shim_set_text(handle, CURLOPT_SSLKEY, file) }
    curl_shim_set_long(handle, CURLOPT_SSL_VERIFYPEER, verifiesServer ? 1 : 0)
    curl_shim_set_long(handle, CURLOPT_SSL_VERIFYHOST, verifiesServer ? 2 : 0)
  }
}
