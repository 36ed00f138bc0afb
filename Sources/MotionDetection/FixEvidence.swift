import Quantities

extension GNSSFix {
  /// Position and accuracy radius (m), when the fix can be used as evidence.
  ///
  /// A negative radius is how phones mark a position as invalid; one that is not a number says nothing.
  func evidence(_ parameters: MotionParameters) -> (position: GeodeticPosition, accuracy: Float)? {
    guard hasPosition, let position else { return nil }
    guard let stated = horizontalAccuracy, stated == stated else { return (position, parameters.assumedAccuracy) }
    guard stated >= 0, stated <= Double(parameters.worstAccuracy) else { return nil }
    return (position, Float(stated))
  }

  /// Speed over ground, m/s; nil when unknown, or not a speed of anything that has wheels, legs or wings.
  var plausibleSpeed: Double? {
    guard let speed, speed >= 0, speed <= 500 else { return nil }
    return speed
  }
}

/// Whether a sensor that has watched since `stillSince` and saw no movement vouches for what was last seen at `seen`.
func vouches(_ stillSince: Instant?, for seen: Instant?) -> Bool {
  guard let stillSince, let seen else { return false }
  return stillSince <= seen
}
