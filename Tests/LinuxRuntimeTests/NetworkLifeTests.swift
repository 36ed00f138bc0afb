import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { NetworkBoard.hour(hours) }

/// Hours without a server, from the first on and in one case a whole day, in each of the ways in which servers fail; the bike is wheeled
/// away an hour before the end.
@Suite struct HTTPLifeTests {
  private func life(_ mood: VirtualHTTPServer.Mood, until end: Double) throws -> NetworkBoard {
    let board = NetworkBoard(try Folder(isInMemory: true), .http(HTTPSettings()))
    board.server.mood = { hour(1) <= $0 && $0 < hour(end) ? mood : .works }
    board.wheelAway(at: hour(end - 1))
    try board.start()
    board.live(until: hour(1))
    return board
  }

  /// Everything that waited comes in the quarter of an hour after, the alert too.
  private func arrives(_ board: NetworkBoard, after end: Double, _ location: SourceLocation = #_sourceLocation) throws {
    board.live(until: hour(end))
    #expect((board.run?.unsentCount ?? 0) > 0 && board.server.mail.alerts.isEmpty, sourceLocation: location)
    board.live(until: hour(end + 0.52))
    #expect(board.run?.unsentCount == 0, sourceLocation: location)
    #expect(try board.way.state == "open", sourceLocation: location)
    #expect(board.server.mail.alerts.contains { $0 >= hour(end) }, sourceLocation: location)
    board.stop()
  }

  @Test(arguments: [
    (VirtualHTTPServer.Mood.neverAnswers, "no answer within 30 s", 30.0, 25.0), (.refuses, "connection refused", 0, 5),
    (.says(500), "status 500: server error", 0.1, 5),
  ])
  func aServerThatMayComeBackIsAskedEachMinuteAndGetsAll(
    mood: VirtualHTTPServer.Mood, reason: String, takes seconds: Double, until end: Double
  ) throws {
    let board = try life(mood, until: end)
    board.live(until: hour(end - 1))
    let way = try board.way
    #expect(way.state == "failed" && way.reason == reason)
    let waits = pauses(board.server.requests, in: hour(1)..<hour(end - 1))
    let minutes = Int(end - 2) * 60
    #expect(waits.count > minutes / 2 && waits.count < minutes + 20, "\(waits.count) tries in \(minutes) minutes")
    // It grows from a second to a minute and a quarter of it, and stays there.
    #expect(waits[0] < 1.25 + seconds + 0.01 && waits[0] >= 1 + seconds - 0.01, "\(waits[0])")
    #expect(waits.max() ?? 0 <= 75 + seconds + 0.01 && waits.dropFirst(10).min() ?? 0 >= 60 + seconds - 0.01)
    try arrives(board, after: end)
    #expect(Set(board.server.mail.sequences).count == board.server.mail.sequences.count, "each once")
    #expect(board.server.mail.sequences.count == board.server.mail.bodies.count)
  }

  /// It refuses them for ever, where Traccar's server keeps them at the last known place.
  @Test(arguments: [("/api/webhook/x", false), ("/", true)])
  func homeAssistantsWebhookGetsNoPacketWithoutAPosition(path: String, isSent: Bool) throws {
    let file = try BoardConfigurationFile(
      text: """
        { uplinks: [{ by: "http", url: "http://a.example\(path)", format: "osmAnd", inAddress: true }] }
        """, name: "x")
    let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
    try board.start()
    board.live(until: hour(0.5))
    let run = try #require(board.run?.run)
    for request in ["privacy on", "info"] { try run.hear(Array(request.utf8), from: .console, at: board.clock.now) }
    board.live(until: hour(0.6))
    let told = board.server.mail.bodies.map(\.text)
    #expect(told.contains { $0.contains("&lat=") } && told.contains { !$0.contains("&lat=") } == isSent, "\(told)")
    #expect(board.run?.unsentCount == 0 && (run.diagnostics.packetsUncarried > 0) != isSent)
    let refusal = try board.way.facts.first { $0.name == "last refusal" }?.value
    let reason = "the server takes no packet without a position, and status packet"
    #expect(refusal?.hasPrefix(reason) == (isSent ? nil : true))
    board.stop()
  }

