import Quantities
import TrackerCore

/// Watches what a tracker tells and what its server gets, and knows nothing of how either came about.
package final class LifeChecker {
  private(set) var broken: [BrokenPromise] = []
  /// How often each promise was looked at.
  var checks: [LifePromise: Int] { others.merging(limitChecks > 0 ? [.withinLimits: limitChecks] : [:]) { $0 + $1 } }
  private var others: [LifePromise: Int] = [:]
  /// Of `withinLimits`: a look with each reading.
  @exclusivity(unchecked) private var limitChecks = 0
  /// Packets of which something can still come, by number.
  private var made: [UInt32: MadePacket] = [:]
  /// Packets that were made in all.
  private(set) var madeCount = 0
  /// The highest number of a packet of which nothing can come any more.
  private var lastSettled: UInt32 = 0
  /// The latest packet of each kind that each server has.
  private var latest: (there: [String: UInt32], atSecond: [String: UInt32]) = ([:], [:])
  private var secondAway: [(from: Instant, until: Instant)] = []
  /// The highest number of each of the last lives, and of all before them: within a life an alert overtakes a report with a lower number.
  private var highest: [UInt32: UInt32] = [:]
  private var highestBefore: UInt32 = 0
  /// In the order of numbers, the latest ones.
  private var odometers: [(sequence: UInt32, metres: Double)] = []
  private var odometerBefore = 0.0
  private var hour: [Instant] = []
  private var obeyed: [UInt64: Int] = [:]
  private var cuts: [Instant] = []
  private var asked: [UInt64: (time: Instant, isOwner: Bool)] = [:]
  /// From the event to the server, of each alert, s.
  private(set) var journeys: [Double] = []
  /// What the server got in all, and what it had before.
  private(set) var receivedCount = 0
  private(set) var duplicateCount = 0
  /// Messages that are no packet at all.
  private(set) var noiseCount = 0

  /// The step of the life that is lived.
  @exclusivity(unchecked) var step = 0
  /// By when the inertial sensor, which sleeps, has to be woken.
  private var asleepUntil: Instant?
  private var longestSleep = Interval.zero

  /// Last positions since the battery was charged, or the tracker began.
  private var lastPositions = 0

  /// Bytes of a packet that the transport to the first server carries at most.
  var byteLimit: Int?

  /// Packets that a device may make within an hour.
  static var packetsPerHour: Int { 900 }

  /// Packets that may wait, by docs/limits.md.
  static var outboxCapacity: Int { 32 }

  func check(_ promise: LifePromise, _ holds: Bool, at time: Instant, _ what: @autoclosure () -> String) {
    if case .withinLimits = promise { limitChecks += 1 } else { others[promise, default: 0] += 1 }
    // Of each the first few: a life of days could break one without end.
    guard !holds, broken.count(where: { $0.promise == promise }) < 5 else { return }
    broken.append(BrokenPromise(promise: promise, time: time, what: what(), step: step))
  }

  /// The supply has gone.
  func noteCut(at time: Instant) {
    cuts.append(time)
    asleepUntil = nil
  }

  /// The battery is charged so far that the next last position is another one, or a tracker begins that knows of none.
  func noteCharged() { lastPositions = 0 }

  /// The tracker has told its last position.
  func noteLastPosition(at time: Instant) {
    lastPositions += 1
    check(.lastPositionTold, lastPositions == 1, at: time, "a last position, and one before it")
  }

  /// The battery is empty.
  ///
  /// - Parameter mustHaveTold: Its level was so low for long enough.
  func noteEmpty(mustHaveTold: Bool, at time: Instant) {
    check(.lastPositionTold, lastPositions > 0 || !mustHaveTold, at: time, "empty, and no last position was told")
  }

  /// A request was sent.
  func noteAsked(_ number: UInt64, isOwner: Bool, at time: Instant) { asked[number] = (time, isOwner) }

  /// The tracker has told a packet.
  ///
  /// - Returns: False when it was told before.
  @discardableResult
  func notePacket(_ sequence: UInt32, _ fields: PacketFields, _ bytes: [UInt8], at time: Instant) -> Bool {
    if let before = made[sequence]?.bytes {
      check(.sameBytes, before == bytes, at: time, "packet \(sequence) was \(text(before)), and is \(text(bytes))")
      return false
    }
    noteNumber(sequence, of: fields.boot ?? 0, at: time)
    madeCount += 1
    made[sequence] = MadePacket(bytes: bytes, kind: fields.kind, time: time, isRepeated: fields.repetition ?? 0 > 0)
    hour.append(time)
    while let first = hour.first, time - first > .seconds(3600) { hour.removeFirst() }
    check(
      .fewPackets, hour.count <= LifeChecker.packetsPerHour, at: time, "\(hour.count) packets within an hour")
    if let odometer = fields.odometer { noteOdometer(odometer, sequence, at: time) }
    noteAnswer(sequence, fields, at: time)
    return true
  }

  private func noteNumber(_ sequence: UInt32, of boot: UInt32, at time: Instant) {
    let before = highest.lazy.filter { $0.key < boot }.map(\.value).max() ?? highestBefore
    check(.numbersGrow, sequence > before, at: time, "packet \(sequence) comes after \(before) of an earlier life")
    highest[boot] = max(highest[boot] ?? 0, sequence)
    guard highest.count > LifeChecker.livesInMemory, let first = highest.keys.min() else { return }
    highestBefore = max(highestBefore, highest.removeValue(forKey: first) ?? 0)
  }

  /// By their numbers: what has waited in the spool is told after what is newer.
  private func noteOdometer(_ metres: Double, _ sequence: UInt32, at time: Instant) {
    var place = odometers.count
    while place > 0, odometers[place - 1].sequence > sequence { place -= 1 }
    let before = place > 0 ? odometers[place - 1].metres : odometerBefore
    let after = place < odometers.count ? odometers[place].metres : .infinity
    check(
      .odometerGrows, metres >= before && metres <= after, at: time,
      "packet \(sequence): \(metres) m, \(before) m before it and \(after) m after it")
    odometers.insert((sequence, metres), at: place)
    guard odometers.count > 2 * LifeChecker.odometersInMemory else { return }
    odometerBefore = odometers[LifeChecker.odometersInMemory - 1].metres
    odometers.removeFirst(LifeChecker.odometersInMemory)
  }

  /// A packet says that it was made so many ms after the world's zero.
  func noteUTC(_ told: Int64, of sequence: UInt32, madeAt time: Instant) {
    let error = told - time.microseconds / 1000
    check(
      .timeIsTrue, error.magnitude <= 1000, at: time, "packet \(sequence) says a time that is off by \(error) ms")
  }

  private func noteAnswer(_ sequence: UInt32, _ fields: PacketFields, at time: Instant) {
    // A setting that had to be taken back has its request's number, too.
    guard let number = fields.request, let answer = fields.reason, answer != "repeated", answer != "settingsTakenBack"
    else { return }
    obeyed[number, default: 0] += 1
    check(
      .obeyedOnce, obeyed[number] == 1, at: time,
      "request \(number) is answered '\(answer)' by packet \(sequence), and was before")
    check(
      .onlyOwnerObeyed, asked[number]?.isOwner == true, at: time,
      "request \(number) is answered '\(answer)'; the owner has not sent it")
  }

  /// The server has got something.
  func noteReceived(_ bytes: [UInt8], at time: Instant) {
    var bytes = bytes
    while bytes.last == 0x0A || bytes.last == 0x0D { bytes.removeLast() }
    guard let fields = PacketFields(bytes), let sequence = fields.sequence else {
      // A modem that waited for the bytes of a packet when its tracker restarted takes commands for them.
      noiseCount += 1
      return
    }
    receivedCount += 1
    var expected = made[sequence]?.bytes ?? []
    while expected.last == 0x0A || expected.last == 0x0D { expected.removeLast() }
    // What a transport can't carry goes without some of its members.
    let isShort = byteLimit.map { expected.count > $0 && bytes.count <= $0 } ?? false
    check(
      .nothingInvented, expected == bytes || (isShort && PacketFields.isPart(bytes, of: expected)), at: time,
      "the server got \(text(bytes)); packet \(sequence) is \(expected.isEmpty ? what(sequence) : text(expected))")
    guard let packet = made[sequence] else { return }
    guard !packet.isThere else {
      duplicateCount += 1
      return
    }
    made[sequence]?.isThere = true
    latest.there[packet.kind] = max(latest.there[packet.kind] ?? 0, sequence)
    if packet.kind == "movement" { journeys.append((time - packet.time).secondsDouble) }
  }

  /// What is known of a packet without bytes.
  private func what(_ sequence: UInt32) -> String {
    sequence <= lastSettled
      ? "not made, or was settled \(LifeChecker.memory.microseconds / 3_600_000_000) h ago" : "not made"
  }

  /// The driver says that a packet is delivered.
  func noteDelivered(_ sequence: UInt32, at time: Instant) {
    check(
      .deliveredIsThere, made[sequence]?.isThere == true, at: time,
      "packet \(sequence) counts as delivered, and the server does not have it")
  }

  // MARK: The second server

  /// Until a packet is at a server that answers.
  static var promptness: Interval { .seconds(10) }
  /// Until a server that answers again has all its attention: what it did not answer is waited for.
  static var recovery: Interval { .seconds(60) }

  /// The second server has a fault.
  func noteSecondAway(from: Instant, until: Instant) { secondAway.append((from, until)) }

  /// The second server has got something.
  func noteReceivedBySecond(_ bytes: [UInt8], at time: Instant) {
    guard let fields = PacketFields(bytes), let sequence = fields.sequence, let packet = made[sequence] else {
      return check(.nothingInvented, false, at: time, "the second server got \(text(bytes)), which was not made")
    }
    check(
      .nothingInvented, packet.bytes == bytes, at: time,
      "the second server got \(text(bytes)); packet \(sequence) is \(text(packet.bytes))")
    guard !packet.isAtSecond else { return }
    made[sequence]?.isAtSecond = true
    latest.atSecond[packet.kind] = max(latest.atSecond[packet.kind] ?? 0, sequence)
    let limit = packet.time + LifeChecker.promptness
    let isExcused =
      secondAway.contains { $0.from <= limit && $0.until + LifeChecker.recovery >= packet.time }
      || cuts.contains { $0 >= packet.time && $0 <= limit }
    check(
      .nobodyWaits, isExcused || time <= limit, at: time,
      "packet \(sequence) is at the second server \((time - packet.time).secondsDouble) s after it was made")
  }

  // MARK: Sensors

  /// The tracker has said what its sensors are to do.
  ///
  /// - Parameter deadline: How long the inertial sensor may sleep.
  func noteSensing(_ plan: SensingPlan, deadline: Interval, at time: Instant) {
    guard plan.inertial == .watching else { return noteAwake(at: time) }
    guard asleepUntil == nil else { return }
    asleepUntil = time + deadline
    longestSleep = deadline
  }

  /// The inertial sensor, which may sleep, has given a reading: it had not gone to sleep yet, or what it felt has woken it.
  func noteHeard(at time: Instant) {
    guard let until = asleepUntil else { return }
    if time > until { noteAwake(at: time) }
    asleepUntil = time + longestSleep
  }

  /// The inertial sensor is awake.
  func noteAwake(at time: Instant) {
    guard let until = asleepUntil else { return }
    asleepUntil = nil
    check(.sleepersWake, time <= until, at: time, "the inertial sensor was to be woken at \(until.secondsDouble) s")
  }

  /// Time passes, and the inertial sensor sleeps.
  func noteTime(_ time: Instant) { if let until = asleepUntil, time > until { noteAwake(at: time) } }

  // MARK: Settling

  /// After this, nothing can come of a packet that waits nowhere, and a request has its answer.
  static var memory: Interval { .seconds(48 * 3600) }
  /// Lives of which the highest number is known.
  static var livesInMemory: Int { 64 }
  /// Packets of which the odometer is known: more than a spool holds.
  static var odometersInMemory: Int { 4096 }

  /// Packets and requests that are not settled yet.
  var unsettledCount: Int { made.count + asked.count }

  /// Judges what has come of packets and requests of long ago, and forgets them.
  ///
  /// - Parameters:
  ///   - waiting: Packets that the tracker still holds.
  ///   - hasSecond: Whether there is a second server.
  func settle(waiting: Set<UInt32>, hasSecond: Bool, at time: Instant) {
    let limit = time - LifeChecker.memory
    for (sequence, packet) in made.sorted(by: { $0.key < $1.key })
    where packet.time < limit && !waiting.contains(sequence) {
      judge(sequence, packet, hasSecond: hasSecond, at: time)
      made[sequence] = nil
      lastSettled = max(lastSettled, sequence)
    }
    for (number, request) in asked.sorted(by: { $0.key < $1.key }) where request.time < limit {
      judge(number, request, at: time)
      asked[number] = nil
      obeyed[number] = nil
    }
    let oldest = made.values.reduce(limit) { min($0, $1.time) }
    secondAway.removeAll { $0.until + LifeChecker.recovery < oldest }
    cuts.removeAll { $0 < oldest }
  }

  /// All is over, and nothing has gone wrong for long.
  ///
  /// - Parameters:
  ///   - waiting: Packets that the tracker still holds.
  ///   - hasSecond: Whether there is a second server.
  func finish(waiting: [UInt32], hasSecond: Bool = false, at time: Instant) {
    for (sequence, packet) in made.sorted(by: { $0.key < $1.key }) {
      judge(sequence, packet, hasSecond: hasSecond, at: time)
    }
    check(.outboxEmpties, waiting.isEmpty, at: time, "packets \(waiting) still wait")
    for (number, request) in asked.sorted(by: { $0.key < $1.key }) { judge(number, request, at: time) }
  }

  private func judge(_ sequence: UInt32, _ packet: MadePacket, hasSecond: Bool, at time: Instant) {
    guard packet.kind != "location", packet.kind != "ride" else { return }
    // Of an alert that is told once more a later packet takes the place of one that still waits.
    func isTold(_ isThere: Bool, _ latest: [String: UInt32]) -> Bool {
      isThere || (packet.isRepeated && latest[packet.kind] ?? 0 > sequence)
    }
    check(
      .nothingLost, isTold(packet.isThere, latest.there), at: time,
      "packet \(sequence), \(packet.kind), never reached the server")
    guard hasSecond else { return }
    check(
      .nothingLost, isTold(packet.isAtSecond, latest.atSecond), at: time,
      "packet \(sequence), \(packet.kind), never reached the second server")
  }

  private func judge(_ number: UInt64, _ request: (time: Instant, isOwner: Bool), at time: Instant) {
    guard request.isOwner else { return }
    check(
      .requestAnswered, obeyed[number] != nil, at: time,
      "request \(number), sent at \(request.time.secondsDouble) s, has no answer")
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// What is known of a packet as long as something can come of it.
private struct MadePacket {
  /// As the tracker told it first.
  let bytes: [UInt8]
  let kind: String
  /// When it was made.
  let time: Instant
  /// True when it tells an alert once more.
  let isRepeated: Bool
  var isThere = false
  var isAtSecond = false
}
