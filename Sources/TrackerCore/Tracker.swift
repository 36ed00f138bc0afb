public import ASCIIText
import InlineStorage
public import MotionDetection
public import NMEA
import Positioning
public import Quantities
public import Telemetry

/// The whole tracker as one value: its state follows from configuration, seed and the ordered inputs, and from nothing else.
///
/// The run loop of every owner, be it a test, a replay, a board or firmware:
///
/// 1. Take the next input, or wait until `nextDeadline`.
/// 2. Call `advance(to:)` with the time of the input, then one door: `process`, `receive`, `submit` or `acknowledge`.
/// 3. Call `nextAction()` until it answers nil; for `.transmit` deliver the packet (`Dispatcher`), its canonical bytes come from
///    `drainOutput(for:into:)`; for `.persist` keep what `encodeState(_:into:)` and `encodePacket(at:into:)` write before the next
///    call.
///
/// Debug builds trap when an input comes before the actions of the one before are fetched. Inputs that are early, late,
/// repeated or nonsense are counted in `diagnostics` and change nothing else.
///
/// - Complexity: O(1) per input (bytes: O(count)); no allocation. Size: `MemoryLayout<Tracker>.size`, in `docs/limits.md`.
public struct Tracker: ~Copyable {
  /// What decides its behaviour now: what it was made with, and what has been changed since.
  public internal(set) var configuration: TrackerConfiguration
  /// When something happens by itself; call `advance(to:)` then. Nil when nothing will.
  ///
  /// Stored, as those of the parts are: it is asked for far more often than it changes.
  public internal(set) var nextDeadline: Instant?

  // The parts. A new one also goes into both lists below; `Tracker+Parts.swift` has what they are asked and told.

  /// Motion detection and the parked-state machine.
  public internal(set) var monitor: MotionMonitor
  /// Assembles fixes from the bytes of the receiver.
  public internal(set) var receiver = NMEAReceiver()
  /// Packets that wait for the server.
  public internal(set) var outbox: Outbox<32>
  var journal = TrackerJournal()
  var places: PlaceKeeper
  var trip: TripRecorder
  var alarm: AlarmLedger
  var supply: SupplyKeeper
  var surroundings: SurroundingsKeeper
  var reports: ReportPolicy
  var presence: PresenceKeeper
  var handover = Handover()
  var settings = SettingsKeeper()
  var requests = RequestKeeper()
  var buzzer = BuzzerKeeper()
  var pace = RequestPace()
  var rules: RuleKeeper
  var wearer = ProfileKeeper()
  var path: PathKeeper
  var checkpoints: CheckpointKeeper
  var driving: DrivingMonitor
  var sensing = SensingKeeper()
  /// True where gear is kept beside the tracker, which alone knows none; no part of its state.
  package var hasGear = false
  /// True where the activity of the wearer is counted beside the tracker; no part of its state.
  package var hasActivity = false
  private let inPlace = InPlace()

  /// A tracker that has seen nothing yet.
  ///
  /// - Parameter configuration: What decides its behaviour.
  public init(configuration: TrackerConfiguration = TrackerConfiguration()) {
    self.configuration = configuration
    monitor = MotionMonitor(
      parameters: configuration.motion, calibration: configuration.calibration, sensor: configuration.sensor,
      alertsEnabled: configuration.alertsEnabled)
    outbox = Outbox(parameters: configuration.outbox)
    places = PlaceKeeper(configuration)
    trip = TripRecorder(configuration)
    alarm = AlarmLedger(configuration)
    supply = SupplyKeeper(configuration)
    surroundings = SurroundingsKeeper(configuration)
    reports = ReportPolicy(configuration)
    presence = PresenceKeeper(configuration)
    rules = RuleKeeper(configuration)
    path = PathKeeper(configuration)
    checkpoints = CheckpointKeeper(configuration)
    driving = DrivingMonitor(configuration)
    receiver.repairDates(before: configuration.earliestDate)
  }

  // MARK: Parts

  /// Asks every part.
  func askParts<Question: PartQuestion>(_: Question.Type, _ content: inout Question.Content, at time: Instant) {
    Question.ask(monitor, &content, at: time)
    Question.ask(receiver, &content, at: time)
    Question.ask(outbox, &content, at: time)
    Question.ask(places, &content, at: time)
    Question.ask(trip, &content, at: time)
    Question.ask(alarm, &content, at: time)
    Question.ask(supply, &content, at: time)
    Question.ask(surroundings, &content, at: time)
    Question.ask(reports, &content, at: time)
    Question.ask(presence, &content, at: time)
    Question.ask(handover, &content, at: time)
    Question.ask(settings, &content, at: time)
    Question.ask(requests, &content, at: time)
    Question.ask(buzzer, &content, at: time)
    Question.ask(pace, &content, at: time)
    Question.ask(rules, &content, at: time)
    Question.ask(wearer, &content, at: time)
    Question.ask(path, &content, at: time)
    Question.ask(checkpoints, &content, at: time)
    Question.ask(driving, &content, at: time)
    Question.ask(sensing, &content, at: time)
  }

