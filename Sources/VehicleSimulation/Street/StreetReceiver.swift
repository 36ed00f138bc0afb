public import Quantities

/// The satellite receiver of a street scene: how it errs, and what it says of that.
public struct StreetReceiver: Equatable, Sendable {
  /// Standard deviation of the error per horizontal axis, m.
  public var sigma = 4.0
  /// Time in which the error is forgotten, s.
  public var tau = 300.0
  /// True when the error has no corners: its rate is continuous, as that of a receiver that filters.
  public var isSmooth = false
  /// Accuracy that the receiver states, m; nil when it states none.
  public var stated: Double? = 6
  /// Seconds between two fixes.
  public var every = 1.0
  /// Standard deviation of the speed per horizontal axis, m/s.
  public var doppler = 0.1
  /// Fixes far away in a week, and how far, m.
  public var outliersPerWeek = 0.0
  /// How far they are, m.
  public var outlierMetres = 80.0

  /// A receiver with an open sky.
  public init() {}
}

/// A receiver at work.
public struct StreetReceiverRun: Sendable {
  private let receiver: StreetReceiver
  private let place: GeodeticPosition
  private let frame: LocalFrame
  private var random: SeededRandom
  private var errors: [(value: Double, target: Double)]
  private var speeds = (east: 0.0, north: 0.0)
  private var outlier = (east: 0.0, north: 0.0)
  private var outlierFixes = 0
  /// Height and UTC of the scene.
  var origin = StreetOrigin()

  /// A receiver that has been on for long.
  public init(_ receiver: StreetReceiver, at place: GeodeticPosition, random: SeededRandom) {
    self.receiver = receiver
    self.place = place
    frame = LocalFrame(at: place)
    self.random = random
    errors = []
    for _ in 0..<2 {
      let value = self.random.gaussian() * receiver.sigma
      errors.append((value, value))
    }
  }

  /// The fix of a vehicle at a displacement (m) with a velocity (m/s).
  public mutating func fix(at time: Instant, east: Double, north: Double, velocity: (east: Double, north: Double))
    -> GNSSFix
  {
    advance()
    var fix = GNSSFix(time: time)
    fix.mode = .threeDimensional
    fix.position = frame.place(
      from: place, east: east + errors[0].value + outlier.east, north: north + errors[1].value + outlier.north)
    fix.heightAboveSeaLevel = origin.height + 1.5 * errors[0].value
    let e = velocity.east + speeds.east
    let n = velocity.north + speeds.north
    let speed = (e * e + n * n).squareRoot()
    fix.speed = speed
    if speed > 0.5 { fix.course = Elementary.positiveAngle(Elementary.atan2(e, n)) }
    fix.horizontalAccuracy = receiver.stated
    fix.satellitesUsed = 9
    fix.utc = UTCTime(microseconds: origin.utc.microseconds &+ time.microseconds)
    return fix
  }

  /// Lets its errors move on to the next fix, whether anybody gets that or not.
  mutating func advance() {
    let keep = Elementary.exp(-receiver.every / receiver.tau)
    // A smooth error follows a rough one, with a third of its time constant; its variance is 3/4 of the rough one's.
    let follow = 1 - Elementary.exp(-3 * receiver.every / receiver.tau)
    let scale = receiver.isSmooth ? receiver.sigma * 1.1547 : receiver.sigma
    let step = scale * (1 - keep * keep).squareRoot()
    for axis in 0..<2 {
      errors[axis].target = keep * errors[axis].target + step * random.gaussian()
      if receiver.isSmooth {
        errors[axis].value += follow * (errors[axis].target - errors[axis].value)
      } else {
        errors[axis].value = errors[axis].target
      }
    }
    speeds.east = 0.6 * speeds.east + 0.8 * receiver.doppler * random.gaussian()
    speeds.north = 0.6 * speeds.north + 0.8 * receiver.doppler * random.gaussian()
    if outlierFixes > 0 {
      outlierFixes -= 1
    } else if receiver.outliersPerWeek > 0,
      random.uniform() < receiver.outliersPerWeek * receiver.every / 604_800
    {
      let direction = Elementary.sincos(random.uniform(0, 2 * .pi))
      let distance = receiver.outlierMetres * random.uniform(0.7, 1.3)
      outlier = (distance * direction.sin, distance * direction.cos)
      outlierFixes = Int(random.integer(below: 3))
    } else {
      outlier = (0, 0)
    }
  }

  /// The fix with the errors of a `SatelliteRun`; one that says it has no position where that has none.
  func fix(
    at time: Instant, east: Double, north: Double, velocity: (east: Double, north: Double), reckoned: SatelliteRun.Fix?
  ) -> GNSSFix {
    guard let reckoned else { return missing(at: time) }
    var fix = GNSSFix(time: time)
    fix.mode = .threeDimensional
    fix.position = frame.place(from: place, east: east + reckoned.east, north: north + reckoned.north)
    fix.heightAboveSeaLevel = origin.height + reckoned.up
    let (e, n) = (velocity.east + reckoned.speed.east, velocity.north + reckoned.speed.north)
    let speed = (e * e + n * n).squareRoot()
    fix.speed = speed
    if speed > 0.5 { fix.course = Elementary.positiveAngle(Elementary.atan2(e, n)) }
    fix.horizontalAccuracy = reckoned.stated
    fix.satellitesUsed = reckoned.satellites
    fix.utc = UTCTime(microseconds: origin.utc.microseconds &+ time.microseconds)
    return fix
  }

  /// The place at a displacement (m), without an error.
  func position(east: Double, north: Double) -> GeodeticPosition { frame.place(from: place, east: east, north: north) }

  /// A fix that says it has no position.
  func missing(at time: Instant) -> GNSSFix {
    var fix = GNSSFix(time: time)
    fix.mode = .none
    return fix
  }
}
