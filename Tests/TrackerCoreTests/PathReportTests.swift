import Glibc
import InlineStorage
import Quantities
import Recording
import Telemetry
import TestSupport
import Testing
import TrackerCore

private func fixture(_ name: String) -> String {
  var root = #filePath
  for _ in 0..<3 { root = String(root[..<(root.lastIndex(of: "/") ?? root.startIndex)]) }
  return root + "/fixtures/rides/" + name
}

/// A tracker whose packets are joined by whoever gets them.
private struct Shared: ~Copyable {
  var tracker: Tracker
  /// What it was told.
  private(set) var packets: [Packet] = []
  private(set) var kept: [UInt8] = []
  private var sent: [UInt32] = []

  init(_ change: (inout TrackerConfiguration) -> Void) {
    var configuration = TrackerConfiguration()
    change(&configuration)
    tracker = Tracker(configuration: configuration)
  }

  var locations: [Packet] { packets.filter { $0.kind == .location } }

  mutating func process(_ fix: GNSSFix) {
    wait(until: fix.time)
    tracker.process(fix)
    drain()
  }

  mutating func wait(until time: Instant) {
    while let due = tracker.nextDeadline, due < time {
      tracker.advance(to: due)
      drain()
    }
    tracker.advance(to: time)
    drain()
  }

  mutating func submit(_ request: Request, at time: Instant) {
    wait(until: time)
    tracker.submit(request, at: time)
    drain()
  }

  /// Power goes and comes back.
  mutating func restart(_ change: (inout TrackerConfiguration) -> Void) {
    var next = Shared(change)
    let time = tracker.now
    let state = kept
    let isRestored = next.tracker.restore(state.span, at: time)
    #expect(isRestored)
    next.packets = packets
    self = next
    drain()
  }

  mutating func drain() {
    act()
    while !sent.isEmpty {
      tracker.acknowledge(sent.removeFirst(), at: tracker.now)
      act()
    }
  }

  private mutating func act() {
    while let action = tracker.nextAction() {
      switch action {
      case .persist:
        var state = GrowingBytes()
        tracker.encodeState(.all, into: &state)
        for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &state) }
        kept = state.bytes
      case .transmit(let sequence, _):
        for place in 0..<tracker.outbox.count where tracker.outbox.packet(at: place).sequence == sequence {
          packets.append(tracker.outbox.packet(at: place))
        }
        sent.append(sequence)
      default: break
      }
    }
  }
}

/// How far a ride is from what packets tell of it.
private struct JoinedPath {
  /// The largest distance of a fix from the line between the positions told before and after it, m.
  var distance = 0.0
  /// Fixes that lie between two positions.
  var covered = 0

  /// - Parameter packets: Positions are joined in the order of their times; where it is parked is none of the path.
  init(_ packets: [Packet], of fixes: [GNSSFix], from start: Instant = .init(microseconds: .min)) {
    let told = packets.filter { $0.kind != .parking }.compactMap(\.position).filter { $0.fixTime >= start }
      .sorted { $0.fixTime < $1.fixTime }
    var next = 0
    for (a, b) in zip(told, told.dropFirst()) where a.fixTime < b.fixTime {
      while next < fixes.count, fixes[next].time < a.fixTime { next += 1 }
      while next < fixes.count, fixes[next].time <= b.fixTime {
        defer { next += 1 }
        guard fixes[next].hasPosition, let position = fixes[next].position else { continue }
        covered += 1
        distance = max(distance, JoinedPath.metres(position, a, b))
      }
    }
  }

  /// In a map of latitude and longitude, in metres by the radii of the ellipsoid at the fix.
  private static func metres(_ fix: GeodeticPosition, _ a: PacketPosition, _ b: PacketPosition) -> Double {
    let sine = sin(fix.latitudeDegrees * .pi / 180)
    let w = 1 - 0.006_694_379_990_14 * sine * sine
    let east = 6_378_137 / w.squareRoot() * (1 - sine * sine).squareRoot() * (.pi / 180)
    let north = 6_378_137 * (1 - 0.006_694_379_990_14) / (w * w.squareRoot()) * (.pi / 180)
    func offset(_ place: PacketPosition) -> (x: Double, y: Double) {
      (
        (Double(place.longitudeE7) * 1e-7 - fix.longitudeDegrees) * east,
        (Double(place.latitudeE7) * 1e-7 - fix.latitudeDegrees) * north
      )
    }
    let (from, to) = (offset(a), offset(b))
    let (x, y) = (to.x - from.x, to.y - from.y)
    let square = x * x + y * y
    let share = square > 0 ? min(1, max(0, -(from.x * x + from.y * y) / square)) : 0
    return hypot(from.x + share * x, from.y + share * y)
  }
}

