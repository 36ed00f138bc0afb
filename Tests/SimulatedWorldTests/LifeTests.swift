import MotionEvaluation
import Quantities
import Testing
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

@Suite struct LifeTests {
  /// Parked for ten minutes and more, lifted and carried off, answered, and parked again.
  static func theft(hertz: Double = 12.5) -> EvaluatedScene {
    var scene = EvaluatedScene(name: "theft", about: "lifted and carried off", half: .held)
    scene.scene.sensor.hertz = hertz
    scene.scene.receiver = StreetReceiver()
    func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double], _ telling: Telling? = nil) {
      var deed = StreetDeed(kind)
      for (name, value) in numbers {
        let isSet = deed.set(name, value)
        #expect(isSet)
      }
      scene.scene.deeds.append(deed)
      scene.tellings.append(telling)
    }
    add(.stand, ["seconds": 700])
    add(.lift, ["degrees": 40], .within(5))
    add(.carry, ["metres": 40])
    add(.stand, ["seconds": 60])
    add(.dismiss, [:])
    add(.stand, ["seconds": 600])
    return scene
  }

  private static func live(_ plan: LifePlan = LifePlan(), seed: UInt64 = 1) throws -> LifeReport {
    var scenario = LifeScenario(theft(), plan: plan, transport: .http, seed: seed)
    scenario.scene.scene.seed = 5
    return try LifeRun(scenario).live()
  }

  @Test func aTheftIsToldAndReachesTheServerAndTheSameSeedDoesTheSame() throws {
    let report = try LifeTests.live()
    #expect(report.broken == [])
    #expect(report.thefts == 1 && report.delays.count == 1 && report.delays[0] < 5)
    #expect(report.journeys.count >= 1 && report.duplicates == 0 && report.received == report.packets)
    #expect(report.lives == 1 && report.cuts == 0 && report.samples > 15_000)
    #expect(report.checks[.theftTold] == 1 && report.checks[.noFalseAlert] ?? 0 >= 1)
    #expect(try LifeTests.live().hash == report.hash)
    #expect(try LifeTests.live(seed: 2).hash != report.hash)
  }

  /// The alert is made at about 701 s; cuts at and about each of the changes of the state there, and what was under way is kept or not.
  @Test(arguments: StoreLoss.allCases) func aPowerCutAtTheAlertLosesNothingThatWasTold(_ loss: StoreLoss) throws {
    for changes in [nil, 0, 1, 2, 3] as [Int?] {
      let cut = PowerCut(off: .seconds(20), loss: loss, changesBefore: changes, takesModem: changes == 2)
      let report = try LifeTests.live(LifePlan([LifeEvent(.power(cut), at: .seconds(701))]))
      #expect(report.broken == [], "\(String(describing: changes))")
      #expect(report.cuts == 1 && report.lives == 2)
    }
  }

  @Test func strangersAreNotObeyedAndTheOwnerIsOnce() throws {
    let plan = LifePlan([
      LifeEvent(.text("get motion.armAfter", .owner), at: .seconds(200)),
      LifeEvent(.text("", .echo), at: .seconds(260)),
      LifeEvent(.text("alerts off", .forger), at: .seconds(300)),
      LifeEvent(.text("alerts off", .stranger), at: .seconds(340)),
      LifeEvent(.text("", .echo), at: .seconds(1000)),
    ])
    let report = try LifeTests.live(plan)
    #expect(report.broken == [])
    #expect(report.checks[.requestAnswered] == 1 && report.checks[.obeyedOnce] ?? 0 >= 1)
    #expect(report.thefts == 1 && report.delays.count == 1)
  }

  @Test(arguments: [false, true]) func whatIsAskedWhileTheTrackerIsOffIsAnsweredWhenItIsBack(_ takesModem: Bool) throws
  {
    let cut = PowerCut(off: .seconds(90), loss: .nothing, changesBefore: nil, takesModem: takesModem)
    let report = try LifeTests.live(
      LifePlan([
        LifeEvent(.power(cut), at: .seconds(200)), LifeEvent(.text("get motion.armAfter", .owner), at: .seconds(240)),
      ]))
    #expect(report.broken == [])
    #expect(report.checks[.requestAnswered] == 1 && report.lives == 2)
  }

  /// Nothing has seen how the axes changed places: to the tracker that is a tilt.
  @Test func axesThatChangePlacesWhileTheTrackerIsOffAreToldAsATilt() throws {
    let cut = PowerCut(off: .seconds(40), loss: .nothing, changesBefore: nil, takesModem: false)
    let report = try LifeTests.live(
      LifePlan([
        LifeEvent(.power(cut), at: .seconds(500)),
        LifeEvent(.sensor(.swappedAxes, lasting: .seconds(60)), at: .seconds(520)),
      ]))
    #expect(report.broken == [] && report.cuts == 1 && report.alerts > 0)
  }

  @Test func aTheftWhileTheTrackerIsOffIsToldWhenItIsBackAndThenAnswered() throws {
    let cut = PowerCut(off: .seconds(200), loss: .nothing, changesBefore: nil, takesModem: false)
    let report = try LifeTests.live(LifePlan([LifeEvent(.power(cut), at: .seconds(600))]))
    #expect(report.broken == [])
    #expect(report.excused == 1 && report.thefts == 0)
    // It is told at once and again a minute later; then the owner has answered.
    #expect((1...2).contains(report.alerts))
  }

  @Test func whatGoesWrongOnTheWayIsMadeGood() throws {
    for event in [
      LifeEvent(.outage(.seconds(900)), at: .seconds(690)), LifeEvent(.mishap(.loseAnswer), at: .seconds(690)),
      LifeEvent(.modem(.freeze), at: .seconds(702)),
      LifeEvent(.line(to: .none, from: .rough, lasting: .seconds(300)), at: .seconds(600)),
    ] {
      let report = try LifeTests.live(LifePlan([event]))
      #expect(report.broken == [], "\(event.fault.name)")
      #expect(report.journeys.count >= 1)
    }
  }

  /// The second server is away at the theft, in each way: the owner hears by the first, and the second gets all when it is back. The first
  /// is away: the second does not wait for it.
  @Test func aServerThatIsAwayKeepsNothingFromTheOther() throws {
    for fault in ServerFault.allCases {
      let report = try LifeTests.live(LifePlan([LifeEvent(.server(fault, lasting: .seconds(600)), at: .seconds(690))]))
      #expect(report.broken == [], "\(fault)")
      #expect(report.journeys.count >= 1 && report.journeys[0] < 60, "\(fault): \(report.journeys)")
      #expect(report.checks[.nobodyWaits] ?? 0 >= report.packets)
    }
    let report = try LifeTests.live(LifePlan([LifeEvent(.outage(.seconds(900)), at: .seconds(690))]))
    #expect(report.broken == [] && report.checks[.nobodyWaits] ?? 0 >= report.packets)
  }

  /// Each driver's ledger begins at zero; what it books as switched off before its life is none of it.
  @Test func theModemHasTakenNoChargeBeforeItsTrackerBegan() throws {
    let cuts = [400, 800, 1200].map { second in
      let cut = PowerCut(off: .seconds(5), loss: .nothing, changesBefore: nil, takesModem: true)
      return LifeEvent(.power(cut), at: .seconds(second))
    }
    let report = try LifeTests.live(LifePlan(cuts))
    #expect(report.broken == [] && report.lives == 4)
    let off = try #require(report.charges["off"])
    // 7 µA.
    #expect(off >= 0 && Double(off) <= 7 * report.end.secondsDouble, "\(off)")
    #expect((report.charges.values.reduce(0, +) - report.microcoulombs).magnitude < 100, "\(report.charges)")
  }

  /// A ride home after the owner's answer, in steps of the way and the clock.
  static func ride(every: Double = 1, turn: Double = 0, restart: Double? = nil, seed: UInt64 = 5) -> LifeScenario {
    var scene = EvaluatedScene(name: "ride", about: "ridden and parked", half: .held)
    scene.scene.sensor.hertz = 12.5
    scene.scene.seed = seed
    var receiver = StreetReceiver()
    receiver.every = every
    scene.scene.receiver = receiver
    func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double], _ telling: Telling? = nil) {
      var deed = StreetDeed(kind)
      for (name, value) in numbers { deed.set(name, value) }
      scene.scene.deeds.append(deed)
      scene.tellings.append(telling)
    }
    add(.stand, ["seconds": 700])
    add(.upright, [:], .maybe)
    if turn != 0 { add(.turn, ["degrees": turn, "seconds": 6]) }
    add(.ride, ["speed": 5, "seconds": 600], .maybe)
    add(.stand, ["seconds": 40])
    add(.dismiss, [:])
    add(.stand, ["seconds": 3600])
    var life = LifeScenario(scene, transport: .http, seed: 1)
    if let restart {
      let cut = PowerCut(off: .seconds(8), loss: .nothing, changesBefore: nil, takesModem: false)
      life.plan = LifePlan([LifeEvent(.power(cut), at: Instant(microseconds: Int64(restart * 1e6)))])
    }
    return life
  }

  /// Seed 1 of the lives of many days, on its third day: the power comes back while the owner turns the vehicle by hand to ride off.
  @Test(arguments: [(90.0, 697.0, 5), (150, 699, 7)])
  func aTrackerThatComesBackWhileItIsTurnedByHandIsQuietAfterTheRide(_ turn: Double, _ restart: Double, _ seed: Int)
    throws
  {
    let run = try LifeRun(LifeTests.ride(turn: turn, restart: restart, seed: UInt64(seed)))
    var last = Instant.zero
    run.observer = { time, output, _ in if case .packet(_, .movement) = output { last = time } }
    let report = try run.live()
    // The ride ends after 1309 s.
    #expect(report.broken == [] && report.cuts == 1 && last < .seconds(1309), "\(last.secondsDouble)")
  }

  @Test func daysDrawnFromSeedsKeepEveryPromise() throws {
    let day = LifeScenario.day(seed: 4, classes: Set(FaultClass.allCases))
    #expect(day.plan == LifeScenario.day(seed: 4, classes: Set(FaultClass.allCases)).plan)
    #expect(day.plan != LifeScenario.day(seed: 5, classes: Set(FaultClass.allCases)).plan)
    #expect(LifeScenario.day(seed: 4, classes: []).plan.events.allSatisfy { $0.fault.kind == nil })
    #expect(day.scene.scene.deeds.count == day.scene.tellings.count)
    for (event, next) in zip(day.plan.events, day.plan.events.dropFirst()) { #expect(event.time <= next.time) }
  }

  @Test func eachPromiseCatchesItsFault() {
    func packet(_ sequence: Int, _ more: String = "", type: String = "status") -> [UInt8] {
      Array("{\"type\":\"\(type)\",\"sequence\":\(sequence)\(more)}".utf8)
    }
    func broken(_ body: (LifeChecker) -> Void) -> [LifePromise] {
      let checker = LifeChecker()
      body(checker)
      return checker.broken.map(\.promise)
    }
    func make(_ checker: LifeChecker, _ sequence: UInt32, _ bytes: [UInt8], at time: Instant = .zero) {
      guard let fields = PacketFields(bytes) else { return }
      checker.notePacket(sequence, fields, bytes, at: time)
    }
    #expect(broken { make($0, 1, packet(1)) } == [])
    #expect(
      broken {
        make($0, 1, packet(1))
        make($0, 1, packet(1, ",\"speed\":1"))
      } == [.sameBytes])
    #expect(
      broken {
        make($0, 2, packet(2, ",\"boot\":1"))
        make($0, 1, packet(1, ",\"boot\":2"))
      } == [.numbersGrow])
    // An alert overtakes a report.
    #expect(
      broken {
        make($0, 2, packet(2, ",\"boot\":1"))
        make($0, 1, packet(1, ",\"boot\":1"))
        make($0, 3, packet(3, ",\"boot\":2"))
      } == [])
    #expect(
      broken {
        make($0, 1, packet(1, ",\"distance\":20"))
        make($0, 2, packet(2, ",\"distance\":19"))
      } == [.odometerGrows])
    #expect(broken { for place in 1...900 { make($0, UInt32(place), packet(place)) } } == [])
    #expect(broken { for place in 1...901 { make($0, UInt32(place), packet(place)) } } == [.fewPackets])
    #expect(
      broken {
        $0.noteAsked(3, isOwner: true, at: .zero)
        make($0, 1, packet(1, ",\"status\":{\"reason\":\"pong\",\"request\":3}"))
        make($0, 2, packet(2, ",\"status\":{\"reason\":\"repeated\",\"request\":3}"))
      } == [])
    #expect(
      broken {
        $0.noteAsked(3, isOwner: true, at: .zero)
        make($0, 1, packet(1, ",\"status\":{\"reason\":\"pong\",\"request\":3}"))
        make($0, 2, packet(2, ",\"status\":{\"reason\":\"pong\",\"request\":3}"))
      } == [.obeyedOnce])
    #expect(
      broken {
        $0.noteAsked(3, isOwner: false, at: .zero)
        make($0, 1, packet(1, ",\"status\":{\"reason\":\"alertsOff\",\"request\":3}"))
      } == [.onlyOwnerObeyed])
    #expect(broken { $0.noteReceived(packet(1), at: .zero) } == [.nothingInvented])
    #expect(broken { $0.noteReceived(Array("AT\rAT\r".utf8), at: .zero) } == [])
    #expect(
      broken {
        make($0, 1, packet(1))
        $0.noteReceived(packet(1, ",\"speed\":1"), at: .zero)
      } == [.nothingInvented])
    // A transport for thirty bytes carries a part of it, and nothing else.
    for (bytes, isRight) in [
      (packet(1, ",\"a\":{\"b\":2}"), true), (packet(1, ",\"a\":{\"b\":3}"), false), (packet(1, ",\"d\":4"), false),
      (packet(1, ",\"c\":[1]"), false), (packet(1), true),
    ] {
      #expect(
        broken {
          $0.byteLimit = 50
          make($0, 1, packet(1, ",\"a\":{\"b\":2,\"e\":1},\"c\":[1,2]"))
          $0.noteReceived(bytes, at: .zero)
        } == (isRight ? [] : [.nothingInvented]))
    }
    #expect(
      broken {
        $0.byteLimit = 50
        make($0, 1, packet(1, ",\"a\":1"))
        $0.noteReceived(packet(1), at: .zero)
      } == [.nothingInvented])
    #expect(
      broken {
        make($0, 1, packet(1))
        $0.noteDelivered(1, at: .zero)
      } == [.deliveredIsThere])
    #expect(
      broken {
        make($0, 1, packet(1))
        $0.noteReceived(packet(1), at: .zero)
        $0.noteDelivered(1, at: .zero)
        $0.finish(waiting: [], at: .zero)
      } == [])
    #expect(
      broken {
        make($0, 1, packet(1))
        $0.finish(waiting: [1], at: .zero)
      } == [.nothingLost, .outboxEmpties])
    #expect(
      broken {
        make($0, 1, packet(1, type: "location"))
        $0.finish(waiting: [], at: .zero)
      } == [])
    #expect(
      broken {
        $0.noteAsked(3, isOwner: true, at: .zero)
        $0.finish(waiting: [], at: .zero)
      } == [.requestAnswered])
    #expect(
      broken {
        make($0, 1, packet(1), at: .seconds(100))
        $0.noteReceivedBySecond(packet(1), at: .seconds(110))
        make($0, 2, packet(2), at: .seconds(200))
        $0.noteSecondAway(from: .seconds(205), until: .seconds(300))
        $0.noteReceivedBySecond(packet(2), at: .seconds(400))
      } == [])
    #expect(
      broken {
        make($0, 1, packet(1), at: .seconds(100))
        $0.noteSecondAway(from: .seconds(10), until: .seconds(30))
        $0.noteReceivedBySecond(packet(1), at: .seconds(111))
      } == [.nobodyWaits])
    #expect(broken { $0.noteReceivedBySecond(packet(1), at: .zero) } == [.nothingInvented])
    #expect(
      broken {
        make($0, 1, packet(1))
        $0.noteReceived(packet(1), at: .zero)
        $0.finish(waiting: [], hasSecond: true, at: .zero)
      } == [.nothingLost])
    #expect(broken { $0.noteUTC(12_001, of: 1, madeAt: .seconds(11)) } == [.timeIsTrue])
    // What has waited in the spool is told after what is newer; and an alert that is told once more takes the place of the one before.
    #expect(
      broken {
        make($0, 2, packet(2, ",\"distance\":20", type: "location"))
        make($0, 1, packet(1, ",\"distance\":19", type: "location"))
        $0.finish(waiting: [], at: .zero)
      } == [])
    let (first, again) = (",\"alert\":{\"id\":3,\"repetition\":1}", ",\"alert\":{\"id\":3,\"repetition\":2}")
    #expect(
      broken {
        make($0, 1, packet(1, first, type: "movement"))
        make($0, 2, packet(2, again, type: "movement"))
        $0.noteReceived(packet(2, again, type: "movement"), at: .zero)
        $0.finish(waiting: [], at: .zero)
      } == [])
    #expect(
      broken {
        make($0, 1, packet(1, ",\"alert\":{\"id\":3}", type: "movement"))
        make($0, 2, packet(2, first, type: "movement"))
        $0.noteReceived(packet(2, first, type: "movement"), at: .zero)
        $0.finish(waiting: [], at: .zero)
      } == [.nothingLost])
  }

  @Test func aWitnessKnowsAFalseAlertAndATheftThatNobodyTold() {
    let scene = LifeTests.theft()
    let checker = LifeChecker()
    var witness = LifeWitness(scene)
    witness.noteAlert(at: .seconds(10), made: .seconds(10), checker: checker)
    #expect(checker.broken.map(\.promise) == [.noFalseAlert])
    witness.begin(.within(5), .lift, from: .seconds(700), to: .seconds(702))
    witness.noteAlert(at: .seconds(701), made: .seconds(701), checker: checker)
    witness.finish(checker: checker)
    #expect(checker.broken.count == 1 && witness.delays == [1])

    let late = LifeChecker()
    var other = LifeWitness(scene)
    other.begin(.within(5), .lift, from: .seconds(700), to: .seconds(702))
    other.noteAlert(at: .seconds(706), made: .seconds(706), checker: late)
    other.finish(checker: late)
    #expect(late.broken.map(\.promise) == [.theftTold])

    let off = LifeChecker()
    var excused = LifeWitness(scene)
    excused.noteOff(from: .seconds(600), until: .seconds(640))
    excused.begin(.within(5), .lift, from: .seconds(700), to: .seconds(702))
    excused.finish(checker: off)
    #expect(off.broken == [] && excused.excused == 1 && excused.thefts == 0)
  }

  @Test func aWitnessWaitsForWhatATrackerThatWasOffHasToTell() {
    func alerts(_ times: [Interval], answeredAt answer: Interval?) -> Int {
      let checker = LifeChecker()
      var witness = LifeWitness(LifeTests.theft())
      witness.noteOff(from: .seconds(600), until: .seconds(800))
      witness.begin(.within(5), .lift, from: .seconds(700), to: .seconds(702))
      #expect(witness.isUnheard)
      witness.awaitTelling(at: .seconds(760))
      for time in times {
        if let answer, time > answer, witness.isUnheard == false { witness.noteAnswer(at: .zero + answer) }
        witness.noteAlert(at: .zero + time, made: .zero + time, checker: checker)
        #expect(!witness.isUnheard)
      }
      return checker.broken.count
    }
    #expect(alerts([.seconds(802), .seconds(862)], answeredAt: nil) == 0)
    #expect(alerts([.seconds(802), .seconds(922)], answeredAt: .seconds(880)) == 1, "after the answer it is news")
    #expect(alerts([.seconds(1700)], answeredAt: nil) == 0)
    #expect(alerts([.seconds(1701)], answeredAt: nil) == 1, "it does not take so long")
    // One that was made before the answer and told after it is none.
    let crossing = LifeChecker()
    var answered = LifeWitness(LifeTests.theft())
    answered.noteAnswer(at: .seconds(100))
    answered.noteAlert(at: .seconds(101), made: .seconds(100), checker: crossing)
    #expect(crossing.broken == [])
    answered.noteAlert(at: .seconds(102), made: .seconds(101), checker: crossing)
    #expect(crossing.broken.count == 1)
    // A ride that was told needs no alert.
    var ridden = LifeWitness(LifeTests.theft())
    ridden.noteOff(from: .seconds(600), until: .seconds(640))
    ridden.begin(nil, .ride, from: .seconds(610), to: .seconds(900))
    #expect(ridden.isUnheard)
    ridden.noteRide()
    #expect(!ridden.isUnheard)
  }

  @Test func aTrackerThatWakesWithoutEndEndsItsLife() {
    func wakes(_ count: Int, every step: Interval) -> Int {
      let log = LifeLog(nil) { false }
      var time = Instant.seconds(10)
      for number in 0..<count {
        do throws(RecordingError) {
          try log.append(tick: time)
        } catch {
          #expect(log.isRestless && error.found.contains("10"))
          return number
        }
        time = time + step
      }
      return count
    }
    #expect(wakes(1000, every: .zero) == 1000)
    #expect(wakes(1001, every: .zero) == 1000)
    #expect(wakes(5000, every: .milliseconds(2)) == 5000)
  }

  @Test func aSensorThatGoesWrongIsWrongForItsTimeOnly() {
    func readings(_ fault: SensorFault) -> [InertialSample?] {
      var trouble = SensorTrouble()
      return (0..<8).map { step in
        if step == 2 { trouble.begin(fault, until: .seconds(6)) }
        return trouble.pass(
          InertialSample(
            time: .seconds(step), angularRate: Vector3(Float(step), 2, 3), specificForce: Vector3(1, 9, Float(step))))
      }
    }
    for fault in SensorFault.allCases {
      let seen = readings(fault)
      for step in [0, 1, 6, 7] { #expect(seen[step]?.angularRate == Vector3(Float(step), 2, 3), "\(fault) \(step)") }
    }
    #expect(readings(.dropOut)[2...5].allSatisfy { $0 == nil })
    #expect(readings(.halfRate)[2...5].map { $0 == nil } == [false, true, false, true])
    #expect(readings(.freeze)[5]?.angularRate == Vector3(1, 2, 3) && readings(.freeze)[5]?.time == .seconds(5))
    #expect(readings(.notANumber)[3]?.specificForce?.y.isNaN == true)
    #expect(readings(.timeBack)[3]?.time == .zero && readings(.timeBack)[6]?.time == .seconds(6))
    // The vertical is y here.
    #expect(readings(.swappedAxes)[3]?.specificForce == Vector3(1, 3, 9))
    #expect(readings(.swappedAxes)[3]?.angularRate == Vector3(3, 3, 2))
    #expect(readings(.noFixes)[3]?.angularRate == Vector3(3, 2, 3))
  }

  @Test(arguments: SensorFault.allCases) func aSensorThatGoesWrongRaisesNoAlarmAndATheftAfterItIsTold(
    _ fault: SensorFault
  ) throws {
    let event = LifeEvent(.sensor(fault, lasting: .seconds(60)), at: .seconds(620))
    let report = try LifeTests.live(LifePlan([event]))
    #expect(report.broken == [])
    #expect(report.thefts == 1 && report.excused == 0 && report.delays.count == 1)
  }
}
