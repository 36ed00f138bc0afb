import CLinuxShim
import Glibc
import LinuxDevices
import Quantities

/// What the owner asks a running tracker through its local socket.
package enum ControlRequest: Equatable, Sendable {
  /// How it stands.
  case status
  /// Its fences, secure places and alarms.
  case rules
  /// Its gear and the last rides.
  case gear
  /// A request of the tracker, as `alerts off` or `dismiss 3`.
  case command(String)

  /// The request as its line says it; nil when it is none.
  init?(line: String) {
    if line == "status" {
      self = .status
    } else if line == "rules" {
      self = .rules
    } else if line == "gear" {
      self = .gear
    } else if line.hasPrefix("command ") {
      self = .command(String(line.dropFirst(8)))
    } else {
      return nil
    }
  }

  /// The request as a line, without its end.
  package var line: String {
    switch self {
    case .status: "status"
    case .rules: "rules"
    case .gear: "gear"
    case .command(let text): "command \(text)"
    }
  }
}

/// The local socket of a running tracker: one line in, one line of JSON back.
///
/// Only the user whose process it is, and root, can open it: the file's mode says so, and the kernel's word on who calls is
/// checked besides. A caller that says nothing for five seconds, or too much, is hung up on.
package final class ControlServer: LoopMember {
  private struct Caller {
    var input: [UInt8] = []
    var output: [UInt8] = []
    var until: Instant
    /// Another for each caller, for a descriptor's number comes again.
    var number: UInt64
    /// True from its request to the answer.
    var isWaiting = false
  }

  /// The socket's path.
  package let path: String
  private let onRequest: (ControlRequest, @escaping ([UInt8]) -> Void) -> Void
  private var listener: Int32 = -1
  private var callers: [Int32: Caller] = [:]
  private var callerCount: UInt64 = 0
  /// Until when nobody is let in, after the process ran out of descriptors.
  private var closedUntil: Instant?
  private weak var loop: EventLoop?

  private static var longestRequest: Int { 1024 }
  private static var mostCallers: Int { 16 }
  private static var patience: Interval { .seconds(5) }

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - path: Where the socket is made, at most 107 bytes.
  ///   - onRequest: Takes a request, and a function that it is to call with the JSON, at once or within five seconds.
  package init(path: String, onRequest: @escaping (ControlRequest, @escaping ([UInt8]) -> Void) -> Void) {
    self.path = path
    self.onRequest = onRequest
  }

  deinit { stop() }

  /// Listens. A socket that a killed process left behind makes room; one that answers does not.
  package func start(in loop: EventLoop) throws(DeviceFailure) {
    makeFolders(of: path)
    let descriptor = leash_listen_local(path)
    if descriptor < 0 {
      throw DeviceFailure(
        .create, path, errorNumber: -descriptor, descriptor == -EADDRINUSE ? .busy(holders: []) : .other)
    }
    listener = descriptor
    self.loop = loop
    loop.add(self)
    do throws(DeviceFailure) {
      try loop.watch(listener, for: .reading, by: self)
    } catch {
      stop()
      throw error
    }
  }

  /// Hangs up and removes the socket.
  package func stop() {
    for descriptor in callers.keys { hangUp(descriptor) }
    guard listener >= 0 else { return }
    loop?.forget(listener)
    loop?.remove(self)
    close(listener)
    listener = -1
    unlink(path)
  }

  /// Somebody calls, says something, or takes the answer.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    guard descriptor != listener else {
      admit(at: now)
      return
    }
    if readiness.contains(.reading) { listen(to: descriptor) }
    if readiness.contains(.writing) { speak(to: descriptor) }
  }

  /// When the next caller has been silent for too long.
  package var nextDeadline: Instant? {
    let patience = callers.values.map(\.until).min()
    guard let closedUntil else { return patience }
    return min(patience ?? closedUntil, closedUntil)
  }

  /// Hangs up on callers that are too slow.
  package func advance(to now: Instant) {
    for (descriptor, caller) in callers where caller.until <= now { hangUp(descriptor) }
    guard let due = closedUntil, due <= now, listener >= 0 else { return }
    closedUntil = nil
    do throws(DeviceFailure) {
      try loop?.watch(listener, for: .reading, by: self)
    } catch {
      closedUntil = now + .seconds(1)
    }
  }

  private func admit(at now: Instant) {
    while true {
      let descriptor = leash_accept(listener)
      guard descriptor >= 0 else {
        // Without a free descriptor the caller would stay at the door and keep the loop awake.
        if descriptor != -EAGAIN {
          loop?.forget(listener)
          closedUntil = now + .seconds(1)
        }
        return
      }
      let caller = leash_peer_user(descriptor)
      let isOwner = caller == Int64(geteuid()) || caller == 0
      guard isOwner, callers.count < ControlServer.mostCallers else {
        close(descriptor)
        continue
      }
      callerCount += 1
      callers[descriptor] = Caller(until: now + ControlServer.patience, number: callerCount)
      do throws(DeviceFailure) {
        try loop?.watch(descriptor, for: .reading, by: self)
      } catch {
        hangUp(descriptor)
      }
    }
  }

  private func listen(to descriptor: Int32) {
    guard var caller = callers[descriptor], caller.output.isEmpty, !caller.isWaiting else { return }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else {
      hangUp(descriptor)
      return
    }
    caller.input += buffer[..<count]
    guard let end = caller.input.firstIndex(of: 0x0A) else {
      callers[descriptor] = caller
      if caller.input.count > ControlServer.longestRequest { hangUp(descriptor) }
      return
    }
    let line = String(decoding: caller.input[..<end], as: UTF8.self)
    caller.isWaiting = true
    callers[descriptor] = caller
    let number = caller.number
    guard let request = ControlRequest(line: line) else {
      return answer(descriptor, number, Array("{\"error\":\"no such request\"}".utf8))
    }
    onRequest(request) { [weak self] in self?.answer(descriptor, number, $0) }
    // Whatever it says now has to wait, and a hang-up shows when it is answered.
    if callers[descriptor]?.isWaiting == true { try? loop?.watch(descriptor, for: [], by: self) }
  }

  private func answer(_ descriptor: Int32, _ number: UInt64, _ bytes: [UInt8]) {
    guard let caller = callers[descriptor], caller.number == number, caller.isWaiting else { return }
    callers[descriptor]?.isWaiting = false
    callers[descriptor]?.output = bytes + [0x0A]
    speak(to: descriptor)
  }

  private func speak(to descriptor: Int32) {
    guard var caller = callers[descriptor], !caller.output.isEmpty else { return }
    let count = caller.output.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    if count < 0, errno == EAGAIN || errno == EINTR {
      try? loop?.watch(descriptor, for: .writing, by: self)
      return
    }
    guard count > 0, count < caller.output.count else {
      hangUp(descriptor)
      return
    }
    caller.output.removeFirst(count)
    callers[descriptor] = caller
    try? loop?.watch(descriptor, for: .writing, by: self)
  }

  private func hangUp(_ descriptor: Int32) {
    guard callers.removeValue(forKey: descriptor) != nil else { return }
    loop?.forget(descriptor)
    close(descriptor)
  }
}

/// Asks a running tracker.
package enum ControlClient {
  /// Sends a request and waits for the answer, five seconds at most.
  ///
  /// - Throws: One failure: nobody listens, or the socket is somebody else's.
  package static func ask(_ request: ControlRequest, at path: String) throws(DeviceFailure) -> [UInt8] {
    let descriptor = leash_connect_local(path)
    guard descriptor >= 0 else { throw DeviceFailure(.open, path, errorNumber: -descriptor, .other) }
    defer { close(descriptor) }
    let line = Array((request.line + "\n").utf8)
    let sent = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == line.count else { throw DeviceFailure(.write, path, errorNumber: errno, .other) }
    var answer: [UInt8] = []
    let limit = MonotonicClock.now + .seconds(5)
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while MonotonicClock.now < limit {
      var wait = EventWait()
      let place = wait.add(descriptor)
      wait.wait(until: limit)
      guard wait.isReadable(place) else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      answer += buffer[..<count]
      if answer.last == 0x0A { break }
    }
    guard answer.last == 0x0A else { throw DeviceFailure(.read, path, errorNumber: ETIMEDOUT, .other) }
    answer.removeLast()
    return answer
  }
}