  @Test func whatAServerTookBeforeItDiedIsSentAgain() throws {
    let board = try life(.diesBeforeItAnswers, until: 3)
    board.live(until: hour(2))
    #expect(try board.way.reason == "the server closed the connection")
    let sequences = board.server.mail.sequences
    #expect(sequences.count > Set(sequences).count + 20, "one packet, again and again")
    board.live(until: hour(3.25))
    #expect(try board.way.state == "open" && board.run?.unsentCount == 0)
    board.stop()
  }

  @Test(arguments: [
    (VirtualHTTPServer.Mood.talksNonsense, "not an HTTP server"),
    (.says(403), "status 403: forbidden"),
  ])
  func aServerThatHasToBeMendedIsAskedEachQuarterOfAnHour(mood: VirtualHTTPServer.Mood, reason: String) throws {
    let board = try life(mood, until: 7)
    board.live(until: hour(6))
    let way = try board.way
    #expect(way.state == "failed" && way.reason == reason)
    let waits = pauses(board.server.requests, in: hour(1)..<hour(6))
    #expect(waits.first.map { $0 >= 60 && $0 < 75.2 } == true, "\(waits.prefix(3))")
    #expect(waits.count >= 5 * 3 && waits.count <= 5 * 4 + 5, "\(waits.count) tries in 5 hours")
    #expect(waits.max() ?? 0 <= 1125.2)
    try arrives(board, after: 7)
  }

  @Test func aServerThatSaysWhenIsNotAskedBefore() throws {
    let board = try life(.says(503, retryAfter: 1800), until: 7)
    board.live(until: hour(6))
    let waits = pauses(board.server.requests, in: hour(1)..<hour(6))
    #expect(waits.count >= 8 && waits.allSatisfy { $0 >= 1800 && $0 < 1801 }, "\(waits)")
    try arrives(board, after: 7)
  }
}

/// The same for brokers.
@Suite struct MQTTLifeTests {
  private func life(_ mood: VirtualBroker.Mood, until end: Double) throws -> NetworkBoard {
    let board = NetworkBoard(try Folder(isInMemory: true), .mqtt(MQTTSettings()))
    board.broker.mood = { hour(1) <= $0 && $0 < hour(end) ? mood : .works }
    board.wheelAway(at: hour(end - 1))
    try board.start()
    board.live(until: hour(1))
    #expect(try board.way.state == "open")
    return board
  }

