import Quantities
import Requests
import Telemetry
import Testing
import TrackerCore
import TrackerRuntime

/// The owner's key in tests: bytes 0 to 31.
let testKeyDigits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

func testKey(_ digits: String = testKeyDigits) -> RequestKey? { RequestKey(hexadecimal: Array(digits.utf8).span) }

/// What stands on the device in tests.
let testSecretDigits = "f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f"

/// The owner's key after a claim with the secret of the device.
func claimedKey(_ counter: UInt64, of digits: String = testSecretDigits) -> RequestKey? {
  let tracker = Array("leash".utf8)
  return testKey(digits)?.ownersKey(claim: counter, for: tracker.span)
}

/// A request as `leash request` signs it.
func signed(_ text: String, counter: UInt64, by key: RequestKey? = testKey()) -> String {
  let tracker = Array("leash".utf8)
  let bytes = key?.signed(Array(text.utf8).span, for: tracker.span, counter: counter)
  guard let bytes else { return "" }
  return bytes.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

/// What a run records, as words.
final class BenchLog: RunLog {
  private(set) var commands: [String] = []
  private(set) var everything: [UInt8] = []
  func append(configuration: Span<UInt8>) { keep(configuration) }
  func append(_ input: TrackerInput, bytes: Span<UInt8>) {
    keep(bytes)
    guard case .command = input else { return }
    commands.append(bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
  func append(tick time: Instant) {}
  func append(acknowledgement sequence: UInt32, at time: Instant) {}
  func append(settlement sequence: UInt32, receiver: UInt8, isDelivered: Bool, at time: Instant) {}
  func append(action: Span<UInt8>, at time: Instant) { keep(action) }
  func append(output: Span<UInt8>, to port: UInt8, at time: Instant) { keep(output) }
  private func keep(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { everything += $0 } }
  var text: String { String(decoding: everything, as: UTF8.self) }
}

/// A tracker with a sensor on virtual time, which is asked and whose packets are looked at.
final class RequestBench {
  let run: TrackerRun
  let log = BenchLog()
  private(set) var packets: [String] = []
  private(set) var events: [String] = []
  private(set) var sounds: [String] = []
  private(set) var restarts = 0
  private(set) var second = 0
  /// How far the receiver's clock is ahead of what it was, s.
  var clockIsAhead = 0
  private var tilt: Float = 0
  private var store = BenchStore()

  /// The sections that a power cut leaves, by their tags.
  var sections: [UInt8: [UInt8]] { store.sections }
  /// What a power cut leaves.
  var state: [UInt8] { store.sections.keys.sorted().flatMap { store.sections[$0] ?? [] } + store.packets }

  init(
    restoring state: [UInt8] = [], from second: Int = 0, delivery: PacketDelivery? = nil,
    change: (inout TrackerConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = RunConfiguration()
    configuration.tracker.motion.armAfter = .seconds(10)
    change(&configuration.tracker)
    var onOutput: (RunOutput, Span<UInt8>) -> Void = { _, _ in }
    run = try TrackerRun(configuration, log: log, delivery: delivery, store: store) { output, bytes in
      onOutput(output, bytes)
    }
    self.second = second
    onOutput = { [unowned self] output, bytes in
      let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      switch output {
      case .event: events.append(text)
      case .packet: packets.append(text)
      }
    }
    run.onSound = { [unowned self] pattern, duration, _ in sounds.append("\(pattern.word) \(duration.secondsDouble)") }
    run.onRestart = { [unowned self] in restarts += 1 }
    run.door.key = testKey()
    if !state.isEmpty {
      store.begin(with: state)
      try run.restore(state, at: .seconds(second))
    }
  }

  /// A bench that is parked and armed, with its first packets taken.
  static func parked() throws -> RequestBench {
    let bench = try RequestBench()
    try bench.fix()
    try bench.stand(60)
    try #require(bench.run.isArmed)
    _ = bench.news()
    return bench
  }

  /// How many alerts are among packets, told again or not.
  static func alertCount(_ packets: [String]) -> Int {
    packets.filter { $0.contains("\"type\":\"movement\"") && !$0.contains("repetition") }.count
  }

  /// Stands for some seconds with the sensor at rest, after it is leant over by so much more within a second, rad.
  func stand(_ seconds: Int, leaning more: Float = 0) throws {
    let target = tilt + more
    for _ in 0..<seconds {
      second += 1
      for step in 0..<25 {
        let noise = Float((step &* 37) % 16 - 8) * 0.0004
        let rate: Float = tilt < target - 0.001 ? more : 0
        tilt += rate / 25
        try run.feed(
          .inertial(
            InertialSample(
              time: .milliseconds(1000 * second + 40 * step), angularRate: Vector3(rate + noise, -noise, noise),
              specificForce: Vector3(
                noise, 9.80665 * Float(Elementary.sin(Double(tilt))), 9.80665 * Float(Elementary.cos(Double(tilt)))))))
      }
    }
  }

  /// A fix at a place that does not move.
  func fix() throws {
    second += 1
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 4_000_000_000)
    fix.horizontalAccuracy = 3
    fix.speed = 0
    fix.utc = UTCTime(microseconds: (1_764_000_000 + Int64(second)) * 1_000_000)
    try run.feed(.fix(fix))
  }

  /// A second more.
  func advanceSecond() { second += 1 }

  /// Lets time pass without anything.
  func wait(_ seconds: Int) throws {
    second += seconds
    try run.advance(to: .seconds(second))
  }

  /// Asks, and tells what became of it: the word of the refusal, or of the answer, or `obeyed`.
  @discardableResult func ask(_ text: String, _ origin: RequestOrigin = .console) throws -> String {
    let heard = try run.hear(Array(text.utf8), from: origin, at: .seconds(second))
    switch heard.verdict {
    case .refused(let reason, _), .refusedTogether(let reason, _, _): return "\(reason.word)"
    case .admitted: return heard.answer.map { "\($0.name)" } ?? "obeyed"
    case .told: return "told"
    }
  }

  /// The packets since the last look.
  func news() -> [String] {
    defer { packets = [] }
    return packets
  }
}

/// Keeps what a power cut leaves, at once.
final class BenchStore: TrackerStore {
  private(set) var sections: [UInt8: [UInt8]] = [:]
  private(set) var packets: [UInt8] = []
  private var change: UInt64 = 0
  var settledChange: UInt64 { change }
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {}
  func keep(beside tag: UInt8, _ record: [UInt8]) { sections[tag] = record }
  /// What an earlier life has kept; packets are all kept anew.
  func begin(with state: [UInt8]) {
    var place = 0
    while let section = StoredSection.next(in: state.span, from: place) {
      place = section.end
      guard !StateSections(tag: section.tag).isEmpty else { continue }
      sections[section.tag] = Array(state[section.start - StoredSection.headLength..<section.end])
    }
  }

  func keep(_ sections: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    for tag in StateSections.tags where sections.contains(StateSections(tag: tag)) {
      var bytes = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &bytes)
      if !bytes.bytes.isEmpty { self.sections[tag] = bytes.bytes }
    }
    var bytes = ByteBuffer()
    for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &bytes) }
    packets = bytes.bytes
    change += 1
    return change
  }
}
