import Quantities

/// The heading of the level frame as courses over ground show it: a second source beside the magnetometer, or the only one.
///
/// One angle and its variance, which grows with the drift of the gyroscope. A vehicle that goes forward points along its
/// course; the caller says how well.
public struct GNSSHeading: Equatable, BitwiseCopyable, Sendable {
  /// Angle of the rotation about the vertical that takes the level frame to ENU (true north), rad, −π to π.
  public private(set) var offset: Float = 0
  /// Its variance, rad²; infinite while there was no course.
  public private(set) var variance: Float = .infinity

  init() {}

  /// The heading of the level frame is not that of before.
  mutating func forget() { variance = .infinity }

  /// The gyroscope alone carried the heading over a stretch.
  mutating func drift(variance added: Float) { variance += added }

  /// Takes one course in.
  ///
  /// - Parameters:
  ///   - measured: What the offset would be if the course were the heading, rad.
  ///   - uncertainty: One standard deviation, rad, above 0.
  mutating func update(offset measured: Float, uncertainty: Float) {
    let noise = uncertainty * uncertainty
    guard variance.isFinite else {
      offset = wrapped(measured)
      variance = noise
      return
    }
    let difference = wrapped(measured - offset)
    // A course far off (a slide, a van that carries the bike backwards) weighs little until it insists.
    let ratio = difference * difference / (9 * (variance + noise))
    let weighted = noise * (1 + ratio * ratio)
    let gain = variance / (variance + weighted)
    offset = wrapped(offset + gain * difference)
    variance -= gain * variance
    if ratio > 1 { variance += 0.1 * noise * min(ratio, 100) }
  }

  private func wrapped(_ angle: Float) -> Float {
    let turn: Float = 2 * .pi
    var a = angle
    if a > .pi { a -= turn }
    if a < -.pi { a += turn }
    return a
  }
}
