import FoundationEssentials
import Glibc
import LinuxDevices
import Quantities
import Recording
import TrackerRuntime
import StorageSupport
import Testing
import TrackerCore
import Uplinks

@testable import LinuxRuntime

private func fix(_ time: Instant, _ latitude: Double = 52) -> GNSSFix {
  var fix = GNSSFix(time: time)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: 4.5)
  return fix
}

/// What a board keeps, sends and shows over its life.
@Suite struct BoardLifeTests {
  /// At the moment a packet is given to the server, a power cut would leave it in the file.
  @Test func everyPacketThatLeavesIsOnTheStorage() throws {
    let folder = try Folder(isInMemory: true)
    let other = try Folder(isInMemory: true)
    let trace = StorageTrace(folder.path)
    var board = Board(folder)
    board.configuration.recording = nil
    board.uplink.acknowledges = false
    var seen = 0
    board.uplink.onTake = { packet in
      seen += 1
      other.empty()
      trace.image().write(after: .everything, from: folder.path, to: other.path)
      do {
        let kept = try StateStore(path: other("state.db"), clock: MachineClock()).restoration() ?? []
        var next = Tracker()
        let isRestored = next.restore(kept.span, at: .zero)
        #expect(isRestored)
        var numbers: [UInt32] = []
        for place in 0..<next.outbox.count { numbers.append(next.outbox.packet(at: place).sequence) }
        #expect(numbers.contains(packet.sequence))
      } catch {
        Issue.record("\(error)")
      }
    }
    let run = try board.start()
    for request in ["locate", "alerts off", "locate", "alerts on"] { #expect(run.request(request)) }
    #expect(seen >= 4)
    run.stop()
  }

  /// Whatever goes in is in the recording before it can do anything, and what it does stands behind it.
  @Test func inputsAreRecordedBeforeTheyAreTaken() throws {
    let folder = try Folder()
    let board = Board(folder)
    let run = try board.start()
    #expect(run.request("locate"))
    run.stop()
    let name = try #require(RideRecorder.files(in: folder("rides")).first?.name)
    let reader = try LeashLogReader(path: folder("rides/\(name)"))
    var words: [String] = []
    while let record = try reader.next() {
      switch record {
      case .input(.command): words.append("in " + String(decoding: reader.payload, as: UTF8.self))
      case .input(.settlement(_, _, _, true)): words.append("delivered")
      case .output(let port, _): words.append("out \(port)")
      default: break
      }
    }
    #expect(words == ["in @0 locate", "out 1", "out 16", "delivered"])
  }

  @Test func withoutASeedOfTheOwnersEachRunDrawsItsOwn() throws {
    func seeds(_ isFixed: Bool) throws -> [UInt64] {
      try (0..<3).map { _ in
        let folder = try Folder()
        var board = Board(folder)
        board.configuration.hasFixedSeed = isFixed
        board.configuration.tracker.seed = 77
        try board.start().stop()
        let name = try #require(RideRecorder.files(in: folder("rides")).first?.name)
        let reader = try LeashLogReader(path: folder("rides/\(name)"))
        _ = try reader.next()
        return try RunConfiguration(text: String(decoding: reader.payload, as: UTF8.self)).seed
      }
    }
    #expect(try seeds(true) == [77, 77, 77])
    #expect(Set(try seeds(false)).count == 3)
  }

  @Test func aWayThatCanNotStartIsToldAndAStateInUseToo() throws {
    let folder = try Folder()
    let board = Board(folder)
    board.uplink.refusal = DeviceFailure(.open, "/nowhere.pem", errorNumber: ENOENT, .other)
    let refused = #expect(throws: DeviceFailure.self) { try board.start() }
    #expect(refused?.path == "/nowhere.pem")
    let first = Board(try Folder())
    let run = try first.start()
    var second = Board(try Folder())
    second.configuration.stateFile = first.configuration.stateFile
    let busy = #expect(throws: DeviceFailure.self) { try second.start() }
    #expect(busy?.message.contains("busy") == true)
    run.stop()
    #expect(first.uplink.isStopped && first.sensor.stopCount == 1)
    #expect(access(first.configuration.stateFile, F_OK) == 0)
    #expect(try StateStore(path: first.configuration.stateFile, clock: MachineClock()).restoration() != nil, "let go")
  }

  /// An acknowledgement that came with the last turn is not forgotten by the stop.
  @Test func whatWasAcknowledgedBeforeTheStopIsNotSentAgain() throws {
    let folder = try Folder()
    let board = Board(folder)
    board.uplink.acknowledges = false
    let run = try board.start()
    #expect(run.request("locate") && run.request("locate"))
    let numbers = board.uplink.taken.map(\.sequence)
    #expect(numbers.count == 2 && run.delivery.count == 2)
    board.uplink.tell(.delivered(sequence: numbers[0]))
    run.stop()
    let next = Board(folder)
    next.uplink.acknowledges = false
    let later = try next.start()
    #expect(next.uplink.taken.map(\.sequence) == [numbers[1]])
    #expect(later.status(version: "").outbox.waiting.map(\.sequence) == [numbers[1]])
    later.stop()
  }

  @Test func aStorageThatIsFullForAWhileIsShownAndKeptOnTheLoopsTime() throws {
    let folder = try Folder(isInMemory: true)
    let board = Board(folder)
    let run = try board.start()
    let trace = StorageTrace(folder.path)
    try run.store.refuseChanges(true)
    #expect(run.request("alerts off"))
    #expect(run.status(version: "").store.problem?.contains("state.db") == true)
    #expect(run.status(version: "").store.failures >= 1)
    let due = try #require(run.store.nextDeadline)
    #expect(run.loop.nextDeadline.map { $0 <= due } == true, "the loop wakes for it")
    try run.store.refuseChanges(false)
    run.advance(to: due)
    #expect(run.status(version: "").store.problem == nil)
    _ = consume trace
    run.stop()
  }

  /// On a board where nothing more happens, too, what was recorded is in the file a second later.
  @Test func whatWasRecordedOnAQuietBoardIsHandedOver() throws {
    let folder = try Folder()
    let board = Board(folder)
    let run = try board.start()
    run.advance(to: MonotonicClock.now + .seconds(2))
    #expect(run.recorder?.nextDeadline == nil)
    board.sensor.sink(.inertial(InertialSample(time: MonotonicClock.now, specificForce: Vector3(0, 0, 9.8))))
    let due = try #require(run.recorder?.nextDeadline)
    #expect(run.loop.nextDeadline.map { $0 <= due } == true, "the loop wakes for it")
    run.advance(to: due)
    let reader = try LeashLogReader(path: folder("rides/run-000001-001.leash"))
    var samples = 0
    while let record = try reader.next() { if case .input(.inertial) = record { samples += 1 } }
    #expect(samples == 1 && run.recorder?.nextDeadline == nil)
    run.stop()
  }

  // MARK: Status

  @Test func aPositionIsStaleOnceItIsOlderThanTheSetting() throws {
    for (limit, isStale) in [(Interval(microseconds: 1), true), (.seconds(60), false)] {
      var board = Board(try Folder())
      board.configuration.tracker.tracker.reports.staleAfter = limit
      let run = try board.start()
      let time = MonotonicClock.now
      board.sensor.sink(.fix(fix(time)))
      let position = try #require(run.status(version: "").position)
      #expect(position.isStale == isStale && position.ageSeconds > 0)
      #expect(position.ageSeconds <= (MonotonicClock.now - time).secondsDouble)
      run.stop()
    }
  }

  @Test func everyFieldOfTheStatusIsWhatItSays() throws {
    let folder = try Folder()
    let board = Board(folder)
    board.uplink.acknowledges = false
    let run = try board.start()
    var place = fix(MonotonicClock.now, 52.25)
    place.utc = UTCTime(microseconds: 1_700_000_000_000_000)
    place.horizontalAccuracy = 3.5
    place.speed = 1.25
    place.course = Double.pi / 2
    place.heightAboveSeaLevel = -4
    place.satellitesUsed = 9
    board.sensor.sink(.fix(place))
    #expect(run.request("locate") && run.request("alerts off") && run.request("odometer set 12000"))
    board.sensor.failure = DeviceFailure(.read, "port", .explained("gone"))
    board.uplink.facts = [("sent", "3")]
    run.turn(until: MonotonicClock.now)
    board.uplink.state = .failed(reason: "down", retryAt: MonotonicClock.now + .seconds(30))
    let status = run.status(version: "7")
    let position = try #require(status.position)
    #expect(position.latitudeDegrees == 52.25 && position.longitudeDegrees == 4.5 && position.accuracyMetres == 3.5)
    #expect(position.speedMetresPerSecond == 1.25 && position.courseDegrees == 90 && position.altitudeMetres == -4)
    #expect(position.satellites == 9 && !position.isStale)
    #expect(status.utc?.hasPrefix("2023-11-14T22:13:2") == true && status.lastAlert == 0)
    #expect(!status.alertsEnabled && !status.isArmed && status.odometerMetres == 12_000 && status.lastRideMetres == 0)
    let odometer = try #require(status.odometer)
    #expect(odometer.source == "corrected" && odometer.uncertaintyMetres == 0)
    #expect(odometer.change?.beforeMetres == 0 && odometer.change?.afterMetres == 12_000)
    #expect(odometer.change?.time?.hasPrefix("2023-11-14T22:13:2") == true && odometer.change?.request == nil)
    let sensor = status.sensors[0]
    #expect(sensor.name == "fake sensor" && sensor.state == "failed" && sensor.reason == "port: gone")
    #expect(sensor.inputs == 1 && sensor.failures == 1 && (0...1).contains(sensor.retryInSeconds ?? -1))
    #expect((0..<5).contains(sensor.lastInputSeconds ?? -1))
    let uplink = status.uplinks[0]
    #expect(uplink.name == "fake uplink" && uplink.state == "failed" && uplink.reason == "down")
    #expect((29...30).contains(uplink.retryInSeconds ?? -1) && uplink.inputs == nil && uplink.failures == nil)
    #expect(uplink.facts == [BoardStatus.Fact(name: "sent", value: "3")])
    let waiting = status.outbox.waiting
    #expect(waiting.map(\.sequence) == board.uplink.taken.map(\.sequence) && waiting.count >= 1)
    #expect(waiting.allSatisfy { $0.kind == "location" || $0.kind == "status" } && waiting[0].attempts == 1)
    #expect(waiting.allSatisfy { (0..<5).contains($0.ageSeconds ?? -1) })
    #expect(status.outbox.capacity == 32 && status.outbox.acknowledged == 0 && status.outbox.evicted == 0)
    #expect(status.outbox.refused == 0 && status.outbox.retries == 0)
    #expect(status.store.path == folder("state.db") && status.store.commits == run.store.commitCount)
    #expect(status.store.failures == 0 && status.store.problem == nil && status.store.remark == nil)
    #expect(status.store.longestCommitMilliseconds == run.store.longestCommit.secondsDouble * 1000)
    #expect(status.recording?.folder == folder("rides") && status.recording?.file == "run-000001-001.leash")
    #expect(status.recording?.bytes == run.recorder?.byteCount && status.recording?.lost == 0)
    #expect(status.recording?.removed == 0 && status.recording?.problem == nil)
    #expect(status.process.id == Int(getpid()) && status.process.turns >= 1 && status.process.cpuSeconds > 0)
    #expect((0..<60).contains(status.process.uptimeSeconds))
    #expect(status.process.longestTurnMilliseconds == run.loop.longestTurn.secondsDouble * 1000)
    #expect(run.summary.text.hasSuffix("; \(waiting.count) packets wait"))
    board.uplink.state = .opening
    #expect(run.status(version: "").uplinks[0].state == "opening")
    board.uplink.state = .idle
    #expect(run.status(version: "").uplinks[0].state == "idle")
    for packet in board.uplink.taken { board.uplink.tell(.delivered(sequence: packet.sequence)) }
    run.turn(until: MonotonicClock.now)
    #expect(run.status(version: "").outbox.acknowledged == waiting.count)
    #expect(
      run.summary.text == "settling"
        && BoardRun.Summary(phase: .parked, isArmed: true, waitingCount: 0).text == "parked, armed")
    run.stop()
  }

