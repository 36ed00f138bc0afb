import Foundation
import LinuxDevices
import Quantities

@testable import StatusPage

/// A client on a raw socket, in the same loop as the server.
final class LoopClient: LoopMember {
  /// An answer as it came.
  struct Answer {
    let head: String
    let body: [UInt8]

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// A header's value; nil when it is not there.
    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }
  }

  private let loop: EventLoop
  private let descriptor: Int32
  private(set) var received: [UInt8] = []
  private(set) var isClosed = false
  var nextDeadline: Instant? { nil }

  /// - Parameters:
  ///   - reads: False for one that never takes what comes.
  init(_ port: UInt16, in loop: EventLoop, reads: Bool = true) throws {
    self.loop = loop
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var window: Int32 = 4096
    if !reads { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let number = errno
      // `deinit` closes it.
      throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    loop.add(self)
    if reads { try loop.watch(descriptor, for: .reading, by: self) }
  }

  deinit { close(descriptor) }

  /// Leaves the loop; the connection ends with the value.
  func leave() { loop.remove(self) }

  func send(_ text: String) {
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      received += buffer[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      isClosed = true
      loop.forget(descriptor)
    }
  }

  func advance(to now: Instant) {}

  /// The answer once it is complete; nil when it does not come within ten seconds.
  func answer(toHead: Bool = false) -> Answer? {
    var found: Answer?
    turn {
      found = self.completeAnswer(toHead); return found != nil || self.isClosed
    }
    return found
  }

  /// Turns the loop until it is so; false when that takes ten seconds.
  @discardableResult func turn(until isSo: () -> Bool) -> Bool {
    let limit = MonotonicClock.now + .seconds(10)
    while !isSo() {
      guard MonotonicClock.now < limit else { return false }
      loop.turn(until: limit)
    }
    return true
  }

  private func completeAnswer(_ toHead: Bool) -> Answer? {
    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let answer = Answer(
      head: String(decoding: received[..<end.lowerBound], as: UTF8.self), body: Array(received[end.upperBound...]))
    let length = toHead ? 0 : Int(answer.header("Content-Length") ?? "") ?? 0
    return answer.body.count >= length ? answer : nil
  }
}

/// A page in a loop, for tests that turn it themselves.
final class PageInLoop {
  let loop: EventLoop
  let server: StatusPageServer
  let port: UInt16

  init(_ content: PageContent = .small, host: String = "127.0.0.1", files: String? = nil) throws {
    loop = try EventLoop(clock: MachineClock())
    server = StatusPageServer(PageAddress(host: host, port: 0), content: content, files: files)
    try server.start(in: loop, at: MonotonicClock.now)
    port = server.port ?? 0
  }

  deinit { server.stop() }

  func client(reads: Bool = true) throws -> LoopClient { try LoopClient(port, in: loop, reads: reads) }

  /// What the server says to a request.
  func answer(
    _ path: String, method: String = "GET", host: String? = "localhost", more: String = ""
  ) throws -> LoopClient.Answer? {
    let client = try client()
    defer { client.leave() }
    let name = host.map { "Host: \($0)\r\n" } ?? ""
    client.send("\(method) \(path) HTTP/1.1\r\n\(name)\(more)\r\n")
    return client.answer(toHead: method == "HEAD")
  }
}

extension PageContent {
  /// Answers that tell what was asked.
  static var small: PageContent {
    PageContent(
      status: { Array("{\"phase\":\"parked\"}".utf8) }, history: { Array("{\"after\":\($0)}".utf8) },
      dialogue: { Array("{\"dialogueAfter\":\($0)}".utf8) })
  }
}
