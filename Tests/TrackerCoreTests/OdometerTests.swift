import Quantities
import TestSupport
import Testing
import TrackerCore
import TrackerRuntime

/// A receiver at a place that wanders about it: each coordinate is a normal number with a correlation over five minutes.
private struct WanderingReceiver {
  private var random: SeededRandom
  private let deviation: Double
  private let share: Double
  private var east: Double
  private var north: Double

  /// - Parameters:
  ///   - radius: 68 % of the fixes are within it, m.
  ///   - every: Seconds between two fixes.
  init(radius: Double, every seconds: Double, seed: UInt64) {
    random = SeededRandom(seed: seed)
    deviation = radius / 1.51
    share = Elementary.exp(-seconds / 300)
    (east, north) = (random.normal() * deviation, random.normal() * deviation)
  }

  mutating func next(at time: Instant, accuracy: Double?) -> GNSSFix {
    let fresh = deviation * (1 - share * share).squareRoot()
    east = east * share + random.normal() * fresh
    north = north * share + random.normal() * fresh
    var fix = GNSSFix(time: time)
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_250, longitudeDegrees: 4 + east / 68_680)
    fix.horizontalAccuracy = accuracy
    return fix
  }
}

/// Parked for 30 days with the receiver on: at 5, 15 and 50 m of wander, with an accuracy that is right, three times too good and three
/// times too bad.
@Test(arguments: [5.0, 15, 50], [1.0, 1 / 3.0, 3])
func parkedForThirtyDaysItTravelsNothing(radius: Double, stated share: Double) throws {
  var tracker = Tracker()
  let every = 600
  var receiver = WanderingReceiver(radius: radius, every: Double(every), seed: UInt64(radius))
  var rides = 0
  for number in 0..<30 * 86_400 / every {
    let time = Instant.zero + .seconds(number * every)
    tracker.advance(to: time)
    while tracker.nextAction() != nil {}
    tracker.process(receiver.next(at: time, accuracy: radius * share))
    while let action = tracker.nextAction() {
      if case .event(let event) = action, case .motion(.rideStarted) = event.kind { rides += 1 }
    }
  }
  #expect(tracker.distance == 0 && rides == 0, "\(tracker.distance) m in \(rides) rides")
}

/// What the owner tells of the odometer.
@Suite struct OdometerRequestTests {
  private func ask(_ text: String, of bench: RequestBench) throws -> String {
    _ = bench.news()
    let reason = try bench.ask(text)
    let packet = bench.news().last ?? ""
    guard let value = field("value", packet) else { return reason }
    return reason + " " + value.filter { $0 != "\"" }
  }

  @Test func untouchedItIsMeasuredAndHasNoSection() throws {
    let bench = try RequestBench()
    #expect(try ask("odometer", of: bench) == "odometerMeasured 0 0")
    #expect(bench.sections[12] == nil && bench.run.look { $0.odometer.change } == nil)
  }

  @Test func whatWasTravelledWithoutItIsAddedAndSaidToBeImported() throws {
    let bench = try RequestBench()
    #expect(try ask("odometer add 1200", of: bench) == "odometerImported 0")
    #expect(try ask("odometer add 300", of: bench) == "odometerImported 1200")
    #expect(try ask("odometer", of: bench) == "odometerImported 1500 0")
    _ = try bench.ask("ping")
    #expect(field("distance", bench.news().last) == "1500")
    // What was measured is not touched.
    #expect(bench.run.distance == 0)
  }

  @Test func theOdometerIsSetAndWhatItWasIsKept() throws {
    let bench = try RequestBench()
    try bench.fix()
    #expect(try ask("odometer add 1200", of: bench) == "odometerImported 0")
    #expect(try ask("#7 odometer set 700", of: bench) == "odometerCorrected 1200")
    #expect(try ask("odometer add 50", of: bench) == "odometerCorrected 700", "corrected it stays")
    #expect(try ask("#8 odometer set 4294967295", of: bench) == "odometerCorrected 750")
    #expect(try ask("odometer add 4294967295", of: bench) == "odometerCorrected 4294967295")
    let odometer = bench.run.look { $0.odometer }
    #expect(odometer.metres == 8_589_934_590 && odometer.source == .corrected)
    #expect(odometer.change?.before == 4_294_967_295 && odometer.change?.after == 8_589_934_590)
    #expect(odometer.change?.request == 0 && odometer.change?.utc != nil)
    // A packet has 32 bits.
    _ = try bench.ask("ping")
    #expect(field("distance", bench.news().last) == "4294967295")
    let changes = bench.events.filter { $0.contains("\"odometerChanged\"") }
    #expect(changes.count == 5 && changes.first?.contains("\"before\":0,\"after\":1200") == true)
  }

  @Test func aRestartKeepsItAndAnEarlierStateHasNone() throws {
    let bench = try RequestBench()
    #expect(try ask("#9 odometer set 12000", of: bench) == "odometerCorrected 0")
    let next = try RequestBench(restoring: bench.state)
    #expect(next.run.look { $0.odometer } == bench.run.look { $0.odometer })
    #expect(next.run.look { $0.odometer.change?.request } == 9)
    #expect(try ask("odometer", of: next) == "odometerCorrected 12000 0")
    let earlier = bench.sections.filter { $0.key != 12 }
    let old = try RequestBench(restoring: earlier.keys.sorted().flatMap { earlier[$0] ?? [] })
    #expect(try ask("odometer", of: old) == "odometerMeasured 0 0")
  }

  @Test func whatIsNoNumberOfMetresIsUnreadable() throws {
    let bench = try RequestBench()
    for text in [
      "odometer set", "odometer set -1", "odometer set 4294967296", "odometer set 1.5", "odometer less 3",
      "odometer set 1 2", "odometer 12",
    ] {
      #expect(try ask(text, of: bench) == "unreadable", "\(text)")
    }
    #expect(bench.run.look { $0.odometer.metres } == 0)
  }
}

/// Two minutes northwards at 5 m/s, a silence over 400 m, and a minute more with a bend.
@Test func whatIsInDoubtGrowsOnTheWayAndSurvivesARestart() throws {
  var tracker = Tracker()
  func ride(_ tracker: inout Tracker, _ second: Int, _ north: Double, _ east: Double) {
    var fix = GNSSFix(time: .zero + .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_250, longitudeDegrees: 4 + east / 68_680)
    fix.speed = 5
    fix.horizontalAccuracy = 3
    tracker.process(fix)
    while tracker.nextAction() != nil {}
  }
  for second in 0...120 { ride(&tracker, second, 5 * Double(second), 0) }
  let before = tracker.odometer
  // 0.6 % of the way, and where it began to 3 m.
  #expect(
    before.uncertainty > (3.54 * 3.54 + 4.5).squareRoot() && before.uncertainty < (3.66 * 3.66 + 4.5).squareRoot())
  for second in 0...30 { ride(&tracker, 160 + second, 1000 + 5 * Double(second), 0) }
  for second in 1...30 { ride(&tracker, 190 + second, 1150, 5 * Double(second)) }
  // Half of the silence is more than all the rest.
  let odometer = tracker.odometer
  #expect(odometer.uncertainty > 200 && odometer.uncertainty < 201)
  var state = ByteBuffer()
  tracker.encodeState(into: &state)
  var next = Tracker()
  let isRestored = next.restore(state.bytes.span, at: .zero)
  #expect(isRestored && next.odometer == odometer)
}
