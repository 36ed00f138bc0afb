import Quantities
import Testing

@testable import InertialFusion

/// Three by three matrices in double precision, for models.
private typealias Matrix = [[Double]]

private func product(_ a: Matrix, _ b: Matrix) -> Matrix {
  a.map { row in (0..<b[0].count).map { j in row.indices.reduce(0) { $0 + row[$1] * b[$1][j] } } }
}

private func transposed(_ a: Matrix) -> Matrix { (0..<a[0].count).map { j in a.map { $0[j] } } }

private func sum(_ a: Matrix, _ b: Matrix, _ factor: Double = 1) -> Matrix {
  zip(a, b).map { zip($0, $1).map { $0 + factor * $1 } }
}

private func diagonal(_ value: Double) -> Matrix { (0..<3).map { i in (0..<3).map { $0 == i ? value : 0 } } }

private func inverse(_ m: Matrix) -> Matrix {
  // Gauss and Jordan.
  var a = m.indices.map { i in m[i] + m.indices.map { $0 == i ? 1.0 : 0.0 } }
  for column in m.indices {
    let pivot = (column..<m.count).max { abs(a[$0][column]) < abs(a[$1][column]) } ?? column
    a.swapAt(column, pivot)
    let scale = a[column][column]
    a[column] = a[column].map { $0 / scale }
    for row in m.indices where row != column {
      let factor = a[row][column]
      a[row] = zip(a[row], a[column]).map { $0 - factor * $1 }
    }
  }
  return a.map { Array($0[m.count...]) }
}

private func trace(_ m: Matrix) -> Double { m[0][0] + m[1][1] + m[2][2] }

/// The six-state Kalman filter of the earth's and the body's field, as the comment of `MagneticEstimate` has it, written down
/// in full: z = M + R·h + noise.
private struct SixStates {
  let p: MagneticParameters
  var m = [0.0, 0, 0]
  var h = [0.0, 0, 0]
  /// Covariances of M, of M with h, and of h.
  var mm = diagonal(0)
  var mh = diagonal(0)
  var hh: Matrix
  var isKnown = false
  var disturbance = 0.0
  var disturbedSeconds = 0.0
  var relearnt = 0

  init(_ p: MagneticParameters) {
    self.p = p
    hh = diagonal(Double(p.initialHardIron * p.initialHardIron))
  }

  private func square(_ x: Float) -> Double { Double(x) * Double(x) }

  mutating func update(reading: [Double], r: Matrix, elapsed: Double, isAtRest: Bool) {
    let z = r.map { row in zip(row, reading).reduce(0) { $0 + $1.0 * $1.1 } }
    if !isKnown {
      // M = z − R·h, and as uncertain as 20 µT besides.
      isKnown = true
      let rh = r.map { row in zip(row, h).reduce(0) { $0 + $1.0 * $1.1 } }
      m = zip(z, rh).map { $0 - $1 }
      mh = sum(diagonal(0), product(r, hh), -1)
      mm = sum(diagonal(400), product(product(r, hh), transposed(r)))
    }
    if !isAtRest {
      mm = sum(mm, diagonal(square(p.fieldWandering) * elapsed))
      hh = sum(hh, diagonal(square(p.hardIronWandering) * elapsed))
      // A wandering h takes no part in M: given h, M is what it was.
      let g = sum(diagonal(0), product(mh, inverse(sum(hh, diagonal(square(p.hardIronWandering) * elapsed), -1))), -1)
      let q = diagonal(square(p.hardIronWandering) * elapsed)
      mm = sum(mm, product(product(g, q), transposed(g)))
      mh = sum(mh, product(g, q), -1)
    }
    let hm = transposed(mh)
    // S = H P Hᵀ with H = [1 R], column by column of P Hᵀ.
    let pM = sum(mm, product(mh, transposed(r)))
    let pH = sum(hm, product(hh, transposed(r)))
    let own = sum(pM, product(r, pH))
    let rh = r.map { row in zip(row, h).reduce(0) { $0 + $1.0 * $1.1 } }
    let deviation = (0..<3).map { z[$0] - m[$0] - rh[$0] }
    let squared = deviation.reduce(0) { $0 + $1 * $1 }
    let ratio = squared / (square(p.rejection) + Double(p.rejectionShare) * max(0, trace(own)))
    disturbance = ratio.squareRoot()
    let seconds = min(elapsed, 0.2)
    let noise = square(p.fieldNoise) / seconds * (1 + ratio * ratio * ratio)
    let inverted = inverse(sum(own, diagonal(noise)))
    let (kM, kH) = (product(pM, inverted), product(pH, inverted))
    for i in 0..<3 {
      m[i] += zip(kM[i], deviation).reduce(0) { $0 + $1.0 * $1.1 }
      h[i] += zip(kH[i], deviation).reduce(0) { $0 + $1.0 * $1.1 }
    }
    mm = sum(mm, product(kM, transposed(pM)), -1)
    mh = sum(mh, product(kM, transposed(pH)), -1)
    hh = sum(hh, product(kH, transposed(pH)), -1)
    // No field of one place is better known than this, however long one looks.
    let least = Double(p.placeVariance) - fieldVariance
    if least > 0 { mm = sum(mm, diagonal(least)) }
    judge(ratio, seconds)
  }

