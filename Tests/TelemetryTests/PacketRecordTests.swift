import ASCIIText
import Quantities
import Telemetry
import TestSupport
import Testing

private func record(_ packet: Packet) -> [UInt8] {
  var bytes = GrowingBytes()
  packet.encodeRecord(into: &bytes)
  return bytes.bytes
}

/// The packet that bytes begin with, and how many it took.
private func read(_ bytes: [UInt8], at place: Int = 0) -> (packet: Packet, end: Int)? {
  var reader = RecordReader(at: place)
  let packet = Packet(record: bytes.span, &reader)
  #expect((packet == nil) == !reader.isValid)
  return packet.map { ($0, reader.place) }
}

/// A packet with every part there is, all different from each other.
private func full() -> Packet {
  var packet = Packet(
    kind: .movement, time: Instant(microseconds: 0x0102_0304_0506), utc: UTCTime(microseconds: 0x0006_1112_1314_1516),
    phase: .alarmed, isArmed: true)
  packet.sequence = 0x2122_2324
  var fix = GNSSFix(time: Instant(microseconds: 0x0102_0304_0000))
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeE9: -33_868_820_012, longitudeE9: 151_209_290_077)
  (fix.heightAboveSeaLevel, fix.horizontalAccuracy, fix.speed, fix.course) = (-12.3, 4.5, 6.78, 1.5)
  packet.position = PacketPosition(fix)
  packet.isStale = true
  packet.distanceMetres = 0x3132_3334
  (packet.rollDecidegrees, packet.pitchDecidegrees) = (-1234, 567)
  packet.alert = PacketAlert(
    id: 0x4142_4344,
    evidence: MovementEvidence(
      detector: .heading, ratio: 1.25, onset: Instant(microseconds: 0x0102_0300_0000),
      duration: Interval(microseconds: 0x0004_0506), tilt: 0.125, displacement: 31.5))
  packet.ride = PacketRide(
    start: Instant(microseconds: -5_000_001), end: Instant(microseconds: 0x0101_0000_0000), distanceMetres: 0x5152_5354)
  packet.status = PacketStatus(reason: .unknownAlert, alertsEnabled: true)
  packet.position?.satellites = 0x61
  packet.supply = Supply(charge: 0x62, millivolts: 0x6364, isCharging: false, isExternal: true)
  return packet
}

@Test func aRideWithItsNumbersHasThemInItsRecordAndOneWithoutHasTheRecordOfBefore() {
  var packet = Packet(kind: .ride, time: .zero, utc: nil, phase: .parked, isArmed: true)
  packet.ride = PacketRide(start: .seconds(1), end: .seconds(2), distanceMetres: 3)
  let plain = record(packet)
  #expect(plain[0] == 1)
  packet.ride?.movingSeconds = 0x0403_0201
  let moving = record(packet)
  #expect(moving == [3] + plain.dropFirst() + [1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF] && read(moving)?.packet == packet)
  packet.ride?.topSpeedCentimetres = 0x0605
  packet.ride?.climbMetres = 0x0807
  packet.readings[.signal] = -70
  #expect(record(packet)[0] == 4 && read(record(packet))?.packet == packet)
  // What would be unknown is the most that can be known.
  packet.ride?.movingSeconds = .max
  packet.ride?.topSpeedCentimetres = .max
  packet.ride?.climbMetres = .max
  #expect(packet.ride?.movingSeconds == .max - 1 && packet.ride?.topSpeedCentimetres == .max - 1)
  #expect(packet.ride?.climbMetres == .max - 1 && read(record(packet))?.packet == packet)
  // A record that has a place for numbers has one.
  #expect(read([3] + plain.dropFirst() + [UInt8](repeating: 0xFF, count: 8)) == nil)
  #expect(read([9] + moving.dropFirst()) == nil)
}

@Test func aRideThatWasCarriedHasThatInItsRecordAndOneThatWasNotHasTheRecordOfBefore() {
  var packet = Packet(kind: .ride, time: .zero, utc: nil, phase: .parked, isArmed: true)
  packet.ride = PacketRide(start: .seconds(1), end: .seconds(2), distanceMetres: 3)
  let plain = record(packet)
  packet.carriedMetres = 0x0403_0201
  #expect(record(packet) == [5] + plain.dropFirst() + [1, 2, 3, 4] && read(record(packet))?.packet == packet)
  packet.ride?.climbMetres = 9
  packet.readings[.signal] = -70
  #expect(record(packet)[0] == 8 && read(record(packet))?.packet == packet)
  // A status has its request there.
  packet.status = PacketStatus(reason: .trip, alertsEnabled: true, request: 7)
  #expect(packet.carriedMetres == 0 && record(packet)[0] == 4 && read(record(packet))?.packet == packet)
  // Nothing that was carried has no place.
  #expect(read([5] + plain.dropFirst() + [0, 0, 0, 0]) == nil)
}

