import CLinuxShim
import Glibc
import LinuxDevices
import Quantities
import Testing

@testable import LinuxRuntime

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
  let loop = try EventLoop()
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
  let loop = try EventLoop()
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
  let loop = try EventLoop()
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
