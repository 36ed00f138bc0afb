import InlineStorage
import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore

/// A bike with a receiver alone, and the kinds of its packets.
private struct Bike: ~Copyable {
  var tracker: Tracker
  var clock = Instant.seconds(1)
  var north = 0.0
  var kinds: [PacketKind] = []

  init(_ phases: ReportedPhases) {
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(20)
    configuration.reports.phases = phases
    tracker = Tracker(configuration: configuration)
  }

  mutating func fix(speed: Double) {
    tracker.advance(to: clock)
    drain()
    var fix = GNSSFix(time: clock)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_200, longitudeDegrees: 4)
    (fix.speed, fix.horizontalAccuracy) = (speed, 3)
    tracker.process(fix)
    drain()
    clock = clock + .seconds(1)
  }

  mutating func drain() {
    var sent: [UInt32] = []
    while let action = tracker.nextAction() {
      guard case .transmit(let sequence, let kind) = action else { continue }
      kinds.append(kind)
      sent.append(sequence)
    }
    for sequence in sent {
      tracker.acknowledge(sequence, at: tracker.now)
      while tracker.nextAction() != nil {}
    }
  }

  mutating func ride(seconds: Int) {
    for _ in 0..<seconds {
      north += 10
      fix(speed: 10)
    }
  }

  var reports: Int { kinds.count { $0 == .location } }
}

@Test func aRideIsNotReportedWhenTheOwnerDoesNotWantThat() {
  for (phases, isReported) in [([.riding, .alarmed], true), (.riding, true), (.alarmed, false), ([], false)]
    as [(ReportedPhases, Bool)]
  {
    var bike = Bike(phases)
    bike.ride(seconds: 120)
    #expect(bike.tracker.monitor.phase == .riding)
    #expect(
      isReported ? bike.reports >= 4 : bike.reports == 1, "\(bike.reports) of \(phases): the first place is always told"
    )
    // Asked for, a position is told in any case.
    bike.tracker.submit(.track(interval: .seconds(5), duration: .seconds(20)), at: bike.clock)
    bike.drain()
    let before = bike.reports
    bike.ride(seconds: 20)
    #expect(bike.reports >= before + 3)
  }
}

@Test func anAlarmIsNotFollowedWhenTheOwnerDoesNotWantThat() {
  for (phases, isFollowed) in [(.alarmed, true), (.riding, false)] as [(ReportedPhases, Bool)] {
    var bike = Bike(phases)
    for _ in 0..<60 { bike.fix(speed: 0) }
    #expect(bike.tracker.monitor.phase == .parked && bike.tracker.monitor.isArmed)
    let before = bike.reports
    for _ in 0..<30 {
      bike.north += 3
      bike.fix(speed: 3)
    }
    #expect(bike.tracker.monitor.phase == .stolen && bike.kinds.contains(.movement))
    #expect(bike.reports - before == (isFollowed ? 3 : 0), "\(phases)")
  }
}

@Test func aListOfPhasesIsChangedByARequestAndIsNoOtherWords() {
  var bike = Bike([.riding, .alarmed])
  bike.fix(speed: 0)
  for (text, phases) in [
    ("riding", .riding), ("alarmed", .alarmed), ("none", []), ("riding+alarmed", [.riding, .alarmed]),
  ] as [(String, ReportedPhases)] {
    let request = Request(text: "set reports.phases \(text)")
    #expect(request?.text == "set reports.phases \(text)")
    #expect(Request(text: "set reports.phases \(text.replacing("+", with: ","))") == request, "as a list with commas")
    if let request { bike.tracker.submit(request, at: bike.clock) }
    bike.drain()
    #expect(bike.tracker.configuration.reports.phases == phases)
  }
  for text in ["parked", "riding+", "riding,", "+", ",", "riding+none", "Riding"] {
    #expect(Request(text: "set reports.phases \(text)") == nil, "\(text)")
  }
  // A bit of a later version's word.
  var changes = SettingChanges()
  changes.append(SettingChange(id: 89, value: 5))
  bike.tracker.submit(.set(changes), at: bike.clock)
  bike.drain()
  #expect(bike.tracker.configuration.reports.phases == [.riding, .alarmed])
}
