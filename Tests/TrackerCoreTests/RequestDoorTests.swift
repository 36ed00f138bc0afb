import Quantities
import Requests
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Who is let in, tried with every request on every channel.
@Suite struct RequestDoorTests {
  /// One of each kind, none of which needs another before it.
  static let examples: [RequestKind: String] = [
    .alerts: "alerts off", .dismiss: "dismiss 99", .track: "track 10 60", .locate: "locate",
    .set: "set reports.distance 500 reports.alarmInterval 20", .reset: "reset reports.distance",
    .get: "get reports.distance", .found: "found", .arm: "arm", .disarm: "disarm", .ping: "ping", .info: "info",
    .status: "status", .buzzer: "buzzer 5 pulse", .privacy: "privacy on", .reboot: "reboot",
    .enabled: "enabled off", .claim: "claim", .unclaim: "unclaim",
    .near: "near 60", .away: "away", .fence: "fence 1 set \"garden\" circle 52.1,4.1 50",
    .place: "place 1 set \"home\" 52.1,4.1 60", .alarm: "alarm 1 set \"up\" at 07:30 weekdays",
    .zone: "zone CET-1CEST,M3.5.0,M10.5.0/3", .secure: "secure 12", .temporary: "temporary", .snooze: "snooze 5",
    .hush: "hush", .profile: "profile set name \"Rex\" kind dog",
    .checkpoint: "checkpoint \"the bridge\" note \"windy\"",
    .odometer: "odometer set 12000", .parking: "parking", .gear: "gear add \"road bike\" bike",
  ]

  /// Where requests come from, by the words of the table.
  private static let channels: [(name: String, origin: RequestOrigin, isTrusted: Bool)] = [
    ("control socket", .console, false),
    ("configuration", .configuration, false),
    ("MQTT or modem", .way(0), false),
    ("MQTT or modem, on its list", .way(0), true),
    ("HTTP answer", .answer(1), false),
    ("HTTP answer, on its list", .answer(1), true),
    ("answer to an answer, on its list", .answer(1, toAnswer: true), true),
    ("local page", .page, true),
    ("SMS", .textMessage(), true),
    ("SMS, listed sender", .textMessage(isListedSender: true), false),
    ("SMS, listed sender, on its list", .textMessage(isListedSender: true), true),
  ]

  /// What is tried, by the words of the table.
  private enum Trial: String, CaseIterable {
    case unsigned
    case signed
    case wrongKey = "wrong key"
    case replayed
    case oldCounter = "old counter"
    case cut
    case overLong = "over-long"
    case flooded
    case afterRestart = "replayed after a restart"
    case full = "while the outbox is full"
  }

