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
