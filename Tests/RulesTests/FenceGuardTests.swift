import Positioning
import Quantities
import Rules
import Testing

/// What the owner of a pet notices, from fix to alert.
@Suite struct FenceGuardTests {
  private func home() throws -> Garden {
    let garden = try Garden()
    garden.circle()
    garden.activate(1)
    garden.stay(0, seconds: 120)
    return garden
  }

  @Test func tc14AFenceOfThreeCornersAndMoreIsCreatedWithItsName() throws {
    let garden = try Garden()
    let corners = [(0.0, 0.0), (50, 0), (50, 50), (0, 50)]
    #expect(garden.polygon(name: "Oma Grünwald", Array(corners[..<3])) == nil)
    #expect(garden.polygon(2, name: "庭", corners) == nil && garden.fences == 2)
    #expect(garden.polygon(3, Array(corners[..<2])) == .outline(.tooFewPoints) && garden.fences == 2)
    #expect(garden.circle(0) == .badNumber && garden.circle(256) == .badNumber && garden.circle(255) == nil)
    for name in ["", String(repeating: "x", count: 33), "two\nlines"] {
      #expect(garden.circle(4, name: name) == .badName)
    }
    #expect(garden.circle(4, name: String(repeating: "x", count: 32)) == nil && garden.fences == 4)
    #expect(garden.circle(5) == .tableFull && garden.guardian.fences.rejectedCount == 1)
    #expect(garden.circle(4, name: "another") == nil, "one that replaces another finds room")
  }

  @Test func tc15ADeletedFenceIsGone() throws {
    let garden = try home()
    #expect(garden.delete(7) == .unknownFence && garden.state == .idle)
    #expect(garden.delete(1) == nil && garden.fences == 0 && garden.state == .unassigned)
    garden.stay(300, seconds: 300)
    #expect(garden.alerts.isEmpty)
  }

  @Test func tc16AFenceIsWatchedOnceItIsActivated() throws {
    let garden = try Garden()
    garden.circle()
    garden.stay(0, seconds: 120)
    #expect(garden.state == .unassigned && garden.activate(2) == .unknownFence && garden.state == .unassigned)
    garden.walk(from: 0, to: 300)
    garden.stay(300, seconds: 120)
    #expect(garden.alerts.isEmpty)
    garden.walk(from: 300, to: 0)
    garden.activate(1)
    garden.stay(0, seconds: 120)
    garden.walk(from: 0, to: 300)
    #expect(garden.alerts.first?.kind == .alert(repetition: 0) && garden.state == .alerting)
  }

  @Test func tc17AnotherFenceTakesTheFirstOnesPlaceInOneStep() throws {
    let garden = try home()
    garden.circle(2, name: "lake", east: 400)
    #expect(garden.activate(2, 9) == .unknownFence && garden.guardian.fences[0].isActive)
    garden.activate(2)
    garden.stay(0, seconds: 90)
    #expect(garden.alerts.count == 1, "outside the new one")
    garden.activate(1)
    #expect(garden.ends == [.removed] && garden.state == .idle)
    garden.stay(0, seconds: 200)
    #expect(garden.alerts.count == 1)
  }

  @Test func tc20ACollarThatIsGivenAwayHasNoFences() throws {
    let garden = try home()
    garden.guardian.removeAll(at: garden.now)
    #expect(garden.fences == 0 && garden.state == .unassigned)
  }

