import MotionDetection
import NMEA
import Positioning
import Quantities
import Telemetry
import TrackerCore

/// What a tracker has to say, worked out anew from its manuals for every input, with what motion detection noticed as given.
///
/// It compares every packet and every event with that: place, times, age and staleness, distance, phase, alerts and their
/// numbers, evidence, rides, answers, and when the state is to be kept and the tracker is to be woken. It keeps whole histories where
/// the tracker keeps as little as it can, and shares no code with it but distances on the ellipsoid and the reader of sentences.
package struct ReferenceTracker {
  /// What goes into a tracker.
  package enum Input {
    case sample(Instant)
    case fix(GNSSFix)
    case reading(Reading)
    case bytes([UInt8], Port, Instant)
    case time(Instant)
    case command(Request, Instant)
    case acknowledgement(UInt32, Instant)

    var time: Instant {
      switch self {
      case .sample(let time), .time(let time), .bytes(_, _, let time), .command(_, let time),
        .acknowledgement(_, let time):
        time
      case .fix(let fix): fix.time
      case .reading(let reading): reading.time
      }
    }
  }

  /// A packet that must come; of some parts one of several is right.
  struct Expected {
    var kind: PacketKind
    var time: Instant
    var utc: [UTCTime?]
    /// Places in the list of phases of this input from which on the packet may have been made.
    var phaseFrom: Int
    var positions: [GNSSFix?]
    var distances: [Double]
    var alert: PacketAlert?
    var ride: (start: Instant, end: Instant, distance: Double)?
    var status: PacketStatus?
    var isLifeSign = false
  }

  /// What the tracker was made with.
  package let configuration: TrackerConfiguration
  /// What was not as it has to be, in words.
  package private(set) var problems: [String] = []
  /// When positions are to be reported.
  package internal(set) var reports: ReferenceReports
  private let line = ReceiverLine()
  var receiver: NMEAReceiver {
    _read { yield line.receiver }
    _modify { yield &line.receiver }
  }
  var now: Instant = .zero
  var firstInput: Instant?
  // Fixes.
  var lastFixTime: Instant?
  var lastSupply: SupplyReading?
  /// What the owner knows of power from outside, and the readings since that say otherwise, one after another.
  private var power: (isThere: Bool, otherwise: [Instant])?
  /// At which charges the battery was told to be low.
  private var toldLevels: Set<UInt8> = []
  /// What packets have said of power from outside, and in which minute; the first is what it was before all.
  private var toldPower: [(isThere: Bool, minute: Int64)] = []
  var lastFix: GNSSFix?
  var utcOffset: Interval?
  var lostSince: Instant?
  var isLost = true
  /// Fixes since the vehicle last rode or was alarmed.
  var standing: StandingMean?
  // The odometer.
  var odometer = ReferenceOdometer()
  var distance: Double { odometer.distance }
  var keptDistance = 0.0
  var rideStart = 0.0
  var lastRide = 0.0
  // The phase as the events tell it.
  var phase = MotionPhase.starting
  var alertsEnabled: Bool
  // Alarms.
  var alerts: UInt32 = 0
  var alarm: (first: UInt32, meter: Double)?
  var lastAlarm: ClosedRange<UInt32>?
  /// The last alert of the present alarm, when it was raised, and when and how often it is told again.
  var again: (alert: PacketAlert, raised: Instant, due: Instant)?
  /// Alerts that nobody is known to have.
  private var unheard: Set<UInt32> = []
  private var isAtFix = false
  // Packets.
  /// The number of the next packet.
  package internal(set) var nextSequence: UInt32 = 1
  /// Which of the tracker's lives it is.
  package internal(set) var boot: UInt32 = 1
  var waiting: Set<UInt32> = []
  /// Since when reports wait, those that are gone included.
  private var reportsSince: [UInt32: Instant] = [:]
  private var lastAnswer: Instant?
  var counts = TrackerDiagnostics.none
  // Of the input at hand.
  private var expected: [Expected] = []
  private var ownEvents: [(kind: TrackerEvent.Kind, time: Instant)] = []
  private var phases: [MotionPhase] = []
  private var offsets: [Interval?] = []
  private var isChanged = false
  /// Whether somebody who has a packet is all that has changed.
  private var isOnlyAnswered = true
  private var sampleCount = 0

  /// What a tracker has to say that has seen nothing.
  package init(_ configuration: TrackerConfiguration) {
    self.configuration = configuration
    reports = ReferenceReports(configuration.reports)
    alertsEnabled = configuration.alertsEnabled
  }

  // MARK: The input

  /// Takes in what a tracker was given and what it then said, before anything is sent.
  ///
  /// - Parameters:
  ///   - packets: Those that are new in its outbox.
  ///   - isKept: Whether it asked for its state to be kept.
  package mutating func check(
    _ input: Input, events: [TrackerEvent], packets: [Packet], isKept: Bool, of tracker: inout Tracker
  ) {
    expected = []
    ownEvents = []
    phases = [phase]
    offsets = [utcOffset]
    isChanged = false
    isOnlyAnswered = true
    if input.time.microseconds.magnitude > 1 << 62 {
      counts.timesImpossible &+= 1
    } else {
      work(input, events, &tracker)
    }
    if distance - keptDistance >= 100 { noteChange() }
    compare(events)
    compare(packets, &tracker)
    if isKept != isChanged { note("the state is \(isKept ? "" : "not ")to be kept after \(input)") }
    // That somebody has a packet is kept alone.
    if isChanged, !isOnlyAnswered { keptDistance = distance }
    for packet in packets where packet.kind.priority == .report { reportsSince[packet.sequence] = now }
    if !packets.isEmpty {
      waiting = []
      for place in 0..<tracker.outbox.count { waiting.insert(tracker.outbox.packet(at: place).sequence) }
    }
    sampleCount += 1
    if case .sample = input, events.isEmpty, sampleCount % 64 != 0 { return }
    compareState(&tracker)
  }

  private mutating func work(_ input: Input, _ events: [TrackerEvent], _ tracker: inout Tracker) {
    var motion: [(MotionEvent, Instant)] = []
    for event in events { if case .motion(let kind) = event.kind { motion.append((kind, event.time)) } }
    let isFirst = firstInput == nil
    if isFirst {
      firstInput = input.time
      reports.note(nil, at: input.time)
      now = input.time
      enter(.settling)
    }
    let isLater = input.time > now
    if isLater, let due = receiver.nextDeadline, due <= input.time {
      receiver.advance(to: input.time)
      takeFixes(&motion, &tracker)
    }
    if isLater { now = input.time }
    if case .time = input { takeMotion(&motion) }
    if isLater, let due = again?.due, due <= now {
      let present = now
      takeMotion(&motion, where: { $0 < present })
      // An alarm that ends at that instant has ended when it is told again.
      if case .quiet = motion.first?.0 { takeMotion(&motion, where: { $0 <= present }) }
      expectRepetition()
    }
    if isLater, let sign = reports.lifeSign, sign <= input.time { expectLifeSign() }
    switch input {
    case .sample, .time: takeMotion(&motion)
    case .fix(let fix): take(fix, &motion, &tracker)
    case .reading(let reading):
      takeMotion(&motion)
      if case .supply(let supply) = reading, supply.time >= lastSupply?.time ?? supply.time {
        lastSupply = supply
        let isLow = takeCharge(supply.supply)
        if isLow { expectNotice(.batteryLow) }
        if let isThere = supply.supply.isExternal, takePower(isThere, at: supply.time) {
          expectNotice(isThere ? .powerRestored : .powerLost)
        }
      }
    case .bytes(let bytes, .gnss, _):
      let present = now
      takeMotion(&motion, where: { $0 < present })
      for byte in bytes {
        receiver.receive([byte].span, at: now)
        takeFixes(&motion, &tracker)
      }
    case .bytes(let bytes, .uplink, _): counts.bytesIgnored &+= UInt64(bytes.count)
    case .bytes(_, .message, _), .bytes(_, .console, _): preconditionFailure("requests are given as such here")
    case .command(let request, _): take(request, &motion)
    case .acknowledgement(let sequence, _):
      if waiting.remove(sequence) != nil { isChanged = true } else { counts.acknowledgementsUnknown &+= 1 }
      takeAnswer()
    }
    takeMotion(&motion)
  }

  private mutating func takeFixes(
    _ motion: inout [(MotionEvent, Instant)], _ tracker: inout Tracker
  ) {
    while let fix = receiver.nextFix() { take(fix, &motion, &tracker) }
  }

  private mutating func take(
    _ fix: GNSSFix, _ motion: inout [(MotionEvent, Instant)], _ tracker: inout Tracker
  ) {
    let isRepeated = lastFixTime.map { fix.time <= $0 } ?? false
    if isRepeated || now - fix.time > configuration.reports.staleAfter {
      counts.fixesOutOfOrder &+= 1
      return
    }
    lastFixTime = fix.time
    if let utc = fix.utc {
      utcOffset = Interval(microseconds: utc.microseconds) - Interval(microseconds: fix.time.microseconds)
      offsets.append(utcOffset)
    }
    guard fix.position != nil, fix.mode == .twoDimensional || fix.mode == .threeDimensional else {
      counts.fixesWithoutPosition &+= 1
      if lostSince == nil { lostSince = fix.time }
      if !isLost, let since = lostSince, fix.time - since >= .seconds(30) {
        isLost = true
        ownEvents.append((.fixLost(since: since), now))
      }
      return
    }
    if isLost {
      isLost = false
      let since: Instant = lostSince ?? firstInput ?? fix.time
      // A fix may be of before the first input.
      let missed: Interval = fix.time > since ? fix.time - since : .zero
      ownEvents.append((.fixAcquired(after: missed), now))
    }
    lostSince = nil
    let firstOfFix = expected.count
    isAtFix = now - fix.time < .seconds(5)
    takeMotion(&motion)
    isAtFix = false
    // What the fix itself brought about shows the place of the fix or of the one before.
    for place in firstOfFix..<expected.count where expected[place].kind != .parking {
      expected[place].positions.append(fix)
    }
    odometer.take(fix, after: lastFix, isTravelling: tracker.monitor.isTravelling)
    lastFix = fix
    if phase == .riding || phase == .alarmed || phase == .stolen {
      standing = nil
    } else {
      stand(fix)
    }
    if reports.wants(fix, in: phase, isTravelling: tracker.monitor.isTravelling) {
      reports.note(fix, at: now)
      expect(.location, at: now)
    }
  }

  /// After a minute of silence where the vehicle is comes before where it was.
  private mutating func takeAnswer() {
    let isFirst = lastAnswer.map { now - $0 >= .seconds(60) } ?? true
    lastAnswer = now
    let ages = waiting.compactMap { reportsSince[$0] }.map { now - $0 }
    if isFirst, ages.count > 1, ages.contains(where: { $0 >= .seconds(60) }) { expect(.location, at: now) }
  }

  private mutating func noteChange() {
    isChanged = true
    isOnlyAnswered = false
  }

  private mutating func take(_ request: Request, _ motion: inout [(MotionEvent, Instant)]) {
    noteChange()
    switch request {
    case .setAlerts(let isOn):
      alertsEnabled = isOn
      takeMotion(&motion)
      expect(.status, at: now)
      expected[expected.count - 1].status = PacketStatus(reason: isOn ? .alertsOn : .alertsOff, alertsEnabled: isOn)
    case .dismiss(let alert):
      takeMotion(&motion)
      let isPresent = alert != 0 && alert == lastAlarm?.upperBound
      let isOpen = alarm != nil || again != nil
      let isOutdone =
        alert != 0 && !isPresent
        && lastAlarm.map { $0.contains(alert) || (isOpen && alert < $0.upperBound) } ?? false
      if isPresent {
        ownEvents.append((.dismissed(alert: alert), now))
        // What travels goes on as a ride, and says so itself.
        takeMotion(&motion)
        (alarm, again) = (nil, nil)
        if phase == .suspicious || phase == .alarmed || phase == .stolen { enter(.settling) }
      }
      expect(.status, at: now)
      expected[expected.count - 1].status = PacketStatus(
        reason: isPresent ? .dismissed : isOutdone ? .newerAlert : .unknownAlert, alertsEnabled: alertsEnabled)
    case .track(let interval, let duration):
      reports.goLive(every: interval, until: now + duration)
      ownEvents.append((.liveTracking(until: now + duration), now))
    case .locate:
      takeMotion(&motion)
      reports.note(nil, at: now)
      expect(.location, at: now)
    // Nothing here knows of settings that change; SettingChangeTests are about them.
    case .set: break
    case .get, .found, .foundAlert, .arm, .disarm, .ping, .info, .status, .sound, .privacy, .reboot, .setEnabled,
      .claim, .unclaim, .near, .away, .fence, .place, .alarm, .zone, .secure, .temporary, .snooze, .hush,
      .profile, .checkpoint, .odometer, .parking, .gear:
      preconditionFailure("the tests of these have no use for a reference")
    }
  }

  // MARK: What motion detection noticed

  private mutating func enter(_ next: MotionPhase) {
    phase = next
    phases.append(next)
  }

  private mutating func takeMotion(
    _ motion: inout [(MotionEvent, Instant)], where isWanted: (Instant) -> Bool = { _ in true }
  ) {
    while let (event, time) = motion.first, isWanted(time) {
      motion.removeFirst()
      noteChange()
      switch event {
      case .rideStarted:
        enter(.riding)
        rideStart = alarm?.meter ?? distance
        (alarm, again) = (nil, nil)
        expectDeparture(at: time)
      case .standing: enter(.settling)
      case .resumed(let onset, let since):
        enter(.riding)
        if onset - since >= .seconds(60) { expectDeparture(at: time) }
      case .travelledUnseen: enter(.riding)
      case .parked(_, let start, let end):
        enter(.parked)
        if let start, let end {
          lastRide = distance - rideStart
          expect(.ride, at: time)
          expected[expected.count - 1].ride = (start, end, lastRide)
        }
        expectParking(at: time)
      case .armed, .calmed: enter(.parked)
      case .disarmed:
        enter(.parked)
        (alarm, again) = (nil, nil)
      case .suspicious: enter(.suspicious)
      case .stolen: enter(.stolen)
      case .movement(let evidence):
        if phase != .stolen { enter(.alarmed) }
        alerts &+= 1
        if alarm == nil { alarm = (alerts, distance) }
        lastAlarm = (alarm?.first ?? alerts)...alerts
        expect(.movement, at: time)
        let alert = PacketAlert(id: alerts, evidence: evidence)
        expected[expected.count - 1].alert = alert
        again = (alert, time, time + configuration.reports.repeatInterval)
      case .quiet(_, let displacement):
        enter(.parked)
        // Its alert is told again until somebody answers.
        alarm = nil
        if let displacement, displacement >= configuration.motion.parkedDisplacement { expectParking(at: time) }
      }
    }
  }

  // MARK: Expectations

  private mutating func expect(_ kind: PacketKind, at time: Instant) {
    noteChange()
    let utcs = offsets.map { offset in offset.map { UTCTime(microseconds: time.microseconds) + $0 } }
    expected.append(
      Expected(
        kind: kind, time: time, utc: utcs, phaseFrom: phases.count - 1, positions: [lastFix], distances: [distance]))
  }

  /// The last alert is told again, unless nobody has it yet.
  private mutating func expectRepetition() {
    guard let (alert, raised, due) = again, due <= now else { return }
    let isLate = now - raised >= configuration.reports.repeatFor
    let next = now + (isLate ? configuration.reports.lateRepeatInterval : configuration.reports.repeatInterval)
    again = (alert, raised, next)
    guard unheard.isDisjoint(with: waiting) else { return }
    again?.alert.repetition += 1
    expect(.movement, at: now)
    expected[expected.count - 1].alert = again?.alert
  }

  /// The first fix of a ride is told, or the last known place where there is none.
  private mutating func expectDeparture(at time: Instant) {
    guard configuration.reports.phases.contains(.riding) else { return }
    if isAtFix || lastFix.map({ time - $0.time < .seconds(5) }) ?? false {
      reports.depart()
    } else {
      reports.note(nil, at: time)
      expect(.location, at: time)
    }
  }

  /// True when the battery has become low: of each level once, until it is charged by five more.
  private mutating func takeCharge(_ supply: Supply) -> Bool {
    guard let charge = supply.charge else { return false }
    let levels = (0..<configuration.readings.batteryLevels.count).map { configuration.readings.batteryLevels[$0] }
    toldLevels.formIntersection(toldLevels.filter { charge < $0 + 5 })
    let reached = Set(levels.filter { charge <= $0 })
    guard !reached.isSubset(of: toldLevels), supply.isCharging != true else { return false }
    toldLevels.formUnion(reached)
    ownEvents.append((.batteryLow(charge: charge), now))
    return true
  }

  private mutating func expectNotice(_ reason: StatusReason) {
    expect(.status, at: now)
    expected[expected.count - 1].status = PacketStatus(reason: reason, alertsEnabled: alertsEnabled)
  }

  /// True when packets say so: a change, and none in this minute and the five before.
  private mutating func takePower(_ isThere: Bool, at time: Instant) -> Bool {
    if let known = power, isThere != known.isThere {
      let otherwise = known.otherwise + [time]
      power = (known.isThere, otherwise)
      guard time - otherwise[0] >= configuration.readings.powerDelay else { return false }
      ownEvents.append((isThere ? .powerRestored : .powerLost, now))
    }
    power = (isThere, [])
    let minute = time.microseconds / 60_000_000
    guard let last = toldPower.last else {
      toldPower = [(isThere, -1_000_000)]
      return false
    }
    guard last.isThere != isThere, minute - last.minute > 5 else { return false }
    toldPower.append((isThere, minute))
    return true
  }

  private mutating func expectLifeSign() {
    expect(.location, at: now)
    expected[expected.count - 1].isLifeSign = true
    expected[expected.count - 1].phaseFrom = 0
    reports.note(nil, at: now)
  }

  /// The mean of the fixes since it stood, all else as in the last; without one the last.
  private mutating func expectParking(at time: Instant) {
    expect(.parking, at: time)
    guard let standing, var mean = lastFix else { return }
    mean.position = standing.position
    if let stated = mean.horizontalAccuracy, stated.isFinite { mean.horizontalAccuracy = standing.accuracy }
    expected[expected.count - 1].positions = [mean]
  }

  private mutating func stand(_ fix: GNSSFix) {
    let stated = fix.horizontalAccuracy ?? Double(configuration.motion.assumedAccuracy)
    guard let position = fix.position else { return }
    if let speed = fix.speed, speed >= 1.5 { standing = nil }
    if standing?.isElsewhere(position, stated) ?? true { standing = StandingMean(position, stated, at: fix.time) }
    standing?.take(position, stated, at: fix.time)
  }

  // MARK: Comparison

  mutating func note(_ problem: String) {
    if problems.count < 20 { problems.append("at \(now.secondsDouble) s: \(problem)") }
  }

  private mutating func compare(_ events: [TrackerEvent]) {
    let own = events.filter { if case .motion = $0.kind { false } else { true } }
    var left = own.filter { if case .packetRefused = $0.kind { false } else { true } }
    for (kind, time) in ownEvents {
      guard !left.isEmpty, left[0].kind == kind, left[0].time == time else {
        note("event \(kind) at \(time.secondsDouble) is missing; there is \(left.first.map { "\($0)" } ?? "nothing")")
        continue
      }
      left.removeFirst()
    }
    for event in left { note("event \(event) for no reason") }
    for event in events {
      let right = offsets.map { offset in offset.map { UTCTime(microseconds: event.time.microseconds) + $0 } }
      if !right.contains(event.utc) { note("event \(event): the UTC is \(right)") }
    }
  }

  private mutating func compare(_ packets: [Packet], _ tracker: inout Tracker) {
    var left = expected
    for packet in packets {
      if packet.sequence != nextSequence { note("packet \(packet.sequence) follows \(nextSequence &- 1)") }
      nextSequence = packet.sequence &+ 1
      if packet.kind == .movement { unheard.insert(packet.sequence) }
      if packet.boot != boot { note("packet \(packet.sequence) of life \(packet.boot), which is life \(boot)") }
      let place =
        left.first?.kind == packet.kind
        ? 0 : left.first?.isLifeSign == true ? left.dropFirst().firstIndex { $0.kind == packet.kind } : nil
      guard let place else {
        note("\(packet.kind) packet for no reason; due is \(left.first.map { "\($0.kind)" } ?? "nothing")")
        continue
      }
      compare(packet, left.remove(at: place))
    }
    // A packet for which there was no room was refused, or given up for another of the same input.
    guard tracker.outbox.count < 32 else { return }
    for missing in left { note("a \(missing.kind) packet is missing") }
  }

  private mutating func compare(_ packet: Packet, _ right: Expected) {
    let name = "\(packet.kind) packet \(packet.sequence)"
    if packet.time != right.time { note("\(name) is of \(packet.time.secondsDouble), not \(right.time.secondsDouble)") }
    if !right.utc.contains(packet.utc) { note("\(name): UTC \(String(describing: packet.utc)), not \(right.utc)") }
    if !phases[right.phaseFrom...].contains(packet.phase) { note("\(name): phase \(packet.phase), not \(phases)") }
    if packet.isArmed != isArmed(packet.phase) { note("\(name): armed is \(packet.isArmed) when \(packet.phase)") }
    if !right.distances.contains(where: { (Double(packet.distanceMetres) - min($0, 4_294_967_295)).magnitude <= 0.51 })
    {
      note("\(name): \(packet.distanceMetres) m travelled, not \(right.distances)")
    }
    if !right.positions.contains(where: { isRight(packet, $0) }) {
      note("\(name): \(packet) does not show \(right.positions)")
    }
    if packet.alert != right.alert {
      note("\(name): \(String(describing: packet.alert)), not \(String(describing: right.alert))")
    }
    let isKnown = lastSupply.map { packet.time - $0.time <= configuration.readings.lifetime && !$0.supply.isEmpty }
    let supply = isKnown == true ? lastSupply?.supply : nil
    if packet.supply != supply {
      note("\(name): \(String(describing: packet.supply)), not \(String(describing: supply))")
    }
    if packet.status != right.status { note("\(name): \(String(describing: packet.status))") }
    switch (packet.ride, right.ride) {
    case (nil, nil): break
    case (let ride?, let right?):
      if ride.start != right.start || ride.end != right.end
        || (Double(ride.distanceMetres) - max(0, right.distance)).magnitude > 0.51
      {
        note("\(name): \(ride), not \(right)")
      }
    default: note("\(name): \(String(describing: packet.ride)) where \(String(describing: right.ride))")
    }
  }

  private func isArmed(_ phase: MotionPhase) -> Bool {
    switch phase {
    case .starting, .riding, .settling: false
    case .parked: alertsEnabled
    case .suspicious, .alarmed, .stolen: true
    }
  }

  /// Whether a packet shows a fix as it was, with its age.
  private func isRight(_ packet: Packet, _ fix: GNSSFix?) -> Bool {
    guard let fix else { return packet.position == nil && !packet.isStale && packet.fixAge == .zero }
    guard var shown = packet.position else { return false }
    // Which others have a second is not for a packet alone to say.
    shown.addedSeconds = 0
    let age = max(.zero, packet.time - fix.time)
    guard var right = ReferenceTracker.position(of: fix) else { return false }
    // A mean is rounded at each of its fixes.
    if packet.kind == .parking, abs(shown.latitudeE7 - right.latitudeE7) <= 1,
      abs(shown.longitudeE7 - right.longitudeE7) <= 1
    {
      (right.latitudeE7, right.longitudeE7) = (shown.latitudeE7, shown.longitudeE7)
      if let own = shown.accuracyDecimetres, let accuracy = right.accuracyDecimetres,
        abs(Int64(own) - Int64(accuracy)) <= 1 + Int64(accuracy) / 1000
      {
        right.accuracyDecimetres = own
      }
    }
    return shown == right && packet.fixAge == age
      && packet.isStale == (age > configuration.reports.staleAfter)
  }

  private mutating func compareState(_ tracker: inout Tracker) {
    if tracker.monitor.phase != phase { note("phase \(tracker.monitor.phase), told was \(phase)") }
    if tracker.monitor.isArmed != isArmed(phase) { note("armed is \(tracker.monitor.isArmed) when \(phase)") }
    if tracker.monitor.alertsEnabled != alertsEnabled { note("alerts are \(tracker.monitor.alertsEnabled)") }
    // Theirs is the plane, ours the ellipsoid.
    if (tracker.distance - distance).magnitude > 0.01 { note("\(tracker.distance) m travelled, not \(distance)") }
    if (tracker.lastRideDistance - lastRide).magnitude > 0.01 {
      note("the last ride had \(tracker.lastRideDistance) m, not \(lastRide)")
    }
    // What is no number is not even equal to itself.
    let isSame = lastFix == lastFix ? tracker.lastFix == lastFix : tracker.lastFix?.time == lastFix?.time
    if !isSame { note("the last fix is \(String(describing: tracker.lastFix))") }
    if tracker.lastAlert != alerts { note("the last alert is \(tracker.lastAlert), not \(alerts)") }
    if tracker.now != now { note("the time is \(now.secondsDouble), not \(tracker.now.secondsDouble)") }
    let told = utcOffset.map { UTCTime(microseconds: now.microseconds) + $0 }
    if tracker.utc(of: now) != told { note("the UTC is \(String(describing: told))") }
    let seen = tracker.diagnostics
    if seen.fixesOutOfOrder != counts.fixesOutOfOrder || seen.fixesWithoutPosition != counts.fixesWithoutPosition
      || seen.timesImpossible != counts.timesImpossible || seen.bytesIgnored != counts.bytesIgnored
      || seen.acknowledgementsUnknown != counts.acknowledgementsUnknown
    {
      note("the counts are \(seen), not \(counts)")
    }
  }

  // The tracker comes as `inout`, though nothing changes it: Swift 6.3 takes minutes to check a function that borrows a value of
  // so many fields and looks at several of them.

  /// When a tracker must be woken: no part may have to wait, and none is woken for nothing.
  package mutating func checkDeadline(of tracker: inout Tracker) {
    var earliest: Instant?
    for due in [
      tracker.monitor.nextDeadline, receiver.nextDeadline, reports.lifeSign, again?.due, tracker.outbox.nextDeadline,
    ] {
      if let due { earliest = min(earliest ?? due, due) }
    }
    if let due = earliest, due.microseconds.magnitude > 1 << 62 { earliest = nil }
    if tracker.nextDeadline != earliest {
      note("wakes at \(String(describing: tracker.nextDeadline)), due is \(String(describing: earliest))")
    }
  }
}

extension TrackerDiagnostics {
  fileprivate static var none: TrackerDiagnostics { Tracker().diagnostics }
}

/// Holds what can't be copied; a reference tracker is never copied while it is used.
private final class ReceiverLine {
  var receiver = NMEAReceiver()
}
