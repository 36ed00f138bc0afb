import Quantities

/// One-sided power density of an even series, by averaged periodograms.
///
/// - Source: [welch] (segments of a power of two, half overlapping, Hann window, mean removed of each).
struct PowerSpectrum: Sendable {
  /// Unit²/Hz at the frequencies `step`, 2 · `step` …; what is at 0 Hz is left out.
  private(set) var density: [Double] = []
  /// Hz.
  let step: Double

  /// - Parameters:
  ///   - stretches: Series without gaps; those shorter than a segment are left out.
  ///   - hertz: Samples per second.
  ///   - length: Samples of a segment, a power of two.
  init(_ stretches: [[Double]], hertz: Double, length: Int) {
    step = hertz / Double(length)
    var window: [Double] = []
    for place in 0..<length {
      window.append(0.5 - 0.5 * Elementary.cos(2 * Double.pi * (Double(place) + 0.5) / Double(length)))
    }
    let power = window.reduce(0) { $0 + $1 * $1 }
    let turns = FourierTurns(length: length)
    var sums = [Double](repeating: 0, count: length / 2)
    var count = 0.0
    for stretch in stretches {
      var start = 0
      while start + length <= stretch.count {
        let part = stretch[start..<start + length]
        let mean = part.reduce(0, +) / Double(length)
        var real: [Double] = []
        for (place, value) in part.enumerated() { real.append((value - mean) * window[place]) }
        let squares = turns.squares(real)
        for place in 1...length / 2 { sums[place - 1] += squares[place] }
        count += 1
        start += length / 2
      }
    }
    // Half of the power is at negative frequencies; at the last one there is no other half, but no band reaches so far.
    density = count > 0 ? sums.map { 2 * $0 / (hertz * power * count) } : []
  }

  /// Mean density between two frequencies, Hz; nil where there is none.
  func mean(_ low: Double, _ high: Double) -> Double? {
    var sum = 0.0
    var weight = 0.0
    for (place, value) in density.enumerated() {
      // Each value stands for half a step on either side.
      let centre = Double(place + 1) * step
      let share = min(high, centre + step / 2) - max(low, centre - step / 2)
      guard share > 0 else { continue }
      sum += share * value
      weight += share
    }
    return weight > 0 ? sum / weight : nil
  }
}

/// The fast Fourier transform of one length.
///
/// - Source: [cooley-tukey], in place, the order of the bits reversed first.
private struct FourierTurns {
  private let length: Int
  private let cosine: [Double]
  private let sine: [Double]

  init(length: Int) {
    self.length = length
    let angles = (0..<length / 2).map { Elementary.sincos(-2 * Double.pi * Double($0) / Double(length)) }
    cosine = angles.map(\.cos)
    sine = angles.map(\.sin)
  }

  /// |X(k)|² for k from 0 to half of the length.
  func squares(_ values: [Double]) -> [Double] {
    var real = values
    var imaginary = [Double](repeating: 0, count: length)
    var reversed = 0
    for place in 1..<length {
      var bit = length / 2
      while reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
      if place < reversed { real.swapAt(place, reversed) }
    }
    var half = 1
    while half < length {
      let stride = length / (2 * half)
      var first = 0
      while first < length {
        for place in 0..<half {
          let (a, b) = (first + place, first + place + half)
          let (c, s) = (cosine[place * stride], sine[place * stride])
          let x = real[b] * c - imaginary[b] * s
          let y = real[b] * s + imaginary[b] * c
          (real[b], imaginary[b]) = (real[a] - x, imaginary[a] - y)
          (real[a], imaginary[a]) = (real[a] + x, imaginary[a] + y)
        }
        first += 2 * half
      }
      half *= 2
    }
    return (0...length / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }
}
