import Quantities

/// The earth's field in the level frame, the body's own field (hard iron), and how late the magnetometer is.
///
/// A reading, turned into the level frame, is z = M + R·h + disturbance: M stays while the sensor turns, the body's field h
/// turns with it. Given h, the best M is a running mean of z − R·h, so it is linear in h: M(h) = M₀ − G·h, where M₀ and G are
/// running means of z and R with the same gain, and its variance is one number. Heading is the direction of M; it can't touch
/// the tilt. A reading far from the prediction loses its weight with the sixth power of the distance.
///
/// Which h is believed is decided by weighing hypotheses on the same data (`HardIronEvidence`): none, the one believed, and
/// the best there is. The best takes over when it is certain, not when it is large: when its distance from the one believed,
/// measured by its own covariance, is large. That covariance has two parts, what the readings leave open, and what the scatter
/// of places (as measured) may imitate because place and attitude go together. A field that was believed is dropped when the
/// evidence turns, and when blocks stop to fit, the body has changed: the sums begin anew while M holds the heading.
/// What readings that stay off have in common, although the body's field fits, is a rival to M (`MagneticRival`): it makes the heading
/// less certain at once, and takes M's place when more speaks for it.
///
/// - Source: our derivation.
public struct MagneticEstimate: Equatable, BitwiseCopyable, Sendable {
  /// The last reading's deviation as a ratio to that which halves its weight: 1 and more counts as disturbed.
  public private(set) var disturbance: Float = 0
  /// Another field that may be the earth's.
  private(set) var rival = MagneticRival()
  /// True once there was a reading.
  public private(set) var isKnown = false
  /// True while a field of the body is believed in.
  public private(set) var hasHardIron = false
  /// The body's own field that is believed, body frame, µT; zero while none is.
  public private(set) var hardIron = Vector3.zero
  /// The best hypothesis about the body's field, believed or not, body frame, µT.
  public private(set) var likelyHardIron = Vector3.zero
  /// Square of its distance from none in its own standard deviations.
  public private(set) var hardIronEvidence: Float = 0
  /// How late the magnetometer's readings are against the gyroscope's, s.
  public private(set) var delay: Float = 0

  /// M₀, the earth's field if the body had none, level frame, µT, and G, the mean rotation that belongs to it.
  private var mean = HardIronEvidence.TurnedField()
  /// Variance of M per axis, given h, µT².
  private var fieldVariance: Float = 0
  /// What it was when the present rest began, µT²; 0 in movement.
  private(set) var varianceBeforeRest: Float = 0
  /// Covariance of the best hypothesis, µT².
  private var hh: SymmetricMatrix3
  private(set) var evidence = HardIronEvidence()
  /// Variance that the best hypothesis leaves of a block's news, µT².
  private(set) var noise = MagneticEstimate.firstNoise
  private var delayInformation: Float = 0

  /// Variance of a block's news expected before there were any, µT², and the components it counts as.
  static var firstNoise: Float { 0.3 }
  static var firstCount: Float { 15 }
  /// Components without which nothing is decided, eight blocks: six for each of the four unknowns.
  static var leastCount: Float { 24 }
  /// What the readings leave open is taken for so many times as much: blocks are not quite independent.
  static var dependence: Float { 2 }
  /// Misfit from which on the body is taken to have changed.
  static var largestMisfit: Float { 6 }
  /// Scatter of fields from place to place beyond `placeVariance`, for the uncertainty of the heading, µT².
  static var placeScatter: Float { 0.05 }

  @inline(never) init(_ p: MagneticParameters) {
    hh = SymmetricMatrix3(diagonal: p.initialHardIron * p.initialHardIron)
  }

  /// Standard deviation of the likely field of the body, µT: root of the mean over the axes.
  public var hardIronUncertainty: Float { (hh.trace * (1.0 / 3)).squareRoot() }

  /// The earth's field, given the body's field that is believed, level frame, µT.
  var field: Vector3 { @inline(__always) get { mean.field(without: hardIron) } }

  /// Variance of the field in each horizontal direction, given the body's own, µT².
  var horizontalVariance: Float { fieldVariance }

