import MotionEvaluation
import Quantities
import SIM7000
import Testing
import TrackerRuntime
import VehicleSimulation

@testable import SimulatedWorld

/// Files of scenarios as they are read.
@Suite struct ScenarioReaderTests {
  private static func read(_ text: String) throws(SceneProblem) -> ScenarioFile {
    try ScenarioReader.scenario(of: Array(text.utf8), file: "some/wind.json5") { who in
      var configuration = RunConfiguration()
      if who == .collar { configuration.tracker.alertsEnabled = false }
      return configuration
    }
  }

  private static func problem(_ text: String) -> String {
    do throws(SceneProblem) {
      _ = try read(text)
      return "none"
    } catch {
      return error.description
    }
  }

  @Test func allOfAScenarioIsRead() throws {
    let file = try ScenarioReaderTests.read(
      """
      // R14.
      {
        about: "a test", covers: ["R14"], who: "bike", settings: { "motion.armAfter": 200, "reports.distance": "300" },
        where: { latitude: -16.8, longitude: 179.9995, height: 40 }, when: "2028-02-29T23:59:30Z", seed: 77,
        sensor: { make: "quiet", hertz: 25 }, receiver: { sigma: 3 }, wheel: 2.1,
        battery: { level: 40, capacity: 80, charger: 90, plugged: true },
        background: [{ gust: 0.5, every: 60 }],
        timeline: [{ stand: 700 }, { lift: true, told: 5 }, { stand: 100 }],
        network: { transport: "mqtt", connect: 2, exchange: [0.5, 1.5], chances: { loseAnswer: [1, 8], delay: [0, 3] } },
        faults: [
          { at: 790, wheel: "stuck", lasting: 5 }, { at: 10, power: { off: 2.5, loss: "torn", changesBefore: 3, modem: true } },
          { at: 20, outage: 60 }, { at: 30, mishap: "loseRequest" }, { at: 40, modem: "freeze" }, { at: 50, line: 30 },
          { at: 60, sensor: "freeze", lasting: 9 }, { at: 70, server: "hangs", lasting: 10 }, { at: 80, text: "disarm" },
          { at: 90, power: 4 }, { at: 95, charger: "off" },
        ],
        requests: [{ at: 100, ask: "ping", answer: "pong" }, { at: 100, ask: "arm", by: "console" }],
        expect: {
          alerts: 1, fences: [0, 2], rides: 0, packets: [1, 50], metres: [0, 10], delay: 5, journey: 20, phase: "parked", armed: true,
          told: ["movement", "pong"], never: ["fence"], times: { status: [1, 9], pong: 1 }, arguable: ["fewPackets"],
        },
      }
      """)
    #expect(file.name == "wind" && file.about == "a test" && file.covers == ["R14"])
    #expect(file.configuration.tracker.motion.armAfter == .seconds(200))
    let origin = file.life.scene.scene.origin
    #expect(origin.place?.longitudeE9 == 179_999_500_000 && origin.place?.latitudeE9 == -16_800_000_000)
    #expect(origin.height == 40 && origin.utc.microseconds == 1_835_481_570_000_000)
    #expect(file.life.transport == .mqtt && file.life.seed == 77 && file.life.scene.scene.seed == 77)
    #expect(file.life.latency?.connect.most == .seconds(2) && file.life.latency?.exchange.least == .milliseconds(500))
    #expect(file.life.chances.map(\.perMille) == [125, 0] && file.life.wheel?.metresPerPulse == 2.1)
    let cut = PowerCut(off: .milliseconds(2500), loss: .torn, changesBefore: 3, takesModem: true)
    let plan = file.life.plan.events
    #expect(plan.map(\.time) == [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 100, 100, 790].map { .seconds($0) })
    #expect(
      plan[0].fault == .power(cut)
        && plan[8].fault == .power(PowerCut(off: .seconds(4), loss: .nothing, changesBefore: nil, takesModem: false)))
    #expect(plan[7].fault == .text("disarm", .stranger) && plan[10].fault == .text("ping", .owner))
    #expect(plan[9].fault == .charger(isOn: false) && plan[9].fault.kind == .power)
    #expect(plan[11].fault == .request("arm") && plan[12].fault == .wheel(.stuck, lasting: .seconds(5)))
    let wanted = file.expectation
    #expect(wanted.alerts == 1...1 && wanted.fences == 0...2 && wanted.packets == 1...50 && wanted.metres == 0...10)
    #expect(wanted.phase == "parked" && wanted.isArmed == true && wanted.told == ["movement", "pong"])
    #expect(wanted.never == ["fence"] && wanted.arguable == [.fewPackets] && wanted.delay == 5 && wanted.journey == 20)
    #expect(wanted.times.map(\.word) == ["status", "pong"] && wanted.times.map(\.range) == [1...9, 1...1])
    var battery = LifeBattery()
    (battery.level, battery.capacity, battery.charger, battery.isPlugged) = (40, 80, 90, true)
    #expect(file.life.battery == battery)
    // What truly happens, in the order of time.
    let truth = file.life.truth
    #expect(truth.first?.kind == "gust" && truth.first?.words == "about every 60.0 s")
    let lift = try #require(truth.first { $0.kind == "lift" })
    #expect(lift.from == .seconds(700) && lift.until == .milliseconds(702_400) && lift.words == "told within 5.0 s")
    let off = try #require(truth.first { $0.kind == "power" })
    #expect(off.from == .seconds(10) && off.until == .milliseconds(12_500))
    #expect(truth.map(\.from) == truth.map(\.from).sorted())
  }

  /// A line before and behind, so that lines count.
  private static func whole(_ more: String) -> String {
    "{\n  timeline: [{ stand: 600 }, { stand: 400 }],\n  \(more)\n}"
  }

  @Test(
    arguments: [
      ("sensr: {}", "3: unknown key 'sensr'; did you mean 'sensor'?"),
      ("who: 'bik'", "3: 'bik' is not one of bike, collar; did you mean 'bike'?"),
      ("settings: { 'motion.armAfte': 1 }", "3: unknown key 'motion.armAfte'; did you mean 'motion.armAfter'?"),
      ("where: { latitude: 86 }", "3: found 86, expected a number from -85 to 85"),
      (
        "when: '2027-02-29T00:00:00Z'",
        "3: '2027-02-29T00:00:00Z' is no time from 2000 to 2099, such as 2026-12-31T23:40:00Z"
      ),
      (
        "when: '2027-02-28T24:00:00Z'",
        "3: '2027-02-28T24:00:00Z' is no time from 2000 to 2099, such as 2026-12-31T23:40:00Z"
      ),
      (
        "when: '2027-02-28T23:60:00Z'",
        "3: '2027-02-28T23:60:00Z' is no time from 2000 to 2099, such as 2026-12-31T23:40:00Z"
      ),
      (
        "when: '1999-12-31T23:59:59Z'",
        "3: '1999-12-31T23:59:59Z' is no time from 2000 to 2099, such as 2026-12-31T23:40:00Z"
      ),
      ("sensor: { noise: 'x.csv' }", "3: a scenario plays no recorded noise"),
      ("network: { transport: 'sms' }", "3: 'sms' is not one of http, legacyHTTP, mqtt, tcp, applicationTCP"),
      ("network: { chances: { loseAnswr: [1, 2] } }", "3: unknown key 'loseAnswr'; did you mean 'loseAnswer'?"),
      ("network: { chances: { loseAnswer: [3, 2] } }", "3: 3 of 2 is more than all"),
      ("network: { chances: { loseAnswer: [1, 3] } }", "3: 1 of 3 are no whole thousandths"),
      ("network: { chances: { loseAnswer: [1, 2, 3] } }", "3: found 3 numbers, expected two: so many of so many"),
      ("network: { exchange: [2, 1] }", "3: the least is more than the most"),
      ("faults: [{ at: 1, modem: 'freze' }]", nil),
      ("faults: [{ at: 1, sensr: 'freeze', lasting: 1 }]", "3: unknown key 'sensr'; did you mean 'sensor'?"),
      ("faults: [{ at: 1 }]", "3: there is no fault, expected one such as outage"),
      ("faults: [{ outage: 5 }]", "3: there is no 'at', the time of 'outage'"),
      (
        "faults: [{ at: 1, outage: 5, line: 5 }]",
        "3: 'line' is a second fault beside 'outage'; each fault has an object of its own"
      ),
      ("faults: [{ at: 1, outage: 5, lasting: 5 }]", "3: 'lasting' does not go with 'outage'"),
      ("faults: [{ at: 1, sensor: 'freeze' }]", "3: there is no 'lasting', the seconds of 'sensor'"),
      ("faults: [{ at: 1000, outage: 5 }]", "3: 1000 s is after the end: the timeline has 1000 s"),
      ("faults: [{ at: 1, wheel: 'stuck', lasting: 1 }]", "3: the scenario has no sensor of a wheel that could fail"),
      (
        "faults: [{ at: 1, power: { loss: 'ton' } }]",
        "3: 'ton' is not one of nothing, later, unsettled, torn, shuffled; did you mean 'torn'?"
      ),
      ("faults: [{ at: 990, power: 10 }]", "3: the supply comes back after the end: the timeline has 1000 s"),
      (
        "faults: [{ at: 109, power: 1 }, { at: 100, power: 10 }]",
        "3: the supply goes at 109.0 s, but is gone from 100.0 s to 110.0 s"
      ),
      ("faults: [{ at: 1, text: 'ping', by: 'owner' }]", "3: what the owner asks is one of 'requests'"),
      ("faults: [{ drawn: { modm: [1, 1] } }]", "3: unknown key 'modm'; did you mean 'modem'?"),
      ("faults: [{ drawn: { wheel: [1, 1] } }]", "3: the scenario has no sensor of a wheel that could fail"),
      ("faults: [{ drawn: { modem: [1, 1] }, from: 500, until: 500 }]", "3: it is over at 500 s and begins at 500 s"),
      (
        "sensor: 'none', faults: [{ at: 1, sensor: 'freeze', lasting: 1 }]",
        "3: the scenario has no inertial sensor that could fail"
      ),
      (
        "receiver: null, faults: [{ at: 1, sensor: 'noFixes', lasting: 1 }]",
        "3: the scenario has no receiver that could fail"
      ),
      (
        "receiver: null, faults: [{ drawn: { sensors: [1, 1] } }]",
        "3: the scenario has not both sensors that could fail"
      ),
      ("battery: { level: 0 }", "3: found 0, expected a number from 0.1 to 100"),
      ("battery: { levl: 9 }", "3: unknown key 'levl'; did you mean 'level'?"),
      ("faults: [{ at: 1, charger: 'on' }]", "3: the scenario has no battery that could be charged"),
      ("battery: {}, faults: [{ at: 1, charger: 'offf' }]", "3: 'offf' is not one of on, off; did you mean 'off'?"),
      (
        "battery: {}, faults: [{ at: 9, charger: 'off' }, { at: 5, charger: 'on' }, { at: 7, charger: 'on' }]",
        "3: at 7.0 s the charger is on already, since 5.0 s"
      ),
      (
        "battery: { plugged: true }, faults: [{ at: 9, charger: 'on' }]",
        "3: at 9.0 s the charger is on already, from the beginning on"
      ),
      ("battery: {}, faults: [{ at: 9, charger: 'on', lasting: 5 }]", "3: 'lasting' does not go with 'charger'"),
      ("expect: { times: { lastPositon: 1 } }", "3: unknown key 'lastPositon'; did you mean 'lastPosition'?"),
      ("requests: [{ at: 1 }]", "3: a request has 'at', its time, and 'ask', its text"),
      (
        "requests: [{ at: 1, ask: 'ping', answer: 'pang' }]",
        "3: there is no 'pang' that could be told; did you mean 'pong'?"
      ),
      (
        "requests: [{ at: 1, ask: 'pang', answer: 'refused' }]",
        "3: a text message that is refused has no answer of its own; expect it of the console"
      ),
      ("requests: [{ at: 1, ask: 'ping', by: 'post' }]", "3: 'post' is not one of sms, console"),
      (
        "faults: [{ at: 1, power: 9 }], requests: [{ at: 9, ask: 'ping', by: 'console' }]",
        "3: nobody can ask at the tracker at 9.0 s: by line 3 it has no supply"
      ),
      ("owner: 'nobody'", "3: 'nobody' is not one of key, none"),
      (
        "owner: 'none', requests: [{ at: 9, ask: 'ping' }]",
        "3: an owner without a key can't sign a text message; use 'by: \"console\"'"
      ),
      ("expect: { alrts: 1 }", "3: unknown key 'alrts'; did you mean 'alerts'?"),
      ("expect: { alerts: 1.5 }", "3: expected whole numbers"),
      ("expect: { told: ['movment'] }", "3: there is no 'movment' that could be told; did you mean 'movement'?"),
      ("expect: { told: ['ride'], never: ['ride'] }", "3: 'ride' can't be both told and never told"),
      ("expect: { arguable: ['theftTol'] }", nil),
      ("expect: { phase: 'parkd' }", nil),
    ] as [(String, String?)]) func whatIsWrongIsToldInALine(_ more: String, _ message: String?)
  {
    let found = ScenarioReaderTests.problem(ScenarioReaderTests.whole(more))
    if let message {
      #expect(found == "some/wind.json5:\(message)")
    } else {
      #expect(found.hasPrefix("some/wind.json5:3: '") && found.contains("; did you mean '"), "\(found)")
    }
    #expect(!found.contains("\n"))
  }

  @Test func whatFitsAtItsLimitIsRead() {
    for more in [
      "where: { latitude: 85, longitude: -180 }", "when: '2000-01-01T00:00:00Z'", "when: '2099-12-31T23:59:59Z'",
      "faults: [{ at: 999.9, outage: 5 }]", "faults: [{ at: 989.9, power: 10 }]",
      "faults: [{ at: 110, power: 1 }, { at: 100, power: 10 }]",
      "faults: [{ at: 1, power: 9 }], requests: [{ at: 10, ask: 'ping', by: 'console' }]",
      "faults: [{ at: 1, power: 9 }], requests: [{ at: 9, ask: 'ping' }]",
      "network: { chances: { loseAnswer: [2, 2] } }",
      "sensor: 'none', faults: [{ at: 1, sensor: 'noFixes', lasting: 1 }]",
    ] {
      #expect(ScenarioReaderTests.problem(ScenarioReaderTests.whole(more)) == "none", "\(more)")
    }
  }

  @Test func whatIsNoScenarioIsToldWithItsLine() {
    #expect(ScenarioReaderTests.problem("{ about: 'x' }") == "some/wind.json5:1: there is no timeline")
    #expect(
      ScenarioReaderTests.problem("[]") == "some/wind.json5:1: found a list, expected an object, which is a scenario")
    #expect(ScenarioReaderTests.problem("{\n\n  about: }").hasPrefix("some/wind.json5:3: "))
    #expect(
      ScenarioReaderTests.problem("{ who: 'collar',\n timeline: [{ stand: 700 }, { lift: true, told: 5 }] }")
        == "some/wind.json5:2: a collar raises no alert about movement, but 'told' expects one; use 'maybe'")
    #expect(ScenarioReader.isScenario(Array("{ timeline: [] }".utf8)) && ScenarioReader.isScenario(Array("{".utf8)))
    #expect(!ScenarioReader.isScenario(Array("{ \"level-lift\": { timeline: [] } }".utf8)))
  }

  @Test func faultsAreDrawnFromTheSeedAsOftenAsTheFileSays() throws {
    let file = try ScenarioReaderTests.read(
      """
      { timeline: [{ stand: 40000 }], seed: 3,
        faults: [{ at: 5, outage: 9 }, { drawn: { modem: [2, 1], power: [1, 4], servers: [3, 2] }, from: 2000, until: 38000 }] }
      """)
    var counts: [FaultClass: Int] = [:]
    for seed in 1...50 as ClosedRange<UInt64> {
      let events = file.life(seed: seed).plan.events
      #expect(
        events == file.life(seed: seed).plan.events && events.first == LifeEvent(.outage(.seconds(9)), at: .seconds(5)))
      #expect(events.dropFirst().allSatisfy { .seconds(2000) <= $0.time && $0.time < .seconds(38_000) })
      for event in events.dropFirst() { counts[event.fault.kind ?? .wheel, default: 0] += 1 }
      for case .server(_, let lasting) in events.map(\.fault) { #expect(lasting <= .seconds(38_000)) }
    }
    #expect(counts[.modem] == 50 * 20 && counts[.servers] == 50 * 15 && (100...150).contains(counts[.power] ?? 0))
    #expect(counts.count == 3 && file.life(seed: 1).plan != file.life(seed: 2).plan)
    #expect(file.life(seed: 9).scene.scene.seed == 9)
  }

  // MARK: What came of it

  private static func outcome(_ more: String) throws -> [String] {
    let text = """
      { sensor: { hertz: 12.5 }, seed: 5,
        timeline: [{ stand: 700 }, { lift: { degrees: 40 }, told: 5 }, { carry: 40 }, { stand: 60 }, { dismiss: true }, { stand: 600 }],
        requests: [{ at: 300, ask: "ping", answer: "pong" }, { at: 400, ask: "arm", by: "console", answer: "armed" }],
        \(more) }
      """
    return try ScenarioRun(read(text)).live().failures
  }

  @Test func whatIsAsExpectedPasses() throws {
    #expect(
      try ScenarioReaderTests.outcome(
        "expect: { alerts: [1, 3], fences: 0, rides: [0, 1], packets: [4, 90], delay: 5, journey: 30, metres: [0, 120], "
          + "phase: 'parked', told: ['pong', 'armed', 'movement', 'dismissed'], never: ['fence', 'returned'] }") == [])
  }

  @Test func whatIsNotAsExpectedIsTold() throws {
    let failures = try ScenarioReaderTests.outcome(
      "expect: { alerts: 0, fences: [1, 2], packets: [0, 1], delay: 0.01, journey: 0.01, metres: [1e6, 2e6], phase: 'riding', "
        + "told: ['movement', 'pong'], never: ['dismissed'] }")
    #expect(failures.count == 9, "\(failures)")
    for (words, place) in zip(
      [
        "alerts: ", "alerts of fences: 0, expected 1 to 2", "packets: ", "odometer: ", "from theft to alert: ",
        "from alert to server: ",
        "phase: parked, expected riding", "'pong' is not told after what comes before it", "'dismissed' is told",
      ], failures.indices)
    {
      #expect(failures[place].hasPrefix(words), "\(failures[place])")
    }
    #expect(try ScenarioReaderTests.outcome("expect: { told: ['returned'] }") == ["'returned' is never told"])
  }

  @Test func anotherAnswerAndABrokenPromiseAreTold() throws {
    let file = try ScenarioReaderTests.read(
      """
      { sensor: { hertz: 12.5 }, seed: 5,
        timeline: [{ stand: 700 }, { lift: { degrees: 40 }, told: 5 }, { carry: 40 }, { stand: 60 }, { dismiss: true }, { stand: 600 }],
        requests: [{ at: 600, ask: "alerts off", by: "console", answer: "alertsOn" }, { at: 650, ask: "nonsense", by: "console", answer: "refused" }] }
      """)
    let failures = try ScenarioRun(file).live().failures
    #expect(failures.count == 2, "\(failures)")
    #expect(
      failures.first?.hasPrefix("broken at 700.0 s: each theft is reported within its limit: lift: never told") == true)
    #expect(failures.last == "'alerts off' is answered alertsOff, expected alertsOn")
    var arguable = file
    arguable.expectation.arguable = [.theftTold]
    #expect(try ScenarioRun(arguable).live().failures == ["'alerts off' is answered alertsOff, expected alertsOn"])
  }

  @Test func scenariosThatAreDrawnAreReadAndDiffer() throws {
    var texts: Set<String> = []
    for seed in 1...80 as ClosedRange<UInt64> {
      let text = ScenarioFile.drawn(seed: seed)
      #expect(text == ScenarioFile.drawn(seed: seed))
      let file = try ScenarioReaderTests.read(text)
      #expect(file.life.seed == seed && !file.life.scene.scene.deeds.isEmpty)
      texts.insert(text)
    }
    #expect(texts.count == 80)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>) func whatIsDrawnIsLived(_ seed: UInt64) throws {
    let file = try ScenarioReaderTests.read(ScenarioFile.drawn(seed: seed))
    #expect(try ScenarioRun(file).live().failures == [])
  }
}
