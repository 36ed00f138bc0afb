import ASCIIText
import Activity
import Gear
public import Quantities
public import TrackerCore
public import Telemetry

/// What a tracker did in a run.
public enum RunOutput: Equatable, Sendable {
  /// Something happened; the bytes are its JSON.
  case event(TrackerEvent)
  /// A packet was made, or taken up again after a restart or from the spool; the bytes are its canonical JSON.
  case packet(sequence: UInt32, kind: PacketKind)
}

/// A tracker with a run loop about it, on the time of its inputs.
///
/// Deadlines between two inputs happen at their own instants, and inputs and actions go to a log when there is one. Without a
/// delivery everybody has every packet at once.
public final class TrackerRun {
  // Nothing that is called while one of these is changed comes back here; looking that up took a sixth of each sample's time.
  @exclusivity(unchecked) private var tracker: Tracker
  private let log: (any RunLog)?
  private let store: (any TrackerStore)?
  private let spool: (any PacketSpool)?
  private let delivery: PacketDelivery?
  private let observer: (RunOutput, Span<UInt8>) -> Void
  private var spare: [UInt8] = []
  @exclusivity(unchecked) private var toAcknowledge: [UInt32] = []
  /// What went to ports and is not in the log yet.
  @exclusivity(unchecked) private var messages: [(way: Int, packet: OutgoingPacket, time: Instant)] = []
  /// What follows from changes that the storage does not have yet, and the last change.
  @exclusivity(unchecked) private var held = HeldOutputs()
  private var lastChange: UInt64 = 0
  /// Gear and what was ridden on it; what a pet does, day by day.
  @exclusivity(unchecked) private var gear = GearKeeper()
  @exclusivity(unchecked) private var activity = ActivityKeeper()
  /// What of the earlier life's state was not there any more; nil when all was.
  package private(set) var stateLosses: StateLosses?
  /// Packets that went to the spool.
  private var spooledCount = 0
  /// Packets given up or gone to the spool when delivery was told last.
  private var goneCount: UInt32 = 0
  @exclusivity(unchecked) private var refusals = RefusedRequests()

  /// The owner's key, and whom the owner trusts with what; no part of a log.
  public var door = RequestDoor()
  /// Sounds the buzzer, in the beat of the pattern from the instant on: the detectors go by the same.
  public var onSound: (SoundPattern, Interval, Instant) -> Void = { _, _, _ in }
  /// Lets sensors and modem do what the tracker needs of them from the instant on.
  public var onSense: (SensingPlan, Instant) -> Void = { _, _ in }
  /// Starts the tracker anew; what came before is done, and kept or has waited for it.
  public var onRestart: () -> Void = {}

  /// A run that has seen nothing.
  ///
  /// - Parameters:
  ///   - configuration: Configuration and seed; they go to the log first.
  ///   - log: Where inputs and actions are recorded; the caller closes it.
  ///   - delivery: The ways to those who want packets; nil for one that has every packet at once.
  ///   - store: Keeps what a restart must not lose; nil for nothing.
  ///   - spool: Takes reports that no longer fit; only with `outbox.spool`. Nil for none.
  ///   - observer: Sees everything the tracker does, in order, with the bytes of its JSON or of the packet.
  public init(
    _ configuration: RunConfiguration, log: (any RunLog)? = nil, delivery: PacketDelivery? = nil,
    store: (any TrackerStore)? = nil, spool: (any PacketSpool)? = nil,
    observer: @escaping (RunOutput, Span<UInt8>) -> Void
  ) throws(RecordingError) {
    tracker = Tracker(configuration: configuration.tracker)
    self.log = log
    self.delivery = delivery
    self.store = store
    self.spool = spool
    self.observer = observer
    tracker.hasGear = true
    let text = Array(configuration.text.utf8)
    try log?.append(configuration: text.span)
    delivery?.onMessage = { [unowned self] way, packet, time in messages.append((way, packet, time)) }
  }

  /// The longest that an event or a packet waits for the storage; then it is released all the same, and the store hears of it.
  public static var longestHold: Interval { .seconds(2) }

