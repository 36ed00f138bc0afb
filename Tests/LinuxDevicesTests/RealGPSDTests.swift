import Foundation
import LinuxDevices
import NMEA
import Quantities
import ServerSupport
import Testing

/// Sentences of a recorded log.
private func log(_ name: String) throws -> [String] {
  var root = URL(fileURLWithPath: #filePath)
  for _ in 0..<3 { root.deleteLastPathComponent() }
  let bytes = try Data(contentsOf: root.appendingPathComponent("fixtures/nmea/\(name).log"))
  return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
}

/// What our own receiver makes of a log.
private func ownFixes(_ lines: [String]) -> [GNSSFix] {
  var receiver = NMEAReceiver()
  var fixes: [GNSSFix] = []
  for line in lines where !line.hasPrefix("#") {
    receiver.receive(Array((line + "\r\n").utf8).span, at: .zero)
    while let fix = receiver.nextFix() { fixes.append(fix) }
  }
  receiver.finish()
  while let fix = receiver.nextFix() { fixes.append(fix) }
  return fixes
}

/// Microseconds in 1024 weeks: gpsd moves dates before its own build on by as many of these as it takes.
private let rollover: Int64 = 1024 * 7 * 86_400 * 1_000_000

@Suite(.serialized) struct RealGPSDTests {
  @Test(arguments: ["mt3339", "skytraq-fix", "ublox-zed-f9p-nmea"])
  func itsFixesAreThoseOfOurOwnReceiver(name: String) throws {
    let lines = try log(name)
    guard let daemon = try GPSDServer(feeding: lines, pace: .milliseconds(1)) else { return }
    let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
    try bench.start()
    #expect(bench.turns { bench.fact("gpsd") != nil })
    daemon.begin()
    let own = ownFixes(lines).filter(\.hasPosition)
    let isLast = { (fix: GNSSFix) in
      fix.utc.map { $0.microseconds % rollover } == own.last?.utc.map { $0.microseconds % rollover }
    }
    // The last epochs may not come: nothing tells gpsd that they are over.
    let wanted = own.count - 3
    #expect(bench.turns { bench.fixes.filter(\.hasPosition).count >= wanted || bench.fixes.contains(where: isLast) })
    var compared = 0
    for fix in bench.fixes where fix.hasPosition {
      guard let utc = fix.utc,
        let same = own.first(where: { ($0.utc?.microseconds ?? 0) % rollover == utc.microseconds % rollover })
      else { continue }
      compared += 1
      let place = try #require(fix.position)
      let expected = try #require(same.position)
      #expect(abs(place.latitudeE9 - expected.latitudeE9) <= 1 && abs(place.longitudeE9 - expected.longitudeE9) <= 1)
      if let a = fix.heightAboveSeaLevel, let b = same.heightAboveSeaLevel { #expect(abs(a - b) < 0.001) }
      if let a = fix.speed, let b = same.speed { #expect(abs(a - b) < 0.001) }
    }
    #expect(compared + 5 >= own.count, "\(compared) of \(own.count) epochs")
    #expect(bench.fixes.contains { $0.satellitesUsed ?? 0 > 3 && $0.satellitesInView.total > 3 })
    #expect(bench.fixes.contains { $0.horizontalAccuracy != nil })
    #expect(bench.fact("receivers") == "\(daemon.device()) (NMEA0183)")
    #expect(bench.fact("unreadable lines") == nil)
    let times = bench.fixes.compactMap(\.utc)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "one fix of each epoch, in their order")
  }

  @Test func aGPSDThatIsKilledAndStartedAgainIsHeardAgain() throws {
    guard let daemon = try GPSDServer(feeding: try log("mt3339"), repeats: true) else { return }
    daemon.begin()
    let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
    try bench.start()
    #expect(bench.turns { bench.fixes.count > 2 })
    daemon.kill()
    #expect(bench.turns { bench.source.failure != nil })
    try bench.start()
    #expect(bench.turns { bench.source.failure != nil })
    #expect(bench.source.failure?.message.contains("nothing listens there") == true)
    try daemon.restart()
    let before = bench.fixes.count
    try bench.start()
    #expect(bench.turns { bench.fixes.count > before })
    #expect(bench.source.failure == nil)
  }

  @Test func aReceiverThatGPSDGetsLaterIsHeard() throws {
    let feeder = try NMEAFeeder(try log("mt3339"), repeats: true)
    feeder.begin()
    guard let daemon = try GPSDServer(feeders: [feeder], hasReceivers: false) else { return }
    let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
    try bench.start()
    #expect(bench.turns { bench.fact("receivers")?.hasPrefix("none") == true })
    try daemon.add(0)
    #expect(bench.turns { bench.fixes.contains(where: \.hasPosition) })
  }

  @Test func ofTwoReceiversOneIsHeardUntilItGoes() throws {
    guard let daemon = try GPSDServer(feeding: try log("mt3339"), try log("ublox-zed-f9p-nmea"), repeats: true) else {
      return
    }
    let bench = try SensorBench(GPSDSensor(port: daemon.port, clock: MachineClock()))
    try bench.start()
    daemon.feeders[0].begin()
    #expect(bench.turns { bench.fact("listens to") == daemon.device(0) && bench.fixes.contains(where: \.hasPosition) })
    daemon.feeders[1].begin()
    let spoken = "\(daemon.device(1)) (NMEA0183)"
    #expect(bench.turns { bench.fact("receivers")?.contains(spoken) == true })
    let before = bench.fixes.count
    #expect(bench.turns { bench.fixes.count > before + 20 })
    // Oregon is north of the equator, Dunedin south of it.
    #expect(bench.fixes.compactMap(\.position).allSatisfy { $0.latitudeE9 > 0 })
    try daemon.remove(0)
    #expect(bench.turns { bench.fixes.contains { ($0.position?.latitudeE9 ?? 0) < 0 } })
    #expect(bench.fact("listens to") == daemon.device(1))
  }
}