  private mutating func judge(_ ratio: Double, _ seconds: Double) {
    disturbedSeconds = ratio > 1.4 ? disturbedSeconds + seconds : max(0, disturbedSeconds - seconds)
    guard disturbedSeconds > Double(p.relearnAfter) else { return }
    relearnt += 1
    disturbedSeconds = 0
    mm = diagonal(trace(mm) / 3 + 0.66)
    mh = diagonal(0)
    hh = sum(hh, diagonal(Double(p.relearnVariance)))
  }

  /// Variance of M per axis, given h.
  var fieldVariance: Double {
    trace(sum(mm, product(product(mh, inverse(hh)), transposed(mh)), -1)) / 3
  }

  /// The body's field that is believed.
  var believed: [Double] {
    let r = h.reduce(0) { $0 + $1 * $1 } / square(p.leastHardIron)
    return h.map { $0 * r * r * r * r / (1 + r * r * r * r) }
  }

  /// The earth's field, if the body's is what is believed.
  var field: [Double] {
    let change = zip(believed, h).map { $0 - $1 }
    let g = product(mh, inverse(hh))
    return (0..<3).map { i in m[i] + zip(g[i], change).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}

private func array(_ v: Vector3) -> [Double] { [Double(v.x), Double(v.y), Double(v.z)] }

private func distance(_ a: [Double], _ b: [Double]) -> Double {
  zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
}

/// The heading's filter is, for the price of three states, that of six.
@Suite struct MagneticModelTests {
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func threeStatesDoWhatSixWould(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func number() -> Float { Float(Int64(bitPattern: random.next() >> 11) - (1 << 52)) * 0x1p-52 }
    func vector(_ scale: Float) -> Vector3 { Vector3(number(), number(), number()) * scale }
    var p = MagneticParameters()
    // Every part large enough to be seen.
    p.fieldWandering = 0.5
    p.hardIronWandering = 0.3
    p.leastHardIron = seed == 1 ? 20 : 6.5
    p.placeVariance = seed == 2 ? 5 : 0.1
    p.relearnAfter = seed == 3 ? 1 : 3.3
    p.rejectionShare = seed == 4 ? 0.5 : 2
    var filter = MagneticEstimate(p)
    var model = SixStates(p)
    #expect(filter.hardIron(p) == .zero && !filter.isKnown)
    var attitude = Quaternion.identity
    let earth = Vector3(3, 18, -44)
    var iron = Vector3(9, -14, 6)
    var mostDisturbed = 0.0
    for step in 0..<420 {
      let rests = (60..<90).contains(step)
      if !rests { attitude = (attitude * Quaternion(rotationVector: vector(0.9))).normalized }
      if step == 250 { iron += Vector3(30, 25, -20) }
      let elapsed: Float = step % 11 == 0 ? 0.5 : 0.08
      let passing = (150..<175).contains(step) ? Vector3(40, -10, 20) : .zero
      let reading = attitude.conjugate.rotate(earth + passing) + iron + vector(0.5)
      let columns = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map { array(attitude.rotate($0)) }
      filter.update(with: reading, rotation: attitude, elapsed: elapsed, isAtRest: rests, parameters: p)
      model.update(reading: array(reading), r: transposed(columns), elapsed: Double(elapsed), isAtRest: rests)
      mostDisturbed = max(mostDisturbed, model.disturbance)
      let iron = distance(array(filter.hardIron(p)), model.believed)
      let field = distance(array(filter.field(p)), model.field)
      let variance = abs(Double(filter.horizontalVariance) / model.fieldVariance - 1)
      let disturbance = abs(Double(filter.disturbance) - model.disturbance) / (1 + model.disturbance)
      let seconds = abs(Double(filter.disturbedSeconds) - model.disturbedSeconds)
      if iron > 0.05 || field > 0.05 || variance > 0.02 || disturbance > 0.01 || seconds > 0.001 {
        Issue.record("step \(step): \(iron) µT, \(field) µT, \(variance), \(disturbance), \(seconds) s")
        return
      }
    }
    #expect(mostDisturbed > 2 && model.relearnt >= 1)
    #expect(distance(array(filter.hardIron(p)), array(iron)) < 8)
    // The level frame has turned: the earth's field is found anew, the body's stays.
    let known = filter.hardIron(p)
    filter.forgetField()
    #expect(!filter.isKnown && filter.disturbedSeconds == 0 && filter.hardIron(p) == known)
    filter.update(with: earth + iron, rotation: .identity, elapsed: 0.04, isAtRest: true, parameters: p)
    #expect(filter.isKnown && (filter.field(p) - earth).length < 8)
  }

  /// At rest nothing wanders: the field is averaged down to the scatter of places, and no further.
  @Test func atRestTheFieldIsAveragedAndNoFurtherThanThePlaceAllows() {
    var p = MagneticParameters()
    var filter = MagneticEstimate(p)
    var variance: Float = .infinity
    for step in 0..<4000 {
      filter.update(
        with: Vector3(0, 18, -44), rotation: .identity, elapsed: 0.04, isAtRest: true, parameters: p)
      #expect(filter.horizontalVariance <= variance)
      variance = filter.horizontalVariance
      // A plain mean of n readings of variance 225.
      if step == 999 { #expect(abs(variance / (1 / (1 / 400 + 1000.0 / 225)) - 1) < 0.01) }
    }
    #expect(variance == p.placeVariance)
    p.placeVariance = 0.01
    var other = MagneticEstimate(p)
    for _ in 0..<4000 {
      other.update(with: Vector3(0, 18, -44), rotation: .identity, elapsed: 0.04, isAtRest: true, parameters: p)
    }
    #expect(other.horizontalVariance < 0.06)
    // Moved, it wanders: 0.08 µT/√s for ten thousand seconds in one step.
    other.update(with: Vector3(0, 18, -44), rotation: .identity, elapsed: 10_000, isAtRest: false, parameters: p)
    #expect(other.horizontalVariance > 20 && other.horizontalVariance < 45.1)
  }

  @Test func whatIsNoNumberBeginsAnew() {
    let p = MagneticParameters()
    var filter = MagneticEstimate(p)
    filter.update(with: Vector3(3e38, 3e38, 3e38), rotation: .identity, elapsed: 0.04, isAtRest: false, parameters: p)
    filter.update(with: Vector3(-3e38, 0, 3e38), rotation: .identity, elapsed: 0.04, isAtRest: false, parameters: p)
    #expect(filter == MagneticEstimate(p))
  }
}
