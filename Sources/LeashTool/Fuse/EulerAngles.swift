import Quantities

/// An attitude as three turns, rad: yaw about z, then pitch about the new y, then roll about the newest x (z-y′-x″).
///
/// For a sensor with x forward, y left and z up: yaw is 0 with x to the east and grows to the north, pitch is positive
/// with the nose down, roll is positive with the left side up. Yaw and roll are from −π to π, pitch from −π/2 to π/2. Where
/// x stands upright only the sum or difference of yaw and roll is determined; roll is then 0.
struct EulerAngles: Equatable {
  var roll: Float
  var pitch: Float
  var yaw: Float

  /// The angles of `earthFromSensor`.
  init(_ q: Quaternion) {
    let sine = 2 * (q.w * q.y - q.z * q.x)
    let forwardEast = 1 - 2 * (q.y * q.y + q.z * q.z)
    let forwardNorth = 2 * (q.w * q.z + q.x * q.y)
    let cosine = (forwardEast * forwardEast + forwardNorth * forwardNorth).squareRoot()
    // Not the arc sine: near ±90° it magnifies the rounding of its argument.
    pitch = Elementary.atan2(sine, cosine)
    guard cosine > 1e-3 else {
      let turn = 2 * Elementary.atan2(q.x, q.w)
      roll = 0
      yaw = EulerAngles.wrapped(sine < 0 ? turn : -turn)
      return
    }
    roll = Elementary.atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y))
    yaw = Elementary.atan2(forwardNorth, forwardEast)
  }

  private static func wrapped(_ angle: Float) -> Float {
    angle > .pi ? angle - 2 * .pi : angle < -.pi ? angle + 2 * .pi : angle
  }
}

/// Degrees in a radian.
let degreesPerRadian: Float = 180 / .pi
