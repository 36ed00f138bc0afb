import InertialFusion
import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import Recording
@testable import TrackerRuntime

/// A log that keeps its records as words.
private final class WordLog: RunLog {
  var words: [String] = []
  var times: [Instant] = []
  private func add(_ word: String, _ time: Instant) {
    words.append(word)
    times.append(time)
  }
  func append(configuration: Span<UInt8>) { add("configuration", .zero) }
  func append(_ input: TrackerInput, bytes: Span<UInt8>) {
    let kind =
      switch input {
      case .inertial: "inertial"
      case .fix: "fix"
      case .reading(let reading): "\(reading.name)"
      case .bytes: "bytes"
      case .tick: "tick"
      case .command: "command \(String(decoding: copy(bytes), as: UTF8.self))"
      case .acknowledgement(_, let sequence): "acknowledgement \(sequence)"
      case .settlement(_, let sequence, let receiver, let isDelivered):
        "settlement \(sequence) \(receiver) \(isDelivered)"
      case .spooled(_, let sequence, let isKept): "spooled \(sequence) \(isKept)"
      case .recalled(_, let pending): "recalled \(pending) \(bytes.count)"
      case .spoolCount(_, let count): "spool \(count)"
      case .restoration: "restoration \(bytes.count)"
      }
    add(kind, input.time)
  }
  func append(tick time: Instant) { add("tick", time) }
  func append(acknowledgement sequence: UInt32, at time: Instant) { add("acknowledgement \(sequence)", time) }
  func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) {
    add("\(isDelivered ? "delivered" : "given up") \(sequence) \(receiver)", time)
  }
  func append(action: Span<UInt8>, at time: Instant) { add("action", time) }
  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) { add("output \(port)", time) }
}

/// A port that takes what it gets and says what the test wants.
private final class WordPort: DeliveryPort {
  let name = "words"
  var state = UplinkState.open
  let capacity = 200
  var onNews: () -> Void = {}
  var taken: [UInt32] = []
  var texts: [String] = []
  var passes: [Instant] = []
  var forgotten: [UInt32] = []
  var nextPass: Instant?
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) {
    taken.append(packet.sequence)
    texts.append(String(decoding: packet.bytes, as: UTF8.self))
  }
  func forget(_ sequence: UInt32, way: Int) { forgotten.append(sequence) }
  func pass(to now: Instant) {
    passes.append(now)
    if let due = nextPass, due <= now { nextPass = nil }
  }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func tell(_ item: UplinkNews) {
    news.append(item)
    onNews()
  }
}

private func run(
  _ port: WordPort, log: WordLog? = nil, format: PacketFormat = .json, receivers: Int = 1
) throws -> TrackerRun {
  var configuration = RunConfiguration()
  configuration.tracker.outbox.window = 32
  for _ in 1..<receivers { configuration.tracker.outbox.receivers.append(.all) }
  let ways = (0..<receivers).map { PacketDelivery.Way(port, receiver: $0, format: format) }
  let delivery = PacketDelivery(ways, parameters: configuration.tracker.outbox, seed: 1)
  return try TrackerRun(configuration, log: log, delivery: delivery) { _, _ in }
}

private final class CountingStore: TrackerStore {
  var count = 0
  var settledChange: UInt64 { UInt64(count) }
  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    count += 1
    return UInt64(count)
  }
  func keep(beside tag: UInt8, _ record: [UInt8]) {}
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {}
}

private func fix(_ second: Int, _ place: Double = 0) -> TrackerInput {
  var fix = GNSSFix(time: .seconds(second))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4 + place)
  return .fix(fix)
}

