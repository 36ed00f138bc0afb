import Quantities
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// Disabled: positions yes, alerts never, as the table of docs/decisions/0019 has it.
@Suite struct EnabledTests {
  @Test func disabledItTellsPositionsAndNeverAnAlert() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("#3 enabled off") == "disabled")
    let told = bench.news()
    #expect(told.count == 1 && told[0].contains("\"disabled\":true") && told[0].contains("\"request\":3"))
    #expect(told[0].contains("\"armed\":false") && told[0].contains("\"alertsEnabled\":false"))
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) == 0)
    #expect(try bench.ask("locate") == "obeyed")
    #expect(bench.news().last?.contains("\"latitude\":52.0") == true)
    // A ride and the next parking are told, and it is still disabled.
    for step in 0..<60 { try bench.ride(to: Double(step) * 8) }
    try bench.stand(120)
    let ride = bench.news()
    #expect(ride.contains { $0.contains("\"type\":\"parking\"") && $0.contains("\"disabled\":true") })
    #expect(ride.contains { $0.contains("\"type\":\"location\"") && $0.contains("\"disabled\":true") })
    #expect(!bench.run.isArmed)
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) == 0)
    #expect(try bench.ask("enabled on") == "enabled" && bench.run.isArmed, "at once where it is parked")
    try bench.stand(20, leaning: 0.3)
    let alerts = bench.news()
    #expect(RequestBench.alertCount(alerts) >= 1 && !alerts.contains { $0.contains("\"disabled\"") })
  }

  @Test func itIsDisabledOverARestart() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("enabled off") == "disabled")
    let next = try RequestBench(restoring: bench.state, from: bench.second + 100)
    try next.stand(60)
    try next.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(next.news()) == 0 && next.run.look { $0.isDisabled })
    #expect(try next.ask("enabled on") == "enabled")
    try next.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(next.news()) >= 1)
  }

  /// The section of motion, tag 4, is gone: alerts would be on, as the file has them.
  @Test func itIsDisabledWhenAllElseOfTheStateIsLost() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("enabled off") == "disabled")
    let section = try #require(bench.sections[9])
    let next = try RequestBench(restoring: section, from: bench.second + 100)
    try next.stand(90)
    try next.stand(20, leaning: 0.3)
    let told = next.news()
    #expect(RequestBench.alertCount(told) == 0 && told.contains { $0.contains("stateDamaged") })
    #expect(try next.ask("enabled on") == "enabled")
  }

  @Test func nothingButEnabledOnUndoesIt() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("enabled off") == "disabled")
    for text in ["alerts on", "arm", "disarm"] {
      #expect(try bench.ask(text) == "disabled", "\(text)")
      #expect(!bench.run.isArmed)
    }
    #expect(try bench.ask("alerts off") == "alertsOff")
    #expect(try bench.ask("enabled on") == "enabled")
    #expect(bench.news().last?.contains("\"alertsEnabled\":false") == true && !bench.run.isArmed, "alerts are off")
    #expect(try bench.ask("alerts on") == "alertsOn" && bench.run.isArmed)
    // Twice is once.
    #expect(try bench.ask("enabled off") == "disabled" && bench.ask("enabled off") == "disabled")
    #expect(try bench.ask("enabled on") == "enabled" && bench.ask("enabled on") == "enabled" && bench.run.isArmed)
  }

  @Test func disarmGoesOnBelowIt() throws {
    let bench = try RequestBench.parked()
    #expect(try bench.ask("disarm") == "disarmed" && bench.ask("enabled off") == "disabled")
    #expect(try bench.ask("enabled on") == "enabled" && !bench.run.isArmed, "still disarmed")
    #expect(try bench.ask("arm") == "armed" && bench.run.isArmed)
    #expect(try bench.ask("disarm") == "disarmed" && bench.ask("enabled off") == "disabled")
    for step in 0..<60 { try bench.ride(to: Double(step) * 8) }
    try bench.stand(120)
    #expect(!bench.run.isArmed, "the next parking ends 'disarm', not this")
    #expect(try bench.ask("enabled on") == "enabled" && bench.run.isArmed)
  }

  @Test func anAlarmAtHandEndsWithIt() throws {
    let bench = try RequestBench.parked()
    try bench.stand(20, leaning: 0.3)
    #expect(RequestBench.alertCount(bench.news()) >= 1)
    #expect(try bench.ask("enabled off") == "disabled" && bench.run.phase == .parked)
    _ = bench.news()
    try bench.stand(200)
    #expect(!bench.news().contains { $0.contains("\"type\":\"movement\"") })
  }
}
