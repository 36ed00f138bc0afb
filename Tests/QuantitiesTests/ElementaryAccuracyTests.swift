import Glibc
import Quantities
import Testing

/// Every function against the C library in a wider type, over its whole range. The bounds are those of the doc comments.
struct ElementaryAccuracyTests {
  static func checkSingle(
    _ name: String, _ bound: Double, ranges: [ClosedRange<Float>], _ function: (Float) -> Float,
    _ reference: (Double) -> Double
  ) {
    var worst = WorstError<Float>()
    sweep(ranges) { worst.note(function($0), exact: reference(Double($0)), at: $0) }
    report(name, "Float", worst, bound)
  }

  static func checkDouble(
    _ name: String, _ bound: Double, ranges: [ClosedRange<Double>], _ function: (Double) -> Double,
    _ reference: (Wide) -> Wide
  ) {
    var worst = WorstError<Double>()
    sweep(ranges) { worst.note(function($0), exact: reference(Wide($0)), at: $0) }
    report(name, "Double", worst, bound + referenceError)
  }

  static func report<Argument>(_ name: String, _ type: String, _ worst: WorstError<Argument>, _ bound: Double) {
    let argument = worst.argument.map { "\($0)" } ?? "-"
    #expect(worst.ulp <= bound, "\(name) \(type): \(worst.ulp) ulp at \(argument)")
    print("| \(name) | \(type) | \(rounded(worst.ulp)) | \(rounded(bound)) | \(worst.count) | \(argument) |")
  }

  static func rounded(_ ulp: Double) -> Double { (ulp * 1000).rounded() / 1000 }

  @Test func sineIsWithinItsBound() {
    Self.checkSingle("sin", 0.82, ranges: [-4...4, -13_000...13_000], { Elementary.sin($0) }, { sin($0) })
    Self.checkDouble("sin", 0.82, ranges: [-4...4, -2e6...2e6], { Elementary.sin($0) }, { sin($0) })
  }

  @Test func cosineIsWithinItsBound() {
    Self.checkSingle("cos", 0.82, ranges: [-4...4, -13_000...13_000], { Elementary.cos($0) }, { cos($0) })
    Self.checkDouble("cos", 0.82, ranges: [-4...4, -2e6...2e6], { Elementary.cos($0) }, { cos($0) })
  }

  @Test func sineAndCosineAtOnceHaveTheBitsOfEach() {
    sweep([-4...4, -13_000...13_000] as [ClosedRange<Float>]) { x in
      let both = Elementary.sincos(x)
      if both.sin.bitPattern != Elementary.sin(x).bitPattern || both.cos.bitPattern != Elementary.cos(x).bitPattern {
        Issue.record("differ at \(x)")
      }
    }
    sweep([-4...4] as [ClosedRange<Double>]) { x in
      let both = Elementary.sincos(x)
      if both.sin.bitPattern != Elementary.sin(x).bitPattern || both.cos.bitPattern != Elementary.cos(x).bitPattern {
        Issue.record("differ at \(x)")
      }
    }
  }

  @Test func theShortWayIsTheLongOneButNextToQuarterTurns() {
    var count = 0
    var differing = 0
    sweep([-4...4, -12_799...12_799] as [ClosedRange<Float>]) { x in
      guard x.magnitude < 12_800 else { return }
      let (short, long) = (Elementary.shortSincos(x), Elementary.sincos(x))
      count += 1
      if short != long { differing += 1 }
      if (short.sin - long.sin).magnitude > max(0x1p-44, 0x1p-23 * long.sin.magnitude)
        || (short.cos - long.cos).magnitude > max(0x1p-44, 0x1p-23 * long.cos.magnitude)
      {
        Issue.record("too far off at \(x)")
      }
    }
    #expect(differing * 10_000 <= count)
    for x in [-12_800, 12_800, Float.infinity, .nan] {
      let none = Elementary.shortSincos(x)
      #expect(none.sin.isNaN && none.cos.isNaN)
    }
  }

