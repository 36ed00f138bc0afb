import FlashStorage
import FlashSupport
import InlineStorage
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// Where a tracker's packets have come to, over all of its lives.
struct Server {
  /// True while packets get through.
  var isThere = true
  /// Packets that left, whether they got through or not, by their numbers, as JSON.
  var sent: [UInt32: String] = [:]
  /// How often each got through.
  var received: [UInt32: Int] = [:]
}

/// A tracker that keeps its state in a flash memory, with fixes alone, until the power goes.
struct FlashLife: ~Copyable {
  var tracker: Tracker
  var state: FlashState<ChipDriver>
  let chip: FlashChip
  private var clock: Instant = .zero
  /// What has left in this life and not arrived.
  private var underWay: Set<UInt32> = []
  private(set) var spooledCount = 0
  private(set) var recalledCount = 0

  static var configuration: TrackerConfiguration {
    var configuration = TrackerConfiguration()
    configuration.motion.armAfter = .seconds(20)
    configuration.motion.quietAfter = .seconds(20)
    configuration.reports.ridingInterval = .seconds(2)
    configuration.outbox.hasSpool = true
    return configuration
  }

  /// Starts, and goes on where the memory ends.
  init(
    _ chip: FlashChip, spoolCapacity: Int = 92, configuration: TrackerConfiguration = FlashLife.configuration,
    _ server: inout Server
  ) {
    self.chip = chip
    tracker = Tracker(configuration: configuration)
    state = FlashState(ChipDriver(chip: chip), spoolCapacity: spoolCapacity)
    guard state.begin() else { return }
    var kept = GrowingBytes()
    state.collect(into: &kept)
    if !kept.bytes.isEmpty {
      let isRestored = tracker.restore(kept.bytes.span, at: .zero)
      #expect(isRestored)
    }
    if state.spoolCount > 0 { tracker.noteSpool(count: state.spoolCount) }
    drain(&server)
  }

  /// Lets so many seconds pass, or other pauses, each with a fix at its end.
  mutating func live(
    _ count: Int, north: inout Double, speed: Double = 0, pausing pause: Interval = .seconds(1), _ server: inout Server
  ) {
    for _ in 0..<count where !chip.isOff {
      clock = clock + pause
      while let due = tracker.nextDeadline, due < clock, !chip.isOff {
        tracker.advance(to: due)
        drain(&server)
      }
      north += speed
      var fix = GNSSFix(time: clock)
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_267, longitudeDegrees: 4)
      fix.speed = speed
      fix.course = 0
      fix.horizontalAccuracy = 5
      if chip.isOff { return }
      tracker.process(fix)
      drain(&server)
      // What a loop does while nothing is due.
      _ = state.tidy()
    }
  }

  /// The owner asks for a position every two seconds.
  mutating func track(for duration: Interval, _ server: inout Server) {
    tracker.submit(.track(interval: .seconds(2), duration: duration), at: clock)
    drain(&server)
  }

  /// The owner says that it is the owner who moves it.
  mutating func disarm(_ server: inout Server) {
    tracker.submit(.setAlerts(enabled: false), at: clock)
    drain(&server)
  }

  /// Nothing waits, and the memory has all that it should have.
  var isWhole: Bool { tracker.outbox.count == 0 && state.spoolCount == 0 && state.isComplete }

  var nextSequence: UInt32 { tracker.outbox.nextSequence }

  private mutating func drain(_ server: inout Server) {
    var isMore = true
    while isMore {
      isMore = false
      while !chip.isOff, let action = tracker.nextAction() {
        switch action {
        case .persist(let sections): state.keep(sections, of: tracker)
        case .spool(let sequence):
          let isKept = state.spool(sequence, of: tracker)
          if chip.isOff { return }
          if isKept { spooledCount += 1 }
          tracker.spooled(sequence, isKept: isKept)
        case .recall(let count, let receivers):
          for _ in 0..<count {
            var section = FlashBuffer()
            guard let pending = state.recall(for: receivers, to: tracker, into: &section) else { break }
            tracker.recall(section.span, pending: pending)
            recalledCount += 1
          }
          tracker.noteSpool(count: state.spoolCount)
        case .event, .sound, .sense, .restart: break
        case .transmit(let sequence, _):
          var bytes = GrowingBytes()
          _ = tracker.drainOutput(for: .uplink, into: &bytes)
          let text = String(decoding: bytes.bytes, as: UTF8.self)
          if let earlier = server.sent[sequence], earlier != text { Issue.record("\(text) was \(earlier)") }
          server.sent[sequence] = text
          underWay.insert(sequence)
        }
      }
      // Each answer is an input of its own.
      guard server.isThere, !chip.isOff, let sequence = underWay.min() else { continue }
      isMore = true
      underWay.remove(sequence)
      guard tracker.outbox.place(of: sequence) != nil else { continue }
      server.received[sequence, default: 0] += 1
      tracker.acknowledge(sequence, at: tracker.now)
    }
  }
}
