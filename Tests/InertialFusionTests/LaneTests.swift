import Quantities
import TestSupport
import Testing

@testable import InertialFusion

/// Everything that is computed in lanes gives the bits that plain vectors give: what a board finds and what a microcontroller finds
/// of the same samples are the same.
@Suite struct LaneTests {
  private static func bits(_ v: Vector3) -> [UInt32] { [v.x.bitPattern, v.y.bitPattern, v.z.bitPattern] }
  private static func bits(_ q: Quaternion) -> [UInt32] {
    [q.w.bitPattern, q.x.bitPattern, q.y.bitPattern, q.z.bitPattern]
  }

  @Test func vectorsInLanesHaveTheBitsOfPlainVectors() {
    var random = SeededRandom(seed: 20)
    for index in 0..<2000 {
      let size: Float = [1e-30, 1e-3, 1, 40, 1e4][index % 5]
      let (a, b) = (random.vector(deviation: size), random.vector(deviation: 1))
      let (p, q) = (Lanes3(a), Lanes3(b))
      #expect(LaneTests.bits(p.vector) == LaneTests.bits(a))
      #expect(LaneTests.bits((p + q).vector) == LaneTests.bits(a + b))
      #expect(LaneTests.bits((p - q).vector) == LaneTests.bits(a - b))
      #expect(LaneTests.bits((p * b.x).vector) == LaneTests.bits(a * b.x))
      #expect(LaneTests.bits(p.cross(q).vector) == LaneTests.bits(a.cross(b)))
      #expect(LaneTests.bits(p.scaled(by: q).vector) == LaneTests.bits(a.scaled(by: b)))
      #expect(p.dot(q).bitPattern == a.dot(b).bitPattern)
      #expect(p.squaredLength.bitPattern == a.squaredLength.bitPattern)
    }
    #expect(Lanes3.zero.vector == .zero)
  }

  /// Turns on both sides of the half radian from which on the series does not hold.
  @Test func rotationsInLanesHaveTheBitsOfPlainOnes() {
    var random = SeededRandom(seed: 21)
    for index in 0..<2000 {
      let a = Quaternion(rotationVector: random.vector(deviation: 1))
      let b = Quaternion(rotationVector: random.vector(deviation: 2))
      let turn = random.vector(deviation: [1e-20, 0.003, 0.1, 0.3, 3][index % 5])
      let force = random.vector(deviation: 10)
      let (p, q) = (LaneRotation(a), LaneRotation(b))
      #expect(LaneTests.bits(p.quaternion) == LaneTests.bits(a))
      #expect(LaneTests.bits((p * q).quaternion) == LaneTests.bits(a * b))
      #expect(LaneTests.bits(p.turned(by: Lanes3(turn)).quaternion) == LaneTests.bits(a.turned(by: turn)))
      #expect(LaneTests.bits(p.rotate(Lanes3(force)).vector) == LaneTests.bits(a.rotate(force)))
      let (c, s) = (b.w, b.z)
      let plain = Quaternion(w: c * a.w - s * a.z, x: c * a.x - s * a.y, y: c * a.y + s * a.x, z: c * a.z + s * a.w)
      #expect(LaneTests.bits(p.turnedAboutVertical(cosine: c, sine: s).quaternion) == LaneTests.bits(plain))
    }
  }

  @Test func sumsInLanesAreThoseOfTheVectorsAndOfTheirSquares() {
    var random = SeededRandom(seed: 22)
    var sums = LaneSums()
    var (sum, squares) = (Vector3.zero, Float.zero)
    for _ in 0..<500 {
      let v = random.vector(deviation: 0.1)
      sums.add(Lanes3(v))
      sum += v
      squares += v.squaredLength
    }
    sums.add(Vector3(1, 2, 3), squares: 4)
    sum += Vector3(1, 2, 3)
    squares += 4
    #expect(LaneTests.bits(sums.sum) == LaneTests.bits(sum))
    #expect(sums.sumOfSquares.bitPattern == squares.bitPattern)
  }

  @Test func aSampleInLanesKnowsWhatItDoesNotHave() {
    let (rate, force) = (Vector3(1, 2, 3), Vector3(4, 5, 6))
    let both = InertialLanes(InertialSample(time: .zero, angularRate: rate, specificForce: force))
    #expect(both.hasRate && both.hasForce && both.rate.vector == rate && both.force.vector == force && both.isSound)
    let noForce = InertialLanes(InertialSample(time: .zero, angularRate: rate))
    #expect(noForce.hasRate && !noForce.hasForce && noForce.force.vector == .zero && noForce.isSound)
    let noRate = InertialLanes(InertialSample(time: .zero, specificForce: force))
    #expect(!noRate.hasRate && noRate.hasForce && noRate.rate.vector == .zero && noRate.isSound)
    #expect(!InertialLanes(InertialSample(time: .zero, magneticFluxDensity: force)).isSound)
    for wrong in [Float.nan, .infinity, 201] {
      let spoilt = InertialSample(time: .zero, angularRate: Vector3(0, wrong, 0), specificForce: force)
      #expect(!InertialLanes(spoilt).isSound)
    }
    for wrong in [-Float.nan, -Float.infinity, -4001] {
      let spoilt = InertialSample(time: .zero, angularRate: rate, specificForce: Vector3(0, 0, wrong))
      #expect(!InertialLanes(spoilt).isSound)
    }
  }
}
