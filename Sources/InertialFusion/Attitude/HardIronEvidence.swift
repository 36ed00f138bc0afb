import Quantities

/// What the readings of a turning sensor say about a field that turns with it (hard iron) and about how late they are: sums
/// from which every hypothesis, no such field, the one believed, the best there is, is weighed on the same data.
///
/// A reading in the level frame is z = M + d + R·h + c·τ + noise: M the earth's field, d what the place adds, h the body's
/// own, τ the delay of the magnetometer and c = R (ω × m) what a second of it would do. The field of a place is no white noise:
/// it changes as the sensor moves through it, within a second or two. So readings are averaged over blocks of 0.2 s, and of
/// each block that share is taken away which the one before lets expect,
///
///     e = (z̄ − M) − a (z̄₋₁ − M),   a = 1 − 0.2 s / `placeSeconds`,
///
/// and likewise of R and c, with M's own mean rotation in place of M. What is left, e = T·h + c·τ + noise, has new noise in
/// each block: generalised least squares for a first-order process. A slow disturbance against little rotation has little
/// weight then, and a steady one none.
///
/// The sums Σ TᵀT, Σ Tᵀe, Σ eᵀe and their count tell what any h leaves unexplained, and with it the noise itself: the scatter of
/// places is measured, not assumed. With e = z̄ − a z̄₋₁ of variance s², places themselves scatter by s² / (1 − a²).
///
/// - Source: our derivation; generalised least squares as in any textbook.
struct HardIronEvidence: Equatable, BitwiseCopyable, Sendable {
  /// Σ TᵀT.
  private(set) var information = SymmetricMatrix3(diagonal: 0)
  /// Σ Tᵀe.
  private(set) var projection = Vector3.zero
  /// Σ Tᵀc, Σ cᵀc and Σ cᵀe.
  private(set) var crossing = Vector3.zero
  private(set) var delaySquares: Float = 0
  private(set) var delayProjection: Float = 0
  /// Σ eᵀe.
  private(set) var squares: Float = 0
  /// Components in the sums, three for a block.
  private(set) var count: Float = 0
  /// Mean square of what the best hypothesis left of the last blocks, against the noise: far above 1, the body has changed.
  private(set) var misfit: Float = 1

  /// A field in the level frame that depends on the body's own: z − R·h, as means over readings.
  struct TurnedField: Equatable, BitwiseCopyable, Sendable {
    /// Reading without delay, level frame, µT.
    var level = Vector3.zero
    /// Rows of the rotation.
    var rowX = Vector3.zero
    var rowY = Vector3.zero
    var rowZ = Vector3.zero

    /// What turns with the body, level frame, if its own field is h.
    @inline(__always)
    func turned(_ h: Vector3) -> Vector3 { Lanes3.isWhole ? turnedHere(h) : turnedOnce(h) }

    @inline(never) private func turnedOnce(_ h: Vector3) -> Vector3 { turnedHere(h) }

    @inline(__always)
    private func turnedHere(_ h: Vector3) -> Vector3 { Vector3(rowX.dot(h), rowY.dot(h), rowZ.dot(h)) }

    /// What is left of the level reading when the body's field is taken away.
    @inline(__always)
    func field(without h: Vector3) -> Vector3 { level - turned(h) }

    mutating func add(_ other: TurnedField, scale: Float) {
      level += other.level * scale
      rowX += other.rowX * scale
      rowY += other.rowY * scale
      rowZ += other.rowZ * scale
    }
  }

  /// A block of readings: their means, or while it is filled their sums.
  struct Block: Equatable, BitwiseCopyable, Sendable {
    var turned = TurnedField()
    /// What a second of delay changes of it, µT/s.
    var motion = Vector3.zero
    var seconds: Float = 0

    /// What is left of the level reading when the delay and the body's field are taken away.
    @inline(__always)
    func field(without h: Vector3, delay: Float) -> Vector3 { turned.level - motion * delay - turned.turned(h) }

    mutating func add(_ other: Block, scale: Float) {
      turned.add(other.turned, scale: scale)
      motion += other.motion * scale
    }
  }

  private var present = Block()
  /// The block before; without length when there was none.
  private(set) var last = Block()

  /// Length of a block, s.
  static var blockSeconds: Float { 0.2 }
  /// Squared change of the rotation between two blocks below which they tell nothing: a turn of one degree.
  static var leastTurn: Float { 0.0005 }
  /// How an error of the turn itself, of its scale and its time, adds to the noise, in proportion to the squared turn.
  static var turnDoubt: Float { 3 }
  /// Share of a block in `misfit`.
  static var misfitShare: Float { 0.1 }

