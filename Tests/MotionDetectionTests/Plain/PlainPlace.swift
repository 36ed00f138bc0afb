import MotionDetection
import Positioning
import Quantities

/// How far fixes scatter, as `docs/motion.md` has it.
struct PlainScatter {
  var origin: GeodeticPosition?
  var mean: (east: Float, north: Float) = (0, 0)
  var variance: Float = 0
  var stepVariance: Float = 0
  var steps: Float = 0
  var minuteAgo: (east: Float, north: Float) = (0, 0)
  var minuteTime = Instant.zero
  /// How far away it was at the end of the last minutes, two at most, and what was known then.
  var ends: [(distance: Float, variance: Float, stepVariance: Float)] = []
  var usual: Float = 0
  /// Of the speeds that it invents, per axis.
  var speedVariance: Float = 0
  /// Speeds that may be invented, since the positions last denied them: squares times their time, and the time.
  var doubtful: (squares: Float, time: Float) = (0, 0)
  var seconds: Float = 0
  var last = Instant.zero

  var deviation: Float {
    let grown = min(1, seconds / 21_600)
    return max(variance.squareRoot(), (2.2 + (0.7 - 2.2) * grown) * stepVariance.squareRoot())
  }

  /// The same when few minutes are not believed.
  var doubtedDeviation: Float {
    let grown = min(1, seconds / 21_600)
    let factor = (2.2 + (0.7 - 2.2) * grown) * (1 + 4 * (1 - grown) / max(1, steps))
    return max(variance.squareRoot(), factor * stepVariance.squareRoot())
  }

  /// From which speed on it moves, when what it invents has so many deviations.
  func fastest(_ least: Float, _ deviations: Float) -> Float { max(least, deviations * speedVariance.squareRoot()) }

  /// From where on it is elsewhere when it has said that it went there.
  func toldRadius(least: Float, stated: Float) -> Float { max(least, max(3 * deviation, seconds < 1800 ? stated : 0)) }

  func distance(_ position: GeodeticPosition) -> Float? {
    guard let origin else { return nil }
    if mean == (0, 0) { return Float(Geodesic.fastDistance(from: origin, to: position)) }
    let (east, north) = PlainScatter.metres(position, from: origin)
    let (x, y) = (east - mean.east, north - mean.north)
    return (x * x + y * y).squareRoot()
  }

  func radius(least: Float, stated: Float, accuracy: Float, isDoubtful: Bool = false) -> Float {
    let own = 6 * (isDoubtful ? doubtedDeviation : deviation)
    if seconds < 1800 { return max(least, max(stated, own)) }
    return max(least, own * max(1, accuracy / max(usual, 0.1)))
  }

  mutating func stand(at position: GeodeticPosition, _ time: Instant) {
    origin = position
    (mean, minuteAgo, doubtful, ends) = ((0, 0), (0, 0), (0, 0), [])
    seconds = min(seconds, 21_600)
    (minuteTime, last) = (time, time)
  }

  mutating func learn(
    _ position: GeodeticPosition, _ accuracy: Float, _ speed: Double?, _ time: Instant, isVouched: Bool
  ) {
    guard let origin, last <= time else {
      self.origin = position
      (mean, minuteAgo, doubtful, ends) = ((0, 0), (0, 0), (0, 0), [])
      (minuteTime, last) = (time, time)
      usual = accuracy
      return
    }
    let here = PlainScatter.metres(position, from: origin)
    let passed = min((time - last).seconds, 60)
    last = time
    let share = passed / (max(30, seconds) + passed)
    seconds = min(seconds + passed, 43_200)
    usual += (accuracy - usual) * share
    var (x, y) = (here.east - mean.east, here.north - mean.north)
    let far = (x * x + y * y).squareRoot()
    if let speed { hear(min(1.5, Float(speed)), for: passed, x * x + y * y) }
    if steps >= 3 {
      let most = 4 * max(deviation, 1)
      if x * x + y * y > most * most {
        let shrink = most / (x * x + y * y).squareRoot()
        (x, y) = (x * shrink, y * shrink)
      }
    }
    mean.east += x * share
    mean.north += y * share
    variance += (0.5 * (x * x + y * y) - variance) * share
    guard time - minuteTime >= .seconds(60) else { return }
    let (dx, dy) = (here.east - minuteAgo.east, here.north - minuteAgo.north)
    (minuteAgo, minuteTime) = (here, time)
    if !isVouched, ends.count == 2 {
      let outward = 2 * max(ends[0].stepVariance, 1).squareRoot()
      if ends[1].distance - ends[0].distance > outward, far - ends[1].distance > outward {
        // It is on its way, since the minute before: both teach nothing.
        (variance, stepVariance) = (ends[0].variance, ends[0].stepVariance)
        steps = max(steps - 1, 0)
        ends[1] = (far, variance, stepVariance)
        return
      }
    }
    var step = 0.5 * (dx * dx + dy * dy)
    if steps >= 3 { step = min(step, 6 * max(stepVariance, 1)) }
    steps = min(steps + 1, 120)
    stepVariance += (step - stepVariance) / steps
    ends = Array(ends.suffix(1)) + [(far, variance, stepVariance)]
  }

