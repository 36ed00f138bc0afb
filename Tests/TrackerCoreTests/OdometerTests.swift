import Quantities
import TestSupport
import Testing
import TrackerCore

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