  /// Gives the tracker one input after everything that is due before it.
  ///
  /// - Parameters:
  ///   - input: Not earlier than the one before, or the tracker counts it as late.
  ///   - payload: The bytes of a `.bytes` or `.command` input.
  public func feed(_ input: TrackerInput, payload: [UInt8] = []) throws(RecordingError) {
    // Each look at what an input is copies all of it. Of readings there are hundreds a second: they are looked at once.
    if case .inertial(let sample) = input { return try feed(sample) }
    try advance(to: input.time, including: false)
    if case .command(let time) = input {
      try take(command: payload, at: time)
    } else {
      try log?.append(input, bytes: payload.span)
      tracker.take(input, payload: payload.span)
      if case .restoration = input { restoreBesides(payload) }
      try drain()
      try followWearer()
    }
    try deliver(at: tracker.now)
  }

  private func feed(_ sample: InertialSample) throws(RecordingError) {
    try advance(to: sample.time, including: false)
    if log != nil { try note(.inertial(sample)) }
    tracker.process(sample)
    try drain()
    if activity.isOn { try measure(sample) }
    try deliver(at: tracker.now)
  }

  /// Lets time pass to the end of a silence.
  public func advance(to time: Instant) throws(RecordingError) {
    try advance(to: time, including: true)
    guard time > tracker.now else { return }
    try log?.append(tick: time)
    tracker.advance(to: time)
    try drain()
    try pass(time)
  }

  /// Goes on where an earlier life was; the first input of a run.
  ///
  /// - Parameter state: What a store kept; see `Tracker.restore`.
  /// - Returns: False when there is nothing; the tracker begins anew then.
  @discardableResult public func restore(_ state: [UInt8], at now: Instant) throws(RecordingError) -> Bool {
    try log?.append(.restoration(now), bytes: state.span)
    let isRestored = tracker.restore(state.span, at: now)
    restoreBesides(state)
    try drain()
    try followWearer()
    try tellSpool()
    try deliver(at: tracker.now)
    return isRestored
  }

  /// Tells the tracker what an earlier life left in the spool; `restore` does, too.
  public func tellSpool() throws(RecordingError) {
    guard let spool, spool.count > 0 else { return }
    try note(.spoolCount(tracker.now, UInt32(clamping: spool.count)))
    tracker.noteSpool(count: spool.count)
    try drain()
  }

  /// Does what is due by now and takes what the ways bring, for a run on a real clock; nothing is recorded when there is nothing.
  public func attend(at now: Instant) throws(RecordingError) {
    try advance(to: now, including: true)
    try pass(max(now, tracker.now))
  }

  /// Silence between two inputs whose deadlines happen one by one; after it the tracker is brought to the next input at once.
  static var longestSilence: Interval { .seconds(31 * 86_400) }

  private func advance(to time: Instant, including isInclusive: Bool) throws(RecordingError) {
    // Beyond, a clock was set or is wrong: nobody waited there, and thousands of years would be millions of reports.
    let horizon = tracker.now + TrackerRun.longestSilence
    while let deadline = nextTimer, deadline < time || (isInclusive && deadline == time), deadline <= horizon {
      // A deadline that has passed already is due now.
      let due = max(deadline, tracker.now)
      if let own = tracker.nextDeadline, own <= due {
        try log?.append(tick: due)
        tracker.advance(to: due)
        try drain()
      }
      try pass(due)
    }
  }

  /// When something is due by itself.
  private var nextTimer: Instant? { earliest(delivery?.nextTimer) }

  /// When something is due next; nil when nothing is.
  public var nextDeadline: Instant? { earliest(delivery?.nextDeadline) }

  private func earliest(_ delivery: Instant?) -> Instant? {
    var result = tracker.nextDeadline
    if let delivery { result = result.map { min($0, delivery) } ?? delivery }
    if let due = refusals.nextDeadline { result = result.map { min($0, due) } ?? due }
    if let hold = held.nextDeadline { result = result.map { min($0, hold) } ?? hold }
    return result
  }

  /// Lets the ways come to a time, and hands on what they bring, one by one: what the tracker does about each comes before the
  /// next, as in a replay.
  private func pass(_ time: Instant) throws(RecordingError) {
    delivery?.advance(to: time)
    try deliver(at: time)
  }

