import Quantities
import TrackerRuntime
import Testing

private func fix(at time: Instant) -> GNSSFix {
  var fix = GNSSFix(time: time)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeE9: 53_000_000_000, longitudeE9: -6_000_000_000)
  return fix
}

private func outputCount(silence: Interval) throws -> Int {
  var count = 0
  let run = try TrackerRun(RunConfiguration()) { _, _ in count += 1 }
  try run.feed(.fix(fix(at: .zero)))
  try run.feed(.fix(fix(at: .zero + silence)))
  #expect(run.now == .zero + silence)
  return count
}

/// A receiver that switches on in 1980, or a typing error in a year: nobody wants an hourly report for each century.
@Test func aLeapOfTheClockIsNotLivedThroughHourByHour() throws {
  let month = try outputCount(silence: .seconds(31 * 86_400))
  #expect(month > 31 * 24)
  #expect(try outputCount(silence: .seconds(46 * 31_557_600)) <= month + 1)
  #expect(try outputCount(silence: Interval(microseconds: 1 << 61)) <= month + 1)
}

@Test func aDayOfSilenceIsLivedThroughHourByHour() throws {
  let day = try outputCount(silence: .seconds(86_400))
  #expect(day >= 24 && day < 40)
}