  @Test func quarterTurnsKeepTheirRestInSinglePrecision() {
    // The multiples of π/2 that the numbers of the type come nearest to, and those of every size.
    for turns in [1.0, 2, 3, 4, 5, 7, 8, 100, 8191, 8193, 1e6, 1e9, 1e15, 1e30] {
      let nearest = Float(turns * (Double.pi / 2))
      for x in [nearest, nearest.nextUp, nearest.nextDown, -nearest] {
        let sine = Elementary.sin(x)
        let error = (Double(sine) - sin(Double(x))).magnitude
        #expect(error <= 0.82 * Double(max(sine.ulp, .leastNonzeroMagnitude)), "sin \(x)")
        let cosine = Elementary.cos(x)
        #expect((Double(cosine) - cos(Double(x))).magnitude <= 0.82 * Double(cosine.ulp), "cos \(x)")
      }
    }
    // 16367173 · 2^72 is the number of single precision nearest to a multiple of π/2 of all.
    let nearest = 16_367_173 * Float(sign: .plus, exponent: 72, significand: 1)
    let cosine = Elementary.cos(nearest)
    #expect((Double(cosine) - cos(Double(nearest))).magnitude <= 0.82 * Double(cosine.ulp) && cosine.magnitude < 2e-9)
  }

  @Test func integersOf64BitsRoundAsTheyDoByHardware() {
    var arguments = Arguments(seed: 11)
    for k in 0..<200_000 {
      let bits = arguments.bits() >> UInt64(k % 64)
      for x in [Int64(bitPattern: bits), 0 &- Int64(bitPattern: bits)] where Elementary.nearest(x) != Float(x) {
        Issue.record("\(x) is rounded to \(Elementary.nearest(x))")
      }
    }
    for power in 0..<63 {
      for step in Int64(-3)...3 {
        let x = (Int64(1) << Int64(power)) &+ step
        #expect(Elementary.nearest(x) == Float(x) && Elementary.nearest(0 &- x) == Float(0 &- x))
      }
    }
    #expect(Elementary.nearest(.min) == -0x1p63 && Elementary.nearest(.max) == 0x1p63 && Elementary.nearest(0) == 0)
  }

