import Quantities

// How far the distance may be off.
extension TripMeter {
  /// Standard deviation of the scale of a long way.
  @inlinable public static var scaleError: Double { 0.006 }
  /// Standard deviation of `corners`, as a share of them: (1/8 − 1/24)/√12 of a tenth.
  @inlinable public static var cornerError: Double { 0.24 }
  /// Square of the standard deviation of a way in silence, as a share of its square.
  @inlinable public static var silenceError: Double { 0.25 }

  /// Variance of a fix along the way, as a share of the square of its radius: that holds both axes.
  @inlinable package static var endVariance: Float { 0.5 }

  /// Standard deviation of the distance, m.
  ///
  /// What fixes have counted has errors that know nothing of each other. A scale, which is the same on all ways: `scaleError` is
  /// the error of the rides in docs/odometer.md whose device and track agree. The share of corners, which lies anywhere between 1/24
  /// and 1/8 where a tenth is added: 24 % of that. Of each silence half of its way: it may have been none, or a detour. And
  /// what the fixes err along the way where it sets off and comes to stand: what they err in between is no part of the sum. Where the
  /// place at rest could not follow them, each set-off makes the way longer, and these add up as they are (`noteEnd`). Where speeds
  /// tell another way than positions, the truth lies anywhere between the two, which is 1/√3 of their difference off at the root of the
  /// mean square; where they tell nothing, and fixes are poor, the turns of the way may be noise (`noise`). What the wheel has counted
  /// has one, of its metres per pulse (`WheelMeter.doubt`).
  ///
  /// - Source: our derivation.
  public var uncertainty: Double {
    let (scale, corner) = (TripMeter.scaleError * max(0, distance - wheel.counted), TripMeter.cornerError * corners)
    let between = Double(disagreement) * Double(disagreement) / 3
    let fixes = scale * scale + corner * corner + TripMeter.silenceError * silences + Double(ends) + between
    return Elementary.squareRoot(fixes + wheel.doubt * wheel.doubt)
  }
}
