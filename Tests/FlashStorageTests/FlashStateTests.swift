import FlashStorage
import FlashSupport
import InlineStorage
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

private let geometry = FlashGeometry(blockSize: 4096, blockCount: 16, pageSize: 256, unit: 4)

/// Parked, tracked, carried off without a way to the server, ridden, then the server is there.
///
/// - Returns: The second at which the power went.
@discardableResult private func liveStory(
  _ life: inout FlashLife, from start: Int = 0, north: inout Double, _ server: inout Server
) -> Int {
  for second in start..<storyLength {
    if life.chip.isOff { return second }
    // Away for longer than the outbox has room for reports.
    server.isThere = second < 60 || second >= 400
    if second == 65 { life.track(for: .seconds(170), &server) }
    let isMoving = (70..<78).contains(second) || (200..<300).contains(second)
    life.live(1, north: &north, speed: isMoving ? 5 : 0, &server)
  }
  return storyLength
}

private let storyLength = 500

@Suite struct FlashStateTests {
  @Test func whatATrackerKeptIsWhatItGoesOnFrom() {
    let chip = FlashChip(geometry)
    var server = Server()
    var north = 0.0
    var life = FlashLife(chip, &server)
    liveStory(&life, north: &north, &server)
    let isWhole = life.isWhole
    #expect(isWhole && life.spooledCount > 10 && life.recalledCount == life.spooledCount)
    #expect(Set(server.received.keys) == Set(server.sent.keys) && server.received.values.allSatisfy { $0 == 1 })
    let next = FlashLife(chip, &server)
    for section: StateSections in [.trip, .motion, .places, .alarm] {
      var before = GrowingBytes()
      var after = GrowingBytes()
      life.tracker.encodeState(section, into: &before)
      next.tracker.encodeState(section, into: &after)
      let name = StateSections.tags.first { StateSections(tag: $0) == section } ?? 0
      // Behind the head, which has a revision of its own.
      if section == .trip { #expect(before.bytes.dropFirst(13) == after.bytes.dropFirst(13), "section \(name)") }
      #expect(before.bytes.count == after.bytes.count, "section \(name)")
    }
    let isNext = next.tracker.outbox.boot == life.tracker.outbox.boot + 1
    #expect(isNext && next.nextSequence == life.nextSequence)
    #expect(chip.offences.isEmpty, "\(chip.offences.prefix(3))")
  }

  /// The power goes in every hundredth step of the memory; another life goes on with the story.
  @Test func aCutAtAnyMomentLosesNoPacket() {
    let whole = FlashChip(geometry)
    var wholeServer = Server()
    var wholeNorth = 0.0
    var life = FlashLife(whole, &wholeServer)
    liveStory(&life, north: &wholeNorth, &wholeServer)
    let steps = whole.stepCount
    #expect(whole.wear.reduce(0, +) > geometry.blockCount)
    var twice = 0
    for cut in stride(from: 1, to: steps, by: max(1, steps / 60)) {
      let chip = FlashChip(geometry, seed: UInt64(cut))
      chip.stepsLeft = cut
      var server = Server()
      var north = 0.0
      var life = FlashLife(chip, &server)
      let second = liveStory(&life, north: &north, &server)
      let waiting = (0..<life.tracker.outbox.count).map { life.tracker.outbox.name(at: $0).sequence }
      #expect(chip.isOff)
      let highest = server.sent.keys.max() ?? 0
      chip.powerOn()
      var next = FlashLife(chip, &server)
      let number = next.nextSequence
      #expect(number > highest, "step \(cut): number \(number) again")
      // Whatever has left and not arrived waits in the next life, in the outbox or in the spool.
      for sequence in waiting where server.sent[sequence] != nil && server.received[sequence] == nil {
        let isThere = next.tracker.outbox.place(of: sequence) != nil || inSpool(sequence, &next)
        if !isThere { Issue.record("step \(cut) of \(steps): packet \(sequence) is lost") }
      }
      liveStory(&next, from: second, north: &north, &server)
      let missing = server.sent.keys.filter { server.received[$0] == nil }
      #expect(missing.isEmpty, "step \(cut): \(missing.sorted()) never arrived")
      twice += server.received.values.reduce(0) { $0 + $1 - 1 }
      let isWhole = next.isWhole
      let left = "\(next.tracker.outbox.count) wait, \(next.state.spoolCount) in the spool, \(next.state.isComplete)"
      #expect(isWhole, "step \(cut): \(left)")
      guard chip.offences.isEmpty else {
        Issue.record("step \(cut): \(chip.offences[0])")
        return
      }
    }
    // One for a cut that strikes between an arrival and the change that says so.
    #expect(twice < 30, "\(twice)")
  }

  @Test func aSpoolThatIsFullLeavesTheOutboxToChoose() {
    let chip = FlashChip(geometry)
    var server = Server()
    var north = 0.0
    var life = FlashLife(chip, spoolCapacity: 5, &server)
    liveStory(&life, north: &north, &server)
    let isWhole = life.isWhole
    #expect(life.spooledCount >= 5 && isWhole)
  }

  /// A memory that fails keeps what it had, and takes all of it when it works again.
  @Test func aMemoryThatFailsIsTriedAgain() {
    let chip = FlashChip(geometry)
    var server = Server()
    server.isThere = false
    var north = 0.0
    var life = FlashLife(chip, &server)
    life.live(60, north: &north, &server)
    chip.isFailing = true
    life.live(8, north: &north, speed: 5, &server)
    let isLate = !life.state.isComplete
    #expect(isLate)
    let sent = server.sent.count
    chip.isFailing = false
    life.live(60, north: &north, &server)
    let isMended = life.state.isComplete
    #expect(isMended && server.sent.count > sent)
    var next = FlashLife(chip, &server)
    server.isThere = true
    next.live(60, north: &north, &server)
    #expect(server.sent.keys.allSatisfy { server.received[$0] != nil })
  }

  /// An hour of riding and 23 of being parked, every report delivered: in ten years of such days no page of an nRF52840, which takes
  /// 10,000 erasures, and so none of a better part, is worn.
  @Test func tenYearsDoNotWearTheMemory() {
    let geometry = FlashGeometry.nRF52840(blockCount: 24)
    let chip = FlashChip(geometry)
    var server = Server()
    var north = 0.0
    var life = FlashLife(chip, configuration: TrackerConfiguration(), &server)
    life.live(60, north: &north, &server)
    life.disarm(&server)
    let start = (chip.stepCount, chip.wear.reduce(0, +))
    life.live(3600, north: &north, speed: 5, &server)
    let ridden = (chip.stepCount, chip.wear.reduce(0, +))
    for _ in 0..<23 * 12 { life.live(1, north: &north, pausing: .seconds(300), &server) }
    let parked = (chip.stepCount, chip.wear.reduce(0, +))
    let bytes = (ridden.0 - start.0, parked.0 - ridden.0)
    print(
      "an hour of riding: \(bytes.0 * 4) bytes, \(ridden.1 - start.1) erasures; 23 hours parked: \(bytes.1 * 4) bytes")
    // Each block has its share.
    let daily = Double(parked.1 - start.1) / Double(geometry.blockCount)
    print("days until a page of \(geometry.blockCount) has 10,000 erasures: \(Int(10_000 / daily))")
    #expect(10_000 / daily > 3650, "\(daily) erasures a day")
    #expect(server.received.count > 50 && ridden.1 > start.1)
  }

  private func inSpool(_ sequence: UInt32, _ life: inout FlashLife) -> Bool {
    for place in 0..<life.state.store.keyCount {
      let key = life.state.store.key(place)
      if key.tag == 17, key.number == sequence { return true }
    }
    return false
  }
}