@Suite struct TrackerRunTests {
  @Test func aRunIsRecordedInTheOrderInWhichItHappens() throws {
    let log = WordLog()
    let store = CountingStore()
    var seen: [String] = []
    let run = try TrackerRun(RunConfiguration(), log: log, store: store) { output, bytes in
      switch output {
      case .event: seen.append("event \(bytes.count > 10)")
      case .packet(let sequence, _): seen.append("packet \(sequence) \(store.count > 0)")
      }
    }
    #expect(log.words == ["configuration"])
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    #expect(log.words == ["configuration", "command locate", "output \(Port.uplink.rawValue)", "acknowledgement 1"])
    #expect(seen == ["packet 1 true"] && run.now == .seconds(1))
    try run.feed(.command(.seconds(2)), payload: Array("rubbish".utf8))
    #expect(log.words.count == 5 && log.words.last == "command rubbish")
    #expect(run.look { $0.outbox.count } == 0)
  }

  /// Deadlines between two inputs happen at their own instants; one at the instant of an input happens with it.
  @Test func deadlinesBetweenInputsHappenAtTheirOwnInstants() throws {
    let log = WordLog()
    let run = try TrackerRun(RunConfiguration(), log: log) { _, _ in }
    try run.feed(fix(1))
    let first = try #require(run.nextDeadline)
    var expected: [Instant] = []
    var plain = Tracker(configuration: TrackerConfiguration())
    plain.take(fix(1), payload: [UInt8]().span)
    func drain(_ tracker: inout Tracker) {
      while let action = tracker.nextAction() {
        var buffer = ByteBuffer()
        if case .transmit(let sequence, _) = action {
          tracker.drainOutput(for: .uplink, into: &buffer)
          tracker.acknowledge(sequence, at: tracker.now)
        }
      }
    }
    drain(&plain)
    let end = 20_000
    while let due = plain.nextDeadline, due < .seconds(end) {
      expected.append(due)
      plain.advance(to: due)
      drain(&plain)
    }
    #expect(expected.first == first && expected.count > 3)
    try run.feed(fix(end))
    let ticks = zip(log.words, log.times).filter { $0.0 == "tick" }.map(\.1)
    #expect(ticks == expected)
    // To the very instant of a deadline: an input comes before it, the end of a silence after it.
    let due = try #require(run.nextDeadline)
    let before = log.words.filter { $0 == "tick" }.count
    try run.feed(.inertial(InertialSample(time: due, angularRate: .zero)))
    #expect(log.words.filter { $0 == "tick" }.count == before)
    let next = try #require(run.nextDeadline)
    try run.advance(to: next)
    #expect(log.times.last.map { $0 <= next } == true && run.now == next)
    let count = log.words.count
    try run.advance(to: next)
    #expect(log.words.count == count, "nothing is recorded when no time passes")
    try run.advance(to: next + .milliseconds(1))
    #expect(log.words.last == "tick" && log.times.last == next + .milliseconds(1))
  }

