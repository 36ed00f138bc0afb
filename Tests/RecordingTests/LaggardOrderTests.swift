import NMEA
import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A server behind a way with room for one, as HTTP has it; each answer takes 50 ms. While it is away a request fails after 50 ms, and
/// the way tries the same packet again after 5 s, or hands it back.
private final class OutagePort: DeliveryPort {
  let name = "outage"
  let handsBack: Bool
  /// When the server is away.
  let outages: [Range<Instant>]
  private(set) var state = UplinkState.open
  var onNews: () -> Void = {}
  private(set) var arrived: [(sequence: UInt32, kind: PacketKind, time: Instant)] = []
  private var current: OutgoingPacket?
  private(set) var nextPass: Instant?
  private var isAsking = false
  private var news: [UplinkNews] = []

  init(outages: [Range<Instant>], handsBack: Bool) { (self.outages, self.handsBack) = (outages, handsBack) }

  func take(_ packet: OutgoingPacket, at now: Instant) {
    guard current == nil else {
      Issue.record("the port has one already")
      return
    }
    current = packet
    isAsking = true
    nextPass = max(now + .milliseconds(50), nextPass ?? .zero)
  }

  func pass(to now: Instant) {
    guard let due = nextPass, due <= now else { return }
    nextPass = nil
    guard let packet = current else { return }
    guard isAsking else {
      isAsking = true
      nextPass = now + .milliseconds(50)
      return
    }
    isAsking = false
    if outages.contains(where: { $0.contains(now) }) {
      state = .failed(reason: "away", retryAt: nil)
      if handsBack {
        current = nil
        news.append(.undelivered(sequence: packet.sequence, reason: "away"))
      } else {
        nextPass = now + .seconds(5)
      }
    } else {
      state = .open
      arrived.append((packet.sequence, packet.kind, now))
      current = nil
      news.append(.delivered(sequence: packet.sequence))
    }
    onNews()
  }

  func forget(_ sequence: UInt32, way: Int) {
    if current?.sequence == sequence, !isAsking { (current, nextPass) = (nil, nil) }
  }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
}

/// A storage that needs 30 ms for what is to be kept.
private final class SlowStore: TrackerStore {
  private var due: [Instant] = []
  var now = Instant.zero
  var settledChange: UInt64 { UInt64(due.count { $0 <= now }) }
  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    due.append(now + .milliseconds(30))
    return UInt64(due.count)
  }
  func keep(beside tag: UInt8, _ record: [UInt8]) {}
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {}
}

/// A tracker that reports each 2 s to several receivers, each behind a way of its own.
private final class ReportingScene {
  let ports: [OutagePort]
  let run: TrackerRun
  let spool = MemorySpool()
  private let store = SlowStore()
  private var step = 0

  init(_ ports: [OutagePort]) throws {
    self.ports = ports
    var configuration = RunConfiguration()
    configuration.tracker.outbox.hasSpool = true
    for _ in ports.dropFirst() { configuration.tracker.outbox.receivers.append(.all) }
    let ways = ports.enumerated().map { PacketDelivery.Way($1, receiver: $0) }
    let delivery = PacketDelivery(ways, parameters: configuration.tracker.outbox, seed: 1)
    run = try TrackerRun(configuration, delivery: delivery, store: store, spool: spool) { _, _ in }
    try run.feed(.command(.zero), payload: Array("track 2 3600".utf8))
  }

  /// A fix each second, and a look each 10 ms.
  func live(to end: Instant) throws {
    while Instant(microseconds: Int64(step) * 10_000) < end {
      step += 1
      let now = Instant(microseconds: Int64(step) * 10_000)
      store.now = now
      if step % 100 == 0 {
        var fix = GNSSFix(time: now)
        fix.mode = .threeDimensional
        fix.utc = UTCTime(microseconds: 1_700_000_000_000_000 + now.microseconds)
        fix.position = GeodeticPosition(latitudeDegrees: 52, longitudeDegrees: 4 + Double(step) * 1e-6)
        try run.feed(.fix(fix))
      }
      try run.attend(at: now)
    }
  }
}

/// What was missed comes oldest first, behind the position of now; what is made meanwhile comes between, in its order.
@Test(arguments: [(1, false), (2, false), (1, true), (2, true)])
func whatAReceiverMissedComesOldestFirstBehindWhereTheVehicleIs(away: Int, handsBack: Bool) throws {
  let outage = Instant.seconds(20)..<Instant.seconds(90)
  let ports = [0, 1].map { OutagePort(outages: $0 < away ? [outage] : [], handsBack: handsBack) }
  let scene = try ReportingScene(ports)
  try scene.live(to: .seconds(90))
  let made = scene.run.look { $0.outbox.nextSequence }
  try scene.live(to: .seconds(200))
  let all = Array(1..<scene.run.look { $0.outbox.nextSequence })
  for (place, port) in ports.enumerated() {
    let numbers = port.arrived.map(\.sequence)
    #expect(Set(all).subtracting(numbers).isSubset(of: [all.last ?? 0]), "\(place): nothing is lost")
    #expect(numbers.count == Set(numbers).count, "\(place): nothing comes twice")
    let reports = port.arrived.filter { $0.kind == .location }
    guard place < away else {
      #expect(reports.map(\.sequence) == reports.map(\.sequence).sorted())
      continue
    }
    let late = reports.filter { $0.time >= .seconds(90) }.map(\.sequence)
    // What was handed back is tried at the end of its wait, and the others follow in order when it has arrived.
    let missed = late.filter { $0 < made }.dropFirst(handsBack ? 1 : 0)
    #expect(missed.count >= 29 && Array(missed) == missed.sorted(), "\(place): \(late)")
    let fresh = late.filter { $0 >= made }
    let express = try #require(fresh.first)
    #expect(
      try #require(late.firstIndex(of: express)) <= 1, "\(place): where it is now, behind the one under way: \(late)")
    #expect(Array(fresh.dropFirst()) == fresh.dropFirst().sorted(), "\(place): \(late)")
  }
  #expect(scene.spool.count == 0)
}
