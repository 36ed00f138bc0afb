import InertialFusion
import InlineStorage
import MotionDetection
import PacketForms
import Quantities
import Telemetry
import TestSupport
import Testing
import TrackerCore

@Test func whatFindsNoRoomIsCountedAndToldAndNeverAnAlert() {
  var owner = Owner(hertz: 50, isWatched: false)
  owner.acknowledges = false
  owner.clock = .seconds(1)
  owner.fix(speed: 0)
  // Positions give way to answers, the oldest first …
  for _ in 0..<40 { owner.submit(.locate) }
  #expect(owner.tracker.outbox.count == 32)
  #expect(owner.tracker.diagnostics.packetsEvicted == 9 && owner.tracker.diagnostics.packetsRefused == 0)
  for _ in 0..<32 { owner.submit(.dismiss(alert: 9)) }
  #expect(owner.tracker.diagnostics.packetsEvicted == 41 && owner.tracker.diagnostics.packetsRefused == 0)
  #expect((0..<32).allSatisfy { owner.tracker.outbox.packet(at: $0).kind == .status })
  // … but an answer doesn't give way to anything but an alert.
  owner.forget()
  owner.submit(.locate)
  owner.submit(.dismiss(alert: 9))
  #expect(owner.allEvents.map(\.kind) == [.packetRefused(kind: 0), .packetRefused(kind: 4)])
  #expect(owner.tracker.diagnostics.packetsRefused == 2 && owner.tracker.diagnostics.packetsEvicted == 41)
  #expect(owner.tracker.diagnostics.actionsDropped == 0)
}

@Test func samplesThatCanNotBeAreCountedByWhy() {
  var owner = Owner(isWatched: false)
  func sample(_ milliseconds: Int, _ rate: Vector3?, _ force: Vector3?) {
    owner.process(InertialSample(time: .milliseconds(milliseconds), angularRate: rate, specificForce: force))
  }
  sample(10, .zero, Vector3(0, 0, 9.8))
  let nothing = (owner.tracker.diagnostics.samplesInvalid, owner.tracker.diagnostics.samplesOutOfOrder)
  #expect(nothing == (0, 0))
  sample(20, Vector3(.nan, 0, 0), nil)
  #expect(owner.tracker.diagnostics.samplesInvalid == 1)
  sample(30, nil, nil)
  #expect(owner.tracker.diagnostics.samplesInvalid == 2)
  sample(40, Vector3(0, 0, 1e9), Vector3(0, 0, 9.8))
  #expect(owner.tracker.diagnostics.samplesInvalid == 3 && owner.tracker.diagnostics.samplesOutOfOrder == 0)
  sample(10, .zero, Vector3(0, 0, 9.8))
  sample(5, .zero, Vector3(0, 0, 9.8))
  #expect(owner.tracker.diagnostics.samplesInvalid == 3 && owner.tracker.diagnostics.samplesOutOfOrder == 2)
}

@Test func timesUpToTheEndOfTheClockAreTakenAndNoneBeyond() {
  let limit: Int64 = 1 << 62
  for (time, isTaken) in [
    (limit, true), (limit + 1, false), (-limit, true), (-limit - 1, false), (.min, false), (.max, false),
  ] {
    let instant = Instant(microseconds: time)
    for door in 0..<6 {
      var tracker = Tracker()
      var fix = GNSSFix(time: instant)
      fix.mode = .none
      switch door {
      case 0: tracker.advance(to: instant)
      case 1: tracker.process(fix)
      case 2: tracker.process(InertialSample(time: instant, specificForce: Vector3(0, 0, 9.8)))
      case 3: tracker.submit(.locate, at: instant)
      case 4: tracker.acknowledge(7, at: instant)
      default: tracker.receive([1, 2].span, from: .uplink, at: instant)
      }
      let seen = tracker.diagnostics
      #expect(seen.timesImpossible == (isTaken ? 0 : 1), "\(time) by door \(door)")
      #expect(tracker.now == (isTaken ? instant : .zero), "\(time) by door \(door)")
      #expect((tracker.monitor.phase == .starting) == !isTaken)
      // What is refused does nothing at all.
      #expect(isTaken || (seen.acknowledgementsUnknown == 0 && seen.bytesIgnored == 0 && tracker.outbox.count == 0))
      #expect(tracker.restore([1].span, at: instant) == false)
    }
  }
}

