import InlineStorage
import MotionDetection
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

/// States with every field different from its neighbours and from its default.
private func samples() -> [KeptFields] {
  var full = KeptFields()
  full.boot = 0x0506_0708
  full.nextSequence = 0x0102_0304
  full.lastAlert = 0x1112_1314
  full.firstAlert = 0x0912_1310
  full.isAlarmOver = 1
  (full.distance, full.rideStart, full.alarmStart, full.lastRide) = (54_321.125, 40_000.5, 39_000.25, 1234.75)
  (full.detector, full.ratio, full.repetition) = (6, 1.75, 0x0203)
  full.ride = KeptFields.Ride(
    age: 7_200_000_001, endAge: 3_600_000_002, moved: 1_800_000_003, movingAge: nil, topSpeed: 12.25, climb: 85.5,
    climbUncertainty: 3.25)
  full.phase = 3
  full.alertsEnabled = 6
  full.up = [0.1, -0.2, 0.97]
  full.place = KeptFields.Place(latitudeE9: 52_000_000_001, longitudeE9: -4_000_000_002, accuracy: 3.5)
  (full.turningNoise, full.vibrationNoise) = (0.0021, 0.031)
  full.meterPlace = KeptFields.Place(latitudeE9: -33_000_000_003, longitudeE9: 151_000_000_004, accuracy: 0)
  full.lastPlace = KeptFields.Place(latitudeE9: 1_000_000_005, longitudeE9: 2_000_000_006, accuracy: 7.25)
  full.parkingPlace = KeptFields.Place(latitudeE9: 3_000_000_007, longitudeE9: -180_000_000_000, accuracy: -1)
  full.parkingSeconds = 1234.5
  var result = [full, KeptFields()]
  var riding = full
  riding.phase = 1
  (riding.rideAge, riding.rideIdle) = (3_600_000_001, 12_000_003)
  riding.ride = KeptFields.Ride(age: 3_600_000_001, moved: 600_000_000, movingAge: 2_000_000_000, climbUncertainty: 0)
  (riding.up, riding.turningNoise, riding.vibrationNoise) = (nil, nil, nil)
  result.append(riding)
  for phase in UInt8(0)...5 {
    var other = full
    other.phase = phase
    other.isAlarmOver = phase % 2
    other.alertsEnabled = 7
    other.parkingPlace = nil
    other.place = nil
    other.up = nil
    result.append(other)
    other.vibrationNoise = nil
    other.lastPlace = nil
    other.meterPlace = nil
    result.append(other)
  }
  return result
}

/// What a tracker keeps right after it was restored, and what it says that it lost; nil when it did nothing.
private func restored(
  from bytes: [UInt8], at time: Instant = .seconds(5), _ configuration: TrackerConfiguration = TrackerConfiguration()
) -> (fields: KeptFields, losses: StateLosses)? {
  var tracker = Tracker(configuration: configuration)
  guard tracker.restore(bytes.span, at: time) else {
    #expect(tracker.outbox.count == 0 && tracker.monitor.phase == .starting && tracker.nextDeadline == nil)
    #expect(tracker.distance == 0 && tracker.lastFix == nil && tracker.lastAlert == 0 && tracker.nextAction() == nil)
    return nil
  }
  var state = GrowingBytes()
  tracker.encodeState(into: &state)
  var answers = 0
  for place in 0..<tracker.outbox.count {
    if tracker.outbox.packet(at: place).status?.reason == .stateDamaged { answers += 1 }
    tracker.encodePacket(at: place, into: &state)
  }
  var losses = StateLosses()
  while let action = tracker.nextAction() {
    if case .event(let event) = action, case .stateDamaged(let told) = event.kind { losses = told }
  }
  #expect(answers == (losses.isEmpty ? 0 : 1), "a loss is told to whoever gets packets")
  // Whatever it was, it lives on.
  tracker.advance(to: time + .seconds(100_000))
  while tracker.nextAction() != nil {}
  guard let fields = KeptFields(state.bytes) else {
    Issue.record("a state that can't be read")
    return nil
  }
  return (fields, losses)
}

