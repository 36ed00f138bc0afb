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
  /// Times beyond this, 127,000 years, are not counted, so that a sum of two of them is a whole number still.
  static let limitMicroseconds: Int64 = 4_000_000_000_000_000_000
  /// A step back is a clock that was set back once the rows after it have gone on for so long, µs, and are so many: until then they are
  /// rows out of order.
  static let setBackMicroseconds: Int64 = 5_000_000
  static let setBackRows = 5

  /// Time of the last row that was accepted; after a clock that was set back it goes on from there.
  private(set) var last: Int64?
  /// What is added to the times of the rows, µs.
  private var offset: Int64 = 0
  /// The first and the last of the rows in a row whose time is before `last`, and how many there are.
  private var backSince: Int64 = 0
  private var backLast: Int64 = 0
  private var backCount = 0

  /// Judges a row by its time; once accepted, `last` is its time. `following` gives the next row's time when it is needed.
  mutating func judge(
    _ time: Int64, line: Int, report: inout ImportReport, following: () -> Int64?
  ) -> Verdict {
    let told = time
    guard let time = moved(told) else { return .rejected(.timeOutlier) }
    if let last {
      if time == last { return .rejected(.duplicateTime) }
      if time < last {
        guard isSetBack(told), let time = RowClock.sum(last, told - backSince) else { return .rejected(.timeBackwards) }
        report.count(.clockSetBack, line: line)
        offset = time - told
        self.last = time
        backCount = 0
        return .accepted
      }
      backCount = 0
      if time - last > RowClock.gapMicroseconds {
        if let next = following().flatMap(moved), next < time, next > last { return .rejected(.timeOutlier) }
        report.count(.longGap, line: line)
      }
    } else if let next = following(), time > next, time - next > RowClock.gapMicroseconds {
      return .rejected(.timeOutlier)
    }
    last = time
    return .accepted
  }

  /// The time of a row with what is added to all; nil beyond `limitMicroseconds`.
  private func moved(_ told: Int64) -> Int64? { RowClock.sum(told, offset) }

  /// The sum of two times; nil beyond `limitMicroseconds`.
  private static func sum(_ time: Int64, _ more: Int64) -> Int64? {
    guard -limitMicroseconds...limitMicroseconds ~= time else { return nil }
    let (sum, isBeyond) = time.addingReportingOverflow(more)
    return !isBeyond && -limitMicroseconds...limitMicroseconds ~= sum ? sum : nil
  }

  /// Whether rows have gone on before `last` for long enough. `backLast` is the row before then.
  private mutating func isSetBack(_ told: Int64) -> Bool {
    guard backCount > 0, told > backLast else {
      (backSince, backLast, backCount) = (told, told, 1)
      return false
    }
    backCount += 1
    if backCount >= RowClock.setBackRows, told - backSince >= RowClock.setBackMicroseconds { return true }
    backLast = told
    return false
  }
}
