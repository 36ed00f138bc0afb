import Quantities

/// Collects samples for one inertial block and writes it.
struct InertialBlockEncoder {
  private(set) var count = 0
  private var samples: [InertialSample] = []
  private var columns = [FloatColumn](repeating: FloatColumn(), count: 9)
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

/// The samples of one inertial block.
struct InertialBlockDecoder {
  private(set) var samples = [InertialSample](
    repeating: InertialSample(time: .zero), count: LogFormat.maximumBlockCount)
  private(set) var count = 0
  private var next = 0

  /// Reads a block; false, with nothing to give, when the payload is not one.
  mutating func decode(_ payload: inout PayloadReader, relativeTo base: Instant) -> Bool {
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
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: LogFormat.maximumBlockCount) { scratch in
      guard let times = scratch.baseAddress else { return }
      IntegerColumn.decode(found, from: &payload, into: times)
      if payload.isDamaged { return }
      for index in 0..<found {
        samples[index] = InertialSample(time: Instant(microseconds: base.microseconds &+ times[index]))
      }
    }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: LogFormat.maximumBlockCount * 3) { scratch in
      guard let floats = scratch.baseAddress else { return }
      for part in 0..<3 where masks[part] != 0 {
        let valueCount = masks[part].nonzeroBitCount
        var shared: Double?
        for axis in 0..<3 {
          FloatColumn.decode(
            valueCount, shared: &shared, from: &payload, into: floats + axis * LogFormat.maximumBlockCount)
          if payload.isDamaged { return }
        }
        var place = 0
        for index in 0..<found where masks[part] >> UInt64(index) & 1 != 0 {
          let vector = Vector3(
            floats[place], floats[place + LogFormat.maximumBlockCount],
            floats[place + 2 * LogFormat.maximumBlockCount])
          switch part {
          case 0: samples[index].angularRate = vector
          case 1: samples[index].specificForce = vector
          default: samples[index].magneticFluxDensity = vector
          }
          place += 1
        }
      }
    }
    guard !payload.isDamaged, payload.isAtEnd else { return false }
    count = found
    return true
  }

  /// Takes out the next sample; nil when all are taken.
  mutating func take() -> InertialSample? {
    guard next < count else { return nil }
    defer { next += 1 }
    return samples[next]
  }
}
