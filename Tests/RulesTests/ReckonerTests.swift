import Positioning
import Quantities
import Rules
import Testing

/// What speed and course tell of an exit, where positions err for minutes.
@Suite struct ReckonerTests {
  /// A pet whose receiver errs by 15 m per axis, at rest in the middle of a circle of 50 m until the mean of its positions is known.
  private func home(seconds: Int = 3600) throws -> Garden {
    let garden = try Garden()
    garden.accuracy = 22.5
    garden.scatter = LearntScatter(deviation: 15, usualAccuracy: 22.5, isLearnt: true)
    garden.circle()
    garden.activate(1)
    garden.stay(0, seconds: seconds)
    return garden
  }

  /// Walks east from the middle while positions fall back, by 45 m at most.
  ///
  /// - Returns: Seconds from where it crossed the edge to the alert; nil without one.
  private func delay(_ garden: Garden, speed: Double, for seconds: Int, isCourseTold: (Int) -> Bool) -> Double? {
    var east = 0.0
    let start = garden.now
    garden.speed = speed
    for second in 0..<seconds where garden.alerts.isEmpty {
      east += speed
      garden.course = isCourseTold(second) ? .pi / 2 : nil
      garden.fix(east - min(45, 0.4 * east))
    }
    let crossing = start + Interval(microseconds: Int64(50 / speed * 1e6))
    return garden.alerts.first.map { ($0.time - crossing).secondsDouble }
  }

  @Test func anExitIsToldBySpeedAndCourseWhereEachPositionFallsBack() throws {
    // Positions alone are 3.5 deviations beyond the edge at 148 m, 98 s after the edge at 1 m/s.
    let walked = try #require(delay(home(), speed: 1, for: 300) { _ in true })
    #expect(walked >= 60 && walked <= 75)
    let alone = try #require(delay(home(), speed: 1, for: 300) { _ in false })
    #expect(alone > 95)
  }

  /// As receivers do that tell no course of one that is slow.
  @Test func aCourseIsBelievedForTenSecondsWhenNoneIsTold() throws {
    let often = try #require(delay(home(), speed: 0.5, for: 600) { $0 % 10 == 0 })
    #expect(often >= 60 && often <= 90)
    let seldom = try #require(delay(home(), speed: 0.5, for: 600) { $0 % 40 == 0 })
    #expect(seldom > often + 30)
  }

  @Test func anExitByItIsDatedAndMeasuredByIt() throws {
    let garden = try home()
    let start = garden.now
    _ = delay(garden, speed: 1, for: 300) { _ in true }
    let exit = garden.guardian.exit
    #expect(((exit.since - start).secondsDouble - 50).magnitude < 8)
    let beyond = (garden.now - start).secondsDouble - 50
    #expect((Double(exit.distance) - beyond).magnitude < 8 && exit.ratio >= 1)
  }

  @Test func oneVelocityThatLiesMovesNobody() throws {
    let garden = try home()
    for lie in [20.0, 60, 150, 400] {
      (garden.speed, garden.course) = (lie, .pi / 2)
      garden.fix(0)
      (garden.speed, garden.course) = (0, nil)
      garden.stay(0, seconds: 200)
    }
    #expect(garden.alerts.isEmpty && garden.guardian.presence == .inside)
  }

  @Test func velocityThatPositionsDoNotFollowIsNotBelieved() throws {
    for speed in [0.3, 0.6, 1, 3, 30] {
      let garden = try home()
      (garden.speed, garden.course) = (speed, .pi / 2)
      garden.stay(0, seconds: 1800)
      #expect(garden.alerts.isEmpty, "\(speed) m/s")
    }
  }

  @Test func withoutSpeedOrAfterAGapPositionsDecide() throws {
    for (every, hasSpeed) in [(1, false), (6, true)] {
      let garden = try home()
      garden.course = .pi / 2
      var east = 0.0
      while east < 140 {
        east += Double(every)
        garden.speed = hasSpeed ? 1 : nil
        garden.fix(east - min(45, 0.4 * east), after: every)
      }
      #expect(garden.alerts.isEmpty, "a fix each \(every) s")
    }
  }

  /// 1.5 deviations within by its positions, and 25 m outside.
  @Test func positionsThatWanderBackInEndNoAlarm() throws {
    let garden = try home()
    (garden.speed, garden.course) = (1, .pi / 2)
    for east in 1...115 { garden.fix(Double(east)) }
    for east in stride(from: 114.0, through: 85, by: -1) {
      garden.course = .pi * 1.5
      garden.fix(east)
    }
    #expect(garden.alerts.count == 1 || garden.alerts.count == 2)
    (garden.speed, garden.course) = (0, nil)
    for step in 1...60 { garden.fix(85 - Double(step)) }
    garden.stay(25, seconds: 150)
    #expect(garden.ends.isEmpty)
    // It comes home.
    (garden.speed, garden.course) = (1, .pi * 1.5)
    for step in 1...60 { garden.fix(max(-20, 25 - Double(step))) }
    (garden.speed, garden.course) = (0, nil)
    garden.stay(-20, seconds: 70)
    #expect(garden.ends == [.entered])
  }

  @Test func coursesThatAreNoNumberAreNone() throws {
    let garden = try home(seconds: 600)
    for course in [Double.nan, .infinity, -.infinity] {
      (garden.speed, garden.course) = (1, course)
      garden.stay(0, seconds: 30)
    }
    (garden.speed, garden.course) = (0, nil)
    garden.stay(0, seconds: 3600)
    let told = try #require(delay(garden, speed: 1, for: 300) { _ in true })
    #expect(told >= 60 && told <= 75)
  }
}