@Test func aPacketIsFetchedOnceInItsCanonicalFormAndAsOftenAsWantedInThatOfAWay() {
  for format in PacketFormat.allCases {
    var configuration = TrackerConfiguration()
    configuration.packetFormat = format
    configuration.trackerID = InlineBytes<32>("Allawi2001")
    var tracker = Tracker(configuration: configuration)
    var fix = GNSSFix(time: .seconds(1))
    fix.mode = .threeDimensional
    fix.position = GeodeticPosition(latitudeE9: 32_060_000_000, longitudeE9: 38_000_000_000)
    tracker.process(fix)
    var bytes = GrowingBytes()
    let isEarly = tracker.drainOutput(for: .uplink, into: &bytes)
    #expect(!isEarly, "before it is announced")
    while let action = tracker.nextAction() {
      guard case .transmit(1, .location) = action else { continue }
      let isElsewhere = tracker.drainOutput(for: .gnss, into: &bytes)
      #expect(!isElsewhere && bytes.bytes.isEmpty)
      let isThere = tracker.drainOutput(for: .uplink, into: &bytes)
      #expect(isThere)
      let isStillThere = tracker.drainOutput(for: .uplink, into: &bytes)
      #expect(!isStillThere)
    }
    let text = String(decoding: bytes.bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"type":"location","trackerId":"Allawi2001","sequence":1,"boot":1,"uptime":1.000,"#))
    for _ in 0..<2 {
      var way = GrowingBytes()
      let head = tracker.encodePacket(at: 0, part: 0, as: format, into: &way)
      #expect(head?.isLast == ([.traccar, .ownTracksCompact].contains(format) ? nil : true))
      let written = String(decoding: way.bytes, as: UTF8.self)
      switch format {
      case .minimal: #expect(written == #"{"latitude":32.0600000,"longitude":38.0000000,"trackerId":"Allawi2001"}"#)
      case .json: #expect(written == text)
      case .text:
        #expect(written == "Allawi2001: location, https://osm.org/?mlat=32.060000&mlon=38.000000 #1")
      case .ownTracks:
        #expect(written.hasPrefix(#"{"_type":"location","tid":"01","lat":32.0600000,"lon":38.0000000,"acc":100,"#))
      case .osmAnd: #expect(written.hasPrefix("id=Allawi2001&lat=32.0600000&lon=38.0000000&"))
      // Without a time these can't be.
      case .traccar, .ownTracksCompact: #expect(written == "" && head == nil)
      }
    }
    var more = GrowingBytes()
    let second = tracker.encodePacket(at: 0, part: 1, as: format, into: &more)
    #expect(second == nil && more.bytes.isEmpty, "a packet is one message in each of these")
  }
  // A packet without a place has no minimal form, and still its canonical one.
  var tracker = Tracker()
  tracker.submit(.locate, at: .zero)
  while let action = tracker.nextAction() {
    guard case .transmit = action else { continue }
    var bytes = GrowingBytes()
    let head = tracker.encodePacket(at: 0, part: 0, as: MinimalForm(), into: &bytes)
    #expect(head == nil && bytes.bytes.isEmpty)
    let isThere = tracker.drainOutput(for: .uplink, into: &bytes)
    #expect(isThere && bytes.bytes.count > 50)
  }
}

@Test func eachReceiverIsStruckOutByItselfAndWhatCantBeCarriedIsCounted() {
  var configuration = TrackerConfiguration()
  configuration.outbox.receivers.append(PacketKindSet(.status))
  var tracker = Tracker(configuration: configuration)
  func drain(_ tracker: inout Tracker) -> Bool {
    var isKept = false
    while let action = tracker.nextAction() { if case .persist = action { isKept = true } }
    return isKept
  }
  tracker.submit(.setAlerts(enabled: true), at: .zero)
  _ = drain(&tracker)
  tracker.acknowledge(1, by: 0, at: .seconds(1))
  #expect(drain(&tracker) && tracker.outbox.count == 1 && tracker.outbox.pending(at: 0) == ReceiverSet(1))
  tracker.acknowledge(1, by: 0, at: .seconds(2))
  #expect(!drain(&tracker) && tracker.diagnostics.acknowledgementsUnknown == 1)
  tracker.giveUp(1, for: 1, at: .seconds(3))
  #expect(drain(&tracker) && tracker.outbox.count == 0 && tracker.diagnostics.packetsUncarried == 1)
  tracker.giveUp(1, for: 1, at: .seconds(4))
  #expect(!drain(&tracker) && tracker.diagnostics.acknowledgementsUnknown == 2)
}

@Test func aReportThatNobodyTookInTimeIsGivenUpAndCounted() {
  var configuration = TrackerConfiguration()
  configuration.outbox.reportLifetime = .seconds(100)
  configuration.reports.parkedInterval = .seconds(86_400)
  var tracker = Tracker(configuration: configuration)
  tracker.submit(.locate, at: .seconds(1))
  while tracker.nextAction() != nil {}
  #expect(tracker.nextDeadline == .seconds(101))
  tracker.advance(to: .seconds(101))
  #expect(
    tracker.outbox.count == 0 && tracker.diagnostics.packetsExpired == 1 && tracker.nextAction() == .persist(.waiting))
}

