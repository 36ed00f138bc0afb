import Quantities

/// One stretch of the true path between two fixes: a cubic in the seconds since its start, per axis.
struct TrackSegment: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// On the way.
    case moving
    /// At rest.
    case standing
    /// A hole too long to be filled: no samples.
    case void
  }

  /// One axis: p(s) = c₀ + c₁s + c₂s² + c₃s³.
  struct Cubic: Sendable, Equatable {
    var c0 = 0.0
    var c1 = 0.0
    var c2 = 0.0
    var c3 = 0.0

    /// The Hermite cubic with the given end values and end velocities over `t` seconds.
    init(from p: Double, to q: Double, velocities v: Double, _ w: Double, over t: Double) {
      c0 = p
      c1 = v
      c2 = (3 * (q - p) / t - 2 * v - w) / t
      c3 = (v + w - 2 * (q - p) / t) / (t * t)
    }

    init(resting p: Double) { c0 = p }

    func value(_ s: Double) -> Double { c0 + s * (c1 + s * (c2 + s * c3)) }
    func velocity(_ s: Double) -> Double { c1 + s * (2 * c2 + s * 3 * c3) }
    func acceleration(_ s: Double) -> Double { 2 * c2 + s * 6 * c3 }
  }

  let kind: Kind
  let start: Instant
  let end: Instant
  let east: Cubic
  let north: Cubic
  let up: Cubic

  /// No stretch at all.
  static let none = TrackSegment(
    kind: .void, start: .zero, end: .zero, east: Cubic(resting: 0), north: Cubic(resting: 0), up: Cubic(resting: 0))
}

/// The true path as a smooth function of time through the fixes of a track, made piece by piece.
///
/// Horizontally it goes through every fix (but for jumps no bicycle makes); heights come in steps of 0.2 m from a bike
/// computer and are smoothed over five fixes first. Velocity is continuous, acceleration is not: it is a bicycle, and
/// nothing between two fixes is known.
struct TrackCurve: Sendable {
  /// Below this a bicycle stands, m/s.
  static let standingSpeed = 0.3
  /// No bicycle is faster, m/s: a larger step is a jump of the receiver.
  static let maximumSpeed = 40.0
  /// No road rises or falls faster, m/s.
  static let maximumClimb = 20.0
  /// Fixes nearer than this are passed over: 1 cm of rounding in 0.1 s would be an acceleration of 1 m/s².
  static let minimumSpacing = Interval.milliseconds(200)
  /// Without position for longer than this the bicycle is taken to stand.
  static let longestWithoutPosition = Interval.seconds(60)
  /// Above this the mean speed decides whether a gap was a stop.
  static let longestSpeedTrust = Interval.seconds(10)
  /// A longer gap gets no samples.
  static let longestGap = Interval.seconds(6 * 3600)

  /// Times beyond this many microseconds are nonsense, and sums with them would saturate.
  static let farthestTime = UInt64(1) << 61

  private struct Knot: Sendable {
    let time: Instant
    var east: Double
    var north: Double
    /// Above the first height, m; the last known when missing.
    var height: Double
    let speed: Double?
    /// No position was known.
    let isHeld: Bool
  }

  private var knots: [Knot] = []
  private var current = 0
  private var isComplete = false
  private var lastPlace: GeodeticPosition?
  private var lastHeight: Double?
  private var latest: Instant?
  /// Where the clock of the samples starts: the first fix, or the end of the latest void.
  private(set) var clockOrigin: Instant?

  init() {}

  /// Time of the last knot.
  var lastTime: Instant? { knots.last?.time }

  /// Takes the next fix; one that is not later than the one before, or too near to it, changes nothing.
  mutating func append(_ fix: GNSSFix) {
    guard !isComplete, fix.time.microseconds.magnitude < TrackCurve.farthestTime else { return }
    if let latest, fix.time < latest { return }
    latest = fix.time
    let place = fix.hasPosition || fix.mode == .unknown ? fix.position : nil
    let measuredSpeed = fix.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    guard let last = knots.last else {
      lastPlace = place
      clockOrigin = fix.time
      lastHeight = TrackCurve.height(of: fix)
      knots.append(Knot(time: fix.time, east: 0, north: 0, height: 0, speed: measuredSpeed, isHeld: place == nil))
      return
    }
    let pause = fix.time - last.time
    guard pause >= TrackCurve.minimumSpacing else { return }
    guard place != nil || pause >= TrackCurve.longestWithoutPosition else { return }
    if pause > TrackCurve.longestGap { clockOrigin = fix.time }
    var knot = last
    if let place, let lastPlace {
      let step = LocalFrame(at: lastPlace).displacement(from: lastPlace, to: place)
      let seconds = pause.secondsDouble
      let length = (step.east * step.east + step.north * step.north).squareRoot()
      if length <= TrackCurve.maximumSpeed * seconds {
        knot.east += step.east
        knot.north += step.north
      } else if knots.count > 1, seconds < 3 {
        // A jump: keep going as before.
        let earlier = knots[knots.count - 2]
        let share = seconds / max((last.time - earlier.time).secondsDouble, seconds)
        knot.east += (last.east - earlier.east) * share
        knot.north += (last.north - earlier.north) * share
      }
    }
    if let place { lastPlace = place }
    if let height = TrackCurve.height(of: fix) {
      if let lastHeight {
        // A larger step is a barometer being set: the shape of the road goes on.
        let climb = height - lastHeight
        let bound = TrackCurve.maximumClimb * pause.secondsDouble
        if climb <= bound, climb >= -bound { knot.height += climb }
      }
      lastHeight = height
    }
    knots.append(
      Knot(
        time: fix.time, east: knot.east, north: knot.north, height: knot.height, speed: measuredSpeed,
        isHeld: place == nil))
  }

