import FusionEvaluation
import Testing

/// What scores rest on: which row belongs to which time, how fast the rows come, which rests count.
@Suite struct NearestRowsTests {
  /// All small cases against a search of every row.
  @Test func theNearestRowIsFoundWhateverTheOrder() {
    var state: UInt64 = 7
    func draw(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<300 {
      let times = (0..<Int(draw(9))).map { _ in draw(8) == 0 ? Double.nan : Double(draw(20)) * 0.5 }
      let wanted = (0..<12).map { _ in draw(10) == 0 ? Double.nan : Double(draw(44)) * 0.25 - 0.5 }
      for limit in [0, 0.25, 0.5, 3] {
        let found = nearestRows(in: times, to: wanted, within: limit)
        #expect(found.count == wanted.count)
        for (row, time) in zip(found, wanted) {
          let least = times.filter { !$0.isNaN }.map { abs($0 - time) }.min() ?? .infinity
          if time.isNaN || least > limit {
            #expect(row == nil, "\(times) \(time) \(limit)")
          } else if let row {
            #expect(abs(times[row] - time) == least, "\(times) \(time) \(limit)")
          } else {
            Issue.record("no row for \(time) in \(times) within \(limit)")
          }
        }
      }
    }
  }

  @Test func theRateIsThatOfTheMedianStep() {
    #expect(abs(RestScore.hertz(ofTimes: [0, 0.1, 0.2, 0.6]) - 10) < 1e-9)
    // Of an even number of steps the mean of the two in the middle.
    #expect(abs(RestScore.hertz(ofTimes: [0, 0.1, 0.3]) - 1 / 0.15) < 1e-9)
    #expect(RestScore.hertz(ofTimes: []).isNaN && RestScore.hertz(ofTimes: [3]).isNaN)
  }

  @Test func restsOfTwoSecondsCountAndTheirFirstSecondAndAHalfIsSettling() {
    for (rows, phases) in [(19, 0), (20, 1), (21, 1)] {
      let moving = [Bool](repeating: true, count: 5) + [Bool](repeating: false, count: rows) + [true]
      let score = RestScore(isResting: moving.map { !$0 }, isMoving: moving, hertz: 10)
      #expect(score.phases == phases && score.phasesFound == phases && score.truePositives == rows)
      #expect(score.settledCount == rows - 15 && score.settledTruePositives == rows - 15 && score.settledRecall == 1)
      #expect(score.falseOnsets == 0 && score.trueNegatives == 6 && score.precision == 1 && score.recall == 1)
    }
    // Only rest that is announced while it moves is a false onset; one that lasts into movement is none.
    let moving = [false, false, true, true, true, true, false]
    let said = [true, true, true, false, true, false, true]
    let score = RestScore(isResting: said, isMoving: moving, hertz: 10)
    #expect(score.falseOnsets == 1 && score.falsePositives == 2 && score.truePositives == 3)
    var sum = score
    sum += score
    #expect(sum.falseOnsets == 2 && sum.falsePositives == 4 && sum.truePositives == 6 && sum.trueNegatives == 4)
    #expect(sum.falseNegatives == 0 && sum.phases == 0 && sum.settledCount == 0)
  }

  @Test func aTrialKnowsItsPeriodAndKeepsTheLastOfEachGroup() {
    var trial = OrientationTrial(name: "x")
    #expect(trial.period == 0 && trial.count == 0)
    for (place, time) in [0.0, 0.5, 1.5, 2, 9].enumerated() {
      trial.times.append(time)
      trial.angularRate += [Double(place), 10, 20]
      trial.specificForce += [30, Double(place), 50]
      trial.magneticFluxDensity += [60, 70, Double(place)]
      trial.reference += [1, 0, 0, Double(place)]
      trial.isMoving.append(place == 3)
    }
    #expect(trial.count == 5 && trial.period == 1)
    let halved = trial.lastOfEach(2)
    #expect(halved.times == [0.5, 2] && halved.name == "x" && halved.isMoving == [false, true])
    #expect(halved.angularRate == [1, 10, 20, 3, 10, 20] && halved.specificForce == [30, 1, 50, 30, 3, 50])
    #expect(halved.magneticFluxDensity == [60, 70, 1, 60, 70, 3] && halved.reference == [1, 0, 0, 1, 1, 0, 0, 3])
    #expect(trial.lastOfEach(1) == trial && trial.lastOfEach(6).count == 0)
  }
}
