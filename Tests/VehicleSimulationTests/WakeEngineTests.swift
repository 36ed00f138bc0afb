import Quantities
import Testing

@testable import VehicleSimulation

@Suite struct WakeEngineTests {
  /// A part at 50 readings a second that is shaken or tilted as a test says.
  private struct Bench {
    var engine = WakeEngine()
    var time = Instant.zero
    var random = SeededRandom(seed: 3, stream: 0)
    var given: [InertialSample] = []
    var wokenAt: [Instant] = []

    mutating func feel(_ seconds: Double, hertz: Double = 50, force: (Double) -> Vector3 = { _ in .zero }) {
      for step in 0..<Int(seconds * hertz) {
        let noise =
          Vector3(
            Float(random.gaussian()), Float(random.gaussian()), Float(random.gaussian())) * 0.03
        let sample = InertialSample(
          time: time, angularRate: Vector3(0.01, 0, 0),
          specificForce: Vector3(0, 0, 9.81) + force(Double(step) / hertz) + noise)
        switch engine.take(sample) {
        case .kept: break
        case .live(let sample): given.append(sample)
        case .woken(let history):
          given += history
          wokenAt.append(time)
        }
        time = time + Interval(microseconds: Int64(1e6 / hertz))
      }
    }
  }

  @Test func awakeItGivesEverything() {
    var bench = Bench()
    bench.feel(10)
    #expect(bench.given.count == 500 && bench.given.allSatisfy { $0.angularRate != nil && $0.specificForce != nil })
  }

  @Test func asleepItGivesNothingInANight() {
    var bench = Bench()
    bench.feel(5)
    bench.given = []
    bench.engine.watch(WakeEngine.Settings(threshold: 0.3))
    bench.feel(3600)
    #expect(bench.given.isEmpty && bench.engine.isAsleep && bench.engine.wakeCount == 0)
  }

  @Test func movedItGivesTheTwoSecondsBeforeAndThenEverything() throws {
    var bench = Bench()
    bench.feel(5)
    bench.engine.watch(WakeEngine.Settings(threshold: 0.3))
    bench.feel(100)
    bench.given = []
    let shaken = bench.time
    bench.feel(1) { _ in Vector3(0.6, 0, 0) }
    let woken = try #require(bench.wokenAt.first)
    // The first reading of twelve and a half a second that shows it.
    #expect(woken - shaken < .milliseconds(90) && bench.engine.wakeCount == 1)
    let history = bench.given.prefix { $0.time <= woken }
    #expect(history.count == 25 && history.allSatisfy { $0.angularRate == nil })
    #expect(try #require(history.first).time > woken - .seconds(2))
    // Its gyroscope takes a moment.
    let live = bench.given.drop { $0.time <= woken }
    #expect(live.count > 40 && live.first?.angularRate == nil && live.dropFirst(3).allSatisfy { $0.angularRate != nil })
    for (sample, next) in zip(bench.given, bench.given.dropFirst()) { #expect(sample.time < next.time) }
  }

  @Test func whatDoesNotReachTheThresholdWakesNothing() {
    for (force, isWoken) in [(Float(0.15), false), (0.45, true)] {
      var bench = Bench()
      bench.feel(5)
      bench.engine.watch(WakeEngine.Settings(threshold: 0.3))
      bench.feel(20)
      bench.feel(10) { _ in Vector3(0, force, 0) }
      #expect(bench.engine.isAsleep != isWoken, "\(force)")
    }
  }

  /// 3° in an hour: by the slope from reading to reading nobody would see it.
  @Test func aTiltThatComesSlowlyWakes() {
    var bench = Bench()
    bench.feel(5)
    bench.engine.watch(WakeEngine.Settings(threshold: 0.3))
    bench.feel(3600, hertz: 12.5) { seconds in Vector3(Float(0.51 * seconds / 3600), 0, 0) }
    #expect((1...2).contains(bench.engine.wakeCount))
  }

  @Test func whenNothingMovesItSleepsAgainByItself() {
    var bench = Bench()
    bench.feel(5)
    var settings = WakeEngine.Settings(threshold: 0.3)
    settings.hold = .seconds(20)
    bench.engine.watch(settings)
    bench.feel(10)
    bench.feel(1) { seconds in Vector3(seconds < 0.5 ? 1 : -1, 0, 0) }
    #expect(!bench.engine.isAsleep)
    bench.feel(19)
    #expect(!bench.engine.isAsleep)
    bench.feel(3)
    #expect(bench.engine.isAsleep)
    // It stands otherwise now: that is its reference.
    bench.feel(60)
    #expect(bench.engine.isAsleep && bench.engine.wakeCount == 1)
  }

  @Test func aClockThatGoesBackAndNumbersThatAreNoneWakeNothing() {
    var bench = Bench()
    bench.feel(5)
    bench.engine.watch(WakeEngine.Settings(threshold: 0.3))
    bench.feel(10)
    bench.time = bench.time - .seconds(3)
    bench.feel(10)
    bench.feel(2) { _ in Vector3(.nan, .nan, .nan) }
    bench.feel(10)
    #expect(bench.engine.isAsleep && bench.engine.wakeCount == 0)
    bench.feel(1) { _ in Vector3(0, 0, 2) }
    #expect(bench.engine.wakeCount == 1)
  }
}
