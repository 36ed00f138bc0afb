import Gear
import Glibc
import Quantities
import Recording
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Gear beside a tracker that rides.
@Suite struct GearRunTests {
  @Test func theTrackerThatMovesFromBikeToBikeCountsForEach() throws {
    let bench = try GearBench()
    #expect(try bench.ask("gear add road bike") == "gearChanged road")
    #expect(try bench.ask("gear add \"mud bike\" bike") == "gearChanged mud bike")
    try bench.ask("gear use road")
    let first = try bench.ride(seconds: 300)
    try bench.ask("gear use \"mud bike\"")
    let second = try bench.ride(seconds: 200, speed: -6)
    #expect(first > 1400 && second > 1100)
    let (road, mud) = (try #require(bench.gear("road")), try #require(bench.gear("mud bike")))
    #expect(road.distance == first && mud.distance == second && road.rides == 1 && mud.rides == 1)
    #expect(road.moving >= 290 && road.moving <= 310)
    let ride = try #require(bench.run.lookAtGear { $0.ride(2) })
    #expect(ride.metres == UInt32(second) && ride.end > ride.start && ride.start > 1_764_000_000)
    #expect(try bench.ask("gear assign 2 road") == "gearChanged road")
    #expect(bench.gear("road")?.distance == first + second && bench.gear("mud bike")?.distance == 0)
  }

  @Test func aChainThatIsDueIsToldOnceInAPacketAndNoAnswerIsLostForIt() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    try bench.ask("gear counter road chain distance 2000")
    try bench.ride(seconds: 300)
    #expect(bench.count("gearDue") == 0)
    try bench.ride(seconds: 300, speed: -5)
    #expect(bench.count("gearDue") == 1 && bench.value("gearDue") == "chain, road")
    try bench.ride(seconds: 300)
    #expect(bench.count("gearDue") == 1)
    #expect(try bench.ask("gear counter road tyre days 1") == "gearChanged road")
    try bench.ask("gear reset road chain")
    try bench.ride(seconds: 200)
    // Made due by a request, the notice comes behind its answer and is not taken for it.
    #expect(try bench.ask("#7 gear counter road chain distance 500") == "gearChanged road")
    #expect(bench.count("gearDue") == 2 && bench.told.last?.contains("chain, road") == true)
    try bench.wait(days: 1)
    #expect(bench.count("gearDue") == 3 && bench.value("gearDue") == "tyre, road")
  }

  @Test func whatWasCarriedWearsNothing() throws {
    let bench = try GearBench()
    try bench.ask("gear add bike bike")
    try bench.ask("gear use bike")
    let ridden = try bench.ride(seconds: 200)
    try bench.ride(seconds: 300, speed: 20)
    #expect(try bench.ask("odometer carried").hasPrefix("odometerCorrected"))
    #expect(bench.gear("bike")?.ridden == ridden)
    #expect(try bench.ask("odometer carried").hasPrefix("odometerCorrected"))
    #expect(bench.gear("bike")?.ridden == ridden, "said again it changes nothing")
    #expect(bench.run.lookAtGear { $0.ride($0.lastRide)?.metres } == 0, "in the list it has no length, either")
    let more = try bench.ride(seconds: 200)
    #expect(bench.gear("bike")?.ridden == ridden + more)
  }