  private func deliver(at time: Instant) throws(RecordingError) {
    if !held.isEmpty { release(at: time) }
    while let verdict = refusals.next(at: time) { try take(verdict, at: time) }
    guard let delivery else { return }
    while true {
      while let outcome = delivery.next(tracker) {
        try logMessages()
        switch outcome {
        case .acknowledged(let sequence, let receiver):
          try log?.append(settlement: sequence, receiver: receiver, isDelivered: true, at: time)
          tracker.acknowledge(sequence, by: Int(receiver), at: time)
        case .gaveUp(let sequence, let receiver):
          try log?.append(settlement: sequence, receiver: receiver, isDelivered: false, at: time)
          tracker.giveUp(sequence, for: Int(receiver), at: time)
        }
        try drain()
      }
      try logMessages()
      guard let (text, origin, port) = delivery.nextHeard() else { return }
      try judge(text, from: origin, by: door, at: time)
      if let port { whenKept { [unowned self] in delivery.noteKept(by: port, at: tracker.now) } }
    }
  }

  /// Takes what may be a request: it is judged, the verdict is recorded, and what follows from it happens.
  ///
  /// - Parameter door: Who is let in; nil for the run's own door.
  /// - Returns: What became of it, what it was answered, nil when that is no status, and the value of that answer, nil when it has none.
  @discardableResult public func hear(
    _ text: [UInt8], from origin: RequestOrigin, by door: RequestDoor? = nil, at time: Instant
  ) throws(RecordingError) -> (verdict: RequestVerdict, answer: StatusReason?, value: PacketText?) {
    try advance(to: time, including: false)
    let verdict = try judge(text, from: origin, by: door ?? self.door, at: max(time, tracker.now))
    try deliver(at: tracker.now)
    guard verdict.isAdmitted else { return (verdict, nil, nil) }
    return (verdict, tracker.lastRequestAnswer, tracker.lastRequestValue)
  }

  @discardableResult private func judge(
    _ text: [UInt8], from origin: RequestOrigin, by door: RequestDoor, at time: Instant
  ) throws(RecordingError) -> RequestVerdict {
    let verdict = activity.redirect(tracker.judge(text.span, from: origin, by: door, at: time))
    // Servers answer with all kinds of pages, and are not to fill a log with them.
    if origin.isAnswer, case .refused(.unreadable, _) = verdict { return verdict }
    if origin.isAnswer, case .refused(.tooLong, _) = verdict { return verdict }
    // Nor is anybody who floods the tracker.
    if case .refused(let reason, let channel) = verdict, !refusals.note(reason, channel, at: time) { return verdict }
    try take(verdict, at: time)
    return verdict
  }

  private func take(_ verdict: RequestVerdict, at time: Instant) throws(RecordingError) {
    var record = ByteBuffer()
    verdict.encode(into: &record)
    try take(command: record.bytes, at: time)
  }

  /// Requests that were refused and are not told yet, as many others of their kind were.
  package var untoldRefusals: [(reason: RequestRefusal, channel: UInt8, times: Int)] { refusals.waiting }
  /// How many these are.
  package var untoldRefusalCount: Int { refusals.waiting.reduce(0) { $0 + $1.times } }

  /// True when something waits for the storage: what comes now comes behind it.
  private var isHolding: Bool { store.map { !held.isEmpty || lastChange > $0.settledChange } ?? false }

  /// Lets go what the storage has, or what has waited long enough for it.
  private func release(at time: Instant) {
    guard let store else { return }
    let settled = store.settledChange
    while let entry = held.next(settled: settled, at: time) {
      switch entry.content {
      case .call(let body): body()
      case .output(let output, let bytes):
        observer(output, bytes.span)
        // What is gone meanwhile does not leave.
        guard case .packet(let sequence, _) = output, tracker.outbox.place(of: sequence) != nil else { continue }
        if entry.change > settled { store.noteUnkept(sequence, after: TrackerRun.longestHold) }
        give(sequence)
      }
    }
    delivery?.holdsReports = held.hasUrgent
  }

  private func give(_ sequence: UInt32) {
    guard let delivery, let place = tracker.outbox.place(of: sequence) else { return }
    delivery.take(
      sequence, tracker.outbox.priority(at: place), for: tracker.outbox.pending(at: place), at: tracker.now)
  }

  /// Releases what is kept by now and has not been released, when nothing more will be fed.
  public func tellKept() { if !held.isEmpty { release(at: tracker.now) } }