  private static func height(of fix: GNSSFix) -> Double? {
    guard let height = fix.heightAboveSeaLevel ?? fix.heightAboveEllipsoid else { return nil }
    return height > -1e5 && height < 1e5 ? height : nil
  }

  /// No more fixes come.
  ///
  /// A track that ends without position still ends at its last fix.
  mutating func finish() {
    guard !isComplete else { return }
    isComplete = true
    guard let latest, let last = knots.last, latest - last.time >= TrackCurve.minimumSpacing else { return }
    if latest - last.time > TrackCurve.longestGap { clockOrigin = latest }
    knots.append(
      Knot(time: latest, east: last.east, north: last.north, height: last.height, speed: 0, isHeld: true))
  }

  /// The next stretch, or nil when more fixes are needed or all is done.
  mutating func nextSegment() -> TrackSegment? {
    // The tangent at the far end looks one knot ahead, its smoothed height two more.
    let needed = current + (isComplete ? 1 : 4)
    guard needed < knots.count else { return nil }
    let a = knots[current]
    let b = knots[current + 1]
    let segment: TrackSegment
    let kind = self.kind(after: current)
    if kind == .moving {
      let v = tangent(at: current)
      let w = tangent(at: current + 1)
      let t = (b.time - a.time).secondsDouble
      segment = TrackSegment(
        kind: kind, start: a.time, end: b.time,
        east: TrackSegment.Cubic(from: a.east, to: b.east, velocities: v.east, w.east, over: t),
        north: TrackSegment.Cubic(from: a.north, to: b.north, velocities: v.north, w.north, over: t),
        up: TrackSegment.Cubic(
          from: smoothedHeight(current), to: smoothedHeight(current + 1), velocities: v.up, w.up, over: t))
    } else {
      segment = TrackSegment(
        kind: kind, start: a.time, end: b.time, east: TrackSegment.Cubic(resting: a.east),
        north: TrackSegment.Cubic(resting: a.north), up: TrackSegment.Cubic(resting: smoothedHeight(current)))
    }
    current += 1
    if current > 3 {
      knots.removeFirst()
      current -= 1
    }
    return segment
  }

  /// A standing stretch of no length, for a track of a single fix.
  func segmentOfSingleFix() -> TrackSegment? {
    guard isComplete, knots.count == 1, let only = knots.first else { return nil }
    return TrackSegment(
      kind: .standing, start: only.time, end: only.time, east: TrackSegment.Cubic(resting: 0),
      north: TrackSegment.Cubic(resting: 0), up: TrackSegment.Cubic(resting: only.height))
  }

  /// Horizontal speed at the last knot, m/s.
  var finalSpeed: Double {
    guard knots.count > 1 else { return 0 }
    let v = tangent(at: knots.count - 1)
    return (v.east * v.east + v.north * v.north).squareRoot()
  }

  private func kind(after index: Int) -> TrackSegment.Kind {
    let a = knots[index]
    let b = knots[index + 1]
    let pause = b.time - a.time
    if pause > TrackCurve.longestGap { return .void }
    if a.isHeld || b.isHeld { return .standing }
    if pause <= TrackCurve.longestSpeedTrust, let before = a.speed, let after = b.speed {
      return before < TrackCurve.standingSpeed && after < TrackCurve.standingSpeed ? .standing : .moving
    }
    let east = b.east - a.east
    let north = b.north - a.north
    let mean = (east * east + north * north).squareRoot() / pause.secondsDouble
    return mean < TrackCurve.standingSpeed ? .standing : .moving
  }

  /// Velocity at a knot: the slopes of both sides, the nearer side counting more; zero where the bicycle stands.
  private func tangent(at index: Int) -> (east: Double, north: Double, up: Double) {
    if let speed = knots[index].speed, speed < TrackCurve.standingSpeed { return (0, 0, 0) }
    let hasBefore = index > 0
    let hasAfter = index + 1 < knots.count
    if hasBefore, kind(after: index - 1) != .moving { return (0, 0, 0) }
    if hasAfter, kind(after: index) != .moving { return (0, 0, 0) }
    let after = hasAfter ? slope(after: index) : (0, 0, 0, 0)
    guard hasBefore else { return (after.0, after.1, after.2) }
    let before = slope(after: index - 1)
    guard hasAfter else { return (before.0, before.1, before.2) }
    let share = after.3 / (before.3 + after.3)
    let rest = 1 - share
    return (
      share * before.0 + rest * after.0, share * before.1 + rest * after.1, share * before.2 + rest * after.2
    )
  }

  /// Mean velocity to the next knot and the seconds to it.
  private func slope(after index: Int) -> (Double, Double, Double, Double) {
    let a = knots[index]
    let b = knots[index + 1]
    let t = (b.time - a.time).secondsDouble
    return (
      (b.east - a.east) / t, (b.north - a.north) / t, (smoothedHeight(index + 1) - smoothedHeight(index)) / t, t
    )
  }

  /// Mean of five heights with the weights 1 2 3 2 1, of those within 5 s.
  private func smoothedHeight(_ index: Int) -> Double {
    var sum = 0.0
    var weights = 0.0
    for other in max(index - 2, 0)...min(index + 2, knots.count - 1) {
      let distance = knots[other].time - knots[index].time
      guard distance <= .seconds(5), distance >= .seconds(-5) else { continue }
      let weight = Double(3 - (other > index ? other - index : index - other))
      sum += weight * knots[other].height
      weights += weight
    }
    return weights > 0 ? sum / weights : knots[index].height
  }
}
