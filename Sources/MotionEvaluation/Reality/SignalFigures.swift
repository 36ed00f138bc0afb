import Quantities

/// Readings of an inertial sensor without gaps, one list an axis: rates x, y, z (rad/s), forces x, y, z (m/s²).
package struct SignalStretch: Sendable {
  /// Six lists of the same length.
  package var axes = [[Double]](repeating: [], count: 6)

  /// Nothing yet.
  package init() {}

  /// How many readings there are.
  package var count: Int { axes[0].count }

  mutating func append(_ rate: Vector3, _ force: Vector3) {
    for (place, value) in [rate.x, rate.y, rate.z, force.x, force.y, force.z].enumerated() {
      axes[place].append(Double(value))
    }
  }

  /// A part of it.
  func part(_ range: Range<Int>) -> SignalStretch {
    var result = SignalStretch()
    result.axes = axes.map { Array($0[range]) }
    return result
  }
}

/// What a class of motion looks like to a sensor: bands, windows, and for rest the Allan deviation.
package struct SignalFigures: Sendable {
  /// Middles of the third-octave bands, Hz.
  package private(set) var bands: [Double] = []
  /// Mean density of each axis in each band, unit²/Hz.
  package private(set) var densities: [[Double]] = []
  /// Root of the summed variances of the axes in each window of half a second: of rates, rad/s, and of forces, m/s².
  package private(set) var windows: (rate: [Double], force: [Double]) = ([], [])
  /// Times of the Allan deviation, s, and each axis's deviation at them.
  package private(set) var allan: (times: [Double], axes: [[Double]]) = ([], [])

  /// - Parameters:
  ///   - lowest: Lowest frequency that counts, Hz: below it one recording says little.
  ///   - wantsAllan: For rest.
  package init(_ stretches: [SignalStretch], hertz: Double, lowest: Double, wantsAllan: Bool = false) {
    // Segments of about eight times the longest period.
    var length = 64
    let longest = stretches.map(\.count).max() ?? 0
    while Double(length) < 6 * hertz / lowest, length * 2 <= longest { length *= 2 }
    let spectra = (0..<6).map { axis in
      PowerSpectrum(stretches.map { $0.axes[axis] }, hertz: hertz, length: length)
    }
    densities = [[Double]](repeating: [], count: 6)
    // Preferred middles, 10^(k/10) Hz: [iec61260]. Beyond 0.42 of the rate the sensor's own filter is seen.
    for number in -10...24 {
      let middle = Elementary.exp(Double(number) / 10 * 2.302585092994046)
      guard middle >= lowest, middle * 1.122 <= 0.42 * hertz else { continue }
      let means = spectra.compactMap { $0.mean(middle / 1.122, middle * 1.122) }
      guard means.count == 6 else { continue }
      bands.append(middle)
      for axis in 0..<6 { densities[axis].append(means[axis]) }
    }
    let span = max(2, Int((hertz / 2).rounded()))
    for stretch in stretches {
      var start = 0
      while start + span <= stretch.count {
        let variances = stretch.axes.map { SignalFigures.variance($0[start..<start + span]) }
        windows.rate.append((variances[0] + variances[1] + variances[2]).squareRoot())
        windows.force.append((variances[3] + variances[4] + variances[5]).squareRoot())
        start += span
      }
    }
    if wantsAllan, let longest = stretches.max(by: { $0.count < $1.count }) {
      allan = SignalFigures.allan(longest, hertz: hertz)
    }
  }

  private static func variance(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
  }

  /// Overlapping Allan deviation at four times a decade, up to a ninth of the length.
  ///
  /// - Source: [ieee952] annex C.
  static func allan(_ stretch: SignalStretch, hertz: Double) -> (times: [Double], axes: [[Double]]) {
    var counts: [Int] = []
    var next = 1.0
    while Int(next) <= stretch.count / 9 {
      if counts.last != Int(next) { counts.append(Int(next)) }
      next *= 1.7782794
    }
    let axes = stretch.axes.map { values in
      var sums = [0.0]
      for value in values { sums.append((sums.last ?? 0) + value) }
      return counts.map { count in
        var total = 0.0
        let last = values.count - 2 * count
        for place in 0...last {
          let change = sums[place + 2 * count] - 2 * sums[place + count] + sums[place]
          total += change * change
        }
        return (total / (2 * Double(last + 1))).squareRoot() / Double(count)
      }
    }
    return (counts.map { Double($0) / hertz }, axes)
  }
}

/// How far two classes of motion are from each other.
package struct SignalDistance: Sendable {
  /// Root mean square of the differences of levels over bands and axes, dB: of rates and of forces.
  package let spectrum: (rate: Double, force: Double)
  /// Mean difference of equal quantiles of the windows, rad/s and m/s²: the Wasserstein distance of order 1.
  package let windows: (rate: Double, force: Double)
  /// The same as a share of the mean of the recorded windows.
  package let shares: (rate: Double, force: Double)
  /// Root mean square of the differences of levels of the Allan deviations, dB: of rates and of forces; nil when not asked for.
  package let allan: (rate: Double, force: Double)?

  /// - Parameters:
  ///   - model: Of the simulation.
  ///   - recorded: Of the recording; shares are of this.
  package init(_ model: SignalFigures, _ recorded: SignalFigures) {
    func levels(_ axes: Range<Int>, _ a: [[Double]], _ b: [[Double]], factor: Double) -> Double {
      var sum = 0.0
      var count = 0.0
      for axis in axes {
        for place in 0..<min(a[axis].count, b[axis].count) where a[axis][place] > 0 && b[axis][place] > 0 {
          let level = factor * Elementary.log(a[axis][place] / b[axis][place]) / 2.302585092994046
          sum += level * level
          count += 1
        }
      }
      return count > 0 ? (sum / count).squareRoot() : .nan
    }
    spectrum = (
      levels(0..<3, model.densities, recorded.densities, factor: 10),
      levels(3..<6, model.densities, recorded.densities, factor: 10)
    )
    windows = (
      SignalDistance.wasserstein(model.windows.rate, recorded.windows.rate),
      SignalDistance.wasserstein(model.windows.force, recorded.windows.force)
    )
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(values.count, 1)) }
    shares = (windows.rate / mean(recorded.windows.rate), windows.force / mean(recorded.windows.force))
    let hasAllan = !model.allan.times.isEmpty && !recorded.allan.times.isEmpty
    allan =
      hasAllan
      ? (
        levels(0..<3, model.allan.axes, recorded.allan.axes, factor: 20),
        levels(3..<6, model.allan.axes, recorded.allan.axes, factor: 20)
      ) : nil
  }

  /// The Wasserstein distance of order 1 of two samples: the area between their distribution functions.
  static func wasserstein(_ a: [Double], _ b: [Double]) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return .nan }
    let (a, b) = (a.sorted(), b.sorted())
    var (i, j) = (0, 0)
    var (area, share) = (0.0, 0.0)
    while i < a.count, j < b.count {
      let (endA, endB) = (Double(i + 1) / Double(a.count), Double(j + 1) / Double(b.count))
      let end = min(endA, endB)
      area += (end - share) * (a[i] - b[j]).magnitude
      share = end
      if endA <= end { i += 1 }
      if endB <= end { j += 1 }
    }
    return area
  }
}
