import Quantities
import Recording

/// Dates the rows of `leash fuse --sample-clock`: stamps are taken for arrivals, and a `FrameClock` finds the times behind them.
///
/// Until the clock knows the rate, for a second, rows are held; then they get the times that lead up to the first. Rows that can't be
/// used pass through in their order.
///
/// The clock knows of lost samples only some stretches later. A file can be read ahead: dated rows are held for as long, and what came
/// after the longest pause among them is moved by what was lost. A filter that saw the loss elsewhere would not doubt itself where it must.
struct SampleDating {
  private var clock = FrameClock()
  private var held: [InertialRow] = []
  /// Rows that are dated, from `first` on, each with its stamp; what comes out next is the first of them.
  private var dated: [(row: InertialRow, stamp: Instant)] = []
  private var first = 0
  private var lastTime: Instant?
  private var isFinished = false

  /// Longer than the clock takes to find a loss: five stretches of half a second, or of four samples.
  private static let patience = Interval.seconds(4)

  /// Frames per second; nil while that is not known.
  var hertz: Double? { clock.hertz }
  /// Times that samples were found to be missing.
  var lossCount: Int { Int(clock.lossCount) }

  /// The next row that has its time.
  mutating func next() -> InertialRow? {
    guard first < dated.count, let last = dated.last else { return nil }
    guard isFinished || last.stamp - dated[first].stamp > SampleDating.patience else { return nil }
    defer {
      first += 1
      if first >= 4096 {
        dated.removeFirst(first)
        first = 0
      }
    }
    return dated[first].row
  }

  /// Takes a row in.
  mutating func add(_ row: InertialRow) {
    var row = row
    guard let sample = row.sample else { return append(row) }
    let losses = clock.lossCount
    guard let time = clock.time(ofFrameAt: sample.time) else {
      held.append(row)
      return
    }
    if !held.isEmpty { release(before: time) }
    if clock.lossCount > losses, let lastTime, let spacing = clock.spacing {
      moveLoss(of: time - lastTime - Interval(microseconds: Int64(spacing)), before: sample.time)
    }
    lastTime = time
    row.sample?.time = time
    row.time = time
    dated.append((row, sample.time))
  }

  /// There are no more rows: those still held keep their stamps.
  mutating func finish() {
    dated += held.map { ($0, $0.sample?.time ?? dated.last?.stamp ?? .zero) }
    held = []
    isFinished = true
  }

  private mutating func append(_ row: InertialRow) {
    if held.isEmpty { dated.append((row, dated.last?.stamp ?? .zero)) } else { held.append(row) }
  }

  /// So long was lost where the stamps pause longest.
  private mutating func moveLoss(of missing: Interval, before stamp: Instant) {
    guard missing > .zero, first < dated.count else { return }
    var (place, longest) = (dated.count, stamp - dated[dated.count - 1].stamp)
    for next in max(first, 1)..<dated.count {
      let pause = dated[next].stamp - dated[next - 1].stamp
      if pause > longest { (place, longest) = (next, pause) }
    }
    for next in place..<dated.count {
      guard let time = dated[next].row.sample.map({ $0.time + missing }) else { continue }
      dated[next].row.sample?.time = time
      dated[next].row.time = time
    }
  }

  /// Dates what was held by the spacing, up to the first time there is.
  private mutating func release(before first: Instant) {
    let spacing = clock.spacing ?? 0
    var before = held.count { $0.sample != nil }
    for place in held.indices {
      let stamp = held[place].sample?.time ?? dated.last?.stamp ?? .zero
      if held[place].sample != nil {
        let time = Instant(microseconds: first.microseconds - Int64(Double(before) * spacing))
        held[place].sample?.time = time
        held[place].time = time
        before -= 1
      }
      dated.append((held[place], stamp))
    }
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
