import Foundation
import Quantities
import Telemetry
import Testing
import TrackerCore

@testable import LinuxRuntime

private func hour(_ hours: Double) -> Instant { VirtualBoard.hour(hours) }

/// A buzzer that notes when it was switched.
private final class NotedSound: SoundMaker {
  let now: () -> Instant
  private(set) var notes: [(time: Instant, isOn: Bool)] = []
  init(_ now: @escaping () -> Instant) { self.now = now }
  func set(isOn: Bool) { notes.append((now(), isOn)) }
}

extension VirtualInbox {
  /// The packets of a kind as JSON, with when they came.
  fileprivate func all(_ kind: PacketKind) throws -> [(time: Instant, json: [String: Any])] {
    try packets.filter { $0.kind == kind }.map { packet in
      (packet.time, try #require(try JSONSerialization.jsonObject(with: Data(packet.text.utf8)) as? [String: Any]))
    }
  }
}

/// Fences, places and alarms on the program of `leash run`, from the file and the sensors to the packets and the buzzer. The clock of the
/// board begins at 22:30 UTC of a Tuesday.
struct RuleBoardTests {
  /// A collar whose animal rests in the middle of its garden, walks 200 m north in 200 s at each of some hours, and is back two hours later.
  private func collar(_ folder: Folder, leaving hours: [Double]) throws -> VirtualBoard {
    let board = VirtualBoard(folder)
    board.configuration.rules = try rules(
      "{ fences: [{ number: 7, name: 'garden', active: true, circle: { latitude: 52, longitude: 4.5, radius: 50 } }] }")
    board.configuration.tracker.tracker.alertsEnabled = false
    board.thefts.times = hours.flatMap {
      [hour($0)..<hour($0) + .seconds(200), hour($0 + 2)..<hour($0 + 2) + .seconds(200)]
    }
    board.place = { time in
      var metres = 0.0
      var speed = 0.0
      for start in hours {
        let out = (time - hour(start)).secondsDouble
        let back = (time - hour(start + 2)).secondsDouble
        if out > 0 { metres = min(200, out) }
        if back > 0 { metres = max(0, 200 - back) }
        if (0..<200).contains(out) || (0..<200).contains(back) { speed = 1 }
      }
      return (GeodeticPosition(latitudeDegrees: 52 + metres / 111_265, longitudeDegrees: 4.5), speed)
    }
    return board
  }

  @Test func anExitIsToldEveryMinuteOverARestartUntilItIsFoundAndAnewAfterItWasBack() throws {
    let board = try collar(try Folder(isInMemory: true), leaving: [1, 4])
    try board.start()
    board.live(until: hour(1))
    #expect(try board.inbox.all(.fence).isEmpty)
    var status = try #require(board.run?.status(version: "").rules)
    #expect(status.fences.map(\.presence) == ["inside"] && status.state == "idle" && status.openAlert == nil)
    #expect(status.fences[0].isActive && status.fences[0].name == "garden" && status.fences[0].widthMetres == 50)

    board.live(until: hour(1.25))
    status = try #require(board.run?.status(version: "").rules)
    #expect(status.fences.map(\.presence) == ["outside"] && status.state == "alerting" && (status.openAlert ?? 0) > 0)
    var last = try #require(board.run?.status(version: "").alert)
    #expect(
      last.detector == "fence" && last.outcome == "unanswered" && last.number == status.openAlert
        && last.repetitions > 9)
    var alerts = try board.inbox.all(.fence)
    let first = try #require(alerts.first)
    // It crosses the edge after 50 s.
    #expect(first.time > hour(1) + .seconds(50) && first.time <= hour(1) + .seconds(170), "\(first.time - hour(1))")
    let fence = try #require(first.json["fence"] as? [String: Any])
    #expect(fence["name"] as? String == "garden" && fence["number"] as? Int == 7)
    for (before, after) in zip(alerts, alerts.dropFirst()) {
      #expect((59...62).contains((after.time - before.time).secondsDouble))
    }
    let count = alerts.count
    #expect(count > 10)

    board.stop()
    board.pass(until: hour(1.25) + .seconds(30))
    try board.start()
    board.live(until: hour(1.5))
    alerts = try board.inbox.all(.fence)
    #expect(alerts.count >= count + 14, "it goes on in the next life")
    func alert(_ packet: (time: Instant, json: [String: Any]), _ key: String) -> Int {
      (packet.json["alert"] as? [String: Any])?[key] as? Int ?? 0
    }
    let numbers = Set(alerts.map { alert($0, "id") })
    #expect(numbers.count == 1 && numbers.first == Int(status.openAlert ?? 0), "one alert, told again")
    let repetitions = alerts.map { alert($0, "repetition") }
    #expect(repetitions == repetitions.sorted() && Set(repetitions).count == repetitions.count, "\(repetitions)")

