import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// A tracker with everything it said, run as its documentation asks.
///
/// Every input goes to a reference, too, which says what must come of it; every event and packet is compared with that, with what
/// really happened, and with its own text. So each scene of each test checks all that a packet says.
struct Owner: ~Copyable {
  struct Sent {
    var sequence: UInt32
    var kind: PacketKind
    var json: String
    var time: Instant
    var packet: Packet
  }

  /// What is large: in every function with an owner the compiler follows each of its fields, and thousands took half of the time that
  /// these tests took to build.
  private final class Core {
    var tracker: Tracker
    var reference: ReferenceTracker
    var keptReference: ReferenceTracker?

    init(_ configuration: TrackerConfiguration) {
      tracker = Tracker(configuration: configuration)
      reference = ReferenceTracker(configuration)
    }
  }

  private let core: Core
  private(set) var tracker: Tracker {
    _read { yield core.tracker }
    _modify { yield &core.tracker }
  }
  private(set) var reference: ReferenceTracker {
    _read { yield core.reference }
    _modify { yield &core.reference }
  }
  private(set) var keptReference: ReferenceTracker? {
    _read { yield core.keptReference }
    _modify { yield &core.keptReference }
  }
  var truth: SceneTruth
  private(set) var events: [TrackerEvent] = []
  private(set) var sent: [Sent] = []
  /// Everything it ever noticed and made.
  private(set) var allEvents: [TrackerEvent] = []
  private(set) var allPackets: [Packet] = []
  private(set) var persistCount = 0
  /// What is kept: by its sections, each as it was named last.
  private var sections: [KeptFields.Section] = []
  var kept: [UInt8] { sections.flatMap(\.bytes) }
  private(set) var keptAt: Instant = .zero
  /// Whether the server answers at once.
  var acknowledges = true
  /// Where the vehicle is, metres north of 52° north, 4° east, and how far beside it the receiver says it is.
  var north = 0.0
  var wander = 0.0
  var clock: Instant = .zero
  var sensor: SimulatedSensor
  /// Whether time is brought to an input before the input comes, as the documentation asks.
  var isPunctual = true
  private var made: [UInt32: Packet] = [:]
  private var texts: [UInt32: String] = [:]
  private let isWatched: Bool
  /// What a life that loses power goes on from: one for each second of a scene.
  private(set) var moments: [Moment]?
  private var nextMoment: Instant = .zero
  /// Seconds until the tracker comes to be; until then everything happens without it.
  private var absence: (seconds: Int, moment: Moment)?

  /// - Parameter isWatched: False when the scene is not one a vehicle could live through, and only the reference judges.
  init(
    hertz: Int = 25, seed: UInt64 = 1, isWatched: Bool = true, change: (inout TrackerConfiguration) -> Void = { _ in }
  ) {
    var configuration = TrackerConfiguration()
    // The reference knows of no battery that is spared; ThriftTests are about that.
    configuration.savingLevel = 0
    change(&configuration)
    core = Core(configuration)
    truth = SceneTruth(configuration)
    sensor = SimulatedSensor(hertz: hertz, seed: seed)
    self.isWatched = isWatched
  }

  deinit {
    var truth = truth
    truth.finish(at: clock)
    for problem in (reference.problems + (isWatched ? truth.problems : [])).prefix(5) { Issue.record("\(problem)") }
  }

  /// Loses the tracker, as power does, and starts another from what was kept; the clock begins anew.
  mutating func restart(seed: UInt64 = 2, hertz: Int = 25) {
    restart(from: kept, keptReference, seed: seed, hertz: hertz)
  }

  mutating func restart(from state: [UInt8], _ old: ReferenceTracker?, seed: UInt64 = 2, hertz: Int = 25) {
    let configuration = tracker.configuration
    for problem in reference.problems.prefix(5) { Issue.record("\(problem)") }
    let attitude = sensor.earthFromBody
    tracker = Tracker(configuration: configuration)
    sensor = SimulatedSensor(hertz: hertz, seed: seed)
    sensor.earthFromBody = attitude
    truth.restart()
    clock = .zero
    reference = ReferenceTracker(configuration)
    sections = KeptFields.Section.all(in: state)
    if !state.isEmpty {
      let isRestored = tracker.restore(state.span, at: .zero)
      #expect(isRestored)
      // The number of the life, before anything goes out under it.
      guard case .persist(let sections) = tracker.nextAction(), sections == [.numbering, .mark] else {
        Issue.record("a restart keeps its number first, and nothing else")
        return
      }
      keep(sections)
      if let old {
        reference = old.restored(at: .zero)
        guard tracker.nextAction() == .event(event(reference.restoredEvent)) else {
          Issue.record("after a restart \(reference.restoredEvent) is told first")
          return
        }
        events.append(event(reference.restoredEvent))
      }
    }
    drain()
  }

