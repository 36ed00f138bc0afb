import Foundation
import LinuxDevices
import Quantities
import Synchronization

/// A small HTTP server on a free port of the loopback interface; it answers as it is told, and keeps what was asked.
package final class HTTPServer: Sendable {
  /// A request.
  package struct Request: Equatable, Sendable {
    /// `POST`.
    package var method: String
    /// With the query.
    package var path: String
    /// Names in small letters.
    package var headers: [String: String]
    /// The body.
    package var body: [UInt8]
    /// Which connection it came on, from 0.
    package var connection: Int
    /// When it was whole.
    package var time: Instant

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// What is done about a request.
  package enum Reply: Sendable {
    /// An answer.
    case status(Int, headers: [(String, String)] = [], body: String = "")
    /// The connection is closed without one.
    case close
    /// Nothing ever comes.
    case silence
    /// Bytes that are no HTTP.
    case raw(String)
  }

  private struct State {
    var listener: Int32 = -1
    var connections: Set<Int32> = []
    var connectionCount = 0
    var requests: [Request] = []
  }

  /// Its port, the same after each start.
  package let port: UInt16
  private let state: Mutex<State>
  private let arrival = DispatchSemaphore(value: 0)
  private let answer: @Sendable (_ number: Int, _ request: Request) -> Reply

  /// Starts it.
  ///
  /// - Parameter answer: What to do about the request of that number, from 0; called on the connection's thread. Default: 200.
  package init(_ answer: @escaping @Sendable (_ number: Int, _ request: Request) -> Reply = { _, _ in .status(200) })
    throws
  {
    let listener = try listen(on: 0)
    port = portNumber(of: listener)
    state = Mutex(State())
    self.answer = answer
    run(listener)
  }

  deinit { stop() }

  /// Closes the port and all connections.
  package func stop() {
    state.withLock { state in
      if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
      state.listener = -1
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes connections that are open, and stays there for new ones.
  package func closeConnections() {
    state.withLock { state in for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) } }
  }

  /// Opens the port again.
  package func start() throws { run(try listen(on: port)) }

  /// What was asked so far.
  package var requests: [Request] { state.withLock { $0.requests } }
  /// The bodies of all requests so far.
  package var bodies: [String] { requests.map(\.text) }
  /// Waits for so many requests in all; false when they do not come within ten seconds of one another.
  package func wait(forRequests count: Int) -> Bool {
    while requests.count < count {
      guard arrival.wait(timeout: .now() + 10) == .success else { return false }
    }
    return true
  }
  /// Connections so far.
  package var connectionCount: Int { state.withLock { $0.connectionCount } }

  private func run(_ listener: Int32) {
    state.withLock { $0.listener = listener }
    Thread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let server = self else { break }
        let number = server.state.withLock { state in
          state.connections.insert(connection)
          state.connectionCount += 1
          return state.connectionCount - 1
        }
        Thread { [weak server] in
          HTTPServer.serve(connection, number, server)
          server?.state.withLock { _ = $0.connections.remove(connection) }
          close(connection)
        }.start()
      }
      close(listener)
    }.start()
  }

  private static func serve(_ connection: Int32, _ number: Int, _ server: @autoclosure () -> HTTPServer?) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
      guard let (request, length) = parse(bytes, number), let server = server() else { continue }
      bytes.removeFirst(length)
      let place = server.state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
      server.arrival.signal()
      let text: String
      switch server.answer(place, request) {
      case .close: return
      case .silence: continue
      case .raw(let raw): text = raw
      case .status(let status, let headers, let body):
        let lines = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        text = "HTTP/1.1 \(status) Words\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// The first request in the bytes and its length; nil when it is not whole yet.
  private static func parse(_ bytes: [UInt8], _ connection: Int) -> (Request, Int)? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    let length = end + 4 + (headers["content-length"].flatMap { Int($0) } ?? 0)
    guard bytes.count >= length, words.count == 3 else { return nil }
    let request = Request(
      method: words[0], path: words[1], headers: headers, body: Array(bytes[(end + 4)..<length]),
      connection: connection, time: MonotonicClock.now)
    return (request, length)
  }
}
