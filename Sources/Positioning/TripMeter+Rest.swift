import Quantities

// Where it stands, and what fixes err there.
extension TripMeter {
  /// What a fix says of its speed, m/s; infinite when that is nothing.
  @inline(never) static func speed(of sight: Sight?) -> Float { sight?.speed.map { Float($0) } ?? .infinity }

  /// True when it still moved at the fix before the first that stands, at a speed in m/s, and may have come from there to here.
  @inline(never) static func isArrival(_ sight: Sight, from previous: Sight, at speed: Float) -> Bool {
    let elapsed = sight.time - previous.time
    guard speed >= Float(TripMeter.standingSpeed), speed < .infinity, elapsed <= TripMeter.longestStep else {
      return false
    }
    let way = Float(Geodesic.fastDistance(from: previous.position, to: sight.position))
    return way < Float(TripMeter.homeRadius) + speed * Float(elapsed.secondsDouble)
  }

  /// True when it has not moved from one fix to the next: an inertial sensor has felt nothing all the time, or speeds that have been right
  /// say at both ends of a moment that it stands. A wheel that counts knows better than speeds.
  func hasStood(since earlier: Instant, until time: Instant, pace: Float, stillFor: Interval) -> Bool {
    let elapsed = time - earlier
    // A ferry that sets off is not felt.
    if stillFor >= elapsed { return pace < TripMeter.walkingSpeed || pace == .infinity }
    return pace < Float(TripMeter.standingSpeed) && elapsed <= TripMeter.longestStep && trial.isRight
      && !wheel.isCounting
  }

  /// The place where it stands follows the fixes.
  ///
  /// What a fix moves while the vehicle does not is its error alone. Two errors that know nothing of each other, of radius a, are √2 a
  /// apart at the root of the mean square. So far away from where the next way begins would the place be where it came to stand, in
  /// whatever direction, and most of that would be a part of the way. Farther than `homeRadius`, or the radius of the fix, it has been
  /// moved. The place is known no better than by the worst of these fixes.
  ///
  /// - Source: our derivation.
  @inline(never) mutating func follow(_ sight: Sight, from home: GeodeticPosition) {
    let reach = Float(Geodesic.fastDistance(from: home, to: sight.position))
    guard reach < max(Float(TripMeter.homeRadius), Float(sight.accuracy ?? 0)) else { return }
    let worst = lastAccuracy
    moveHome(to: sight)
    lastAccuracy = max(worst, lastAccuracy)
    isFollowed = true
    forgetWay()
    // From here on speeds tell all of it.
    trial.begin()
  }

  /// It sets off, or has come to stand: where is known as well as the fix is.
  ///
  /// Where the place has not followed the fixes, the first step is too long by anything from 0 to the mean distance of two fixes there,
  /// √(π/2) a, and always too long. That is √(π/6) a at the root of the mean square: as much as an end is in doubt, a/√2, within 3 %. As
  /// it always has the same sign, it is added as it is, and not its square.
  ///
  /// - Source: our derivation.
  mutating func noteEnd(isBeginning: Bool) {
    if wheel.isCounting { return }
    let accuracy = lastAccuracy > 0 ? lastAccuracy : WheelMeter.assumedAccuracy
    let variance = TripMeter.endVariance * accuracy * accuracy
    if isBeginning, !isFollowed {
      let deviation = ends.squareRoot() + variance.squareRoot()
      ends = deviation * deviation
    } else {
      ends += variance
    }
  }

  /// By how much noise of fixes may have made a way longer whose speeds tell nothing, m; `corners` of it were added for its turns.
  ///
  /// Steps s whose sides vary by a variance p of noise are longer by p/2s each, and turn by 2p/s² at the mean square, for which a tenth of
  /// it is added: 0.2 p/s. If all turns are noise, the way is too long by 0.7/0.2 of what was added for them. Turns are not taken for that
  /// where the radius of fixes is less than the shortest step.
  ///
  /// - Source: our derivation.
  func noise(of corners: Double) -> Float {
    lastAccuracy < Float(TripMeter.spacing) ? 0 : TripMeter.noisePerCorner * Float(corners)
  }

  /// How much too long a way is, all of whose turns are noise, as a share of what was added for them.
  @inlinable package static var noisePerCorner: Float { 3.5 }
}
