import Quantities

/// Tells whether positions have gone the way of the last half minute that speed and course tell.
///
/// Both ways fade with the same time, so that one step counts for little and an error of minutes for less. What a receiver with an error of σ
/// and τ has of it in the way by positions is σ·√(T/(T + τ)): 4.5 m of 15 m over 300 s.
///
/// - Source: our derivation; the constants are from the model of docs/street-model.md, seeds 0 to 19.
struct WayAgreement: BitwiseCopyable {
  /// The way that speed and course tell, m.
  private var told = GroundVector()
  /// The way that positions have gone, m.
  private var gone = GroundVector()
  /// For how long they agree, less the time in which they did not, s.
  private var agreed: Float = 0

  /// Time in which a way fades, s. Shorter: slow travel is never far enough. Longer: errors of positions count as ways.
  static var fading: Float { 30 }
  /// Least way, m: 0.7 m/s and faster get there. Less: speeds that receivers make up do, too. More: slow travel does not.
  static var leastWay: Float { 20 }
  /// Way from which on the two are compared, m.
  static var comparedWay: Float { 10 }
  /// What may be between them, by the way that is told.
  static var difference: Float { 0.5 }
  /// For how long they must agree, s.
  static var needed: Float { 10 }
  /// What one step counts at most, s: with rare fixes three must agree.
  static var longestStep: Float { 4 }

  init() {}

  /// What was told and gone until here says nothing of what comes.
  mutating func begin() { self = WayAgreement() }

  /// Takes a step in.
  ///
  /// - Parameters:
  ///   - step: From the position before, m.
  ///   - length: What speed tells of its length, m.
  ///   - course: As the fix tells it, rad clockwise from north; without one it is where positions went.
  ///   - elapsed: Seconds since the fix before.
  /// - Returns: True when the two have agreed for long enough over a way that is long enough.
  mutating func follow(step: GroundVector, length: Float, course: Double?, elapsed: Float) -> Bool {
    let kept = WayAgreement.fading / (WayAgreement.fading + elapsed)
    gone = (gone + step) * kept
    let way =
      course.flatMap { GroundVector(length, along: $0) }
      ?? (gone.length > 0 ? gone / gone.length * length : GroundVector())
    told = (told + way) * kept
    guard told.length >= WayAgreement.comparedWay else {
      agreed = 0
      return false
    }
    let isNear = (told - gone).length <= WayAgreement.difference * told.length
    if isNear {
      agreed = min(agreed + min(elapsed, WayAgreement.longestStep), WayAgreement.needed)
    } else {
      agreed = max(0, agreed - elapsed)
    }
    return isNear && told.length >= WayAgreement.leastWay && agreed >= WayAgreement.needed
  }
}