  @Test func aPortIsAskedAtItsDeadlinesAndItsNewsAreTakenOneByOne() throws {
    let log = WordLog()
    let port = WordPort()
    let run = try run(port, log: log)
    run.door[.way(0)] = .all
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    #expect(port.taken == [1, 2] && run.look { $0.outbox.count } == 2, "only its server clears a packet")
    // What went on the way stands beside the canonical form.
    #expect(log.words.filter { $0.hasPrefix("output") } == ["output 1", "output 16", "output 1", "output 16"])
    port.nextPass = .milliseconds(1500)
    #expect(run.nextDeadline == .milliseconds(1500))
    port.passes = []
    for number in [UInt32(1), 2] { port.tell(.delivered(sequence: number)) }
    for text in ["alerts off", "rubbish", "locate"] { port.tell(.request(Array(text.utf8))) }
    let before = log.words.count
    try run.attend(at: .milliseconds(1499))
    #expect(
      run.look { $0.outbox.place(of: 1) == nil && $0.outbox.place(of: 2) == nil }, "what has come is taken at once")
    #expect(
      log.words[before...].filter { !$0.hasPrefix("action") && !$0.hasPrefix("output") } == [
        "delivered 1 0", "delivered 2 0", "command @2 alerts off", "command @2 ?unreadable", "command @2 locate",
      ])
    #expect(log.times[before...].allSatisfy { $0 == .milliseconds(1499) })
    #expect(port.passes.allSatisfy { $0 == .milliseconds(1499) })
    try run.attend(at: .milliseconds(1500))
    #expect(port.passes.contains(.milliseconds(1500)))
    let isOn = run.look { $0.monitor.alertsEnabled }
    #expect(!isOn)
  }

  /// What is overdue is due now: no record has a time before that of the record before it.
  @Test func whatIsOverdueHappensNow() throws {
    let log = WordLog()
    let port = WordPort()
    let run = try run(port, log: log)
    try run.feed(fix(100))
    port.nextPass = .seconds(5)
    port.passes = []
    try run.feed(fix(101))
    #expect(port.passes.first == .seconds(100))
    // The tracker's own deadlines, too: a run that was stopped in the debugger, a machine that slept.
    let due = try #require(run.nextDeadline)
    try run.feed(.inertial(InertialSample(time: due + .seconds(9000), angularRate: .zero)))
    try run.feed(.inertial(InertialSample(time: due, angularRate: .zero)))
    port.nextPass = .zero
    try run.attend(at: due + .seconds(9001))
    let times = zip(log.words, log.times).filter { $0.0 != "inertial" && $0.0 != "configuration" }.map(\.1)
    #expect(times == times.sorted() && port.passes == port.passes.sorted())
  }

  @Test func aPortForgetsWhatTheTrackerGaveUp() throws {
    let port = WordPort()
    let run = try run(port)
    for second in 0..<32 { try run.feed(.command(.seconds(second)), payload: Array("locate".utf8)) }
    #expect(port.forgotten == [])
    for second in 32..<36 {
      try run.feed(.command(.seconds(second)), payload: Array("locate".utf8))
      let gone = port.taken.filter { number in run.look { $0.outbox.place(of: number) == nil } }
      #expect(!gone.isEmpty && port.forgotten == gone)
    }
  }

  /// A packet that no form can carry is no acknowledgement: it is told and counted apart.
  @Test func whatNoFormCanCarryIsNeverCalledDelivered() throws {
    let log = WordLog()
    let port = WordPort()
    let run = try run(port, log: log, format: .minimal)
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    #expect(port.taken == [] && log.words.last == "given up 1 0" && run.look { $0.outbox.count } == 0)
    #expect(run.diagnostics.packetsUncarried == 1)
    #expect(run.look { $0.outbox.acknowledgedCount } == 0)
    try run.feed(fix(2))
    let made = port.taken.count
    try run.feed(.command(.seconds(3)), payload: Array("locate".utf8))
    #expect(port.taken.count == made + 1 && port.texts.last?.hasPrefix("{\"latitude\":52.0") == true)
  }

  @Test func eachReceiverClearsItsOwnShare() throws {
    let log = WordLog()
    let one = WordPort()
    let two = WordPort()
    var configuration = RunConfiguration()
    configuration.tracker.outbox.receivers.append(PacketKindSet(.status))
    let delivery = PacketDelivery(
      [PacketDelivery.Way(one), PacketDelivery.Way(two, receiver: 1, format: .text)],
      parameters: configuration.tracker.outbox, seed: 1)
    let run = try TrackerRun(configuration, log: log, delivery: delivery) { _, _ in }
    try run.feed(.command(.seconds(1)), payload: Array("alerts off".utf8))
    try run.feed(.command(.seconds(2)), payload: Array("locate".utf8))
    #expect(one.taken == [1, 2] && two.taken == [1])
    #expect(two.texts[0].hasPrefix("leash: alertsOff, place unknown #1"))
    #expect(one.texts[0].hasPrefix("{\"type\":\"status\""))
    two.tell(.delivered(sequence: 1))
    try run.attend(at: .seconds(3))
    #expect(log.words.last == "delivered 1 1" && run.look { $0.outbox.count } == 2)
    for number in [UInt32(1), 2] { one.tell(.delivered(sequence: number)) }
    try run.attend(at: .seconds(4))
    #expect(run.look { $0.outbox.count } == 0)
  }

  @Test func aRestoredRunGoesOnWithWhatWaits() throws {
    let port = WordPort()
    let first = try run(port)
    for second in 1...3 { try first.feed(.command(.seconds(second)), payload: Array("locate".utf8)) }
    var kept = ByteBuffer()
    first.look { tracker in
      tracker.encodeState(into: &kept)
      for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &kept) }
    }
    let log = WordLog()
    let again = WordPort()
    let second = try run(again, log: log)
    let isRestored = try second.restore(kept.bytes, at: .seconds(9))
    #expect(isRestored && log.words[1] == "restoration \(kept.bytes.count)" && log.times[1] == .seconds(9))
    #expect(again.taken == port.taken && again.texts == port.texts, "the same again, byte for byte")
    let other = try run(WordPort(), log: log)
    #expect(try !other.restore([], at: .seconds(9)))
  }
}

