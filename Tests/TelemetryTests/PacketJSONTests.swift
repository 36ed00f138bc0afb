import ASCIIText
import Foundation
import InlineStorage
import PacketForms
import Quantities
import Telemetry
import TestSupport
import Testing

private func text(_ packet: Packet, as format: PacketFormat = .json, id: [UInt8] = Array("bike-7".utf8)) -> String {
  var bytes = InlineBytes<2048>()
  packet.encode(as: format, trackerID: id.span, into: &bytes)
  #expect(!bytes.isTruncated)
  return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
}

private func object(_ json: String) -> [String: Any]? {
  (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any]
}

private func fix(_ latitudeE9: Int64, _ longitudeE9: Int64, at time: Instant = .seconds(90)) -> GNSSFix {
  var fix = GNSSFix(time: time)
  fix.mode = .threeDimensional
  fix.position = GeodeticPosition(latitudeE9: latitudeE9, longitudeE9: longitudeE9)
  return fix
}

private func location(_ latitudeE9: Int64, _ longitudeE9: Int64) -> Packet {
  var packet = Packet(kind: .location, time: .seconds(90), utc: nil, phase: .riding, isArmed: false)
  packet.position = PacketPosition(fix(latitudeE9, longitudeE9))
  return packet
}

/// 2026-11-21T08:15:30.250Z
private let morning = UTCTime(microseconds: 1_795_248_930_250_000)

@Test func aFullLocationPacketReadsAsDocumented() {
  var source = fix(53_385_412_345, -6_258_765_456, at: .seconds(98))
  source.heightAboveSeaLevel = 35.04
  source.speed = 5.126
  source.course = 1.570_796_326_794_9
  source.horizontalAccuracy = 3.46
  var packet = Packet(
    kind: .location, time: .milliseconds(100_250), utc: morning, phase: .riding, isArmed: false)
  packet.sequence = 42
  packet.position = PacketPosition(source)
  packet.distanceMetres = 1234
  packet.rollDecidegrees = -25
  packet.pitchDecidegrees = 7
  packet.position?.satellites = 9
  packet.supply = Supply(charge: 85, millivolts: 4105, isCharging: false, isExternal: true)
  #expect(
    text(packet)
      == #"{"type":"location","trackerId":"bike-7","sequence":42,"utc":"2026-11-21T08:15:30.250Z","uptime":100.250,"#
      + #""phase":"riding","armed":false,"latitude":53.3854123,"longitude":-6.2587655,"accuracy":3.5,"fixAge":2.2,"#
      + #""stale":false,"altitude":35.0,"speed":5.13,"course":90.00,"distance":1234,"roll":-2.5,"pitch":0.7,"#
      + #""motion":true,"satellites":9,"battery":85,"batteryVoltage":4.105,"charging":false,"externalPower":true}"#)
}

@Test func everyKindHasItsNameAndItsOwnPart() {
  var movement = Packet(kind: .movement, time: .seconds(100), utc: nil, phase: .alarmed, isArmed: true)
  movement.alert = PacketAlert(
    id: 3,
    evidence: MovementEvidence(
      detector: .tilt, ratio: 1.256, onset: .milliseconds(98_500), duration: .milliseconds(1500), tilt: 0.0873,
      displacement: 0.25))
  #expect(
    text(movement)
      == #"{"type":"movement","trackerId":"bike-7","sequence":0,"uptime":100.000,"phase":"alarmed","armed":true,"#
      + #""latitude":null,"longitude":null,"distance":0,"motion":true,"alert":{"id":3,"detector":"tilt","ratio":1.26,"#
      + #""onset":98.500,"duration":1.500,"tilt":5.0,"displacement":0.3}}"#)
  movement.utc = morning
  #expect(text(movement).contains(#""onset":"2026-11-21T08:15:28.750Z""#))

  var ride = Packet(kind: .ride, time: .seconds(1000), utc: nil, phase: .parked, isArmed: true)
  ride.ride = PacketRide(start: .seconds(100), end: .seconds(700), distanceMetres: 2500)
  #expect(
    text(ride)
      == #"{"type":"ride","trackerId":"bike-7","sequence":0,"uptime":1000.000,"phase":"parked","armed":true,"#
      + #""latitude":null,"longitude":null,"distance":0,"motion":false,"ride":{"distance":2500,"start":100.000,"end":700.000,"#
      + #""duration":600.000}}"#)

  var parking = Packet(kind: .parking, time: .seconds(400), utc: nil, phase: .parked, isArmed: true)
  parking.position = PacketPosition(fix(46_696_437_000, -73_083_293_000, at: .seconds(100)))
  parking.isStale = true
  #expect(
    text(parking)
      == #"{"type":"parking","trackerId":"bike-7","sequence":0,"uptime":400.000,"phase":"parked","armed":true,"#
      + #""latitude":46.6964370,"longitude":-73.0832930,"fixAge":300.0,"stale":true,"distance":0,"motion":false}"#)

  let status = Packet(kind: .status, time: .zero, utc: nil, phase: .starting, isArmed: false)
  #expect(
    text(status)
      == #"{"type":"status","trackerId":"bike-7","sequence":0,"uptime":0.000,"phase":"starting","armed":false,"#
      + #""latitude":null,"longitude":null,"distance":0,"motion":false}"#)
}

