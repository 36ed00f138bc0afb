import Glibc
import Quantities
import Testing

/// Rotations against matrices in double precision.
struct RotationModelTests {
  private func matrix(_ q: Quaternion) -> [[Double]] {
    let (w, x, y, z) = (Double(q.w), Double(q.x), Double(q.y), Double(q.z))
    return [
      [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
  }

  private func distance(_ a: Vector3, _ b: [Double]) -> Double {
    abs(Double(a.x) - b[0]) + abs(Double(a.y) - b[1]) + abs(Double(a.z) - b[2])
  }

  private func applied(_ m: [[Double]], _ v: Vector3) -> [Double] {
    m.map { $0[0] * Double(v.x) + $0[1] * Double(v.y) + $0[2] * Double(v.z) }
  }

  @Test func aRotationIsItsMatrix() {
    var arguments = Arguments(seed: 21)
    for _ in 0..<500 {
      let vector = RotationTests.randomVector(&arguments)
      let q = Quaternion(rotationVector: vector)
      let v = RotationTests.randomVector(&arguments)
      #expect(distance(q.rotate(v), applied(matrix(q), v)) < 3e-6)
      // Rodrigues' formula.
      let angle = Double(vector.squaredLength).squareRoot()
      let k = [Double(vector.x) / angle, Double(vector.y) / angle, Double(vector.z) / angle]
      let u = [Double(v.x), Double(v.y), Double(v.z)]
      let cross = [k[1] * u[2] - k[2] * u[1], k[2] * u[0] - k[0] * u[2], k[0] * u[1] - k[1] * u[0]]
      let dot = zip(k, u).reduce(0) { $0 + $1.0 * $1.1 }
      let turned = (0..<3).map { u[$0] * cos(angle) + cross[$0] * sin(angle) + k[$0] * dot * (1 - cos(angle)) }
      #expect(distance(q.rotate(v), turned) < 3e-6)
      #expect(distance(q.conjugate.rotate(q.rotate(v)), u) < 6e-6)
      #expect(abs(Double(q.angle) - (angle > .pi ? 2 * .pi - angle : angle)) < 1e-5)
      let other = Quaternion(rotationVector: RotationTests.randomVector(&arguments))
      #expect(distance((q * other).rotate(v), applied(matrix(q), other.rotate(v))) < 3e-6)
      // The same rotation with the other sign, and of any length.
      let negative = Quaternion(w: -q.w, x: -q.x, y: -q.y, z: -q.z)
      #expect(negative.angle == q.angle && distance(negative.rotate(v), turned) < 3e-6)
      let long = Quaternion(w: 3 * q.w, x: 3 * q.x, y: 3 * q.y, z: 3 * q.z).normalized
      #expect(
        abs(long.w - q.w) < 1e-6 && abs(long.x - q.x) < 1e-6 && abs(long.y - q.y) < 1e-6 && abs(long.z - q.z) < 1e-6)
    }
  }

  @Test func theComponentsHaveTheirPlaces() {
    let a = Quaternion(w: 2, x: 3, y: 5, z: 7)
    let b = Quaternion(w: 11, x: 13, y: 17, z: 19)
    // Hamilton's: i² = j² = k² = ijk = −1.
    #expect(
      a * b == Quaternion(w: 22 - 39 - 85 - 133, x: 26 + 33 + 95 - 119, y: 34 - 57 + 55 + 91, z: 38 + 51 - 65 + 77))
    #expect(a.conjugate == Quaternion(w: 2, x: -3, y: -5, z: -7))
    #expect(Quaternion.identity == Quaternion(w: 1, x: 0, y: 0, z: 0))
    #expect(Vector3(2, 3, 5).cross(Vector3(7, 11, 13)) == Vector3(39 - 55, 35 - 26, 22 - 21))
    #expect(Vector3(2, 3, 5).dot(Vector3(7, 11, 13)) == 112 && Vector3(2, 3, 6).length == 7)
    #expect(Vector3(2, 3, 6).squaredLength == 49 && Vector3(1, 2, 3) + Vector3(4, 6, 8) == Vector3(5, 8, 11))
    #expect(Vector3(1, 2, 3) - Vector3(4, 6, 8) == Vector3(-3, -4, -5) && Vector3.zero == Vector3(0, 0, 0))
    for place in 0..<3 {
      for bad in [Float.nan, .infinity, -.infinity] {
        let v = Vector3(place == 0 ? bad : 1, place == 1 ? bad : 1, place == 2 ? bad : 1)
        #expect(!v.isFinite && v.normalized == nil)
      }
    }
    // Shorter than a square that is not zero, and longer than one that is finite.
    #expect(Vector3(1e-30, 0, 0).normalized == nil && Vector3(3e19, 0, 0).normalized == nil)
    #expect(Vector3(1e-18, 0, 0).normalized.map { abs($0.x - 1) < 1e-5 } == true)
    #expect(Quaternion(w: 1e-30, x: 0, y: 0, z: 0).normalized == .identity)
    #expect(Quaternion(w: 0, x: 0, y: 0, z: 5).normalized == Quaternion(w: 0, x: 0, y: 0, z: 1))
  }