/// A power cut after each action of a life that began with what an earlier one had left.
@Suite struct CutRestoredTests {
  @Test func whatAnEarlierLifeLeftWaitingIsNotLost() throws {
    let first = try run(WordPort())
    for (second, request) in [
      "#1 fence 1 set \"a\" circle 52.0,4.0 60", "#2 fence 2 set \"b\" circle 51.0,4.0 90", "locate",
    ].enumerated() {
      try first.feed(.command(.seconds(second + 1)), payload: Array(request.utf8))
    }
    var kept = ByteBuffer()
    first.look { tracker in
      tracker.encodeState(into: &kept)
      for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &kept) }
    }
    let folder = try TemporaryDirectory()
    let log = try writeLog(folder) { writer in
      var configuration = RunConfiguration()
      configuration.tracker.outbox.window = 32
      let run = try TrackerRun(configuration, log: writer) { _, _ in }
      #expect(try run.restore(kept.bytes, at: .seconds(9)))
      for second in 10..<14 { try run.feed(.command(.seconds(second)), payload: Array("#\(second) alerts on".utf8)) }
    }
    let verdict = try CutVerifier.check([LeashLogReader(ByteSource(bytes: log, name: "log"))])
    #expect(verdict.trouble == nil, "\(String(describing: verdict.trouble))")
    // Once they are handed over, the packets of before come again at each cut.
    #expect(verdict.cutCount >= 12 && verdict.repeatedCount >= 10, "\(verdict)")
  }
}

/// A recorded run, and the same with one thing changed.
@Suite struct ReplayVerifierTests {
  private struct Piece {
    var record: LogRecord
    var bytes: [UInt8]
  }

  /// A run with events and packets, as the records of its log.
  private func pieces() throws -> [Piece] {
    let folder = try TemporaryDirectory()
    let log = try writeLog(folder) { writer in
      var configuration = RunConfiguration()
      configuration.tracker.motion.armAfter = .seconds(5)
      configuration.seed = 12
      let run = try TrackerRun(configuration, log: writer) { _, _ in }
      for second in 0..<60 {
        try run.feed(fix(second))
        try run.feed(.inertial(InertialSample(time: .seconds(second), specificForce: Vector3(0, 0, 9.8))))
        if second % 20 == 7 { try run.feed(.command(.seconds(second)), payload: Array("locate".utf8)) }
        if second % 20 == 9 { try run.feed(.bytes(port: 0, time: .seconds(second)), payload: Array("$GPGGA\r\n".utf8)) }
      }
    }
    return try readAll(log)
  }

  private func readAll(_ log: [UInt8]) throws -> [Piece] {
    let reader = try LeashLogReader(ByteSource(bytes: log, name: "log"))
    var pieces: [Piece] = []
    while let record = try reader.next() { pieces.append(Piece(record: record, bytes: reader.payload)) }
    return pieces
  }

