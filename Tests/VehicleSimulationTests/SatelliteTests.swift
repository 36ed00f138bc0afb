import Quantities
import Testing

@testable import VehicleSimulation

private func fixes(
  _ model: SatelliteModel, seconds: Int, every: Int = 1, speed: Double = 0, seed: UInt64 = 5
) -> [SatelliteRun.Fix?] {
  var run = SatelliteRun(model, random: SeededRandom(seed: seed))
  return stride(from: 0, to: seconds, by: every).map {
    run.next(at: Double($0), every: Double(every), velocity: (speed, 0))
  }
}

private func correlation(_ a: ArraySlice<Double>, _ b: ArraySlice<Double>) -> Double {
  let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
  var (ab, aa, bb) = (0.0, 0.0, 0.0)
  for (x, y) in zip(a, b) {
    ab += (x - meanA) * (y - meanB)
    aa += (x - meanA) * (x - meanA)
    bb += (y - meanB) * (y - meanB)
  }
  return ab / (aa * bb).squareRoot()
}

@Suite struct SatelliteTests {
  @Test func aParkedReceiverErrsAsMuchAsItShould() {
    var model = SatelliteModel()
    model.white = 0.5
    model.wandering = (2, 300)
    model.echoes = (3, 1)
    var squares = 0.0
    var count = 0.0
    for seed in 0..<40 {
      for fix in fixes(model, seconds: 172_000, every: 600, seed: UInt64(seed)) {
        squares += (fix?.east ?? 0) * (fix?.east ?? 0)
        count += 1
      }
    }
    #expect(abs((squares / count).squareRoot() / model.parkedSigma - 1) < 0.08)
  }

  @Test func echoesOfAParkingPlaceComeAgainTheNextDay() {
    var model = SatelliteModel()
    model.white = 0
    model.wandering = (0, 300)
    model.echoes = (4, 0.4)
    let day = Int(SatelliteRun.siderealDay)
    let east = fixes(model, seconds: 3 * day, every: 60).map { $0?.east ?? 0 }
    let turn = day / 60
    let next = correlation(east[..<turn], east[turn..<2 * turn])
    #expect(next > 0.7 && next < 0.99)
    let half = correlation(east[..<turn], east[turn / 2..<turn / 2 + turn])
    #expect(abs(half) < 0.6)
  }

  @Test func onTheWayEchoesAreForgottenAfterSomeMetres() {
    var model = SatelliteModel()
    model.white = 0
    model.wandering = (0, 300)
    model.passing = (5, 20)
    let east = fixes(model, seconds: 20_000, speed: 5).dropFirst(60).map { $0?.east ?? 0 }
    // After ten metres e^(−1/2) is left.
    let count = east.count
    #expect(abs(correlation(east[..<(count - 2)], east[2...]) - 0.6065) < 0.06)
  }

  @Test func outagesAreAsFrequentAndAsLongAsAskedFor() {
    var model = SatelliteModel()
    model.outages = (perHour: 6, seconds: 40)
    let all = fixes(model, seconds: 400_000)
    var (lost, outages, was) = (0.0, 0.0, true)
    for fix in all {
      if fix == nil { lost += 1 }
      if fix == nil, was { outages += 1 }
      was = fix != nil
    }
    #expect(abs(lost / outages - 40) < 4)
    #expect(abs(outages / ((400_000 - lost) / 3600) - 6) < 0.7)
  }

  @Test(arguments: [(SatelliteModel.Start.hot, 2.0...2.0), (.warm, 17.0...38), (.cold, 28.0...63)])
  func aStartTakesItsTimeAndItsFirstFixesAreWrong(start: SatelliteModel.Start, range: ClosedRange<Double>) {
    var model = SatelliteModel()
    model.start = start
    model.first = (cold: 60, again: 10, tau: 10)
    var (early, late) = (0.0, 0.0)
    for seed in 0..<200 {
      let all = fixes(model, seconds: 200, seed: UInt64(seed))
      let first = all.firstIndex { $0 != nil } ?? -1
      #expect(range.lowerBound - 1...range.upperBound + 1 ~= Double(first))
      func square(_ index: Int) -> Double { all[index].map { $0.east * $0.east + $0.north * $0.north } ?? 0 }
      early += square(first) / 200
      late += square(first + 80) / 200
    }
    let size = start == .hot ? 10.0 : 60
    #expect(abs((early / 2).squareRoot() / size - 1) < 0.15)
    #expect((late / 2).squareRoot() < 3)
  }

  @Test func statedAccuracyHoldsTwoThirdsWhereItIsHonestAndFewWhereItIsNot() {
    func share(_ honesty: Double) -> Double {
      var model = SatelliteModel()
      model.honesty = honesty
      model.least = 0.1
      var (within, count) = (0.0, 0.0)
      for seed in 0..<30 {
        for fix in fixes(model, seconds: 100_000, every: 500, seed: UInt64(seed)).compactMap(\.self) {
          let error = (fix.east * fix.east + fix.north * fix.north).squareRoot()
          if error <= fix.stated ?? 0 { within += 1 }
          count += 1
        }
      }
      return within / count
    }
    #expect(abs(share(1) - 0.68) < 0.04)
    // 1 − e^(−1.148 · 0.09).
    #expect(abs(share(0.3) - 0.098) < 0.03)
    var silent = SatelliteModel()
    silent.least = nil
    #expect(fixes(silent, seconds: 3).allSatisfy { $0?.stated == nil })
  }
}
