import Quantities

/// A satellite receiver on the parked bicycle: fixes at 1 Hz whose error wanders as that of a real one does.
struct SceneReceiver: Sendable {
  /// Standard deviation of the error per horizontal axis, m, and what the receiver says of it (68 % radius).
  static let deviation = 2.0
  static let horizontalAccuracy = 4.0
  /// The same for the height, m.
  static let heightDeviation = 3.0
  /// Share of the error that is left after a second: a time constant of 30 s.
  static let persistence = 0.9672
  /// Standard deviation of the speed, m/s.
  static let speedDeviation = 0.1

  private let last: GNSSFix
  private let utcAhead: Int64?
  private let place: GeodeticPosition
  private let frame: LocalFrame
  private var eastError = 0.0
  private var northError = 0.0
  private var heightError = 0.0
  private var count = 0
  private var random: SeededRandom

  /// Goes on after the last fix of the ride; nil when that had no place to go on from.
  ///
  /// - Parameters:
  ///   - last: The last fix.
  ///   - located: The last fix with a position.
  ///   - timed: The last fix with UTC.
  init?(after last: GNSSFix, located: GNSSFix?, timed: GNSSFix?, seed: UInt64) {
    guard let located, let place = located.position else { return nil }
    self.last = last
    self.place = place
    frame = LocalFrame(at: place)
    utcAhead = timed.flatMap { fix in
      fix.utc.flatMap { utc in
        let (ahead, overflow) = utc.microseconds.subtractingReportingOverflow(fix.time.microseconds)
        return overflow ? nil : ahead
      }
    }
    height = located.heightAboveSeaLevel
    ellipsoidHeight = located.heightAboveEllipsoid
    random = SeededRandom(seed: seed, stream: 5)
  }

  private let height: Double?
  private let ellipsoidHeight: Double?

  /// When the next fix is due.
  var nextTime: Instant { last.time + .seconds(count + 1) }

  /// The next fix of a receiver that has moved (m) and moves (m/s, rad counterclockwise from east).
  mutating func next(east: Double, north: Double, speed: Double, yaw: Double) -> GNSSFix {
    var fix = GNSSFix(time: nextTime)
    count += 1
    // Starts from no error, so that the parked position does not jump when the recording ends.
    let innovation = (1 - SceneReceiver.persistence * SceneReceiver.persistence).squareRoot()
    let step = SceneReceiver.deviation * innovation
    eastError = SceneReceiver.persistence * eastError + step * random.gaussian()
    northError = SceneReceiver.persistence * northError + step * random.gaussian()
    heightError =
      SceneReceiver.persistence * heightError + SceneReceiver.heightDeviation * innovation * random.gaussian()
    let noise = SceneReceiver.speedDeviation * random.gaussian()
    fix.mode = .threeDimensional
    fix.position = frame.place(from: place, east: east + eastError, north: north + northError)
    fix.heightAboveSeaLevel = height.map { $0 + heightError }
    fix.heightAboveEllipsoid = ellipsoidHeight.map { $0 + heightError }
    let measured = speed + noise
    fix.speed = measured < 0 ? -measured : measured
    if speed > 0.5 {
      fix.course = Elementary.positiveAngle(.pi / 2 - yaw)
    }
    fix.horizontalAccuracy = SceneReceiver.horizontalAccuracy
    fix.verticalAccuracy = 1.5 * SceneReceiver.horizontalAccuracy
    fix.utc = utcAhead.flatMap { ahead in
      let (utc, overflow) = ahead.addingReportingOverflow(fix.time.microseconds)
      return overflow ? nil : UTCTime(microseconds: utc)
    }
    return fix
  }
}
