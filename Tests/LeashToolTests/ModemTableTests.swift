import Foundation
import ModemSimulation
import SIM7000
import SimulatedWorld
import Testing

@testable import LeashTool

/// The measured tables of docs/modem.md. `make modem-tables` writes them anew in seconds, `LEASH_UPDATE_SNAPSHOTS=1` here in
/// minutes.
@Suite struct ModemTableTests {
  private static let file = Places.root.appending(path: "docs/modem.md")
  private static let updates = ProcessInfo.processInfo.environment["LEASH_UPDATE_SNAPSHOTS"] == "1"

  private func block(_ name: String) throws -> String {
    let manual = try String(contentsOf: ModemTableTests.file, encoding: .utf8)
    let begin = try #require(manual.range(of: "<!-- begin \(name) -->\n"))
    let end = try #require(manual.range(of: "<!-- end \(name) -->"))
    return String(manual[begin.upperBound..<end.lowerBound])
  }

  private func replace(_ name: String, with text: String) throws {
    let manual = try String(contentsOf: ModemTableTests.file, encoding: .utf8)
    try manual.replacingOccurrences(of: try block(name), with: text)
      .write(to: ModemTableTests.file, atomically: true, encoding: .utf8)
  }

  private func cells(of row: String) -> [String] {
    row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// A few cells; the whole takes minutes in a debug build.
  @Test func theTableOfFaultsInTheManualIsWhatTheProgramMeasures() throws {
    if ModemTableTests.updates { try replace("faults", with: ToolRun("modem", "faults", "--markdown").out) }
    let lines = try block("faults").split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("| F") }.count == 3 * ModemFault.all.count)
    let samples: [(Int, ModemTransport)] = [(1, .sms), (8, .mqtt), (14, .http), (19, .tcp)]
    for (number, transport) in samples {
      let row = try #require(lines.first { $0.hasPrefix("| F\(number) `") })
      let column = try #require(ModemTransport.allCases.firstIndex(of: transport))
      let fault = ModemFault.all[number - 1]
      let table = try FaultTable([transport], faults: [fault], threads: processorCount())
      #expect(
        cells(of: row)[column + 2] == cells(of: table.delayLine(fault))[2],
        "docs/modem.md, F\(number) \(transport): make modem-tables")
    }
  }

  @Test func theTableOfCostsInTheManualIsWhatTheProgramMeasures() throws {
    let measured = ToolRun("modem", "cost", "--markdown").out
    if ModemTableTests.updates { try replace("cost", with: measured) }
    #expect(try block("cost") == measured, "docs/modem.md: make modem-tables")
  }
}