  /// A second of a scene, and what was kept by then.
  struct Moment {
    var clock: Instant
    var north: Double
    var attitude: Quaternion
    var kept: [UInt8]
    /// When that was.
    var keptAt: Instant
    var reference: ReferenceTracker?
    var truth: SceneTruth
    var phase: MotionPhase
    var packets: Int
    var events: Int
  }

  /// Notes what happens from now on, for lives that lose power on the way.
  mutating func noteMoments() {
    moments = [moment]
    nextMoment = max(clock, sensor.time) + .seconds(1)
  }

  private var moment: Moment {
    Moment(
      clock: max(clock, sensor.time), north: north, attitude: sensor.earthFromBody, kept: kept,
      keptAt: keptAt, reference: keptReference, truth: truth, phase: tracker.monitor.phase, packets: allPackets.count,
      events: allEvents.count)
  }

  /// Another life of the same scene: power goes at one of its seconds. What happens before happens without a tracker, which gives
  /// the same as living it again, as all that it leaves is what was kept.
  ///
  /// - Parameter second: The place of the moment at which it loses power.
  mutating func losePower(at second: Int, of moments: [Moment]) {
    clock = moments[0].clock
    north = moments[0].north
    sensor.pause((clock - sensor.time).secondsDouble)
    sensor.earthFromBody = moments[0].attitude
    nextMoment = clock + .seconds(1)
    absence = (second, moments[second])
    endAbsence()
  }

  private mutating func endAbsence() {
    guard let absence, absence.seconds == 0 else { return }
    self.absence = nil
    truth = absence.moment.truth
    truth.note(north: north, at: clock)
    #expect(north == absence.moment.north)
    restart(from: absence.moment.kept, absence.moment.reference, hertz: sensor.hertz)
  }

  /// A second may be over.
  fileprivate mutating func noteTime(_ time: Instant) {
    guard moments != nil || absence != nil, time >= nextMoment else { return }
    nextMoment = time + .seconds(1)
    clock = max(clock, time)
    let present = moment
    moments?.append(present)
    absence?.seconds -= 1
    endAbsence()
  }

  private func event(_ kind: TrackerEvent.Kind) -> TrackerEvent {
    var event = TrackerEvent.sample
    event.kind = kind
    return event
  }

  // MARK: Doors

  mutating func process(_ fix: GNSSFix) {
    guard absence == nil else { return }
    tracker.process(fix)
    settle(.fix(fix))
  }

  mutating func process(_ sample: InertialSample) {
    guard absence == nil else { return }
    tracker.process(sample)
    settle(.sample(sample.time))
  }

  mutating func process(_ reading: Reading) {
    guard absence == nil else { return }
    tracker.process(reading)
    settle(.reading(reading))
  }

  mutating func receive(_ bytes: [UInt8], from port: Port = .gnss, at time: Instant) {
    guard absence == nil else { return }
    tracker.receive(bytes.span, from: port, at: time)
    settle(.bytes(bytes, port, time))
  }

  mutating func advance(to time: Instant) {
    guard absence == nil else { return }
    tracker.advance(to: time)
    settle(.time(time))
  }

  mutating func submit(_ request: Request, at time: Instant? = nil) {
    guard absence == nil else { return }
    tracker.submit(request, at: time ?? clock)
    settle(.command(request, time ?? clock))
  }

  mutating func acknowledge(_ sequence: UInt32, at time: Instant? = nil) {
    tracker.acknowledge(sequence, at: time ?? tracker.now)
    settle(.acknowledgement(sequence, time ?? tracker.now))
  }

  // MARK: What comes of it

  /// Fetches everything there is to do, has it judged, and does it.
  private mutating func settle(_ input: ReferenceTracker.Input) {
    var toAcknowledge = drain(after: input)
    var place = 0
    while place < toAcknowledge.count, place < 1000 {
      let sequence = toAcknowledge[place]
      place += 1
      tracker.acknowledge(sequence, at: tracker.now)
      toAcknowledge += drain(after: .acknowledgement(sequence, tracker.now))
    }
    if place == 1000 { Issue.record("packets without end") }
    core.reference.checkDeadline(of: &core.tracker)
  }

