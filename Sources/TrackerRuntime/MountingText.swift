public import InertialFusion
import Quantities

/// A mounting as text: three signed axes (`+y -x +z`) or the four numbers of a quaternion (`0.5 0.5 0.5 0.5`).
extension Mounting {
  /// Reads a mounting; nil when the text is none.
  public init?(text: String) {
    let words = text.split(separator: " ").map(String.init)
    switch words.count {
    case 3:
      let axes = words.compactMap { name in
        Mounting.axisNames.firstIndex(of: name).flatMap { SensorAxis(rawValue: UInt8($0)) }
      }
      guard axes.count == 3, let remap = AxisRemap(forward: axes[0], left: axes[1], up: axes[2]) else { return nil }
      self = .axes(remap)
    case 4:
      let parts = words.compactMap { Float($0) }
      guard parts.count == 4 else { return nil }
      self.init(bodyFromSensor: Quaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3]))
    default: return nil
    }
  }

  /// The mounting as text that reads back to the same bits.
  public var text: String {
    switch self {
    case .axes(let remap):
      [remap.forward, remap.left, remap.up].map { Mounting.axisNames[Int($0.rawValue)] }.joined(separator: " ")
    case .rotation(let q): "\(q.w) \(q.x) \(q.y) \(q.z)"
    }
  }

  /// In the order of `SensorAxis`.
  private static let axisNames = ["+x", "+y", "+z", "-x", "-y", "-z"]
}
