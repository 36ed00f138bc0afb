import ASCIIText
import BoardHealth
import CellularDelivery
import Delivery
import FlashStorage
import InlineStorage
import Quantities
import SIM7000
import SensorFrames
import Telemetry
import TrackerCore
import TrackerLog

/// The tracker with its modem and the way of its packets, in the order of actions that a run on a host has.
///
/// Everything that goes into the tracker is in the log before it goes in, and everything that comes out when it comes out.
struct LiveRun: ~Copyable {
  private(set) var tracker: Tracker
  private var modem: Modem
  private var way: ModemWay
  private var dispatcher: Dispatcher
  var log: LiveLog
  private(set) var state: FlashState<FileFlash>
  private var sensor = WitMotionStream()
  var reader = ConsoleReader()
  var update = LiveUpdate()
  private(set) var tail = ConsoleTail()
  /// What it does without.
  let leftOut: LeftOut
  /// When a byte of each port came last.
  private(set) var lastHeard = InlineArray<4, Instant?>(repeating: nil)
  /// Until when the bytes of receiver and sensor are set aside, as others stand in for them.
  var injectedUntil = InlineArray<2, Instant?>(repeating: nil)
  var injectedCount: UInt32 = 0
  private(set) var setAsideCount: UInt32 = 0
  /// Packets that the server has.
  private(set) var deliveredCount: UInt32 = 0
  private(set) var sampleCount: UInt32 = 0
  private(set) var eventCount: UInt32 = 0
  private(set) var packetCount: UInt32 = 0

  init(
    _ configuration: TrackerConfiguration, _ modem: ModemConfiguration, _ log: LiveLog, _ flash: consuming FileFlash,
    without leftOut: LeftOut
  ) {
    self.leftOut = leftOut
    state = FlashState(flash)
    tracker = Tracker(configuration: configuration)
    self.modem = Modem(configuration: modem, seed: 1)
    way = ModemWay(seed: 2)
    dispatcher = Dispatcher(parameters: configuration.outbox, seed: 3)
    dispatcher.add(DeliveryWay(receiver: 0, port: 0))
    self.log = log
  }

  // MARK: Storage

  /// Goes on where the flash memory ends; the first thing of a run.
  @inline(never) mutating func restore() {
    enter(.restore)
    guard !leftOut.contains(.storage), state.begin() else { return deliver(at: tracker.now) }
    var kept = InlineBytes<16384>()
    state.collect(into: &kept)
    if !kept.isEmpty {
      log.write(.restoration, at: tracker.now, LiveLog.Head(), kept.span)
      tracker.restore(kept.span, at: tracker.now)
      drain()
    }
    if state.spoolCount > 0 {
      tellSpool()
      drain()
    }
    deliver(at: tracker.now)
  }

  /// Does what is better done while nothing is due.
  mutating func tidy() -> Bool {
    guard !leftOut.contains(.storage) else { return false }
    enter(.storage)
    return state.tidy()
  }

  func tellStorage(_ report: inout Report) {
    let counts = state.store.counts
    write("changes kept", counts.changes, to: &report)
    write("changes not kept", counts.failures, to: &report)
    write("changes cut off", counts.unfinished, to: &report)
    write("records damaged", counts.damaged, to: &report)
    write("erasures", counts.erasures, to: &report)
    write("life", tracker.outbox.boot, to: &report)
    write("waiting", waitingCount, to: &report)
  }

  /// Packets that are yet to be delivered.
  var waitingCount: UInt32 { UInt32(truncatingIfNeeded: tracker.outbox.count + state.spoolCount) }

  /// Goes on with an image that comes over the console; true when there is more to do. When it is there and nothing waits to be
  /// delivered, the board restarts with it.
  mutating func advanceUpdate() -> Bool {
    let isBusy = update.step()
    if update.isReceived, waitingCount == 0 {
      update.tellRestart()
      restart()
    }
    return isBusy
  }

  private mutating func spool(_ sequence: UInt32) {
    let before = enter(.storage)
    let isKept = !leftOut.contains(.storage) && state.spool(sequence, of: tracker)
    enter(before)
    var head = LiveLog.Head()
    head.append(isKept ? 1 : 0)
    head.append(varint: UInt64(sequence))
    log.write(.spool, at: tracker.now, head)
    tracker.spooled(sequence, isKept: isKept)
  }

