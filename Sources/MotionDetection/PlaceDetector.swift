import Positioning
import Quantities

/// Recognises that a parked vehicle is somewhere else: fixes beyond all that they have scattered so far.
struct PlaceDetector: BitwiseCopyable {
  private var since: Instant?
  private var count: Int32 = 0
  /// Where it was parked; nil without a fix.
  private(set) var position: GeodeticPosition?
  /// How well that is known, m.
  private(set) var accuracy: Float
  /// Last fix that agreed with the place; nil when there was none.
  private var seen: Instant?
  /// Distance from the parking place, m, as last seen.
  private(set) var displacement: Float?

  /// Fixes in a row that must agree: one alone, or two, may be wrong by any distance.
  static var confirmation: Int32 { 3 }

  init(position: GeodeticPosition?, accuracy: Float, seen: Instant?) {
    self.position = position
    self.accuracy = accuracy
    self.seen = seen
  }

  /// Judges one fix.
  ///
  /// - Parameters:
  ///   - scatter: Of the fixes until now, about the place.
  ///   - isSettled: False when the position has just jumped by more than speed can tell.
  ///   - stillSince: Since when the inertial sensor vouches that it has not moved; nil when it does not.
  mutating func judge(
    _ fix: GNSSFix, _ scatter: PositionScatter, isSettled: Bool, stillSince: Instant?, _ parameters: MotionParameters,
    into judgement: inout Judgement
  ) {
    guard let (found, accuracy) = fix.evidence(parameters) else { return }
    guard let parked = position else {
      // Parked without a fix, indoors perhaps: the first one shows where.
      position = found
      self.accuracy = accuracy
      seen = fix.time
      return
    }
    displacement = Float(Geodesic.fastDistance(from: parked, to: found))
    let noise = (self.accuracy * self.accuracy + accuracy * accuracy).squareRoot()
    let radius = scatter.radius(
      least: parameters.parkedDisplacement, stated: 3 * noise, accuracy: accuracy, isDoubtful: true)
    let distance = scatter.distance(of: found) ?? displacement ?? 0
    let isStill = vouches(stillSince, for: seen)
    guard distance >= radius, !isStill || distance > 20 * radius else {
      if distance < radius {
        seen = fix.time
        if accuracy < self.accuracy * 0.7 {
          position = found
          self.accuracy = accuracy
        }
      }
      since = nil
      count = 0
      return
    }
    let onset = since ?? fix.time
    since = onset
    count &+= 1
    guard count >= PlaceDetector.confirmation, isSettled else { return }
    judgement.confirm(.displacement, ratio: distance / radius, onset: onset)
  }
}
