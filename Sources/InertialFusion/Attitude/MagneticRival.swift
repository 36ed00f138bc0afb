import Quantities

/// Another field that may be the earth's, beside the one that is believed: what the readings that are refused have in common.
///
/// Readings are refused because the place is disturbed, because the level frame has turned and nobody saw it, or because it was
/// the believed field that was a disturbed place. The first leaves the heading right, the others make it wrong by the angle δ between
/// both fields. What tells them apart:
///
/// - *A turn* keeps length and dip of the earth's field. Of a disturbance that is s µT strong, its size by the scale and its
///   direction by chance, a share of about v·H/s³ does so, H the horizontal field, v the variance of places; the likelihood
///   ratio for a turn is the inverse of that, times a Student's t of six degrees of freedom for what length and dip differ by.
/// - *A disturbance* changes as the sensor moves through it: by `change` of its size over a place, and one of the body's own
///   by as much as it turns. So a field that stays through t places of turning speaks against it by (1 + change²·s²/v·t)^−3/2, three
///   components whose extent is not known; a share `wide` of disturbances is as wide as what was moved through.
/// - *Which of two fields is the earth's*, if it was no turn, was seen longer: by Laplace's rule of succession (n + 1)/(n + N + 2) for
///   n and N places.
///
/// A place is `placeSeconds` of turning; turning slower than a radian in that time counts for less. The share of the rival is that of
/// its likelihoods, and share·δ² is part of the variance of the heading at once. Above a half it takes over, and the old field is the
/// rival then: so what was taken over in error comes back.
///
/// - Source: our derivation.
struct MagneticRival: Equatable, BitwiseCopyable, Sendable {
  /// Level frame, with the body's field taken away, µT.
  private(set) var field = Vector3.zero
  // Times in 1/1024 s and upper halves of `Float`: a tracker's memory is full.
  private var rivalTime: UInt16 = 0
  private var presentTime: UInt16 = UInt16(MagneticRival.firstSeconds * 1024)
  private var suspicionHalf = MagneticRival.half(MagneticRival.usualSuspicion)
  private var doubtHalf: UInt16 = 0
  /// Whether there is one.
  private(set) var isThere = false
  /// True while the present field has won by a turn over this one.
  private(set) var isOfTurn = false

  /// Prior odds that the first refused reading is of a turn that nobody saw, and those behind a gap, where turns hide.
  static var usualSuspicion: Float { 0.01 }
  static var gapSuspicion: Float { 1 }
  /// Share of disturbances that are as wide as what the sensor moves through.
  static var wide: Float { 0.1 }
  /// Change of a disturbance over a place, as a share of it.
  static var change: Float { 0.5 }
  /// What the first field is worth, seen in a start at rest, s: two places. A start beside iron is not rare.
  static var firstSeconds: Float { 4 }
  /// Share at which it takes over before half a place has been seen of it.
  static var quickShare: Float { 0.9 }
  /// Time of readings that fit neither field after which a turn is not thought of, s.
  static var varyingSeconds: Float { 0.5 }
  /// Share of the time by which a rival fades that is not seen: what is elsewhere is not refuted.
  static var fading: Float { 0.25 }

  private static func half(_ x: Float) -> UInt16 { UInt16(truncatingIfNeeded: x.bitPattern >> 16) }
  private static func whole(_ x: UInt16) -> Float { Float(bitPattern: UInt32(x) << 16) }

  /// Seconds of turning in which it was seen, and the present field.
  var seconds: Float { Float(rivalTime) * (1.0 / 1024) }
  var presentSeconds: Float { Float(presentTime) * (1.0 / 1024) }
  /// Prior odds of a turn.
  private var suspicion: Float { MagneticRival.whole(suspicionHalf) }
  /// What the heading may be wrong by as a variance, rad².
  var doubt: Float { @inline(__always) get { MagneticRival.whole(doubtHalf) } }

  /// The rival is none, and the present field's standing is that of the first.
  mutating func forget() {
    drop()
    presentTime = UInt16(MagneticRival.firstSeconds * 1024)
  }

  /// There is no rival.
  mutating func drop() { (isThere, isOfTurn, rivalTime, doubtHalf) = (false, false, 0, 0) }

  /// A turn may have been missed.
  mutating func suspect() { suspicionHalf = MagneticRival.half(MagneticRival.gapSuspicion) }

  /// A time in 1/1024 s after so many seconds more, from 0 to what the parameters and 16 bits hold.
  private static func time(_ time: UInt16, and seconds: Float, _ p: MagneticParameters) -> UInt16 {
    let longest = max(min(p.relearnAfter, 63), 0) * 1024
    let longer = min(Float(time) + seconds * 1024 + 0.5, max(longest, Float(time)))
    return UInt16(truncatingIfNeeded: Elementary.whole(longer, upTo: 65_000))
  }

  /// The rival's share, given the present field; 0 where both have the same direction.
  func share(against m: Vector3) -> Float {
    let angle = MagneticRival.angle(from: m, to: field)
    return angle == 0 ? 0 : doubt / (angle * angle)
  }

  /// The angle between two fields about the vertical, rad.
  private static func angle(from m: Vector3, to other: Vector3) -> Float {
    Elementary.shortAtan2(m.x * other.y - m.y * other.x, m.x * other.x + m.y * other.y)
  }

  /// What one reading has to do with both fields.
  struct Sighting {
    /// What the present field does not explain of it, level frame, µT, and its square against that which halves its weight.
    var deviation: Vector3
    var ratio: Float
    /// The present field, level frame, µT.
    var field: Vector3
    /// Time since the reading before, and how much of it counts as turning, s.
    var seconds: Float
    var turning: Float
    /// Variance of a place, and of the present field, per axis, µT².
    var variance: Float
  }