  /// Fetches what is to be done without an input.
  mutating func drain() {
    for sequence in drain(after: nil) { acknowledge(sequence) }
  }

  private mutating func drain(after input: ReferenceTracker.Input?) -> [UInt32] {
    var packets: [Packet] = []
    if input != nil, tracker.outbox.nextSequence != reference.nextSequence {
      for place in 0..<tracker.outbox.count {
        let packet = tracker.outbox.packet(at: place)
        if packet.sequence >= reference.nextSequence { packets.append(packet) }
      }
    }
    var told: [TrackerEvent] = []
    var isKept = false
    var isWhole = true
    var toSend: [(UInt32, PacketKind, String)] = []
    while let action = tracker.nextAction() {
      switch action {
      case .persist(let sections):
        #expect(!isKept && told.isEmpty && toSend.isEmpty, "the state is to be kept first, and once")
        isKept = true
        isWhole = sections.contains(.motion)
        keep(sections)
      case .spool, .recall, .sound, .sense, .restart: Issue.record("there is no spool here, and nobody asked for these")
      case .event(let event):
        #expect(toSend.isEmpty, "an event behind a packet")
        told.append(event)
      case .transmit(let sequence, let kind):
        var bytes = GrowingBytes()
        let isThere = tracker.drainOutput(for: .uplink, into: &bytes)
        #expect(isThere)
        toSend.append((sequence, kind, String(decoding: bytes.bytes, as: UTF8.self)))
        if toSend.count > 1000 {
          Issue.record("packets without end")
          return []
        }
      }
    }
    if input == nil, isKept { Issue.record("a state is kept again that was just read") }
    if let input { core.reference.check(input, events: told, packets: packets, isKept: isKept, of: &core.tracker) }
    if isKept, isWhole || keptReference == nil {
      keptAt = tracker.now
      keptReference = reference
    } else if isKept {
      core.keptReference?.keepWaiting(of: core.reference)
    }
    for event in told {
      truth.check(event)
      checkText(of: event)
    }
    for packet in packets {
      made[packet.sequence] = packet
      truth.check(packet)
    }
    events += told
    allEvents += told
    allPackets += packets
    for (sequence, kind, json) in toSend { note(sequence, kind, json) }
    return acknowledges ? toSend.map(\.0) : []
  }

  /// Keeps what is named, as a store does: the rest stays as it was kept.
  private mutating func keep(_ named: StateSections) {
    persistCount += 1
    var bytes = GrowingBytes()
    tracker.encodeState(named, into: &bytes)
    let new = KeptFields.Section.all(in: bytes.bytes)
    sections.removeAll { old in new.contains { $0.tag == old.tag } }
    sections += new
    if named.contains(.waiting) {
      var packets = GrowingBytes()
      for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &packets) }
      sections.removeAll { $0.tag == 16 }
      sections += KeptFields.Section.all(in: packets.bytes)
    }
    // What names the packets is of one time with the numbers and the alerts.
    let exact: StateSections = [.numbering, .alarm, .waiting, .mark]
    var all = GrowingBytes()
    tracker.encodeState(exact, into: &all)
    for section in KeptFields.Section.all(in: all.bytes) {
      let held = sections.first { $0.tag == section.tag }
      if held?.content != section.content {
        Issue.record("section \(section.tag) has changed and is not named in \(named)")
      }
    }
  }

  private mutating func note(_ sequence: UInt32, _ kind: PacketKind, _ json: String) {
    guard let packet = made[sequence], packet.kind == kind else {
      Issue.record("packet \(sequence) of \(kind) goes out, which was never made")
      return
    }
    if let text = texts[sequence] {
      if text != json { Issue.record("packet \(sequence) has changed: \(text) \(json)") }
    } else {
      texts[sequence] = json
      let name = tracker.configuration.trackerID
      let trackerID = String(decoding: (0..<name.count).map { name[$0] }, as: UTF8.self)
      let right = ExpectedText.members(of: packet, trackerID: trackerID)
      if PlainJSON.object(json) != right { Issue.record("\(json) is not \(right)") }
    }
    sent.append(Sent(sequence: sequence, kind: kind, json: json, time: tracker.now, packet: packet))
  }

  private func checkText(of event: TrackerEvent) {
    var bytes = GrowingBytes()
    event.encodeJSON(into: &bytes)
    let text = String(decoding: bytes.bytes, as: UTF8.self)
    let right = ExpectedText.members(of: event)
    if PlainJSON.object(text) != right { Issue.record("\(text) is not \(right)") }
  }

  /// Forgets everything said so far.
  mutating func forget() {
    _ = news()
    allEvents = []
    allPackets = []
  }

  /// Packets since the last call.
  mutating func news(_ kind: PacketKind? = nil) -> [Sent] {
    defer {
      sent = []
      events = []
    }
    return sent.filter { kind == nil || $0.kind == kind }
  }
}

