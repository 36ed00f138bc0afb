import InlineStorage
import Quantities

/// What a frame of a WitMotion sensor says, in SI units.
package enum WitMotionFrame: Equatable, BitwiseCopyable {
  /// 0x51.
  case specificForce(Vector3)
  /// 0x52.
  case angularRate(Vector3)
  /// 0x54, raw: models differ in what a step is.
  case magneticField(x: Int16, y: Int16, z: Int16)
  /// 0x50, 0x53 and the others up to 0x5F, which nobody here needs.
  case other(UInt8)
}

/// Cuts a byte stream into frames of eleven bytes: 0x55, a type, four little-endian numbers, the low byte of the sum of the
/// ten before.
///
/// What is no frame is skipped byte by byte, so that the next whole frame is found wherever junk ends.
///
/// - Source: [witmotion] acceleration 0x51: numbers over 32768 times 16 g; angular velocity 0x52: times 2000 °/s; the sum.
package struct WitMotionFrames: BitwiseCopyable {
  private static var length: Int { 11 }
  /// What 32768 stands for, m/s²: 16 times the standard acceleration of free fall (3rd CGPM, 1901).
  package static var specificForceEnd: Double { 16 * 9.80665 }
  /// What 32768 stands for, rad/s.
  package static var angularRateEnd: Double { 2000 * Double.pi / 180 }

  private var pending = InlineBytes<11>()
  /// Bytes that belonged to no frame.
  package private(set) var junkCount: UInt32 = 0

  package init() {}

  /// Takes a byte; the frame that it completes.
  package mutating func receive(_ byte: UInt8) -> WitMotionFrame? {
    pending.append(byte)
    guard pending.count == WitMotionFrames.length else { return nil }
    guard let frame else {
      pending.removeFirst(1)
      junkCount &+= 1
      return nil
    }
    pending.removeAll()
    return frame
  }

  private var frame: WitMotionFrame? {
    let type = pending[1]
    guard pending[0] == 0x55, type & 0xF0 == 0x50 else { return nil }
    var sum: UInt8 = 0
    for place in 0..<10 { sum &+= pending[place] }
    guard sum == pending[10] else { return nil }
    switch type {
    case 0x51: return .specificForce(vector(WitMotionFrames.specificForceEnd))
    case 0x52: return .angularRate(vector(WitMotionFrames.angularRateEnd))
    case 0x54: return .magneticField(x: number(0), y: number(1), z: number(2))
    default: return .other(type)
    }
  }

  private func number(_ place: Int) -> Int16 {
    Int16(bitPattern: UInt16(pending[2 + 2 * place]) | UInt16(pending[3 + 2 * place]) << 8)
  }

  private func vector(_ full: Double) -> Vector3 {
    let scale = full / 32768
    return Vector3(
      Float(Double(number(0)) * scale), Float(Double(number(1)) * scale), Float(Double(number(2)) * scale))
  }
}