  /// Variance of the earth's field `m` at right angles to its horizontal part, µT²: that which turns the heading.
  ///
  /// It is what the readings leave open, what fields differ by from place to place, and what the body's field may do: one that
  /// is believed by its covariance; one that is not, by how likely it is all the same.
  ///
  /// - Parameters:
  ///   - squared: Square of the horizontal part, µT², above 0.
  ///   - isStated: True for what is stated, false for the weight against another source of heading, which does not change because a
  ///     rest begins.
  @inline(__always)
  func variance(across m: Vector3, squared: Float, _ p: MagneticParameters, isStated: Bool) -> Float {
    // Where the body's field goes in the mean, seen at right angles to north.
    let across = (mean.rowY * m.x - mean.rowX * m.y) * (1 / squared.squareRoot())
    let open = across.dot(hh * across)
    let known = (isStated ? statedVariance(p) : fieldVariance) + MagneticEstimate.placeScatter
    if hasHardIron { return known + open }
    let shift = across.dot(likelyHardIron)
    let likely = hardIronEvidence / (hardIronEvidence + 0.5 * p.hardIronEvidence)
    return known + likely * shift * shift + p.unseenHardIron * open
  }

  /// Variance of M per axis, given h, as it is to be stated, µT².
  ///
  /// The gain takes what a place adds for noise that each reading has anew, which holds as long as the sensor moves. At rest all
  /// readings have it in common: M comes from what was known before, in the share V / V₀ that is left of it, and from one place,
  /// which is off by `placeVariance` from the first reading on.
  ///
  /// - Source: our derivation: the mean of two independent values with the filter's own weights.
  @inline(__always)
  func statedVariance(_ p: MagneticParameters) -> Float {
    guard varianceBeforeRest > 0 else { return fieldVariance }
    let before = min(fieldVariance / varianceBeforeRest, 1)
    return before * before * varianceBeforeRest + (1 - before) * (1 - before) * p.placeVariance
  }

  /// The heading of the level frame is not that of before: the earth's field must be found anew, the body's is kept.
  @inline(never) mutating func forgetField() {
    isKnown = false
    varianceBeforeRest = 0
    rival.forget()
    evidence.interrupt()
  }

  /// The level frame has turned although the sensor did not: what the turns have shown was not so, what was believed before stays.
  mutating func forgetTurns() {
    forgetField()
    evidence.forget(delay: delay, information: delayInformation)
    noise = MagneticEstimate.firstNoise
  }

  /// The level frame may have turned about the vertical, unseen.
  ///
  /// - Parameter variance: Of that turn, rad².
  mutating func turn(variance: Float) {
    fieldVariance = min(fieldVariance + mean.level.squaredLength * variance, 1e4)
    varianceBeforeRest = 0
    rival.suspect()
    evidence.interrupt()
  }

  /// Time runs the other way.
  mutating func reverse() {
    delay = -delay
    evidence.reverse()
  }