@Test func theMinimalFormIsByteExact() {
  #expect(
    text(location(32_060_000_000, 38_000_000_000), as: .minimal, id: Array("Allawi2001".utf8))
      == #"{"latitude":32.0600000,"longitude":38.0000000,"trackerId":"Allawi2001"}"#)
}

@Test func anUnknownPositionIsNeverInvented() {
  var packet = Packet(kind: .location, time: .seconds(5), utc: nil, phase: .riding, isArmed: false)
  #expect(text(packet).contains(#""latitude":null,"longitude":null"#))
  #expect(text(packet, as: .minimal) == "")
  packet.position = PacketPosition(GNSSFix(time: .zero))
  #expect(packet.position == nil)
  var unvouched = fix(1, 1)
  unvouched.mode = FixMode.none
  #expect(PacketPosition(unvouched) == nil)
}

@Test(
  arguments: [
    (0, 0, "0.0000000", "0.0000000"), (100, -100, "0.0000001", "-0.0000001"), (49, -49, "0.0000000", "0.0000000"),
    (-50, 50, "-0.0000001", "0.0000001"), (-33_868_820_012, 151_209_290_077, "-33.8688200", "151.2092901"),
    (90_000_000_000, 180_000_000_000, "90.0000000", "180.0000000"),
    (-90_000_000_000, -180_000_000_000, "-90.0000000", "-180.0000000"),
    (-999_999_950, 999_999_949, "-1.0000000", "0.9999999"),
  ] as [(Int64, Int64, String, String)])
func coordinatesHaveSevenDecimals(latitude: Int64, longitude: Int64, expected: String, other: String) {
  for format in [PacketFormat.json, .minimal] {
    #expect(
      text(location(latitude, longitude), as: format).contains("\"latitude\":\(expected),\"longitude\":\(other),"))
  }
}

@Test func twoPlacesElevenMillimetresApartDiffer() {
  // The sketch this replaces printed two decimals: 1.1 km.
  #expect(text(location(32_064_999_900, 38_000_000_000)) != text(location(32_065_000_000, 38_000_000_000)))
  #expect(text(location(32_064_999_900, 38_000_000_000), as: .minimal).contains("32.0649999"))
}