  @Test func thePageGetsWhatIsNewerThanItHas() throws {
    struct News: Decodable {
      var newest: Int
      var track: [LiveHistory.TrackPoint]
      var happenings: [LiveHistory.Happening]
    }
    func news(_ run: BoardRun, _ number: Int) throws -> News {
      try JSONDecoder().decode(News.self, from: Data(run.historyJSON(after: number)))
    }
    let board = Board(try Folder())
    let run = try board.start()
    let first = try news(run, 0)
    let start = MonotonicClock.now
    board.sensor.sink(.fix(fix(start, 51)))
    board.sensor.sink(.fix(fix(start, 51.5)))
    board.sensor.sink(.fix(fix(start + .milliseconds(1), 52)))
    #expect(run.request("locate"))
    let second = try news(run, first.newest)
    #expect(second.track.map(\.lat) == [51, 52], "one place for each time")
    #expect(second.happenings.map(\.what).contains("packet") && second.happenings.allSatisfy { $0.n > first.newest })
    #expect(try news(run, second.newest).track.isEmpty)
    #expect(try news(run, second.newest - 1).happenings.count + news(run, second.newest - 1).track.count == 1)
    #expect(String(decoding: run.dialogueJSON(after: 0), as: UTF8.self) == #"{"lines":[],"newest":0}"#)
    run.stop()
  }

