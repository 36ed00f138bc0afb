import Glibc
import Quantities
import Testing

/// Zeros, infinities and NaN as C99 annex F has them, and the integer helpers.
struct ElementarySpecialValueTests {
  static let special: [Double] = [
    0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    -.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0x1p53, -0x1p53 + 1, .pi, 1.5, -2.5,
  ]

  /// Equal in value and in the sign of zero, or both NaN; finite results may differ in the last place.
  static func agree(_ a: Double, _ b: Double) -> Bool {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    if a == 0 || b == 0 || a.isInfinite || b.isInfinite { return a == b && a.sign == b.sign }
    return (a - b).magnitude <= max(a.ulp, b.ulp)
  }

  static func agree(_ a: Float, _ b: Float) -> Bool {
    if a.isNaN || b.isNaN { return a.isNaN && b.isNaN }
    if a == 0 || b == 0 || a.isInfinite || b.isInfinite { return a == b && a.sign == b.sign }
    return (a - b).magnitude <= max(a.ulp, b.ulp)
  }

  @Test func functionsOfOneNumberTreatSpecialValuesLikeTheLibrary() {
    for x in Self.special {
      #expect(Self.agree(Elementary.sin(x), sin(x)), "sin \(x)")
      #expect(Self.agree(Elementary.cos(x), cos(x)), "cos \(x)")
      #expect(Self.agree(Elementary.tan(x), tan(x)), "tan \(x)")
      #expect(Self.agree(Elementary.atan(x), atan(x)), "atan \(x)")
      #expect(Self.agree(Elementary.asin(x), asin(x)), "asin \(x)")
      #expect(Self.agree(Elementary.acos(x), acos(x)), "acos \(x)")
      #expect(Self.agree(Elementary.exp(x), exp(x)), "exp \(x)")
      #expect(Self.agree(Elementary.log(x), log(x)), "log \(x)")
      let y = Float(x)
      #expect(Self.agree(Elementary.sin(y), sinf(y)), "sinf \(y)")
      #expect(Self.agree(Elementary.cos(y), cosf(y)), "cosf \(y)")
      #expect(Self.agree(Elementary.tan(y), tanf(y)), "tanf \(y)")
      #expect(Self.agree(Elementary.atan(y), atanf(y)), "atanf \(y)")
      #expect(Self.agree(Elementary.asin(y), asinf(y)), "asinf \(y)")
      #expect(Self.agree(Elementary.acos(y), acosf(y)), "acosf \(y)")
      #expect(Self.agree(Elementary.exp(y), expf(y)), "expf \(y)")
      #expect(Self.agree(Elementary.log(y), logf(y)), "logf \(y)")
    }
  }

  @Test func functionsOfTwoNumbersTreatSpecialValuesLikeTheLibrary() {
    for x in Self.special {
      for y in Self.special {
        #expect(Self.agree(Elementary.atan2(y, x), atan2(y, x)), "atan2 \(y) \(x)")
        #expect(Self.agree(Elementary.pow(x, y), pow(x, y)), "pow \(x) \(y)")
        let (u, v) = (Float(x), Float(y))
        #expect(Self.agree(Elementary.atan2(v, u), atan2f(v, u)), "atan2f \(v) \(u)")
        #expect(Self.agree(Elementary.pow(u, v), powf(u, v)), "powf \(u) \(v)")
      }
    }
  }