/// The first minutes of a recorded ride; with `from`, in the middle of it.
private func recordedRide(_ count: Int, from first: Int = 0) throws -> [GNSSFix] {
  Array(try recordedFixes(fixture("ardennes_edge1000_gnss.csv.gz")).dropFirst(first).prefix(count))
}

@Suite struct PathReportTests {
  @Test(arguments: [2.0, 10, 40]) func whoJoinsThePositionsHasTheRideWithinTheError(bound: Double) throws {
    for name in ["ardennes_edge1000_gnss.csv.gz", "leiden_edge1000_gap_gnss.csv.gz"] {
      let fixes = try recordedFixes(fixture(name))
      var owner = Shared {
        $0.reports.pathError = Float(bound)
        $0.reports.ridingInterval = .seconds(100_000)
      }
      for fix in fixes { owner.process(fix) }
      owner.wait(until: owner.tracker.now + .seconds(900))
      let path = JoinedPath(owner.packets, of: fixes)
      #expect(path.distance < bound, "\(name): \(path.distance) m")
      #expect(path.distance > bound * 0.8, "\(name): \(path.distance) m")
      // From the first fix to the last one that is not beside the end.
      #expect(path.covered > fixes.count * 9 / 10, "\(name)")
      let last = try #require(owner.packets.compactMap(\.position).max { $0.fixTime < $1.fixTime })
      let end = try #require(fixes.last { $0.hasPosition }?.position)
      #expect((Double(last.latitudeE7) * 100 - Double(end.latitudeE9)).magnitude * 1.11e-4 < bound)
      // The points of the ride, and not many packets besides.
      if name.hasPrefix("ardennes") { #expect(owner.locations.count < [2: 1000, 10: 450, 40: 260][bound] ?? 0) }
    }
  }

  @Test func withoutTheSettingThereAreNoPoints() throws {
    let fixes = try recordedRide(900)
    var owner = Shared { $0.reports.ridingInterval = .seconds(60) }
    for fix in fixes { owner.process(fix) }
    #expect(JoinedPath(owner.packets, of: fixes).distance > 20)
    #expect(owner.locations.allSatisfy { $0.fixAge == .zero })
  }

  @Test func everyPacketWithAPositionIsAPointOfThePath() throws {
    let fixes = try recordedRide(1500, from: 600)
    var owner = Shared { $0.reports.pathError = 6 }
    for (place, fix) in fixes.enumerated() {
      owner.process(fix)
      if place % 11 == 5 { owner.submit(place % 2 == 0 ? .locate : .ping, at: fix.time) }
      if place % 17 == 3 { owner.submit(.status(.all), at: fix.time + .milliseconds(300)) }
      if place % 97 == 40 { owner.submit(.checkpoint(Checkpoint(title: InlineBytes("a place"))), at: fix.time) }
    }
    let path = JoinedPath(owner.packets, of: fixes)
    #expect(path.distance < 6 && path.covered > 1400, "\(path)")
    #expect(owner.packets.filter { $0.kind == .status }.count > 100)
  }

  @Test func aPointTellsItsOwnTime() throws {
    let fixes = try recordedRide(900)
    var owner = Shared {
      $0.reports.pathError = 10
      $0.reports.staleAfter = .milliseconds(1500)
    }
    for fix in fixes { owner.process(fix) }
    let late = owner.locations.filter { $0.fixAge > .zero }
    #expect(late.count > 20)
    for packet in late {
      let position = try #require(packet.position)
      let fix = try #require(fixes.first { $0.time == position.fixTime })
      #expect(position == PacketPosition(fix))
      #expect(packet.isStale == (packet.fixAge > .milliseconds(1500)))
    }
    #expect(late.contains { $0.isStale } && late.contains { !$0.isStale })
  }

  @Test func theTimeBetweenReportsStillHolds() throws {
    var owner = Shared {
      $0.reports.pathError = 200
      $0.reports.ridingInterval = .seconds(20)
    }
    let fixes = try recordedRide(900)
    for fix in fixes { owner.process(fix) }
    let times = owner.locations.map(\.time)
    for (first, second) in zip(times, times.dropFirst()) { #expect(second - first <= .seconds(20)) }
    #expect(JoinedPath(owner.packets, of: fixes).distance < 200)
  }

  @Test func liveTrackingTellsThePathUntilItExpires() throws {
    let fixes = try recordedRide(1200)
    // Rides are not told as they go, but this one is for ten minutes.
    var owner = Shared {
      $0.reports.pathError = 5
      $0.reports.phases = [.alarmed]
    }
    let (begin, end) = (fixes[300].time, fixes[900].time)
    for fix in fixes {
      if fix.time == begin { owner.submit(.track(interval: .seconds(120), duration: end - begin), at: begin) }
      owner.process(fix)
    }
    let told = owner.locations.filter { $0.time >= begin }
    #expect(told.contains { $0.fixAge > .zero })
    #expect(told.allSatisfy { $0.time <= end }, "nothing after the end")
    let shared = fixes.filter { $0.time > begin && $0.time < end }
    let path = JoinedPath(told, of: shared)
    #expect(path.distance < 5 && path.covered > 500, "\(path)")
    let last = try #require(told.compactMap(\.position).last)
    #expect(end - last.fixTime < .seconds(30))
  }

  @Test func privacyEndsThePathWithWhatWasRiddenBefore() throws {
    let fixes = try recordedRide(1500)
    var owner = Shared { $0.reports.pathError = 8 }
    let (off, on) = (fixes[500].time + .milliseconds(500), fixes[900].time + .milliseconds(500))
    for fix in fixes {
      owner.process(fix)
      if fix.time == fixes[500].time { owner.submit(.privacy(isOn: true), at: off) }
      if fix.time == fixes[900].time { owner.submit(.privacy(isOn: false), at: on) }
    }
    let times = owner.packets.compactMap(\.position?.fixTime)
    #expect(times.allSatisfy { $0 <= off || $0 > on - .seconds(1) })
    let before = JoinedPath(owner.packets.filter { $0.time <= off }, of: fixes)
    let after = JoinedPath(owner.packets.filter { $0.time > on }, of: fixes)
    #expect(before.distance < 8 && before.covered > 400 && after.distance < 8 && after.covered > 500)
    // The last one before is beside where it was then.
    let last = try #require(times.last { $0 <= off })
    #expect(off - last < .seconds(60))
  }

  @Test func anErrorThatChangesHoldsFromThenOn() throws {
    let fixes = try recordedRide(1500)
    var owner = Shared { $0.reports.pathError = 50 }
    let changed = fixes[700].time + .milliseconds(200)
    for fix in fixes {
      owner.process(fix)
      guard fix.time == fixes[700].time, let request = Request(Array("set reports.pathError 3".utf8).span) else {
        continue
      }
      owner.submit(request, at: changed)
    }
    #expect(owner.tracker.configuration.reports.pathError == 3)
    let all = JoinedPath(owner.packets, of: fixes)
    #expect(all.distance < 50 && all.distance > 10 && all.covered > 1300)
    let after = JoinedPath(owner.packets, of: fixes, from: changed)
    #expect(after.distance < 3 && after.covered > 700)
  }

  @Test func afterARestartThePathBeginsAnew() throws {
    let fixes = try recordedRide(1500)
    let change: (inout TrackerConfiguration) -> Void = { $0.reports.pathError = 5 }
    var owner = Shared(change)
    for fix in fixes.prefix(800) { owner.process(fix) }
    let count = owner.packets.count
    owner.restart(change)
    for fix in fixes.dropFirst(800) { owner.process(fix) }
    // The first fix is told again, and the bound holds from there.
    let first = try #require(owner.packets.dropFirst(count).first { $0.position?.fixTime == fixes[800].time })
    #expect(first.kind == .location)
    let after = JoinedPath(owner.packets, of: fixes, from: fixes[800].time)
    #expect(after.distance < 5 && after.covered > 600, "\(after)")
    let before = JoinedPath(Array(owner.packets.prefix(count)), of: fixes)
    #expect(before.distance < 5 && before.covered > 700, "\(before)")
  }

  @Test func aStopOnTheWayDoesNotEndThePath() throws {
    var owner = Shared { $0.reports.pathError = 5 }
    var fixes: [GNSSFix] = []
    for second in 0..<420 {
      // A minute and a half of standing, long enough to settle, and on around the corner at a walk.
      let (east, north) = (Double(min(second, 120)) * 8, Double(max(second - 260, 0)) * 1.2)
      var fix = GNSSFix(time: .seconds(second + 1))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(
        latitudeDegrees: 53 + north / 111_300, longitudeDegrees: -6 + east / 67_100)
      fix.horizontalAccuracy = 3
      fix.speed = second <= 120 ? 8 : second <= 260 ? 0 : 1.2
      fixes.append(fix)
      owner.process(fix)
    }
    owner.submit(.locate, at: .seconds(421))
    let path = JoinedPath(owner.packets, of: fixes)
    #expect(path.distance < 5 && path.covered > 400, "\(path)")
    #expect(owner.locations.count < 16, "\(owner.locations.count)")
  }
}