  /// Makes a tracker one that can be claimed, or for `unclaim` has been; others have the key of a file.
  ///
  /// - Returns: What its owner signs with.
  private func prepare(_ bench: RequestBench, for text: String, isRestored: Bool = false) throws -> RequestKey? {
    guard let kind = Request(text: text)?.kind, kind.isOfOwnership else { return testKey() }
    bench.run.door.key = nil
    bench.run.door.claimSecret = testKey(testSecretDigits)
    if kind == .claim { return testKey(testSecretDigits) }
    if !isRestored { #expect(try bench.ask(signed("claim", counter: 500, by: testKey(testSecretDigits))) == "claimed") }
    return claimedKey(500)
  }

  private func bench(_ origin: RequestOrigin, _ isTrusted: Bool, restoring state: [UInt8] = []) throws -> RequestBench {
    let bench = try RequestBench(restoring: state, from: state.isEmpty ? 0 : 1000)
    if isTrusted { bench.run.door[origin] = .all }
    try bench.wait(1)
    _ = bench.news()
    return bench
  }

  /// Runs a trial: the word of its last verdict, `obeyed` for all that are let in. A refused one draws no packet and is counted.
  private func verdict(
    _ trial: Trial, _ text: String, _ origin: RequestOrigin, _ isTrusted: Bool
  ) throws -> String {
    var bench = try bench(origin, isTrusted)
    let key = try prepare(bench, for: text)
    let good = signed(text, counter: 1000, by: key)
    var asked = text
    switch trial {
    case .unsigned: break
    case .signed: asked = good
    case .wrongKey: asked = signed(text, counter: 1000, by: testKey("f" + testKeyDigits.dropFirst()))
    case .replayed:
      try bench.ask(good, origin)
      asked = good
    case .oldCounter:
      if text == "claim" {
        try bench.ask(signed(text, counter: 1001, by: key))
        try bench.ask("unclaim")
      } else {
        try bench.ask(signed("#5 status", counter: 1001, by: key), origin)
      }
      asked = good
    case .cut: asked = String(good.dropLast())
    case .overLong: asked = good + String(repeating: " ", count: RequestEnvelope.longestText + 1 - good.utf8.count)
    case .flooded:
      for number in 0..<4 {
        try bench.ask(signed(text == "claim" ? text : "ping", counter: UInt64(990 + number), by: key), origin)
        if text == "claim" { try bench.ask("unclaim") }
      }
      asked = good
    case .afterRestart:
      try bench.ask(good, origin)
      bench = try self.bench(origin, isTrusted, restoring: bench.state)
      _ = try prepare(bench, for: text, isRestored: true)
      asked = good
    case .full:
      bench = try RequestBench(delivery: PacketDelivery([], seed: 1))
      if isTrusted { bench.run.door[origin] = .all }
      _ = try prepare(bench, for: text)
      for _ in 0..<40 { try bench.ask("locate") }
      #expect(bench.run.diagnostics.packetsEvicted > 0)
      asked = good
    }
    // A channel may ask again after a while, but for one that is flooded.
    if trial != .flooded { try bench.wait(40) }
    _ = bench.news()
    let before = bench.run.diagnostics.requestsRefused
    let sequence = bench.run.look { $0.outbox.nextSequence }
    let answer = try bench.ask(asked, origin)
    let isRefused = RequestRefusal.allCases.contains { "\($0.word)" == answer }
    let told = bench.run.look { $0.outbox.nextSequence } - sequence
    #expect((told == 0) == isRefused, "\(trial) '\(asked)': \(answer), \(told) packets")
    // Pages that servers answer with are passed over.
    let isPassedOver = origin.isAnswer && (answer == "unreadable" || answer == "tooLong")
    #expect(bench.run.diagnostics.requestsRefused &- before == (isRefused && !isPassedOver ? 1 : 0))
    for secret in [testKeyDigits.prefix(16), testSecretDigits.prefix(16), good.suffix(32)] {
      #expect(!bench.log.text.contains(secret))
    }
    return isRefused ? answer : "obeyed"
  }

  /// What has the same outcome for all requests of a class stands in one cell.
  private func cell(
    _ trial: Trial, _ kinds: [RequestKind], _ origin: RequestOrigin, _ isTrusted: Bool
  ) throws -> String {
    var words: [String] = []
    for kind in kinds {
      let word = try verdict(trial, try #require(RequestDoorTests.examples[kind]), origin, isTrusted)
      if !words.contains(word) { words.append(word) }
    }
    #expect(words.count == 1, "\(trial.rawValue): \(words)")
    return words.joined(separator: ", ")
  }

  private func table() throws -> String {
    let reading = RequestKind.allCases.filter(\.isReadOnly)
    let doing = RequestKind.allCases.filter { !$0.isReadOnly && !$0.isOfOwnership }
    var lines = ["| channel | " + Trial.allCases.map(\.rawValue).joined(separator: " | ") + " |"]
    lines.append("|---" + String(repeating: "|---", count: Trial.allCases.count) + "|")
    for channel in RequestDoorTests.channels {
      var cells: [String] = []
      for trial in Trial.allCases {
        let one = try cell(trial, reading, channel.origin, channel.isTrusted)
        let other = try cell(trial, doing, channel.origin, channel.isTrusted)
        cells.append(one == other ? one : "reads: \(one); others: \(other)")
      }
      lines.append("| \(channel.name) | " + cells.joined(separator: " | ") + " |")
    }
    for kind in [RequestKind.claim, .unclaim] {
      // Channels with the same outcomes stand in one line.
      var names: [(cells: String, channels: [String])] = []
      for channel in RequestDoorTests.channels {
        let cells = try Trial.allCases.map { try cell($0, [kind], channel.origin, channel.isTrusted) }
          .joined(separator: " | ")
        if let place = names.firstIndex(where: { $0.cells == cells }) {
          names[place].channels.append(channel.name)
        } else {
          names.append((cells, [channel.name]))
        }
      }
      let most = names.map(\.channels.count).max()
      for (cells, channels) in names {
        let place = channels.count == most ? "all others" : channels.joined(separator: "; ")
        lines.append("| \(kind.word): \(place) | \(cells) |")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Every request on every channel, in every way it can be wrong; `LEASH_UPDATE_SNAPSHOTS=1` writes the table of the docs.
  @Test func theTableOfTheDocsIsWhatHappens() throws {
    let made = try table()
    let page = try ManualPage("requests.md")
    let front = try #require(page.text.range(of: "<!-- begin door -->\n"))
    let back = try #require(page.text.range(of: "\n<!-- end door -->"))
    if ManualPage.isUpdated {
      try page.write(String(page.text[..<front.upperBound]) + made + String(page.text[back.lowerBound...]))
      return
    }
    #expect(page.text[front.upperBound..<back.lowerBound] == made)
  }

  /// Every kind of request has its row with an example in the docs, which is read and does what the row says.
  @Test func everyRequestOfTheDocsIsRead() throws {
    let page = try ManualPage("requests.md").text
    let front = page[..<(try #require(page.range(of: "\n## ")).lowerBound)]
    var kinds: Set<RequestKind> = []
    for line in front.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmed }
      try #require(cells.count == 4, "\(line)")
      let example = cells[1].filter { $0 != "`" }
      let request = try #require(Request(text: example), "\(example)")
      #expect(kinds.insert(request.kind).inserted)
      #expect(cells[0].filter { $0 != "`" } == "\(request.kind.syntax)".replacingBars)
      let bench = try RequestBench()
      try bench.wait(1)
      let key = try prepare(bench, for: "claim")
      let answer = try bench.ask(request == .claim ? signed(example, counter: 1000, by: key) : "#1 " + example)
      #expect(cells[2].filter { $0 != "`" } == answer, "\(example)")
    }
    #expect(kinds == Set(RequestKind.allCases))
  }

  // MARK: Single promises

  @Test func aSignedRequestIsGoodOnceOnWhateverChannel() throws {
    let bench = try RequestBench()
    let text = signed("alerts off", counter: 1_764_000_000_000)
    #expect(try bench.ask(text, .way(3)) == "alertsOff")
    #expect(try bench.ask(text, .textMessage()) == "replayed" && bench.ask(text, .answer(0)) == "replayed")
    #expect(try bench.ask(signed("alerts on", counter: 1_763_999_999_999), .way(0)) == "replayed")
    #expect(try bench.ask(signed("alerts on", counter: 1_764_000_000_001), .way(0)) == "alertsOn")
    #expect(bench.run.look { $0.requestsRefused(.replayed) } == 3)
    #expect(
      bench.log.commands == [
        "@5 !1764000000000 alerts off", "@1 ?replayed", "@2 ?replayed", "@2 ?replayed", "@2 !1764000000001 alerts on",
      ])
  }

  @Test func aCounterIsGoodForAnHourBackAndADayAhead() throws {
    let now: UInt64 = 1_764_000_001_000
    for (counter, answer) in [
      (now - 3_600_001, "stale"), (now - 3_600_000, "pong"), (now + 86_400_000, "pong"), (now + 86_400_001, "early"),
    ] {
      let bench = try RequestBench()
      try bench.fix()
      #expect(try bench.ask(signed("ping", counter: counter), .way(0)) == answer, "\(counter)")
    }
  }

  @Test func whoIsNotTrustedDrawsAPacketInTenSecondsAndWhoIsFourAtOnce() throws {
    let bench = try RequestBench()
    bench.run.door[.way(1)] = RequestKindSet(.locate)
    #expect(try bench.ask("ping", .way(0)) == "pong" && bench.ask("ping", .way(0)) == "flooded")
    for _ in 0..<4 { #expect(try bench.ask("locate", .way(1)) == "obeyed") }
    #expect(try bench.ask("locate", .way(1)) == "flooded")
    try bench.wait(9)
    #expect(try bench.ask("ping", .way(0)) == "flooded" && bench.ask("locate", .way(1)) == "flooded")
    try bench.wait(1)
    #expect(try bench.ask("ping", .way(0)) == "pong" && bench.ask("locate", .way(1)) == "obeyed")
    // Another channel is another's business, and the console nobody's.
    #expect(try bench.ask("ping", .way(2)) == "pong")
    for _ in 0..<50 { #expect(try bench.ask("ping") == "pong") }
  }

  @Test func aTextMessageNeedsAListedSenderOrThePIN() throws {
    let bench = try RequestBench()
    bench.run.door.pin.append("4711")
    bench.run.door[.textMessage()] = RequestKindSet(.locate)
    #expect(
      try bench.ask("locate", .textMessage()) == "notAllowed"
        && bench.ask("4712 locate", .textMessage()) == "notAllowed")
    #expect(try bench.ask("ping", .textMessage()) == "notAllowed", "nor does it read")
    #expect(try bench.ask("4711 locate", .textMessage()) == "obeyed")
    #expect(try bench.ask("locate", .textMessage(isListedSender: true)) == "obeyed")
    #expect(try bench.ask("alerts off", .textMessage(isListedSender: true)) == "notAllowed", "it is not on the list")
    #expect(!bench.log.text.contains("4711"))
  }

  @Test func withoutAKeyNothingIsSigned() throws {
    let bench = try RequestBench()
    bench.run.door.key = nil
    #expect(try bench.ask(signed("locate", counter: 1), .way(0)) == "noKey")
    #expect(try bench.ask("locate") == "obeyed" && bench.ask("ping", .way(0)) == "pong")
  }

  @Test func aKeyForSomeRequestsAsksNoOthers() throws {
    let bench = try RequestBench()
    bench.run.door.reach = [RequestKindSet(.locate), RequestKindSet(.dismiss)]
    #expect(try bench.ask(signed("alerts off", counter: 1), .page) == "notAllowed")
    #expect(try bench.ask(signed("ping", counter: 1), .page) == "notAllowed", "nor does it read")
    #expect(try bench.ask(signed("locate", counter: 1), .page) == "obeyed", "what was refused used no counter up")
    #expect(bench.run.look { $0.monitor.alertsEnabled })
  }

  @Test func bytesOfAPortAreHeardWithoutADoorAtTheConsoleAlone() {
    var tracker = Tracker()
    for (port, isOn) in [(Port.message, true), (.console, false)] {
      let text = Array("alerts off".utf8)
      tracker.receive(text.span, from: port, at: .seconds(1))
      while tracker.nextAction() != nil {}
      #expect(tracker.monitor.alertsEnabled == isOn)
    }
    #expect(tracker.requestsRefused(.notAllowed) == 1)
  }

  /// What was recorded does the same again, without a key.
  @Test func aRecordingOfRequestsNeedsNoKey() throws {
    let bench = try RequestBench()
    bench.run.door[.way(1)] = RequestKindSet(.locate)
    try bench.ask(signed("#17 alerts off", counter: 1_764_000_000_000), .way(0))
    try bench.ask("locate", .way(1))
    try bench.ask("alerts on", .way(1))
    try bench.ask("#17 alerts off", .console)
    let again = try RequestBench()
    again.run.door.key = nil
    for command in bench.log.commands { try again.run.feed(.command(.seconds(0)), payload: Array(command.utf8)) }
    #expect(again.packets == bench.packets && again.events == bench.events)
  }

  @Test func everyKindOfRequestHasAPlaceOfItsOwnInASet() {
    var all = RequestKindSet()
    for kind in RequestKind.allCases {
      let one = RequestKindSet(kind)
      #expect(one.rawValue.nonzeroBitCount == 1 && !all.contains(kind) && RequestKindSet.all.contains(kind))
      all.insert(one)
      #expect(all.contains(kind))
    }
    #expect(all.rawValue.nonzeroBitCount == RequestKind.allCases.count)
  }

  @Test func aVerdictReadsBackFromALog() throws {
    let change = try #require(Request(text: "set reports.distance 500"))
    for verdict in [
      RequestVerdict.admitted(.locate, channel: 0, number: 0, counter: 0),
      .admitted(change, channel: 10, number: 999_999_999, counter: 1_764_000_000_000),
      .admitted(.sound(.pulse, .seconds(5)), channel: 1, number: 0, counter: 7),
    ] + RequestRefusal.allCases.map({ .refused($0, channel: 3) }) {
      var text = ByteBuffer()
      verdict.encode(into: &text)
      #expect(RequestVerdict(text.bytes.span) == verdict, "\(String(decoding: text.bytes, as: UTF8.self))")
    }
    for text in [
      "@12 locate", "@ locate", "@0", "@0 ?nonsense", "@0 ?forged x", "@0 fly", "locate", "@0 #1000000000 locate",
    ] {
      #expect(RequestVerdict(Array(text.utf8).span) == nil, "\(text)")
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension String {
  /// A table has its own meaning for this.
  fileprivate var replacingBars: String { split(separator: "|").joined(separator: "/") }

  fileprivate func range(of text: String) -> Range<String.Index>? {
    guard let match = firstRange(of: text) else { return nil }
    return match
  }
}
