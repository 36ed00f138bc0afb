import Quantities
import TrackerLog

/// Collects samples for one inertial block and writes it.
struct InertialBlockEncoder {
  private(set) var count = 0
  private var samples: [InertialSample] = []
  private var columns = [FloatColumnEncoder](repeating: FloatColumnEncoder(), count: 9)
  private var numbers = [Int64](repeating: 0, count: LogFormat.maximumBlockCount)
  private var floats = [Float](repeating: 0, count: LogFormat.maximumBlockCount)

  init() { samples.reserveCapacity(LogFormat.maximumBlockCount) }

  var firstTime: Instant? { samples.first?.time }

  /// True when a sample can go into the block at hand.
  func accepts(_ sample: InertialSample) -> Bool {
    guard let first = samples.first else { return true }
    guard count < LogFormat.maximumBlockCount else { return false }
    let (span, overflow) = sample.time.microseconds.subtractingReportingOverflow(first.time.microseconds)
    return !overflow && span > -LogFormat.maximumBlockDuration && span < LogFormat.maximumBlockDuration
  }

  mutating func append(_ sample: InertialSample) {
    samples.append(sample)
    count += 1
  }

  private func vector(_ part: Int, of index: Int) -> Vector3? {
    switch part {
    case 0: samples[index].angularRate
    case 1: samples[index].specificForce
    default: samples[index].magneticFluxDensity
    }
  }

  /// Writes the block's payload and empties it.
  mutating func encode(relativeTo base: Instant, into payload: inout PayloadWriter) {
    payload.append(UInt8(count))
    let everyone = count == 64 ? UInt64.max : (UInt64(1) << UInt64(count)) - 1
    var masks: InlineArray<3, UInt64> = [0, 0, 0]
    for index in 0..<count {
      if samples[index].angularRate != nil { masks[0] |= 1 << UInt64(index) }
      if samples[index].specificForce != nil { masks[1] |= 1 << UInt64(index) }
      if samples[index].magneticFluxDensity != nil { masks[2] |= 1 << UInt64(index) }
    }
    var presence: UInt8 = 0
    for part in 0..<3 where masks[part] != 0 { presence |= (masks[part] == everyone ? 1 : 2) << UInt8(part * 2) }
    payload.append(presence)
    for part in 0..<3 where presence >> UInt8(part * 2) & 3 == 2 { payload.append(fixed64: masks[part]) }
    for index in 0..<count {
      numbers[index] = samples[index].time.microseconds &- base.microseconds
    }
    numbers.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      IntegerColumn.encode(start, count, IntegerColumn.plan(start, count), into: &payload)
    }
    for part in 0..<3 where masks[part] != 0 {
      var shared: Double?
      for axis in 0..<3 {
        var valueCount = 0
        for index in 0..<count {
          guard let vector = vector(part, of: index) else { continue }
          floats[valueCount] = axis == 0 ? vector.x : axis == 1 ? vector.y : vector.z
          valueCount += 1
        }
        floats.withUnsafeBufferPointer { buffer in
          guard let start = buffer.baseAddress else { return }
          columns[part * 3 + axis].encode(start, valueCount, shared: &shared, into: &payload)
        }
      }
    }
    samples.removeAll(keepingCapacity: true)
    count = 0
  }
}