  @Test func wholePartsEndAtTheirLimits() {
    #expect(
      [-1, -0.0, 0, 0.99, 1, 99.9, 100, 1e9, .infinity].map { Elementary.whole($0, upTo: 100) } == [
        0, 0, 0, 0, 1, 99, 100, 100, 100,
      ])
    for k in 0..<100_000 {
      let x = Float(k) * 0.73
      if Elementary.whole(x, upTo: 65_535) != min(Int32(x), 65_535) { Issue.record("\(x)") }
    }
    #expect([0x1p24, Float(0x1p24).nextDown].map { Elementary.whole($0, upTo: 1 << 24) } == [1 << 24, (1 << 24) - 1])
    #expect(Elementary.whole(.nan, upTo: 100) == 0 && Elementary.whole(-.infinity, upTo: 100) == 0)
  }

  @Test func shortDirectionsAreThoseOfUsualNumbers() {
    var arguments = Arguments(seed: 12)
    for _ in 0..<100_000 {
      let (y, x) = (Float(arguments.uniform(-2, 2)), Float(arguments.uniform(-2, 2)))
      if Elementary.shortAtan2(y, x) != Elementary.atan2(y, x) { Issue.record("differ at \(y), \(x)") }
    }
    for (y, x, angle) in [
      (0, 1, 0), (0, -1, .pi), (1, 0, .pi / 2), (-1, 0, -.pi / 2), (1e-30, -1, .pi), (1e-30, 1, 0), (0, 0, 0),
      (0x1p-70, 0x1p-70, 0),
    ] as [(Float, Float, Float)] {
      #expect((Elementary.shortAtan2(y, x) - angle).magnitude < 3e-7, "\(y), \(x)")
    }
    #expect(Elementary.shortAtan2(.nan, 1).isNaN && Elementary.shortAtan2(.infinity, 1) == 0)
  }

  @Test func tangentIsWithinItsBound() {
    Self.checkSingle("tan", 0.51, ranges: [-4...4], { Elementary.tan($0) }, { tan($0) })
    Self.checkDouble("tan", 0.95, ranges: [-4...4, -2e6...2e6], { Elementary.tan($0) }, { tan($0) })
  }

  @Test func arcTangentIsWithinItsBound() {
    Self.checkSingle("atan", 0.90, ranges: [-4...4], { Elementary.atan($0) }, { atan($0) })
    Self.checkDouble("atan", 0.90, ranges: [-4...4], { Elementary.atan($0) }, { atan($0) })
  }

  @Test func arcSineIsWithinItsBound() {
    Self.checkSingle("asin", 0.70, ranges: [-1...1], { Elementary.asin($0) }, { asin($0) })
    Self.checkDouble("asin", 0.70, ranges: [-1...1], { Elementary.asin($0) }, { asin($0) })
  }

  @Test func arcCosineIsWithinItsBound() {
    Self.checkSingle("acos", 0.70, ranges: [-1...1, 0.9...1], { Elementary.acos($0) }, { acos($0) })
    Self.checkDouble("acos", 0.70, ranges: [-1...1, 0.9...1], { Elementary.acos($0) }, { acos($0) })
  }

  @Test func exponentialIsWithinItsBound() {
    Self.checkSingle("exp", 0.90, ranges: [-1...1, -105...89], { Elementary.exp($0) }, { exp($0) })
    Self.checkDouble("exp", 0.90, ranges: [-1...1, -746...710], { Elementary.exp($0) }, { exp($0) })
  }

  @Test func logarithmIsWithinItsBound() {
    Self.checkSingle("log", 0.86, ranges: [0.5...2, 0.1...100], { Elementary.log($0) }, { log($0) })
    Self.checkDouble("log", 0.86, ranges: [0.5...2, 0.1...100], { Elementary.log($0) }, { log($0) })
  }

  @Test func directionAngleIsWithinItsBound() {
    var single = WorstError<(Float, Float)>()
    var double = WorstError<(Double, Double)>()
    var arguments = Arguments(seed: 3)
    for k in 0..<(200_000 * Int(sweepFactor)) {
      let bits = arguments.bits()
      let near = k % 2 == 0
      let x = near ? Float(arguments.uniform(-2, 2)) : Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      let y = near ? Float(arguments.uniform(-2, 2)) : Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
      single.note(Elementary.atan2(y, x), exact: atan2(Double(y), Double(x)), at: (y, x))
      let u = near ? arguments.uniform(-2, 2) : Double(bitPattern: arguments.bits())
      // Exponents within 128 of each other.
      let v =
        near ? arguments.uniform(-2, 2) : Double(bitPattern: u.bitPattern ^ (arguments.bits() & 0x87FF_FFFF_FFFF_FFFF))
      double.note(Elementary.atan2(v, u), exact: atan2(Wide(v), Wide(u)), at: (v, u))
    }
    Self.report("atan2", "Float", single, 0.90)
    Self.report("atan2", "Double", double, 0.90 + referenceError)
  }

  @Test func powerIsWithinItsBound() {
    var single = WorstError<(Float, Float)>()
    var double = WorstError<(Double, Double)>()
    var arguments = Arguments(seed: 4)
    for k in 0..<(100_000 * Int(sweepFactor)) {
      let bits = arguments.bits()
      var x = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      var y = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
      if k % 4 != 0 { (x, y) = (x.magnitude, Float(arguments.uniform(-4, 4))) }
      single.note(Elementary.pow(x, y), exact: pow(Double(x), Double(y)), at: (x, y))
      var u = Double(bitPattern: arguments.bits())
      var v = Double(bitPattern: arguments.bits())
      switch k % 4 {
      case 0: break
      case 1: (u, v) = (u.magnitude, arguments.uniform(-1.2, 1.2))
      case 2: (u, v) = (arguments.uniform(0, 2), arguments.uniform(-700, 700))
      default: (u, v) = (1 + arguments.uniform(-1e-3, 1e-3), arguments.uniform(-7e5, 7e5))
      }
      double.note(Elementary.pow(u, v), exact: pow(Wide(u), Wide(v)), at: (u, v))
    }
    Self.report("pow", "Float", single, 0.51)
    Self.report("pow", "Double", double, 0.90 + referenceError)
  }

  @Test func squareRootFromIntegersHasTheBitsOfTheHardware() {
    sweep([0...4, 0...1e9] as [ClosedRange<Double>]) { x in
      let expected = x.squareRoot()
      let root = Elementary.squareRootByIntegers(x)
      if root.bitPattern != expected.bitPattern && !(root.isNaN && expected.isNaN) { Issue.record("differ at \(x)") }
    }
    #expect(Elementary.squareRootByIntegers(.infinity) == .infinity)
    #expect(Elementary.squareRootByIntegers(.nan).isNaN)
    #expect(Elementary.squareRoot(2.0) == 2.0.squareRoot())
  }
}