/// The packet that tells a loss, of the list of what waits and of numbering: what remains is to be compared.
private func withoutAnswer(_ fields: KeptFields) -> KeptFields {
  var fields = fields
  fields.packets.removeLast()
  fields.waiting.removeLast()
  fields.nextSequence -= 1
  return fields
}

@Test func everyFieldOfAStateIsKeptAndRestored() {
  for fields in samples() {
    let again = restored(from: fields.bytes)
    #expect(again?.fields == fields.asRestored, "\(fields) became \(String(describing: again))")
    #expect(again?.losses.isEmpty == true)
    #expect(KeptFields(fields.bytes)?.bytes == fields.bytes)
    // The order of sections says nothing, nor do those that nobody knows.
    let unknown = KeptFields.Section(tag: 99, content: [1, 2, 3]).bytes
    let shuffled = restored(from: fields.sections.reversed().flatMap { unknown + $0.bytes })
    #expect(shuffled?.fields == fields.asRestored && shuffled?.losses.isEmpty == true)
  }
}

@Test func aStateOfBeforeThereWereSectionsIsRead() {
  for fields in samples() {
    var expected = fields.asRestored
    // It did not count lives, nor say who waits.
    expected.boot = 1
    (expected.detector, expected.ratio, expected.repetition) = (0, 0, 0)
    expected.ride = nil
    // Nor how long it had stood.
    expected.parkingSeconds = fields.parkingPlace == nil ? nil : 1
    let again = restored(from: fields.firstForm)
    #expect(again?.fields == expected && again?.losses.isEmpty == true, "\(fields) became \(String(describing: again))")
    var wrong = fields
    wrong.isAlarmOver = 2
    #expect(restored(from: wrong.firstForm)?.losses.sections == .state)
    var tracker = Tracker()
    tracker.restore(fields.firstForm.span, at: .zero)
    #expect(tracker.nextAction() == .persist(.all), "in the form of today from now on")
    let section = KeptFields.Section(tag: 15, content: fields.firstForm)
    #expect(restored(from: section.bytes)?.fields == expected)
    for length in 1..<fields.firstForm.count {
      #expect(restored(from: Array(fields.firstForm.prefix(length)))?.losses.sections == .state, "cut to \(length)")
    }
  }
}

@Test func whatARestoredTrackerShowsIsWhatWasKept() {
  let fields = samples()[0]
  var tracker = Tracker()
  let isRestored = tracker.restore(fields.bytes.span, at: .seconds(500))
  #expect(isRestored)
  #expect(tracker.distance == 54_321.125 && tracker.lastRideDistance == 1234.75 && tracker.lastAlert == 0x1112_1314)
  #expect(tracker.outbox.nextSequence == 0x0102_0304 && tracker.outbox.count == 0)
  #expect(tracker.monitor.phase == .parked && !tracker.monitor.isArmed && !tracker.monitor.alertsEnabled)
  #expect(tracker.now == .seconds(500))
  #expect(tracker.lastFix?.position?.latitudeE9 == 1_000_000_005 && tracker.lastFix?.horizontalAccuracy == 7.25)
  // Older than what is fresh by a second.
  #expect(tracker.lastFix?.time == .seconds(439))
  // An hour after the restart it shows that it lives.
  #expect(tracker.nextDeadline == .seconds(4100))
  let isRestoredAgain = tracker.restore(fields.bytes.span, at: .seconds(501))
  #expect(!isRestoredAgain)
}

/// A damaged or missing section costs itself alone, and is told.
@Test func eachDamagedByteOfAStateCostsItsSectionAndNoOther() {
  for fields in [samples()[0], samples()[2]] {
    var start = 0
    for (index, section) in fields.sections.enumerated() {
      // As if it had never been.
      let without = fields.sections.indices.filter { $0 != index }.flatMap { fields.sections[$0].bytes }
      guard let expected = restored(from: without) else {
        Issue.record("nothing is left")
        return
      }
      #expect(expected.losses.sections == StateSections(tag: section.tag) && !expected.losses.isDamaged)
      let whole = fields.bytes
      for place in start..<start + section.bytes.count {
        for damage in [whole[place] ^ 1, whole[place] ^ 0x80, 0, 0xFF] where damage != whole[place] {
          var damaged = whole
          damaged[place] = damage
          let again = restored(from: damaged)
          #expect(again?.fields == expected.fields, "byte \(place) as \(damage)")
          #expect(again?.losses.sections == expected.losses.sections && again?.losses.isDamaged == true)
        }
      }
      start += section.bytes.count
    }
    for more in [[0], [0x53], [0x53, 2, 3]] as [[UInt8]] {
      let again = restored(from: fields.bytes + more)
      #expect(again.map { withoutAnswer($0.fields) } == fields.asRestored && again?.losses.isDamaged == true)
    }
  }
}