    let run = try #require(board.run)
    #expect(run.request("found") && run.lastAnswer == "found")
    last = try #require(run.status(version: "").alert)
    #expect(last.outcome == "found" && last.outcomeSeconds == 0)
    let told = alerts.count
    board.live(until: hour(2.9))
    #expect(try board.inbox.all(.fence).count == told, "silence")
    #expect(run.status(version: "").rules?.state == "suppressed")
    board.live(until: hour(4))
    #expect(
      run.status(version: "").rules?.state == "idle" && run.status(version: "").rules?.fences[0].presence == "inside")
    board.live(until: hour(4.1))
    let anew = try board.inbox.all(.fence).dropFirst(told)
    #expect(try !numbers.contains(alert(#require(anew.first), "id")))
    #expect(try board.inbox.all(.transition).count == 3, "out, in, out")
    #expect(run.status(version: "").alert?.outcome == "unanswered")
    board.live(until: hour(6.2))
    #expect(run.status(version: "").alert?.outcome == "returned")
    board.stop()
  }

  /// Home Assistant follows no position between an `enter` and its `leave`: one that nobody has yet is sent again in the next life, and
  /// what was crossed while the tracker was off is told then, under the same name.
  @Test func trap13ATransitionIsSentAgainAfterARestart() throws {
    let board = try collar(try Folder(isInMemory: true), leaving: [1])
    board.serverOutages.times = [hour(1)..<hour(1.5)]
    try board.start()
    board.live(until: hour(1.25))
    #expect(try board.inbox.all(.transition).isEmpty, "nobody has it")
    board.cut()
    board.pass(until: hour(1.3))
    try board.start()
    board.live(until: hour(2))
    func told() throws -> [String] {
      try board.inbox.all(.transition).map { packet in
        let fence = try #require(packet.json["fence"] as? [String: Any])
        let isEntry = try #require(fence["entered"] as? Bool)
        return "\(isEntry ? "enter" : "leave") \(fence["name"] ?? "")"
      }
    }
    #expect(try told() == ["leave garden"])
    // It comes back while it is off.
    board.cut()
    board.pass(until: hour(3.5))
    try board.start()
    board.live(until: hour(4))
    #expect(try told() == ["leave garden", "enter garden"])
    board.stop()
  }

  @Test func anAlarmRingsByTheClockOfItsZoneAndOneThatFellIntoASleepIsToldAsMissed() throws {
    let board = VirtualBoard(try Folder(isInMemory: true))
    board.configuration.rules = try rules(
      """
      { timeZone: 'CET-1CEST,M3.5.0,M10.5.0/3',
        fences: [{ number: 1, name: 'home', circle: { latitude: 52, longitude: 4.5, radius: 50 } },
          { number: 2, name: 'office', circle: { latitude: 53, longitude: 4.5, radius: 50 } }],
        alarms: [{ number: 1, label: 'Feed her', at: '07:30', inside: 1 },
          { number: 2, label: 'Coffee', at: '08:30', inside: 2 }] }
      """)
    let clock = board.clock
    let sound = NotedSound { clock.now }
    board.sound = sound
    try board.start()
    board.live(until: hour(1))
    var alarms = try #require(board.run?.status(version: "").rules?.alarms)
    #expect(
      alarms.map(\.label) == ["Feed her", "Coffee"]
        && alarms.map(\.rule) == ["at 07:30 daily inside 1", "at 08:30 daily inside 2"])
    #expect(alarms.map(\.next) == ["2023-11-15 07:30", "2023-11-15 08:30"], "on the clock there")
    #expect(try #require(alarms[0].nextSeconds).rounded() == 7 * 3600)
    // 06:30 UTC.
    board.live(until: hour(8) - .seconds(1))
    #expect(sound.notes.isEmpty)
    board.live(until: hour(10.5))
    let first = try #require(sound.notes.first)
    let last = try #require(sound.notes.last)
    #expect(first.isOn && first.time >= hour(8) && first.time <= hour(8) + .seconds(6))
    #expect(
      !last.isOn && (29...30).contains((last.time - first.time).secondsDouble),
      "half a minute, and nothing at the office")
    #expect(try reasons(board).filter { $0 != "ruleChanged" } == ["alarmRang"])

    board.live(until: hour(31))
    board.stop()
    board.pass(until: hour(32.5))
    let rings = sound.notes.count
    try board.start()
    board.live(until: hour(32.75))
    #expect(sound.notes.count == rings, "too late is too late")
    #expect(try reasons(board).suffix(1) == ["alarmMissed"])
    alarms = try #require(board.run?.status(version: "").rules?.alarms)
    #expect(alarms[0].next == "2023-11-17 07:30")
    board.stop()
  }

  private func reasons(_ board: VirtualBoard) throws -> [String] {
    try board.inbox.all(.status).compactMap { ($0.json["status"] as? [String: Any])?["reason"] as? String }
  }

  @Test func aParkingPlaceIsAskedAboutUntilItIsSaidWhatItIs() throws {
    let board = VirtualBoard(try Folder(isInMemory: true))
    try board.start()
    board.live(until: hour(1))
    let run = try #require(board.run)
    let question = try #require(run.status(version: "").rules?.placeQuestion)
    #expect(run.request("secure \(question) \"home\""))
    let status = try #require(run.status(version: "").rules)
    #expect(status.placeQuestion == nil && status.places.map(\.name) == ["home"] && status.places[0].isHere)
    #expect(status.places[0].latitudeDegrees == 52 && status.places[0].radiusMetres == 60)
    board.stop()
  }
}
