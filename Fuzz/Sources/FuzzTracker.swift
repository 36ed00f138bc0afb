// modules: Quantities InlineStorage ASCIIText Requests NMEA InertialFusion Positioning MotionDetection Telemetry Rules TrackerCore
import ASCIIText
import InlineStorage
import Quantities
import Telemetry
import TrackerCore

/// Any inputs in any order: the tracker neither traps nor loops, and every alert it notices goes out as a packet.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTracker(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(bytes: UnsafeBufferPointer(start: start, count: count))
  var configuration = TrackerConfiguration()
  configuration.motion.armAfter = .seconds(2)
  var device = Device(tracker: Tracker(configuration: configuration))
  while !input.isEmpty { device.step(&input) }
  // A server that hears everything: in the end nothing waits.
  device.acknowledgesAll = true
  for _ in 0..<8 { device.wait(Interval.seconds(4000)) }
  promise(
    device.alertsNoticed == device.alertsSent.count + Int(device.tracker.outbox.refusedCount), "an alert got lost")
  return 0
}

private struct Device: ~Copyable {
  var tracker: Tracker
  var time = Instant.zero
  var acknowledgesAll = false
  var alertsNoticed = 0
  var alertsSent: Set<UInt32> = []

  init(tracker: consuming Tracker) { self.tracker = tracker }

  mutating func step(_ input: inout Input) {
    // Mostly small steps; sometimes a leap, or back.
    let kind = input.byte()
    switch kind >> 5 {
    case 0...4: time = time + .milliseconds(Int(input.byte()) * 4)
    case 5: time = time + .seconds(Int(input.byte()) * 10)
    case 6: time = time - .seconds(Int(input.byte()))
    default: if input.byte() == 0xFF { time = Instant(microseconds: Int64(bitPattern: input.word())) }
    }
    switch kind & 7 {
    case 0...2:
      tracker.process(
        InertialSample(
          time: time, angularRate: input.byte() == 0 ? nil : input.vector(scale: 0.002),
          specificForce: input.byte() == 0 ? nil : input.vector(scale: 0.05) + Vector3(0, 0, 9.8)))
    case 3, 4: tracker.process(input.fix(at: time))
    case 5:
      let bytes = input.some()
      tracker.receive(bytes.span, from: input.byte() == 0 ? .uplink : .gnss, at: time)
    case 6: submit(&input)
    default: tracker.acknowledge(UInt32(input.byte()), at: time)
    }
    drain()
  }

  private mutating func submit(_ input: inout Input) {
    switch input.byte() & 3 {
    case 0: tracker.submit(.setAlerts(enabled: input.byte() & 1 == 0), at: time)
    case 1: tracker.submit(.dismiss(alert: UInt32(input.byte())), at: time)
    case 2:
      tracker.submit(
        .track(
          interval: Interval(microseconds: Int64(bitPattern: input.word())),
          duration: .seconds(Int(input.byte()))), at: time)
    default: tracker.submit(.locate, at: time)
    }
  }

  mutating func wait(_ interval: Interval) {
    let end = tracker.now + interval
    var rounds = 0
    while let deadline = tracker.nextDeadline, deadline <= end {
      rounds += 1
      promise(rounds < 10_000, "deadlines without end")
      tracker.advance(to: max(deadline, tracker.now))
      drain()
    }
  }

  /// What is kept can be restored.
  private func keep() {
    var state = InlineBytes<8192>()
    tracker.encodeState(into: &state)
    for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &state) }
    var next = Tracker(configuration: tracker.configuration)
    promise(!state.isTruncated && next.restore(state.span, at: .zero), "a state that can't be restored")
  }

  /// True for an alert that is told again because nobody has answered it.
  private func isRepetition(_ sequence: UInt32) -> Bool {
    for place in 0..<tracker.outbox.count where tracker.outbox.packet(at: place).sequence == sequence {
      return tracker.outbox.packet(at: place).alert?.repetition ?? 0 > 0
    }
    return false
  }

  private mutating func drain() {
    var rounds = 0
    while let action = tracker.nextAction() {
      rounds += 1
      promise(rounds < 1000, "actions without end")
      switch action {
      case .persist: keep()
      case .spool, .recall, .sound, .sense, .restart: break
      case .event(let event):
        if case .motion(.movement) = event.kind { alertsNoticed += 1 }
        var text = InlineBytes<1024>()
        event.encodeJSON(into: &text)
        promise(!text.isTruncated, "an event too long to write")
      case .transmit(let sequence, let kind):
        if kind == .movement, !isRepetition(sequence) { alertsSent.insert(sequence) }
        var packet = InlineBytes<1024>()
        tracker.drainOutput(for: .uplink, into: &packet)
        promise(!packet.isTruncated && !packet.isEmpty, "a packet too long to write")
        if acknowledgesAll || sequence % 3 == 0 {
          tracker.acknowledge(sequence, at: tracker.now)
        }
      }
    }
  }
}

/// Bytes as choices; zeros when they run out.
private struct Input {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isEmpty: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    place += 1
    return bytes[place - 1]
  }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) } }

  mutating func number(scale: Float) -> Float {
    let value = Int8(bitPattern: byte())
    // Both ends stand for what no sensor should say.
    if value == .max { return Float(bitPattern: UInt32(truncatingIfNeeded: word())) }
    return Float(value) * scale
  }

  mutating func vector(scale: Float) -> Vector3 {
    Vector3(number(scale: scale), number(scale: scale), number(scale: scale))
  }

  mutating func fix(at time: Instant) -> GNSSFix {
    var fix = GNSSFix(time: time)
    fix.mode = FixMode(rawValue: byte() & 3) ?? .none
    fix.position = GeodeticPosition(
      latitudeDegrees: 52 + Double(number(scale: 0.0001)), longitudeDegrees: 4 + Double(number(scale: 0.0001)))
    fix.speed = byte() & 1 == 0 ? nil : Double(number(scale: 0.1))
    fix.course = byte() & 1 == 0 ? nil : Double(number(scale: 0.05))
    fix.horizontalAccuracy = byte() & 1 == 0 ? nil : Double(number(scale: 1))
    fix.utc = byte() & 1 == 0 ? nil : UTCTime(microseconds: Int64(bitPattern: word()))
    fix.heightAboveSeaLevel = byte() & 1 == 0 ? nil : Double(number(scale: 100))
    return fix
  }

  mutating func some() -> [UInt8] {
    let length = Int(byte())
    return (0..<length).map { _ in byte() }
  }
}
