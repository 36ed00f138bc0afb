import Delivery
import CCurl
import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import ServerSupport
import Synchronization
import Telemetry
import TrackerRuntime
import Testing

@testable import Uplinks

/// HTTP against a real server on the loopback interface.
@Suite struct HTTPUplinkTests {
  private func settings(_ server: HTTPServer, _ path: String = "/pub") -> HTTPSettings {
    var settings = HTTPSettings()
    settings.url = "http://127.0.0.1:\(server.port)\(path)"
    return settings
  }

  /// A way whose pauses are a twentieth as long.
  private func quick(_ server: HTTPServer, timeout: Interval = .seconds(30)) -> HTTPUplink {
    var set = settings(server)
    set.timeout = timeout
    let uplink = HTTPUplink(set, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    return uplink
  }

  private func refused(_ way: RunningUplink<HTTPUplink>) -> [UInt32] {
    way.news.compactMap { if case .undelivered(let sequence, _, _) = $0 { sequence } else { nil } }
  }

  @Test func packetsAreDeliveredOnOneConnectionWithWhatTheSettingsSay() throws {
    let server = try HTTPServer()
    var set = settings(server)
    set.user = "bike"
    set.password = Secret("pass word")
    set.headers = [("X-Limit-U", Secret("bike")), ("X-Limit-D", Secret("one"))]
    let way = try RunningUplink(HTTPUplink(set, seed: 1))
    #expect(way.uplink.state == .open)
    for number in UInt32(1)...3 {
      way.take(number)
      way.turns { way.delivered.last == number }
    }
    #expect(way.isOpen)
    #expect(server.bodies == ["packet 1", "packet 2", "packet 3"])
    #expect(server.connectionCount == 1)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.path == "/pub")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["x-limit-u"] == "bike" && request.headers["x-limit-d"] == "one")
    #expect(request.headers["authorization"] == "Basic " + Data("bike:pass word".utf8).base64EncodedString())
    #expect(!"\(way.uplink.facts) \(way.uplink.name)".contains("pass word"))
  }

  /// With all that the settings say, and back to the first once the one that stands in is gone.
  @Test func aServerThatStandsInGetsWhatTheFirstDoesNotTake() throws {
    let (first, second) = (try HTTPServer(), try HTTPServer())
    var set = settings(first)
    set.otherURLs = ["http://127.0.0.1:\(second.port)/pub"]
    set.user = "bike"
    set.password = Secret("word")
    let uplink = HTTPUplink(set, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    let way = try RunningUplink(uplink)
    way.take(1)
    way.turns { way.delivered == [1] }
    first.stop()
    way.take(2)
    way.turns { way.delivered == [1, 2] }
    #expect(first.bodies == ["packet 1"] && second.bodies == ["packet 2"] && way.states == [.open] && way.isOpen)
    let request = try #require(second.requests.first)
    #expect(request.path == "/pub" && request.headers["authorization"]?.hasPrefix("Basic ") == true)
    #expect(way.uplink.facts.contains { $0 == ("server", "127.0.0.1:\(second.port)") })
    second.stop()
    way.take(3)
    way.turns { way.failure?.hasPrefix("none of 2 servers works") == true }
    try first.start()
    way.turns { way.delivered == [1, 2, 3] }
    #expect(way.uplink.facts.contains { $0 == ("server", "127.0.0.1:\(first.port)") })
    #expect(way.uplink.name == "http 127.0.0.1:\(first.port)")
  }

  @Test func aRequestIsOnTheSocketWhenTakeReturns() throws {
    let server = try HTTPServer()
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1000)
    way.turns { way.delivered == [1000] }
    var delays: [Int64] = []
    for number in UInt32(1)...100 {
      let start = MonotonicClock.now
      way.take(number, .movement)
      delays.append((MonotonicClock.now - start).microseconds)
      // The loop is not turned: what is not sent by now does not come.
      #expect(server.wait(forRequests: Int(number) + 1))
      way.turns { way.delivered.count == Int(number) + 1 }
    }
    print("http take: median of 100 \(delays.sorted()[50]) µs, longest \(delays.max() ?? 0) µs")
  }

  @Test func alertsGoFirstAndOneRequestIsUnderWayAtATime() throws {
    let server = try HTTPServer()
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.take(1)
    way.take(2)
    way.take(3, .parking)
    way.take(4, .movement)
    way.take(5)
    way.uplink.forget(5, way: 0)
    way.turns { way.delivered.count == 4 }
    #expect(server.bodies == ["packet 1", "packet 4", "packet 3", "packet 2"])
  }

  @Test func whatTheServerAnswersIsARequest() throws {
    let server = try HTTPServer { number, _ in .status(200, body: number == 0 ? "arm" : "") }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.take(2)
    way.turns { way.delivered == [1, 2] }
    #expect(way.requests == ["arm"])
  }

  /// The status is the server's word: a body that never ends, or is cut off, neither undoes it nor holds up the next packet.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n#1 lo", "HTTP/1.1 204 No\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
  ])
  func aPacketIsDeliveredByItsStatusWhateverBecomesOfTheBody(answer: String) throws {
    let server = try HTTPServer { place, _ in place < 2 ? .raw(answer) : .status(200) }
    let way = try RunningUplink(quick(server))
    let start = MonotonicClock.now
    for number in UInt32(1)...3 { way.take(number) }
    way.turns { way.delivered == [1, 2, 3] }
    #expect(MonotonicClock.now - start < .seconds(10))
    #expect(server.bodies == ["packet 1", "packet 2", "packet 3"])
  }

  @Test func nobodyIsToldThatAServerWorksBeforeItHasTakenAPacket() throws {
    let server = try HTTPServer { place, _ in place < 2 ? .status(500) : .status(200) }
    let way = try RunningUplink(quick(server))
    #expect(way.uplink.doubt == nil)
    way.take(1)
    way.turns { way.failure != nil }
    // Another way has taken it.
    way.uplink.forget(1, way: 0)
    way.turns { way.isOpen }
    #expect(way.uplink.doubt?.hasPrefix("status 500") == true)
    way.take(2)
    way.turns { way.delivered == [2] }
    #expect(way.uplink.doubt == nil)
  }

  /// Two receivers behind one server: the same packet goes to both, and one of them forgets its own alone.
  @Test func aPacketOnTwoWaysIsTwoPackets() throws {
    let server = try HTTPServer()
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    func packet(_ sequence: UInt32, _ number: Int) -> OutgoingPacket {
      OutgoingPacket(sequence: sequence, kind: .location, bytes: Array("\(sequence) on \(number)".utf8), way: number)
    }
    for packet in [packet(1, 0), packet(1, 1), packet(1, 0), packet(2, 0), packet(2, 1)] {
      way.uplink.take(packet, at: MonotonicClock.now)
    }
    way.uplink.forget(2, way: 0)
    way.turns { way.delivered == [1, 1, 2] }
    #expect(server.bodies == ["1 on 0", "1 on 1", "2 on 1"])
    #expect(way.news.contains(.delivered(sequence: 2, way: 1)))
  }

  @Test(arguments: [400, 401, 403, 404, 405, 413, 415, 422, 303])
  func aStatusThatWaitingDoesNotChangeHandsThePacketBack(status: Int) throws {
    let server = try HTTPServer { _, _ in .status(status, body: "no") }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.turns { way.failure != nil }
    #expect(refused(way) == [1] && way.delivered == [] && way.requests == [])
    #expect(way.failure?.hasPrefix("status \(status)") == true, "\(way.failure ?? "")")
    guard case .failed(_, let retry?) = way.uplink.state else { return #expect(Bool(false)) }
    #expect(retry - MonotonicClock.now > .seconds(50))
    // The tracker gives it again; it waits, and is not dropped.
    way.take(1)
    #expect(way.uplink.nextDeadline == retry)
    #expect(server.bodies == ["packet 1"])
  }

  /// The server takes others, so it is not the server.
  @Test(arguments: [400, 413, 422])
  func aPacketThatAloneIsRefusedHoldsUpNoOther(status: Int) throws {
    let server = try HTTPServer { _, request in .status(request.body == Array("packet 2".utf8) ? status : 200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    for number in UInt32(1)...3 { way.take(number) }
    way.turns { way.delivered == [1, 3] }
    #expect(refused(way) == [2] && way.isOpen)
    // It is given again and again, as nobody else has it.
    for number in UInt32(4)...6 {
      way.take(2)
      way.take(number)
      way.turns { way.delivered.last == number && refused(way).count == Int(number) - 2 }
    }
    way.take(2)
    way.turns { refused(way).count == 5 }
    #expect(way.isOpen && way.failure == nil)
  }

  @Test func aServerThatRefusesEveryPacketIsLeftAlone() throws {
    let server = try HTTPServer { number, _ in .status(number == 0 ? 200 : 422) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    for number in UInt32(1)...4 { way.take(number) }
    way.turns { way.failure != nil }
    #expect(server.bodies == ["packet 1", "packet 2", "packet 3"] && refused(way) == [2, 3])
  }

  /// The pauses over one packet grow; the first of another kind, perhaps the first with a position, waits a minute at most.
  @Test func aPacketThatTheServerHasNotSeenWaitsAMinuteAtMost() throws {
    let server = try HTTPServer { _, request in .status(request.body == Array("packet 1".utf8) ? 422 : 200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    func retry() -> Instant? { if case .failed(_, let retry) = way.uplink.state { retry } else { nil } }
    var tried = MonotonicClock.now
    for count in 1...5 {
      way.take(1)
      if let retry = retry() {
        tried = retry
        way.uplink.advance(to: retry)
      }
      way.turns { refused(way).count == count && retry() != nil }
    }
    #expect(try #require(retry()) > MonotonicClock.now + .seconds(800))
    way.take(2)
    let soon = try #require(retry())
    #expect(soon == tried + .seconds(60))
    way.uplink.advance(to: soon)
    way.turns { way.delivered == [2] && way.isOpen }
  }

  @Test func anAlertDoesNotWaitForTheEndOfALongPause() throws {
    let server = try HTTPServer { number, _ in .status(number == 0 ? 400 : 200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.turns { way.failure != nil }
    way.take(2, .movement)
    way.turns(within: .seconds(10)) { way.delivered == [2] }
    #expect(way.isOpen)
  }

  @Test func retryAfterIsRespected() throws {
    let server = try HTTPServer { number, _ in
      number == 0 ? .status(503, headers: [("Retry-After", "2")]) : .status(200)
    }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1, .movement)
    way.turns { way.failure != nil }
    // The server's word holds for alerts, too.
    way.take(2, .movement)
    way.turns { way.delivered == [1, 2] }
    let requests = server.requests
    #expect(requests[1].time - requests[0].time >= .seconds(2))
    #expect(refused(way) == [])
  }

  @Test(arguments: [(429, 7, 7), (503, 100_000, 3600), (500, 3, 3), (503, 0, nil), (408, 0, nil)])
  func retryAfterIsTakenFromEveryStatusThatMayPass(status: Int, seconds: Int, wait: Int?) {
    var result = HTTPResult(code: CURLE_OK)
    result.status = status
    result.retryAfterSeconds = seconds
    guard case .passing(_, let told) = HTTPOutcome.of(result, sentTo: "http://a/", timeout: .seconds(30)) else {
      return #expect(Bool(false))
    }
    #expect(told == wait.map { .seconds($0) })
  }

  @Test func aWayThatHasFailedIsOpenAgainWhenItsPauseIsOverAndNothingWaits() throws {
    let server = try HTTPServer { number, _ in .status(number == 0 ? 500 : 200) }
    let way = try RunningUplink(quick(server))
    way.take(1)
    way.turns { way.failure != nil }
    way.uplink.forget(1, way: 0)
    way.turns { way.isOpen }
    #expect(server.bodies == ["packet 1"])
    way.take(2)
    way.turns { way.delivered == [2] }
  }

  @Test func whatMayPassIsTriedAgainUntilItWorks() throws {
    let server = try HTTPServer { number, _ in
      switch number {
      case 0: .close
      case 1: .status(500)
      default: .status(204)
      }
    }
    let way = try RunningUplink(quick(server))
    way.take(1)
    way.turns { way.delivered == [1] }
    #expect(server.bodies == ["packet 1", "packet 1", "packet 1"])
    let reasons = way.states.compactMap { if case .failed(let reason, _) = $0 { reason } else { nil } }
    #expect(reasons.contains("status 500: server error"))
    #expect(reasons.contains("the server closed the connection"))
    #expect(refused(way) == [])
  }

  @Test func aServerThatNeverAnswersIsLeftAfterTheTimeSet() throws {
    let server = try HTTPServer { number, _ in number == 0 ? .silence : .status(200) }
    let way = try RunningUplink(quick(server, timeout: .milliseconds(300)))
    way.take(1)
    way.turns { way.failure == "no answer within the time set" }
    way.turns { way.delivered == [1] }
  }

  @Test func anAlertDoesNotWaitForAReportThatHangs() throws {
    let server = try HTTPServer { number, _ in number == 0 ? .silence : .status(200) }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.take(2, .movement)
    way.turns(within: .seconds(10)) { way.delivered == [2, 1] }
    #expect(server.bodies == ["packet 1", "packet 2", "packet 1"])
  }

  @Test func aServerThatIsStoppedAndComesBackGetsEverything() throws {
    let server = try HTTPServer()
    let way = try RunningUplink(quick(server))
    way.take(1)
    way.turns { way.delivered == [1] }
    server.stop()
    way.take(2)
    way.take(3, .movement)
    way.turns { way.failure == "connection refused" }
    try server.start()
    way.turns { way.delivered == [1, 3, 2] || way.delivered == [1, 2, 3] }
    // A kept connection that the server has closed costs no packet and no time.
    server.closeConnections()
    way.take(4)
    way.turns { way.delivered.last == 4 }
  }

  @Test func aRedirectionIsFollowedOnTheSameHostWithTheSameRequest() throws {
    let server = try HTTPServer { _, request in
      request.path == "/pub" ? .status(301, headers: [("Location", "/new")]) : .status(200)
    }
    let way = try RunningUplink(HTTPUplink(settings(server), seed: 1))
    way.take(1)
    way.turns { way.delivered == [1] }
    #expect(server.requests.map(\.method) == ["POST", "POST"])
    #expect(server.bodies == ["packet 1", "packet 1"])
    let elsewhere = try HTTPServer { _, _ in .status(307, headers: [("Location", "http://localhost:1/")]) }
    let lost = try RunningUplink(HTTPUplink(settings(elsewhere), seed: 1))
    lost.take(1)
    lost.turns { lost.failure?.contains("another host") == true }
    let circle = try HTTPServer { _, _ in .status(307, headers: [("Location", "/pub")]) }
    let dizzy = try RunningUplink(HTTPUplink(settings(circle), seed: 1))
    dizzy.take(1)
    dizzy.turns { dizzy.failure?.contains("in a loop") == true }
    #expect(circle.requests.count == 4)
  }

  @Test(arguments: [
    ("http://a.example/x", "http://a.example:8080/y", false), ("http://a.example/x", "https://a.example/x", true),
    ("https://a.example/x", "http://a.example/x", false), ("https://a.example/", "https://b.example/", false),
    ("https://a.example/", "ftp://a.example/", false), ("https://A.example/", "https://a.example/", true),
  ])
  func redirectionsNeverLeadToAnotherHostOrToLessSecurity(from: String, to: String, isAllowed: Bool) {
    #expect(HTTPOutcome.isAllowed(from: from, to: to) == isAllowed)
  }

  @Test func anAddressThatIsNoneFailsAtTheStartAndIsNotShown() throws {
    var set = HTTPSettings()
    set.url = "ftp://bike:secret@host/"
    let loop = try EventLoop(clock: MachineClock())
    let failure = #expect(throws: DeviceFailure.self) {
      try HTTPUplink(set, seed: 1).start(in: loop, at: MonotonicClock.now)
    }
    #expect(failure?.message.contains("expected http://") == true)
    #expect(failure?.message.contains("secret") == false)
  }

  @Test func whatIsNoWebServerAndNamesThatDoNotExistAreTold() throws {
    let server = try HTTPServer { _, _ in .raw("220 mail.example ESMTP\r\n\r\n") }
    var set = settings(server)
    set.timeout = .seconds(1)
    let way = try RunningUplink(HTTPUplink(set, seed: 1))
    way.take(1)
    way.turns { way.failure != nil }
    #expect(way.delivered == [])
    set.url = "http://no-such-host.invalid/"
    let lost = try RunningUplink(HTTPUplink(set, seed: 1))
    lost.take(1)
    lost.turns { lost.failure == "no such host" }
    #expect(lost.uplink.nextDeadline != nil)
  }

  @Test func aCertificateThatIsNotTrustedIsTold() throws {
    guard let certificate = try ServerCertificate() else { return }
    let port = try freeLoopbackPort()
    let server = try OtherProgram(
      [
        "/usr/bin/openssl", "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key",
        certificate.keyPath,
      ], takesInput: true)
    defer { server.kill() }
    var set = HTTPSettings()
    set.url = "https://localhost:\(port)/"
    let way = try RunningUplink(HTTPUplink(set, seed: 1))
    way.take(1, .movement)
    // It may not listen yet.
    way.turns { way.failure?.contains("certificate") == true }
    #expect(
      way.failure == "the server's certificate is not trusted; check the authority file, the name and the clock")
    set.tls.authorityFile = certificate.authorityPath
    let trusting = try RunningUplink(HTTPUplink(set, seed: 1))
    trusting.take(1)
    // It says what it gets on its input to whoever is connected.
    server.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    trusting.turns { trusting.delivered == [1] }
    #expect(trusting.uplink.name == "https localhost:\(port)")
  }
}