  @Test func theShortestWayIsTakenAlsoNearlyOpposite() {
    let a = Vector3(0.6, 0, 0.8)
    for degrees: Float in [0, 1, 90, 179, 179.9, 179.99, 180] {
      let axis = Vector3(0, 1, 0)
      let b = Quaternion(rotationVector: axis * (degrees * .pi / 180)).rotate(a)
      let turn = Quaternion(from: a, to: b)
      #expect((turn.rotate(a) - b).length < 1e-3 && abs(turn.angle - degrees * .pi / 180) < 2e-3, "\(degrees)°")
      #expect(abs(turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z - 1) < 1e-5)
    }
    for axis in [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0.6, 0.8, 0), Vector3(0.8, 0, 0.6)] {
      let turn = Quaternion(from: axis, to: -axis)
      #expect((turn.rotate(axis) + axis).length < 1e-5 && abs(turn.angle - .pi) < 1e-5)
    }
  }
}

/// The elementary functions where their ranges meet and end, against the C library.
struct ElementaryEdgeTests {
  /// Every argument beside a limit: of reduction, of series, of the type.
  @Test func nothingJumpsWhereOneWayOfCalculationEndsAndTheNextBegins() {
    func ulps(_ a: Double, _ b: Double) -> Double { a == b ? 0 : abs(a - b) / max(a.ulp, b.ulp) }
    func ulps(_ a: Float, _ b: Double) -> Double {
      a == Float(b) ? 0 : abs(Double(a) - b) / Double(max(a.ulp, Float(b).ulp))
    }
    var arguments: [Double] = []
    for base in [
      1600000, 12800, Double.pi / 4, Double.pi / 2, Double.pi, 2 * Double.pi, 0x1p-12, 0x1p-13, 0x1p-18, 0x1p-26,
      0x1p-27,
      0x1p-40, 0.5, 1, 0x1.a827999fcef32p-2, 709.78, 745.13, 88.72, 103.97, 710, 746, 89, 104.5, 0x1p52, 0x1p23, 1e15,
      1e22,
      0x1p400, 0x1p-400, 0x1p60, 0x1p-60,
    ] {
      for step in -3...3 {
        arguments.append(base + Double(step) * base.ulp)
        arguments.append(Double(Float(base) + Float(step) * Float(base).ulp))
      }
    }
    for magnitude in arguments where magnitude.isFinite {
      for x in [magnitude, -magnitude] {
        #expect(ulps(Elementary.sin(x), sin(x)) <= 1 && ulps(Elementary.cos(x), cos(x)) <= 1, "\(x)")
        #expect(ulps(Elementary.tan(x), tan(x)) <= 1.5 && ulps(Elementary.atan(x), atan(x)) <= 1, "\(x)")
        let exponential = exp(x)
        #expect(Elementary.exp(x) == exponential || ulps(Elementary.exp(x), exponential) <= 1, "\(x)")
        #expect(Elementary.floor(x) == floor(x), "\(x)")
        if abs(x) <= 1 {
          #expect(ulps(Elementary.asin(x), asin(x)) <= 1 && ulps(Elementary.acos(x), acos(x)) <= 1, "\(x)")
        }
        if x > 0 {
          #expect(ulps(Elementary.log(x), log(x)) <= 1 && Elementary.squareRootByIntegers(x) == x.squareRoot(), "\(x)")
        }
        for scaled in [x * 0x1p-1022, x * 4, x * 0x1p500] where scaled > 0 && scaled < .infinity {
          #expect(Elementary.squareRootByIntegers(scaled) == scaled.squareRoot(), "\(scaled)")
        }
        let y = Float(x)
        guard y.isFinite else { continue }
        #expect(ulps(Elementary.sin(y), sin(Double(y))) <= 1 && ulps(Elementary.cos(y), cos(Double(y))) <= 1, "\(y)")
        #expect(ulps(Elementary.tan(y), tan(Double(y))) <= 1 && ulps(Elementary.atan(y), atan(Double(y))) <= 1, "\(y)")
        #expect(Elementary.exp(y) == Float(exp(Double(y))) || ulps(Elementary.exp(y), exp(Double(y))) <= 1, "\(y)")
        #expect(Elementary.floor(y) == floorf(y), "\(y)")
        if abs(y) <= 1 {
          #expect(ulps(Elementary.asin(y), asin(Double(y))) <= 1 && ulps(Elementary.acos(y), acos(Double(y))) <= 1)
        }
        if y > 0 { #expect(ulps(Elementary.log(y), log(Double(y))) <= 1, "\(y)") }
      }
    }
  }

  @Test func integersAreRoundedOnBothSidesOfEachHalf() {
    for whole in [Int64(-1 << 40), -1000, -3, -2, -1, 0, 1, 2, 3, 1000, 1 << 40] {
      let middle = Double(whole)
      #expect(Elementary.roundedInteger(middle) as Int64 == whole)
      #expect(Elementary.roundedInteger(middle + 0.499) as Int64 == whole)
      #expect(Elementary.roundedInteger(middle - 0.499) as Int64 == whole)
      #expect(Elementary.roundedInteger(middle + 0.5) as Int64 == (whole >= 0 ? whole + 1 : whole))
      #expect(Elementary.roundedInteger(middle - 0.5) as Int64 == (whole <= 0 ? whole - 1 : whole))
      guard abs(whole) <= 1000 else { continue }
      let single = Float(whole)
      #expect(
        Elementary.roundedInteger(single + 0.49) == Int32(whole)
          && Elementary.roundedInteger(single - 0.49) == Int32(whole))
      #expect(Elementary.roundedInteger(single + 0.5) == Int32(whole >= 0 ? whole + 1 : whole))
      #expect(Elementary.roundedInteger(single - 0.5) == Int32(whole <= 0 ? whole - 1 : whole))
    }
    #expect(Elementary.roundedInteger(0x1p63) == Int64.max && Elementary.roundedInteger(-0x1p63) == Int64.min)
    #expect(Elementary.roundedInteger((0x1p63).nextDown) == Int64(0x1p63.nextDown))
    #expect(Elementary.roundedInteger((-0x1p63).nextUp) == Int64((-0x1p63).nextUp))
    #expect(
      Elementary.roundedInteger(Float(0x1p31)) == Int32.max && Elementary.roundedInteger(Float(-0x1p31)) == Int32.min)
    #expect(Elementary.roundedInteger(Float(0x1p31).nextDown) == 2_147_483_520)
    #expect(Elementary.roundedInteger(Float(-0x1p31).nextUp) == -2_147_483_520)
  }

  @Test func anglesKeepTheirDirectionOnBothSidesOfEachEnd() {
    for turns in [-3.0, -1, 0, 1, 3] {
      for base in [-Double.pi, -Double.pi / 2, 0, Double.pi / 2, Double.pi] {
        for nudge in [-1e-9, 0, 1e-9] {
          let x = base + nudge + 2 * .pi * turns
          let (positive, signed) = (Elementary.positiveAngle(x), Elementary.signedAngle(x))
          #expect(abs(sin(positive) - sin(x)) < 1e-12 && abs(cos(positive) - cos(x)) < 1e-12, "\(x)")
          #expect(abs(sin(signed) - sin(x)) < 1e-12 && abs(cos(signed) - cos(x)) < 1e-12, "\(x)")
          #expect(positive >= 0 && positive < 2 * .pi && signed > -.pi && signed <= .pi)
          let y = Float(x)
          let (p, s) = (Elementary.positiveAngle(y), Elementary.signedAngle(y))
          #expect(abs(sin(Double(p)) - sin(Double(y))) < 3e-6 && abs(cos(Double(p)) - cos(Double(y))) < 3e-6, "\(y)")
          #expect(abs(sin(Double(s)) - sin(Double(y))) < 3e-6 && abs(cos(Double(s)) - cos(Double(y))) < 3e-6, "\(y)")
          #expect(p >= 0 && p < 2 * .pi && s > -.pi && s <= .pi)
        }
      }
    }
    #expect(abs(Elementary.signedAngle(Float(1.5) * .pi) + 0.5 * .pi) < 1e-6)
    #expect(Elementary.positiveAngle(Double.nan).isNaN && Elementary.signedAngle(Double.infinity).isNaN)
  }

  @Test func aPlaceIsItsDegreesToTheNanodegree() throws {
    for (degrees, e9) in [
      (90.0, Int64(90_000_000_000)), (-90, -90_000_000_000), (0.0000000005, 1), (-0.0000000005, -1),
      (45.5, 45_500_000_000),
    ] {
      let place = try #require(GeodeticPosition(latitudeDegrees: degrees, longitudeDegrees: 2 * degrees))
      #expect(place.latitudeE9 == e9 && abs(place.longitudeE9 - 2 * e9) <= 1)
      #expect(
        abs(place.latitude - degrees * .pi / 180) < 1e-11 && abs(place.longitude - 2 * degrees * .pi / 180) < 2e-11)
      #expect(abs(place.longitudeDegrees - 2 * degrees) < 1e-9 && abs(place.latitudeDegrees - degrees) < 1e-9)
    }
    for (latitude, longitude, isThere) in [
      (Int64(90_000_000_000), Int64(180_000_000_000), true), (-90_000_000_000, -180_000_000_000, true),
      (90_000_000_001, 0, false), (-90_000_000_001, 0, false), (0, 180_000_000_001, false),
      (0, -180_000_000_001, false),
    ] {
      #expect((GeodeticPosition(latitudeE9: latitude, longitudeE9: longitude) != nil) == isThere)
      let degrees = (Double(latitude) / 1e9, Double(longitude) / 1e9)
      #expect((GeodeticPosition(latitudeDegrees: degrees.0, longitudeDegrees: degrees.1) != nil) == isThere)
    }
  }
}
