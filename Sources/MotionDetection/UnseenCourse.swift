import InertialFusion
import Quantities

/// How straight a way is that no fix has seen: the sum of its directions, as an inertial sensor feels them.
///
/// A direction is that of one axis of the body in the horizontal plane, the one that lies flattest when the way begins. How the sensor is
/// mounted does not matter, as only changes count.
///
/// - Source: our derivation.
struct UnseenCourse: BitwiseCopyable {
  private var first: Float = 0
  private var second: Float = 0
  /// How long it moved, s.
  private(set) var seconds: Float = 0
  private var axis: UInt8 = 0
  /// True when a fix has ended it.
  private var isOver = false

  /// Sum of the directions as a share of their number; 1 before there are any.
  var straightness: Float {
    seconds > 0 ? min((first * first + second * second).squareRoot() / seconds, 1) : 1
  }

  /// A fix has seen where it ends; with the next window it begins anew.
  mutating func end() { isOver = true }

  /// Takes a window of the inertial sensor in; at rest the way does not go on.
  mutating func follow(_ window: InertialWindow) {
    if isOver { self = UnseenCourse() }
    guard !window.isAtRest, let attitude = window.levelFromBody else { return }
    if seconds == 0 { axis = UnseenCourse.flattest(attitude) }
    let direction = attitude.rotate(UnseenCourse.unit(axis))
    let level = (direction.x * direction.x + direction.y * direction.y).squareRoot()
    guard level > 0 else { return }
    first += direction.x / level * window.seconds
    second += direction.y / level * window.seconds
    seconds += window.seconds
  }

  private static func unit(_ axis: UInt8) -> Vector3 {
    Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0)
  }

  private static func flattest(_ attitude: Quaternion) -> UInt8 {
    let up = attitude.conjugate.rotate(Vector3(0, 0, 1))
    let (x, y, z) = (up.x.magnitude, up.y.magnitude, up.z.magnitude)
    return x <= y && x <= z ? 0 : y <= z ? 1 : 2
  }
}
