import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import Recording
@testable import TrackerRuntime

/// A server that is away until it is told otherwise, and acknowledges one packet after another then.
private final class LateServer: DeliveryPort {
  let name = "late"
  private var isBack = false
  var state: UplinkState { isBack ? .open : .failed(reason: "away", retryAt: nil) }
  let capacity = 4
  var onNews: () -> Void = {}
  var arrived: [OutgoingPacket] = []
  private var held: [OutgoingPacket] = []
  private var news: [UplinkNews] = []

  func take(_ packet: OutgoingPacket, at now: Instant) {
    guard isBack else { return held.append(packet) }
    accept(packet)
  }

  private func accept(_ packet: OutgoingPacket) {
    arrived.append(packet)
    news.append(.delivered(sequence: packet.sequence))
    onNews()
  }

  func forget(_ sequence: UInt32, way: Int) { held.removeAll { $0.sequence == sequence } }
  func nextNews() -> UplinkNews? { news.isEmpty ? nil : news.removeFirst() }

  func comeBack() {
    isBack = true
    for packet in held { accept(packet) }
    held = []
    onNews()
  }
}

private let ride =
  String(#filePath.prefix(upTo: #filePath.range(of: "/Tests/")?.lowerBound ?? #filePath.endIndex))
  + "/fixtures/rides/ardennes_edge1000_gnss.csv.gz"

/// The recorded ride of 57 km with a server that is away to its end.
@Test(arguments: [20_000, 100])
func aRideWithoutAServerArrivesInOrderWhenItIsBack(capacity: Int) throws {
  var configuration = RunConfiguration()
  configuration.tracker.outbox.hasSpool = true
  let server = LateServer()
  let delivery = PacketDelivery([PacketDelivery.Way(server)], parameters: configuration.tracker.outbox, seed: 1)
  let spool = MemorySpool(capacity: capacity)
  let directory = try TemporaryDirectory()
  let path = directory.path + "/ride.leash"
  let log = try LeashLogWriter(path: path)
  var made: [UInt32] = []
  let run = try TrackerRun(configuration, log: log, delivery: delivery, spool: spool) { _, _ in }
  let importer = try openRecording(ride)
  while let input = try importer.next() { try run.feed(input, payload: importer.payload) }
  let end = run.now
  try run.advance(to: end + .seconds(400))
  let waiting = run.look { $0.outbox.nextSequence }
  made = Array(1..<waiting)
  #expect(made.count > 360 && server.arrived.isEmpty && run.diagnostics.packetsEvicted == 0)
  server.comeBack()
  try run.attend(at: run.now + .seconds(1))
  try run.advance(to: run.now + .seconds(10))
  try log.close()
  let numbers = server.arrived.map(\.sequence)
  // One was under way; then where it is now, and then where it was, in order.
  let express = try #require(numbers.max())
  #expect(express == waiting, "a packet of its own")
  let notices = server.arrived.count { $0.kind.priority == .notice }
  #expect(try #require(numbers.firstIndex(of: express)) <= 1 + notices, "the newest position goes before all others")
  let others = numbers.filter { $0 != express }
  let reports = server.arrived.filter { $0.kind.priority == .report && $0.sequence != express }.map(\.sequence)
  #expect(reports == reports.sorted())
  if capacity == 20_000 {
    #expect(others.sorted() == made, "every position arrives, once")
    #expect(spool.thinnedCount == 0)
  } else {
    // Thinned out: alerts, rides and parking places are all there, and no part of the way is missing.
    #expect(spool.thinnedCount > 100 && others.count + spool.thinnedCount == made.count)
    let missing = Set(made).subtracting(others)
    #expect(missing.count == spool.thinnedCount)
    let longestGap = missing.map { first in (0...).first { !missing.contains(first + UInt32($0)) } ?? 0 }.max() ?? 0
    #expect(longestGap < 16, "\(longestGap) in a row")
  }
  #expect(run.look { $0.outbox.count } == 0 && spool.count == 0)
  // The log replays to the same bytes, what the spool did included.
  let verdict = try ReplayVerifier.check([try LeashLogReader(path: path)])
  #expect(
    verdict.difference == nil && verdict.matchCount > (capacity == 20_000 ? 300 : 50),
    "\(String(describing: verdict.difference))")
}

