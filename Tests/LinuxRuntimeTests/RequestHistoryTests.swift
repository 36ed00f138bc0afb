import LinuxDevices
import Quantities
import Requests
import StatusPage
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime
import Uplinks

@testable import LinuxRuntime

private let token = "correct horse battery staple"
private let owner = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

/// A board on virtual time whose page takes requests.
private final class AskedBoard {
  let board: VirtualBoard
  private(set) var requests: PageRequests?
  private var counter: UInt64 = 0

  init(token: String? = token) throws {
    board = VirtualBoard(try Folder(isInMemory: true))
    board.configuration.page = PageAddress(port: 8600)
    board.configuration.pageToken = token.map { Secret($0) }
    board.configuration.requests.key = Secret(owner)
    board.thefts.times = [VirtualBoard.hour(1)..<VirtualBoard.hour(1.2)]
  }

  func start() throws {
    try board.start()
    requests = board.run?.pageContent(version: "").requests
  }

  var status: BoardStatus { get throws { try #require(board.run).status(version: "") } }

  /// A request as a browser signs it: by the tracker's clock.
  func signed(_ text: String, by token: String = token) throws -> [UInt8] {
    let now = UInt64(1_700_000_000_000 + board.clock.now.microseconds / 1000)
    counter = max(counter + 1, now)
    let key = try #require(RequestKey(token: token))
    let id = Array("leash".utf8)
    let made = key.signed(Array(text.utf8).span, for: id.span, counter: counter)
    let bytes = try #require(made)
    return bytes.span.withUnsafeBufferPointer { Array($0) }
  }

  @discardableResult func ask(_ text: [UInt8]) throws -> PageRequests.Reply {
    var reply: PageRequests.Reply?
    try #require(requests).take(text) { reply = $0 }
    return try #require(reply)
  }
}

@Suite struct PageRequestTests {
  @Test func anAlarmIsDismissedFromThePageAndTheStatusTellsWhatBecameOfIt() throws {
    let asked = try AskedBoard()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.9))
    var status = try asked.status
    #expect(status.phase == "parked" && status.alert == nil && status.requests.isEmpty && status.pageTakesRequests)
    #expect((3000...3240).contains(status.parkedSeconds ?? 0), "since it was put down: \(status.parkedSeconds ?? -1)")
    asked.board.live(until: VirtualBoard.hour(1) + .seconds(400))
    status = try asked.status
    #expect(status.alert?.outcome == "unanswered" && (status.alert?.repetitions ?? 0) >= 1, "\(status)")
    #expect((380...400).contains(status.alert?.ageSeconds ?? 0) || status.lastAlert > 1)
    #expect(status.parkedSeconds != nil, "since before the alarm")

    #expect(try asked.ask(asked.signed("#7 dismiss \(status.lastAlert)")) == .obeyed("dismissed"))
    status = try asked.status
    #expect(status.alert?.outcome == "dismissed" && status.alert?.outcomeSeconds == 0)
    let first = try #require(status.requests.first)
    #expect(first.channel == "local page" && first.request == "dismiss" && first.number == 7)
    #expect(first.answer == "dismissed" && first.refused == nil && first.times == nil)
    asked.board.live(until: VirtualBoard.hour(1) + .seconds(410))
    let answer = asked.board.inbox.packets.last { $0.kind == .status }?.text ?? ""
    #expect(answer.contains("\"dismissed\"") && answer.contains("\"request\":7"), "\(answer)")
    asked.board.stop()
  }

