import PacketForms
import Quantities
import Telemetry
import Testing
import TrackerRuntime

@testable import TrackerCore

/// Two positions never have one second, whatever comes how fast.
@Suite struct ToldSecondsTests {
  private func message(_ packet: Packet, _ part: Int = 0, as format: PacketFormat) -> String? {
    var buffer = ByteBuffer()
    guard packet.encode(part: part, as: format, trackerID: Array("bike42".utf8).span, into: &buffer) != nil else {
      return nil
    }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// The time of the location among the messages of a packet; nil when it has none.
  private func tst(_ packet: Packet) -> Int64? {
    for part in 0..<3 {
      guard let text = message(packet, part, as: .ownTracks) else { return nil }
      guard text.contains("\"_type\":\"location\""), let start = text.firstRange(of: "\"tst\":")?.upperBound else {
        continue
      }
      return Int64(text[start...].prefix { $0.isNumber })
    }
    return nil
  }

  /// A tracker whose packets all arrive at once.
  private struct Bench: ~Copyable {
    var tracker = Tracker()
    var second = 10
    private var packets: [Packet] = []
    init() {}
    static let start: Int64 = 1_764_000_000

    mutating func fix() {
      var fix = GNSSFix(time: .seconds(second))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52 + Double(second) / 100_000, longitudeDegrees: 4)
      fix.horizontalAccuracy = 5
      fix.utc = UTCTime(microseconds: (Bench.start + Int64(second)) * 1_000_000)
      tracker.process(fix)
      drain()
    }

    mutating func submit(_ request: Request) {
      tracker.submit(request, at: .seconds(second))
      drain()
    }

    mutating func restart() -> Bool {
      var state = ByteBuffer()
      tracker.encodeState(into: &state)
      tracker = Tracker()
      let isRestored = tracker.restore(state.bytes.span, at: .seconds(second))
      drain()
      return isRestored
    }

    /// The packets since the last look.
    mutating func news() -> [Packet] {
      defer { packets = [] }
      return packets
    }

    private mutating func drain() {
      while let action = tracker.nextAction() {
        guard case .transmit(let sequence, _) = action, let place = tracker.outbox.place(of: sequence) else { continue }
        packets.append(tracker.outbox.packet(at: place))
        tracker.acknowledge(sequence, at: .seconds(second))
      }
    }
  }

  /// Live tracking each second uses up all seconds, and whoever asks meanwhile asks for one more.
  @Test func questionsDuringLiveTrackingPushNoTwoPositionsIntoOneSecond() {
    var bench = Bench()
    bench.fix()
    bench.submit(.track(interval: .seconds(1), duration: .seconds(3000)))
    _ = bench.news()
    var told: [Int64] = []
    var osmAnd: Set<String> = []
    for second in 11...610 {
      bench.second = second
      bench.fix()
      for _ in 0..<(second % 30 == 0 ? 2 : 0) { bench.submit(.ping) }
      for packet in bench.news() {
        if let tst = tst(packet) {
          told.append(tst)
          #expect((0...6).contains(tst - Bench.start - Int64(second)))
        }
        let query = message(packet, as: .osmAnd) ?? ""
        guard query.contains("&lat=") else { continue }
        let time = query.split(separator: "&").first { $0.hasPrefix("timestamp=") }
        #expect(osmAnd.insert(String(time ?? "")).inserted)
      }
    }
    #expect(Set(told).count == told.count && told == told.sorted(), "\(told.map { $0 - Bench.start })")
    // A question costs one report at most.
    #expect(told.count >= 600 && osmAnd.count >= 600, "\(told.count)")
  }

  /// Answers that come faster than seconds pass go without their place rather than with the time of another.
  @Test func aBurstOfAnswersHasEachItsSecondOrNoPlace() {
    var bench = Bench()
    bench.fix()
    _ = bench.news()
    for _ in 0..<12 { bench.submit(.ping) }
    let packets = bench.news()
    let told = packets.compactMap(tst)
    #expect(packets.count == 12 && told == [11, 12, 13, 14, 15].map { Bench.start + $0 }, "\(told)")
    #expect(packets.filter { message($0, as: .ownTracks)?.contains("\"_type\":\"status\"") == true }.count == 7)
    #expect(packets.allSatisfy { message($0, as: .json)?.contains("\"latitude\":52.") == true })
    #expect(packets.filter { message($0, as: .ownTracksCompact) != nil }.count == 5)
    #expect(packets.filter { message($0, as: .osmAnd)?.contains("&lat=") == true }.count == 5)
    #expect(packets.filter { message($0, as: .traccar)?.contains("\"coords\"") == true }.count == 5)
  }

  @Test func aRestartGivesNoSecondAwayTwice() {
    var bench = Bench()
    bench.fix()
    for _ in 0..<4 { bench.submit(.ping) }
    let before = bench.news().compactMap(tst)
    let isRestored = bench.restart()
    bench.second += 1
    bench.fix()
    bench.submit(.ping)
    let after = bench.news().compactMap(tst)
    #expect(isRestored && before.count == 5 && !after.isEmpty)
    #expect(Set(before).isDisjoint(with: after), "\(before) \(after)")
  }

  /// Any seconds of the last minute in any order, as those of points that come late; and a clock that was wrong by minutes.
  @Test func noSecondIsGivenTwiceWhateverComes() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      var seconds = ToldSeconds(after: 0)
      var told: Set<UInt32> = []
      var now: UInt32 = 1_764_000_000
      for _ in 0..<400 {
        now += UInt32(random.next() % 5 / 3)
        let late = random.next() % 8 == 0 ? UInt32(random.next() % 57) : 0
        let room = UInt8(random.next() % 7)
        let added = seconds.note(now - late, room: room)
        guard added <= PacketPosition.mostAddedSeconds else { continue }
        #expect(added <= room && told.insert(now - late + UInt32(added)).inserted)
      }
      #expect(told.count > 100)
    }
    // A clock that was ahead by minutes, and by hours: each second is given once on the way back.
    for ahead: UInt32 in [200, 7200] {
      var seconds = ToldSeconds(after: 1_764_000_000 + ahead)
      var told: Set<UInt32> = []
      for second in UInt32(1_764_000_000)..<1_764_000_000 + 400 {
        for _ in 0..<2 {
          let added = seconds.note(second, room: 6)
          if added <= 6 { #expect(told.insert(second + UInt32(added)).inserted) }
        }
      }
      #expect(told.count > 300, "\(ahead): \(told.count)")
    }
  }
}