@Test func whatASectionHeldBeginsAnewWhenItIsLost() {
  let full = samples()[0]
  func without(_ tag: UInt8) -> KeptFields? {
    restored(from: full.sections.filter { $0.tag != tag }.flatMap(\.bytes)).map { withoutAnswer($0.fields) }
  }
  var expected = full.asRestored
  (expected.firstAlert, expected.alarmStart) = (0, 0)
  (expected.detector, expected.ratio, expected.repetition) = (0, 0, 0)
  #expect(without(2) == expected)
  expected = full.asRestored
  (expected.distance, expected.rideStart, expected.lastRide, expected.meterPlace) = (0, 0, 0, nil)
  expected.alarmStart = 0
  expected.ride = nil
  #expect(without(3) == expected, "the meter begins at nothing, and no ride or alarm began beyond it")
  expected = full.asRestored
  (expected.phase, expected.alertsEnabled, expected.up, expected.place) = (2, 7, nil, nil)
  (expected.turningNoise, expected.vibrationNoise) = (nil, nil)
  #expect(without(4) == expected)
  expected = full.asRestored
  (expected.lastPlace, expected.parkingPlace, expected.parkingSeconds) = (nil, nil, nil)
  #expect(without(5) == expected)
  #expect(without(6) == full.asRestored)
  // Whether alerts are on is then what the owner has set.
  var configuration = TrackerConfiguration()
  configuration.alertsEnabled = false
  let quiet = restored(from: full.sections.filter { $0.tag != 4 }.flatMap(\.bytes), configuration)
  #expect(quiet?.fields.alertsEnabled == 2)
}

@Test func ofTwoSectionsTheNewerOneCounts() {
  let (old, new) = (samples()[2], samples()[0])
  for isNewFirst in [true, false] {
    let older = old.sections.map { KeptFields.Section(tag: $0.tag, revision: 41, content: $0.content).bytes }
    let newer = new.sections.map { KeptFields.Section(tag: $0.tag, revision: 42, content: $0.content).bytes }
    let again = restored(from: isNewFirst ? (newer + older).flatMap { $0 } : (older + newer).flatMap { $0 })
    #expect(again?.fields == new.asRestored)
  }
}