@Test func whatIsNotANumberIsLeftOut() {
  for bad in [Double.nan, .infinity, -.infinity] {
    var source = fix(1_000_000_000, 2_000_000_000)
    source.speed = bad
    source.course = bad
    source.heightAboveSeaLevel = bad
    source.horizontalAccuracy = bad
    var packet = Packet(kind: .location, time: .seconds(90), utc: nil, phase: .riding, isArmed: false)
    packet.position = PacketPosition(source)
    let json = text(packet)
    for key in ["speed", "course", "altitude", "accuracy"] { #expect(!json.contains("\"\(key)\""), "\(key) of \(bad)") }
    packet.alert = PacketAlert(
      id: 1,
      evidence: MovementEvidence(
        detector: .touch, ratio: Float(bad), onset: .zero, duration: .zero, tilt: Float(bad), displacement: Float(bad)))
    let alert = object(text(packet))?["alert"] as? [String: Any]
    #expect(alert?["ratio"] is NSNull && alert?["tilt"] is NSNull)
  }
}

@Test func courseIsAlwaysWithinTheCircle() {
  for (course, expected) in [(-0.1, 35_427), (0, 0), (2 * Double.pi, 0), (7, 4107), (-7, 31_893), (6.283_185, 0)] {
    var source = fix(0, 0)
    source.course = course
    #expect(PacketPosition(source)?.courseCentidegrees == UInt16(expected), "\(course)")
  }
  for wild in [1e300, -1e300, 1e18] {
    var source = fix(0, 0)
    source.course = wild
    #expect((PacketPosition(source)?.courseCentidegrees ?? 0) < 36_000)
  }
}

@Test func theNameIsEscapedWhateverItHolds() throws {
  let packet = location(1, 1)
  let names: [[UInt8]] = [
    Array(#"quote " back \ slash"#.utf8), [0, 1, 9, 10, 13, 31, 127], Array("vélo ☂ 🚲".utf8), [], [0xFF, 0x41],
    [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x9A], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80],
  ]
  for name in names {
    for format in [PacketFormat.json, .minimal] {
      var bytes = InlineBytes<2048>()
      packet.encode(as: format, trackerID: name.span, into: &bytes)
      let raw = Data((0..<bytes.count).map { bytes[$0] })
      let parsed = try? JSONSerialization.jsonObject(with: raw) as? [String: Any]
      #expect(parsed?["trackerId"] as? String == String(decoding: name, as: UTF8.self), "\(name)")
    }
  }
}

private func randomInteger(_ random: inout SeededRandom) -> Int64 {
  let extremes: [Int64] = [.min, .max, 0, -1, 1, 999, -999, 1_795_248_930_250_000]
  if random.oneIn(4) { return extremes[Int.random(in: 0..<extremes.count, using: &random)] }
  return Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<63, using: &random)
}

private func randomNumber(_ random: inout SeededRandom) -> Double {
  let extremes: [Double] = [.nan, .infinity, -.infinity, 0, -0.0, 1e308, -1e308, .leastNonzeroMagnitude, 0.005]
  if random.oneIn(3) { return extremes[Int.random(in: 0..<extremes.count, using: &random)] }
  return random.normal() * 1000
}

@Test func everyPacketIsValidJSONWithoutExponents() {
  var random = SeededRandom(seed: 99)
  var longest = 0
  for _ in 0..<5000 {
    let time = Instant(microseconds: randomInteger(&random))
    var packet = Packet(
      kind: PacketKind.allCases.randomElement(using: &random) ?? .location, time: time,
      utc: random.oneIn(3) ? nil : UTCTime(microseconds: randomInteger(&random)),
      phase: MotionPhase.allCases.randomElement(using: &random) ?? .riding, isArmed: random.oneIn(2))
    packet.sequence = UInt32(truncatingIfNeeded: random.next())
    var source = fix(
      Int64.random(in: -90_000_000_000...90_000_000_000, using: &random),
      Int64.random(in: -180_000_000_000...180_000_000_000, using: &random),
      at: Instant(microseconds: randomInteger(&random)))
    source.speed = randomNumber(&random)
    source.course = randomNumber(&random)
    source.heightAboveSeaLevel = randomNumber(&random)
    source.horizontalAccuracy = randomNumber(&random)
    if !random.oneIn(5) { packet.position = PacketPosition(source) }
    packet.distanceMetres = .max
    packet.rollDecidegrees = .min
    packet.pitchDecidegrees = .min
    packet.alert = PacketAlert(
      id: .max,
      evidence: MovementEvidence(
        detector: MovementDetector.allCases.randomElement(using: &random) ?? .touch,
        ratio: Float(randomNumber(&random)), onset: Instant(microseconds: randomInteger(&random)),
        duration: Interval(microseconds: randomInteger(&random)), tilt: Float(randomNumber(&random)),
        displacement: Float(randomNumber(&random))))
    packet.ride = PacketRide(
      start: Instant(microseconds: randomInteger(&random)), end: Instant(microseconds: randomInteger(&random)),
      distanceMetres: .max)
    let json = text(packet, id: [UInt8](repeating: 1, count: 32))
    longest = max(longest, json.utf8.count)
    guard let parsed = object(json) else {
      Issue.record("not JSON: \(json)")
      return
    }
    #expect((parsed["latitude"] is NSNull) == (packet.position == nil))
    let values = json.replacingOccurrences(of: "\"[^\"]*\"", with: "", options: .regularExpression)
    #expect(!values.contains("e") || values.range(of: "[0-9][eE]", options: .regularExpression) == nil)
    #expect(!json.contains("nan") && !json.contains("inf"))
  }
  // The tracker writes packets into 1,024 bytes.
  #expect(longest < 1024, "the longest packet has \(longest) bytes")
}
