import MotionDetection
import Quantities
import TestSupport
import Testing

/// Carried off where fixes are all there is and tell no speed, while little is known of how far they scatter.
@Suite struct MuteTheftTests {
  /// A receiver that goes to and fro by eight metres each minute: after twenty minutes it can go 40 m at most.
  private struct Parked {
    var scene = Scene()
    var accuracy = 20.0
    var speed: Double?

    init(minutes: Int, swing: Double = 8, accuracy: Double = 20, speed: Double? = nil) {
      (self.accuracy, self.speed) = (accuracy, speed)
      for minute in 0..<minutes {
        scene.east = minute % 2 == 0 ? 0 : swing
        stand(seconds: 60)
      }
      scene.east = swing / 2
      #expect(scene.news().allSatisfy { if case .movement = $0.event { false } else { true } })
    }

    mutating func stand(seconds: Int) {
      for _ in 0..<(seconds / 10) {
        scene.clock = scene.clock + .seconds(10)
        scene.fix(speed: speed, accuracy: accuracy)
      }
    }

    /// Goes there between two fixes, and stays: the fix there that told it.
    mutating func carry(to metres: Double, fixes: Int = 12) -> Int? {
      scene.north = metres
      for fix in 1...fixes {
        stand(seconds: 10)
        if !scene.news().movements.isEmpty { return fix }
      }
      return nil
    }
  }

  @Test(arguments: [(1.0, 1.4), (1, 4), (2, 4), (5, 9)])
  func whatIsCarriedOffWithoutSpeedsAQuarterOfAnHourAfterParkingIsTold(every: Double, speed: Double) {
    var (inTime, later, all) = (0, 0, 0)
    for (sigma, stated) in [(5.0, 7.5), (5, 30), (9, 3), (9, 54), (15, 5.6), (15, 67)] {
      for seed in 1...4 as ClosedRange<UInt64> {
        var scene = Scene()
        var receiver = LyingFixTests.Receiver(sigma, stated: stated, every: Int(every), seed: seed)
        receiver.isMute = true
        receiver.stand(&scene, seconds: 900)
        #expect(scene.news().movements.isEmpty)
        all += 1
        let told = receiver.carry(&scene, to: max(100, 8 * sigma), speed: speed)
        if let told, told <= 3 {
          inTime += 1
        } else {
          if told == nil { receiver.stand(&scene, seconds: 1200, north: max(100, 8 * sigma)) }
          if told != nil || !scene.news().movements.isEmpty { later += 1 }
        }
      }
    }
    #expect(inTime >= 18 && inTime + later == all, "\(inTime) in time, \(later) later of \(all)")
  }

  @Test func whatWandersWithoutSpeedsAfterEachParkingIsQuiet() {
    for (sigma, stated, every) in [(5.0, 1.9, 1), (9, 54, 5), (15, 5, 10), (30, 180, 20), (50, 19, 10)] {
      for seed in 1...10 as ClosedRange<UInt64> {
        var scene = Scene()
        var receiver = LyingFixTests.Receiver(sigma, stated: stated, every: every, seed: 500 + seed)
        receiver.isMute = true
        receiver.stand(&scene, seconds: 9000)
        #expect(scene.news().movements.isEmpty, "\(sigma) m stated \(stated), seed \(seed)")
      }
    }
  }

  /// Both are nearer than three times what two fixes state.
  @Test func whatGoesFartherThanItsMinutesCanIsToldByTheFourthFixThere() {
    for (metres, told) in [(60.0, 4), (30, nil)] as [(Double, Int?)] {
      var parked = Parked(minutes: 20)
      #expect(parked.carry(to: metres) == told, "\(metres) m")
    }
  }

  @Test func threeOutliersWithoutSpeedsAreNoDeparture() {
    for (count, alerts) in [(3, 0), (4, 1)] {
      var parked = Parked(minutes: 20)
      parked.scene.north = 55
      parked.stand(seconds: 10 * count)
      parked.scene.north = 0
      parked.stand(seconds: 600)
      #expect(parked.scene.news().movements.count == alerts, "\(count) fixes")
    }
  }

  @Test func whatIsWorseThanUsualMayGoFarther() {
    for (accuracy, isTold) in [(20.0, true), (40, false)] {
      var parked = Parked(minutes: 20)
      parked.accuracy = accuracy
      #expect((parked.carry(to: 60) != nil) == isTold, "stated \(accuracy) m")
    }
  }