  @Test func aRequestThatComesAgainIsNotObeyedAgain() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    #expect(try bench.ask("#5 gear set road distance 100") == "gearChanged road")
    #expect(try bench.ask("#5 gear set road distance 200") == "repeated")
    #expect(bench.gear("road")?.distance == 100 && bench.gear("road")?.change?.request == 5)
    #expect(try bench.ask("#6 gear set mud distance 200") == "gearRefused unknownGear")
    #expect(try bench.ask("gear wash road") == "gearRefused unreadable")
    let next = try GearBench(restoring: bench.state)
    #expect(try next.ask("#5 gear set road distance 300") == "repeated" && next.gear("road")?.distance == 100)
  }

  @Test func whoeverIsNoOwnerAnyMoreLeavesNoGearBehind() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    try bench.ride(seconds: 200)
    #expect(try bench.ask("unclaim") == "unclaimed")
    #expect(bench.gear("road") == nil && bench.run.lookAtGear { $0.ride(1) } == nil)
    #expect(!String(decoding: bench.state, as: UTF8.self).contains("road"))
  }

  @Test func itTellsWhichBikeCameHome() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    try bench.ask("place 1 set \"home\" 52,4 80")
    try bench.ask("place 2 set \"office\" 52.0134831,4 80")
    let out = try bench.ride(seconds: 300)
    #expect(bench.count("cameHome") == 0)
    let back = try bench.ride(seconds: 300, speed: -5)
    #expect(bench.value("cameHome") == "2 \(out + back) road")
    #expect(try bench.ask("gear") == "gear road")
  }

  /// A power cut after each change of the state: a ride is in the gear exactly when its summary waits, and a request whose number is
  /// used up was obeyed.
  @Test func noPowerCutLosesARideOrCountsItTwice() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    try bench.ask("gear counter road chain distance 1000")
    let before = bench.store.states.count
    let distance = try bench.ride(seconds: 300)
    try bench.ask("#9 gear set road distance 5")
    #expect(bench.count("gearDue") == 1)
    var seen: Set<Int64> = []
    for state in bench.store.states[(before - 1)...] {
      let next = try GearBench(restoring: state)
      let total = try #require(next.gear("road")).ridden
      let isTold = next.told.contains { $0.contains("\"type\":\"ride\"") }
      // All packets are acknowledged at once, so that the summary waits in the change that made it.
      if isTold { #expect(total == distance) }
      #expect(total == 0 || total == distance)
      seen.insert(total)
      let isSet = next.gear("road")?.change != nil
      #expect(try next.ask("#9 gear set road distance 5") == (isSet ? "repeated" : "gearChanged road"))
      #expect(next.gear("road")?.distance == 5)
    }
    #expect(seen == [0, distance])
  }

  @Test func aRestartInTheMiddleOfARideCountsAllOfIt() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    try bench.ride(seconds: 300)
    let next = try GearBench(restoring: bench.state)
    #expect(next.gear("road")?.distance == bench.gear("road")?.distance)
    #expect(try next.ask("gear") == "gear road")
    let more = try next.ride(seconds: 200)
    #expect(next.gear("road")?.distance == (bench.gear("road")?.distance ?? 0) + more)
    #expect(next.run.lookAtGear { $0.lastRide } == 2)
  }

  /// In a garage and on the way from it no fix is there: the way of the ride is known when it has long been parked.
  @Test func aRideThatNoFixSawCountsWhenOneShowsWhereItWent() throws {
    let bench = try GearBench()
    try bench.ask("gear add road bike")
    try bench.ask("gear use road")
    for _ in 0..<30 { try bench.fix(speed: 0) }
    try bench.feel(0, seconds: 400, speed: 0)
    try bench.feel(2, seconds: 300, speed: 5)
    try bench.feel(0, seconds: 400, speed: 0)
    #expect(bench.run.lookAtGear { $0.lastRide } == 1 && bench.gear("road")?.distance == 0)
    for _ in 0..<30 { try bench.fix(speed: 0) }
    #expect((1480...1520).contains(bench.gear("road")?.distance ?? 0), "\(bench.gear("road")?.distance ?? 0)")
    #expect(bench.run.lookAtGear { $0.lastRide } == 1 && bench.gear("road")?.rides == 1)
    let next = try GearBench(restoring: bench.state)
    #expect(next.gear("road")?.distance == bench.gear("road")?.distance)
  }

  // MARK: Logs

  @Test func aLogWithGearReplaysToTheSameBytes() throws {
    let path = "/tmp/leash-gear-\(getpid()).llog"
    defer { unlink(path) }
    let writer = try LeashLogWriter(path: path)
    let bench = try GearBench(log: writer)
    try bench.ask("gear add road bike")
    try bench.ask("#1 gear use road")
    try bench.ask("gear counter road chain distance 1000")
    try bench.ask("gear wash road")
    try bench.ride(seconds: 300)
    try bench.ask("#2 gear assign 1 none")
    try bench.ask("#2 gear assign 1 road")
    try writer.close()
    // A tracker without gear does the same, as the log has what gear told.
    let verdict = try ReplayVerifier.check([LeashLogReader(path: path)])
    #expect(verdict.difference == nil && verdict.matchCount >= bench.told.count)
    // A run with gear makes it anew from the same inputs, and tells it once.
    let again = try GearBench()
    let log = try openRecording(path, port: Port.gnss.rawValue)
    while let input = try log.next() {
      switch input {
      case .acknowledgement, .settlement, .spooled, .recalled, .spoolCount: break
      default: try again.run.feed(input, payload: log.payload)
      }
    }
    #expect(again.told == bench.told && again.count("gearDue") == 1)
    #expect(again.run.lookAtGear { $0.ride(1)?.gear } == bench.run.lookAtGear { $0.ride(1)?.gear })
  }

  @Test func aTrackerAloneKnowsNoGear() {
    var tracker = Tracker()
    let text = Array("gear add road bike".utf8)
    let verdict = tracker.receive(text.span, from: .console, by: RequestDoor(), at: .seconds(1))
    #expect(verdict == .refused(.unsupported, channel: 0))
  }

  @Test(arguments: ["=gearDue #0 chain, road", "=gearChanged #17 #5 bike", "=gear #999999999"])
  func whatGearTellsIsReadBackFromALog(_ text: String) throws {
    let bytes = Array(text.utf8)
    let read = RequestVerdict(bytes.span)
    let verdict = try #require(read)
    var written = ByteBuffer()
    verdict.encode(into: &written)
    #expect(String(decoding: written.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: ["=gearDue", "=gearDue #1000000000", "=nothing #1", "= #1", "gearDue #1"])
  func whatIsNoneIsNotTold(_ text: String) {
    let bytes = Array(text.utf8)
    let read = RequestVerdict(bytes.span)
    #expect(read == nil)
  }
}
