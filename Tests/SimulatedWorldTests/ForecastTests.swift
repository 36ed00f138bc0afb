import MotionEvaluation
import Quantities
import Testing
import TrackerCore
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// What the tracker itself knows of its battery, beside the ledger of the world.
@Suite struct ForecastTests {
  private static func parked(hours: Double, isWatched: Bool = true) -> LifeScenario {
    var scene = EvaluatedScene(name: "parked", about: "parked", half: .held)
    scene.scene.sensor.hertz = 12.5
    if !isWatched { scene.scene.sensor.make = .none }
    scene.scene.receiver = StreetReceiver()
    var stand = StreetDeed(.stand)
    stand.set("seconds", 3600 * hours)
    scene.scene.deeds = [stand]
    scene.tellings = [nil]
    var result = LifeScenario(scene, transport: .http, seed: 4)
    result.idle = .sleep
    return result
  }

  /// How far the forecast of a life is off its ledger, as a share.
  private static func error(_ report: LifeReport) throws -> Double {
    let ledger = (report.energy.microcoulombs + Double(report.microcoulombs)) / report.energy.seconds
    return try #require(report.forecast) / ledger - 1
  }

  @Test func whatSleepsIsForecastNearTheLedger() throws {
    let report = try LifeRun(ForecastTests.parked(hours: 20), SleepTests.configuration()).live()
    let error = try ForecastTests.error(report)
    // What sleeps long fades: of the first hour, in which all is on, less is left than of the last one.
    #expect(abs(error) < 0.02, "\(error)")
  }

  /// Of a tracker that was off for most of the time: what lives on is what was kept a minute before at most.
  @Test func aTrackerThatWasOffKnowsWhatWasBefore() throws {
    var scenario = ForecastTests.parked(hours: 40, isWatched: false)
    scenario.plan = LifePlan([
      LifeEvent(
        .power(PowerCut(off: .seconds(30 * 3600), loss: .nothing, changesBefore: nil, takesModem: true)),
        at: .seconds(6 * 3600 + 50))
    ])
    let report = try LifeRun(scenario).live()
    #expect(report.cuts == 1 && report.broken == [])
    let error = try ForecastTests.error(report)
    #expect(abs(error) < 0.03, "\(error)")
    // It ends while it is off.
    scenario.plan = LifePlan([
      LifeEvent(
        .power(PowerCut(off: .seconds(80 * 3600), loss: .nothing, changesBefore: nil, takesModem: true)),
        at: .seconds(6 * 3600 + 50))
    ])
    let cut = try ForecastTests.error(try LifeRun(scenario).live())
    #expect(abs(cut) < 0.03, "\(cut)")
  }

  @Test func whatIsKeptLivesOnAndTheRestWasOff() throws {
    var forecast = LifeForecast(PartCurrents())
    forecast.begin(modem: 0, at: .zero)
    #expect(forecast.microamperes(modem: 0, isOff: false, at: .seconds(59)) == nil)
    let mean = try #require(forecast.microamperes(modem: 0, isOff: false, at: .seconds(100)))
    #expect(abs(mean - (30_690 + 5 + PartCurrents().selfDischargeCurrent)) < 1)
    // Off since it was kept last, at zero.
    let off = try #require(forecast.microamperes(modem: 0, isOff: true, at: .seconds(100)))
    #expect(abs(off - PartCurrents().selfDischargeCurrent) < 1e-6)
    // What has come since is lost with the power.
    forecast.keep(modem: 0, at: .seconds(100))
    forecast.follow(SensingPlan(reception: .off), at: .seconds(150))
    forecast.begin(modem: 0, at: .seconds(300))
    let half = try #require(forecast.microamperes(modem: 0, isOff: false, at: .seconds(300)))
    #expect(abs(half - (mean * 100 + off * 200) / 300) < 1)
  }
}