/// The full packet less one part each, and with each value at its ends.
private func variants() -> [Packet] {
  var result = [full(), Packet(kind: .location, time: .zero, utc: nil, phase: .starting, isArmed: false)]
  func add(_ change: (inout Packet) -> Void) {
    var packet = full()
    change(&packet)
    result.append(packet)
  }
  add { $0.utc = nil }
  add { $0.alert?.evidence.turn = 0.75 }
  add { $0.position = nil }
  add { $0.position?.altitudeDecimetres = nil }
  add { $0.position?.accuracyDecimetres = nil }
  add { $0.position?.speedCentimetres = nil }
  add { $0.position?.courseCentidegrees = nil }
  add { ($0.rollDecidegrees, $0.pitchDecidegrees) = (nil, nil) }
  add { $0.alert = nil }
  add { $0.alert?.evidence.tilt = nil }
  add { $0.alert?.evidence.displacement = nil }
  add { $0.ride = nil }
  add { $0.status = nil }
  for table in PacketRule.Table.allCases {
    for kind in [PacketKind.status, .fence, .transition] {
      for (name, isEntry, ago) in [
        ("", false, Interval.zero), ("garden", true, .seconds(61)),
        (String(repeating: "ä", count: 16), false, .seconds(86_400)),
      ] {
        add {
          $0.kind = kind
          $0.ride = nil
          if kind != .status { $0.status = nil }
          $0.rule = PacketRule(table, 255, name: Array(name.utf8).span, isEntry: isEntry, ago: ago)
        }
      }
    }
  }
  add { $0.position?.satellites = nil }
  add { $0.supply = nil }
  for isNear in [true, false] {
    add { $0.isOwnerNear = isNear }
    add { ($0.isOwnerNear, $0.isPrivate) = (isNear, true) }
  }
  add { $0.supply?.charge = nil }
  add { $0.supply?.millivolts = nil }
  for flag in [nil, false, true] {
    add { $0.supply?.isCharging = flag }
    add { $0.supply?.isExternal = flag }
  }
  add { $0.supply = Supply() }
  for reading in PacketReading.allCases {
    for value in [Int64.min, 0, 1, .max] { add { $0.readings[reading] = value } }
  }
  add { for reading in PacketReading.allCases { $0.readings[reading] = .max } }
  add { $0.isArmed = false }
  add { $0.isStale = false }
  add { $0.status?.alertsEnabled = false }
  for kind in PacketKind.allCases { add { $0.kind = kind } }
  for phase in MotionPhase.allCases { add { $0.phase = phase } }
  for reason in StatusReason.allCases { add { $0.status?.reason = reason } }
  for detector in MovementDetector.allCases { add { $0.alert?.evidence.detector = detector } }
  for time in [Int64(0), -1, 1 << 62, -(1 << 62)] {
    add { $0.time = Instant(microseconds: time) }
    add { $0.position?.fixTime = Instant(microseconds: time) }
    add { $0.alert?.evidence.onset = Instant(microseconds: time) }
    add { $0.alert?.evidence.duration = Interval(microseconds: time) }
    add { $0.ride?.start = Instant(microseconds: time) }
    add { $0.ride?.end = Instant(microseconds: time) }
  }
  for time in [Int64.min, -1, .max] { add { $0.utc = UTCTime(microseconds: time) } }
  for number in [UInt32.min, .max] {
    add { $0.sequence = number }
    add { $0.distanceMetres = number }
    add { $0.alert?.id = number }
    add { $0.ride?.distanceMetres = number }
    add { $0.position?.accuracyDecimetres = number }
    add { $0.position?.speedCentimetres = number }
  }
  for number in [Int32.min, -1, .max] { add { $0.position?.altitudeDecimetres = number } }
  for course in [UInt16.min, .max] { add { $0.position?.courseCentidegrees = course } }
  for number in [UInt16.min, .max] { add { $0.supply?.millivolts = number } }
  for charge in [UInt8(0), 100] { add { $0.supply?.charge = charge } }
  for count in [UInt8.min, .max] { add { $0.position?.satellites = count } }
  for angle in [Int16.min, -1, .max] {
    add { $0.rollDecidegrees = angle }
    add { $0.pitchDecidegrees = angle }
  }
  for sign in [Int32(1), -1] {
    add { $0.position?.latitudeE7 = 900_000_000 * sign }
    add { $0.position?.longitudeE7 = 1_800_000_000 * sign }
  }
  for value in [Float.infinity, -1, 0, .leastNonzeroMagnitude] {
    add { $0.alert?.evidence.ratio = value }
    add { $0.alert?.evidence.tilt = value }
    add { $0.alert?.evidence.displacement = value }
  }
  return result
}