  /// Tells every part, in the order in which they are asked. A list of its own, as Swift can't lend a value to be changed where it
  /// is lent to be read.
  mutating func tellParts<Order: PartOrder>(_: Order.Type, _ content: borrowing Order.Content, at time: Instant) {
    Order.tell(&monitor, content, configuration, &journal, at: time)
    Order.tell(&receiver, content, configuration, &journal, at: time)
    Order.tell(&outbox, content, configuration, &journal, at: time)
    Order.tell(&places, content, configuration, &journal, at: time)
    Order.tell(&trip, content, configuration, &journal, at: time)
    Order.tell(&alarm, content, configuration, &journal, at: time)
    Order.tell(&supply, content, configuration, &journal, at: time)
    Order.tell(&surroundings, content, configuration, &journal, at: time)
    Order.tell(&reports, content, configuration, &journal, at: time)
    Order.tell(&presence, content, configuration, &journal, at: time)
    Order.tell(&handover, content, configuration, &journal, at: time)
    Order.tell(&settings, content, configuration, &journal, at: time)
    Order.tell(&requests, content, configuration, &journal, at: time)
    Order.tell(&buzzer, content, configuration, &journal, at: time)
    Order.tell(&pace, content, configuration, &journal, at: time)
    Order.tell(&rules, content, configuration, &journal, at: time)
    Order.tell(&wearer, content, configuration, &journal, at: time)
    Order.tell(&path, content, configuration, &journal, at: time)
    Order.tell(&checkpoints, content, configuration, &journal, at: time)
    Order.tell(&driving, content, configuration, &journal, at: time)
    Order.tell(&sensing, content, configuration, &journal, at: time)
  }

  // MARK: Doors in

  /// Takes one raw inertial sample of the sensor frame in.
  public mutating func process(_ sample: InertialSample) {
    guard begin(at: sample.time) else { return }
    let due = monitor.nextDeadline
    monitor.process(sample)
    // Between two windows nothing has changed that others could follow from.
    guard monitor.hasEvents || monitor.nextDeadline != due || (sensing.isWatching && !monitor.isQuiet) else { return }
    handleMotion()
    noteDeadline()
  }

  /// Takes one fix in, from a source that makes fixes itself.
  public mutating func process(_ fix: GNSSFix) {
    defer { noteDeadline() }
    guard begin(at: fix.time) else { return }
    handle(fix)
  }

  /// Takes a reading of a slow sensor in. One that is older than the last of its kind changes nothing.
  public mutating func process(_ reading: Reading) {
    defer { noteDeadline() }
    guard begin(at: reading.time) else { return }
    tellParts(NewReading.self, reading, at: now)
    switch reading {
    case .contacts:
      handleMotion()
      if checkpoints.takeMark() { sendStatus(.checkpoint) }
    case .wheel: followWheel()
    case .presence: judgePresence()
    case .supply:
      while let reason = supply.nextNotice() { sendStatus(reason) }
      followThrift()
    // Nothing follows from others at once.
    default: break
    }
  }

  /// Takes bytes in as they came from a port, cut anywhere.
  ///
  /// A fix is made when its epoch is known to be complete, and dated to the arrival of its first sentence.
  public mutating func receive(_ bytes: Span<UInt8>, from port: Port, at time: Instant) {
    defer { noteDeadline() }
    guard begin(at: time) else { return }
    switch port {
    case .gnss:
      // Slices small enough that the fixes of one never fill the receiver's queue.
      var place = 0
      while place < bytes.count {
        let end = min(place + 128, bytes.count)
        receiver.receive(bytes.extracting(place..<end), at: now)
        handleReceivedFixes()
        place = end
      }
    case .uplink:
      journal.counts.bytesIgnored &+= UInt64(bytes.count)
    case .message, .console: hear(bytes, from: port)
    }
  }

  /// Lets time pass: everything due by `time` happens. Earlier times do nothing.
  public mutating func advance(to time: Instant) {
    _ = begin(at: time)
    noteDeadline()
  }

  /// Takes a request of the owner in, of whom somebody else is sure.
  public mutating func submit(_ request: Request, at time: Instant) {
    defer { noteDeadline() }
    guard begin(at: time) else { return }
    obey(request, number: 0, isNumbered: false)
  }

  /// A receiver has the packet of that number. A number that does not wait for it is counted and ignored.
  ///
  /// - Parameters:
  ///   - sequence: The packet's number.
  ///   - receiver: Who has it; nil for all who want it.
  ///   - time: When.
  public mutating func acknowledge(_ sequence: UInt32, by receiver: Int? = nil, at time: Instant) {
    defer { noteDeadline() }
    guard begin(at: time) else { return }
    let standing = outbox.standing(of: receiver, answering: sequence, at: now)
    if outbox.acknowledge(at: standing.place, by: receiver) {
      journal.noteChange(.waiting)
    } else {
      journal.counts.acknowledgementsUnknown &+= 1
    }
    if settings.confirm() { journal.noteChange(.settings) }
    // After a long silence the owner first hears where the vehicle is now, and then where it was.
    let isBack = handover.noteAnswer(by: receiver, isStuck: standing.isStuck, at: now)
    if isBack, !standing.isTold, outbox.hasBacklog(for: receiver, at: now) {
      send(packet(.location, at: now), isExpress: true)
    }
  }

