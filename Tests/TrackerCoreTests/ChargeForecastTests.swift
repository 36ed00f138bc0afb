import Quantities
import Testing

@testable import TrackerCore

@Suite struct ChargeForecastTests {
  private let hour = Interval.seconds(3600)

  private func near(_ value: Double?, _ expected: Double) -> Bool {
    value.map { abs($0 - expected) < 1e-3 * expected } ?? false
  }

  /// Currents of which each shows in the sum.
  private var plain: PartCurrents {
    var currents = PartCurrents()
    (currents.receiver, currents.receiverOff) = (20_000, 10)
    (currents.inertial, currents.watching) = (1000, 20)
    (currents.processorAsleep, currents.selfDischarge) = (5, 0)
    return currents
  }

  @Test func nothingIsSaidInTheFirstMinute() {
    var forecast = ChargeForecast(plain, at: .zero)
    forecast.advance(modemMicrocoulombs: 0, to: .seconds(59))
    #expect(forecast.microamperes == nil && forecast.days() == nil)
    forecast.advance(modemMicrocoulombs: 0, to: .seconds(60))
    #expect(near(forecast.microamperes, 21_005))
  }

  @Test func eachPlanCountsForItsTime() {
    var forecast = ChargeForecast(plain, at: .zero)
    forecast.follow(SensingPlan(inertial: .watching, reception: .off, wakeThresholdSteps: 10), at: .zero)
    forecast.advance(modemMicrocoulombs: 0, to: .zero + hour)
    #expect(near(forecast.microamperes, 35))
    #expect(near(forecast.days(from: 0.5), 0.5 * 2600 * 0.85 * 1000 / 35 / 24))
    // The modem's share.
    forecast.advance(modemMicrocoulombs: 3_600_000, to: .zero + hour)
    #expect(near(forecast.microamperes, 1035))
    forecast.advance(modemMicrocoulombs: 0, to: .zero + hour)
    #expect(near(forecast.microamperes, 1035), "a driver that begins anew takes nothing back")
  }

  @Test(arguments: [(10.0, 10.0), (60.0, 60.0), (nil, 60.0)]) func aSingleFixCountsUntilItIsThere(
    fixAt: Double?, on: Double
  ) {
    var forecast = ChargeForecast(plain, at: .zero)
    forecast.follow(SensingPlan(reception: .single), at: .zero)
    if let fixAt {
      forecast.noteFix(hasPosition: false, at: .seconds(5))
      forecast.noteFix(hasPosition: true, at: .zero + .seconds(Int(fixAt)))
    }
    forecast.advance(modemMicrocoulombs: 0, to: .seconds(100))
    let work: Double = fixAt == nil ? 0 : 2 * 6000 * 0.002
    let receiver: Double = 20_000 * on + 10 * (100 - on)
    let expected: Double = (100_500 + receiver + work) / 100
    #expect(near(forecast.microamperes, expected), "\(forecast.microamperes ?? 0) \(expected)")
  }

  @Test func aWatchingSensorThatWakesCountsWhileItsSamplesCome() {
    var forecast = ChargeForecast(plain, at: .zero)
    forecast.follow(SensingPlan(inertial: .watching, reception: .off), at: .zero)
    for step in 0...200 { forecast.noteSample(at: .seconds(100) + .milliseconds(100 * step)) }
    forecast.advance(modemMicrocoulombs: 0, to: .seconds(200))
    let sensor: Double = 1000 * 20.1 + 20 * 179.9
    let work: Double = 201 * 6000 * 0.0001
    let expected: Double = (15 * 200 + sensor + work) / 200
    #expect(near(forecast.microamperes, expected), "\(forecast.microamperes ?? 0) \(expected)")
  }

  @Test func packetsCountAndTimeWithoutPowerCostsNothingButTheBatterysLoss() {
    var currents = plain
    currents.selfDischarge = 0.02
    var forecast = ChargeForecast(currents, at: .zero)
    forecast.noteOff(until: .zero + hour)
    #expect(near(forecast.microamperes, currents.selfDischargeCurrent))
    #expect(near(forecast.microamperes, 2600.0 * 1000 * 0.02 / 720))
    forecast.notePacket()
    #expect(near(forecast.microamperes, currents.selfDischargeCurrent + 6000 * 0.05 / 3600))
  }

  @Test func theLastWeeksCountForMoreThanWhatWasBefore() throws {
    var forecast = ChargeForecast(plain, at: .zero)
    for day in 1...28 { forecast.advance(modemMicrocoulombs: 0, to: .seconds(day * 86_400)) }
    forecast.follow(SensingPlan(inertial: .watching, reception: .off), at: .seconds(28 * 86_400))
    for day in 29...56 { forecast.advance(modemMicrocoulombs: 0, to: .seconds(day * 86_400)) }
    let mean = try #require(forecast.microamperes)
    // Half of the time at 21,005 µA, but of what is four weeks old a third is left.
    #expect(mean > 0.15 * 21_005 && mean < 0.45 * 21_005, "\(mean)")
  }
}
