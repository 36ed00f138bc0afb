import Quantities
import TrackerLog

/// Codes up to 64 single-precision values without loss, by finding the grid on which a sensor's numbers lie.
///
/// A sensor gives small integers; scaling hides them in a `Float`, and a text format rounds them once more. Where all
/// values of a column are exactly reproduced from integers by one of the formulas of `FloatColumn.Form`, only the integers are
/// written.
struct FloatColumnEncoder {
  /// The grid found in earlier blocks; a hint that is checked against every value before it is used.
  private var decimals = 0
  private var grid = Grid()
  private var gridIsRounded = false
  /// Blocks to pass before the next search for a grid, and how many to pass after that.
  private var searchCountdown = 0
  private var searchBackoff = 1

  private struct Grid {
    var low: Double = 0
    var high: Double = 0
    var quantum: Double { low == high ? low : 0.5 * (low + high) }
    var isKnown: Bool { high > 0 }
  }

  /// Writes a column of `count ≥ 1` values.
  ///
  /// - Parameter shared: quantum of the column before in the same block, updated to that of this column.
  mutating func encode(
    _ values: UnsafePointer<Float>, _ count: Int, shared: inout Double?, into payload: inout PayloadWriter
  ) {
    if isConstant(values, count) {
      payload.append(FloatColumn.Form.same.rawValue)
      payload.append(fixed32: values[0].bitPattern)
      return
    }
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: count * 2) { scratch in
      guard let numbers = scratch.baseAddress else { return }
      encode(values, count, numbers, numbers + count, &shared, &payload)
    }
  }

  private mutating func encode(
    _ values: UnsafePointer<Float>, _ count: Int, _ numbers: UnsafeMutablePointer<Int64>,
    _ steps: UnsafeMutablePointer<Int64>, _ shared: inout Double?, _ payload: inout PayloadWriter
  ) {
    let isDecimal = findDecimals(values, count, numbers)
    let quantum = findQuantum(values, count, isDecimal ? numbers : nil, shared: shared, steps)
    var best: IntegerColumn.Plan?
    if let quantum {
      var plan = IntegerColumn.plan(steps, count)
      if quantum.bitPattern != shared?.bitPattern { plan.cost += 64 }
      best = plan
    }
    if isDecimal {
      let plan = IntegerColumn.plan(numbers, count)
      if plan.cost <= best?.cost ?? .max {
        payload.append(FloatColumn.Form.decimal.rawValue | UInt8(decimals) << 3)
        IntegerColumn.encode(numbers, count, plan, into: &payload)
        return
      }
    }
    if let quantum, let best {
      let isShared = quantum.bitPattern == shared?.bitPattern
      let form: FloatColumn.Form = isDecimal ? .roundedQuantum : .quantum
      payload.append(form.rawValue | UInt8(isDecimal ? decimals : 0) << 3 | (isShared ? 0x80 : 0))
      if !isShared { payload.append(fixed64: quantum.bitPattern) }
      shared = quantum
      IntegerColumn.encode(steps, count, best, into: &payload)
      return
    }
    for index in 0..<count { steps[index] = Int64(orderedBits(values[index])) }
    payload.append(FloatColumn.Form.raw.rawValue)
    IntegerColumn.encode(steps, count, IntegerColumn.plan(steps, count), into: &payload)
  }

  private func isConstant(_ values: UnsafePointer<Float>, _ count: Int) -> Bool {
    for index in 1..<max(1, count) where values[index].bitPattern != values[0].bitPattern { return false }
    return true
  }

  // MARK: Decimal grid

  /// Fills `numbers` when all values are whole multiples of some 10^-d; leaves d in `decimals`.
  private mutating func findDecimals(
    _ values: UnsafePointer<Float>, _ count: Int, _ numbers: UnsafeMutablePointer<Int64>
  ) -> Bool {
    var trial = max(0, decimals - 1)
    while trial <= FloatColumn.maximumDecimals {
      let scale = FloatColumn.decimalScales[trial]
      var index = 0
      while index < count {
        let value = values[index]
        let scaled = Double(value) * scale
        guard scaled > -4e15, scaled < 4e15 else { return false }
        let number = Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
        guard Float(Double(number) / scale).bitPattern == value.bitPattern else { break }
        numbers[index] = number
        index += 1
      }
      if index == count {
        decimals = trial
        return true
      }
      trial += 1
    }
    return false
  }

  // MARK: Quantum grid

  /// Finds a quantum that reproduces every value and fills `steps`; nil when there is none.
  private mutating func findQuantum(
    _ values: UnsafePointer<Float>, _ count: Int, _ numbers: UnsafePointer<Int64>?, shared: Double?,
    _ steps: UnsafeMutablePointer<Int64>
  ) -> Double? {
    let scale = numbers == nil ? 1 : FloatColumn.decimalScales[decimals]
    if let shared, reproduces(values, count, numbers, shared, scale, steps) { return shared }
    if grid.isKnown, gridIsRounded == (numbers != nil),
      reproduces(values, count, numbers, grid.quantum, scale, steps)
    {
      return grid.quantum
    }
    guard searchCountdown == 0 else {
      searchCountdown -= 1
      return nil
    }
    let isRounded = numbers != nil
    let known = grid.isKnown && gridIsRounded == isRounded ? grid : nil
    if let found = search(values, count, numbers, known: known),
      reproduces(values, count, numbers, found.quantum, scale, steps)
    {
      grid = found
      gridIsRounded = isRounded
      searchBackoff = 1
      return found.quantum
    }
    searchCountdown = searchBackoff
    searchBackoff = min(searchBackoff * 2, 256)
    return nil
  }

  /// True when every value is what the decoder would make of a whole number of steps, which go to `steps`.
  private func reproduces(
    _ values: UnsafePointer<Float>, _ count: Int, _ numbers: UnsafePointer<Int64>?, _ quantum: Double,
    _ scale: Double, _ steps: UnsafeMutablePointer<Int64>
  ) -> Bool {
    for index in 0..<count {
      let value = numbers.map { Double($0[index]) } ?? Double(values[index])
      let ratio = value / quantum
      guard ratio > -1e9, ratio < 1e9 else { return false }
      let step = Int64(ratio < 0 ? ratio - 0.5 : ratio + 0.5)
      if let numbers {
        guard Elementary.roundedInteger(Double(step) * quantum) == numbers[index] else { return false }
      } else {
        guard Float(Double(step) * quantum).bitPattern == values[index].bitPattern else { return false }
      }
      steps[index] = step
    }
    return true
  }

  /// Narrows the interval in which the quantum must lie, first by differences of values, then by the values.
  private func search(
    _ values: UnsafePointer<Float>, _ count: Int, _ numbers: UnsafePointer<Int64>?, known: Grid?
  ) -> Grid? {
    guard count >= 8 else { return nil }
    var sorted = (0..<count).map { index in numbers.map { Double($0[index]) } ?? Double(values[index]) }
    guard sorted.allSatisfy(\.isFinite) else { return nil }
    sorted.append(0)
    sorted.sort()
    // Half a unit of rounding: of the decimal text, or of the single-precision value.
    func slack(_ value: Double) -> Double { numbers == nil ? Double(Float(value).ulp) * 0.5 : 0.5 }
    let magnitudes = sorted.map(abs).filter { $0 > 0 }.sorted()
    if let known {
      var grid = known
      if narrow(&grid, by: magnitudes, slack: slack) { return grid }
    }
    var smallest = Double.infinity
    var smallestSlack = 0.0
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      let sum = slack(low) + slack(high)
      // A step must stand well above the rounding, or there is nothing to gain.
      if high - low > 3 * sum, high - low < smallest {
        smallest = high - low
        smallestSlack = sum
      }
    }
    guard smallest.isFinite else { return nil }
    let origin = sorted[0]
    let differences = sorted.map { $0 - origin }.filter { $0 > 0 }
    for divisor in 1...4 {
      var grid = Grid(
        low: (smallest - smallestSlack) / Double(divisor), high: (smallest + smallestSlack) / Double(divisor))
      guard grid.low > (numbers == nil ? 0 : 3) else { continue }
      if narrow(&grid, by: differences, slack: { slack($0 + origin) + slack(origin) }),
        narrow(&grid, by: magnitudes, slack: slack)
      {
        return grid
      }
    }
    return nil
  }

  /// Intersects with what each value allows, in rising order; false when nothing is left.
  private func narrow(_ grid: inout Grid, by values: [Double], slack: (Double) -> Double) -> Bool {
    for value in values {
      let slack = slack(value)
      let fewest = ((value - slack) / grid.high).rounded(.up)
      let most = ((value + slack) / grid.low).rounded(.down)
      guard fewest <= most, most < 1e9 else { return false }
      // Where two counts are possible the value tells nothing yet.
      guard fewest == most, most > 0 else { continue }
      grid.low = max(grid.low, (value - slack) / most)
      grid.high = min(grid.high, (value + slack) / most)
      guard grid.low <= grid.high else { return false }
    }
    return true
  }
}

/// Bits of a float as a number that rises with the value.
private func orderedBits(_ value: Float) -> UInt32 {
  let bits = value.bitPattern
  return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
}
