import Quantities

/// Watches what a tracker tells and what its server gets, and knows nothing of how either came about.
package final class LifeChecker {
  private(set) var broken: [BrokenPromise] = []
  /// How often each promise was looked at.
  private(set) var checks: [LifePromise: Int] = [:]
  /// The bytes of each packet, as the tracker told them first.
  private var made: [UInt32: [UInt8]] = [:]
  private var kinds: [UInt32: String] = [:]
  private var madeAt: [UInt32: Instant] = [:]
  private var isThere: Set<UInt32> = []
  private var isAtSecond: Set<UInt32> = []
  private var secondAway: [(from: Instant, until: Instant)] = []
  /// The highest number of each life: within one an alert overtakes a report with a lower number.
  private var highest: [UInt32: UInt32] = [:]
  /// Packets that tell an alert once more: a later one takes the place of one that still waits.
  private var repetitions: Set<UInt32> = []
  private var odometers: [UInt32: Double] = [:]
  private var hour: [Instant] = []
  private var obeyed: [UInt64: Set<UInt32>] = [:]
  private var cuts: [Instant] = []
  private var asked: [UInt64: (time: Instant, isOwner: Bool)] = [:]
  /// From the event to the server, of each alert, s.
  private(set) var journeys: [Double] = []
  /// What the server got in all, and what it had before.
  private(set) var receivedCount = 0
  private(set) var duplicateCount = 0
  /// Messages that are no packet at all.
  private(set) var noiseCount = 0

  /// Packets that a device may make within an hour.
  static var packetsPerHour: Int { 900 }

  /// Packets that may wait, by docs/limits.md.
  static var outboxCapacity: Int { 32 }

  func check(_ promise: LifePromise, _ holds: Bool, at time: Instant, _ what: @autoclosure () -> String) {
    checks[promise, default: 0] += 1
    guard !holds, broken.count < 20 else { return }
    broken.append(BrokenPromise(promise: promise, time: time, what: what()))
  }

  /// Number of packets that the tracker has made.
  var madeCount: Int { made.count }

  /// The supply has gone.
  func noteCut(at time: Instant) { cuts.append(time) }

  /// The power may go between the deletion of a text message and what it does.
  static var deletion: Interval { .seconds(10) }

  /// A request was sent.
  func noteAsked(_ number: UInt64, isOwner: Bool, at time: Instant) { asked[number] = (time, isOwner) }

  /// The tracker has told a packet.
  ///
  /// - Returns: False when it was told before.
  @discardableResult
  func notePacket(_ sequence: UInt32, _ fields: PacketFields, _ bytes: [UInt8], at time: Instant) -> Bool {
    if let before = made[sequence] {
      check(.sameBytes, before == bytes, at: time, "packet \(sequence) was \(text(before)), and is \(text(bytes))")
      return false
    }
    let boot = fields.boot ?? 0
    let before = highest.filter { $0.key < boot }.map(\.value).max() ?? 0
    check(.numbersGrow, sequence > before, at: time, "packet \(sequence) comes after \(before) of an earlier life")
    highest[boot] = max(highest[boot] ?? 0, sequence)
    made[sequence] = bytes
    kinds[sequence] = fields.kind
    madeAt[sequence] = time
    hour.append(time)
    while let first = hour.first, time - first > .seconds(3600) { hour.removeFirst() }
    check(
      .fewPackets, hour.count <= LifeChecker.packetsPerHour, at: time, "\(hour.count) packets within an hour")
    if let odometer = fields.odometer {
      // By their numbers: what has waited in the spool is told after what is newer.
      let before = odometers.filter { $0.key < sequence }.map(\.value).max() ?? 0
      let after = odometers.filter { $0.key > sequence }.map(\.value).min() ?? .infinity
      check(
        .odometerGrows, odometer >= before && odometer <= after, at: time,
        "packet \(sequence): \(odometer) m, \(before) m before it and \(after) m after it")
      odometers[sequence] = odometer
    }
    if fields.repetition ?? 0 > 0 { repetitions.insert(sequence) }
    noteAnswer(sequence, fields, at: time)
    return true
  }

  private func noteAnswer(_ sequence: UInt32, _ fields: PacketFields, at time: Instant) {
    // A setting that had to be taken back has its request's number, too.
    guard let number = fields.request, let answer = fields.reason, answer != "repeated", answer != "settingsTakenBack"
    else { return }
    obeyed[number, default: []].insert(sequence)
    check(
      .obeyedOnce, obeyed[number]?.count == 1, at: time,
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
    var expected = made[sequence] ?? []
    while expected.last == 0x0A || expected.last == 0x0D { expected.removeLast() }
    check(
      .nothingInvented, expected == bytes, at: time,
      "the server got \(text(bytes)); packet \(sequence) is \(expected.isEmpty ? "not made" : text(expected))")
    guard isThere.insert(sequence).inserted else {
      duplicateCount += 1
      return
    }
    if kinds[sequence] == "movement", let made = madeAt[sequence] { journeys.append((time - made).secondsDouble) }
  }

  /// The driver says that a packet is delivered.
  func noteDelivered(_ sequence: UInt32, at time: Instant) {
    check(
      .deliveredIsThere, isThere.contains(sequence), at: time,
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
    guard let fields = PacketFields(bytes), let sequence = fields.sequence, let before = made[sequence] else {
      return check(.nothingInvented, false, at: time, "the second server got \(text(bytes)), which was not made")
    }
    check(
      .nothingInvented, before == bytes, at: time,
      "the second server got \(text(bytes)); packet \(sequence) is \(text(before))")
    guard isAtSecond.insert(sequence).inserted, let madeAt = madeAt[sequence] else { return }
    let limit = madeAt + LifeChecker.promptness
    let isExcused =
      secondAway.contains { $0.from <= limit && $0.until + LifeChecker.recovery >= madeAt }
      || cuts.contains { $0 >= madeAt && $0 <= limit }
    check(
      .nobodyWaits, isExcused || time <= limit, at: time,
      "packet \(sequence) is at the second server \((time - madeAt).secondsDouble) s after it was made")
  }

  /// All is over, and nothing has gone wrong for long.
  ///
  /// - Parameters:
  ///   - waiting: Packets that the tracker still holds.
  ///   - hasSecond: Whether there is a second server.
  func finish(waiting: [UInt32], hasSecond: Bool = false, at time: Instant) {
    for (sequence, kind) in kinds.sorted(by: { $0.key < $1.key }) where kind != "location" && kind != "ride" {
      check(.nothingLost, isTold(sequence, isThere), at: time, "packet \(sequence), \(kind), never reached the server")
      guard hasSecond else { continue }
      check(
        .nothingLost, isTold(sequence, isAtSecond), at: time,
        "packet \(sequence), \(kind), never reached the second server")
    }
    check(.outboxEmpties, waiting.isEmpty, at: time, "packets \(waiting) still wait")
    for (number, request) in asked.sorted(by: { $0.key < $1.key }) where request.isOwner {
      guard !cuts.contains(where: { $0 >= request.time && $0 <= request.time + LifeChecker.deletion }) else { continue }
      check(
        .requestAnswered, obeyed[number] != nil, at: time,
        "request \(number), sent at \(request.time.secondsDouble) s, has no answer")
    }
  }

  /// True when a server has a packet, or a later one that tells the alert once more.
  private func isTold(_ sequence: UInt32, _ received: Set<UInt32>) -> Bool {
    received.contains(sequence)
      || (repetitions.contains(sequence) && received.contains { $0 > sequence && kinds[$0] == kinds[sequence] })
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
