import TrackerLog

extension IntegerColumn {
  /// A way to write a sequence, and what it costs.
  struct Plan {
    var predictor: Predictor
    var riceParameter: UInt64
    var start: Int64
    var step: Int64
    /// Estimated bits, start values included.
    var cost: Int
  }

  /// The cheapest way to write `values[0..<count]`, `count ≥ 1`.
  static func plan(_ values: UnsafePointer<Int64>, _ count: Int) -> Plan {
    var sum: Double = 0
    for index in 0..<count { sum += Double(values[index]) }
    let mean = sum / Double(count)
    let centre = Int64(exactly: mean.rounded()) ?? values[0]
    var best = evaluate(.constant, values, count, start: centre, step: 0)
    if count > 1 {
      let step = values[1] &- values[0]
      let drift = (values[count - 1] &- values[0]) / Int64(count - 1)
      let previous = evaluate(.previous, values, count, start: values[0], step: 0)
      if previous.cost < best.cost { best = previous }
      let slope = evaluate(.slope, values, count, start: values[0], step: step)
      if slope.cost < best.cost { best = slope }
      let drifting = evaluate(.drift, values, count, start: values[0], step: drift)
      if drifting.cost < best.cost { best = drifting }
    }
    return best
  }

  /// Bits of a varint of a signed value.
  private static func varintBits(_ value: Int64) -> Int {
    let bits = 64 - zigzag(value).leadingZeroBitCount
    return 8 * max(1, (bits + 6) / 7)
  }

  private static func evaluate(
    _ predictor: Predictor, _ values: UnsafePointer<Int64>, _ count: Int, start: Int64, step: Int64
  ) -> Plan {
    var state = State(predictor: predictor, start: start, step: step)
    var total: Double = 0
    let first = state.firstResidual
    for index in first..<count {
      total += Double(zigzag(values[index] &- state.prediction))
      state.advance(values[index])
    }
    var plan = Plan(predictor: predictor, riceParameter: 0, start: start, step: step, cost: 8 + varintBits(start))
    if predictor == .slope || predictor == .drift { plan.cost += varintBits(step) }
    let residualCount = count - first
    guard residualCount > 0 else { return plan }
    let mean = total / Double(residualCount)
    // The best parameter lies near the logarithm of the mean; the neighbours are tried.
    var guess: UInt64 = 0
    while guess < 50, Double(UInt64(1) << guess) < mean * 0.7 { guess += 1 }
    var bestBits = Int.max
    var bestParameter = guess
    for parameter in (guess > 0 ? guess - 1 : 0)...(guess + 1) {
      let bits = riceBits(predictor, values, count, start: start, step: step, parameter: parameter)
      if bits < bestBits {
        bestBits = bits
        bestParameter = parameter
      }
    }
    plan.riceParameter = bestParameter
    plan.cost += bestBits
    return plan
  }

  private static func riceBits(
    _ predictor: Predictor, _ values: UnsafePointer<Int64>, _ count: Int, start: Int64, step: Int64, parameter: UInt64
  ) -> Int {
    var state = State(predictor: predictor, start: start, step: step)
    var bits = 0
    for index in state.firstResidual..<count {
      let quotient = zigzag(values[index] &- state.prediction) >> parameter
      bits += quotient < escapeQuotient ? Int(quotient) + 1 + Int(parameter) : Int(escapeQuotient) + 64
      state.advance(values[index])
    }
    return bits
  }

  /// Writes `values` by a plan made for them.
  static func encode(
    _ values: UnsafePointer<Int64>, _ count: Int, _ plan: Plan, into payload: inout PayloadWriter
  ) {
    payload.append(plan.predictor.rawValue << 6 | UInt8(plan.riceParameter))
    payload.append(signed: plan.start)
    if plan.predictor == .slope || plan.predictor == .drift { payload.append(signed: plan.step) }
    var state = State(predictor: plan.predictor, start: plan.start, step: plan.step)
    var writer = BitWriter()
    for index in state.firstResidual..<count {
      let residual = zigzag(values[index] &- state.prediction)
      let quotient = residual >> plan.riceParameter
      if quotient < escapeQuotient {
        writer.append(ones: quotient, into: &payload)
        writer.append(residual, count: plan.riceParameter, into: &payload)
      } else {
        writer.append((1 << escapeQuotient) - 1, count: escapeQuotient, into: &payload)
        writer.append(residual & 0xFFFF_FFFF, count: 32, into: &payload)
        writer.append(residual >> 32, count: 32, into: &payload)
      }
      state.advance(values[index])
    }
    writer.flush(into: &payload)
  }
}

/// Bits into bytes, least significant first.
struct BitWriter {
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  /// Writes the lowest `count` bits, at most 56.
  mutating func append(_ value: UInt64, count: UInt64, into payload: inout PayloadWriter) {
    guard count > 0 else { return }
    var rest = value
    var left = count
    while left > 0 {
      let taken = min(left, 32)
      pending |= (rest & ((1 << taken) - 1)) << pendingCount
      pendingCount += taken
      rest >>= taken
      left -= taken
      while pendingCount >= 8 {
        payload.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        pendingCount -= 8
      }
    }
  }

  /// Writes ones and a closing zero.
  mutating func append(ones: UInt64, into payload: inout PayloadWriter) {
    append((1 << ones) - 1, count: ones + 1, into: &payload)
  }

  mutating func flush(into payload: inout PayloadWriter) {
    if pendingCount > 0 { payload.append(UInt8(truncatingIfNeeded: pending)) }
    pending = 0
    pendingCount = 0
  }
}