@Test func everyPartOfAPacketIsKeptAndReadBack() {
  for packet in variants() {
    let bytes = record(packet)
    #expect(bytes.count <= 159, "\(bytes.count) bytes")
    let back = read(bytes)
    #expect(back?.packet == packet)
    #expect(back?.end == bytes.count)
    // The text is the same in a later life, also of what the packet does not hold itself.
    #expect(back?.packet.fixAge == packet.fixAge)
  }
}

@Test func recordsAreReadOneAfterTheOther() {
  var bytes: [UInt8] = [7, 7]
  for packet in variants() { bytes += record(packet) }
  var place = 2
  for packet in variants() {
    guard let next = read(bytes, at: place) else {
      Issue.record("no packet at \(place)")
      return
    }
    #expect(next.packet == packet)
    place = next.end
  }
  #expect(place == bytes.count && read(bytes, at: place) == nil && read(bytes, at: -1) == nil)
}

/// A packet that comes back after a restart, or from the spool, has the time that it had when it was sent before.
@Test func thatAnotherPositionHasItsSecondIsKept() throws {
  var packet = full()
  for added in UInt8(0)...7 {
    packet.position?.addedSeconds = added
    let copy = try #require(read(record(packet))).packet
    #expect(copy == packet && copy.position?.addedSeconds == added && copy.epochSeconds == packet.epochSeconds)
    #expect(record(packet).count == record(full()).count)
    #expect(copy.position?.satellites == packet.position?.satellites)
  }
  packet.isToldWhenMade = true
  let old = try #require(read(record(packet))).packet
  #expect(old == packet && old.isToldWhenMade && old.toldTime == packet.toldTime)
  packet.isToldWhenMade = false
  packet.position?.addedSeconds = 8
  #expect(packet.position?.addedSeconds == 7)
  packet.position = nil
  for (place, bit) in [(8, 0x08), (7, 0x40), (7, 0x80), (7, 0x20)] as [(Int, UInt8)] {
    var bytes = record(packet)
    bytes[place] |= bit
    #expect(read(bytes) == nil, "where there is no position nothing is added to its time")
  }
}

/// The layout written down a second time: what an older version wrote must be read by every newer one.
@Test func aRecordLooksAsItAlwaysDid() {
  var packet = full()
  packet.ride = nil
  packet.utc = nil
  func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  let head = "01" + "fe3b" + "24232221" + "02" + "05" + "0605040302010000" + "34333231"
  let place = "3807d0eb" + "e5b4205a" + "0000040302010000" + "85ffffff" + "2d000000" + "a6020000" + "9221"
  let lean = "2efb" + "3702"
  let alert = "44434241" + "03" + "0000a03f" + "0000000302010000" + "0605040000000000" + "0000003e" + "0000fc41"
  packet.position?.satellites = nil
  packet.supply = nil
  #expect(hex(record(packet)) == head + place + lean + alert + "03" + "01")
  packet = full()
  (packet.ride, packet.utc) = (nil, nil)
  let newHead = "01" + "fefb" + head.dropFirst(6)
  #expect(hex(record(packet)) == newHead + place + "61" + lean + alert + "03" + "01" + "37" + "62" + "6463")
}

@Test func whatLiesBeyondTheClockIsKeptAtItsEnd() {
  var packet = full()
  let limit: Int64 = 1 << 62
  packet.ride?.start = Instant(microseconds: .min)
  packet.ride?.end = Instant(microseconds: .max)
  packet.alert?.evidence.onset = Instant(microseconds: -limit - 1)
  packet.alert?.evidence.duration = Interval(microseconds: limit + 1)
  let back = read(record(packet))?.packet
  #expect(back?.ride?.start.microseconds == -limit && back?.ride?.end.microseconds == limit)
  #expect(back?.alert?.evidence.onset.microseconds == -limit && back?.alert?.evidence.duration.microseconds == limit)
  packet.alert?.evidence.duration = Interval(microseconds: .min)
  #expect(read(record(packet))?.packet.alert?.evidence.duration.microseconds == -limit)
}