  /// Calls when all that has been done so far is on the storage, or has waited long enough for it; at once when it is.
  public func whenKept(_ body: @escaping () -> Void) {
    guard isHolding else { return body() }
    held.add(.call(body), change: lastChange, at: tracker.now)
  }

  /// Tells what the tracker did, when the storage has what it follows from.
  private func tell(_ output: RunOutput, _ bytes: [UInt8]) {
    guard isHolding else {
      observer(output, bytes.span)
      if case .packet(let sequence, _) = output { give(sequence) }
      return
    }
    var isUrgent = false
    if case .packet(let sequence, _) = output, let place = tracker.outbox.place(of: sequence) {
      isUrgent = tracker.outbox.priority(at: place) != .report
    }
    held.add(.output(output, bytes), change: lastChange, isUrgent: isUrgent, at: tracker.now)
    if isUrgent { delivery?.holdsReports = true }
  }

  private func logMessages() throws(RecordingError) {
    guard !messages.isEmpty else { return }
    if let log {
      for (way, packet, time) in messages {
        try log.append(output: packet.bytes.span, to: firstWayPort + UInt8(clamping: way), at: time)
      }
    }
    messages.removeAll(keepingCapacity: true)
  }

  private func drain() throws(RecordingError) {
    gear.look(at: tracker)
    try drainActions()
    // After nearly every input there is none, and even that none is large.
    while gear.mayHaveNotice, let notice = gear.nextNotice() { try tell(notice.reason, notice.text, request: 0) }
  }

  private func drainActions() throws(RecordingError) {
    var place = 0
    while true {
      while let action = tracker.nextAction() { try handle(action) }
      guard place < toAcknowledge.count else { break }
      try log?.append(acknowledgement: toAcknowledge[place], at: tracker.now)
      tracker.acknowledge(toAcknowledge[place], at: tracker.now)
      place += 1
    }
    if !toAcknowledge.isEmpty { toAcknowledge.removeAll(keepingCapacity: true) }
  }

  // MARK: Gear

  /// Gives the tracker a request, and the gear if it is about that: what both keep is one change.
  private func take(command: [UInt8], at time: Instant) throws(RecordingError) {
    let verdict = RequestVerdict(command.span)
    // What gear has told is in logs for those who have none, and follows here from the same inputs once more.
    if case .told? = verdict { return }
    try log?.append(.command(time), bytes: command.span)
    tracker.take(.command(time), payload: command.span)
    if let (answer, number) = gear.answer(to: command, verdict, of: tracker) {
      gear.look(at: tracker)
      try drainActions()
      try tell(answer.reason, answer.text, request: number)
    } else if let (answer, number) = activity.answer(to: command, verdict, of: tracker) {
      try drain()
      try tell(answer.reason, answer.text, request: number)
    }
    try drain()
    try followWearer()
  }

  /// Lets the tracker tell what stands beside it has to tell.
  private func tell(_ reason: StatusReason, _ value: PacketText, request number: UInt32) throws(RecordingError) {
    var record = ByteBuffer()
    RequestVerdict.told(reason, value, number: number).encode(into: &record)
    try log?.append(.command(tracker.now), bytes: record.bytes.span)
    tracker.take(.command(tracker.now), payload: record.bytes.span)
    try drainActions()
  }

  private func restoreBesides(_ state: [UInt8]) {
    gear.restore(state.span)
    activity.restore(state.span)
  }

  /// Looks at who wears the tracker, whom requests change, and at the fix that may have come.
  private func followWearer() throws(RecordingError) {
    activity.look(at: tracker)
    tracker.hasActivity = activity.isOn
    try tellActivity()
  }

  @inline(never) private func measure(_ sample: InertialSample) throws(RecordingError) {
    activity.take(sample, of: tracker)
    try tellActivity()
  }

  private func tellActivity() throws(RecordingError) {
    while activity.mayHaveNotice, let notice = activity.nextNotice() {
      try tell(notice.reason, notice.text, request: 0)
    }
  }

  private func note(_ news: TrackerInput) throws(RecordingError) {
    let none: [UInt8] = []
    try log?.append(news, bytes: none.span)
  }

