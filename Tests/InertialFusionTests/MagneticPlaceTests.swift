import Quantities
import Testing

@testable import InertialFusion

/// What is a field of the place, and what one of the body.
@Suite struct MagneticPlaceTests {
  /// A slow field of a place that goes with the attitude, as a hand does that turns a sensor beside a steel shelf, is no field
  /// of the body; one of the body's own as strong is.
  @Test(arguments: [Float(3), 5])
  func aPlaceIsNotTakenForTheBody(strength: Float) {
    let p = MagneticParameters()
    for isOwn in [false, true] {
      var random = SplitMix64(seed: 17)
      func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
      func vector(_ scale: Float) -> Vector3 { Vector3(number(), number(), number()) * scale }
      var filter = MagneticEstimate(p)
      var attitude = Quaternion.identity
      var place = Vector3.zero
      for step in 0..<3000 {
        let angle = 0.04 * Float(step)
        let rate = Vector3(Elementary.sin(0.31 * angle), Elementary.sin(0.23 * angle + 1), 0.6) * 0.8
        attitude = (attitude * Quaternion(rotationVector: rate * 0.04)).normalized
        place = place * 0.98 + vector(strength * 0.35)
        let level = Vector3(0, 18, -44) + (isOwn ? .zero : place)
        let own = isOwn ? Vector3(strength, -strength, strength) * 1.6 : .zero
        filter.update(
          with: attitude.conjugate.rotate(level) + own + vector(0.3), rotation: attitude, rate: rate, elapsed: 0.04,
          isAtRest: false, tiltVariance: 0, parameters: p)
      }
      #expect(filter.hasHardIron == isOwn, "\(filter.likelyHardIron), evidence \(filter.hardIronEvidence)")
    }
  }
}
