import Quantities
import Testing

@testable import LinuxRuntime

@Test func theDayOfTheBuildIsReadAsACompilerWritesIt() throws {
  #expect(BuildDate.parsed("Nov  4 2026") == CivilDate(year: 2026, month: 11, day: 4))
  #expect(BuildDate.parsed("Feb 28 2024") == CivilDate(year: 2024, month: 2, day: 28))
  for text in ["", "Nov 4", "Nov 31 2026", "Nev 4 2026", "??? ?? ????"] { #expect(BuildDate.parsed(text) == nil) }
  #expect(try #require(BuildDate.date).year >= 2026)
}
