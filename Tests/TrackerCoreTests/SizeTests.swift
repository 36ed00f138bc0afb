import MotionDetection
import NMEA
import Rules
import Telemetry
import Testing

@testable import TrackerCore

/// The table of memory in docs/limits.md, of a 64-bit host; `LEASH_UPDATE_SNAPSHOTS=1` writes its numbers.
@Suite struct SizeTests {
  /// Each row by the beginning of its first cell, with its sizes in their order.
  private static let rows: [(what: String, sizes: [Int])] = [
    ("`Tracker` on a 64-bit host", [MemoryLayout<Tracker>.size]),
    ("of it the outbox", [MemoryLayout<Outbox<32>>.size]),
    ("of it five fences", [MemoryLayout<FenceTable<5, 8>>.size]),
    (
      "of it evidence of fixes for each fence",
      [MemoryLayout<FenceGuard<5, 8>>.size - MemoryLayout<FenceTable<5, 8>>.size]
    ),
    ("of it six secure places, six alarms", [MemoryLayout<PlaceTable<6>>.size, MemoryLayout<AlarmClock<6>>.size]),
    (
      "of it `RequestKeeper`",
      [MemoryLayout<RequestKeeper>.size, MemoryLayout<RequestPace>.size, MemoryLayout<BuzzerKeeper>.size]
    ),
    ("of it `ProfileKeeper`", [MemoryLayout<ProfileKeeper>.size]),
    ("of it `SettingsKeeper`", [MemoryLayout<SettingsKeeper>.size]),
    ("of it `NMEAReceiver`", [MemoryLayout<NMEAReceiver>.size]),
    ("of it `MotionMonitor`", [MemoryLayout<MotionMonitor>.size]),
    ("of it `TrackerJournal`", [MemoryLayout<TrackerJournal>.size]),
    ("of it `PathKeeper`", [MemoryLayout<PathKeeper>.size]),
    ("of it `TrackerConfiguration`", [MemoryLayout<TrackerConfiguration>.size]),
    (
      "of it `PlaceKeeper`, `TripRecorder`",
      [
        MemoryLayout<PlaceKeeper>.size, MemoryLayout<TripRecorder>.size, MemoryLayout<AlarmLedger>.size,
        MemoryLayout<SupplyKeeper>.size, MemoryLayout<SurroundingsKeeper>.size, MemoryLayout<ReportPolicy>.size,
      ]
    ),
    (
      "of it `PresenceKeeper`, `Handover`",
      [
        MemoryLayout<PresenceKeeper>.size, MemoryLayout<Handover>.size, MemoryLayout<CheckpointKeeper>.size,
        MemoryLayout<DrivingMonitor>.size, MemoryLayout<SensingKeeper>.size,
      ]
    ),
  ]

  /// What no row names: numbers and flags of the rules, and gaps.
  @Test func theRowsAreNearlyAllOfATracker() {
    let named = Self.rows.dropFirst().flatMap(\.sizes).reduce(0, +)
    let size = MemoryLayout<Tracker>.size
    #expect(named <= size && named * 100 >= size * 99, "\(named) of \(size)")
  }

  private func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000)," + String("\(1000 + number % 1000)".dropFirst())
  }

  @Test func theSizeOfATrackerIsStated() throws {
    // A Cortex-M4 with 128 KiB keeps more than four fifths for everything else.
    #expect(MemoryLayout<Tracker>.size <= 24_576)
    let page = try ManualPage("limits.md")
    var lines = page.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (what, sizes) in Self.rows {
      let place = try #require(lines.firstIndex { $0.hasPrefix("| \(what)") }, "docs/limits.md has no row '\(what)'")
      var cells = lines[place].split(separator: "|").map(String.init)
      let stated = " \(sizes.map(grouped).joined(separator: ", ")) "
      if ManualPage.isUpdated {
        cells[1] = stated
        lines[place] = "|" + cells.joined(separator: "|") + "|"
      } else {
        #expect(cells[1] == stated, "docs/limits.md: LEASH_UPDATE_SNAPSHOTS=1 swift test --filter SizeTests")
      }
    }
    if ManualPage.isUpdated { try page.write(lines.joined(separator: "\n")) }
  }
}