  private func log(_ pieces: some Sequence<Piece>) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    return try writeLog(folder) { writer in
      for piece in pieces {
        switch piece.record {
        case .configuration: try writer.append(configuration: piece.bytes.span)
        case .input(let input): try writer.append(input, bytes: piece.bytes.span)
        case .action(let time): try writer.append(action: piece.bytes.span, at: time)
        case .output(let port, let time): try writer.append(output: piece.bytes.span, to: port, at: time)
        case .note(let time): try writer.append(note: piece.bytes.span, at: time)
        case .continuation: try writer.append(continuationOf: String(decoding: piece.bytes, as: UTF8.self))
        }
      }
    }
  }

  private func check(_ logs: [[UInt8]], names: [String] = []) throws(RecordingError) -> ReplayVerdict {
    var readers: [LeashLogReader] = []
    for (place, bytes) in logs.enumerated() {
      let name = place < names.count ? names[place] : "log"
      readers.append(try LeashLogReader(ByteSource(bytes: bytes, name: name)))
    }
    return try ReplayVerifier.check(readers)
  }

  private func isOutput(_ piece: Piece) -> Bool {
    switch piece.record {
    case .action, .output: true
    default: false
    }
  }

  @Test func aRunReplaysAndEveryChangeOfWhatItDidIsTheFirstDifference() throws {
    let pieces = try pieces()
    let outputs = pieces.indices.filter { isOutput(pieces[$0]) }
    let inputs = pieces.count { if case .input = $0.record { true } else { false } }
    let whole = try check([log(pieces)])
    #expect(whole.difference == nil && whole.matchCount == outputs.count && whole.inputCount == inputs)
    #expect(outputs.count >= 4 && inputs > 120)
    // A remark changes nothing.
    var noted = pieces
    noted.insert(Piece(record: .note(.zero), bytes: [65]), at: outputs[0])
    #expect(try check([log(noted)]).difference == nil)
    for (number, place) in outputs.enumerated() {
      let text = (String(decoding: pieces[place].bytes, as: UTF8.self))
      let isPacket = if case .output = pieces[place].record { true } else { false }
      let shown = (isPacket ? "output " : "") + text
      let time = try #require(pieces[place].record.time)
      // Other bytes.
      var changed = pieces
      changed[place].bytes[2] ^= 1
      var found = try #require(try check([log(changed)]).difference)
      #expect(found.record == place + 1 && found.time == time && found.replayed == shown && found.logged != shown)
      #expect(found.logged?.count == shown.count)
      // Another time.
      changed = pieces
      changed[place].record =
        isPacket ? .output(port: 2, time: time + .milliseconds(1)) : .action(time + .milliseconds(1))
      found = try #require(try check([log(changed)]).difference)
      #expect(found.record == place + 1 && found.replayed == shown)
      // Left out: the log goes on with something else, or ends.
      changed = pieces
      changed.remove(at: place)
      let verdict = try check([log(changed)])
      found = try #require(verdict.difference)
      #expect(found.record >= place + 1 && verdict.matchCount >= number && found.replayed != nil)
      // One too many.
      changed = pieces
      changed.insert(pieces[place], at: place + 1)
      #expect(try check([log(changed)]).difference != nil)
      #expect(try check([log(changed)]).matchCount == number + 1)
      // An event for a packet, and the reverse.
      changed = pieces
      changed[place].record = isPacket ? .action(time) : .output(port: 2, time: time)
      #expect(try check([log(changed)]).difference?.record == place + 1)
    }
  }

  @Test func aLogThatEndsEarlyIsADifferenceUnlessItWasCut() throws {
    let pieces = try pieces()
    let last = try #require(pieces.indices.last { isOutput(pieces[$0]) })
    let short = try log(pieces[..<last])
    let found = try #require(try check([short]).difference)
    #expect(found.logged == nil && found.replayed != nil && found.record == last + 1)
    #expect(found.time == pieces[last].record.time)
    // A power cut in the middle of the record that is missing.
    let cut = try log(pieces[...last])
    #expect(try check([Array(cut.dropLast(3))]).difference == nil)
  }

  @Test func logsOfOneRunReplayTogetherAndOnlyInTheirOrder() throws {
    let pieces = try pieces()
    let first = try log(pieces[..<70])
    func next(_ name: String, _ configuration: Piece) throws -> [UInt8] {
      try log([configuration, Piece(record: .continuation, bytes: Array(name.utf8))] + Array(pieces[70...]))
    }
    func failure(_ logs: [[UInt8]], _ names: [String]) -> String? {
      do throws(RecordingError) {
        _ = try check(logs, names: names)
        return nil
      } catch {
        return error.description
      }
    }
    let second = try next("a.leash", pieces[0])
    for name in ["a.leash", "/x/a.leash"] {
      let verdict = try check([first, second], names: [name, "b.leash"])
      #expect(verdict.difference == nil && verdict.matchCount == pieces.count { isOutput($0) })
    }
    #expect(
      failure([first, second], ["xa.leash", "b"]) == "b: a log that continues a.leash; expected that log before it")
    #expect(failure([first, try next("c", pieces[0])], ["a", "b"])?.hasPrefix("b: a log that continues c") == true)
    #expect(
      failure([first, first], ["a", "b"]) == "b: a log with a beginning of its own; expected one that continues a")
    #expect(failure([second], ["b"])?.hasPrefix("b: a log that continues a.leash") == true)
    #expect(
      failure([first, try next("", pieces[0])], ["a", "b"])?.hasPrefix("b: a log that begins in the middle of a run")
        == true)
    var other = pieces[0]
    other.bytes = Array(String(decoding: other.bytes, as: UTF8.self).replacing("seed=12", with: "seed=13").utf8)
    #expect(
      failure([first, try next("a", other)], ["a", "b"])
        == "b: another configuration; expected the log that continues a")
    #expect(failure([try log(pieces[1...])], ["x"])?.hasPrefix("x: a Leash log without a configuration") == true)
    other.bytes = Array("seed=1\nno.such=3\n".utf8)
    #expect(
      failure([try log([other])], ["x"])
        == "x: setting 'no.such' in the configuration; expected settings this version knows")
    // A difference in the second is counted in the second.
    var changed = Array(pieces[70...])
    let place = try #require(changed.firstIndex { isOutput($0) })
    changed[place].bytes[2] ^= 1
    let bad = try log([pieces[0], Piece(record: .continuation, bytes: Array("a".utf8))] + changed)
    #expect(try check([first, bad], names: ["a", "b"]).difference?.record == place + 3)
    #expect(try ReplayVerifier.check([]) == ReplayVerdict())
  }

  @Test func commandsComeFromTheirTextAndGoBackToIt() {
    for text in ["alerts on", "alerts off", "dismiss 4294967295", "locate", "track 10.0 604800.0", "track 0.5 600.0"] {
      #expect(Request(text: text)?.text == text)
    }
    #expect(Request(text: "track 10 600") == .track(interval: .seconds(10), duration: .seconds(600)))
    #expect(Request(text: "  locate ") == .locate, "blanks do not matter")
    for text in [
      "", "alerts", "alerts maybe", "alerts on off", "dismiss", "dismiss -1", "dismiss 4294967296", "dismiss 1 2",
      "track 10", "track 0 600", "track 10 0", "track 10 604801", "track nan 5", "track 5 inf", "locate now",
      "localise",
    ] {
      #expect(Request(text: text) == nil, "\(text)")
    }
  }

  @Test func mountingsComeFromTheirTextAndGoBackToIt() {
    for text in ["+x +y +z", "+y -x +z", "-x -y +z", "+z +x +y"] { #expect(Mounting(text: text)?.text == text) }
    for text in ["", "+x +y", "+x +y -z", "+x +x +y", "x y z", "+x +y +z +x", "0 0 0 0", "1 2 3", "1 0 0 x"] {
      #expect(Mounting(text: text) == nil, "\(text)")
    }
    let turned = Mounting(text: "0.5 0.5 -0.5 0.5")
    #expect(
      turned?.text == "0.5 0.5 -0.5 0.5"
        && turned == Mounting(bodyFromSensor: Quaternion(w: 0.5, x: 0.5, y: -0.5, z: 0.5)))
  }
}
