import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import TrackerRuntime

/// A store whose storage answers when the test says so.
private final class LateStore: TrackerStore {
  var settledChange: UInt64 = 0
  private(set) var lastChange: UInt64 = 0
  private(set) var unkept: [UInt32] = []
  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    lastChange += 1
    return lastChange
  }
  func keep(beside tag: UInt8, _ record: [UInt8]) {}
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {
    #expect(wait == .seconds(2))
    unkept.append(sequence)
  }
}

/// A way that notes what it gets and answers nothing.
private final class SilentPort: DeliveryPort {
  let name = "silent"
  let state = UplinkState.open
  let capacity = 100
  var onNews: () -> Void = {}
  private(set) var taken: [UInt32] = []
  func take(_ packet: OutgoingPacket, at now: Instant) { taken.append(packet.sequence) }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { nil }
}

/// A way with room for one, which delivers when the test says so.
private final class NarrowPort: DeliveryPort {
  let name = "narrow"
  let state = UplinkState.open
  var onNews: () -> Void = {}
  private(set) var taken: [UInt32] = []
  private var news: [UplinkNews] = []
  func take(_ packet: OutgoingPacket, at now: Instant) { taken.append(packet.sequence) }
  func forget(_ sequence: UInt32, way: Int) {}
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }
  func deliver() {
    if let last = taken.last { news.append(.delivered(sequence: last)) }
    onNews()
  }
}

@Suite struct HeldOutputTests {
  private let store = LateStore()
  private let port = SilentPort()

  private func makeRun() throws -> TrackerRun {
    var configuration = RunConfiguration()
    configuration.tracker.outbox.window = 32
    let delivery = PacketDelivery(
      [PacketDelivery.Way(port)], parameters: configuration.tracker.outbox, seed: 1)
    return try TrackerRun(configuration, delivery: delivery, store: store) { _, _ in }
  }

  @Test func aPacketLeavesWhenItsChangeIsSettledAndNotBefore() throws {
    let run = try makeRun()
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    let first = store.lastChange
    try run.feed(.command(.seconds(2)), payload: Array("locate".utf8))
    #expect(port.taken.isEmpty && store.lastChange > first)
    store.settledChange = first - 1
    try run.attend(at: .milliseconds(2100))
    #expect(port.taken.isEmpty)
    store.settledChange = first
    try run.attend(at: .milliseconds(2200))
    #expect(port.taken == [1], "the second is part of a later change")
    store.settledChange = store.lastChange
    try run.attend(at: .milliseconds(2300))
    #expect(port.taken == [1, 2] && store.unkept.isEmpty)
    // The storage is quick again.
    store.settledChange = .max
    try run.feed(.command(.seconds(3)), payload: Array("locate".utf8))
    #expect(port.taken == [1, 2, 3])
  }

  @Test func eachWaitsTwoSecondsAndNoLonger() throws {
    let run = try makeRun()
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    try run.feed(.command(.milliseconds(1500)), payload: Array("locate".utf8))
    #expect(run.nextDeadline == .seconds(3))
    try run.attend(at: .seconds(3) - Interval(microseconds: 1))
    #expect(port.taken.isEmpty && store.unkept.isEmpty)
    try run.attend(at: .seconds(3))
    #expect(port.taken == [1] && store.unkept == [1] && run.nextDeadline == .milliseconds(3500))
    try run.advance(to: .seconds(10))
    #expect(port.taken == [1, 2] && store.unkept == [1, 2])
  }

  /// What a port has in hand can't be recalled: after an outage the newest position would come behind older ones.
  @Test func noReportIsBegunWhileSomethingMoreUrgentWaitsForTheStorage() throws {
    let port = NarrowPort()
    let delivery = PacketDelivery([PacketDelivery.Way(port)], seed: 1)
    let run = try TrackerRun(RunConfiguration(), delivery: delivery, store: store) { _, _ in }
    store.settledChange = .max
    for second in 1...3 { try run.feed(.command(.seconds(second)), payload: Array("locate".utf8)) }
    #expect(port.taken == [1])
    store.settledChange = store.lastChange
    try run.feed(.command(.seconds(4)), payload: Array("alerts off".utf8))
    port.deliver()
    try run.attend(at: .milliseconds(4100))
    #expect(port.taken == [1] && run.nextDeadline.map { $0 > .milliseconds(4100) } == true, "and nothing spins")
    store.settledChange = .max
    try run.attend(at: .milliseconds(4200))
    #expect(port.taken == [1, 4])
    port.deliver()
    try run.attend(at: .milliseconds(4300))
    #expect(port.taken == [1, 4, 2])
    // A report that waits itself holds nothing up.
    store.settledChange = store.lastChange
    try run.feed(.command(.seconds(5)), payload: Array("locate".utf8))
    port.deliver()
    try run.attend(at: .milliseconds(5100))
    #expect(port.taken == [1, 4, 2, 3])
  }

  /// What was taken back while it waited for the storage does not leave.
  @Test func whatIsGoneMeanwhileDoesNotLeave() throws {
    let run = try makeRun()
    try run.feed(.command(.seconds(1)), payload: Array("locate".utf8))
    try run.feed(.settlement(.seconds(1), sequence: 1, receiver: 0, isDelivered: true))
    try run.attend(at: .seconds(20))
    #expect(port.taken.isEmpty && store.unkept.isEmpty)
  }

  /// What people and programs are told comes with the packet: nobody hears of what a power cut would take back.
  @Test func nobodyIsToldBeforeTheStorageHasIt() throws {
    var told: [String] = []
    var configuration = RunConfiguration()
    configuration.tracker.outbox.window = 32
    let delivery = PacketDelivery([PacketDelivery.Way(port)], parameters: configuration.tracker.outbox, seed: 1)
    let run = try TrackerRun(configuration, delivery: delivery, store: store) { output, _ in
      switch output {
      case .event: told.append("event")
      case .packet(let sequence, _): told.append("packet \(sequence)")
      }
    }
    run.whenKept { told.append("at once") }
    #expect(told == ["at once"])
    try run.feed(.command(.seconds(1)), payload: Array("alerts off".utf8))
    run.whenKept { told.append("answer 1") }
    let first = store.lastChange
    try run.feed(.command(.seconds(2)), payload: Array("locate".utf8))
    run.whenKept { told.append("answer 2") }
    try run.attend(at: .milliseconds(2500))
    #expect(told == ["at once"])
    store.settledChange = first
    try run.attend(at: .milliseconds(2600))
    #expect(told.last == "answer 1" && told.contains("packet 1") && !told.contains("packet 2"))
    try run.attend(at: .seconds(4) - Interval(microseconds: 1))
    #expect(told.last == "answer 1")
    try run.attend(at: .seconds(4))
    #expect(Array(told.suffix(2)) == ["packet 2", "answer 2"] && store.unkept == [2])
  }
}