  private func arrives(_ board: NetworkBoard, after end: Double, _ location: SourceLocation = #_sourceLocation) throws {
    board.live(until: hour(end))
    #expect((board.run?.unsentCount ?? 0) > 0 && board.broker.mail.alerts.isEmpty, sourceLocation: location)
    board.live(until: hour(end + 0.32))
    #expect(board.run?.unsentCount == 0, sourceLocation: location)
    #expect(try board.way.state == "open", sourceLocation: location)
    #expect(board.broker.mail.alerts.contains { $0 >= hour(end) }, sourceLocation: location)
    #expect(
      Set(board.broker.mail.sequences).count == board.broker.mail.sequences.count, "each once", sourceLocation: location
    )
    board.stop()
  }

  @Test(arguments: [
    (VirtualBroker.Mood.isCutOff, "localhost can't be reached in time", 20.0, 25.0),
    (.isDown, "connection refused", 0.0, 5), (.isMute, "connected, but the broker does not answer", 20, 5),
    (.refuses(3), "the broker is not available", 0.1, 5),
  ])
  func aBrokerThatMayComeBackIsTriedEachMinuteAndGetsAllOnce(
    mood: VirtualBroker.Mood, reason: String, takes seconds: Double, until end: Double
  ) throws {
    let board = try life(mood, until: end)
    board.live(until: hour(end - 1))
    let way = try board.way
    #expect(way.state == "failed" && way.reason == reason)
    let waits = pauses(board.broker.connections, in: hour(1)..<hour(end - 1))
    let minutes = Int(end - 2) * 60
    #expect(waits.count > minutes / 2 && waits.count < minutes + 20, "\(waits.count) tries in \(minutes) minutes")
    #expect(waits.max() ?? 0 <= 75 + seconds + 0.2 && waits.dropFirst(10).min() ?? 0 >= 60 + seconds - 0.2)
    try arrives(board, after: end)
  }

  @Test func aBrokerThatRefusesThePasswordIsTriedEachQuarterOfAnHour() throws {
    let board = try life(.works, until: 7)
    board.broker.mood = { hour(1) <= $0 && $0 < hour(1) + .seconds(15) ? .isDown : $0 < hour(7) ? .refuses(5) : .works }
    board.live(until: hour(6))
    #expect(try board.way.reason == "the broker refused the connection: not authorised; check user and password")
    let waits = pauses(board.broker.connections, in: hour(2)..<hour(6))
    #expect(waits.count >= 4 * 3 && waits.count <= 4 * 4 && (waits.max() ?? 0) <= 1125.2, "\(waits)")
    try arrives(board, after: 7)
  }

  @Test func aConnectionThatGoesDeadIsGivenUpAndMadeAnew() throws {
    let board = try life(.isCutOff, until: 2)
    board.live(until: hour(1) + .seconds(130))
    #expect(try board.way.state == "failed", "after two signs of life without an answer")
    board.live(until: hour(2) + .seconds(100))
    #expect(try board.way.state == "open" && board.run?.unsentCount == 0)
    #expect(Set(board.broker.mail.sequences).count == board.broker.mail.sequences.count, "each once")
    board.stop()
  }
}

/// The same for gpsd.
@Suite struct GPSDLifeTests {
  private func life(_ mood: VirtualGPSD.Mood) throws -> NetworkBoard {
    let board = NetworkBoard(try Folder(isInMemory: true), .http(HTTPSettings()))
    board.gpsd.mood = { hour(1) <= $0 && $0 < hour(7) ? mood : .works }
    try board.start()
    board.live(until: hour(1))
    let status = try #require(board.run).status(version: "")
    #expect(status.phase == "parked" && status.position?.isStale == false)
    return board
  }

  @Test(arguments: [
    (VirtualGPSD.Mood.isDown, "Connection refused"), (.isSilent, "accepts connections but sends nothing"),
    (.garbles, "sends nothing; check wiring and speed"),
  ])
  func aGpsdThatFailsForHoursIsStartedAgainEachMinuteAndHeardSoonAfter(mood: VirtualGPSD.Mood, reason: String) throws {
    let board = try life(mood)
    board.live(until: hour(6) + .seconds(10))
    let receiver = try board.receiver
    #expect(receiver.state == "failed" || receiver.reason == nil, "\(receiver)")
    #expect(receiver.reason?.contains(reason) != false, "\(receiver.reason ?? "")")
    #expect(try #require(board.run).status(version: "").position?.isStale == true)
    let waits = pauses(board.gpsd.connections, in: hour(1)..<hour(6))
    #expect(waits.count > 5 * 60 / 2 && waits.count < 5 * 60 + 10, "\(waits.count) tries in 5 hours")
    #expect((waits.max() ?? 0) < 60 + 20 && (waits.dropFirst(10).min() ?? 0) >= 60)
    #expect(board.run?.unsentCount == 0, "its life signs have come")
    board.live(until: hour(7) + .seconds(80))
    #expect(try board.receiver.state == "running")
    #expect(try #require(board.run).status(version: "").position?.isStale == false)
    board.stop()
  }

  @Test func aReceiverWithoutAFixIsNoFailure() throws {
    let board = try life(.hasNoFix)
    board.live(until: hour(6))
    #expect(try board.receiver.state == "running" && board.receiver.failures == 0)
    #expect(try #require(board.run).status(version: "").position?.isStale == true)
    board.live(until: hour(7) + .seconds(10))
    #expect(try #require(board.run).status(version: "").position?.isStale == false)
    board.stop()
  }
}