@Test func eachDamagedByteOfARecordIsRefusedOrReadAsWhatItSays() {
  let bytes = record(full())
  var refused = 0
  for place in bytes.indices {
    for damage in [bytes[place] ^ 1, bytes[place] ^ 0x80, bytes[place] &+ 1, 0, 0xFF] where damage != bytes[place] {
      var damaged = bytes
      damaged[place] = damage
      guard let back = read(damaged) else {
        refused += 1
        continue
      }
      // The byte of its own field is all that differs; the parts that are there decide how long it is.
      if place != 1, place != 2 { #expect(record(back.packet) == damaged, "byte \(place) as \(damage)") }
    }
  }
  #expect(refused >= 29)
  for length in bytes.indices { #expect(read(Array(bytes[..<length])) == nil, "cut to \(length)") }
}

@Test func whatCannotBeIsNoRecord() {
  let plain = Packet(kind: .location, time: .zero, utc: nil, phase: .starting, isArmed: false)
  func damaged(_ packet: Packet, _ place: Int, _ value: UInt8) -> Bool {
    var bytes = record(packet)
    bytes[place < 0 ? bytes.count + place : place] = value
    return read(bytes) == nil
  }
  for version in [0, 2, 3, 255] as [UInt8] { #expect(damaged(plain, 0, version)) }
  #expect(!damaged(plain, 7, 4) && damaged(plain, 7, 5) && damaged(plain, 7, 7), "a fence has a byte more")
  #expect(!damaged(plain, 8, 6) && damaged(plain, 8, 7))
  #expect(!damaged(plain, 8, 0xC6) && damaged(plain, 8, 0xC7), "private and disabled")
  #expect(!damaged(plain, 8, 0x20) && !damaged(plain, 8, 0x36) && damaged(plain, 8, 0x37), "away or near")
  #expect(damaged(plain, 8, 0x10), "near, and not known")
  var status = plain
  status.status = PacketStatus(reason: .alertsOn, alertsEnabled: false)
  #expect(!damaged(status, -2, 74) && damaged(status, -2, 75))
  #expect(!damaged(status, -1, 1) && damaged(status, -1, 2) && damaged(status, -1, 8))
  status.status?.request = 17
  #expect(!damaged(status, -4, 18) && damaged(status, -4, 0), "no request has the number 0")
  status.value = PacketText(Array("250.0".utf8).span)
  #expect(!damaged(status, -1, 0x31) && damaged(status, -6, 20))
  var supply = plain
  supply.supply = Supply(charge: 100, isCharging: true, isExternal: true)
  #expect(!damaged(supply, -3, 99) && damaged(supply, -3, 101))
  // A flag that is set without being known, and one that does not exist.
  #expect(damaged(supply, -4, 0x3D & ~0x04) && damaged(supply, -4, 0x3D & ~0x10) && damaged(supply, -4, 0x7D))
  // Detectors end with shift.
  var alert = plain
  alert.alert = full().alert
  #expect(!damaged(alert, 21 + 4, 13) && damaged(alert, 21 + 4, 14))
  // A place that is nowhere.
  for sign in [Int32(1), -1] {
    var packet = full()
    packet.position?.latitudeE7 = 900_000_001 * sign
    #expect(read(record(packet)) == nil)
    packet = full()
    packet.position?.longitudeE7 = 1_800_000_001 * sign
    #expect(read(record(packet)) == nil)
  }
}

@Test func numbersAreReadAsTheyWereWrittenAndOnlyWholeOnes() {
  var bytes = GrowingBytes()
  bytes.append(littleEndian: 0x0807_0605_0403_0201, bytes: 8)
  bytes.append(littleEndian: 0xFFEE_DDCC, bytes: 3)
  bytes.append(bits: -1.5 as Double)
  bytes.append(bits: 2.25 as Float)
  let all = bytes.bytes
  #expect(all == [1, 2, 3, 4, 5, 6, 7, 8, 0xCC, 0xDD, 0xEE, 0, 0, 0, 0, 0, 0, 0xF8, 0xBF, 0, 0, 0x10, 0x40])
  var reader = RecordReader()
  #expect(reader.int64(all.span) == 0x0807_0605_0403_0201)
  #expect(reader.byte(all.span) == 0xCC && reader.uint16(all.span) == 0xEEDD)
  #expect(reader.double(all.span) == -1.5 && reader.float(all.span) == 2.25)
  #expect(reader.isValid && reader.place == all.count)
  // At the end: nothing, and nothing after it either.
  #expect(reader.byte(all.span) == 0 && !reader.isValid)
  reader.place = 0
  #expect(reader.uint32(all.span) == 0 && reader.place == 0)
  var short = RecordReader(at: all.count - 3)
  #expect(short.uint32(all.span) == 0 && !short.isValid && short.place == all.count - 3)
  for bits in [Double.nan, .infinity, -.infinity] {
    var sink = GrowingBytes()
    sink.append(bits: bits)
    sink.append(bits: Float(bits))
    var wide = RecordReader()
    #expect(wide.double(sink.bytes.span) == 0 && !wide.isValid)
    var narrow = RecordReader(at: 8)
    #expect(narrow.float(sink.bytes.span) == 0 && !narrow.isValid)
  }
  var refused = RecordReader()
  refused.require(true)
  #expect(refused.isValid)
  refused.refuse()
  refused.require(true)
  #expect(!refused.isValid)
}
