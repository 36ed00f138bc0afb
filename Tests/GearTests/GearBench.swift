import Gear
import Quantities
import Telemetry
import TestSupport
import TrackerCore
import TrackerRuntime

/// A storage, and what a power cut after each of its changes would leave.
final class CutStore: TrackerStore {
  private var sections: [UInt8: [UInt8]] = [:]
  private var packets: [UInt8] = []
  private(set) var states: [[UInt8]] = []
  var settledChange: UInt64 { UInt64(states.count) }
  func noteUnkept(_ sequence: UInt32, after wait: Interval) {}
  func keep(beside tag: UInt8, _ record: [UInt8]) { sections[tag] = record }

  func begin(with state: [UInt8]) {
    var place = 0
    while let section = StoredSection.next(in: state.span, from: place) {
      place = section.end
      guard section.tag != Packet.sectionTag else { continue }
      sections[section.tag] = Array(state[section.start - StoredSection.headLength..<section.end])
    }
  }

  func keep(_ wanted: StateSections, of tracker: borrowing Tracker) -> UInt64 {
    for tag in StateSections.tags where wanted.contains(StateSections(tag: tag)) {
      var bytes = ByteBuffer()
      tracker.encodeState(StateSections(tag: tag), into: &bytes)
      if !bytes.bytes.isEmpty { sections[tag] = bytes.bytes }
    }
    var bytes = ByteBuffer()
    for place in 0..<tracker.outbox.count { tracker.encodePacket(at: place, into: &bytes) }
    packets = bytes.bytes
    states.append(sections.keys.sorted().flatMap { sections[$0] ?? [] } + packets)
    return settledChange
  }
}

/// A tracker that rides, with its gear, on virtual time.
final class GearBench {
  let run: TrackerRun
  let store = CutStore()
  /// Everything that was told, as JSON.
  private(set) var told: [String] = []
  private var second: Int
  private var north = 0.0
  private var random = SeededRandom(seed: 5)
  /// UTC at zero; nil for a receiver that tells no time.
  var epoch: Int? = 1_764_000_000

  init(restoring state: [UInt8] = [], log: (any RunLog)? = nil) throws {
    var configuration = RunConfiguration()
    configuration.tracker.alertsEnabled = false
    second = 0
    var onOutput: (String) -> Void = { _ in }
    run = try TrackerRun(configuration, log: log, store: store) { _, bytes in
      onOutput(bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    onOutput = { [unowned self] in told.append($0) }
    guard !state.isEmpty else { return }
    store.begin(with: state)
    try run.restore(state, at: .zero)
  }

  /// What a power cut leaves now.
  var state: [UInt8] { store.states.last ?? [] }

  /// Seconds in which an inertial sensor, fifty samples a second, feels noise of so many m/s², and nothing else is heard.
  func feel(_ shaking: Float, seconds: Int, speed: Double) throws {
    for _ in 0..<seconds {
      for sample in 1...50 {
        let noise = Vector3(Float(random.normal()), Float(random.normal()), Float(random.normal()))
        let force = max(shaking, 0.03)
        try run.feed(
          .inertial(
            InertialSample(
              time: .seconds(second) + .milliseconds(20 * sample), angularRate: noise * max(0.2 * shaking, 0.002),
              specificForce: Vector3(force * noise.y, force * noise.z, 9.8 + force * noise.x))))
      }
      second += 1
      north += speed
    }
  }

  func fix(speed: Double) throws {
    second += 1
    north += speed
    var fix = GNSSFix(time: .seconds(second))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeDegrees: 52 + north / 111_250, longitudeDegrees: 4)
    fix.horizontalAccuracy = 3
    fix.speed = speed
    fix.utc = epoch.map { UTCTime(microseconds: Int64($0 + second) * 1_000_000) }
    try run.feed(.fix(fix))
  }

  /// Rides northwards, or with a negative speed southwards, and parks.
  ///
  /// - Returns: The length of the ride, whole metres.
  @discardableResult func ride(seconds: Int, speed: Double = 5) throws -> Int64 {
    for _ in 0..<seconds { try fix(speed: speed) }
    let parameters = RunConfiguration().tracker.motion
    for _ in 0..<Int((parameters.armBy + parameters.armAfter + parameters.silenceAfter).secondsDouble) {
      try fix(speed: 0)
    }
    return Int64(run.lastRideDistance.rounded())
  }

  func wait(days: Int) throws {
    second += days * 86_400
    try run.advance(to: .seconds(second))
    try fix(speed: 0)
  }

  /// Asks, and tells what became of it.
  @discardableResult func ask(_ text: String) throws -> String {
    let heard = try run.hear(Array(text.utf8), from: .console, at: .seconds(second))
    if case .refused(let reason, _) = heard.verdict { return "refused \(reason.word)" }
    let value = heard.value.map { value in String(decoding: (0..<Int(value.count)).map { value[$0] }, as: UTF8.self) }
    return (heard.answer.map { "\($0.name)" } ?? "none") + (value.map { " " + $0 } ?? "")
  }

  func gear(_ name: String) -> Gear? {
    run.lookAtGear { ledger in
      for row in 0..<GearLedger.capacity {
        if let gear = ledger.gear(in: row), text(gear.name.span) == name { return gear }
      }
      return nil
    }
  }

  /// How often a reason of a status was told.
  func count(_ reason: String) -> Int { told.count { $0.contains("\"reason\":\"\(reason)\"") } }
  /// The value of the last status with a reason.
  func value(_ reason: String) -> String? {
    guard let json = told.last(where: { $0.contains("\"reason\":\"\(reason)\"") }),
      let start = json.range(of: "\"value\":\"")
    else { return nil }
    return String(json[start.upperBound...].prefix { $0 != "\"" })
  }
}

extension String {
  /// Where a text stands first.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(text) { return place..<index(place, offsetBy: text.count) }
      place = index(after: place)
    }
    return nil
  }
}