/// A short outage: what was reported in it never left the outbox. Two packets that lag by a minute are worth one of where it is
/// now; fewer or fresher ones are not.
@Test(arguments: 2...9) func afterAShortOutageTheNewestPositionGoesFirst(reports: Int) throws {
  var configuration = RunConfiguration()
  configuration.tracker.outbox.hasSpool = true
  let server = LateServer()
  let delivery = PacketDelivery([PacketDelivery.Way(server)], parameters: configuration.tracker.outbox, seed: 1)
  let spool = MemorySpool(capacity: 20_000)
  let run = try TrackerRun(configuration, delivery: delivery, spool: spool) { _, _ in }
  let importer = try openRecording(ride)
  func waiting() -> Int {
    run.look { tracker in (0..<tracker.outbox.count).count { tracker.outbox.name(at: $0).kind == .location } }
  }
  var times: [Instant] = []
  while times.count < reports, let input = try importer.next() {
    try run.feed(input, payload: importer.payload)
    if waiting() > times.count { times.append(run.now) }
  }
  let made = run.look { $0.outbox.nextSequence }
  #expect(waiting() == reports && spool.count == 0 && server.arrived.isEmpty)
  server.comeBack()
  let answer = run.now + .seconds(1)
  try run.attend(at: answer)
  // It does not repeat itself for what is delivered now.
  try run.advance(to: run.now + .seconds(5))
  let locations = server.arrived.filter { $0.kind == .location }.map(\.sequence)
  let isWorthOne = reports > 2 && answer - times[1] >= .seconds(60)
  #expect(isWorthOne || reports < 9, "both sides are tried")
  #expect(locations.count == reports + (isWorthOne ? 1 : 0), "\(locations)")
  #expect((locations.max() ?? 0 >= made) == isWorthOne)
  if isWorthOne { #expect(locations.firstIndex(of: made) == 1, "behind the one that was under way: \(locations)") }
  let older = locations.filter { $0 < made }
  #expect(older == older.sorted() && older.count == reports, "then where it was, in order")
  #expect(run.look { $0.outbox.count } == 0)
}

/// The same ride to two receivers of which one is away to the end of it: the other gets each packet when it is made.
@Test func aRideToTwoReceiversOfWhichOneIsAwayArrivesAtTheOther() throws {
  var configuration = RunConfiguration()
  configuration.tracker.outbox.hasSpool = true
  configuration.tracker.outbox.receivers.append(.all)
  let (here, away) = (LateServer(), LateServer())
  here.comeBack()
  let delivery = PacketDelivery(
    [PacketDelivery.Way(away, receiver: 0), PacketDelivery.Way(here, receiver: 1)],
    parameters: configuration.tracker.outbox, seed: 1)
  let spool = MemorySpool(capacity: 20_000)
  let directory = try TemporaryDirectory()
  let path = directory.path + "/ride.leash"
  let log = try LeashLogWriter(path: path)
  let run = try TrackerRun(configuration, log: log, delivery: delivery, spool: spool) { _, _ in }
  let importer = try openRecording(ride)
  var mostMissing = 0
  while let input = try importer.next() {
    try run.feed(input, payload: importer.payload)
    let made = Int(run.look { $0.outbox.nextSequence }) - 1
    mostMissing = max(mostMissing, made - here.arrived.count)
  }
  try run.advance(to: run.now + .seconds(400))
  let made = Array(1..<run.look { $0.outbox.nextSequence })
  #expect(made.count > 360 && mostMissing <= 4, "no more than are under way at a time: \(mostMissing)")
  #expect(made.count < 380, "no position is told twice for the sake of one that is away: \(made.count)")
  #expect(here.arrived.map(\.sequence).sorted() == made && away.arrived.isEmpty)
  away.comeBack()
  try run.attend(at: run.now + .seconds(1))
  try run.advance(to: run.now + .seconds(10))
  try log.close()
  let all = Array(1..<run.look { $0.outbox.nextSequence })
  #expect(Set(away.arrived.map(\.sequence)) == Set(all) && Set(here.arrived.map(\.sequence)) == Set(all))
  #expect(here.arrived.count == all.count, "nobody gets a packet twice because another was away")
  #expect(run.look { $0.outbox.count } == 0 && spool.count == 0 && run.diagnostics.packetsEvicted == 0)
  let verdict = try ReplayVerifier.check([try LeashLogReader(path: path)])
  #expect(verdict.difference == nil && verdict.matchCount > 300, "\(String(describing: verdict.difference))")
}
