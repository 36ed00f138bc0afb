import LinuxDevices
import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime
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

  /// After an outage the newest goes first, and what is older behind it: whoever subscribes then sees where the bike is.
  @Test(arguments: ["ownTracks", "json"])
  func theBrokerKeepsTheNewestPositionAfterAnOutage(format: String) throws {
    let file = try BoardConfigurationFile(
      text: """
        { trackerId: "bike42", uplinks: [
          { by: "mqtt", host: "localhost", topic: "owntracks/me/bike", retain: true, format: "\(format)" }
        ] }
        """, name: "x")
    let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
    board.broker.mood = { hour(1) <= $0 && $0 < hour(2) ? .isDown : .works }
    board.wheelAway(at: hour(1.1))
    try board.start()
    board.live(until: hour(2.3))
    func number(_ text: String) -> Int {
      let mark = format == "json" ? "\"sequence\":" : "\"_id\":\"1-"
      guard let range = text.firstRange(of: mark) else { return -1 }
      return Int(text[range.upperBound...].prefix { $0.isNumber }) ?? -1
    }
    let told = board.broker.published.filter { $0.topic == "owntracks/me/bike" && number($0.text) >= 0 }
    let kept = told.filter { $0.isRetained }.map { number($0.text) }
    #expect(kept == kept.sorted() && kept.last == told.map { number($0.text) }.max(), "\(kept)")
    #expect(told.contains { !$0.isRetained }, "what came late went behind it")
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

  private static let fence = #"fence 7 set "garden" circle -33.8688,151.2093 50"#

  /// What a server asks for, and the answer on the topic that listens to it.
  private static let questions = [
    (
      "dump", "", "/dump",
      #"{"_type":"dump","configuration":{"_type":"configuration","deviceId":"bike42","tid":"42","locatorInterval":60,"#
        + #""locatorDisplacement":250,"extendedData":true,"cmd":true},"topic":"#
    ),
    (
      "waypoints", "", "/waypoints",
      #"{"_type":"waypoints","_creator":"bike42","waypoints":[{"_type":"waypoint","desc":"garden","tst":7,"#
        + #""lat":-33.8688000,"lon":151.2093000,"rad":50,"rid":"7"}],"topic":"#
    ),
    (
      "reportSteps", #","from":1700000000,"to":1700086400"#, "/step",
      #""steps":-1,"from":1700000000,"to":1700086400,"topic":"#
    ),
    ("status", "", "/status", #""reason":"asked""#), ("reportLocation", "", "", #""t":"r""#),
  ]

  @Test func whatABrokerAsksForIsAnsweredOnItsTopic() throws {
    let board = try board(#", commandTopic: "owntracks/me/bike/cmd""#)
    try board.start()
    board.live(until: hour(0.5))
    let run = try #require(board.run?.run)
    try run.hear(Array(OwnTracksLifeTests.fence.utf8), from: .console, at: board.clock.now)
    board.live(until: hour(0.51))
    for (place, question) in OwnTracksLifeTests.questions.enumerated() {
      let start = board.broker.published.count
      let command = #"{"_type":"cmd","action":"\#(question.0)"\#(question.1)}"#
      board.broker.say(command, on: "owntracks/me/bike/cmd")
      board.live(until: hour(0.52 + 0.01 * Double(place)))
      let answers = board.broker.published[start...].filter { $0.topic == "owntracks/me/bike" + question.2 }
      #expect(answers.contains { $0.text.contains(question.3) }, "\(question.0): \(answers)")
      #expect(question.2.isEmpty || answers.allSatisfy { !$0.isRetained })
    }
    #expect(run.diagnostics.requestsRefused == 0)
    board.broker.say(#"{"_type":"cmd","action":"action","content":"<b>"}"#, on: "owntracks/me/bike/cmd")
    board.broker.say(#"{"_type":"cmd","action":"clearWaypoints"}"#, on: "owntracks/me/bike/cmd")
    board.live(until: hour(0.6))
    #expect(run.look { $0.requestsRefused(.unsupported) } == 1 && run.look { $0.requestsRefused(.notAllowed) } == 1)
    board.stop()
  }

  /// Traccar and Home Assistant take from it who it is: it must be the topic that friends see it on.
  @Test func everyMessageSaysTheTopicThatItIsSentTo() throws {
    let board = try board("")
    try board.start()
    let run = try #require(board.run?.run)
    try run.hear(Array("status".utf8), from: .console, at: board.clock.now)
    board.live(until: hour(0.5))
    board.stop()
    let told = board.broker.published.filter { $0.text.contains("\"topic\":") }
    #expect(Set(told.map(\.topic)) == ["owntracks/me/bike", "owntracks/me/bike/status"])
    #expect(told.allSatisfy { $0.text.contains("\"topic\":\"\($0.topic)\"") }, "\(told.map(\.text))")
  }

  @Test(arguments: [
    (#"headers: { "x-limit-u": "me", "X-Limit-D": "bike" }"#, "owntracks/me/bike"), ("", "owntracks/leash/bike42"),
    (#"headers: { "X-Limit-U": "me" }"#, "owntracks/leash/bike42"),
  ])
  func overHTTPTheTopicIsThatOfUserAndDeviceAndElseTheTrackersName(more: String, topic: String) throws {
    for (query, topic) in [
      ("", topic),
      ("?u=you&d=cat", more.contains("D\"") ? topic : more.isEmpty ? "owntracks/you/cat" : "owntracks/me/cat"),
    ] {
      let file = try BoardConfigurationFile(
        text:
          "{ trackerId: \"bike42\", uplinks: [{ by: \"http\", url: \"http://localhost/pub\(query)\", format: \"ownTracks\", \(more) }] }",
        name: "x")
      let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
      board.configuration.tracker.tracker.trackerID = file.configuration.tracker.tracker.trackerID
      try board.start()
      board.live(until: hour(0.5))
      board.stop()
      let told = board.server.mail.bodies.map(\.text)
      #expect(!told.isEmpty && told.allSatisfy { $0.contains("\"topic\":\"\(topic)\"") }, "\(told)")
    }
  }

  @Test func whatAServerAsksForInItsAnswerIsPosted() throws {
    let file = try BoardConfigurationFile(
      text: #"{ trackerId: "bike42", uplinks: [{ by: "http", url: "http://localhost/pub", format: "ownTracks" }] }"#,
      name: "x")
    let board = NetworkBoard(try Folder(isInMemory: true), file.configuration.uplinks[0])
    board.configuration.tracker.tracker.trackerID = file.configuration.tracker.tracker.trackerID
    try board.start()
    let run = try #require(board.run?.run)
    try run.hear(Array(OwnTracksLifeTests.fence.utf8), from: .console, at: board.clock.now)
    board.live(until: hour(0.5))
    for question in OwnTracksLifeTests.questions {
      let start = board.server.mail.bodies.count
      board.server.answers = [
        #"[{"_type":"card","tid":"XX"},{"_type":"cmd","action":"\#(question.0)"\#(question.1)}]"#
      ]
      try run.hear(Array("locate".utf8), from: .console, at: board.clock.now)
      board.live(until: board.clock.now + .seconds(60))
      let answers = board.server.mail.bodies[start...].map(\.text)
      #expect(answers.contains { $0.contains(question.3) }, "\(question.0): \(answers)")
    }
    board.server.answers = [#"[{"_type":"cmd","action":"action","url":"x"}]"#]
    try run.hear(Array("locate".utf8), from: .console, at: board.clock.now)
    board.live(until: board.clock.now + .seconds(60))
    #expect(run.look { $0.requestsRefused(.unsupported) } == 1 && run.diagnostics.requestsRefused == 1)
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
    (#"topic: "owntracks/me/bike", format: "ownTracks""#, nil),
    (#"topic: "leash/bike", format: "json""#, nil),
    (#"topic: "owntracks/me/bike", encryptionKey: "k", format: "ownTracks""#, nil),
    (
      #"topic: "owntracks/me", format: "ownTracks""#,
      #"x:1:62: 'uplinks[0].topic': OwnTracks' apps listen to owntracks/USER/DEVICE and do not see "owntracks/me""#
    ),
    (
      #"topic: "owntracks//bike", format: "ownTracks""#,
      #"x:1:62: 'uplinks[0].topic': OwnTracks' apps listen to owntracks/USER/DEVICE and do not see "owntracks//bike""#
    ),
    (
      #"format: "ownTracks""#,
      #"x:1:14: 'uplinks[0].topic': OwnTracks' apps listen to owntracks/USER/DEVICE and do not see "leash/packet""#
    ),
    (
      #"topic: "owntracks/me/bike", encryptionKey: "k""#,
      #"x:1:98: 'uplinks[0].encryptionKey' without 'format': packets have the format "ownTracks", as no other has encryption; expected format: "ownTracks" beside it"#
    ),
  ])
  func whatAnAppDoesNotSeeIsToldBeforehand(uplink: String, line: String?) throws {
    let file = try BoardConfigurationFile(
      text: #"{ uplinks: [ { by: "mqtt", host: "::1", retain: true, \#(uplink) } ] }"#, name: "x")
    let lines = file.warnings.filter { $0.contains("uplinks[0]") && !$0.contains("empty level") }
    #expect(lines == (line.map { [$0] } ?? []), "\(file.warnings)")
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
      #"'uplinks[0].format': "ownTracks" needs what this uplink does not have: a position that the broker keeps; a last will"#
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

  /// Over TCP the server names a packet by its number, which these do not have: each would be sent again for ever.
  @Test(arguments: ["tcp", "applicationTCP"])
  func aFormThatNoServerCouldAcknowledgeIsRefused(transport: String) {
    func lines(_ top: String, _ uplink: String) -> [String] {
      problems(#"{ modem: { tcp: { host: "a.example" } }, \#(top) uplinks: [{ by: "modem", \#(uplink) }] }"#)
    }
    for format in PacketFormat.allCases {
      let refused = lines("", "transport: \"\(transport)\", format: \"\(format.name)\"")
      #expect(refused.count == (format.tellsSequence ? 0 : 1), "\(format.name): \(refused)")
      guard !format.tellsSequence else { continue }
      let words =
        "'uplinks[0].format': the server of the modem's \"\(transport)\" acknowledges a packet by its number, which \"\(format.name)\" "
        + "does not have; expected one of \"json\", \"text\", \"ownTracks\", \"osmAnd\", \"traccar\""
      #expect(refused.first?.hasSuffix(words) == true, "\(refused)")
    }
    // The same where it follows from the file as a whole.
    #expect(lines("packetFormat: \"minimal\",", "transport: \"\(transport)\"").count == 1)
    #expect(lines("packetFormat: \"minimal\",", "transport: \"\(transport)\", format: \"json\"").isEmpty)
  }
}