@Test func whatCannotBeIsNoSection() {
  func isRefused(_ tag: UInt8, _ change: (inout KeptFields) -> Void) -> Bool {
    var fields = samples()[2]
    change(&fields)
    let losses = restored(from: fields.bytes)?.losses
    #expect(losses?.sections == [] || losses?.sections == StateSections(tag: tag))
    return losses?.sections != []
  }
  #expect(!isRefused(1) { _ in })
  #expect(isRefused(4) { $0.alertsEnabled = 8 })
  #expect(!isRefused(4) { $0.phase = 6 })
  #expect(isRefused(4) { $0.phase = 7 })
  #expect(!isRefused(2) { $0.detector = 13 })
  #expect(isRefused(2) { $0.detector = 14 })
  for value in [-0.001, -1, .infinity, -.infinity, .nan] as [Double] {
    #expect(isRefused(3) { $0.distance = value })
    #expect(isRefused(3) { $0.rideStart = value })
    #expect(isRefused(2) { $0.alarmStart = value })
    #expect(isRefused(2) { $0.ratio = Float(value) })
    #expect(isRefused(3) { $0.lastRide = value })
    #expect(isRefused(4) { $0.turningNoise = Float(value) })
    #expect(isRefused(4) { $0.vibrationNoise = Float(value) })
    #expect(isRefused(5) { $0.parkingSeconds = Float(value) })
    #expect(isRefused(3) { $0.ride?.topSpeed = Float(value) })
    #expect(isRefused(3) { $0.ride?.climb = Float(value) })
    #expect(isRefused(3) { $0.ride?.climbUncertainty = Float(value) })
  }
  for value in [Float.infinity, -.infinity, .nan] {
    #expect(isRefused(4) { $0.up = [value, 0, 1] })
    #expect(isRefused(4) { $0.up = [0, value, 1] })
    #expect(isRefused(4) { $0.up = [0, 0, value] })
    #expect(isRefused(4) { $0.place?.accuracy = value })
    #expect(isRefused(5) { $0.lastPlace?.accuracy = value })
    #expect(isRefused(5) { $0.parkingPlace?.accuracy = value })
  }
  // A century is more than any ride.
  let longest: Int64 = (1 << 52) - 1
  for (age, isWrong) in [(0, false), (longest, false), (longest + 1, true), (-1, true), (.min, true), (.max, true)] {
    #expect(isRefused(4) { $0.rideAge = age } == isWrong, "\(age) µs")
    #expect(isRefused(4) { $0.rideIdle = age } == isWrong, "\(age) µs")
    #expect(isRefused(3) { $0.ride?.age = age } == isWrong, "\(age) µs")
    #expect(isRefused(3) { $0.ride?.endAge = age } == isWrong, "\(age) µs")
    #expect(isRefused(3) { $0.ride?.moved = age } == isWrong, "\(age) µs")
    #expect(isRefused(3) { $0.ride?.movingAge = age } == isWrong, "\(age) µs")
  }
  for (latitude, longitude, isWrong) in [
    (90_000_000_000, 180_000_000_000, false), (-90_000_000_000, -180_000_000_000, false), (90_000_000_001, 0, true),
    (-90_000_000_001, 0, true), (0, 180_000_000_001, true), (0, -180_000_000_001, true),
  ] as [(Int64, Int64, Bool)] {
    let place = KeptFields.Place(latitudeE9: latitude, longitudeE9: longitude, accuracy: 1)
    #expect(isRefused(4) { $0.place = place } == isWrong)
    #expect(isRefused(3) { $0.meterPlace = place } == isWrong)
    #expect(isRefused(5) { $0.lastPlace = place } == isWrong)
    #expect(isRefused(5) { $0.parkingPlace = place } == isWrong)
  }
  let sections = samples()[0].sections
  for (index, section) in sections.enumerated() {
    for version in [0, 2, 255] as [UInt8] {
      var other = sections
      other[index].version = version
      #expect(restored(from: other.flatMap(\.bytes))?.losses.sections == StateSections(tag: section.tag))
    }
    for content in [section.content + [0], Array(section.content.dropLast())] {
      var other = sections
      other[index].content = content
      #expect(restored(from: other.flatMap(\.bytes))?.losses.sections == StateSections(tag: section.tag))
    }
  }
  #expect(restored(from: []) == nil)
}

