import InlineStorage
import PacketForms
import Quantities
import Telemetry
import TestSupport
import Testing

private func text(_ packet: Packet, as format: PacketFormat = .json) -> String {
  var bytes = GrowingBytes()
  let isWritten = packet.encode(as: format, trackerID: Array("bike-7".utf8).span, into: &bytes)
  #expect(isWritten == !bytes.bytes.isEmpty)
  return String(decoding: bytes.bytes, as: UTF8.self)
}

/// Random packets whose parts are there or not, with values at and about their ends.
private struct PacketSource {
  var random: SeededRandom

  mutating func time() -> Instant {
    let choices: [Int64] = [0, 999, 1000, -1, -1000, 59_999_999, 4_611_686_018_427_387_904, 1_234_567_890_123]
    return Instant(
      microseconds: random.oneIn(2) ? Int64.random(in: 0..<4_000_000_000_000, using: &random) : pick(choices))
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

  mutating func maybe<Value>(_ value: Value) -> Value? { random.oneIn(4) ? nil : value }

  mutating func number() -> Float {
    pick([0, 0.004, 0.005, 0.05, 0.25, 1, 1.005, 2.675, 99.95, -0.05, -1.25, 1e6, 3.5e9, .nan, .infinity, -.infinity])
  }

  mutating func next() -> Packet {
    let utcs: [Int64] = [
      0, -1, 1_795_248_930_250_999, 951_782_399_999_999, 951_782_400_000_000, 253_402_300_799_999_999,
    ]
    var packet = Packet(
      kind: pick(PacketKind.allCases), time: time(), utc: maybe(UTCTime(microseconds: pick(utcs))),
      phase: pick(MotionPhase.allCases), isArmed: random.oneIn(2))
    packet.sequence = pick([0, 1, 42, .max])
    packet.distanceMetres = pick([0, 1, 57_567, .max])
    packet.isStale = random.oneIn(2)
    packet.isPrivate = random.oneIn(4)
    packet.isDisabled = random.oneIn(4)
    packet.isOwnerNear = random.oneIn(2) ? random.oneIn(2) : nil
    if !random.oneIn(4) {
      var fix = GNSSFix(time: random.oneIn(2) ? packet.time : time())
      fix.mode = random.oneIn(2) ? .twoDimensional : .threeDimensional
      fix.position = GeodeticPosition(
        latitudeE9: pick([0, 49, 50, -49, -50, 149, 90_000_000_000, -90_000_000_000, -33_868_820_050, 52_000_000_000]),
        longitudeE9: pick([0, 49, 50, -49, -50, -150, 180_000_000_000, -180_000_000_000, 151_209_290_077]))
      fix.heightAboveSeaLevel = maybe(pick([0, 0.04, 0.05, -0.05, -12.349, 8848.86, -1e12, 1e12]))
      fix.heightAboveEllipsoid = 77
      fix.horizontalAccuracy = maybe(pick([0, 0.04, 0.049, 0.05, 3.449, 3.45, 1e12, -5]))
      fix.speed = maybe(pick([0, 0.004, 0.005, 1.234, 299.995, 1e12, -1]))
      fix.course = maybe(pick([0, 0.00008, 0.0000873, 1, 3.14159, 6.2831853, 6.2830, -0.001, -6.28, 7, 20]))
      let position = PacketPosition(fix)
      #expect(position == ReferenceTracker.position(of: fix), "\(fix)")
      packet.position = position
    }
    if random.oneIn(2) {
      packet.rollDecidegrees = pick([0, 1, -1, 1800, -1800, .min, .max])
      packet.pitchDecidegrees = pick([0, 5, -5, 900, -900, 7])
    }
    let evidence = MovementEvidence(
      detector: pick(MovementDetector.allCases), ratio: number(), onset: time(),
      duration: pick([.zero, .milliseconds(1680), Interval(microseconds: 999), .seconds(86_400)]),
      tilt: maybe(number()),
      displacement: maybe(number()))
    if random.oneIn(2) { packet.alert = PacketAlert(id: pick([1, 9, .max]), evidence: evidence) }
    if random.oneIn(2) { packet.ride = PacketRide(start: time(), end: time(), distanceMetres: pick([0, 2500, .max])) }
    if random.oneIn(2) {
      packet.status = PacketStatus(
        reason: pick(StatusReason.allCases), alertsEnabled: random.oneIn(2), request: pick([0, 1, 999_999_999]))
      if packet.ride == nil, random.oneIn(2) {
        packet.value = PacketText(Array(pick(["", "250.0", "riding+alarmed", "1234567890123456789"]).utf8).span)
      }
    }
    if packet.ride == nil, packet.value == nil, random.oneIn(2) {
      packet.rule = PacketRule(
        pick(PacketRule.Table.allCases), pick([0, 1, 255]),
        name: Array(pick(["", "garden", "Wüste \\ Ödland"]).utf8).span,
        isEntry: random.oneIn(2), ago: pick([.zero, .seconds(61), .seconds(121), .seconds(86_400)]))
    }
    return packet
  }
}

@Test func everyFieldOfEveryPacketReadsAsTheManualSays() {
  var source = PacketSource(random: SeededRandom(seed: 12))
  for _ in 0..<2000 {
    let packet = source.next()
    let json = text(packet)
    let right = ExpectedText.members(of: packet, trackerID: "bike-7")
    if PlainJSON.object(json) != right {
      Issue.record("\(json) of \(packet) is not \(right)")
      return
    }
    let minimal = text(packet, as: .minimal)
    guard packet.position != nil else {
      #expect(minimal.isEmpty)
      continue
    }
    var three: [String: PlainJSON] = [:]
    for key in ["latitude", "longitude", "trackerId"] { three[key] = right[key] }
    #expect(PlainJSON.object(minimal) == three)
  }
}

@Test func theJSONReaderOfTheTestsIsStrict() {
  #expect(
    PlainJSON.object(#"{"a":-0.50,"b":null,"c":"\"\\\u000A","d":{},"e":true,"f":false}"#)?["a"] == .number("-0.50"))
  for wrong in [
    "", "{", "[]", "{}x", #"{"a":01}"#, #"{"a":1e5}"#, #"{"a":.5}"#, #"{"a":5.}"#, #"{"a":1,"a":2}"#, #"{"a":nul}"#,
    #"{"a": 1}"#, #"{"a":"\x"}"#, #"{"a":-}"#, #"{"a":1,}"#, #"{"a":NaN}"#,
  ] {
    #expect(PlainJSON.object(wrong) == nil, "\(wrong)")
  }
}

private func message(_ packet: Packet, id: String) -> String {
  var bytes = GrowingBytes()
  packet.encodeMessage(trackerID: Array(id.utf8).span, into: &bytes)
  return String(decoding: bytes.bytes, as: UTF8.self)
}

/// A message as a plain sentence of its parts.
private func expectedMessage(_ packet: Packet, id: String) -> String {
  let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -.,/#()+:!\"%&'*;<=>?"
  let accented = zip(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ".unicodeScalars,
    "AAAAAAACEEEEIIIINOOOOOOUUUUYsaaaaaaaceeeeiiiinoooooouuuuyy")
  let letters = Dictionary(uniqueKeysWithValues: accented.map { ($0, $1) })
  func shown(_ bytes: some Collection<UInt8>) -> String {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    return String(scalars.map { plain.unicodeScalars.contains($0) ? Character($0) : letters[$0] ?? "?" })
  }
  var name = ""
  for scalar in id.unicodeScalars where name.utf8.count + String(scalar).utf8.count <= 32 {
    name.unicodeScalars.append(scalar)
  }
  var tail = ""
  if let utc = packet.utc {
    let iso = ExpectedText.utc(utc)
    tail += ", \(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
  }
  if let position = packet.position {
    func degrees(_ value: Int32) -> String {
      let rounded = (Double(value) / 10).rounded(.toNearestOrAwayFromZero)
      guard case .number(let digits) = PlainJSON.fixed(Int64(rounded), 6) else { return "" }
      return digits
    }
    tail += packet.isStale ? ", last seen https://osm.org/?mlat=" : ", https://osm.org/?mlat="
    tail += degrees(position.latitudeE7) + "&mlon=" + degrees(position.longitudeE7)
  } else {
    tail += ", place unknown"
  }
  tail += " #\(packet.sequence)"
  // What there is room for behind the name.
  let most = 160 - name.utf8.count - 2 - tail.count
  var result = shown(name.utf8)
  let reason = packet.kind == .status ? packet.status.map { "\($0.reason)" } : nil
  if let rule = packet.rule {
    let words: [PacketKind: String] = [.fence: "outside", .transition: rule.isEntry ? "came to" : "left"]
    let name = (0..<Int(rule.name.count)).map { rule.name[$0] }
    result += ": " + (words[packet.kind] ?? packet.status.map { "\($0.reason)" } ?? "\(packet.kind)") + " "
    result += shown(name)
    if packet.kind == .fence, let alert = packet.alert, 17 + name.count + "\(alert.id)".count <= most {
      let room = most - (17 + name.count + "\(alert.id)".count)
      if let metres = alert.evidence.displacement, metres >= 0, metres < 1e9, 6 + "\(Int(metres))".count <= room {
        result += " by \(Int(metres)) m"
      }
      result += " (alert \(alert.id))"
    }
  } else {
    result += ": " + (reason ?? "\(packet.kind)")
    if let alert = packet.alert {
      let words = "\(reason ?? "\(packet.kind)") \(alert.id) (\(alert.evidence.detector))"
      result += " \(alert.id)" + (words.count <= most ? " (\(alert.evidence.detector))" : "")
    } else if let reason, let value = packet.value, value.count > 0, reason.utf8.count + Int(value.count) <= 30 {
      let bytes = (0..<Int(value.count)).map { value[$0] }
      result += " " + shown(bytes)
    }
  }
  return result + tail
}

@Test func everyMessageSaysWhatItsPacketSays() {
  var source = PacketSource(random: SeededRandom(seed: 13))
  for step in 0..<1000 {
    var packet = source.next()
    if let position = packet.position, step % 2 == 0 {
      var other = position
      other.latitudeE7 = source.pick([-338_688_205, -338_688_204, 5, 4, -5, -4, 899_999_995])
      other.longitudeE7 = source.pick([-1_799_999_995, 1_799_999_994, 15, -15, 0])
      packet.position = other
    }
    let id = source.pick([
      "bike-7", "a_b", "", String(repeating: "x", count: 40), "Ä☂", "ÀÉß ÷ÿñØ", "[]{}~^|\\@$`", "A.,/#()+: z",
    ])
    #expect(message(packet, id: id) == expectedMessage(packet, id: id))
  }
  for byte in UInt8(0)...127 {
    let id = String(UnicodeScalar(byte))
    let packet = Packet(kind: .ride, time: .zero, utc: nil, phase: .parked, isArmed: true)
    #expect(message(packet, id: id) == expectedMessage(packet, id: id), "character \(byte)")
  }
}
