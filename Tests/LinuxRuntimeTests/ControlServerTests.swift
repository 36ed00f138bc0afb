import CLinuxShim
import Glibc
import LinuxDevices
import Quantities
import Testing

@testable import LinuxRuntime

extension ControlServer {
  /// One that answers at once.
  fileprivate convenience init(path: String, answer: @escaping (ControlRequest) -> [UInt8]) {
    self.init(path: path) { request, reply in reply(answer(request)) }
  }
}

/// Asks from another thread, as another process does, while the loop turns.
private func ask(_ request: ControlRequest, _ server: ControlServer, _ loop: EventLoop) throws -> String {
  let box = try Mailbox<String>()
  let path = server.path
  #expect(
    BackgroundThread.start {
      do throws(DeviceFailure) {
        box.post(String(decoding: try ControlClient.ask(request, at: path), as: UTF8.self))
      } catch {
        box.post("failed: \(error.message)")
      }
    })
  let limit = MonotonicClock.now + .seconds(10)
  while MonotonicClock.now < limit {
    loop.turn(until: MonotonicClock.now + .milliseconds(20))
    if let answer = box.takeAll().first { return answer }
  }
  return "nothing"
}

@Test func anOwnerIsAnswered() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let long = Array(repeating: UInt8(ascii: "x"), count: 700_000)
  let server = ControlServer(path: folder("run/control")) { request in
    request == .status ? long : Array("\(request.line)".utf8)
  }
  try server.start(in: loop)
  #expect(try ask(.command("dismiss 3"), server, loop) == "command dismiss 3")
  #expect(try ask(.status, server, loop).utf8.count == long.count)
  var status = stat()
  #expect(stat(server.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  server.stop()
  #expect(access(server.path, F_OK) != 0)
  #expect(try ask(.status, server, loop).hasPrefix("failed"))
}

@Test func aSocketLeftBehindMakesRoomAndOneThatAnswersDoesNot() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let dead = leash_listen_local(folder("control"))
  #expect(dead >= 0)
  close(dead)
  let server = ControlServer(path: folder("control")) { _ in [] }
  try server.start(in: loop)
  let second = ControlServer(path: folder("control")) { _ in [] }
  #expect(throws: DeviceFailure.self) { try second.start(in: loop) }
  server.stop()
  let file = fopen(folder("precious"), "w")
  fclose(file)
  #expect(throws: DeviceFailure.self) { try ControlServer(path: folder("precious")) { _ in [] }.start(in: loop) }
  #expect(access(folder("precious"), F_OK) == 0, "a file is never removed")
  #expect(throws: DeviceFailure.self) {
    try ControlServer(path: folder(String(repeating: "long", count: 40))) { _ in [] }.start(in: loop)
  }
}

@Test func callersThatSayNothingOrTooMuchAreHungUpOn() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let server = ControlServer(path: folder("control")) { _ in Array("ok".utf8) }
  try server.start(in: loop)
  defer { server.stop() }
  let silent = leash_connect_local(server.path)
  let loud = leash_connect_local(server.path)
  defer {
    close(silent)
    close(loud)
  }
  let noise = [UInt8](repeating: 0x41, count: 3000)
  #expect(write(loud, noise, noise.count) == noise.count)
  for _ in 0..<10 { loop.turn(until: MonotonicClock.now + .milliseconds(1)) }
  var byte: UInt8 = 0
  #expect(recv(loud, &byte, 1, Int32(MSG_DONTWAIT)) <= 0 && errno != EAGAIN)
  let due = try #require(server.nextDeadline)
  server.advance(to: due)
  #expect(recv(silent, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
  #expect(server.nextDeadline == nil)
  let rude = leash_connect_local(server.path)
  let line = Array("launch\n".utf8)
  #expect(write(rude, line, line.count) == line.count)
  for _ in 0..<10 { loop.turn(until: MonotonicClock.now + .milliseconds(1)) }
  var answer = [UInt8](repeating: 0, count: 100)
  let count = recv(rude, &answer, answer.count, Int32(MSG_DONTWAIT))
  #expect(String(decoding: answer[..<max(0, count)], as: UTF8.self) == "{\"error\":\"no such request\"}\n")
  close(rude)
}

/// Turns the loop until all that came has been seen to.
private func settle(_ loop: EventLoop) { for _ in 0..<6 { loop.turn(until: MonotonicClock.now + .milliseconds(1)) } }

/// What a caller has got so far; nil when the line is closed.
private func heard(_ descriptor: Int32) -> String? {
  var buffer = [UInt8](repeating: 0, count: 4096)
  let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
  if count < 0, errno == EAGAIN { return "" }
  return count <= 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
}

