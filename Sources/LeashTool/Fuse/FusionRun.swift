import FusionEvaluation
import OfflineFusion
import Quantities
import Recording
import TrackerRuntime

/// One run of `leash fuse`: row in, row out, with the score and the picture on the way.
final class FusionRun {
  private let options: FusionOptions
  private let console: Console
  private let rows: InertialRows
  private let mode: FusionMode
  private let target: ByteTarget?
  private let plotTarget: ByteTarget?
  private var ahead: ArraySlice<InertialRow>
  private var filter: FusionFilter
  private var text: FusionRowText
  private var score: FusionScore?
  private var plot: FusionPlot?
  private var progress: ProgressLine
  private var summary = FusionSummary()
  private var dating: SampleDating?
  private var bunches = StampBunches()
  private var units = UnitDoubts()
  private var hasSeenMagnetometer = false
  /// Rows that wait for the end of the recording; only with `--offline`.
  private var held: [InertialRow] = []
  /// True once a row had both an angular rate and a specific force.
  private var hasSeenMotion = false

  /// Rows that are looked at before it is decided that there is no magnetometer: more than five seconds of any sensor.
  private static let lookAhead = 2000

  init(_ options: FusionOptions, _ console: Console) throws(CommandFailure) {
    self.options = options
    self.console = console
    progress = ProgressLine(console, delay: 2_000_000)
    let rows = try reading { () throws(RecordingError) in try InertialRows(path: options.input) }
    self.rows = rows
    let first = try reading { () throws(RecordingError) in try FusionRun.firstRows(rows) }
    ahead = first[...]
    mode = try FusionRun.mode(options, rows, first)
    filter = FusionFilter(mode: mode, sensor: try options.sensor(of: rows.sensor))
    text = FusionRowText(isJSON: options.isJSON)
    score = try FusionRun.score(options, rows)
    // Both files are begun before the work, so that what can't be written is told at once.
    target = try FusionRun.target(options.output)
    plotTarget = try FusionRun.target(options.plot)
    if options.plot != nil { plot = FusionPlot() }
    if options.hasSampleClock { dating = SampleDating() }
  }

  func run() throws(CommandFailure) -> ExitCode {
    var failure: RecordingError?
    try write(text.header)
    do throws(RecordingError) {
      while let row = try nextRow() { try take(row) }
    } catch {
      // A recording that ends too early still gives what was there.
      guard error.file != target?.name else { throw CommandFailure(error) }
      failure = error
    }
    if options.isOffline {
      do throws(RecordingError) { try fuseHeld() } catch { throw CommandFailure(error) }
    }
    progress.clear()
    tellProblems()
    guard hasSeenMotion else { throw failure.map { CommandFailure($0) } ?? nothingUsable() }
    if !filter.isAligned {
      console.err.writeLine("leash fuse: \(options.input): no specific force: the attitude is unknown")
    }
    if mode == .earth, !hasSeenMagnetometer {
      console.err.writeLine(
        "leash fuse: \(options.input): no usable value of the magnetometer: the heading is arbitrary")
    }
    var refusal: CommandFailure?
    var verdict: FusionVerdict?
    do throws(CommandFailure) {
      verdict = try score?.verdict(mode: mode)
    } catch {
      // What can't be scored is fused all the same.
      refusal = error
    }
    try finish(verdict)
    tell(verdict)
    if let failure { throw CommandFailure(failure) }
    if let refusal { throw refusal }
    return .success
  }

  private func finish(_ verdict: FusionVerdict?) throws(CommandFailure) {
    try reading { () throws(RecordingError) in
      try target?.close()
      guard let plotTarget, let plot else { return }
      let title = options.input == "-" ? "standard input" : FusionRun.fileName(options.input)
      try plotTarget.append(plot.svg(title: title, subtitle: summary.line(mode: mode), mode: mode, verdict: verdict))
      try plotTarget.close()
    }
  }

  // MARK: Rows

  /// The next row, with the time it is to be taken at.
  private func nextRow() throws(RecordingError) -> InertialRow? {
    while true {
      if let row = dating?.next() { return row }
      let row: InertialRow?
      do throws(RecordingError) {
        row = try nextStampedRow()
      } catch {
        // What was held comes before the failure, which is met again.
        dating?.finish()
        if let row = dating?.next() { return row }
        throw error
      }
      guard dating != nil else { return row }
      guard let row else {
        dating?.finish()
        return dating?.next()
      }
      dating?.add(row)
    }
  }

