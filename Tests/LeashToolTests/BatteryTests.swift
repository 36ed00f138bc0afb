import Foundation
import Quantities
import SimulatedWorld
import Testing
import TrackerCore

@testable import LeashTool

/// How long a battery lasts: by the world's ledger, and by what the tracker itself knows.
@Suite struct BatteryTests {
  private static let folder = Places.fixtures.appending(path: "months").path

  private static func days(_ run: ToolRun) throws -> (ledger: Double, forecast: Double, difference: Double) {
    let object = try #require(try run.objects().first)
    let days = try #require(object["batteryDays"] as? [String: Any])
    return (
      try #require(days["ledger"] as? Double), try #require(days["forecast"] as? Double),
      try #require(days["differencePercent"] as? Double)
    )
  }

  /// Of each profile a month with sensors that sleep.
  @Test(arguments: [("bike", "powerSaving"), ("collar", "sleep")])
  func aMonthIsForecastWithinFivePercent(profile: String, idle: String) throws {
    let run = ToolRun(
      "simulate", "\(BatteryTests.folder)/\(profile).json5", "--set", "sensing.sleep=true", "--idle", idle, "--json")
    #expect(run.code == .success, "\(run.out)\(run.err)")
    let days = try BatteryTests.days(run)
    #expect(abs(days.difference) < 5 && days.ledger > 1, "\(days)")
    if idle == "powerSaving" { #expect(days.ledger > 60, "\(days)") }
    #expect(abs(100 * (days.forecast / days.ledger - 1) - days.difference) < 0.05, "\(days)")
  }

  /// A month with power cuts and faults of all kinds.
  @Test func aMonthInWhichMuchGoesWrongIsForecastWithinFivePercent() throws {
    let run = ToolRun(
      "simulate", "--days", "30", "--calm", "--seed", "4", "--set", "sensing.sleep=true", "--idle", "powerSaving",
      "--json", "--broken-log", "none")
    let object = try #require(try run.objects().first)
    #expect(object["cuts"] as? Int ?? 0 >= 4)
    let days = try BatteryTests.days(run)
    #expect(abs(days.difference) < 5, "\(days)")
  }

  /// Awake all is on, and the samples are most of the work.
  @Test(arguments: ["bike", "collar"]) func aDayAwakeIsForecastWithinFivePercent(profile: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("day.json5")
    let rest =
      profile == "bike"
      ? "{ ride: { speed: 5, seconds: 300 }, maybe: true }" : "{ carry: { metres: 300 }, maybe: true }"
    try """
    { about: "a day", who: "\(profile)", seed: 5, sensor: { hertz: 12.5 }, timeline: [{ stand: 20000 }, \(rest), { stand: 20000 }] }
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let days = try BatteryTests.days(ToolRun("simulate", path, "--idle", "awake", "--json"))
    // The ledger has the same, but for what the modem has not booked yet.
    #expect(abs(days.difference) < 1, "\(days)")
    #expect((1...4).contains(days.ledger), "\(days)")
  }

  @Test func theForecastStandsBesideTheLedger() throws {
    let run = ToolRun(
      "simulate", "level-lift", "--folder", Places.fixtures.appending(path: "scenes").path, "--faults", "none",
      "--seed", "3",
      "--energy")
    #expect(run.code == .success, "\(run.out)\(run.err)")
    let line = try #require(run.lines.first { $0.hasPrefix("by the tracker's own forecast ") })
    #expect(line.contains(/^by the tracker's own forecast \d+\.\d days, \d+\.\d % (less|more)$/), "\(line)")
    let place = try #require(run.lines.firstIndex(of: line))
    #expect(run.lines[place - 1].hasSuffix(" days at this rate"))
  }

  @Test func daysAreThoseOfTheUsableBattery() throws {
    var currents = PartCurrents()
    (currents.receiver, currents.inertial, currents.processorAsleep, currents.selfDischarge) = (900, 0, 100, 0)
    (currents.capacity, currents.usable) = (48, 0.5)
    var energy = LifeEnergy(currents)
    energy.book(at: .seconds(3600))
    // 1 mA of 24 mAh.
    let days = try #require(BatteryDays(energy, modem: 0, forecast: 800))
    #expect(abs(days.ledger - 1) < 1e-9 && abs((days.forecast ?? 0) - 1.25) < 1e-9)
    #expect(abs((days.difference ?? 0) - 25) < 1e-9)
    #expect(BatteryDays(energy, modem: 0, forecast: nil)?.difference == nil)
    #expect(BatteryDays(LifeEnergy(currents), modem: 0, forecast: 800) == nil)
    #expect(PartCurrents.names.count == 12)
  }

  @Test func idleIsTheStateOfTheModem() throws {
    func modem(_ idle: String) throws -> [String: Int] {
      let run = ToolRun(
        "simulate", "level-lift", "--folder", Places.fixtures.appending(path: "scenes").path, "--faults", "none",
        "--idle", idle, "--json")
      return try #require(try run.objects().first?["charges"] as? [String: Int])
    }
    let (awake, asleep, off) = (try modem("awake"), try modem("sleep"), try modem("off"))
    #expect(awake["asleep"] == 0 && asleep["asleep"] ?? 0 > 0 && off["asleep"] == 0)
    #expect((awake["idle"] ?? 0) > 2 * (asleep["idle"] ?? 0) && (off["off"] ?? 0) > 0)
    let wrong = ToolRun("simulate", "--idle", "asleep")
    #expect(wrong.code == .usage && wrong.err.contains("asleep"), "\(wrong.err)")
  }
}
