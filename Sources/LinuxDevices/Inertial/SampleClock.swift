import Quantities

/// Dates the samples of a part that counts them and does not date them.
///
/// The part measures every `spacing`; the machine looks now and then how many samples have come. Let the newest sample of a
/// look be taken at `t`, the machine's clock have read `before` ahead of the look and `after` behind it. The sample was there
/// at the look and the next was not, so, whatever the machine was delayed by,
///
///     before − spacing < t ≤ after.
///
/// The clock carries its own prediction on, one spacing per sample, and moves it by the least that satisfies this. While the
/// prediction stays inside it is not touched: looks jitter, the part does not. A spacing that is wrong makes the prediction
/// drift into one of the bounds, always the same one; each correction there tells the error of the spacing, and a part of
/// it is taken over. So the error of a time is below one spacing from the first look on and shrinks as looks and samples
/// slide past each other, and the rate follows the part's own oscillator, which may be off by several percent.
///
/// Times of one clock strictly rise.
///
/// - Source: our derivation.
struct SampleClock {
  /// How much of a correction goes into the spacing: the slower, the less one late look does.
  private static let spacingGain = 1.0 / 16
  /// Oscillators of the supported parts are within 10 percent of their rate; what is beyond is not taken for drift.
  private static let largestDeviation = 0.12

  private let nominal: Double
  /// Microseconds between samples as they are known by now.
  private(set) var spacing: Double
  /// The newest sample's time in microseconds; nil before the first look and after a gap.
  private var newest: Double?
  /// What was given out last; nothing earlier follows.
  private var given = Int64.min

  /// For a part that measures so many times per second.
  init(hertz: Double) {
    nominal = 1_000_000 / hertz
    spacing = nominal
  }

  /// Samples per second as they are known by now.
  var hertz: Double { 1_000_000 / spacing }

  /// Forgets when the last sample was: some were lost. The rate and the order of times stay.
  mutating func noteGap() { newest = nil }

  /// The times of the samples that were read at one look, oldest first.
  ///
  /// - Parameter pending: Samples that the look counted and that were left for later, as they were many.
  mutating func times(count: Int, pending: Int = 0, before: Instant, after: Instant) -> [Instant] {
    guard count > 0 else {
      // Nothing came: the next sample is later than the look.
      if let last = newest {
        let correction = max(0, Double(before.microseconds) - spacing - last)
        newest = last + correction
        // A part that has stopped is not taken for a slow one.
        learn(Self.spacingGain * min(correction, spacing / 4))
      }
      return []
    }
    let high = Double(after.microseconds) - Double(pending) * spacing
    let low = Double(before.microseconds) - Double(pending + 1) * spacing
    let first: Double
    let last: Double
    if let newest {
      let predicted = newest + Double(count) * spacing
      last = max(min(max(predicted, low), high), newest + 0.1 * spacing)
      first = newest + (last - newest) / Double(count)
      learn(Self.spacingGain * (last - predicted) / Double(count))
    } else {
      // Anywhere in the last spacing: the middle is wrong by a half at most.
      last = high - spacing / 2
      first = last - Double(count - 1) * spacing
    }
    newest = last
    let step = count > 1 ? (last - first) / Double(count - 1) : 0
    return (0..<count).map { place in
      given = max(Int64(first + Double(place) * step), given &+ 1)
      return Instant(microseconds: given)
    }
  }

  private mutating func learn(_ change: Double) {
    let deviation = Self.largestDeviation * nominal
    spacing = min(max(spacing + change, nominal - deviation), nominal + deviation)
  }
}