  /// What fixes state counts once while they are not learnt.
  @Test func whatIsNotFartherThanStatedHasNotDeparted() {
    for (accuracy, isTold) in [(59.0, true), (61, false)] {
      var parked = Parked(minutes: 20, accuracy: accuracy)
      #expect((parked.carry(to: 60) != nil) == isTold, "stated \(accuracy) m")
    }
  }

  @Test func aReceiverThatSaysThatItStandsHasToDoMore() {
    for (speed, isTold) in [(nil, true), (0.1, false)] as [(Double?, Bool)] {
      var parked = Parked(minutes: 20, speed: speed)
      #expect((parked.carry(to: 60) != nil) == isTold)
    }
  }

  /// What it may do is not known from minutes in which nothing has changed.
  @Test func aReceiverThatStandsStillForMinutesAndJumpsHasNotDeparted() {
    for (swing, isTold) in [(8.0, true), (0, false)] {
      var parked = Parked(minutes: 20, swing: swing)
      #expect((parked.carry(to: 60) != nil) == isTold, "\(swing) m a minute")
    }
  }

  @Test func eightMinutesTellWhatAMinuteCanDo() {
    for (minutes, isTold) in [(6, false), (10, true)] {
      var parked = Parked(minutes: minutes, accuracy: 30)
      #expect((parked.carry(to: 90) != nil) == isTold, "\(minutes) minutes")
    }
  }

  /// After three hours the variance about the mean is the better measure.
  @Test func afterThreeHoursTheDistanceCounts() {
    for (minutes, isTold) in [(175, true), (185, false)] {
      var parked = Parked(minutes: minutes)
      #expect((parked.carry(to: 45) != nil) == isTold, "\(minutes) minutes")
    }
  }

  /// Not far enough to be told at once, and too far to stay there for a quarter of an hour.
  @Test func whatLeavesAndStaysAwayIsToldAfterAQuarterOfAnHour() {
    for (metres, minutes, alerts) in [(47.0, 17, 1), (47, 14, 0), (34, 60, 0)] {
      var parked = Parked(minutes: 20)
      for (north, count) in [(metres, minutes), (0, alerts > 0 ? 0 : 30)] {
        parked.scene.north = north
        for minute in 0..<count {
          parked.scene.east = minute % 2 == 0 ? 0 : 8
          parked.stand(seconds: 60)
        }
      }
      #expect(parked.scene.news().movements.count == alerts, "\(metres) m for \(minutes) minutes")
    }
  }

  /// What nobody has missed stands there: it is learnt, and found when it leaves again.
  @Test func whatStaysAwayUnarmedIsAPlaceLikeAnother() {
    var scene = Scene(alertsEnabled: false)
    var receiver = LyingFixTests.Receiver(9, stated: 54, every: 5, seed: 3)
    receiver.isMute = true
    receiver.stand(&scene, seconds: 900)
    _ = receiver.carry(&scene, to: 100)
    receiver.stand(&scene, seconds: 7200, north: 100)
    scene.monitor.setAlerts(enabled: true, at: scene.clock)
    receiver.stand(&scene, seconds: 3600, north: 100)
    #expect(scene.news().movements.isEmpty)
  }

  /// The plain one does the same.
  @Test(arguments: 1...6 as ClosedRange<UInt64>) func carriedOffWithoutSpeedsTheTwinAgrees(seed: UInt64) {
    var twin = Twin(MotionParameters(), seed: seed)
    var random = SeededRandom(seed: seed)
    let every = [5, 10, 20, 60, 150, 400][Int(seed) - 1]
    let keep = Elementary.exp(-Double(every) / 300)
    let step = 12 * (1 - keep * keep).squareRoot()
    var (north, east) = (12 * random.normal(), 12 * random.normal())
    for second in stride(from: every, to: 12_000, by: every) {
      (north, east) = (keep * north + step * random.normal(), keep * east + step * random.normal())
      // Away by 65 m for as long as it may, by 150 m for good.
      let way = second > 7000 ? min(150, 1.3 * Double(second - 7000)) : second % 3500 > 2000 ? 65.0 : 0
      (twin.north, twin.east) = (north + way, east)
      twin.wait(until: .zero + .seconds(second))
      twin.fix(speed: second % 1700 < 20 ? 0.2 : nil, accuracy: second % 1100 < 60 ? 60 : 15)
    }
    #expect(twin.trouble == nil, "\(twin.trouble ?? "")")
  }
}
