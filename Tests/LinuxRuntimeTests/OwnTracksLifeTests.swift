import LinuxDevices
import Quantities
import Testing
import Uplinks

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { NetworkBoard.hour(hours) }

/// Hours of a board whose broker receivers of OwnTracks listen to.
@Suite struct OwnTracksLifeTests {
  private func board(_ more: String = "") throws -> NetworkBoard {
    let file = try BoardConfigurationFile(
      text: """
        { trackerId: "bike42", uplinks: [
          { by: "mqtt", host: "localhost", topic: "owntracks/me/bike", retain: true, format: "ownTracks"\(more) }
        ] }
        """, name: "x")
    let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
    board.configuration.tracker.tracker.trackerID = file.configuration.tracker.tracker.trackerID
    board.broker.mood = { hour(1) <= $0 && $0 < hour(2) || hour(3) <= $0 && $0 < hour(4) ? .isDown : .works }
    return board
  }

  private func wills(_ board: NetworkBoard) -> [(topic: String, text: String, isRetained: Bool)] {
    board.broker.published.filter { $0.text.contains("\"lwt\"") }
  }

  @Test func whoItIsIsKeptAndToldOnceOnEachConnection() throws {
    let board = try board()
    try board.start()
    board.live(until: hour(2.5))
    let cards = board.broker.published.filter { $0.topic == "owntracks/me/bike/info" }
    #expect(cards.map(\.text) == Array(repeating: #"{"_type":"card","tid":"42","name":"bike42"}"#, count: 2))
    #expect(cards.allSatisfy { $0.isRetained })
    board.stop()
  }

  @Test func theBrokerSaysThatItIsGoneAndKeepsWhereItWas() throws {
    let board = try board()
    try board.start()
    board.live(until: hour(1.5))
    // Nobody had told the time when it connected.
    #expect(wills(board).map(\.text) == [#"{"_type":"lwt"}"#])
    board.live(until: hour(3.5))
    let wills = wills(board)
    #expect(wills.count == 2 && wills.allSatisfy { $0.topic == "owntracks/me/bike" && !$0.isRetained })
    let run = try #require(board.run?.run)
    let connected = try #require(board.broker.connections.last { $0 < hour(3) })
    let time = try #require(run.utc(of: connected)).microseconds / 1_000_000
    #expect(wills.last?.text == "{\"_type\":\"lwt\",\"tst\":\(time)}")
    #expect(board.broker.text(on: "owntracks/me/bike")?.contains("\"location\"") == true)
    board.stop()
  }

  @Test func aGoodbyeIsNoWill() throws {
    let board = try board()
    try board.start()
    board.live(until: hour(0.5))
    board.stop()
    #expect(wills(board).isEmpty)
  }

  @Test func aWillOfTheFileComesFirst() throws {
    let board = try board(#", will: { topic: "gone", payload: "gone" }"#)
    try board.start()
    board.live(until: hour(1.5))
    #expect(wills(board).isEmpty && board.broker.published.contains { $0.topic == "gone" && $0.text == "gone" })
    board.stop()
  }

  @Test func whatIsSealedSaysNothingToTheBroker() throws {
    let board = try board(#", encryptionKey: "mysecreTpass01""#)
    try board.start()
    board.live(until: hour(1.5))
    let own = board.broker.published.filter { $0.topic.hasPrefix("owntracks/") }
    #expect(
      own.contains { $0.topic == "owntracks/me/bike/info" } && own.allSatisfy { $0.text.contains("\"encrypted\"") })
    #expect(own.last.map { $0.topic == "owntracks/me/bike" && !$0.isRetained } == true, "the will")
    board.stop()
  }

  @Test func anotherFormHasNeither() throws {
    let board = NetworkBoard(try Folder(isInMemory: true), .mqtt(MQTTSettings()))
    board.broker.mood = { hour(1) <= $0 && $0 < hour(2) ? .isDown : .works }
    try board.start()
    board.live(until: hour(1.5))
    #expect(board.broker.published.allSatisfy { $0.topic == "leash/packet" && $0.text.contains("\"sequence\"") })
    board.stop()
  }

  @Test(arguments: [
    (#"by: "mqtt", host: "localhost", format: "ownTracks", retain: true"#, nil),
    (#"by: "mqtt", host: "localhost", format: "json""#, nil),
    (#"by: "http", url: "http://localhost/", format: "ownTracks""#, nil),
    (
      #"by: "mqtt", host: "localhost", format: "ownTracks""#,
      #"'uplinks[0].format': "ownTracks" needs what this uplink does not have: 'retain', so that new subscribers see the position"#
    ),
    (
      #"by: "modem", transport: "mqtt", format: "ownTracks""#,
      #"'uplinks[0].format': "ownTracks" needs what this uplink does not have: a topic for each kind of message; "#
        + "a position that the broker keeps; a last will"
    ),
  ])
  func aFormThatNeedsMoreThanItsWayHasIsOneLine(uplink: String, line: String?) throws {
    let file = try BoardConfigurationFile(
      text: #"{ modem: { port: "/dev/ttyS1", mqtt: { host: "broker.example" } }, uplinks: [{ \#(uplink) }] }"#,
      name: "x")
    let lines = file.warnings.filter { $0.contains("needs what") }
    #expect(lines.count == (line == nil ? 0 : 1), "\(lines)")
    if let line { #expect(lines.first?.hasSuffix(line) == true, "\(lines)") }
  }
}