  @Test func roundingToIntegersTakesHalvesAwayFromZeroAndSaturates() {
    #expect(Elementary.roundedInteger(2.5) as Int64 == 3)
    #expect(Elementary.roundedInteger(-2.5) as Int64 == -3)
    #expect(Elementary.roundedInteger(0.49999999999999994) as Int64 == 0)
    #expect(Elementary.roundedInteger(0x1p62) as Int64 == 1 << 62)
    #expect(Elementary.roundedInteger(Double.infinity) == .max)
    #expect(Elementary.roundedInteger(-1e300) as Int64 == .min)
    #expect(Elementary.roundedInteger(Double.nan) == 0)
    #expect(Elementary.roundedInteger(Float(2.5)) == 3)
    #expect(Elementary.roundedInteger(Float(-2.5)) == -3)
    #expect(Elementary.roundedInteger(Float(0.49999997)) == 0)
    #expect(Elementary.roundedInteger(Float(2_147_483_520)) == 2_147_483_520)
    #expect(Elementary.roundedInteger(Float(3e9)) == .max)
    #expect(Elementary.roundedInteger(-Float.infinity) == .min)
    #expect(Elementary.roundedInteger(Float.nan) == 0)
  }

  @Test func floorHasTheBitsOfTheLibrary() {
    sweep([-100...100] as [ClosedRange<Double>]) { x in
      if Elementary.floor(x).bitPattern != floor(x).bitPattern { Issue.record("floor \(x)") }
    }
    sweep([-100...100] as [ClosedRange<Float>]) { x in
      if Elementary.floor(x).bitPattern != floorf(x).bitPattern { Issue.record("floorf \(x)") }
    }
    #expect(Elementary.floor(Double.nan).isNaN)
    #expect(Elementary.floor(-Double.infinity) == -.infinity)
  }

  @Test func remainderIsExactAndNeverReachesTheModulus() {
    var arguments = Arguments(seed: 5)
    for k in 0..<20_000 {
      let x = k % 2 == 0 ? Double(bitPattern: arguments.bits()) : arguments.uniform(-100, 100)
      let modulus = k % 3 == 0 ? Double(bitPattern: arguments.bits()).magnitude : 2 * Double.pi
      guard x.isFinite, modulus.isFinite, modulus > 0 else { continue }
      var expected = fmod(x, modulus)
      if expected < 0 { expected += modulus }
      if expected >= modulus || expected == 0 { expected = 0 }
      let rest = Elementary.remainder(x, modulus)
      if rest != expected || rest.sign == .minus { Issue.record("\(x) by \(modulus): \(rest), not \(expected)") }
      let (y, single) = (Float(x), Float(modulus))
      guard y.isFinite, single.isFinite, single > 0 else { continue }
      var wanted = fmodf(y, single)
      if wanted < 0 { wanted += single }
      if wanted >= single || wanted == 0 { wanted = 0 }
      if Elementary.remainder(y, single) != wanted { Issue.record("Float \(y) by \(single)") }
    }
    #expect(Elementary.remainder(-1e-300, 2 * .pi) == 0)
    #expect(Elementary.remainder(.infinity, 1.0).isNaN)
    #expect(Elementary.remainder(1.0, 0).isNaN)
    #expect(Elementary.remainder(1.0, -1).isNaN)
  }

  @Test func anglesWrapIntoTheirHalfOpenRanges() {
    #expect(Elementary.positiveAngle(-Double.pi / 2) == 1.5 * .pi)
    #expect(Elementary.positiveAngle(2 * Double.pi) == 0)
    #expect(Elementary.signedAngle(Double.pi) == .pi)
    #expect(Elementary.signedAngle(-Double.pi) == .pi)
    #expect(Elementary.signedAngle(1.5 * Double.pi) == -0.5 * .pi)
    #expect(Elementary.signedAngle(Float.pi) == .pi)
    #expect(Elementary.signedAngle(-Float.pi) == .pi)
    var arguments = Arguments(seed: 6)
    for _ in 0..<20_000 {
      let x = arguments.uniform(-50, 50)
      let positive = Elementary.positiveAngle(x)
      let signed = Elementary.signedAngle(x)
      #expect(positive >= 0 && positive < 2 * .pi)
      #expect(signed > -.pi && signed <= .pi)
      #expect((sin(signed) - sin(x)).magnitude < 1e-13 && (cos(positive) - cos(x)).magnitude < 1e-13)
      let single = Elementary.signedAngle(Float(x))
      #expect(single > -.pi && single <= .pi)
    }
  }
}