  /// The next row with its stamp.
  private func nextStampedRow() throws(RecordingError) -> InertialRow? {
    let row: InertialRow?
    if let next = ahead.popFirst() { row = next } else { row = try rows.next() }
    if let sample = row?.sample {
      bunches.add(sample)
      units.add(sample)
    }
    return row
  }

  private func take(_ row: InertialRow) throws(RecordingError) {
    if let sample = row.sample {
      if !options.isOffline { filter.update(with: sample) }
      if sample.magneticFluxDensity != nil { hasSeenMagnetometer = true }
      if sample.angularRate != nil, sample.specificForce != nil { hasSeenMotion = true }
    }
    if options.isOffline { held.append(row) } else { try emit(row, filter.state) }
    let count = summary.rowCount + held.count
    if count % 1024 == 0, let time = row.time {
      let what = options.isOffline ? "reading" : "fusing"
      progress.update("\(what): \(TimeText.elapsed(time)) of the recording, \(TimeText.count(count)) rows")
    }
  }

  /// Fuses the rows that were held, forward and back in time, and hands them on.
  private func fuseHeld() throws(RecordingError) {
    let states = filter.fuseOffline(held.compactMap(\.sample)) { share in
      progress.update("fusing \(TimeText.count(held.count)) rows forward and back: \(Int(share * 100)) %")
    }
    var next = 0
    var state = states.first ?? FusedState()
    for row in held {
      if row.sample != nil {
        state = states[next]
        next += 1
      }
      try emit(row, state)
    }
    held = []
  }

  /// Hands a row with its state on to all who want it. A state that is known later than its row, as a smoother's, comes here
  /// when it is known, in the order of the rows.
  private func emit(_ row: InertialRow, _ state: FusedState) throws(RecordingError) {
    let angles = EulerAngles(state.attitude)
    if options.output != nil { try write(text.line(of: row, state, angles)) }
    score?.add(row, state)
    summary.add(row, state)
    if row.sample != nil, filter.isAligned, let time = row.time { plot?.add(time.secondsDouble, state, angles) }
  }

  private func write(_ bytes: [UInt8]) throws(RecordingError) {
    guard let target else {
      console.out.append(bytes: bytes.span)
      return
    }
    try target.append(bytes.span)
  }

  private func write(_ text: String) throws(CommandFailure) {
    guard options.output != nil else { return }
    try reading { () throws(RecordingError) in try write(Array(text.utf8)) }
  }

  // MARK: Beginning

  private static func target(_ path: String?) throws(CommandFailure) -> ByteTarget? {
    guard let path, path != "-" else { return nil }
    return try reading { () throws(RecordingError) in try ByteTarget(path: path) }
  }

  /// The first rows: one where the columns tell everything, else as many as it takes to see what sensors there are.
  private static func firstRows(_ rows: InertialRows) throws(RecordingError) -> [InertialRow] {
    var first: [InertialRow] = []
    var hasRate = false
    var hasForce = false
    while first.count < lookAhead {
      let row: InertialRow?
      do throws(RecordingError) {
        row = try rows.next()
      } catch {
        // What can't be read further is met again, and told, after the rows before it.
        if first.isEmpty { throw error }
        break
      }
      guard let row else { break }
      first.append(row)
      if row.sample?.angularRate != nil { hasRate = true }
      if row.sample?.specificForce != nil { hasForce = true }
      let isWhole = hasRate && hasForce
      if isWhole, rows.hasMagnetometer == false || row.sample?.magneticFluxDensity != nil { break }
    }
    guard !first.isEmpty else {
      throw RecordingError(
        kind: .malformed, file: rows.reports.first?.file ?? "",
        found: rows.hasMagnetometer == nil ? "no inertial sample in it (\(rows.formatName))" : "a header but no rows",
        expected: "at least one row of values")
    }
    if rows.hasMagnetometer == nil, !(hasRate && hasForce) {
      throw RecordingError(
        kind: .malformed, file: rows.reports.first?.file ?? "",
        found: hasRate ? "no specific force in its samples" : "no angular rate in its samples",
        expected: "a recording of a gyroscope and an accelerometer")
    }
    return first
  }

  private static func mode(
    _ options: FusionOptions, _ rows: InertialRows, _ first: [InertialRow]
  ) throws(CommandFailure) -> FusionMode {
    let isSeen = first.contains { $0.sample?.magneticFluxDensity != nil }
    guard let mode = options.mode else { return isSeen ? .earth : .level }
    if mode == .earth, rows.hasMagnetometer ?? isSeen == false {
      let what = rows.hasMagnetometer == nil ? "magnetometer in its first samples" : "columns mx,my,mz in its header"
      throw .usage("option '--mode': 9d needs a magnetometer, and '\(options.input)' has no \(what); 6d needs none")
    }
    return mode
  }

