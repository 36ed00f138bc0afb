import CCurl
import LinuxDevices
import ModemSimulation
import Quantities
import Synchronization

/// A TCP socket of the modem with TLS, on a thread of its own: libcurl makes the connection, bytes go through it as they are.
final class SecureSocket: Sendable {
  private let id: Int
  private let url: String
  private let mailbox: BridgeMailbox
  private let verifiesCertificates: Bool
  private let wakeUp: WakeUp
  private let stop = StopFlag()
  private let outgoing = Mutex<[UInt8]>([])

  init(id: Int, host: String, port: UInt16, mailbox: BridgeMailbox, verifiesCertificates: Bool) throws(DeviceFailure) {
    self.id = id
    url = "https://\(host):\(port)"
    self.mailbox = mailbox
    self.verifiesCertificates = verifiesCertificates
    wakeUp = try WakeUp()
  }

  /// Starts the thread, which holds the socket until `end` or the server's end.
  func start() -> Bool { CurlHandle.isReady && BackgroundThread.start { self.run() } }

  /// Takes bytes for the server.
  func send(_ bytes: [UInt8]) {
    outgoing.withLock { $0 += bytes }
    wakeUp.signal()
  }

  /// Closes the connection.
  func end() {
    stop.set()
    wakeUp.signal()
  }

  private func run() {
    guard let handle = curl_easy_init() else {
      mailbox.post(.refused(id: id, .unreachable))
      return
    }
    defer { curl_easy_cleanup(handle) }
    CurlHandle.prepare(handle, url: url, verifiesCertificates: verifiesCertificates, stop: stop)
    curl_shim_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
    // What comes over the socket is no HTTP: nothing is to be agreed about it.
    curl_shim_set_long(handle, CURLOPT_SSL_ENABLE_ALPN, 0)
    let code = curl_easy_perform(handle)
    guard !stop.isSet else { return }
    guard code == CURLE_OK else {
      mailbox.post(.refused(id: id, CurlHandle.failure(code, handle)))
      return
    }
    mailbox.post(.opened(id: id))
    let socket = curl_shim_socket(handle)
    var wait = EventWait()
    while !stop.isSet {
      guard flush(handle), receive(handle) else {
        if !stop.isSet { mailbox.post(.closed(id: id)) }
        return
      }
      wait.removeAll()
      wait.add(wakeUp.descriptor)
      wait.add(socket, writing: outgoing.withLock { !$0.isEmpty })
      wait.wait(until: nil)
      wakeUp.clear()
    }
  }

  /// False when the connection is gone.
  private func flush(_ handle: OpaqueHandle) -> Bool {
    var total = 0
    defer { if total > 0 { mailbox.post(.sent(id: id, count: total)) } }
    while true {
      let bytes = outgoing.withLock { Array($0.prefix(16_384)) }
      guard !bytes.isEmpty else { return true }
      var count = 0
      let code = curl_easy_send(handle, bytes, bytes.count, &count)
      guard code == CURLE_OK else { return code == CURLE_AGAIN }
      outgoing.withLock { $0.removeFirst(count) }
      total += count
    }
  }

  /// False when the connection is gone.
  private func receive(_ handle: OpaqueHandle) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      var count = 0
      let code = curl_easy_recv(handle, &buffer, buffer.count, &count)
      if code == CURLE_AGAIN { return true }
      guard code == CURLE_OK, count > 0 else { return false }
      mailbox.post(.received(id: id, bytes: Array(buffer[..<count])))
    }
  }
}