@Test func whatATrackerIsMadeWithDecides() {
  #expect(TrackerConfiguration().alertsEnabled && TrackerConfiguration().packetFormat == .json)
  var quiet = Owner {
    $0.alertsEnabled = false
    $0.motion.armAfter = .seconds(20)
    $0.trackerID = InlineBytes<32>("Bike \"7\"")
    $0.reports.parkedInterval = .seconds(60)
  }
  quiet.stand(seconds: 19)
  #expect(quiet.tracker.monitor.phase == .settling)
  quiet.stand(seconds: 5)
  #expect(quiet.tracker.monitor.phase == .parked && !quiet.tracker.monitor.isArmed)
  #expect(quiet.news().allSatisfy { $0.json.contains(#""trackerId":"Bike \"7\"""#) })
  // The sensor sits on its side: what it calls right is up.
  var turned = Owner(hertz: 50, isWatched: false) {
    if let axes = AxisRemap(forward: .plusX, left: .plusZ, up: .minusY) { $0.calibration.mounting = .axes(axes) }
  }
  turned.sensor.earthFromBody = Quaternion(rotationVector: Vector3(-Float.pi / 2, 0, 0))
  turned.move(seconds: 5)
  turned.submit(.locate)
  let lean = turned.allPackets.last
  #expect((lean?.rollDecidegrees ?? 999).magnitude <= 10 && (lean?.pitchDecidegrees ?? 999).magnitude <= 10)
}

@Test func leanAndPitchAreShownAsTheyAreToATenthOfADegree() {
  // To the right by 10°; nose down by 5°; both; and upside down.
  let degree = Float.pi / 180
  for (roll, pitch) in [(10, 0), (-10, 0), (0, 5), (0, -5), (30, 20), (-100, -60)] as [(Float, Float)] {
    var owner = Owner(hertz: 50, isWatched: false)
    owner.sensor.earthFromBody =
      Quaternion(rotationVector: Vector3(0, pitch * degree, 0))
      * Quaternion(rotationVector: Vector3(roll * degree, 0, 0))
    owner.submit(.locate)
    #expect(owner.allPackets.last?.rollDecidegrees == nil && owner.allPackets.last?.pitchDecidegrees == nil)
    owner.move(seconds: 10)
    owner.submit(.locate)
    let shown = owner.allPackets.last
    #expect((Float(shown?.rollDecidegrees ?? 9999) / 10 - roll).magnitude < 0.5, "\(roll)°, \(pitch)°")
    #expect((Float(shown?.pitchDecidegrees ?? 9999) / 10 - pitch).magnitude < 0.5, "\(roll)°, \(pitch)°")
  }
}

/// An epoch of a receiver, at a second.
private func sentences(_ second: Int) -> [UInt8] {
  let clock = "1015" + (second < 10 ? "0" : "") + "\(second)"
  func line(_ body: String) -> String {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
  }
  return Array(
    (line("GPGGA,\(clock),5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,")
      + line("GPRMC,\(clock),A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A")).utf8)
}

@Test func everyFixOfALongReadIsLookedAt() {
  // Twenty epochs that a driver had held back arrive at once: all carry the same time, so one is news and the others are counted.
  var owner = Owner(isWatched: false)
  owner.receive((0..<20).flatMap(sentences), at: .seconds(50))
  owner.wait(until: .seconds(60))
  #expect(owner.tracker.diagnostics.fixesOutOfOrder == 19)
  #expect(owner.tracker.receiver.rejections.droppedFixes == 0)
  #expect(owner.allPackets.count == 1)
}