  private func putIntoSpool(_ sequence: UInt32, _ buffer: inout ByteBuffer) throws(RecordingError) {
    var isKept = false
    if let spool, let place = tracker.outbox.place(of: sequence) {
      let (_, kind) = tracker.outbox.name(at: place)
      tracker.encodePacket(at: place, into: &buffer)
      isKept = spool.put(
        sequence, pending: tracker.outbox.pending(at: place).rawValue, isThinnable: kind == .location,
        section: buffer.bytes)
    }
    if isKept { spooledCount += 1 }
    try note(.spooled(tracker.now, sequence: sequence, isKept: isKept))
    tracker.spooled(sequence, isKept: isKept)
  }

  private func takeFromSpool(_ count: Int, for receivers: ReceiverSet) throws(RecordingError) {
    for packet in spool?.take(count, pending: receivers.rawValue) ?? [] {
      try log?.append(.recalled(tracker.now, pending: packet.pending), bytes: packet.section.span)
      tracker.recall(packet.section.span, pending: ReceiverSet(rawValue: packet.pending))
    }
    let left = spool?.count ?? 0
    try note(.spoolCount(tracker.now, UInt32(clamping: left)))
    tracker.noteSpool(count: left)
  }

  private func forgetGone() {
    let gone = tracker.outbox.evictedCount &+ tracker.outbox.expiredCount &+ UInt32(truncatingIfNeeded: spooledCount)
    guard let delivery, gone != goneCount else { return }
    goneCount = gone
    delivery.keepOnly { tracker.outbox.place(of: $0) != nil }
  }

  private func handle(_ action: Action) throws(RecordingError) {
    // The buffer is taken out of the object while it is used, so that its storage is used again and never copied.
    var bytes: [UInt8] = []
    swap(&bytes, &spare)
    var buffer = ByteBuffer(reusing: bytes)
    bytes = []
    switch action {
    case .spool(let sequence): try putIntoSpool(sequence, &buffer)
    case .recall(let count, let receivers): try takeFromSpool(Int(count), for: receivers)
    case .sound(let pattern, let duration): onSound(pattern, duration, tracker.now)
    case .sense(let plan): onSense(plan, tracker.now)
    case .restart: whenKept { [unowned self] in onRestart() }
    case .persist(let sections):
      if let store {
        gear.keepChanges(in: store)
        activity.keepChanges(in: store)
        lastChange = store.keep(sections, of: tracker)
      }
      forgetGone()
    case .event(let event):
      if case .stateDamaged(let losses) = event.kind { stateLosses = losses }
      delivery?.follow(event.kind, at: tracker.now)
      event.encodeJSON(into: &buffer)
      try log?.append(action: buffer.bytes.span, at: tracker.now)
      tell(.event(event), buffer.bytes)
    case .transmit(let sequence, let kind):
      tracker.drainOutput(for: .uplink, into: &buffer)
      try log?.append(output: buffer.bytes.span, to: Port.uplink.rawValue, at: tracker.now)
      if delivery == nil { toAcknowledge.append(sequence) }
      tell(.packet(sequence: sequence, kind: kind), buffer.bytes)
    }
    swap(&spare, &buffer.bytes)
  }

  /// Looks at the gear, without copying it.
  package func lookAtGear<Result>(_ body: (borrowing GearLedger) -> Result) -> Result { body(gear.ledger) }

  /// Looks at the days of a pet; nil where none wears the tracker.
  package func lookAtActivity<Result>(_ body: (borrowing ActivityLedger) -> Result) -> Result? {
    activity.isOn ? body(activity.ledger) : nil
  }

  /// What the vehicle is doing.
  public var phase: MotionPhase { tracker.monitor.phase }
  /// Whether movement would raise an alert.
  public var isArmed: Bool { tracker.monitor.isArmed }
  /// Length of the ride that ended last, m.
  public var lastRideDistance: Double { tracker.lastRideDistance }
  /// Distance travelled, m.
  public var distance: Double { tracker.distance }
  /// Time of the last input or deadline.
  public var now: Instant { tracker.now }
  /// UTC of an instant; nil while unknown.
  public func utc(of instant: Instant) -> UTCTime? { tracker.utc(of: instant) }
  /// Counts of what the tracker could not use.
  public var diagnostics: TrackerDiagnostics { tracker.diagnostics }
  /// The last fix with a position.
  public var lastFix: GNSSFix? { tracker.lastFix }
  /// Looks at the tracker, without copying it.
  public func look<Result>(_ body: (borrowing Tracker) -> Result) -> Result { body(tracker) }
}
