import Glibc
import Quantities
import Testing

struct RotationTests {
  static func isNear(_ a: Vector3, _ b: Vector3, within tolerance: Float = 1e-5) -> Bool {
    (a - b).length <= tolerance * max(1, a.length)
  }

  static func randomVector(_ arguments: inout Arguments) -> Vector3 {
    Vector3(Float(arguments.uniform(-2, 2)), Float(arguments.uniform(-2, 2)), Float(arguments.uniform(-2, 2)))
  }

  @Test func crossProductIsRightHandedAndAtRightAngles() {
    #expect(Vector3(1, 0, 0).cross(Vector3(0, 1, 0)) == Vector3(0, 0, 1))
    var arguments = Arguments(seed: 7)
    for _ in 0..<1000 {
      let (a, b) = (Self.randomVector(&arguments), Self.randomVector(&arguments))
      let c = a.cross(b)
      #expect(c.dot(a).magnitude < 1e-4 && c.dot(b).magnitude < 1e-4)
      #expect(b.cross(a) == -c)
      let lagrange = a.squaredLength * b.squaredLength - a.dot(b) * a.dot(b)
      #expect((c.squaredLength - lagrange).magnitude < 1e-3)
    }
  }

  @Test func normalizedIsNilForNoDirection() {
    #expect(Vector3.zero.normalized == nil)
    #expect(Vector3(.infinity, 0, 0).normalized == nil)
    #expect(Vector3(.nan, 0, 0).normalized == nil)
    #expect(Vector3(0, 3, 4).length == 5)
    #expect(Vector3(0, 3, 4).normalized.map { ($0.length - 1).magnitude < 1e-6 } == true)
    #expect(!Vector3(0, .nan, 0).isFinite && !Vector3(0, 0, .infinity).isFinite && Vector3(1, 2, 3).isFinite)
  }

  @Test func sumsAndMultiplesWorkByComponent() {
    var v = Vector3(1, 2, 3)
    v += Vector3(1, 1, 1)
    v -= Vector3(0, 0, 1)
    #expect(v == Vector3(2, 3, 3))
    #expect(v * 2 == Vector3(4, 6, 6))
    #expect(-v == Vector3(-2, -3, -3))
  }

  @Test func quarterTurnAboutUpTakesForwardToLeft() {
    let turn = Quaternion(rotationVector: Vector3(0, 0, .pi / 2))
    #expect(Self.isNear(turn.rotate(Vector3(1, 0, 0)), Vector3(0, 1, 0)))
    #expect((turn.angle - .pi / 2).magnitude < 1e-6)
    #expect(Quaternion.identity.rotate(Vector3(1, 2, 3)) == Vector3(1, 2, 3))
  }

  @Test func shortRotationsAreTheSameWithinTheirLimit() {
    var arguments = Arguments(seed: 9)
    for scale in [0.01, 0.3, 1, 30, 1000] as [Float] {
      for _ in 0..<200 {
        let v = Self.randomVector(&arguments) * scale
        #expect(Quaternion(shortRotationVector: v) == Quaternion(rotationVector: v))
      }
    }
    #expect(Quaternion(shortRotationVector: Vector3(0, 0, 30_000)).normalized == .identity)
    #expect(Quaternion(shortRotationVector: Vector3(0, .nan, 0)).normalized == .identity)
  }

  @Test func productRotatesBySecondFactorFirst() {
    var arguments = Arguments(seed: 8)
    for _ in 0..<1000 {
      let a = Quaternion(rotationVector: Self.randomVector(&arguments))
      let b = Quaternion(rotationVector: Self.randomVector(&arguments))
      let v = Self.randomVector(&arguments)
      #expect(Self.isNear((a * b).rotate(v), a.rotate(b.rotate(v))))
      #expect(Self.isNear((a * a.conjugate).rotate(v), v))
      #expect((a.rotate(v).length - v.length).magnitude < 1e-5)
    }
  }

  @Test func rotationVectorAgreesWithSineAndCosineOnBothSidesOfTheSeriesLimit() {
    for angle in [0, 1e-20, 1e-6, 0.01, 0.1, 0.4, 0.4999, 0.5, 0.5001, 1, 2, 3] as [Float] {
      let q = Quaternion(rotationVector: Vector3(0, angle, 0))
      #expect((Double(q.w) - cos(Double(angle) / 2)).magnitude < 1.2e-7)
      #expect((Double(q.y) - sin(Double(angle) / 2)).magnitude < 1.2e-7)
      #expect((q.angle - angle).magnitude < 1e-6)
      #expect(q.x == 0 && q.z == 0)
    }
  }

  @Test func shortestRotationTakesOneDirectionToTheOther() throws {
    var arguments = Arguments(seed: 9)
    for _ in 0..<1000 {
      let a = try #require(Self.randomVector(&arguments).normalized)
      let b = try #require(Self.randomVector(&arguments).normalized)
      #expect(Self.isNear(Quaternion(from: a, to: b).rotate(a), b))
    }
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)] {
      #expect(Self.isNear(Quaternion(from: axis, to: -axis).rotate(axis), -axis))
      #expect(Quaternion(from: axis, to: axis).angle < 1e-6)
    }
  }

  @Test func normalizingGivesTheIdentityForNonsense() {
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: .nan, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: .infinity, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: 2, x: 0, y: 0, z: 0).normalized == .identity)
  }
}
