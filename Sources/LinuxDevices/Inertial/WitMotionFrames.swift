import Quantities

/// What a frame of a WitMotion sensor says, in SI units.
enum WitMotionFrame: Equatable {
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
struct WitMotionFrames {
  private static let length = 11
  /// What 32768 stands for, m/s².
  static let specificForceEnd = 16 * standardGravity
  /// What 32768 stands for, rad/s.
  static let angularRateEnd = 2000 * Double.pi / 180

  private var pending: [UInt8] = []
  /// Bytes that belonged to no frame.
  private(set) var junkCount = 0

  init() {}

  /// Takes bytes, cut anywhere, and hands out the frames that they complete.
  mutating func receive(_ bytes: some Sequence<UInt8>, into sink: (WitMotionFrame) -> Void) {
    pending.append(contentsOf: bytes)
    var start = 0
    while pending.count - start >= Self.length {
      if let frame = frame(at: start) {
        sink(frame)
        start += Self.length
      } else {
        start += 1
        junkCount += 1
      }
    }
    pending.removeFirst(start)
  }

  private func frame(at start: Int) -> WitMotionFrame? {
    let type = pending[start + 1]
    guard pending[start] == 0x55, 0x50...0x5F ~= type else { return nil }
    let sum = pending[start..<start + 10].reduce(UInt8(0), &+)
    guard sum == pending[start + 10] else { return nil }
    func number(_ place: Int) -> Int16 {
      Int16(bitPattern: UInt16(pending[start + 2 + 2 * place]) | UInt16(pending[start + 3 + 2 * place]) << 8)
    }
    func vector(_ full: Double) -> Vector3 {
      let scale = full / 32768
      return Vector3(
        Float(Double(number(0)) * scale), Float(Double(number(1)) * scale), Float(Double(number(2)) * scale))
    }
    switch type {
    case 0x51: return .specificForce(vector(Self.specificForceEnd))
    case 0x52: return .angularRate(vector(Self.angularRateEnd))
    case 0x54: return .magneticField(x: number(0), y: number(1), z: number(2))
    default: return .other(type)
    }
  }
}