  @Test func theHistoryKeepsTheLargestOfEachFifthOfASecond() throws {
    var history = LiveHistory()
    func add(_ milliseconds: Int, _ rate: Float?, _ force: Float?, _ evidence: Float) {
      history.add(
        InertialSample(
          time: .milliseconds(milliseconds), angularRate: rate.map { Vector3($0, 0, 0) },
          specificForce: force.map { Vector3(0, 0, $0) }), evidence: evidence)
    }
    add(0, 1, 9.80665, 0.5)
    add(100, 3, nil, 0.25)
    add(199, -2, 8.80665, .nan)
    #expect(history.curve.isEmpty)
    add(200, 0, 10, 0.1)
    let point = try #require(history.curve.first)
    #expect(history.curve.count == 1 && point.rate == 3 && point.t == 0.2 && point.evidence == 0.5)
    #expect(abs((point.force ?? 0) - 1) < 1e-5)
    add(210, nil, nil, 0)
    add(410, nil, nil, 0)
    #expect(history.curve.count == 2 && history.curve[1].rate == nil && history.curve[1].force == nil)
    add(1000, 1, nil, 0)
    add(900, 1, nil, 0)
    #expect(history.curve.count == 3, "time that goes back ends an entry")
    #expect(history.newest == 3)
    for number in 0..<301 { history.add("event", json: "\(number)", at: .zero) }
    #expect(history.happenings.count == 201 && history.happenings.first?.json == "100")
    #expect(history.happenings.last?.json == "300" && history.newest == 304)
  }
}