  /// A speed is invented when the way that it tells is twice as long as that to where the fix is.
  private mutating func hear(_ speed: Float, for passed: Float, _ distanceSquared: Float) {
    doubtful.squares += speed * speed * passed
    doubtful.time += passed
    guard 0.25 * doubtful.squares * doubtful.time > distanceSquared else { return }
    let perAxis = 0.5 * doubtful.squares / doubtful.time
    speedVariance += (perAxis - speedVariance) * (doubtful.time / max(30 + doubtful.time, seconds))
    doubtful = (0, 0)
  }

  static func metres(_ position: GeodeticPosition, from origin: GeodeticPosition) -> (east: Float, north: Float) {
    let offset = LocalTangentPlane(origin: origin).offset(of: position)
    return (Float(offset.east), Float(offset.north))
  }
}

/// The watch over the parking place.
struct PlainPlace {
  var place: GeodeticPosition?
  var accuracy: Float
  /// The last fix that agreed with the place.
  var agreed: Instant?
  var displacement: Float?
  var displaced: [Instant] = []
  /// Fixes in a row that are elsewhere and have told the way there.
  var told: [Instant] = []
  /// Whether a silence was before any of those in a row.
  var unheard = false
  private var lastTime: Instant?
  private var movingAt: Instant?

  init(place: GeodeticPosition?, accuracy: Float, agreed: Instant?) {
    (self.place, self.accuracy, self.agreed) = (place, accuracy, agreed)
  }

  mutating func judge(
    _ time: Instant, at position: GeodeticPosition, _ radius68: Float, speed: Double?, _ scatter: PlainScatter,
    toldWay: Float, unwatched: Bool, isSettled: Bool, vouchedSince: Instant?, _ p: MotionParameters
  ) -> PlainSign? {
    guard let place else {
      self.place = position
      accuracy = radius68
      agreed = time
      return nil
    }
    displacement = Float(Geodesic.fastDistance(from: place, to: position))
    let noise = (accuracy * accuracy + radius68 * radius68).squareRoot()
    var radius = scatter.radius(least: p.parkedDisplacement, stated: 3 * noise, accuracy: radius68, isDoubtful: true)
    // A receiver that has said for a minute that it stands, and is not known yet.
    if isSettled, let before = lastTime, time - before <= .seconds(10), let speed, Float(speed) < p.continuedSpeed {
      if let movingAt, time - movingAt >= .seconds(60), scatter.seconds < 1800 { radius = 4 * radius }
    } else {
      movingAt = time
    }
    lastTime = time
    let distance = scatter.distance(position) ?? displacement ?? 0
    let isVouched = vouchedSince.flatMap { since in agreed.map { since <= $0 } } ?? false
    let near = scatter.toldRadius(least: p.parkedDisplacement, stated: noise)
    var sign: PlainSign?
    if !isVouched, scatter.steps >= 2, distance >= near, toldWay > 0, toldWay >= 0.5 * distance {
      told.append(time)
      if told.count >= 3 { sign = PlainSign(detector: .displacement, ratio: distance / near, onset: told[0]) }
    } else {
      told = []
    }
    if distance < radius {
      agreed = time
      displaced = []
      if radius68 < accuracy * 0.7 { (self.place, accuracy) = (position, radius68) }
      return sign
    }
    if isVouched, distance <= 20 * radius {
      displaced = []
      return sign
    }
    unheard = unwatched || (unheard && !displaced.isEmpty)
    displaced.append(time)
    guard displaced.count >= (speed == nil || unheard ? 3 : 5), isSettled, let first = displaced.first else {
      return sign
    }
    return PlainSign.worse(sign, PlainSign(detector: .displacement, ratio: distance / radius, onset: first))
  }
}