  @Test func tc22ExitAlertsUntilTheOwnerHasFoundIt() throws {
    let garden = try home()
    garden.walk(from: 0, to: 300)
    garden.stay(300, seconds: 240)
    let counts = garden.alerts.map(\.kind)
    #expect(counts == (0..<counts.count).map { .alert(repetition: UInt16($0)) } && counts.count >= 5)
    for (a, b) in zip(garden.alerts, garden.alerts.dropFirst()) { #expect(b.time - a.time == .seconds(60)) }
    #expect(garden.found() && garden.ends == [.found] && garden.state == .suppressed)
    garden.stay(300, seconds: 600)
    #expect(garden.alerts.count == counts.count && !garden.found())
    garden.walk(from: 300, to: 0)
    garden.stay(0, seconds: 120)
    #expect(garden.state == .idle)
    garden.walk(from: 0, to: 300)
    #expect(garden.alerts.dropFirst(counts.count).first?.kind == .alert(repetition: 0), "the next exit alerts again")
  }

  @Test func aFenceThatIsAddedWhileItIsOutsideAlertsAfterTheConfirmation() throws {
    let garden = try Garden()
    garden.circle()
    garden.stay(300, seconds: 300)
    garden.activate(1)
    let before = garden.now
    garden.stay(300, seconds: 59)
    #expect(garden.alerts.isEmpty)
    garden.stay(300, seconds: 10)
    let delay = (try #require(garden.alerts.first).time - before).secondsDouble
    #expect(delay >= 60 && delay <= 62)
  }

  @Test func alertsEndWhenItIsBack() throws {
    let garden = try home()
    garden.walk(from: 0, to: 200)
    garden.stay(200, seconds: 60)
    garden.walk(from: 200, to: 0)
    garden.stay(0, seconds: 120)
    #expect(garden.ends == [.entered] && garden.state == .idle)
  }

  /// 3 m per axis: within by 3 m for a minute, or by less where the fence is hardly deeper than 4.5 m.
  @Test func anEntryTakesAMinuteWithinByADeviation() throws {
    for (radius, within, isBack) in [(50.0, 2.0, false), (50, 4, true), (4, 0.5, true), (6, 1, false), (6, 2, true)] {
      let garden = try Garden()
      garden.circle(radius: radius)
      garden.activate(1)
      garden.stay(200, seconds: 70)
      #expect(garden.alerts.count == 1)
      garden.walk(from: 200, to: radius + 1)
      garden.fix(radius - within)
      garden.stay(radius - within, seconds: 58)
      #expect(garden.ends.isEmpty)
      garden.stay(radius - within, seconds: 4)
      #expect(garden.ends.isEmpty == !isBack, "\(within) of \(radius) m")
    }
  }

  @Test func aFixThatLiesDoesNothing() throws {
    let garden = try home()
    for distance in [60.0, 100, 300, 900, 5000, 2_000_000] {
      garden.accuracy = 2
      garden.fix(distance)
      garden.accuracy = 4.5
      garden.stay(0, seconds: 30)
      // Of a receiver that is silent for a minute, too.
      garden.accuracy = 2
      garden.fix(distance, after: 60)
      garden.accuracy = 4.5
      garden.fix(0, after: 60)
    }
    #expect(garden.alerts.isEmpty && garden.guardian.presence == .inside)
  }

  /// One that states 2 m, before anything is learnt of how fixes scatter.
  @Test func aFixThatLiesSoonAfterTheStartDoesNothing() throws {
    let garden = try Garden()
    garden.circle()
    garden.activate(1)
    garden.scatter = nil
    garden.accuracy = 22
    garden.stay(0, seconds: 120)
    garden.accuracy = 2
    garden.fix(470)
    garden.accuracy = 22
    garden.scatter = LearntScatter(deviation: 140, usualAccuracy: 22, isLearnt: false)
    garden.stay(0, seconds: 100)
    #expect(garden.alerts.isEmpty && garden.guardian.presence == .inside)
  }

  @Test func aSparseReceiverTellsAnExitWithItsSecondFix() throws {
    let garden = try home()
    garden.speed = 2
    garden.fix(150, after: 60)
    #expect(garden.alerts.isEmpty)
    garden.fix(270, after: 60)
    #expect(garden.alerts.count == 1)
  }

  /// It is quick and stands when fixes come: the receiver tells no speed, or that of a machine at rest.
  @Test(arguments: [30, 60, 120, 300]) func aSparseReceiverTellsAnExitWithTwoOrThreeFixesWhateverSpeedItTells(
    _ every: Int
  ) throws {
    for (speed, distance) in [(0.0, 150.0), (0.05, 400), (0.05, 2000), (nil, 400)] {
      guard distance < Double(30 * every) else { continue }
      let garden = try home()
      garden.speed = speed
      garden.stay(0, seconds: 10 * every, every: every)
      var fixes = 0
      while garden.alerts.isEmpty, fixes < 20 {
        garden.fix(distance, after: every)
        fixes += 1
      }
      #expect(fixes == (every == 60 || every == 120 ? 2 : 3), "\(speed ?? -1) m/s, \(distance) m")
    }
  }

  /// 3 m per axis: six deviations after a minute, one less for each two minutes more, down to three and a half.
  @Test func whatMayBeAJumpIsToldSoonerTheFartherItIs() throws {
    for (every, speed) in [(1, nil), (10, 0), (10, nil), (30, 0), (60, 0), (120, 0.22)] as [(Int, Double?)] {
      for (beyond, expected) in [(12.0, 300), (15, 180), (18.1, 60), (30, 60)] {
        let garden = try home()
        garden.speed = speed
        garden.stay(0, seconds: 20 * every, every: every)
        var seconds = -every
        while garden.alerts.isEmpty, seconds < 900 {
          garden.fix(50 + beyond, after: every)
          seconds += every
        }
        let fewest = every == 10 && speed != nil ? 70 : every == 120 ? 120 : 60
        let least = max(expected, fewest)
        #expect(seconds >= least && seconds <= least + every, "each \(every) s, \(beyond) m: \(seconds) s")
      }
    }
  }

  /// 15 m per axis, and 1 m/s until a jump at two deviations beyond the edge.
  @Test func aJumpOfOneThatWalksOffDelaysNothing() throws {
    let garden = try home()
    garden.scatter = LearntScatter(deviation: 15, usualAccuracy: 22, isLearnt: true)
    garden.accuracy = 22
    garden.speed = 1
    garden.stay(0, seconds: 600, every: 30)
    for distance in [30.0, 60, 80] { garden.fix(distance, after: 30) }
    #expect(garden.alerts.isEmpty)
    garden.fix(160, after: 30)
    #expect(garden.alerts.count == 1)
  }

  @Test func anExitIsToldAlsoWhereManyDeviationsAreAskedFor() throws {
    for (beyond, isTold) in [(28.0, false), (32, true)] {
      let garden = try home()
      garden.guardian.parameters.exitDeviations = 10
      garden.stay(50 + beyond, seconds: 420, every: 60)
      #expect(garden.alerts.isEmpty != isTold, "\(beyond) m")
    }
  }

  /// Between a minute and two of which it is on its way, without a speed.
  @Test func aSparseReceiverNeedsThreeFixesOfOneThatGoesOn() throws {
    let garden = try home()
    garden.stay(0, seconds: 600, every: 60)
    for distance in [300.0, 700] { garden.fix(distance, after: 60) }
    #expect(garden.alerts.isEmpty)
    garden.fix(1100, after: 60)
    #expect(garden.alerts.count == 1)
  }

  /// It errs to a little outside of the edge, and one fix lies meanwhile.
  @Test func aFixThatLiesBesideTheEdgeMakesNoExitOfASparseReceiver() throws {
    for every in [20, 30, 60, 120, 300] {
      let garden = try home()
      garden.stay(0, seconds: 10 * every, every: every)
      for distance in [54.0, 450, 54, 54, 0] {
        garden.fix(distance, after: every)
        #expect(garden.alerts.isEmpty, "each \(every) s, \(distance) m")
      }
    }
  }

  @Test func ofAReceiverThatIsHeardEachTwentySecondsFourFixesAreEnoughAfterAJump() throws {
    for (every, expected) in [(10, 8), (20, 4), (29, 3)] {
      let garden = try home()
      garden.stay(0, seconds: 20 * every, every: every)
      var fixes = 0
      while garden.alerts.isEmpty, fixes < 20 {
        garden.fix(400, after: every)
        fixes += 1
      }
      #expect(fixes == max(expected, (60 + every - 1) / every + 1), "each \(every) s")
    }
  }

  @Test func twoFixesOfASparseReceiverThatLieApartAreNoExit() throws {
    for every in [30, 60, 120] {
      let garden = try home()
      garden.stay(0, seconds: 10 * every, every: every)
      for _ in 0..<20 {
        garden.accuracy = 2
        for (east, north) in [(400.0, 0.0), (-300, 100)] {
          garden.fix(east, north, after: every)
          #expect(garden.alerts.isEmpty, "each \(every) s")
        }
        garden.accuracy = 4.5
        garden.stay(0, seconds: 3 * every, every: every)
      }
    }
  }

  @Test func anExitIsToldAfterAMinuteBeyondThreeAndAHalfDeviations() throws {
    // 3 m per axis: 10.5 m beyond the edge, or 10 m for all of a minute. A step that is no jump.
    for (beyond, isTold) in [(9.5, false), (11, true)] {
      let garden = try home()
      garden.speed = 40
      garden.fix(50 + beyond)
      garden.speed = 0
      garden.stay(50 + beyond, seconds: 58)
      #expect(garden.alerts.isEmpty)
      garden.stay(50 + beyond, seconds: 4)
      #expect(garden.alerts.isEmpty == !isTold)
    }
  }

  @Test func oneThatStaysNearTheEdgeIsToldLaterTheNearerItIs() throws {
    var delays: [Int] = []
    for beyond in [11.0, 8, 6, 3] {
      let garden = try home()
      garden.speed = 40
      garden.fix(50 + beyond)
      garden.speed = 0
      var delay = 0
      while garden.alerts.isEmpty, delay < 50_000 {
        garden.fix(50 + beyond, after: 10)
        delay += 10
      }
      delays.append(delay)
    }
    #expect(delays == delays.sorted() && delays[0] <= 70 && delays[1] > 120 && delays[3] < 50_000, "\(delays)")
  }

  @Test func anExitIsDatedToWhereTheWayCrossedTheEdge() throws {
    let garden = try home()
    garden.speed = 5
    garden.fix(150, after: 60)
    garden.fix(450, after: 60)
    // 100 m beyond after 150 m: two thirds of the minute before.
    let expected = garden.now - Interval.seconds(100)
    let departure = garden.events.compactMap { event -> Instant? in
      if case .departed(_, let since, _) = event.kind { return since } else { return nil }
    }
    #expect(departure.count == 1 && departure.allSatisfy { ($0 - expected).secondsDouble.magnitude < 1 })
  }

  @Test func anInertialSensorAtRestBeatsDrift() throws {
    let garden = try home()
    garden.stillSince = .seconds(10)
    garden.stay(100, seconds: 1200)
    #expect(garden.alerts.isEmpty)
    // It feels something: what fixes say counts again.
    garden.stillSince = nil
    garden.stay(100, seconds: 70)
    #expect(garden.alerts.count == 1)
  }

  @Test func displacementThatAgreesWithDopplerForTenSecondsBeatsTheInertialSensor() throws {
    let garden = try home()
    garden.stillSince = .seconds(10)
    // In a train that cannot be felt.
    garden.walk(from: 0, to: 600, speed: 6)
    #expect(garden.alerts.count == 1)
    // Nor does one whose course is another than the way.
    let east = Double.pi / 2
    for (course, isTold) in [
      (east, true), (east + 0.35, true), (east - 0.7, false), (east + .pi, false), (0, false), (.infinity, true),
    ] {
      let garden = try home()
      garden.stillSince = .seconds(10)
      garden.course = course
      garden.walk(from: 0, to: 250, speed: 3)
      garden.course = nil
      garden.stay(250, seconds: 60)
      #expect(garden.alerts.isEmpty == !isTold, "\(course)")
    }
    // Speed that is told and not travelled says nothing.
    for speed in [3.0, 6] {
      let other = try home()
      other.stillSince = .seconds(10)
      other.speed = speed
      other.stay(100, seconds: 600)
      #expect(other.alerts.isEmpty, "\(speed) m/s")
    }
  }

  @Test func displacementAtLessThanSevenTenthsOfAMetreASecondDoesNotBeatTheInertialSensor() throws {
    for (speed, isTold) in [(0.6, false), (0.75, true)] {
      let garden = try home()
      garden.stillSince = .seconds(10)
      garden.walk(from: 0, to: 200, speed: speed)
      #expect(garden.alerts.isEmpty == !isTold, "\(speed) m/s")
    }
  }

  /// It is at 15 m/s for less than ten seconds, or for more.
  @Test func displacementThatAgreesForLessThanTenSecondsDoesNot() throws {
    for (distance, isTold) in [(150.0, false), (180, true)] {
      let garden = try home()
      garden.stillSince = .seconds(10)
      garden.walk(from: 0, to: distance, speed: 15)
      garden.speed = nil
      garden.stay(distance, seconds: 300)
      #expect(garden.alerts.isEmpty == !isTold, "\(distance) m")
    }
  }

  @Test func oneFixInSixThatErrsDoesNotKeepTheInertialSensorBelieved() throws {
    let garden = try home()
    garden.scatter = LearntScatter(deviation: 15, usualAccuracy: 4.5, isLearnt: true)
    garden.stillSince = .seconds(10)
    garden.speed = 0.9
    for second in 1...400 { garden.fix(0.9 * Double(second) - (second % 6 == 0 ? 15 : 0)) }
    #expect(garden.alerts.first != nil)
  }

  @Test func ofRareFixesThreeMustAgreeToBeatTheInertialSensor() throws {
    for (distances, isTold) in [([30.0, 80], false), ([30, 80, 130], true)] {
      let garden = try home()
      garden.stillSince = .seconds(10)
      garden.stay(0, seconds: 100, every: 10)
      garden.speed = 5
      for distance in distances { garden.fix(distance, after: 10) }
      garden.speed = nil
      garden.stay(try #require(distances.last), seconds: 300, every: 10)
      #expect(garden.alerts.isEmpty == !isTold, "\(distances)")
    }
  }

  @Test func anInertialSensorThatIsStuckIsNotBelievedWhenItIsFarAway() throws {
    let garden = try home()
    garden.stillSince = .seconds(10)
    garden.stay(50 + 209, seconds: 300)
    #expect(garden.alerts.isEmpty)
    garden.stay(50 + 211, seconds: 300)
    #expect(garden.alerts.first != nil)
  }

  @Test func itIsOutsideWhenItIsOutsideAllActiveFences() throws {
    let garden = try home()
    garden.circle(2, name: "shed", east: 90)
    garden.activate(1, 2)
    garden.stay(0, seconds: 90)
    garden.walk(from: 0, to: 90)
    garden.stay(90, seconds: 300)
    #expect(garden.alerts.isEmpty)
    let arrivals = garden.events.filter { if case .arrived(2, _, _) = $0.kind { return true } else { return false } }
    let departures = garden.events.filter {
      if case .departed(1, _, false) = $0.kind { return true } else { return false }
    }
    #expect(arrivals.count == 1 && departures.count == 1, "each is told by itself")
    garden.walk(from: 90, to: 300)
    garden.stay(300, seconds: 60)
    #expect(garden.alerts.count >= 1)
  }

  @Test func aDisabledCollarTellsWhereItIsAndNoAlert() throws {
    let garden = try home()
    garden.guardian.setEnabled(false, at: garden.now)
    garden.walk(from: 0, to: 300)
    garden.stay(300, seconds: 120)
    let isTold = garden.events.contains { if case .departed = $0.kind { return true } else { return false } }
    #expect(garden.alerts.isEmpty && garden.state == .unassigned && isTold)
    garden.guardian.setEnabled(true, at: garden.now)
    garden.stay(300, seconds: 70)
    #expect(garden.alerts.count == 1)
  }

  @Test func fixesThatAreNoEvidenceAreNone() throws {
    let garden = try home()
    garden.accuracy = 1001
    garden.stay(900, seconds: 200)
    garden.accuracy = -1
    garden.stay(900, seconds: 200)
    #expect(garden.alerts.isEmpty)
    // Without an accuracy it counts as 25 m, without a learnt scatter twice that: 3.5 × 33 m beyond.
    garden.accuracy = nil
    garden.scatter = nil
    garden.speed = nil
    garden.stay(50 + 108, seconds: 70)
    #expect(garden.alerts.isEmpty)
    garden.stay(50 + 122, seconds: 300)
    #expect(garden.alerts.first != nil)
  }
}