@Test func theLastFixBeforeASilenceIsNotForgotten() {
  var owner = Owner(isWatched: false)
  owner.receive(sentences(4), at: .seconds(4))
  // It is not known yet which sentence is the last of an epoch.
  #expect(owner.tracker.lastFix == nil)
  // Nothing more is heard; the tracker asks to be woken for it.
  let due = owner.tracker.nextDeadline ?? .seconds(9999)
  #expect(due > .seconds(4) && due < .seconds(6))
  owner.advance(to: due)
  #expect(owner.tracker.lastFix?.time == .seconds(4) && owner.allPackets.count == 1)
  #expect(owner.tracker.utc(of: .seconds(4)) == UTCTime(microseconds: 1_780_308_904_000_000))
}

@Test func whatIsDueHappensBeforeAnInputByWhicheverDoorItComes() {
  for door in 0..<6 {
    var owner = Owner(isWatched: false)
    owner.stand(seconds: 10)
    owner.forget()
    // Parked at 310 s, and nobody woke the tracker.
    let late = Instant.seconds(400)
    switch door {
    case 0: owner.advance(to: late)
    case 1: owner.process(InertialSample(time: late, specificForce: Vector3(0, 0, 9.8)))
    case 2:
      var fix = GNSSFix(time: late)
      fix.mode = .none
      owner.process(fix)
    case 3: owner.submit(.track(interval: .seconds(1), duration: .seconds(1)), at: late)
    case 4: owner.acknowledge(99, at: late)
    default: owner.receive([1], from: .uplink, at: late)
    }
    let events = owner.allEvents.filter { if case .motion = $0.kind { true } else { false } }
    #expect(events.map { "\($0.name)" } == ["parked", "armed"], "door \(door)")
    // The instant is the one it was due, and so is that of the packet.
    #expect(events.allSatisfy { $0.time == .seconds(300) || $0.time == .seconds(301) || $0.time == .seconds(310) })
    let parking = owner.allPackets.first { $0.kind == .parking }
    #expect(parking?.time == events.first?.time && parking?.phase == .parked && parking?.isArmed == true)
  }
}

@Test func aRestartKeepsItsNumberAloneAndWakesForWhatWaits() {
  var owner = Owner(hertz: 50)
  owner.stand(seconds: 320)
  owner.acknowledges = false
  owner.submit(.locate)
  owner.submit(.setAlerts(enabled: true))
  let before = owner.persistCount
  let waiting = owner.tracker.outbox.count
  owner.forget()
  owner.restart(hertz: 50)
  #expect(owner.persistCount == before + 1)
  #expect(owner.allPackets.isEmpty && owner.sent.count == waiting && waiting == 2)
  #expect(owner.events.map(\.kind) == [.restored(packets: 2, phase: .parked)])
}

/// An old receiver whose week counter has rolled over says 21 February 2005 for 7 October 2024.
@Test func theWeekOfAnOldReceiverIsRepairedWithTheEarliestDate() {
  func told(_ earliest: CivilDate?) -> CivilDate? {
    var tracker = Tracker(
      configuration: {
        var configuration = TrackerConfiguration()
        configuration.earliestDate = earliest
        return configuration
      }())
    for second in 0..<3 {
      let body = "GPRMC,12000\(second),A,5222.2000,N,00453.4000,E,0.0,0.0,210205,,,A"
      let sum = body.utf8.reduce(UInt8(0), ^)
      let digits = String(sum, radix: 16, uppercase: true)
      let line = "$\(body)*" + (digits.count < 2 ? "0" : "") + digits + "\r\n"
      tracker.receive(Array(line.utf8).span, from: .gnss, at: .seconds(second))
      while tracker.nextAction() != nil {}
    }
    return tracker.lastFix?.utc?.date
  }
  #expect(told(nil) == CivilDate(year: 2005, month: 2, day: 21))
  #expect(told(CivilDate(year: 2024, month: 10, day: 7)) == CivilDate(year: 2024, month: 10, day: 7))
  #expect(told(CivilDate(year: 2005, month: 2, day: 21)) == CivilDate(year: 2005, month: 2, day: 21))
}