  private mutating func recall(_ count: Int, for receivers: ReceiverSet) {
    let before = enter(.storage)
    defer { enter(before) }
    for _ in 0..<count where !leftOut.contains(.storage) {
      var section = FlashBuffer()
      guard let pending = state.recall(for: receivers, to: tracker, into: &section) else { break }
      var head = LiveLog.Head()
      head.append(2)
      head.append(pending.rawValue)
      log.write(.spool, at: tracker.now, head, section.span)
      tracker.recall(section.span, pending: pending)
    }
    tellSpool()
  }

  private mutating func tellSpool() {
    var head = LiveLog.Head()
    head.append(3)
    head.append(varint: UInt64(state.spoolCount))
    log.write(.spool, at: tracker.now, head)
    tracker.noteSpool(count: state.spoolCount)
  }

  // MARK: In

  /// Takes bytes of a port.
  mutating func receive(_ bytes: Span<UInt8>, on port: LinePort, at time: Instant) {
    guard !leftOut.contains(port.part) else { return }
    lastHeard[Int(port.rawValue)] = time
    if port == .receiver || port == .sensor, let end = injectedUntil[port == .receiver ? 0 : 1], time < end {
      setAsideCount &+= UInt32(truncatingIfNeeded: bytes.count)
      return
    }
    take(bytes, on: port, at: time)
  }

  /// Takes bytes in the place of a port's.
  mutating func take(_ bytes: Span<UInt8>, on port: LinePort, at time: Instant) {
    let before = enter(port.part)
    defer { enter(before) }
    switch port {
    case .receiver:
      passDeadlines(before: time)
      var head = LiveLog.Head()
      head.append(Port.gnss.rawValue)
      log.write(.bytes, at: time, head, bytes)
      tracker.receive(bytes, from: .gnss, at: time)
      drain()
      deliver(at: time)
    case .modem:
      modem.receive(bytes, at: time)
      serveModem(at: time)
      deliver(at: time)
    case .sensor:
      for place in bytes.indices {
        if let sample = sensor.receive(bytes[place], at: time) { take(sample) }
      }
    case .console:
      for place in bytes.indices { hear(bytes[place], at: time) }
    }
  }

  private mutating func take(_ sample: InertialSample) {
    passDeadlines(before: sample.time)
    log.write(sample)
    sampleCount &+= 1
    tracker.process(sample)
    drain()
    deliver(at: max(sample.time, tracker.now))
  }

  /// Does what is due by now.
  mutating func pass(to time: Instant) {
    enter(.deadlines)
    passDeadlines(before: Instant(microseconds: time.microseconds + 1))
    if !leftOut.contains(.modem) {
      way.advance(to: time)
      modem.advance(to: time)
    }
    serveModem(at: time)
    dispatcher.advance(to: time)
    deliver(at: time)
  }

  /// When something is due next.
  var nextDeadline: Instant? {
    guard !leftOut.contains(.modem) else { return tracker.nextDeadline }
    return earliest(
      earliest(tracker.nextDeadline, modem.nextDeadline), earliest(dispatcher.nextDeadline, way.troubleUntil))
  }

