import Glibc
import LinuxDevices
import MotionDetection
import Quantities
import SIM7000
import TrackerRuntime
import Telemetry
import TrackerCore
import Uplinks

/// How it stands, for `leash status` and the local page.
extension BoardRun {
  /// How it stands now.
  ///
  /// - Parameter version: Of the program.
  package func status(version: String) -> BoardStatus {
    let now = loop.clock.now
    var devices = sensors.map { device($0, now) }
    if let receiver { devices.append(device(receiver, now)) }
    return run.look { tracker in
      BoardStatus(
        version: version,
        trackerID: String(decoding: bytes(of: tracker.configuration.trackerID.span), as: UTF8.self),
        utc: tracker.utc(of: now).map(isoText), phase: "\(tracker.monitor.phase.name)",
        isArmed: tracker.monitor.isArmed, alertsEnabled: tracker.monitor.alertsEnabled,
        isDisabled: tracker.isDisabled ? true : nil, owner: owner(of: tracker), lastAlert: tracker.lastAlert,
        alert: alert(isOpen: tracker.isAlarmOpen || tracker.openFenceAlert == alarms.last?.number, now),
        parkedSeconds: parkedSeconds(tracker.monitor.phase, now),
        liveSeconds: alarms.liveUntil.flatMap { $0 > now ? ($0 - now).secondsDouble : nil },
        rules: rulesStatus(of: tracker, now),
        profile: tracker.profile.map { BoardStatus.ProfileStatus($0, on: tracker.utc(of: now)?.date) },
        gear: run.lookAtGear { BoardStatus.GearSummary($0) },
        activity: run.lookAtActivity { BoardStatus.ActivityStatus($0) },
        requests: heard.entries(with: run.untoldRefusals).map { asked($0, now) },
        pageTakesRequests: takesPageRequests,
        odometerMetres: Double(tracker.odometer.metres), odometer: BoardStatus.OdometerStatus(tracker.odometer),
        lastRideMetres: tracker.lastRideDistance,
        trip: tracker.lastTrip.map { trip in BoardStatus.TripStatus(trip, at: now) { tracker.utc(of: $0) } },
        rides: run.lookAtGear { BoardStatus.RideStatus.last(of: $0) },
        position: position(tracker.lastFix, staleAfter: tracker.configuration.reports.staleAfter, now),
        tiltSinceParkingDegrees: tracker.monitor.tiltSinceParking.map { Double($0) * 180 / .pi },
        movementEvidence: finite(tracker.monitor.estimator.rest.evidence.activity),
        sensors: devices, uplinks: uplinks.map { device($0, now) }, outbox: outbox(tracker.outbox, now),
        store: storeStatus, recording: recordingStatus, counters: counters(tracker.diagnostics), process: process(now))
    }
  }

  private func owner(of tracker: borrowing Tracker) -> String {
    configuration.requests.key != nil ? "file" : tracker.isClaimed ? "claimed" : "none"
  }

  /// Packets that somebody does not have yet, those in the spool included; all are kept for the next life.
  package var unsentCount: Int { run.look { $0.outbox.count } + store.spool.count }

  /// The status as JSON, keys in the order of the alphabet.
  package func statusJSON(version: String) -> [UInt8] { jsonBytes(status(version: version)) }

  /// What is newer than an entry, for the local page.
  package func historyJSON(after number: Int) -> [UInt8] {
    struct News: Encodable {
      var newest: Int
      var now: Double
      var track: [LiveHistory.TrackPoint]
      var curve: [LiveHistory.CurvePoint]
      var happenings: [LiveHistory.Happening]
    }
    return jsonBytes(
      News(
        newest: history.newest, now: loop.clock.now.secondsDouble, track: history.track.filter { $0.n > number },
        curve: history.curve.filter { $0.n > number }, happenings: history.happenings.filter { $0.n > number }))
  }

  /// What was said to and by the modem after a line, for the local page; passwords are not in it.
  package func dialogueJSON(after number: Int) -> [UInt8] {
    struct Line: Encodable {
      var n: Int
      var t: Double
      var out: Bool
      var text: String
    }
    struct Dialogue: Encodable {
      var newest: Int
      var lines: [Line]
    }
    let lines = (modem?.dialogue ?? []).map {
      Line(n: $0.number, t: $0.time.secondsDouble, out: $0.isToModem, text: $0.text)
    }
    return jsonBytes(Dialogue(newest: lines.last?.n ?? 0, lines: lines.filter { $0.n > number }))
  }

  /// What matters now.
  package struct Summary: Equatable, Sendable {
    var phase: MotionPhase
    var isArmed: Bool
    var waitingCount: Int

    /// In a few words.
    package var text: String {
      let phase = "\(phase.name)" + (isArmed ? ", armed" : "")
      return waitingCount == 0 ? phase : "\(phase); \(waitingCount) packets wait"
    }
  }

