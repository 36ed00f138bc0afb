import Quantities

/// Keeps the rows of one file in order of time.
struct RowClock {
  enum Verdict {
    case accepted
    case rejected(ImportReport.Problem)
  }

  /// A step ahead of more than this is looked at twice, and counted as a gap when the next row confirms it.
  static let gapMicroseconds: Int64 = 3_600_000_000
  /// Times beyond a million years are not times.
  static let limitSeconds = 3.2e13

  private(set) var last: Int64?

  /// Judges a row by its time. `following` gives the next row's time when it is needed.
  mutating func judge(
    _ time: Int64, line: Int, report: inout ImportReport, following: () -> Int64?
  ) -> Verdict {
    if let last {
      if time == last { return .rejected(.duplicateTime) }
      if time < last { return .rejected(.timeBackwards) }
      if time - last > RowClock.gapMicroseconds {
        if let next = following(), next < time, next > last { return .rejected(.timeOutlier) }
        report.count(.longGap, line: line)
      }
    } else if let next = following(), time > next, time - next > RowClock.gapMicroseconds {
      return .rejected(.timeOutlier)
    }
    last = time
    return .accepted
  }
}