  /// Takes one reading in.
  ///
  /// - Parameters:
  ///   - reading: µT, body frame, finite.
  ///   - rotation: levelFromBody at that moment.
  ///   - rate: Angular rate, rad/s, body frame.
  ///   - elapsed: Time since the reading before, s.
  ///   - isAtRest: The sensor stays where it is.
  ///   - tiltVariance: Of `rotation`, rad² per axis.
  ///   - biasVariance: Of the gyroscope's bias about the vertical, (rad/s)²: the level frame turns by it.
  mutating func update(
    with reading: Vector3, rotation: Quaternion, rate: Vector3, elapsed: Float, isAtRest: Bool, tiltVariance: Float,
    biasVariance: Float = 0, parameters p: MagneticParameters
  ) {
    let q = rotation.turned(by: rate * -delay)
    var now = HardIronEvidence.TurnedField()
    let rows = Matrix3(q)
    (now.rowX, now.rowY, now.rowZ) = (rows.rowX, rows.rowY, rows.rowZ)
    now.level = now.turned(reading)
    if !isKnown {
      isKnown = true
      mean = now
      fieldVariance = 400
    }
    if !isAtRest {
      varianceBeforeRest = 0
    } else if varianceBeforeRest == 0 {
      varianceBeforeRest = fieldVariance
    }
    if !isAtRest {
      fieldVariance = min(fieldVariance + (p.fieldWandering * p.fieldWandering + drift(biasVariance, p)) * elapsed, 1e4)
    }
    var news = now
    news.add(mean, scale: -1)
    let deviation = news.field(without: hardIron)
    var predicted = 3 * fieldVariance
    if hasHardIron {
      predicted += news.rowX.dot(hh * news.rowX) + news.rowY.dot(hh * news.rowY) + news.rowZ.dot(hh * news.rowZ)
    }
    let ratio = deviation.squaredLength / (p.rejection * p.rejection + p.rejectionShare * max(0, predicted))
    disturbance = ratio.squareRoot()
    let seconds = min(elapsed, 0.2)
    let spread = p.fieldNoise * p.fieldNoise / seconds * (1 + ratio * ratio * ratio)
    let gain = fieldVariance / (fieldVariance + spread)
    mean.add(news, scale: gain)
    // The field of one place is no better known by looking longer; and an error of the tilt turns the vertical field into the
    // horizontal, alike for all readings while it lasts.
    let tilted = now.level.squaredLength * max(0, tiltVariance - MagneticEstimate.usualTiltVariance)
    fieldVariance = max(fieldVariance - gain * fieldVariance, p.placeVariance + min(tilted, 1e3))
    // Slower than a radian in a place, a turn tells less of what turns with the body.
    let turn = min(1, rate.squaredLength * p.placeSeconds * p.placeSeconds)
    judge(ratio, deviation: deviation, seconds: seconds, turning: isAtRest ? 0 : seconds * turn, p)
    let motion = now.turned(rate.cross(reading))
    now.level += motion * delay
    if evidence.add(now, motion: motion, seconds: elapsed), p.initialHardIron > 0 { weigh(p) }
    if !isFinite { self = MagneticEstimate(p) }
  }

  /// Variance per second that a bias about the vertical adds to the field, µT²/s.
  ///
  /// The bias σ turns the field H by (H σ t)² after a time t, all of it in one direction: 2 H² σ² t per second, for as long as readings
  /// have not corrected it. That is the time constant of the mean, t = `fieldNoise`² / V for a variance V. In the steady state the field
  /// is then behind by what its variance says.
  ///
  /// - Source: our derivation.
  @inline(__always)
  private func drift(_ biasVariance: Float, _ p: MagneticParameters) -> Float {
    let horizontal = mean.level.x * mean.level.x + mean.level.y * mean.level.y
    return 2 * horizontal * biasVariance * p.fieldNoise * p.fieldNoise / max(fieldVariance, p.placeVariance)
  }

  /// Tilt that averages out with the rest, rad²: 1.8°.
  static var usualTiltVariance: Float { 0.001 }

  private var isFinite: Bool {
    // As for `LevelEstimate`.
    let fields = mean.level.x + mean.level.y + mean.level.z + (hardIron.x + hardIron.y + hardIron.z) + hh.trace
    return (fields + evidence.squares + (delay + fieldVariance + rival.doubt)).isFinite
  }

  /// A block is full: finds the best hypothesis and decides which to believe.
  private mutating func weigh(_ p: MagneticParameters) {
    guard
      evidence.close(field: mean, best: likelyHardIron, delay: delay, noise: noise, parameters: p)
    else { return }
    if evidence.misfit > MagneticEstimate.largestMisfit {
      evidence.forget(delay: delay, information: delayInformation)
      noise = MagneticEstimate.firstNoise
    }
    var precision = evidence.information
    precision.addToDiagonal(noise / (p.initialHardIron * p.initialHardIron))
    guard var inverse = precision.inverse else { return }
    let known = inverse * evidence.projection
    if p.delayUncertainty > 0 {
      // The delay is a fourth unknown, taken out by elimination.
      let share = inverse * evidence.crossing
      delayInformation = max(evidence.delaySquares - evidence.crossing.dot(share), 0)
      let information = delayInformation + noise / (p.delayUncertainty * p.delayUncertainty)
      let found = (evidence.delayProjection - evidence.crossing.dot(known)) / information
      delay = min(max(found, -MagneticEstimate.longestDelay), MagneticEstimate.longestDelay)
      likelyHardIron = known - share * delay
      inverse.add(share, scale: 1 / information)
    } else {
      likelyHardIron = known
    }
    let left = evidence.unexplained(by: likelyHardIron, delay: delay)
    // What four unknowns have taken for themselves is not left over.
    noise =
      (left + MagneticEstimate.firstCount * MagneticEstimate.firstNoise)
      / (max(evidence.count - 4, 0) + MagneticEstimate.firstCount)
    hh = inverse
    hh.scale(by: noise * MagneticEstimate.dependence)
    hh.addToDiagonal(scatter(p) * p.placeShare)
    decide(p)
  }

