import Quantities

/// What the noise of a resting accelerometer may be at each reading, axis by axis, so that a part that sleeps can't notice it.
///
/// Time in which all noise is within these bounds can be passed over: nobody gets any of its readings. What is beyond them on some axis is
/// rare, and its moment can be drawn at once instead of reading by reading.
///
/// - Source: our derivation. The noise of readings is independent, so that the number of readings before the first one beyond the bounds has
///   a geometric distribution, and a reading that is not beyond them has that of all readings without the tails.
package struct QuietNoise: Equatable, Sendable {
  /// The least and the largest noise of each axis, standard deviations.
  package let low: [Double]
  /// See `low`.
  package let high: [Double]
  /// That noise is below the least, or above the largest, axis by axis.
  private let tails: [Double]
  /// That the noise of a reading is beyond some bound.
  package let chance: Double

  /// Nearer bounds would be left every few seconds: nothing is gained by passing over so little.
  private static let nearest = 3.2

  /// Bounds of the three axes; nil where they are too near, or are none.
  package init?(low: [Double], high: [Double]) {
    guard low.count == 3, high.count == 3, low.allSatisfy({ $0 <= -QuietNoise.nearest }),
      high.allSatisfy({ $0 >= QuietNoise.nearest })
    else { return nil }
    self.low = low
    self.high = high
    var tails: [Double] = []
    var none = 0.0
    for axis in 0..<3 {
      let (below, above) = (NormalTail.beyond(-low[axis]), NormalTail.beyond(high[axis]))
      tails += [below, above]
      // That of one or the other, without taking a small number from 1.
      none += (below + above) * (1 - none)
    }
    self.tails = tails
    chance = none
  }

  /// Draws how many readings there are before the first one beyond the bounds; nil for more than anybody waits for.
  package func drawnWait(_ random: inout SeededRandom) -> Int? {
    guard chance > 0 else { return nil }
    // −ln(1 − p), of a small p.
    let rate = chance * (1 + chance * (0.5 + chance / 3))
    let wait = -Elementary.log(1 - random.uniform()) / rate
    return wait < 1e9 ? Int(wait) : nil
  }

  /// Draws noise within the bounds.
  package func drawnWithin(_ random: inout SeededRandom) -> Vector3 {
    while true {
      let noise = [random.gaussian(), random.gaussian(), random.gaussian()]
      if beyond(noise) == 0 { return Vector3(Float(noise[0]), Float(noise[1]), Float(noise[2])) }
    }
  }

  /// Draws noise of which an axis at least is beyond its bounds.
  package func drawnBeyond(_ random: inout SeededRandom) -> Vector3 {
    while true {
      var rest = random.uniform() * tails.reduce(0, +)
      var place = 0
      while place < 5, rest >= tails[place] {
        rest -= tails[place]
        place += 1
      }
      var noise = [random.gaussian(), random.gaussian(), random.gaussian()]
      let axis = place / 2
      noise[axis] =
        place % 2 == 0 ? -NormalTail.drawn(beyond: -low[axis], &random) : NormalTail.drawn(beyond: high[axis], &random)
      // What is beyond on two axes comes up by either of them.
      let count = beyond(noise)
      guard count > 1, random.uniform() * Double(count) >= 1 else {
        return Vector3(Float(noise[0]), Float(noise[1]), Float(noise[2]))
      }
    }
  }

  private func beyond(_ noise: [Double]) -> Int {
    var count = 0
    for axis in 0..<3 where noise[axis] < low[axis] || noise[axis] > high[axis] { count += 1 }
    return count
  }
}

/// The far part of the normal distribution.
enum NormalTail {
  /// The probability of more than a number of standard deviations, 2 or more; to 10 digits.
  ///
  /// - Source: our derivation from Laplace's continued fraction φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))).
  static func beyond(_ x: Double) -> Double {
    guard x < 38 else { return 0 }
    var fraction = x
    for step in (1...80).reversed() { fraction = x + Double(step) / fraction }
    return 0.3989422804014327 * Elementary.exp(-0.5 * x * x) / fraction
  }

  /// Draws a number beyond a bound, 1 or more.
  ///
  /// - Source: G. Marsaglia, "Generating a variable from the tail of the normal distribution", Technometrics 6 (1964), as in
  ///   `SeededRandom`.
  static func drawn(beyond bound: Double, _ random: inout SeededRandom) -> Double {
    while true {
      let x = -Elementary.log(1 - random.uniform()) / bound
      let y = -Elementary.log(1 - random.uniform())
      if y + y > x * x { return bound + x }
    }
  }
}
