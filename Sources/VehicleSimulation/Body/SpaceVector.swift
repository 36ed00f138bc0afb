import Quantities

/// A vector of double precision, m and s: what is integrated for hours loses nothing to rounding.
struct SpaceVector: Equatable, Sendable {
  var x = 0.0
  var y = 0.0
  var z = 0.0

  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  static let zero = SpaceVector(0, 0, 0)

  static func + (a: SpaceVector, b: SpaceVector) -> SpaceVector { SpaceVector(a.x + b.x, a.y + b.y, a.z + b.z) }
  static func - (a: SpaceVector, b: SpaceVector) -> SpaceVector { SpaceVector(a.x - b.x, a.y - b.y, a.z - b.z) }
  static func * (a: SpaceVector, s: Double) -> SpaceVector { SpaceVector(a.x * s, a.y * s, a.z * s) }
  static func += (a: inout SpaceVector, b: SpaceVector) { a = a + b }

  func dot(_ b: SpaceVector) -> Double { x * b.x + y * b.y + z * b.z }
  func cross(_ b: SpaceVector) -> SpaceVector {
    SpaceVector(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
  }
  var length: Double { dot(self).squareRoot() }

  /// As the sensors take it.
  var single: Vector3 { Vector3(Float(x), Float(y), Float(z)) }
}

/// How a body is turned: a rotation from its axes to the earth's, as the three columns of its matrix.
struct SpaceAttitude: Equatable, Sendable {
  private(set) var w = 1.0
  private(set) var v = SpaceVector.zero
  /// The body's axes in the earth frame.
  private(set) var forward = SpaceVector(1, 0, 0)
  private(set) var left = SpaceVector(0, 1, 0)
  private(set) var up = SpaceVector(0, 0, 1)

  /// Yaw counterclockwise from east, then slope (nose up), then lean (to the right), rad.
  init(yaw: Double, slope: Double = 0, lean: Double = 0) {
    turn(by: SpaceVector(0, 0, yaw))
    turn(by: SpaceVector(0, -slope, 0))
    turn(by: SpaceVector(lean, 0, 0))
  }

  /// A vector of the body in the earth frame.
  func earth(_ a: SpaceVector) -> SpaceVector { forward * a.x + left * a.y + up * a.z }
  /// A vector of the earth in the body frame.
  func body(_ a: SpaceVector) -> SpaceVector { SpaceVector(forward.dot(a), left.dot(a), up.dot(a)) }

  /// Turns about its own axes, rad; a small turn each step, so the series of sine and cosine are enough below a tenth of a radian.
  mutating func turn(by angle: SpaceVector) {
    let square = angle.dot(angle)
    var (s, c): (Double, Double)
    if square < 0.01 {
      s = 0.5 - square / 48 + square * square / 3840
      c = 1 - square / 8 + square * square / 384
    } else {
      let size = square.squareRoot()
      let half = Elementary.sincos(size / 2)
      (s, c) = (half.sin / size, half.cos)
    }
    let d = angle * s
    let newW = w * c - v.dot(d)
    let newV = d * w + v * c + v.cross(d)
    let scale = 1 / (newW * newW + newV.dot(newV)).squareRoot()
    (w, v) = (newW * scale, newV * scale)
    let (x, y, z) = (v.x, v.y, v.z)
    forward = SpaceVector(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y))
    left = SpaceVector(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    up = SpaceVector(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
  }

  /// Yaw, slope and lean, rad.
  var angles: (yaw: Double, slope: Double, lean: Double) {
    let flat = (forward.x * forward.x + forward.y * forward.y).squareRoot()
    return (
      Elementary.atan2(forward.y, forward.x), Elementary.atan2(forward.z, flat), Elementary.atan2(left.z, up.z)
    )
  }
}