// MARK: What happens to the vehicle

extension Owner {
  /// Lets everything happen that is due by a time.
  mutating func wait(until time: Instant) {
    var rounds = 0
    while let deadline = tracker.nextDeadline, deadline <= time {
      rounds += 1
      if rounds > 100_000 {
        Issue.record("deadlines without end")
        return
      }
      advance(to: deadline)
    }
    if isPunctual { advance(to: time) }
    clock = max(clock, time)
    noteTime(clock)
  }

  /// The receiver says where it is.
  mutating func fix(speed: Double? = nil, course: Double? = nil, accuracy: Double? = 5, utc: UTCTime? = nil) {
    var fix = GNSSFix(time: clock)
    fix.mode = .threeDimensional
    fix.position = place(wander)
    fix.speed = speed
    fix.course = course
    fix.horizontalAccuracy = accuracy
    fix.utc = utc
    truth.note(north: north, at: clock)
    process(fix)
  }

  func place(_ wander: Double = 0) -> GeodeticPosition? {
    GeodeticPosition(latitudeDegrees: 52 + (north + wander) / 111_267, longitudeDegrees: 4)
  }

  /// The receiver says that it has no position.
  mutating func noFix() {
    truth.note(north: north, at: clock)
    process(GNSSFix(time: clock))
  }

  mutating func stand(seconds: Int, every step: Int = 1) {
    for _ in 0..<seconds / step {
      wait(until: clock + .seconds(step))
      fix(speed: 0)
    }
  }

  mutating func ride(seconds: Int, speed: Double = 5, course: Double? = 0) {
    for _ in 0..<seconds {
      wait(until: clock + .seconds(1))
      north += speed
      fix(speed: speed, course: course)
    }
  }

  /// Rides where there is no reception.
  mutating func rideUnseen(seconds: Int, speed: Double = 5, isTold: Bool = true) {
    for _ in 0..<seconds {
      wait(until: clock + .seconds(1))
      north += speed
      if isTold { noFix() } else { truth.note(north: north, at: clock) }
    }
  }

  mutating func move(seconds: Double, rate: Vector3 = .zero, acceleration: (Int) -> Vector3 = { _ in .zero }) {
    if sensor.time < clock { sensor.pause((clock - sensor.time).secondsDouble) }
    for step in 0..<Int(seconds * Double(sensor.hertz)) {
      let force = acceleration(step)
      if force != .zero || rate != .zero { truth.noteTouch(at: sensor.time) }
      process(sensor.next(rate: rate, acceleration: force))
      truth.note(sensor.earthFromBody, at: sensor.time)
      noteTime(sensor.time)
    }
    clock = max(clock, sensor.time)
  }

  mutating func handle(seconds: Double = 3) {
    move(seconds: seconds) { $0 % 4 < 2 ? Vector3(2.4, 1.5, 0) : Vector3(-2.4, -1.5, 0) }
  }

  /// One bump, as of a passer-by.
  mutating func bump() {
    move(seconds: 0.2) { $0 % 2 == 0 ? Vector3(0.7, 0, 0) : Vector3(-0.7, 0, 0) }
  }
}

extension TrackerEvent {
  /// Some event, to be changed; outside the module none can be made.
  static var sample: TrackerEvent {
    var tracker = Tracker()
    tracker.submit(.track(interval: .seconds(1), duration: .seconds(1)), at: .zero)
    while let action = tracker.nextAction() { if case .event(let event) = action { return event } }
    preconditionFailure("a request is told")
  }
}

/// The text of a value in a packet's JSON, as it was printed.
func field(_ key: String, _ json: String?) -> String? {
  guard let json, let start = json.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
  return String(json[start...].prefix { $0 != "," && $0 != "}" })
}

extension String {
  func firstRange(of other: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}
