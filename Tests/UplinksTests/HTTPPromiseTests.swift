import Delivery
import Foundation
import LinuxDevices
import OtherPrograms
import TrackerRuntime
import Quantities
import ServerSupport
import Synchronization
import Telemetry
import Testing

@testable import Uplinks

private func packet(_ sequence: UInt32, _ kind: PacketKind = .location) -> OutgoingPacket {
  OutgoingPacket(sequence: sequence, kind: kind, bytes: Array("packet \(sequence)".utf8))
}

/// What HTTP does with pauses, answers and settings; where time matters, it is told.
@Suite struct HTTPPromiseTests {
  private func settings(_ server: HTTPServer) -> HTTPSettings {
    var settings = HTTPSettings()
    settings.url = "http://127.0.0.1:\(server.port)/pub"
    return settings
  }

  /// An answer is a request of the owner as it is, up to 4,096 bytes, and each answer once.
  @Test func answersAreHandedOnOnceAndNotBeyondTheirLimit() throws {
    let answers = ["one", "", String(repeating: "a", count: 4096), String(repeating: "b", count: 9000), "", "[]"]
    let server = try HTTPServer { number, _ in .status(number % 2 == 0 ? 200 : 299, body: answers[number]) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    for number in UInt32(0)..<6 {
      way.take(number)
      way.turns { way.delivered.last == number }
    }
    way.turns { way.requests.count == 4 }
    #expect(way.requests == ["one", answers[2], String(repeating: "b", count: 4096), "[]"])
    #expect(way.uplink.facts.map(\.value) == ["6", "6", "0", "0", "299"])
    #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "leash" && $0.headers["expect"] == nil })
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  /// A server that never stops to answer has the packet all the same, and the next goes on a new connection.
  @Test func anAnswerWithoutEndIsBrokenOff() throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n"
    let endless = head + String(repeating: "a", count: 1 << 20)
    let server = try HTTPServer { number, _ in number == 0 ? .raw(endless) : .status(200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    for number in UInt32(0)..<2 {
      way.take(number)
      way.turns { way.delivered.last == number }
    }
    #expect(way.requests == [String(repeating: "a", count: 4096)] && server.requests.count == 2)
  }

  @Test func whatTheSettingsSayGoesWithEachPacket() throws {
    let server = try HTTPServer()
    var set = settings(server)
    set.contentType = "text/x-leash"
    set.headers = [("X-Empty", Secret("")), ("X-Full", Secret("a: b"))]
    set.user = "only"
    let way = try RunningUplink(HTTPUplink(set, seed: 1))
    way.take(1)
    way.turns { way.delivered == [1] }
    let headers = try #require(server.requests.first?.headers)
    #expect(headers["content-type"] == "text/x-leash" && headers["x-empty"] == "" && headers["x-full"] == "a: b")
    #expect(headers["authorization"] == "Basic " + Data("only:".utf8).base64EncodedString())
    #expect(way.uplink.name == "http 127.0.0.1:\(server.port)")
  }

  /// The environment of a shell is not meant for a board.
  @Test func aProxyOfTheEnvironmentIsNotUsed() throws {
    setenv("http_proxy", "http://127.0.0.1:1", 1)
    defer { unsetenv("http_proxy") }
    let server = try HTTPServer()
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.turns(within: .seconds(5)) { way.delivered == [1] }
  }

  /// A pause that nobody asked for: an alert is tried two seconds after the last try, once, and reports wait to its end.
  @Test func anAlertCutsAPauseShortAndAReportDoesNot() throws {
    let server = try HTTPServer { _, _ in .status(404) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    let before = MonotonicClock.now
    way.take(1)
    way.turns { way.failure != nil }
    let pause = try #require(Self.retry(way))
    #expect(pause > before + .seconds(50))
    way.take(2)
    #expect(Self.retry(way) == pause)
    way.take(3, .movement)
    let soon = try #require(Self.retry(way))
    #expect(soon >= before + .seconds(2) && soon <= MonotonicClock.now + .seconds(2))
    // A second alert does not move it.
    way.take(4, .movement)
    #expect(Self.retry(way) == soon)
    way.uplink.advance(to: soon - Interval(microseconds: 1))
    #expect(server.requests.count == 1)
    way.uplink.advance(to: soon)
    way.turns { server.requests.count == 2 }
    #expect(server.bodies.last == "packet 3")
  }

  /// The server's own wish holds for alerts, and for the pause it was said about alone.
  ///
  /// Asked for a second, its own pause of a second may be longer, but the alert after the refusal shows whether the wish still holds.
  @Test(arguments: [(1000, 1000), (1, 2)])
  func anAlertKeepsToWhatTheServerAskedAndOnlyThen(asked: Int, most: Int) throws {
    let server = try HTTPServer { number, _ in
      number == 0 ? .status(503, headers: [("Retry-After", "\(asked)")]) : .status(404)
    }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    let before = MonotonicClock.now
    way.take(1, .movement)
    way.turns { way.failure != nil }
    let pause = try #require(Self.retry(way))
    #expect(pause >= before + .seconds(asked) && pause <= MonotonicClock.now + .seconds(most))
    way.take(2, .movement)
    #expect(Self.retry(way) == pause, "alerts keep to it, too")
    way.uplink.advance(to: pause - Interval(microseconds: 1))
    #expect(server.requests.count == 1)
    way.uplink.advance(to: pause)
    way.turns { way.news.contains { if case .undelivered(1, _, _) = $0 { true } else { false } } }
    // A refusal after it: the next alert goes soon.
    let soon = try #require(Self.retry(way))
    #expect(soon <= pause + .seconds(2))
  }

  /// While it is tried again after a failure the way still counts as failed, and it is open once it works.
  @Test func aWayThatFailedIsNoBetterWhileItTries() throws {
    let server = try HTTPServer { number, _ in number == 0 ? .status(500) : number == 1 ? .silence : .status(200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    #expect(way.uplink.state == .open)
    way.take(1)
    way.turns { way.failure != nil }
    let reason = way.failure
    way.uplink.advance(to: try #require(Self.retry(way)))
    way.turns { server.requests.count == 2 }
    #expect(way.uplink.state == .failed(reason: reason ?? "", retryAt: nil))
    // The report hangs, an alert takes its place, and all is well.
    way.take(2, .movement)
    way.uplink.advance(to: MonotonicClock.now + .seconds(2))
    way.turns { way.isOpen && way.delivered == [2, 1] }
  }

  /// Pauses after failures in a row grow, and begin anew after a success.
  @Test func pausesGrowInARowAndBeginAnewAfterASuccess() throws {
    let answer = Mutex(500)
    let server = try HTTPServer { _, _ in .status(answer.withLock { $0 }) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    for round in 0..<2 {
      answer.withLock { $0 = 500 }
      way.take(UInt32(round))
      for seconds in [1, 2, 4, 8] {
        let count = server.requests.count
        if seconds > 1 { way.uplink.advance(to: try #require(Self.retry(way))) }
        let start = MonotonicClock.now
        way.turns {
          server.requests.count > count - (seconds == 1 ? 1 : 0) && way.uplink.state != .open && Self.retry(way) != nil
        }
        let pause = try #require(Self.retry(way)) - start
        #expect(
          pause > .milliseconds(seconds * 1000 - 900) && pause < .milliseconds(seconds * 1250 + 12_000), "\(seconds)")
      }
      answer.withLock { $0 = 200 }
      way.uplink.advance(to: try #require(Self.retry(way)))
      way.turns { way.delivered.last == UInt32(round) }
      var waits = way.uplink.backOff
      #expect(waits.next(after: .passing) < .milliseconds(1250), "the next pause is the shortest again")
    }
  }

  private static func retry(_ way: RunningUplink<HTTPUplink>) -> Instant? {
    if case .failed(_, let retry) = way.uplink.state { retry } else { nil }
  }

  /// An alert behind a report that hangs waits two seconds; the report goes after it, and none is lost.
  @Test func aReportThatHangsMakesRoomAfterTwoSeconds() throws {
    let server = try HTTPServer { number, _ in number == 0 ? .silence : .status(200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.turns { server.requests.count == 1 }
    let now = MonotonicClock.now
    way.uplink.take(packet(2), at: now)
    way.uplink.take(packet(3, .movement), at: now)
    // A further alert does not put it off.
    way.uplink.take(packet(4, .movement), at: now + .milliseconds(1900))
    way.uplink.advance(to: now + .milliseconds(1999))
    #expect(server.requests.count == 1)
    way.uplink.advance(to: now + .seconds(2))
    let begun = way.uplink.facts.first.flatMap { Int($0.value) } ?? 0
    #expect(begun >= 2, "the alert has begun by now")
    way.turns { way.delivered.count == 4 }
    #expect(server.bodies == ["packet 1", "packet 3", "packet 4", "packet 1", "packet 2"])
    // An alert that hangs makes no room for another alert.
    let slow = try HTTPServer { _, _ in .silence }
    let other = try RunningUplink(HTTPUplink(settings(slow), seed: 1))
    other.take(1, .movement)
    other.take(2, .movement)
    other.turns { slow.requests.count == 1 }
    other.uplink.advance(to: MonotonicClock.now + .seconds(3))
    #expect(slow.requests.count == 1)
  }

  @Test func whatWasUnderWayAtTheStopGoesAfterTheNextStart() throws {
    let server = try HTTPServer { number, _ in number == 0 ? .silence : .status(200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.take(2)
    way.turns { server.requests.count == 1 }
    way.uplink.stop()
    #expect(way.uplink.state == .idle && way.uplink.nextDeadline == nil && way.loop.nextDeadline == nil)
    way.take(3)
    try way.uplink.start(in: way.loop, at: MonotonicClock.now)
    way.turns { way.delivered == [1, 2, 3] }
    #expect(server.bodies == ["packet 1", "packet 1", "packet 2", "packet 3"])
  }

  /// A certificate is checked for its name as well; unchecked only when the owner says so.
  @Test func aCertificateOfAnotherNameIsNotTrusted() throws {
    guard let certificate = try ServerCertificate() else { return }
    let port = try freeLoopbackPort()
    let server = try OtherProgram(
      [
        "/usr/bin/openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key",
        certificate.keyPath,
      ], takesInput: true)
    defer { server.kill() }
    var set = HTTPSettings()
    set.url = "https://127.0.0.1:\(port)/"
    set.tls.authorityFile = certificate.authorityPath
    let way = try RunningUplink(HTTPUplink(set, seed: 1))
    way.take(1, .movement)
    // It may not listen yet.
    way.turns { way.failure?.contains("certificate") == true }
    #expect(way.delivered == [])
    set.timeout = .seconds(5)
    #expect(HTTPProbe.problem(reaching: set)?.contains("certificate") == true)
    set.tls.verifiesServer = false
    #expect(HTTPProbe.problem(reaching: set) == nil)
  }
}