  /// What matters now.
  package var summary: Summary {
    Summary(phase: run.phase, isArmed: run.isArmed, waitingCount: run.look { $0.outbox.count })
  }

  /// Length of the ride that ended last, m.
  package var lastRideDistance: Double { run.lastRideDistance }

  private func position(_ fix: GNSSFix?, staleAfter: Interval, _ now: Instant) -> BoardStatus.Position? {
    guard let fix, let position = fix.position else { return nil }
    let age = max(.zero, now - fix.time)
    return BoardStatus.Position(
      latitudeDegrees: position.latitudeDegrees, longitudeDegrees: position.longitudeDegrees,
      accuracyMetres: fix.horizontalAccuracy, speedMetresPerSecond: fix.speed,
      courseDegrees: fix.course.map { $0 * 180 / .pi }, altitudeMetres: fix.heightAboveSeaLevel,
      satellites: fix.satellitesUsed.map(Int.init), ageSeconds: age.secondsDouble, isStale: age > staleAfter)
  }

  private func alert(isOpen: Bool, _ now: Instant) -> BoardStatus.AlertStatus? {
    guard let alert = alarms.last else { return nil }
    let age = alert.time.map { (now - $0).secondsDouble }
    return BoardStatus.AlertStatus(
      number: alert.number, ageSeconds: age.flatMap { $0 >= 0 ? $0 : nil },
      detector: "\(alert.evidence.detector.name)", ratio: finite(alert.evidence.ratio),
      repetitions: Int(alert.repetition),
      outcome: alert.isNotice ? "notice" : alert.end?.rawValue ?? (isOpen ? "unanswered" : "over"),
      outcomeSeconds: alert.endedAt.map { (now - $0).secondsDouble })
  }

  private func parkedSeconds(_ phase: MotionPhase, _ now: Instant) -> Double? {
    switch phase {
    case .parked, .suspicious, .alarmed, .stolen: alarms.parkedSince.map { (now - $0).secondsDouble }
    default: nil
    }
  }

  private func asked(_ entry: RequestHistory.Entry, _ now: Instant) -> BoardStatus.RequestStatus {
    BoardStatus.RequestStatus(
      ageSeconds: max(0, (now - entry.time).secondsDouble), channel: name(ofChannel: entry.channel),
      request: entry.kind.map { "\($0.word)" }, number: entry.number > 0 ? entry.number : nil,
      answer: entry.answer.map { "\($0.name)" }, refused: entry.refusal.map { "\($0.word)" },
      times: entry.refusal == nil ? nil : entry.times)
  }

  private func name(ofChannel channel: UInt8) -> String {
    guard let place = RequestOrigin.way(ofChannel: channel), delivery.ways.indices.contains(place),
      let uplink = delivery.ways[place].port as? any Uplink
    else { return RequestOrigin.name(ofChannel: channel) }
    return uplink.name + transport(ofWay: place)
  }

  /// Which of several ways of the modem a way is; empty where a port has only one.
  private func transport(ofWay place: Int) -> String {
    let way = delivery.ways[place]
    guard delivery.ways.count(where: { $0.port === way.port }) > 1,
      let transport = way.channel.flatMap({ ModemTransport(rawValue: $0) })
    else { return "" }
    return " by \(transport)"
  }

  private func device(_ sensor: SupervisedSensor, _ now: Instant) -> BoardStatus.Device {
    let failure = sensor.state.failure
    return BoardStatus.Device(
      name: sensor.source.name, state: sensor.state.word, reason: failure?.reason,
      retryInSeconds: failure.map { max(0, ($0.retryAt - now).secondsDouble) }, inputs: sensor.inputCount,
      hertz: sensor.hertz(at: now), lastInputSeconds: sensor.lastInput.map { (now - $0).secondsDouble },
      failures: sensor.failureCount, facts: sensor.source.facts.map { BoardStatus.Fact(name: $0.name, value: $0.value) }
    )
  }

  private func device(_ uplink: any Uplink, _ now: Instant) -> BoardStatus.Device {
    var device = BoardStatus.Device(
      name: uplink.name, state: "idle", facts: uplink.facts.map { BoardStatus.Fact(name: $0.name, value: $0.value) })
    switch uplink.state {
    case .idle: break
    case .opening: device.state = "opening"
    case .open where uplink.doubt != nil:
      device.state = "failed"
      device.reason = uplink.doubt
    case .open: device.state = "open"
    case .failed(let reason, let retryAt):
      device.state = "failed"
      device.reason = reason
      device.retryInSeconds = retryAt.map { max(0, ($0 - now).secondsDouble) }
    }
    for (place, way) in delivery.ways.enumerated() where way.port === uplink {
      let own = transport(ofWay: place)
      if let refusal = delivery.refusals[place] {
        device.facts.append(BoardStatus.Fact(name: "last refusal" + own, value: refusal))
      }
      if let shortening = delivery.shortenings[place] {
        device.facts.append(BoardStatus.Fact(name: "last shortened" + own, value: shortening))
      }
    }
    return device
  }