/// Numbers go on by the mark when the state is lost or of an earlier day; the second is noticed.
@Test func theMarkKeepsNumbersFromComingTwice() {
  func mark(_ boot: UInt32, _ sequence: UInt32, _ alert: UInt32) -> [UInt8] {
    let content = [boot, sequence, alert].flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    return KeptFields.Section(tag: 7, content: content).bytes
  }
  var fields = samples()[1]
  (fields.boot, fields.nextSequence, fields.lastAlert) = (3, 100, 20)
  func numbers(_ mark: [UInt8]) -> ([UInt32], Bool)? {
    restored(from: fields.bytes + mark).map { restored in
      // The packet that tells a loss has a number, too.
      let more: UInt32 = restored.losses.isEmpty ? 0 : 1
      let kept = restored.fields
      return ([kept.boot, kept.nextSequence - more, kept.lastAlert], restored.losses.isSetBack)
    }
  }
  // As it is written: packets up to the next multiple of 64, alerts of 16.
  #expect(numbers(mark(3, 128, 32))! == ([4, 100, 20], false))
  #expect(numbers(mark(3, 64, 16))! == ([4, 100, 20], false), "a mark that lags")
  #expect(numbers(mark(2, 128, 32))! == ([4, 100, 20], false))
  #expect(numbers(mark(4, 128, 32))! == ([5, 128, 32], true), "a life more")
  #expect(numbers(mark(3, 192, 32))! == ([4, 192, 32], true), "64 packets more")
  #expect(numbers(mark(3, 128, 48))! == ([4, 128, 48], true), "16 alerts more")
  let alone = restored(from: mark(7, 128, 32))
  #expect(alone?.fields.boot == 8 && alone?.fields.nextSequence == 129 && alone?.fields.lastAlert == 32)
  #expect(alone?.losses.sections == .state && alone?.losses.isSetBack == false)
  // At the end of numbering nothing traps.
  (fields.boot, fields.nextSequence, fields.lastAlert) = (.max, .max, .max)
  #expect(numbers(mark(.max, .max, .max))! == ([.max, .max, .max], false))
}

/// The mark that a tracker asks to be kept is that of the numbers it then has, and seldom another.
@Test func theMarkIsKeptOnceIn64PacketsAndWithEachLife() {
  var tracker = Tracker()
  var marks: [UInt32] = []
  func drain(_ tracker: inout Tracker) {
    while let action = tracker.nextAction() {
      if case .persist(let sections) = action, sections.contains(.mark) { marks.append(tracker.outbox.nextSequence) }
      if case .transmit(let sequence, _) = action { tracker.acknowledge(sequence, at: tracker.now) }
    }
  }
  for second in 1...200 {
    tracker.submit(.locate, at: .seconds(second))
    drain(&tracker)
  }
  #expect(marks == [2, 65, 129, 193])
  var state = GrowingBytes()
  tracker.encodeState(.all, into: &state)
  var next = Tracker()
  next.restore(state.bytes.span, at: .zero)
  #expect(next.nextAction() == .persist([.numbering, .mark]))
  #expect(next.outbox.boot == 2)
}

@Test func aRideThatWasUnderWayGoesOnWithItsAgeWhateverTheClock() {
  for time in [Instant.zero, .seconds(7), .seconds(1_000_000)] {
    var fields = samples()[2]
    fields.alertsEnabled = 7
    var tracker = Tracker()
    let isRestored = tracker.restore(fields.bytes.span, at: time)
    #expect(isRestored)
    var events: [TrackerEvent] = []
    func fetch() {
      while let action = tracker.nextAction() { if case .event(let event) = action { events.append(event) } }
    }
    fetch()
    tracker.advance(to: time + .seconds(301))
    fetch()
    guard case .motion(.parked(let last, let start, let end)) = events.first(where: { "\($0.name)" == "parked" })?.kind
    else {
      Issue.record("it never parks")
      return
    }
    #expect(last == time && start == time - Interval(microseconds: 3_600_000_001))
    #expect(end == time - Interval(microseconds: 12_000_003))
    #expect(tracker.lastRideDistance == 54_321.125 - 40_000.5)
  }
}

@Test func aRideOlderThanACenturyCanBeReadAgain() {
  let longest: Int64 = (1 << 52) - 1
  var fields = samples()[2]
  (fields.rideAge, fields.rideIdle) = (longest, longest - 5_000_000)
  var tracker = Tracker()
  let isRestored = tracker.restore(fields.bytes.span, at: .zero)
  #expect(isRestored)
  while tracker.nextAction() != nil {}
  tracker.advance(to: .seconds(10))
  var state = GrowingBytes()
  tracker.encodeState(into: &state)
  #expect(KeptFields(state.bytes)?.rideAge == longest && KeptFields(state.bytes)?.rideIdle == longest)
  #expect(restored(from: state.bytes)?.losses.isEmpty == true, "the next life reads it")
}

