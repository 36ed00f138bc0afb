import Foundation
import OtherPrograms
import Testing

/// Compares what we make of real logs with what gpsd 3.22 made of them, and keeps the table in `docs/nmea.md`.
@Suite struct GPSDComparisonTests {
  /// Why a log differs, for the logs that do; a log that is not here must agree in everything.
  static let reasons: [String: String] = [
    "bt451.log": """
    two recordings joined, so that the time goes back by 52 minutes; gpsd takes the smaller hour for midnight and is a \
    day ahead for one epoch and makes a speed of it; ours keeps the day
    """,
    "bundg_zeus_9.log": """
    the last epoch is cut off and has only GLL: gpsd makes a course of the compass heading and its table of magnetic \
    variation, and a speed of 0 from the same position twice; ours leaves the course unknown
    """,
  ]

  static let begin = "<!-- comparison with gpsd: written by a test, do not edit -->\n"
  static let end = "<!-- end of the comparison -->"

  @Test func agreesWithGPSDAndTheTableInTheDocumentIsTrue() throws {
    guard let folder = sharedData("nmea") else { return }
    var comparisons: [GPSDComparison] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".log") {
      let log = try Data(contentsOf: folder.appendingPathComponent(name))
      let check = try Data(contentsOf: folder.appendingPathComponent(name + ".chk"))
      comparisons.append(
        GPSDComparison(
          name: name, receiver: GPSDComparison.receiverName(log),
          ours: tpvLines(fixes([UInt8](log), countsSatellites: true)), theirs: check))
    }
    #expect(comparisons.count == 52)
    for comparison in comparisons {
      let hasReason = GPSDComparisonTests.reasons[comparison.name] != nil
      #expect(comparison.isPerfect != hasReason, "\(comparison.row(remark: comparison.ownRemark))")
      #expect(comparison.ellipsoidHeightDifferenceCount == 0, "\(comparison.name)")
    }
    if let long = try longDrive() {
      #expect(long.isPerfect)
      comparisons.append(long)
    }
    try checkDocument(comparisons)
  }

  /// The drive of 26 minutes, unpacked by the system's gzip; nil when there is none.
  private func longDrive() throws -> GPSDComparison? {
    guard let log = sharedData("nmea_long/garmin-geko301-regensburg.log.gz"),
      let check = sharedData("nmea_long/garmin-geko301-regensburg.tpv.jsonl.gz")
    else { return nil }
    let bytes = try unpacked(log)
    return GPSDComparison(
      name: "garmin-geko301-regensburg.log", receiver: "Garmin Geko 301, 18 km by car",
      ours: tpvLines(fixes([UInt8](bytes), countsSatellites: true)), theirs: try unpacked(check))
  }

  private func unpacked(_ url: URL) throws -> Data {
    Data(try OtherProgram.bytes(of: ["/usr/bin/env", "gzip", "-dc", url.path]))
  }

  private func checkDocument(_ comparisons: [GPSDComparison]) throws {
    let titles = GPSDComparison.fields.map(\.title).joined(separator: " | ")
    var lines = ["| log | receiver | epochs | \(titles) | remarks |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for comparison in comparisons {
      let parts = [comparison.ownRemark, GPSDComparisonTests.reasons[comparison.name] ?? ""].filter { !$0.isEmpty }
      lines.append(comparison.row(remark: parts.joined(separator: "; ")))
    }
    let epochs = comparisons.reduce(0) { $0 + $1.epochCount }
    let sum = comparisons.reduce(0) { total, comparison in
      total + GPSDComparison.fields.reduce(0) { $0 + (comparison.agreements[$1.name] ?? 0) }
    }
    let compared = comparisons.filter { $0.epochCount > 0 }
    let perfect = compared.filter(\.isPerfect).count
    let silent = comparisons.count - compared.count
    lines.append("")
    lines.append(
      "\(perfect) of the \(compared.count) logs with dated reports of gpsd agree in everything: \(sum) of "
        + "\(epochs * GPSDComparison.fields.count) values in \(epochs) epochs. For \(silent) logs gpsd gives no such report."
    )
    let table = "\n" + lines.joined(separator: "\n") + "\n\n"

    let url = packageRoot.appendingPathComponent("docs/nmea.md")
    let document = try String(contentsOf: url, encoding: .utf8)
    let first = try #require(document.range(of: GPSDComparisonTests.begin))
    let last = try #require(document.range(of: GPSDComparisonTests.end))
    if isRequested("LEASH_UPDATE_DOCS") {
      let updated = document.replacingCharacters(in: first.upperBound..<last.lowerBound, with: table)
      try updated.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(
        document[first.upperBound..<last.lowerBound] == table,
        "docs/nmea.md is behind: LEASH_UPDATE_DOCS=1 swift test --filter GPSDComparisonTests")
    }
  }
}
