import Glibc
import Quantities

#if arch(x86_64)
  /// A type wide enough to judge `Double` results.
  typealias Wide = Float80
  /// What the reference itself may be wrong by, ulp of `Double`.
  let referenceError = 0.001
#else
  typealias Wide = Double
  let referenceError = 0.5
#endif

/// How many times more arguments to try than an ordinary run does; set by LEASH_SWEEP.
let sweepFactor: UInt32 = {
  guard let text = getenv("LEASH_SWEEP"), let factor = UInt32(String(cString: text)), factor > 0 else { return 1 }
  return factor
}()

/// The largest error seen, in units in the last place of the exact result, and where.
struct WorstError<Argument> {
  var ulp = 0.0
  var argument: Argument?
  var count = 0

  mutating func note(_ result: Float, exact: Double, at argument: Argument) {
    count += 1
    guard result.isFinite || exact.isFinite else {
      if result.isNaN != exact.isNaN || (!result.isNaN && Double(result) != exact) { raise(.infinity, argument) }
      return
    }
    let rounded = Float(exact)
    if rounded == result && (result != 0 || rounded.sign == result.sign) && result.isInfinite { return }
    let got = result.isInfinite ? (result > 0 ? 0x1p128 : -0x1p128) : Double(result)
    let exponent = exact == 0 ? -126 : min(max(Int(exact.exponent), -126), 127)
    let unit = Double(sign: .plus, exponent: exponent - 23, significand: 1)
    let error = (got - exact).magnitude / unit
    raise(error.isNaN ? .infinity : error, argument)
  }

  mutating func note(_ result: Double, exact: Wide, at argument: Argument) {
    count += 1
    guard result.isFinite || exact.isFinite else {
      if result.isNaN != exact.isNaN || (!result.isNaN && Wide(result) != exact) { raise(.infinity, argument) }
      return
    }
    let rounded = Double(exact)
    if rounded == result && result.isInfinite { return }
    let limit = Wide(Double.greatestFiniteMagnitude) + Wide(Double.greatestFiniteMagnitude.ulp)
    let got = result.isInfinite ? (result > 0 ? limit : -limit) : Wide(result)
    let exponent = exact == 0 ? -1022 : min(max(Int(exact.exponent), -1022), 1023)
    let unit = Wide(sign: .plus, exponent: exponent - 52, significand: 1)
    let error = Double((got - exact).magnitude / unit)
    raise(error.isNaN ? .infinity : error, argument)
  }

  private mutating func raise(_ error: Double, _ argument: Argument) {
    if error > ulp {
      ulp = error
      self.argument = argument
    }
  }
}

/// A small generator (SplitMix64), so that every run tries the same arguments.
struct Arguments {
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  mutating func bits() -> UInt64 { generator.next() }

  mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(bits() >> 11) * 0x1p-53
  }
}

/// Arguments spread over all finite `Float` bit patterns, then denser ones in each range.
func sweep(_ ranges: [ClosedRange<Float>], _ body: (Float) -> Void) {
  var pattern: UInt32 = 0
  let step = max(1, 4_999 / sweepFactor)
  while true {
    let x = Float(bitPattern: pattern)
    if x.isFinite { body(x) }
    let (next, overflow) = pattern.addingReportingOverflow(step)
    if overflow { break }
    pattern = next
  }
  var arguments = Arguments(seed: 1)
  for range in ranges {
    for _ in 0..<(100_000 * Int(sweepFactor)) {
      let x = Float(arguments.uniform(Double(range.lowerBound), Double(range.upperBound)))
      if range.contains(x) { body(x) }
    }
  }
  for x in nearSpecial { body(x) }
}

/// Pseudo-random `Double` bit patterns, then denser ones in each range and neighbours of multiples of π/2.
func sweep(_ ranges: [ClosedRange<Double>], _ body: (Double) -> Void) {
  var arguments = Arguments(seed: 2)
  for _ in 0..<(200_000 * Int(sweepFactor)) {
    let x = Double(bitPattern: arguments.bits())
    if x.isFinite { body(x) }
  }
  for range in ranges {
    for _ in 0..<(100_000 * Int(sweepFactor)) { body(arguments.uniform(range.lowerBound, range.upperBound)) }
  }
  for shift in 0..<63 as Range<UInt64> {
    for _ in 0..<100 {
      let multiple = Double(Wide(arguments.bits() >> shift) * (Wide.pi / 2))
      for x in [multiple.nextDown, multiple, multiple.nextUp] {
        body(x)
        body(-x)
      }
    }
  }
  for x in nearSpecial { body(Double(x)) }
  for x in [Double.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1] {
    for y in [x.nextDown, x, x.nextUp] where y.isFinite {
      body(y)
      body(-y)
    }
  }
  // The double nearest to a multiple of π/2 of all.
  body(6_381_956_970_095_103 * 0x1p797)
}

/// Floats around zero, one, the ends of the range, and the multiples of π/2 (16367173·2^72 is the nearest to one of all).
let nearSpecial: [Float] = {
  var all: [Float] = [0, -0.0, 16_367_173 * 0x1p72]
  for x in [
    Float.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1, 0.5, 2, 88.72284, 103.9721,
  ] {
    for y in [x.nextDown.nextDown, x.nextDown, x, x.nextUp, x.nextUp.nextUp] where y.isFinite { all += [y, -y] }
  }
  for k in 1...9000 {
    let x = Float(Double(k) * (Double.pi / 2))
    for y in [x.nextDown, x, x.nextUp] { all += [y, -y] }
  }
  return all
}()