  private static func score(_ options: FusionOptions, _ rows: InertialRows) throws(CommandFailure) -> FusionScore? {
    switch options.reference {
    case nil: return nil
    case .columns:
      guard rows.hasReference else {
        throw .usage(
          "option '--reference': '\(options.input)' has no columns qw,qx,qy,qz; give --reference FILE with t_s and these"
        )
      }
      return FusionScore(file: options.input, hasMovement: rows.hasMovement)
    case .file(let path):
      let table = try reading { () throws(RecordingError) in try OrientationTable(referencePath: path) }
      return FusionScore(table)
    }
  }

  // MARK: End

  private func nothingUsable() -> CommandFailure {
    let entries = rows.reports.flatMap(\.entries)
    guard let entry = entries.min(by: { $0.firstLine < $1.firstLine }) else {
      return .environment("\(options.input): no row with a specific force and an angular rate; expected at least one")
    }
    return .environment(
      "\(options.input):\(entry.firstLine): no usable row (first problem: \(entry.problem.summary)); "
        + "expected rows that match the header")
  }

  /// What was bad in the recording, a line each: file, line, what, how often.
  private func tellProblems() {
    for report in rows.reports {
      for remark in report.remarks { console.err.writeLine("leash fuse: \(report.file): \(remark)") }
      for entry in report.entries {
        let several = entry.count > 1 ? ", the first here" : ""
        console.err.writeLine(
          "leash fuse: \(report.file):\(entry.firstLine): \(TimeText.count(entry.count)) \(entry.problem.summary)\(several)"
        )
      }
      if let offset = report.truncatedAtByte {
        console.err.writeLine(
          "leash fuse: \(report.file): cut off at byte \(offset); used up to there")
      }
    }
    if let count = dating?.lossCount, count > 0 {
      console.err.writeLine(
        "leash fuse: \(options.input): samples were lost \(TimeText.count(count)) time\(count == 1 ? "" : "s"): each time counts as a gap"
      )
    }
    for remark in units.remarks(hasField: mode == .earth) {
      console.err.writeLine("leash fuse: \(options.input): \(remark)")
    }
    if dating == nil, let remark = bunches.remark { console.err.writeLine("leash fuse: \(options.input): \(remark)") }
    let isToldByLine = rows.reports.contains {
      $0.count(of: .duplicateTime) + $0.count(of: .timeBackwards) > 0
    }
    for remark in filter.remarks(outOfOrder: !isToldByLine) {
      console.err.writeLine("leash fuse: \(options.input): \(remark)")
    }
  }

  private func tell(_ verdict: FusionVerdict?) {
    // Standard output belongs to the rows when they go there.
    let stream = options.output == "-" ? console.err : console.out
    if let verdict {
      stream.write(options.isJSON ? verdict.json : verdict.text)
    } else if !options.isJSON, options.output != "-" {
      stream.writeLine(summary.line(mode: mode))
    }
  }

  static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Counts over the rows.
struct FusionSummary {
  private(set) var rowCount = 0
  private var restCount = 0
  private var first: Instant?
  private var last: Instant?
  /// Steps that are no silence, and their sum.
  private var stepCount = 0
  private var stepSum = 0.0

  mutating func add(_ row: InertialRow, _ state: FusedState) {
    rowCount += 1
    if state.isAtRest { restCount += 1 }
    guard row.sample != nil, let time = row.time else { return }
    if first == nil { first = time }
    let step = (time - (last ?? time)).secondsDouble
    if step > 0, step <= 2.5 {
      stepCount += 1
      stepSum += step
    }
    last = max(last ?? time, time)
  }

  /// The counts in a line.
  func line(mode: FusionMode) -> String {
    let length = first.flatMap { first in last.map { $0 - first } } ?? .zero
    var parts = [
      mode.rawValue, "\(TimeText.count(rowCount)) \(rowCount == 1 ? "row" : "rows")", TimeText.length(length),
    ]
    if stepCount > 0 { parts.append("\(TimeText.decimal(Double(stepCount) / stepSum, 1)) Hz") }
    parts.append("at rest \(TimeText.decimal(100 * Double(restCount) / Double(max(1, rowCount)), 0)) %")
    return parts.joined(separator: " · ")
  }
}