  @Test func movementAtASecurePlaceIsANoticeInTheStatusAndNoAlert() throws {
    let asked = try AskedBoard()
    asked.board.thefts.times = [VirtualBoard.hour(1)..<VirtualBoard.hour(1) + .seconds(40)]
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.9))
    #expect(try asked.ask(asked.signed("secure \"shed\"")) == .obeyed("secured"))
    for time in [VirtualBoard.hour(1) + .seconds(30), VirtualBoard.hour(1.5)] {
      asked.board.live(until: time)
      let status = try asked.status
      #expect(status.alert?.outcome == "notice" && status.alert?.number == status.lastAlert, "\(status)")
      #expect(status.alert?.outcomeSeconds == nil && status.alert?.repetitions == 0)
    }
    #expect(!asked.board.inbox.packets.contains { $0.kind == .movement })
    asked.board.stop()
  }

  @Test func howAnAlarmEndedIsToldWhateverEndedIt() throws {
    for (text, outcome) in [("found", "found"), ("alerts off", "disarmed"), ("", "unanswered")] {
      let asked = try AskedBoard()
      asked.board.thefts.times = [VirtualBoard.hour(1)..<VirtualBoard.hour(1) + .seconds(40)]
      try asked.start()
      asked.board.live(until: VirtualBoard.hour(1) + .seconds(30))
      #expect(try asked.status.alert?.outcome == "unanswered")
      if text != "" { try asked.ask(asked.signed(text)) } else { asked.board.live(until: VirtualBoard.hour(1.5)) }
      #expect(try asked.status.alert?.outcome == outcome, "\(text)")
      let ended = try asked.status.alert?.outcomeSeconds
      #expect((ended == nil) == (text == ""), "quiet is no answer")
      asked.board.live(until: VirtualBoard.hour(1.6))
      #expect(try asked.status.alert?.outcome == outcome, "\(text), later")
      // Another life has not seen it.
      asked.board.stop()
      try asked.start()
      let status = try asked.status
      #expect(status.lastAlert > 0 && status.alert?.outcome != "unanswered" && status.parkedSeconds == nil)
      asked.board.stop()
    }
  }

  @Test func whatThePageHasButtonsForChangesWhatPacketsTell() throws {
    let asked = try AskedBoard()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.5))
    #expect(try asked.ask(asked.signed("alerts off")) == .obeyed("alertsOff"))
    #expect(try asked.ask(asked.signed("locate")) == .obeyed(nil))
    #expect(try asked.ask(asked.signed("track 10 600")) == .obeyed("tracking"))
    #expect(try asked.ask(asked.signed("found")) == .obeyed("nothingToFind"))
    let status = try asked.status
    #expect(!status.alertsEnabled && (590...600).contains(status.liveSeconds ?? 0))
    #expect(status.requests.map(\.answer) == ["nothingToFind", "tracking", "located", "alertsOff"])
    let before = asked.board.inbox.packets.count
    asked.board.live(until: VirtualBoard.hour(0.5) + .seconds(120))
    let news = asked.board.inbox.packets.dropFirst(before)
    #expect(news.contains { $0.text.contains("\"alertsOff\"") })
    #expect(news.filter { $0.kind == .location }.count >= 11, "every ten seconds")
    // An hour later it is taken, and nobody is told.
    asked.board.live(until: VirtualBoard.hour(1.3))
    #expect(!asked.board.inbox.packets.contains { $0.kind == .movement })
    #expect(try asked.status.liveSeconds == nil)
    asked.board.stop()
  }

  @Test func whoHasNotTheTokenDoesNothingAndIsCounted() throws {
    let asked = try AskedBoard()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.5))
    let wrong = try asked.signed("alerts off", by: "correct horse battery stable")
    for _ in 0..<3 { #expect(try asked.ask(wrong) == .refused("forged")) }
    for text in ["alerts off", "ping", "4711 alerts off"] {
      #expect(try asked.ask(Array(text.utf8)) == .refused("notAllowed"), "\(text)")
    }
    #expect(try asked.ask(Array("fly".utf8)) == .refused("unreadable"))
    // The token has no more than the buttons of the page; the owner's key has everything.
    for text in ["reboot", "set reports.distance 500", "privacy on", "ping", "disarm"] {
      #expect(try asked.ask(asked.signed(text)) == .refused("notAllowed"), "\(text)")
    }
    let good = try asked.signed("alerts off")
    #expect(try asked.ask(good) == .obeyed("alertsOff"))
    #expect(try asked.ask(asked.signed("alerts on")) == .obeyed("alertsOn"))
    #expect(try asked.ask(good) == .refused("replayed"))
    let status = try asked.status
    #expect(status.alertsEnabled)
    #expect(status.counters.contains { $0.name == "requestsRefused" && $0.value == "13" }, "\(status.counters)")
    #expect(status.requests.first { $0.refused == "forged" }?.times == 3)
    #expect(status.requests.first { $0.refused == "notAllowed" }?.times == 8)
    #expect(status.requests.compactMap(\.request) == ["alerts", "alerts"])
    #expect(try asked.ask(asked.signed("set reports.distance 500", by: owner)) == .obeyed("settingsChanged"))
    asked.board.stop()
  }

  @Test func aRequestOfThePageIsNotGoodAgainAfterARestart() throws {
    let asked = try AskedBoard()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.1))
    let good = try asked.signed("alerts off")
    #expect(try asked.ask(good) == .obeyed("alertsOff"))
    #expect(try asked.ask(asked.signed("alerts on")) == .obeyed("alertsOn"))
    asked.board.stop()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.2))
    #expect(try asked.ask(good) == .refused("replayed"))
    #expect(try asked.status.alertsEnabled)
    asked.board.stop()
  }

  @Test func withoutATokenThePageTakesNothing() throws {
    let asked = try AskedBoard(token: nil)
    try asked.start()
    #expect(asked.requests == nil)
    #expect(try !asked.status.pageTakesRequests)
    asked.board.stop()
  }

  @Test func whoFloodsThePageFillsNoRecording() throws {
    let asked = try AskedBoard()
    try asked.start()
    asked.board.live(until: VirtualBoard.hour(0.1))
    for _ in 0..<1000 { #expect(try asked.ask(Array("alerts off".utf8)) == .refused("notAllowed")) }
    let status = try asked.status
    #expect(status.counters.contains { $0.name == "requestsRefused" && $0.value == "20" }, "\(status.counters)")
    #expect(status.counters.contains { $0.name == "pageRequestsRefused" && $0.value == "980" }, "\(status.counters)")
    #expect(try asked.ask(asked.signed("alerts off")) == .obeyed("alertsOff"), "and keeps nobody out")
    asked.board.live(until: VirtualBoard.hour(0.1) + .seconds(61))
    #expect(try asked.ask(Array("alerts off".utf8)) == .refused("notAllowed"))
    #expect(try asked.status.counters.contains { $0.name == "requestsRefused" && $0.value == "21" })
    asked.board.stop()
  }
}