  private func outbox(_ outbox: borrowing Outbox<32>, _ now: Instant) -> BoardStatus.OutboxStatus {
    var waiting: [BoardStatus.WaitingPacket] = []
    for place in 0..<outbox.count {
      let packet = outbox.packet(at: place)
      let age = (now - packet.time).secondsDouble
      waiting.append(
        BoardStatus.WaitingPacket(
          sequence: packet.sequence, kind: "\(packet.kind.name)", attempts: delivery.attempts(of: packet.sequence),
          ageSeconds: age >= 0 ? age : nil))
    }
    let spool = store.spool
    return BoardStatus.OutboxStatus(
      waiting: waiting, capacity: 32, acknowledged: Int(outbox.acknowledgedCount),
      retries: Int(delivery.counts.retries),
      evicted: Int(outbox.evictedCount), refused: Int(outbox.refusedCount),
      spooled: spool.count > 0 ? spool.count : nil, thinned: spool.thinnedCount > 0 ? spool.thinnedCount : nil)
  }

  private var storeStatus: BoardStatus.StoreStatus {
    BoardStatus.StoreStatus(
      path: store.path, commits: store.commitCount, failures: store.failureCount,
      longestCommitMilliseconds: store.longestCommit.secondsDouble * 1000,
      unkept: store.unkeptCount > 0 ? store.unkeptCount : nil, problem: store.problem, remark: store.remark)
  }

  private var recordingStatus: BoardStatus.RecordingStatus? {
    recorder.map {
      BoardStatus.RecordingStatus(
        folder: $0.settings.folder, file: $0.file, bytes: $0.byteCount, lost: $0.lostCount, removed: $0.removedCount,
        problem: $0.problem)
    }
  }

  private func counters(_ counts: TrackerDiagnostics) -> [BoardStatus.Fact] {
    let all: [(String, UInt64)] = [
      ("samplesOutOfOrder", UInt64(counts.samplesOutOfOrder)), ("samplesInvalid", UInt64(counts.samplesInvalid)),
      ("samplesClipped", UInt64(counts.samplesClipped)), ("sensorFaults", UInt64(counts.sensorFaults)),
      ("fixesOutOfOrder", UInt64(counts.fixesOutOfOrder)),
      ("fixesWithoutPosition", UInt64(counts.fixesWithoutPosition)),
      ("timesImpossible", UInt64(counts.timesImpossible)), ("bytesIgnored", counts.bytesIgnored),
      ("actionsDropped", UInt64(counts.actionsDropped)), ("packetsEvicted", UInt64(counts.packetsEvicted)),
      ("packetsRefused", UInt64(counts.packetsRefused)), ("packetsExpired", UInt64(counts.packetsExpired)),
      ("packetsUncarried", UInt64(counts.packetsUncarried)),
      (
        "requestsRefused",
        UInt64(run.diagnostics.requestsRefused) + UInt64(delivery.lostRequestCount + run.untoldRefusalCount)
      ),
      ("requestsRepeated", UInt64(delivery.repeatedRequestCount)),
      ("messagesUnsealed", UInt64(delivery.unsealedCount)),
      ("pageRequestsRefused", UInt64(refusedByPage)),
      ("acknowledgementsUnknown", UInt64(counts.acknowledgementsUnknown)),
    ]
    return all.filter { $0.1 > 0 }.map { BoardStatus.Fact(name: $0.0, value: "\($0.1)") }
  }

  private func process(_ now: Instant) -> BoardStatus.ProcessStatus {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return BoardStatus.ProcessStatus(
      id: Int(getpid()), uptimeSeconds: (now - startedAt).secondsDouble,
      cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), residentKibibytes: residentKibibytes(),
      turns: Int(clamping: loop.turnCount), longestTurnMilliseconds: loop.longestTurn.secondsDouble * 1000)
  }
}

/// Memory of this process that is in use now, KiB; 0 when it can't be told.
///
/// - Source: proc(5), `/proc/self/statm`, second field, in pages.
func residentKibibytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var text = [CChar](repeating: 0, count: 128)
  guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
  let words = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
    separator: " ")
  guard words.count > 1, let pages = Int(words[1]) else { return 0 }
  return pages * (sysconf(Int32(_SC_PAGESIZE)) / 1024)
}

/// The number, or zero when JSON has none for it.
private func finite(_ value: Float) -> Double { value.isFinite ? Double(value) : 0 }

private func bytes(of span: Span<UInt8>) -> [UInt8] { span.withUnsafeBufferPointer { Array($0) } }
