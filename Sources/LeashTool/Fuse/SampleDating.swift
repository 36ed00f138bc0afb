import Quantities
import Recording

/// Dates the rows of `leash fuse --sample-clock`: stamps are taken for arrivals, and a `FrameClock` finds the times behind them.
///
/// Until the clock knows the rate, for a second, rows are held; then they get the times that lead up to the first. Rows that can't be
/// used pass through in their order.
struct SampleDating {
  private var clock = FrameClock()
  private var held: [InertialRow] = []
  /// Rows that are dated and not yet taken.
  private var ready: ArraySlice<InertialRow> = []

  /// Frames per second; nil while that is not known.
  var hertz: Double? { clock.hertz }

  /// The next row that has its time.
  mutating func next() -> InertialRow? { ready.popFirst() }

  /// Takes a row in.
  mutating func add(_ row: InertialRow) {
    var row = row
    guard let sample = row.sample else { return append(row) }
    guard let time = clock.time(ofFrameAt: sample.time) else {
      held.append(row)
      return
    }
    if !held.isEmpty { release(before: time) }
    row.sample?.time = time
    row.time = time
    ready.append(row)
  }

  /// There are no more rows: those still held keep their stamps.
  mutating func finish() {
    ready += held
    held = []
  }

  private mutating func append(_ row: InertialRow) {
    if held.isEmpty { ready.append(row) } else { held.append(row) }
  }

  /// Dates what was held by the spacing, up to the first time there is.
  private mutating func release(before first: Instant) {
    let spacing = clock.spacing ?? 0
    var before = held.count { $0.sample != nil }
    for place in held.indices where held[place].sample != nil {
      let time = Instant(microseconds: first.microseconds - Int64(Double(before) * spacing))
      held[place].sample?.time = time
      held[place].time = time
      before -= 1
    }
    ready += held
    held = []
  }
}

/// Finds stamps that were taken when a buffer was read: most of them come at once with the one before, though the mean step is longer.
struct StampBunches {
  private var last: Instant?
  private var count = 0
  private var bunchedCount = 0
  /// Time in steps that count, s.
  private var seconds = 0.0
  /// The three longest of them, which may be gaps, the longest last.
  private var longest = [0.0, 0, 0]

  /// Rows from which on a mean step tells something, and a step in bunches against it.
  private static let least = 50
  private static let share = 0.25

  /// Takes a sample's stamp in; only whole ones count, as two sensors may have a row each at one time.
  mutating func add(_ sample: InertialSample) {
    guard sample.angularRate != nil, sample.specificForce != nil else { return }
    guard let last else {
      last = sample.time
      return
    }
    let step = (sample.time - last).secondsDouble
    self.last = max(last, sample.time)
    // What goes back or stops is told otherwise.
    guard step >= 0, step < 2.5 else { return }
    count += 1
    seconds += step
    if step > longest[0] {
      longest[0] = step
      longest.sort()
    }
    let mean = (seconds - longest.reduce(0, +)) / Double(count)
    if count > StampBunches.least, step < StampBunches.share * mean { bunchedCount += 1 }
  }

  /// What to tell about them; nil where they are in order.
  var remark: String? {
    let judged = count - StampBunches.least
    guard judged > StampBunches.least, 2 * bunchedCount > judged else { return nil }
    let percent = Int((100 * Double(bunchedCount) / Double(judged)).rounded())
    return "\(percent) % of the samples are stamped at once with the one before, as when a buffer is read: "
      + "--sample-clock dates them evenly"
  }
}