/// Three packets wait, the first for one receiver alone; one section at a time is lost.
@Test func packetsGoToThoseWhoDidNotHaveThemAndLostOnesAreCounted() {
  var configuration = TrackerConfiguration()
  configuration.outbox.receivers.append(.all)
  configuration.outbox.receivers.identity = 77
  var tracker = Tracker(configuration: configuration)
  for second in 1...3 {
    tracker.submit(.locate, at: .seconds(second))
    while tracker.nextAction() != nil {}
  }
  tracker.acknowledge(1, by: 0, at: .seconds(4))
  while tracker.nextAction() != nil {}
  var state = GrowingBytes()
  tracker.encodeState(into: &state)
  for place in 0..<3 { tracker.encodePacket(at: place, into: &state) }
  let sections = KeptFields.Section.all(in: state.bytes)
  func pending(_ bytes: [UInt8], _ configuration: TrackerConfiguration) -> ([UInt32: UInt8], StateLosses) {
    var next = Tracker(configuration: configuration)
    next.restore(bytes.span, at: .zero)
    var result: [UInt32: UInt8] = [:]
    for place in 0..<next.outbox.count where next.outbox.packet(at: place).kind == .location {
      #expect(next.outbox.packet(at: place).boot == 1, "of the life that made it")
      #expect(result[next.outbox.packet(at: place).sequence] == nil, "twice in the outbox")
      result[next.outbox.packet(at: place).sequence] = next.outbox.pending(at: place).rawValue
    }
    var losses = StateLosses()
    while let action = next.nextAction() {
      if case .event(let event) = action, case .stateDamaged(let told) = event.kind { losses = told }
    }
    return (result, losses)
  }
  #expect(pending(state.bytes, configuration) == ([1: 2, 2: 3, 3: 3], StateLosses()))
  // Others than those who were asked: all of them are asked again.
  var others = configuration
  others.outbox.receivers.identity = 78
  #expect(pending(state.bytes, others) == ([1: 3, 2: 3, 3: 3], StateLosses()))
  // Without the list nobody knows who has what.
  let unlisted = pending(sections.filter { $0.tag != 6 }.flatMap(\.bytes), configuration)
  #expect(unlisted.0 == [1: 3, 2: 3, 3: 3] && unlisted.1.sections == .waiting)
  var lost = sections
  lost.remove(at: lost.count - 2)
  let two = pending(lost.flatMap(\.bytes), configuration)
  #expect(two.0 == [1: 2, 3: 3] && two.1.packets == 1 && two.1.alerts == 0 && two.1.sections == [])
  // Twice the same is one packet.
  let double = pending(state.bytes + lost.flatMap(\.bytes), configuration)
  #expect(double.0 == [1: 2, 2: 3, 3: 3] && double.1.isEmpty)
  // Others, who do not want them: that is no loss.
  var deaf = others
  deaf.outbox.receivers[0] = PacketKindSet(.movement)
  deaf.outbox.receivers[1] = PacketKindSet(.movement)
  #expect(pending(state.bytes, deaf) == ([:], StateLosses()))
}

@Test func aLostAlertIsToldAsOne() {
  var fields = samples()[1]
  fields.nextSequence = 9
  fields.waiting = [PacketKind.movement, .location, .movement].enumerated().map {
    KeptFields.Waiting(sequence: UInt32(5 + $0.offset), kind: $0.element.rawValue, pending: 1)
  }
  let losses = restored(from: fields.bytes)?.losses
  #expect(losses?.packets == 3 && losses?.alerts == 2 && losses?.sections == [])
}

@Test func packetsBeyondWhatFitsAreCountedWhenAStateIsRead() {
  var bytes = GrowingBytes()
  var owner = Owner()
  owner.acknowledges = false
  owner.fix(speed: 0)
  owner.tracker.encodeState(into: &bytes)
  var packet = owner.tracker.outbox.packet(at: 0)
  for number in UInt32(1)...34 {
    packet.sequence = number
    packet.encodeSection(revision: 9, into: &bytes)
  }
  var tracker = Tracker()
  let isRestored = tracker.restore(bytes.bytes.span, at: .zero)
  #expect(isRestored)
  #expect(tracker.outbox.count == 32 && tracker.diagnostics.packetsRefused == 2)
  #expect(tracker.outbox.nextSequence == 35)
}