  /// Takes a reading in that fits the present field, while there is no rival.
  @inline(__always)
  mutating func confirm(seconds: Float, turning: Float, _ p: MagneticParameters) {
    presentTime = MagneticRival.time(presentTime, and: turning, p)
    guard !isOfTurn, suspicionHalf != MagneticRival.half(MagneticRival.usualSuspicion) else { return }
    trust(seconds: seconds, atLeast: 0, p)
  }

  /// Readings that agree with each other make the odds of a turn the usual ones again, over a place; not below `least`.
  private mutating func trust(seconds: Float, atLeast least: Float, _ p: MagneticParameters) {
    let usual = suspicion + (MagneticRival.usualSuspicion - suspicion) * min(1, seconds / p.placeSeconds)
    suspicionHalf = MagneticRival.half(max(usual, least))
  }

  /// Takes a reading in.
  ///
  /// - Returns: True when the rival has won: then `takeOver`.
  mutating func update(_ reading: Sighting, _ p: MagneticParameters) -> Bool {
    if reading.ratio < 1 { confirm(seconds: reading.seconds, turning: reading.turning, p) }
    guard isThere else {
      if reading.ratio > 1 { begin(reading, p) }
      return false
    }
    let news = reading.field + reading.deviation - field
    let off = news.squaredLength
    if reading.ratio > 1, off < reading.deviation.squaredLength, off < p.rejection * p.rejection {
      field += news * (reading.seconds / (reading.seconds + min(seconds, p.placeSeconds)))
      rivalTime = MagneticRival.time(rivalTime, and: reading.turning, p)
      if !isOfTurn { trust(seconds: reading.turning, atLeast: suspicion, p) }
      let weights = weigh(reading, isSeen: true, p)
      let enough = seconds >= 0.5 * p.placeSeconds ? 0.5 : MagneticRival.quickShare
      return weights.share > enough
    }
    let lost = reading.ratio > 1 ? reading.seconds : reading.turning * MagneticRival.fading
    if rivalTime == 0 || seconds < lost {
      drop()
      if reading.ratio > 1 { begin(reading, p) }
    } else {
      rivalTime = MagneticRival.time(rivalTime, and: -lost, p)
      let kept = weigh(reading, isSeen: false, p)
      guard reading.ratio > 1 else { return false }
      // A new one that has more for it takes the place.
      var other = self
      other.drop()
      other.begin(reading, p)
      if other.weigh(reading, isSeen: true, p).share > kept.share { self = other }
    }
    if reading.ratio > 1 {
      let keep = max(0, 1 - reading.seconds / MagneticRival.varyingSeconds)
      suspicionHalf = MagneticRival.half(suspicion * keep)
    }
    return false
  }

  @inline(never) private mutating func begin(_ reading: Sighting, _ p: MagneticParameters) {
    field = reading.field + reading.deviation
    isThere = true
    _ = weigh(reading, isSeen: true, p)
  }

  /// The rival becomes the present field, and that the rival.
  ///
  /// - Returns: The field and the seconds in which it was seen.
  mutating func takeOver(_ reading: Sighting, _ p: MagneticParameters) -> (field: Vector3, seconds: Float) {
    let won = field
    let weights = weigh(reading, isSeen: true, p)
    isOfTurn = !isOfTurn && weights.turn > 0.5 * weights.share
    if !isOfTurn { suspicionHalf = min(suspicionHalf, MagneticRival.half(MagneticRival.usualSuspicion)) }
    field = reading.field
    (rivalTime, presentTime) = (max(presentTime, 1), rivalTime)
    var back = reading
    back.field = won
    _ = weigh(back, isSeen: false, p)
    return (won, presentSeconds)
  }

  /// Finds the share of the rival and what follows for the heading.
  ///
  /// - Parameter isSeen: The reading is of the rival's field.
  /// - Returns: The rival's share, and what of it is by a turn.
  private mutating func weigh(_ reading: Sighting, isSeen: Bool, _ p: MagneticParameters) -> (share: Float, turn: Float)
  {
    let m = reading.field
    let apart = (field - m).squaredLength
    let own = (field.x * field.x + field.y * field.y).squareRoot()
    let other = (m.x * m.x + m.y * m.y).squareRoot()
    let (longer, lower) = (own - other, field.z - m.z)
    let u = 1 + (longer * longer + lower * lower) / (6 * reading.variance)
    let strength = apart * apart.squareRoot()
    let least = max(min(own, other), AttitudeFilter.leastHorizontalField)
    let ratio = strength / (reading.variance * least * (u * u) * (u * u))
    // Having won by a turn, both have changed their parts.
    let turn = isSeen != isOfTurn ? suspicion * ratio : 0
    let (new, old) = isOfTurn ? (presentSeconds, seconds) : (seconds, presentSeconds)
    let places = new / p.placeSeconds
    let moved = 1 + MagneticRival.change * MagneticRival.change * apart / reading.variance * places
    let rest = MagneticRival.wide + (1 - MagneticRival.wide) / (moved * moved.squareRoot())
    let elsewhere = rest * (places + 1) / (places + old / p.placeSeconds + 2)
    let won = (turn + elsewhere) / (turn + rest)
    let share = isOfTurn ? 1 - won : won
    let angle = MagneticRival.angle(from: m, to: field)
    doubtHalf = MagneticRival.half(share * angle * angle)
    return (share, turn / (turn + rest))
  }
}