@Suite struct RequestHistoryTests {
  private func event(_ kind: TrackerEvent.Kind, at second: Int) -> TrackerEvent {
    // Only the tracker makes events: a run of one is asked.
    var tracker = Tracker()
    tracker.advance(to: .seconds(second))
    while tracker.nextAction() != nil {}
    switch kind {
    case .requestRefused(let reason, let channel, _):
      tracker.take(.refused(RequestRefusal(rawValue: reason) ?? .tooLong, channel: channel), at: .seconds(second))
    case .request(_, let channel, let number):
      tracker.take(.admitted(.locate, channel: channel, number: number, counter: 0), at: .seconds(second))
    default: break
    }
    while let action = tracker.nextAction() { if case .event(let event) = action { return event } }
    return event(kind, at: second)
  }

  private func refusal(_ reason: RequestRefusal, _ channel: UInt8, at second: Int) -> TrackerEvent {
    event(.requestRefused(reason: reason.rawValue, channel: channel, times: 1), at: second)
  }

  private func request(_ number: UInt32, at second: Int) -> TrackerEvent {
    event(.request(kind: RequestKind.locate.rawValue, channel: 0, number: number), at: second)
  }

  @Test func aFloodPushesOutNothingThatWasLetIn() {
    var history = RequestHistory()
    history.note(request(7, at: 1))
    for second in 2..<52 { history.note(refusal(.flooded, UInt8(second % 10), at: second)) }
    #expect(history.entries.count == 11 && history.entries.last?.number == 7)
    #expect(history.entries[0].time == .seconds(51) && history.entries[0].times == 5)
    history.note(refusal(.flooded, 10, at: 52))
    #expect(history.entries.count == 11, "and those refused are bounded, too")
    for second in 60..<80 { history.note(request(UInt32(second), at: second)) }
    #expect(history.entries.filter { $0.refusal == nil }.map(\.number) == (70..<80).reversed())
    #expect(history.entries.count == 20)
  }

  @Test func refusalsOfOneReasonOnOneChannelAreCountedTogether() {
    var history = RequestHistory()
    history.note(refusal(.forged, 10, at: 1))
    history.note(refusal(.replayed, 10, at: 2))
    history.note(refusal(.forged, 10, at: 3))
    history.note(refusal(.forged, 2, at: 4))
    #expect(history.entries.map(\.times) == [1, 2, 1] && history.entries.map(\.channel) == [2, 10, 10])
  }

  @Test func aStatusAnswersTheRequestOfItsNumberAndTheLastWordCounts() {
    var history = RequestHistory()
    history.note(request(1, at: 1))
    history.note(request(2, at: 2))
    var packet = Packet(kind: .status, time: .seconds(3), utc: nil, phase: .parked, isArmed: true)
    packet.status = PacketStatus(reason: .rebooting, alertsEnabled: true, request: 1)
    history.note(packet)
    packet.status = PacketStatus(reason: .located, alertsEnabled: true, request: 2)
    history.note(packet)
    packet.status = PacketStatus(reason: .rebooted, alertsEnabled: true, request: 1)
    history.note(packet)
    packet.status = PacketStatus(reason: .pong, alertsEnabled: true, request: 99)
    history.note(packet)
    #expect(history.entries.map(\.answer) == [.located, .rebooted])
  }
}