@Test func aRequestOfAThousandAndTwentyFourBytesIsHeardAndALongerOneNot() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let server = ControlServer(path: folder("control")) { Array($0.line.suffix(3).utf8) }
  try server.start(in: loop)
  defer { server.stop() }
  for (count, isHeard) in [(1024, true), (1025, false)] {
    let caller = leash_connect_local(server.path)
    defer { close(caller) }
    let text = Array(("command " + String(repeating: "x", count: count - 8)).utf8)
    // In pieces, without an end.
    for start in stride(from: 0, to: count, by: 200) {
      let piece = Array(text[start..<min(count, start + 200)])
      #expect(write(caller, piece, piece.count) == piece.count)
      settle(loop)
    }
    #expect(heard(caller) == (isHeard ? "" : nil))
    guard isHeard else { continue }
    #expect(write(caller, "\n", 1) == 1)
    settle(loop)
    #expect(heard(caller) == "xxx\n")
    #expect(heard(caller) == nil, "hung up after the answer")
  }
}

@Test func sixteenCallersAreHeardAndTheNextWhenOneIsGone() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let server = ControlServer(path: folder("control")) { _ in Array("ok".utf8) }
  try server.start(in: loop)
  defer { server.stop() }
  var callers = (0..<16).map { _ in leash_connect_local(server.path) }
  settle(loop)
  let late = leash_connect_local(server.path)
  settle(loop)
  #expect(heard(late) == nil)
  #expect(callers.allSatisfy { heard($0) == "" })
  close(callers.removeLast())
  settle(loop)
  callers.append(leash_connect_local(server.path))
  for caller in callers { #expect(write(caller, "status\n", 7) == 7) }
  settle(loop)
  #expect(callers.allSatisfy { heard($0) == "ok\n" })
  for caller in callers + [late] { close(caller) }
}

@Test func aCallerMaySayNothingForFiveSeconds() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  let server = ControlServer(path: folder("control")) { _ in [] }
  try server.start(in: loop)
  defer { server.stop() }
  let before = MonotonicClock.now
  let caller = leash_connect_local(server.path)
  defer { close(caller) }
  settle(loop)
  let due = try #require(server.nextDeadline)
  #expect(due >= before + .seconds(5) && due <= MonotonicClock.now + .seconds(5))
  server.advance(to: due - Interval(microseconds: 1))
  #expect(heard(caller) == "")
  server.advance(to: due)
  #expect(heard(caller) == nil)
}

@Test func linesAreRequestsOrNone() {
  #expect(ControlRequest(line: "status") == .status && ControlRequest(line: "command a b") == .command("a b"))
  for line in ["", "Status", "status ", "command", "commandx", " status"] { #expect(ControlRequest(line: line) == nil) }
  for request in [ControlRequest.status, .command("dismiss 3"), .command("")] {
    #expect(ControlRequest(line: request.line) == request)
  }
}

/// An answer may come later, and goes to who asked: not to somebody who came after them, and to nobody when they have gone.
@Test func anAnswerThatComesLaterGoesToWhoAsked() throws {
  let folder = try Folder()
  let loop = try EventLoop(clock: MachineClock())
  var replies: [([UInt8]) -> Void] = []
  let server = ControlServer(path: folder("control")) { replies.append($1) }
  try server.start(in: loop)
  defer { server.stop() }
  func call(_ line: String, until count: Int) -> Int32 {
    let descriptor = leash_connect_local(server.path)
    #expect(write(descriptor, line, line.utf8.count) == line.utf8.count)
    for _ in 0..<100 where replies.count < count { loop.turn(until: MonotonicClock.now + .milliseconds(20)) }
    #expect(replies.count == count)
    return descriptor
  }
  func answer(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
  let first = call("status\n", until: 1)
  #expect(answer(first) == "")
  // More words, or a caller who hangs up, do not keep the loop awake.
  _ = write(first, "status\n", 7)
  let turns = loop.turnCount
  loop.turn(until: MonotonicClock.now + .milliseconds(1))
  #expect(replies.count == 1 && loop.turnCount == turns + 1)
  replies[0](Array("one".utf8))
  #expect(answer(first) == "one\n")
  replies[0](Array("again".utf8))
  close(first)
  let gone = call("status\n", until: 2)
  close(gone)
  replies[1](Array("two".utf8))
  let third = call("status\n", until: 3)
  replies[1](Array("late".utf8))
  #expect(answer(third) == "")
  replies[2](Array("three".utf8))
  #expect(answer(third) == "three\n")
  close(third)
}