  /// Takes one reading in.
  ///
  /// - Parameters:
  ///   - motion: What a second of delay changes of it, µT/s.
  ///   - seconds: Since the reading before.
  /// - Returns: True when a block has been filled: then `close` it.
  mutating func add(_ reading: TurnedField, motion: Vector3, seconds: Float) -> Bool {
    // A block is of one piece: what is far behind does not tell what to expect.
    if seconds > 0.5 { interrupt() }
    let weight = min(seconds, HardIronEvidence.blockSeconds)
    present.turned.add(reading, scale: weight)
    present.motion += motion * weight
    present.seconds += weight
    return present.seconds >= 0.99 * HardIronEvidence.blockSeconds
  }

  /// Readings before and after have nothing to do with each other.
  mutating func interrupt() {
    present = Block()
    last = Block()
  }

  /// Begins the sums anew; what is known of the delay stays.
  mutating func forget(delay: Float, information s: Float) {
    information = SymmetricMatrix3(diagonal: 0)
    projection = .zero
    crossing = .zero
    delaySquares = s
    delayProjection = s * delay
    squares = s * delay * delay
    count = 0
    misfit = 1
  }

  /// Time runs the other way: what was late is early.
  mutating func reverse() {
    crossing = crossing * -1
    delayProjection = -delayProjection
    interrupt()
  }

  /// What h leaves unexplained with readings late by so many seconds, µT².
  func unexplained(by h: Vector3, delay: Float) -> Float {
    let explained = projection.dot(h) + delayProjection * delay
    return max(
      squares - 2 * explained + h.dot(information * h) + delay * (2 * crossing.dot(h) + delaySquares * delay), 0)
  }

  /// Closes a block.
  ///
  /// - Parameters:
  ///   - field: M₀ and the mean rotation that belongs to it.
  ///   - best: The best hypothesis so far, with its `delay`, and the `noise` it leaves, µT².
  /// - Returns: True when the block told something.
  mutating func close(
    field: TurnedField, best: Vector3, delay: Float, noise: Float, parameters p: MagneticParameters
  ) -> Bool {
    var block = Block()
    block.add(present, scale: 1 / present.seconds)
    block.seconds = present.seconds
    let before = last
    last = block
    present = Block()
    guard before.seconds > 0 else { return false }
    var turn = block
    turn.add(before, scale: -1)
    let rows = turn.turned
    let turned = rows.rowX.squaredLength + rows.rowY.squaredLength + rows.rowZ.squaredLength
    guard turned >= HardIronEvidence.leastTurn else { return false }
    let left = 1 - HardIronEvidence.correlation(over: block.seconds, p)
    // e, T and c as (block − field) − a (before − field), with a = 1 − left.
    var news = turn
    news.add(before, scale: left)
    news.turned.add(field, scale: -left)
    // An error of the turn itself, in time or in scale, disturbs in proportion to it.
    let trust = 1 / (1 + HardIronEvidence.turnDoubt * turned)
    let off = news.field(without: best, delay: delay).squaredLength * trust
    // What is off by more than three of what is usual weighs less, and never more than that.
    let usual = 27 * noise
    let weight = off > usual ? trust * usual / off : trust
    // Sums that have just begun fit nothing yet.
    if count > MagneticEstimate.leastCount { misfit += (off / (3 * noise) - misfit) * HardIronEvidence.misfitShare }
    fade(1 - HardIronEvidence.blockSeconds / p.hardIronMemory)
    take(news, weight: weight)
    count += 3 * weight / trust
    return true
  }

  /// How much of what a place adds is left after a block.
  static func correlation(over seconds: Float, _ p: MagneticParameters) -> Float {
    1 - min(1, seconds / p.placeSeconds)
  }

  private mutating func take(_ news: Block, weight: Float) {
    let (e, c, t) = (news.turned.level, news.motion, news.turned)
    information.add(t.rowX, scale: weight)
    information.add(t.rowY, scale: weight)
    information.add(t.rowZ, scale: weight)
    projection += (t.rowX * e.x + t.rowY * e.y + t.rowZ * e.z) * weight
    crossing += (t.rowX * c.x + t.rowY * c.y + t.rowZ * c.z) * weight
    delaySquares += weight * c.squaredLength
    delayProjection += weight * c.dot(e)
    squares += weight * e.squaredLength
  }

  private mutating func fade(_ keep: Float) {
    information.scale(by: keep)
    projection = projection * keep
    crossing = crossing * keep
    delaySquares *= keep
    delayProjection *= keep
    squares *= keep
    count *= keep
  }
}
