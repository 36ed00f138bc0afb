import Quantities

/// The samples of one inertial block.
package struct InertialBlockDecoder {
  private var samples = InlineArray<64, InertialSample>(repeating: InertialSample(time: .zero))
  package private(set) var count = 0
  private var next = 0

  package init() {}

  /// Reads a block; false, with nothing to give, when the payload is not one.
  package mutating func decode(_ payload: inout PayloadReader, relativeTo base: Instant) -> Bool {
    next = 0
    count = 0
    let found = Int(payload.byte())
    guard found >= 1, found <= LogFormat.maximumBlockCount else { return false }
    let presence = payload.byte()
    let everyone = found == 64 ? UInt64.max : (UInt64(1) << UInt64(found)) - 1
    var masks: InlineArray<3, UInt64> = [0, 0, 0]
    for part in 0..<3 {
      switch presence >> UInt8(part * 2) & 3 {
      case 0: break
      case 1: masks[part] = everyone
      case 2: masks[part] = payload.fixed64() & everyone
      default: return false
      }
    }
    decodeTimes(found, &payload, base)
    for part in 0..<3 where masks[part] != 0 && !payload.isDamaged { decodePart(part, masks[part], found, &payload) }
    guard !payload.isDamaged, payload.isAtEnd else { return false }
    count = found
    return true
  }

  @inline(never) private mutating func decodeTimes(_ found: Int, _ payload: inout PayloadReader, _ base: Instant) {
    var times = InlineArray<64, Int64>(repeating: 0)
    IntegerColumn.decode(found, from: &payload, into: &times)
    if payload.isDamaged { return }
    for index in 0..<found {
      samples[index] = InertialSample(time: Instant(microseconds: base.microseconds &+ times[index]))
    }
  }

  @inline(never) private mutating func decodePart(
    _ part: Int, _ mask: UInt64, _ found: Int, _ payload: inout PayloadReader
  ) {
    let valueCount = mask.nonzeroBitCount
    var shared: Double?
    var x = InlineArray<64, Float>(repeating: 0)
    var y = InlineArray<64, Float>(repeating: 0)
    var z = InlineArray<64, Float>(repeating: 0)
    FloatColumn.decode(valueCount, shared: &shared, from: &payload, into: &x)
    if payload.isDamaged { return }
    FloatColumn.decode(valueCount, shared: &shared, from: &payload, into: &y)
    if payload.isDamaged { return }
    FloatColumn.decode(valueCount, shared: &shared, from: &payload, into: &z)
    if payload.isDamaged { return }
    var place = 0
    for index in 0..<found where mask >> UInt64(index) & 1 != 0 {
      let vector = Vector3(x[place], y[place], z[place])
      switch part {
      case 0: samples[index].angularRate = vector
      case 1: samples[index].specificForce = vector
      default: samples[index].magneticFluxDensity = vector
      }
      place += 1
    }
  }

  /// Takes out the next sample; nil when all are taken.
  package mutating func take() -> InertialSample? {
    guard next < count else { return nil }
    next += 1
    return samples[next - 1]
  }
}
