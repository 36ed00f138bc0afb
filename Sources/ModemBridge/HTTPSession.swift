import CCurl
import Glibc
import LinuxDevices
import ModemSimulation
import Synchronization

/// One HTTP connection of the modem, on a thread of its own, since libcurl waits while it works.
///
/// The connection is kept between requests and ends with the session, so that the server sees what it would see of a modem.
final class HTTPSession: Sendable {
  /// What the thread is to do.
  private enum Job: Sendable {
    case connect(url: String)
    case request(method: String, url: String, headers: [HTTPHeader], body: [UInt8], isOnly: Bool)
    case end
  }

  private let id: Int
  private let mailbox: BridgeMailbox
  private let wakeUp: WakeUp
  private let jobs = Mutex<[Job]>([])
  private let stop = StopFlag()
  private let verifiesCertificates: Bool

  init(id: Int, mailbox: BridgeMailbox, verifiesCertificates: Bool) throws(DeviceFailure) {
    self.id = id
    self.mailbox = mailbox
    self.verifiesCertificates = verifiesCertificates
    wakeUp = try WakeUp()
  }

  /// Starts the thread, which holds the session until `end`.
  func start() -> Bool { CurlHandle.isReady && BackgroundThread.start { self.run() } }

  /// Connects, to see whether the server is there.
  func connect(url: String) { add(.connect(url: url)) }

  /// Asks the server; `isOnly` ends the session after the answer.
  func request(method: String, url: String, headers: [HTTPHeader], body: [UInt8], isOnly: Bool) {
    add(.request(method: method, url: url, headers: headers, body: body, isOnly: isOnly))
  }

  /// Breaks off what is going on and closes the connection.
  func end() {
    stop.set()
    add(.end)
  }

  private func add(_ job: Job) {
    jobs.withLock { $0.append(job) }
    wakeUp.signal()
  }

  private func run() {
    guard let handle = curl_easy_init() else {
      mailbox.post(.httpFailed(id: id, .unreachable))
      return
    }
    defer { curl_easy_cleanup(handle) }
    // Where the server's end of a connection that is kept shows.
    var idle: Int32 = -1
    var wait = EventWait()
    while true {
      switch jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      case .connect(let url): connect(url)
      case .request(let method, let url, let headers, let body, let isOnly):
        idle = request(handle, method, url, headers, body)
        if isOnly { return }
      case .end: return
      case nil:
        wait.removeAll()
        wait.add(wakeUp.descriptor)
        wait.add(idle)
        wait.wait(until: nil)
        wakeUp.clear()
        if idle >= 0 && wait.isReadable(1) {
          var byte: UInt8 = 0
          let count = recv(idle, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
          // With TLS there may be a few bytes of goodbye first.
          if count >= 0 || (errno != EAGAIN && errno != EINTR) {
            idle = -1
            mailbox.post(.httpClosed(id: id))
          }
        }
      }
    }
  }

  /// Connects with a handle of its own: libcurl does not go on with a connection that was only made.
  private func connect(_ url: String) {
    guard let handle = curl_easy_init() else { return }
    defer { curl_easy_cleanup(handle) }
    prepare(handle, url: url)
    curl_shim_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
    let code = curl_easy_perform(handle)
    guard !stop.isSet else { return }
    mailbox.post(code == CURLE_OK ? .httpConnected(id: id) : .httpFailed(id: id, CurlHandle.failure(code, handle)))
  }

  private func prepare(_ handle: OpaqueHandle, url: String) {
    CurlHandle.prepare(handle, url: url, verifiesCertificates: verifiesCertificates, stop: stop)
    curl_shim_set_long(handle, CURLOPT_TIMEOUT, 120)
  }

  /// Asks and posts the answer; gives the socket of the connection if it is kept, else -1.
  private func request(
    _ handle: OpaqueHandle, _ method: String, _ url: String, _ headers: [HTTPHeader], _ body: [UInt8]
  ) -> Int32 {
    prepare(handle, url: url)
    let response = HTTPResponseBuffer()
    response.listen(to: handle)
    var list: UnsafeMutablePointer<curl_slist>?
    // What the module would not send by itself, libcurl is not to send either.
    for name in ["Accept", "Content-Type", "Expect", "User-Agent"]
    where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      list = curl_slist_append(list, "\(name):")
    }
    for header in headers where header.name.lowercased() != "content-length" {
      list = curl_slist_append(list, header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    }
    defer { curl_slist_free_all(list) }
    curl_shim_set_pointer(handle, CURLOPT_HTTPHEADER, list)
    switch method {
    case "GET": curl_shim_set_long(handle, CURLOPT_HTTPGET, 1)
    case "HEAD": curl_shim_set_long(handle, CURLOPT_NOBODY, 1)
    default: curl_shim_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
    }
    if method != "HEAD" && (!body.isEmpty || method == "POST" || method == "PUT" || method == "PATCH") {
      curl_shim_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        _ = curl_shim_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
      if method == "GET" { curl_shim_set_text(handle, CURLOPT_CUSTOMREQUEST, method) }
    }
    // libcurl holds the buffer without the language knowing.
    let code = withExtendedLifetime(response) { curl_easy_perform(handle) }
    guard !stop.isSet else { return -1 }
    guard code == CURLE_OK else {
      switch code {
      case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE: mailbox.post(.httpClosed(id: id))
      default: mailbox.post(.httpFailed(id: id, CurlHandle.failure(code, handle)))
      }
      return -1
    }
    mailbox.post(
      .httpResponse(
        id: id, status: Int(curl_shim_status(handle)), headers: response.headers, body: response.body))
    let socket = curl_shim_socket(handle)
    if socket < 0 { mailbox.post(.httpClosed(id: id)) }
    return socket
  }
}

/// Collects what a server answers.
private final class HTTPResponseBuffer {
  private(set) var headers: [HTTPHeader] = []
  private(set) var body: [UInt8] = []

  /// More than a module can take; the rest is dropped.
  static var bodyLimit: Int { 1 << 20 }

  /// Registers with a handle that is used up before this value goes.
  func listen(to handle: OpaqueHandle) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    curl_shim_on_body(
      handle,
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        Unmanaged<HTTPResponseBuffer>.fromOpaque(context).takeUnretainedValue()
          .add(UnsafeRawBufferPointer(start: bytes, count: size * count))
        return size * count
      }, context)
    curl_shim_on_header(
      handle,
      { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        Unmanaged<HTTPResponseBuffer>.fromOpaque(context).takeUnretainedValue()
          .addHeader(String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self))
        return size * count
      }, context)
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    body += bytes.prefix(max(0, HTTPResponseBuffer.bodyLimit - body.count))
  }

  private func addHeader(_ line: String) {
    // The answer behind "100 Continue" has headers of its own.
    if line.hasPrefix("HTTP/") {
      headers = []
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
    let end = value.lastIndex { !$0.isWhitespace }
    headers.append(HTTPHeader(name: String(line[..<colon]), value: end.map { String(value[...$0]) } ?? ""))
  }
}
