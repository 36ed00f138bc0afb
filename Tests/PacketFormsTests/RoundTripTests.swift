import Foundation
import PacketDecoding
import PacketForms
import Quantities
import Telemetry
import Testing

/// Random packets through each form and back: places on all sides of the zeros, below the sea, unknown fields, no fix, extremes.
///
/// `LEASH_ROUND_TRIPS=100000 swift test -c release --filter RoundTripTests` does so for as many of each form.
@Suite struct RoundTripTests {
  private static let count = Int(ProcessInfo.processInfo.environment["LEASH_ROUND_TRIPS"] ?? "") ?? 400

  private static func packet(_ random: inout SplitMix64) -> Packet {
    func chance(_ n: UInt64) -> Bool { random.next() % n == 0 }
    func extreme(_ low: Int64, _ high: Int64) -> Int64 {
      switch random.next() % 8 {
      case 0: return low
      case 1: return high
      case 2: return min(max(0, low), high)
      default: return low + Int64(random.next() % UInt64(high - low + 1))
      }
    }
    let kind = PacketKind.allCases[Int(random.next() % UInt64(PacketKind.allCases.count))]
    let phase = MotionPhase.allCases[Int(random.next() % UInt64(MotionPhase.allCases.count))]
    let time = Instant(microseconds: extreme(0, 1 << 40))
    var packet = Packet(
      kind: kind, time: time, utc: chance(8) ? nil : UTCTime(microseconds: extreme(1 << 42, 4_000_000_000_000_000)),
      phase: phase, isArmed: chance(2))
    packet.sequence = UInt32(truncatingIfNeeded: extreme(1, Int64(UInt32.max)))
    packet.distanceMetres = UInt32(truncatingIfNeeded: extreme(0, 100_000_000))
    if !chance(8) {
      var fix = GNSSFix(time: time - Interval(microseconds: extreme(0, 5_000_000)))
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(
        latitudeE9: extreme(-90_000_000_000, 90_000_000_000), longitudeE9: extreme(-180_000_000_000, 180_000_000_000))
      packet.position = PacketPosition(fix)
      packet.position?.altitudeDecimetres = chance(4) ? nil : Int32(extreme(-5000, 90_000))
      packet.position?.accuracyDecimetres = chance(4) ? nil : UInt32(extreme(1, 50_000))
      packet.position?.speedCentimetres = chance(4) ? nil : UInt32(extreme(0, 9000))
      packet.position?.courseCentidegrees = chance(4) ? nil : UInt16(extreme(0, 35_999))
      packet.position?.satellites = chance(4) ? nil : UInt8(extreme(0, 255))
    }
    if !chance(3) {
      packet.supply = Supply(
        charge: chance(3) ? nil : UInt8(extreme(0, 100)), millivolts: chance(3) ? nil : UInt16(extreme(0, 65_535)),
        isCharging: chance(3) ? nil : chance(2), isExternal: chance(3) ? nil : chance(2))
    }
    for reading in PacketReading.allCases where chance(3) {
      packet.readings[reading] = Int64(bitPattern: random.next())
    }
    if kind == .movement {
      let detector = MovementDetector.allCases[Int(random.next() % UInt64(MovementDetector.allCases.count))]
      packet.alert = PacketAlert(
        id: UInt32(truncatingIfNeeded: random.next()),
        evidence: MovementEvidence(detector: detector, ratio: 2, onset: time, duration: .seconds(1)))
    }
    if kind == .fence || kind == .transition {
      let name = (0..<Int(random.next() % 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      packet.rule = PacketRule(.fence, UInt8(extreme(1, 255)), name: name.span, isEntry: chance(2))
    }
    if kind == .status { packet.status = PacketStatus(reason: .info, alertsEnabled: chance(2)) }
    return packet
  }

  /// How exactly a form tells a thing; nil when it does not tell it.
  private struct Resolution {
    var degrees = 1e-7
    var altitude: Double? = 0.1
    var accuracy: Double? = 0.1
    var speed: Double? = 0.01
    var course: Double? = 0.01
    var microseconds: Int64? = 1000
    var odometer: Double? = 1
    var battery = true
    var motion = true
    /// What stands for a height, a speed, a course that are not known.
    var unknownIsZero = false
    /// An alert with an old position has the time of the alert, and no other.
    var tellsWhenMade = false
  }

  private static func resolution(of form: PacketFormat) -> Resolution {
    switch form {
    case .json: Resolution(microseconds: 101_000)
    case .minimal:
      Resolution(
        altitude: nil, accuracy: nil, speed: nil, course: nil, microseconds: nil, odometer: nil, battery: false,
        motion: false)
    case .text:
      Resolution(
        degrees: 1e-6, altitude: nil, accuracy: nil, speed: nil, course: nil, microseconds: nil, odometer: nil,
        battery: false, motion: false)
    case .ownTracks: Resolution(altitude: 1, accuracy: nil, speed: 1 / 3.6, course: 1, microseconds: 1_101_000)
    // Of an alert with an old position the age tells when that was, in tenths of a second.
    case .osmAnd: Resolution(speed: 0.001, microseconds: 101_000)
    case .traccar: Resolution(microseconds: 101_000)
    case .ownTracksCompact:
      Resolution(
        degrees: 1e-6, altitude: 10, accuracy: nil, speed: 1 / 3.6, course: 10, microseconds: 1_000_000, odometer: 1000,
        battery: false, motion: false, unknownIsZero: true, tellsWhenMade: true)
    }
  }

  @Test(arguments: PacketFormat.allCases)
  func whatAFormCarriesComesBackAsItWas(form: PacketFormat) throws {
    var random = SplitMix64(seed: 0x1EA5_0000 + UInt64(form.rawValue))
    let resolution = RoundTripTests.resolution(of: form)
    var carried = 0
    for round in 0..<RoundTripTests.count {
      let packet = RoundTripTests.packet(&random)
      var part = 0
      while let bytes = message(packet, as: form, part: part) {
        part += 1
        carried += 1
        let messages = try PacketDecoder().decode(bytes)
        try #require(messages.count == 1)
        let facts = messages[0].facts
        if let fault = RoundTripTests.difference(facts, packet, resolution, type: messages[0].type) {
          Issue.record("\(form.name) packet \(round): \(fault): \(text(bytes) ?? "")")
          return
        }
      }
    }
    #expect(carried > RoundTripTests.count / 2)
  }

  /// What differs by more than a form's resolution; nil when nothing does.
  private static func difference(
    _ facts: DecodedFacts, _ packet: Packet, _ resolution: Resolution, type: String
  ) -> String? {
    func differs(_ a: Double?, _ b: Double?, _ step: Double?, zero: Bool = false) -> Bool {
      guard let step else { return false }
      guard let b else { return zero ? a != 0 : a != nil }
      guard let a else { return true }
      return abs(a - b) > step * 0.5001 + 1e-9
    }
    let isWhole = type != "transition" && type != "status"
    let position = packet.position
    if differs(facts.latitude, position.map { Double($0.latitudeE7) / 1e7 }, resolution.degrees) { return "latitude" }
    if differs(facts.longitude, position.map { Double($0.longitudeE7) / 1e7 }, resolution.degrees) {
      return "longitude"
    }
    guard isWhole else { return nil }
    let zero = resolution.unknownIsZero || position != nil && resolution.altitude == 0.1 && facts.altitude == 0
    if differs(facts.altitude, position?.altitudeDecimetres.map { Double($0) / 10 }, resolution.altitude, zero: zero) {
      return "altitude"
    }
    if differs(facts.accuracy, position?.accuracyDecimetres.map { Double($0) / 10 }, resolution.accuracy) {
      return "accuracy"
    }
    let speed = position?.speedCentimetres.map { Double($0) / 100 }
    if differs(facts.speed, speed, resolution.speed, zero: resolution.unknownIsZero) { return "speed" }
    var course = position?.courseCentidegrees.map { Double($0) / 100 }
    if let known = course, let told = facts.course, known - told > 180 { course = known - 360 }
    if differs(facts.course, course, resolution.course, zero: resolution.unknownIsZero) { return "course" }
    if let step = resolution.microseconds {
      var age = position.map { packet.time - $0.fixTime } ?? .zero
      if resolution.tellsWhenMade, packet.kind.priority == .alert, age >= .seconds(1) { age = .zero }
      let time = packet.utc.map { $0.microseconds - age.microseconds }
      if (time == nil) != (facts.time == nil) { return "time" }
      if let time, let told = facts.time, abs(time - told.microseconds) >= step { return "time" }
    }
    if differs(facts.odometer, Double(packet.distanceMetres), resolution.odometer.map { $0 * 2 }) { return "odometer" }
    if resolution.battery, differs(facts.battery, packet.supply?.charge.map { Double($0) }, 1e-6) { return "battery" }
    if resolution.motion, facts.isMoving != [.riding, .alarmed, .stolen].contains(packet.phase) { return "motion" }
    return nil
  }

  @Test func whatIsNoMessageIsRefusedWithALine() {
    for text in [
      "", " \n", "hello", "{", "[", "{}", "[1]", "{\"_type\":1}", "{\"_type\":\"\"}", "a=b", "a=b&c=d", "?lat=1",
      "1,2,3",
      "X0,542A46AA,k,30365854,7575769,26,4,7,5", "{\"trackerId\":\"x\"}",
      "id=%4", "id=%zz", "{\"_type\":\"location\"}}", "\u{0}\u{1}", String(repeating: "[", count: 5000),
    ] {
      #expect(throws: DecodingFailure.self, "\(text)") { try PacketDecoder().decode(Array(text.utf8)) }
    }
    #expect(OwnTracksCompactRecord(Array("X0,504EEDA,".utf8) + [0x92] + Array(",1,2,3,4,5,6,7".utf8)) == nil)
    #expect(throws: DecodingFailure.self) {
      try PacketDecoder().decode([UInt8](repeating: 0x20, count: PacketDecoder.capacity + 1))
    }
  }
}
