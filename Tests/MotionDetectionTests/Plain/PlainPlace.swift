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
  /// Minutes that changed something, each that did not taking two of them back.
  var live: Float = 0
  /// Where it was at the end of the last three minutes, the last one first.
  var ends: [(east: Float, north: Float)] = [(0, 0), (0, 0), (0, 0)]
  var minuteTime = Instant.zero
  /// How far away it was at the end of the last minutes that were learnt from, two at most, and what was known then.
  var known: [(distance: Float, variance: Float, stepVariance: Float)] = []
  /// For how many minutes it has stayed away since it left.
  var away = 0
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
    begin(at: position, time)
    seconds = min(seconds, 21_600)
  }

  private mutating func begin(at position: GeodeticPosition, _ time: Instant) {
    origin = position
    (mean, doubtful, away) = ((0, 0), (0, 0), 0)
    ends = [(0, 0), (0, 0), (0, 0)]
    known = []
    (minuteTime, last) = (time, time)
  }

  /// What a minute changes at most, but for one in e to the power of `odds`.
  private func rarest(_ odds: Float) -> Float {
    let n = max(live, 1)
    return (2 * n * (Elementary.exp(odds / n) - 1) * max(stepVariance, 1)).squareRoot()
  }

  private var isYoung: Bool { live >= 8 && seconds < 10_800 }

  private func worse(_ accuracy: Float) -> Float { max(1, accuracy / max(usual, 0.1)) }

  /// How far it has gone since the last minutes, by the root of how many they are.
  private func gone(_ here: (east: Float, north: Float), _ time: Instant) -> Float {
    let minutes = (time - minuteTime).seconds / 60
    let squares = [max(1, minutes), 1 + minutes, 2 + minutes].enumerated().map { index, minutes in
      let (x, y) = (here.east - ends[index].east, here.north - ends[index].north)
      return (x * x + y * y) / minutes
    }
    return squares.reduce(0, max).squareRoot()
  }

  func departure(_ position: GeodeticPosition, _ accuracy: Float, _ time: Instant) -> Float {
    guard let origin, isYoung else { return 0 }
    let here = PlainScatter.metres(position, from: origin)
    let (x, y) = (here.east - mean.east, here.north - mean.north)
    return min((x * x + y * y).squareRoot(), gone(here, time)) / (rarest(16.1) * worse(accuracy))
  }

  /// Where it must stay to have left.
  var stayingRadius: Float { 0.9 * rarest(16.1) }

  mutating func learn(
    _ position: GeodeticPosition, _ accuracy: Float, _ speed: Double?, _ time: Instant, isVouched: Bool,
    isNear: Bool = true
  ) {
    let isMute = speed == nil && !isVouched
    if !isMute { away = 0 }
    if !isNear, !isMute { return }
    guard let origin, last <= time else {
      begin(at: position, time)
      usual = accuracy
      return
    }
    let here = PlainScatter.metres(position, from: origin)
    let passed = min((time - last).seconds, 60)
    last = time
    var (x, y) = (here.east - mean.east, here.north - mean.north)
    let far = (x * x + y * y).squareRoot()
    if isNear, away == 0 {
      let share = passed / (max(30, seconds) + passed)
      seconds = min(seconds + passed, 43_200)
      usual += (accuracy - usual) * share
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
    }
    guard time - minuteTime >= .seconds(60) else { return }
    if !isMute || !isYoung || away >= 15 {
      away = 0
    } else {
      let isFar = far >= stayingRadius * worse(accuracy)
      if away > 0 {
        away = isFar ? away + 1 : max(0, away - 3)
      } else if isFar, gone(here, time) >= rarest(9.2) * worse(accuracy) {
        away = 1
      }
    }
    let (dx, dy) = (here.east - ends[0].east, here.north - ends[0].north)
    ends = time - minuteTime > .seconds(300) ? [here, here, here] : [here, ends[0], ends[1]]
    minuteTime = time
    guard isNear || away > 2 else { return }
    if !isVouched, known.count == 2 {
      let outward = 2 * max(known[0].stepVariance, 1).squareRoot()
      if known[1].distance - known[0].distance > outward, far - known[1].distance > outward {
        // It is on its way, since the minute before: both teach nothing.
        (variance, stepVariance) = (known[0].variance, known[0].stepVariance)
        steps = max(steps - 1, 0)
        live = max(live - 1, 0)
        known[1] = (far, variance, stepVariance)
        return
      }
    }
    var step = 0.5 * (dx * dx + dy * dy)
    live = step >= 0.02 * max(stepVariance, 1) ? min(live + 1, 120) : max(live - 2, 0)
    if steps >= 3 { step = min(step, 6 * max(stepVariance, 1)) }
    steps = min(steps + 1, 120)
    stepVariance += (step - stepVariance) / steps
    known = Array(known.suffix(1)) + [(far, variance, stepVariance)]
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
    let isTold = scatter.steps >= 2 && distance >= near && toldWay > 0 && toldWay >= 0.5 * distance
    var departure: Float = 0
    if speed == nil, !isTold, !unwatched, distance >= p.parkedDisplacement,
      scatter.seconds >= 1800 || distance >= radius68
    {
      departure = scatter.departure(position, radius68, time)
    }
    if !isVouched, isTold || departure >= 1 {
      told.append(time)
      if isTold, told.count >= 3 {
        sign = PlainSign(detector: .displacement, ratio: distance / near, onset: told[0])
      } else if !isTold, told.count >= 4, isSettled {
        sign = PlainSign(detector: .displacement, ratio: departure, onset: told[0])
      }
    } else {
      told = []
    }
    if !isVouched, speed == nil, scatter.away >= 15, distance >= p.parkedDisplacement {
      sign = PlainSign.worse(
        sign, PlainSign(detector: .displacement, ratio: max(1, distance / scatter.stayingRadius), onset: time))
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
