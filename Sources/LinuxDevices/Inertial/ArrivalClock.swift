import Quantities

/// Dates frames that a device sends at a steady rate over a line that delays them.
///
/// A frame is never early: its arrival is its time plus a delay that is small at best and, behind a USB adapter that gathers
/// bytes for up to 16 ms, often is not. So the least delayed frames tell the truth. The clock carries a prediction on, one
/// spacing per frame. A frame that arrives before its prediction proves that the prediction is late, and becomes it. Of each
/// window of frames the one that is least behind the prediction shows by how much the prediction is early; half of that is
/// spread over the next window, and a part goes into the spacing. Frames of one burst thus keep their true distances.
///
/// The spacing is first learned: until then frames have no time, and the device is not asked to know its rate.
///
/// - Source: our derivation: the lower envelope of arrivals.
struct ArrivalClock {
  /// What the spacing is learned from: at 16 ms of jitter a second of frames gives 2 percent, and the windows do the rest.
  private static let learningInterval = Interval.seconds(1)
  private static let learningCount = 4
  /// Frames per window.
  private static let windowCount = 32
  /// How much of a window's lag goes into the spacing.
  private static let spacingGain = 0.25
  /// A frame this late is behind frames that were lost.
  private static let largestLag = 100_000.0

  private var first: Instant?
  private var learnedCount = 0
  /// Microseconds between frames; nil while it is learned.
  private(set) var spacing: Double?
  private var predicted = 0.0
  private var windowPlace = 0
  private var windowLag = Double.infinity
  /// What is added to each prediction of this window.
  private var correction = 0.0
  private var given = Int64.min

  init() {}

  /// Frames per second; nil while it is learned.
  var hertz: Double? { spacing.map { 1_000_000 / $0 } }

  /// The time of the next frame, which arrived now; nil while the spacing is learned.
  mutating func time(ofFrameAt arrival: Instant) -> Instant? {
    let now = Double(arrival.microseconds)
    guard let spacing else {
      learn(from: arrival)
      return nil
    }
    predicted += spacing + correction
    var lag = now - predicted
    if lag > max(Self.largestLag, 5 * spacing) {
      // Frames are missing: nothing is known about this one but its arrival.
      predicted = now
      lag = 0
      closeWindow()
    } else if lag < 0 {
      predicted = now
    }
    windowLag = min(windowLag, lag)
    windowPlace += 1
    if windowPlace == Self.windowCount { endWindow(spacing: spacing) }
    given = max(Int64(predicted), given &+ Int64(spacing / 8) &+ 1)
    return Instant(microseconds: given)
  }

  private mutating func learn(from arrival: Instant) {
    guard let first else {
      first = arrival
      return
    }
    learnedCount += 1
    guard arrival - first >= Self.learningInterval, learnedCount >= Self.learningCount else { return }
    spacing = Double((arrival - first).microseconds) / Double(learnedCount)
    predicted = Double(arrival.microseconds)
    given = arrival.microseconds
  }

  private mutating func endWindow(spacing: Double) {
    let lag = windowLag
    closeWindow()
    if lag > 0.75 * spacing {
      // Not one of the window was near: a frame is missing since the last one.
      predicted += lag
      return
    }
    correction = max(0, lag) / 2 / Double(Self.windowCount)
    // A part that is off by more than this in one window is one that changed its rate; windows follow.
    let change = Self.spacingGain * lag / Double(Self.windowCount)
    self.spacing = spacing + min(max(change, -spacing / 8), spacing / 8)
  }

  private mutating func closeWindow() {
    windowPlace = 0
    windowLag = .infinity
    correction = 0
  }
}
