import Foundation
import Testing

@Suite struct GoldenTests {
  static let folder = packageRoot.appendingPathComponent("fixtures/nmea")
  static let logs: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".log") }.sorted()
  }()

  @Test func thereAreFixtures() { #expect(GoldenTests.logs.count >= 10) }

  @Test(arguments: logs) func recordedLogsGiveTheSameLinesAsEver(log: String) throws {
    let bytes = [UInt8](try Data(contentsOf: GoldenTests.folder.appendingPathComponent(log)))
    let lines = tpvLines(fixes(bytes))
    let golden = GoldenTests.folder.appendingPathComponent(
      log.replacingOccurrences(of: ".log", with: ".tpv.jsonl"))
    if isRequested("LEASH_UPDATE_GOLDEN") { try lines.write(to: golden, atomically: true, encoding: .utf8) }
    #expect(lines == (try String(contentsOf: golden, encoding: .utf8)))
  }

  @Test(arguments: logs) func theSizeOfTheChunksDoesNotMatter(log: String) throws {
    let bytes = [UInt8](try Data(contentsOf: GoldenTests.folder.appendingPathComponent(log)))
    let whole = fixes(bytes)
    for size in [1, 2, 3, 7, 16, 61] { #expect(fixes(bytes, size: size) == whole) }
  }
}
