import Quantities
import TrackerRuntime

/// One CSV file of a phone export with a vector per row, and a look at the row ahead.
final class VectorStream {
  struct Row {
    /// Microseconds since 1970.
    var time: Int64
    var x: Double
    var y: Double
    var z: Double
  }

  private(set) var current: Row?
  /// Seconds between the start of the recording and 1970, from the first row, µs.
  private(set) var start: Int64?
  private let table: TableReader
  private let factor: Double
  private var last: Int64 = .min

  private static let time = 0
  private static let elapsed = 1
  private static let columns = [
    TableReader.Column(names: ["time"], kind: .nanoseconds), TableReader.Column(names: ["seconds_elapsed"]),
    TableReader.Column(names: ["x"]), TableReader.Column(names: ["y"]), TableReader.Column(names: ["z"]),
  ]

  /// Opens a file and reads its first row.
  ///
  /// - Parameter factor: what to multiply values with to have SI units and our signs.
  init(path: String, factor: Double) throws(RecordingError) {
    self.factor = factor
    let lines = LineReader(ByteWindow(try ByteSource(path: path)))
    table = try TableReader(
      lines: lines, columns: VectorStream.columns, expectation: "time (ns), seconds_elapsed, z, y, x"
    ) { mask in mask & 0b11101 == 0b11101 }
    try advance()
  }

  var report: ImportReport { table.report }

  /// Moves to the next usable row.
  func advance() throws(RecordingError) {
    while try table.next() {
      guard table.present & 1 != 0 else {
        table.report.count(.missingTime, line: table.line)
        continue
      }
      let time = table.integers[VectorStream.time]
      if table.present & 2 != 0 {
        let elapsed = table.values[VectorStream.elapsed]
        if start == nil, abs(elapsed) < 1e9 { start = time - Elementary.roundedInteger(elapsed * 1e6) }
        // Phones hand over what they had buffered before the start.
        if elapsed < 0 {
          table.report.count(.beforeStart, line: table.line)
          continue
        }
      }
      guard time != last else {
        table.report.count(.duplicateTime, line: table.line)
        continue
      }
      guard time > last else {
        table.report.count(.timeBackwards, line: table.line)
        continue
      }
      guard table.present & 0b11100 == 0b11100 else {
        table.report.count(.incompleteVector, line: table.line)
        continue
      }
      last = time
      current = Row(
        time: time, x: table.values[2] * factor, y: table.values[3] * factor, z: table.values[4] * factor)
      table.report.inputCount += 1
      return
    }
    current = nil
  }
}

/// A vector stream read at the times of another.
final class FollowingStream {
  private let stream: VectorStream
  private var before: VectorStream.Row?

  /// Rows further apart than this have nothing to say about the time between them, µs.
  static let longestStep: Int64 = 100_000
  /// A single row counts for times this near, µs.
  static let reach: Int64 = 20_000

  init(_ stream: VectorStream) { self.stream = stream }

  var report: ImportReport { stream.report }

  /// The value at a time, by a straight line between its neighbours; nil in gaps. Times must rise.
  func value(at time: Int64) throws(RecordingError) -> VectorStream.Row? {
    while let current = stream.current, current.time <= time {
      before = current
      try stream.advance()
    }
    if let before, let after = stream.current, after.time - before.time <= FollowingStream.longestStep {
      let share = Double(time - before.time) / Double(after.time - before.time)
      return VectorStream.Row(
        time: time, x: before.x + (after.x - before.x) * share, y: before.y + (after.y - before.y) * share,
        z: before.z + (after.z - before.z) * share)
    }
    let candidates = [before, stream.current].compactMap { $0 }
    let nearest = candidates.min { abs($0.time - time) < abs($1.time - time) }
    guard let nearest, abs(nearest.time - time) <= FollowingStream.reach else { return nil }
    return nearest
  }

  /// The newest value up to a time that was not given before; nil when there is no new one. Times must rise.
  func newValue(at time: Int64) throws(RecordingError) -> VectorStream.Row? {
    var newest: VectorStream.Row?
    while let current = stream.current, current.time <= time {
      newest = current
      try stream.advance()
    }
    return newest
  }
}