  /// Scatter of places as measured, a variance per axis, µT².
  private func scatter(_ p: MagneticParameters) -> Float {
    let kept = HardIronEvidence.correlation(over: HardIronEvidence.blockSeconds, p)
    return noise / max(1 - kept * kept, 0.01)
  }

  /// Largest delay, s.
  static var longestDelay: Float { 0.05 }

  private mutating func decide(_ p: MagneticParameters) {
    guard evidence.count > MagneticEstimate.leastCount, let certainty = hh.inverse else { return }
    let change = likelyHardIron - hardIron
    hardIronEvidence = likelyHardIron.dot(certainty * likelyHardIron)
    if change.dot(certainty * change) > p.hardIronEvidence, isWorth(change) {
      hasHardIron = hardIronEvidence > p.hardIronEvidence
      believe(hasHardIron ? likelyHardIron : .zero)
    } else if hasHardIron, hardIronEvidence < p.hardIronDoubt {
      hasHardIron = false
      believe(.zero)
    } else if hasHardIron {
      hardIron = likelyHardIron
    }
  }

  /// Whether the heading turns by more with another hypothesis than that leaves it uncertain: what is certain in its size only
  /// would turn it by chance.
  private func isWorth(_ change: Vector3) -> Bool {
    let m = field
    let across = mean.rowY * m.x - mean.rowX * m.y
    let shift = across.dot(change)
    return across.dot(hh * across) <= shift * shift
  }

  /// Turns to another hypothesis. Which field of the earth belongs to it depends on since when the body has its own: since
  /// before the readings that told the earth's, or only since then. The last block tells.
  private mutating func believe(_ h: Vector3) {
    let since = field
    hardIron = h
    let now = evidence.last.field(without: h, delay: delay)
    let offAlways = (now - field).squaredLength
    let offSince = (now - since).squaredLength
    if offSince < offAlways {
      mean = HardIronEvidence.TurnedField()
      mean.level = since
    }
    fieldVariance = max(fieldVariance, min(offAlways, offSince) * (1.0 / 3))
    varianceBeforeRest = 0
    rival.drop()
  }

  /// Weighs the rival by a reading, and lets it take over.
  @inline(__always)
  private mutating func judge(
    _ ratio: Float, deviation: Vector3, seconds: Float, turning: Float, _ p: MagneticParameters
  ) {
    if ratio < 1, !rival.isThere {
      rival.confirm(seconds: seconds, turning: turning, p)
    } else {
      doubt(ratio, deviation: deviation, seconds: seconds, turning: turning, p)
    }
  }

  @inline(never)
  private mutating func doubt(
    _ ratio: Float, deviation: Vector3, seconds: Float, turning: Float, _ p: MagneticParameters
  ) {
    let reading = MagneticRival.Sighting(
      deviation: deviation, ratio: ratio, field: field, seconds: seconds, turning: turning,
      variance: scatter(p) + fieldVariance)
    guard rival.update(reading, p) else { return }
    let (field, seen) = rival.takeOver(reading, p)
    mean.level = field + mean.turned(hardIron)
    // As if it had been the first, so many seconds ago.
    fieldVariance = max(fieldVariance, min(p.fieldNoise * p.fieldNoise / max(seen, 0.01), 400))
    varianceBeforeRest = 0
    evidence.interrupt()
  }
}