  private func earliest(_ first: Instant?, _ second: Instant?) -> Instant? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
  }

  /// Hands the log to the debugger.
  mutating func flush() { log.flush() }

  private mutating func passDeadlines(before time: Instant) {
    while let due = tracker.nextDeadline, due < time {
      let moment = max(due, tracker.now)
      log.write(.tick, at: moment)
      tracker.advance(to: moment)
      drain()
      deliver(at: moment)
    }
  }

  /// The line of the console is a request.
  mutating func request(at time: Instant) {
    passDeadlines(before: time)
    let now = max(time, tracker.now)
    let verdict = tracker.judge(reader.line.span, from: .console, by: RequestDoor(), at: now)
    var record = InlineBytes<416>()
    verdict.encode(into: &record)
    log.write(.command, at: now, LiveLog.Head(), record.span)
    tracker.take(.command(now), payload: record.span)
    drain()
    deliver(at: now)
  }

  // MARK: Out

  /// Tells what the tracker does; a packet goes on its way.
  private mutating func drain() {
    while let action = tracker.nextAction() {
      var text = InlineBytes<1024>()
      let now = tracker.now
      switch action {
      // What follows from a change is done when it is kept.
      case .persist(let sections):
        guard !leftOut.contains(.storage) else { continue }
        let before = enter(.storage)
        state.keep(sections, of: tracker)
        enter(before)
      case .spool(let sequence): spool(sequence)
      case .recall(let count, let receivers): recall(Int(count), for: receivers)
      case .sound, .sense, .restart: break
      case .event(let event):
        event.encodeJSON(into: &text)
        log.write(.action, at: now, LiveLog.Head(), text.span)
        eventCount &+= 1
        tell(text)
      case .transmit(let sequence, let kind):
        tracker.drainOutput(for: .uplink, into: &text)
        var head = LiveLog.Head()
        head.append(Port.uplink.rawValue)
        log.write(.output, at: now, head, text.span)
        packetCount &+= 1
        tell(text)
        guard let place = tracker.outbox.place(of: sequence) else { continue }
        dispatcher.take(sequence, kind.priority, for: tracker.outbox.pending(at: place), at: now)
      }
    }
  }

  private mutating func tell(_ text: InlineBytes<1024>) {
    tail.add(text.span)
    for place in 0..<text.count { Board.write(text.span[place]) }
    Board.write(0x0A)
  }

  /// Does what the driver wants, and brings its bytes to the modem.
  private mutating func serveModem(at time: Instant) {
    guard !leftOut.contains(.modem) else { return }
    let before = enter(.modem)
    defer { enter(before) }
    while let action = modem.nextAction() {
      switch way.take(action, of: modem, at: time) {
      case .delivered(let sequence, let way):
        deliveredCount &+= 1
        dispatcher.delivered(sequence, on: Int(way), at: time)
      case .undelivered(let sequence, let way, reason: _): dispatcher.handedBack(sequence, by: Int(way), at: time)
      case nil: break
      }
      if case .reply = action {
        var reply = InlineBytes<416>()
        modem.drainReply(into: &reply)
      }
    }
    var output = InlineBytes<1024>()
    modem.drainOutput(at: time, into: &output)
    for place in 0..<output.count { Board.write(output.span[place], on: .modem) }
    dispatcher.setState(way.state(of: modem), of: 0, at: time)
  }

  /// Gives packets to the modem until there is nothing to do.
  private mutating func deliver(at time: Instant) {
    guard !leftOut.contains(.modem) else { return }
    while let step = dispatcher.nextStep() {
      switch step {
      case .give(let sequence, let number, let part): give(sequence, number, Int(part), at: time)
      case .forget(let sequence, let number): way.forget(sequence, way: number, on: &modem, at: time)
      case .makeRoom:
        if let sequence = way.makeRoom(on: &modem, at: time) {
          dispatcher.madeRoom(sequence, by: Int(way.currentWay), at: time)
        }
      case .acknowledged(let sequence, let receiver): settle(sequence, receiver, isDelivered: true, at: time)
      case .gaveUp(let sequence, let receiver): settle(sequence, receiver, isDelivered: false, at: time)
      }
      serveModem(at: time)
    }
  }

  private mutating func settle(_ sequence: UInt32, _ receiver: UInt8, isDelivered: Bool, at time: Instant) {
    var head = LiveLog.Head()
    head.append(varint: UInt64(sequence))
    head.append(receiver)
    head.append(isDelivered ? 1 : 0)
    let now = max(time, tracker.now)
    log.write(.settlement, at: now, head)
    if isDelivered {
      tracker.acknowledge(sequence, by: Int(receiver), at: now)
    } else {
      tracker.giveUp(sequence, for: Int(receiver), at: now)
    }
    drain()
  }

  private mutating func give(_ sequence: UInt32, _ number: UInt8, _ part: Int, at time: Instant) {
    var text = InlineBytes<1024>()
    guard let place = tracker.outbox.place(of: sequence) else { return dispatcher.drop(sequence) }
    guard let head = tracker.encodePacket(at: place, part: part, as: JSONForm(), into: &text), !text.isTruncated else {
      return dispatcher.cantCarry(sequence, on: Int(number), at: time)
    }
    dispatcher.began(sequence, on: Int(number), isLast: head.isLast)
    var port = LiveLog.Head()
    port.append(16)
    log.write(.output, at: max(time, tracker.now), port, text.span)
    let kind = tracker.outbox.name(at: place).kind
    if !way.begin(text.span, sequence: sequence, way: number, kind: kind, by: .http, on: &modem, at: time) {
      dispatcher.handedBack(sequence, by: Int(number), at: time)
    }
  }
}

extension LinePort {
  /// The part of the loop that takes its bytes.
  var part: LoopPart {
    switch self {
    case .console: .console
    case .modem: .modem
    case .receiver: .receiver
    case .sensor: .sensor
    }
  }
}