  /// No way of a receiver can carry the packet of that number: the receiver will never have it, which is counted.
  public mutating func giveUp(_ sequence: UInt32, for receiver: Int, at time: Instant) {
    defer { noteDeadline() }
    guard begin(at: time) else { return }
    if outbox.giveUp(sequence, for: receiver) {
      journal.noteChange(.waiting)
    } else {
      journal.counts.acknowledgementsUnknown &+= 1
    }
  }

  // MARK: Spool

  /// The owner has put a packet into the spool, or could not. Between two actions, not an input.
  public mutating func spooled(_ sequence: UInt32, isKept: Bool) {
    if outbox.spooled(sequence, isKept: isKept) { journal.noteChange(.waiting) }
    noteDeadline()
  }

  /// A packet comes back from the spool. Between two actions, not an input.
  ///
  /// - Parameters:
  ///   - section: What `encodePacket` wrote; anything else is passed over.
  ///   - pending: Who did not have it; with all bits, when that is not known, everybody who wants it.
  public mutating func recall(_ section: Span<UInt8>, pending: ReceiverSet) {
    guard let head = StoredSection(section, at: 0), let packet = Packet(head, of: section) else { return }
    outbox.restore(packet, pending: pending.rawValue == .max ? nil : pending, at: now)
    journal.noteChange(.waiting)
    noteDeadline()
  }

  /// The spool holds so many packets: after a start, and after each `.recall`. Between two actions, not an input.
  public mutating func noteSpool(count: Int) { outbox.noteSpool(count: count) }

  // MARK: Doors out

  /// The next thing to do; nil when all is done until the next input or deadline.
  public mutating func nextAction() -> Action? {
    // After nearly every input there is nothing.
    hasActions ? dueAction() : nil
  }

  @inline(never) private mutating func dueAction() -> Action? {
    // First, so that what is kept next has it there and not here.
    if let place = outbox.nextToSpool() { return .spool(sequence: outbox.name(at: place).sequence) }
    if journal.hasChanges { return .persist(sectionsToKeep()) }
    if let event = journal.nextEvent() { return .event(event) }
    // Before packets, so that the modem is told at once.
    if let plan = sensing.take() { return .sense(plan) }
    guard let place = outbox.nextToHandOver() else {
      if let (count, receivers) = outbox.nextToRecall() {
        return .recall(count: UInt8(clamping: count), receivers: receivers)
      }
      if let (pattern, duration) = buzzer.take() {
        monitor.expectSound(pattern.beat, for: duration, at: now)
        return .sound(pattern, duration)
      }
      guard !requests.isRebootTold else { return nil }
      requests.isRebootTold = true
      return .restart
    }
    let (sequence, kind) = outbox.name(at: place)
    handover.begin(sequence)
    return .transmit(sequence: sequence, kind: kind)
  }

  /// True while `nextAction()` has something to do.
  var hasActions: Bool {
    !journal.isTold || journal.hasChanges || outbox.hasNews || buzzer.hasNews || sensing.hasNews
      || !requests.isRebootTold
  }

  /// Writes the bytes for a port: the packet of the last `.transmit` in its canonical form, which is Leash's own JSON, once.
  ///
  /// A sink and no closure over a span: a loop over the span in such a closure was compiled wrongly for the Cortex-M4 by
  /// Swift 6.3.1, and the packet would have been copied once more.
  ///
  /// - Parameters:
  ///   - port: Where the bytes go.
  ///   - sink: Takes them; a sink with too little room gets the beginning only.
  /// - Returns: False when there is nothing.
  @discardableResult public mutating func drainOutput(for port: Port, into sink: inout some ByteSink) -> Bool {
    guard port == .uplink, let sequence = handover.take() else { return false }
    guard let place = outbox.place(of: sequence) else { return false }
    return encodePacket(at: place, part: 0, as: JSONForm(), into: &sink) != nil
  }

  /// Writes a message of the packet at a place of the outbox, as a way to a receiver wants it.
  ///
  /// - Parameters:
  ///   - place: 0 to `outbox.count` - 1.
  ///   - part: Which of the packet's messages, from 0.
  ///   - form: The form of the way; `PacketFormat` is any of them, in a program that has `PacketForms`.
  ///   - sink: Takes the bytes.
  /// - Returns: nil, and nothing written, when the format can't carry the packet.
  public func encodePacket(
    at place: Int, part: Int, as form: some PacketForm, into sink: inout some ByteSink
  ) -> MessageHead? {
    outbox.encode(at: place, part: part, as: form, trackerID: configuration.trackerID.span, of: self, into: &sink)
  }

  /// What is to be kept now, which counts as kept from here on.
  private mutating func sectionsToKeep() -> StateSections {
    let sections = journal.sectionsToKeep(mark: numberingMark)
    if sections.contains(.trip) { trip.noteKept() }
    return sections
  }
}
