/// Dates frames that a device measures at a steady rate and that arrive late: over a serial line, from a FIFO that is read now
/// and then, out of a file whose writer stamped what it read.
///
/// A frame arrives at its time plus a delay, which is never negative. Drawn over their count, arrivals therefore lie on or above
/// a line, and the least delayed ones on it: the line is their lower hull. The frames are cut into stretches of half a second;
/// of each the least delayed frame is kept, for nine stretches. The longest edge of their lower hull gives the spacing, whatever
/// the delays above it do, and the least delay of the last four stretches the time. So a burst keeps its true distances, and
/// jitter does not reach the times.
///
/// Frames that were lost lift all arrivals behind them for good, delayed ones only for a while. So what stays above the line
/// for four stretches is a loss: the times move on, and nothing is learnt across it.
///
/// The spacing is first learnt, for a second; until then frames have no time.
///
/// - Source: our derivation: the lower hull of arrivals.
public struct FrameClock: BitwiseCopyable, Sendable {
  /// A frame that was the least delayed of its stretch.
  private struct Mark: BitwiseCopyable {
    var number: Int64 = 0
    var arrival: Double = 0
  }

  /// Stretches that are kept.
  private static var capacity: Int { 9 }
  /// Length of a stretch, µs, and the least number of frames in it.
  private static var stretch: Double { 500_000 }
  private static var leastFrames: Int64 { 4 }
  /// What the spacing is first learnt from, µs.
  private static var learning: Double { 1_000_000 }
  /// A pause as long, µs, begins anew but for the spacing.
  private static var pause: Double { 3_000_000 }

  private var marks: InlineArray<9, Mark> = InlineArray(repeating: Mark())
  private var markCount = 0
  private var number: Int64 = -1
  private var first: Double = 0
  private var lastArrival: Double = 0
  private var step: Double = 0
  /// Time of the last frame, µs.
  private var predicted: Double = 0
  private var correction: Double = 0
  private var best = Mark()
  private var bestLag: Double = .infinity
  private var stretchStart: Double = 0
  private var stretchFrames: Int64 = 0
  private var given = Int64.min

  /// Times that frames were found to be missing.
  public private(set) var lossCount: UInt32 = 0
  /// Times that the spacing changed by more than three percent at once.
  public private(set) var restartCount: UInt32 = 0

  /// A clock that knows nothing yet.
  public init() {}

  /// Microseconds between frames; nil while it is learnt.
  public var spacing: Double? { step > 0 ? step : nil }
  /// Frames per second; nil while it is learnt.
  public var hertz: Double? { step > 0 ? 1_000_000 / step : nil }

  /// The time of the next frame.
  ///
  /// - Parameter arrival: When it came; an arrival before the last one counts as that.
  /// - Returns: Its time, later than that of the frame before; nil while the spacing is learnt.
  public mutating func time(ofFrameAt arrival: Instant) -> Instant? {
    var now = Double(arrival.microseconds)
    number += 1
    if number == 0 {
      first = now
      lastArrival = now
      return nil
    }
    now = max(now, lastArrival)
    let silence = now - lastArrival
    lastArrival = now
    if step == 0 {
      guard now - first >= FrameClock.learning, number >= FrameClock.leastFrames else { return nil }
      step = (now - first) / Double(number)
      begin(at: now)
      predicted = now
    } else if silence > max(FrameClock.pause, 20 * step) {
      begin(at: now)
      predicted = now
    } else {
      predicted += step + correction
    }
    var lag = now - predicted
    if lag < 0 {
      // It came before its time: the time was late.
      predicted = now
      lag = 0
    }
    if lag <= bestLag {
      best = Mark(number: number, arrival: now)
      bestLag = lag
    }
    stretchFrames += 1
    if now - stretchStart >= FrameClock.stretch, stretchFrames >= FrameClock.leastFrames { closeStretch(at: now) }
    // Within what 64 bits hold, whatever came in.
    let time = Int64(min(max(predicted, -9e18), 9e18))
    let apart = Int64(min(max(step * 0.125, 1), 1e15))
    given = given == .min ? time : max(time, min(given, .max - apart) + apart)
    return Instant(microseconds: given)
  }

  private mutating func begin(at now: Double) {
    markCount = 0
    correction = 0
    openStretch(at: now)
  }

  private mutating func openStretch(at now: Double) {
    bestLag = .infinity
    stretchStart = now
    stretchFrames = 0
  }

  private mutating func closeStretch(at now: Double) {
    if markCount == FrameClock.capacity {
      for place in 1..<markCount { marks[place - 1] = marks[place] }
      markCount -= 1
    }
    marks[markCount] = best
    markCount += 1
    let frames = stretchFrames
    openStretch(at: now)
    learnStep()
    // The least lag of the last four stretches, by the line as it is now.
    var least = Double.infinity
    for place in max(0, markCount - 4)..<markCount {
      least = min(least, marks[place].arrival - (predicted - Double(number - marks[place].number) * step))
    }
    correction = 0
    if markCount >= 4 && least > 0.75 * step {
      predicted += least
      lossCount = min(lossCount, .max - 1) + 1
      markCount = 0
    } else if least > 0 {
      // Half of it, spread over a stretch as long as the last one.
      correction = 0.5 * least / Double(max(frames, 1))
    }
  }

  /// Takes the spacing from the longest edge of the marks' lower hull.
  private mutating func learnStep() {
    guard markCount >= 3 else { return }
    var longest: Int64 = 0
    var slope = step
    for i in 0..<markCount - 1 {
      // The next corner of the hull after i is that of the least slope; whether i is one itself is for those before to say.
      var corner = i + 1
      for j in i + 1..<markCount where inclination(i, j) <= inclination(i, corner) { corner = j }
      var isCorner = true
      for j in 0..<i where inclination(j, corner) <= inclination(j, i) { isCorner = false }
      let length = marks[corner].number - marks[i].number
      if isCorner, length > longest {
        longest = length
        slope = inclination(i, corner)
      }
    }
    guard slope > 0, slope.isFinite else { return }
    if slope > 1.03 * step || slope < 0.97 * step { restartCount = min(restartCount, .max - 1) + 1 }
    step = slope
  }

  private func inclination(_ i: Int, _ j: Int) -> Double {
    (marks[j].arrival - marks[i].arrival) / Double(marks[j].number - marks[i].number)
  }
}
