import Quantities
import Testing

@testable import LinuxDevices

/// What a line of gpsd says.
private func report(_ line: String, by decoder: GPSDDecoder = GPSDDecoder()) -> GPSDReport? {
  decoder.decode(Array(line.utf8)[...], at: .seconds(7))
}

/// The fix of a TPV line.
private func position(_ fields: String) -> GNSSFix? {
  guard case .fix(let fix, from: "/dev/a")? = report(#"{"class":"TPV","device":"/dev/a",\#(fields)}"#) else {
    return nil
  }
  return fix
}

@Test func aPositionOfGPSDBecomesAFixInSIUnits() throws {
  let fix = try #require(
    position(
      #""status":2,"mode":3,"time":"2026-11-21T12:00:01.250Z","lat":44.068841667,"lon":-121.314191667,"altHAE":1108.1,"#
        + #""altMSL":1127.7,"epx":1.96,"epy":3.92,"epv":9.8,"track":180,"speed":2.5,"eph":99"#))
  #expect(fix.time == .seconds(7), "it is dated to its arrival")
  let date = try #require(CivilDate(year: 2026, month: 11, day: 21))
  #expect(fix.utc == UTCTime(date: date, microsecondsOfDay: 43_201_250_000))
  #expect(fix.mode == .threeDimensional)
  #expect(fix.quality == .differential)
  #expect(fix.position == GeodeticPosition(latitudeE9: 44_068_841_667, longitudeE9: -121_314_191_667))
  #expect(fix.heightAboveSeaLevel == 1127.7)
  #expect(fix.heightAboveEllipsoid == 1108.1)
  #expect(fix.speed == 2.5)
  #expect(fix.course == Double.pi)
  // Deviations of 1 m and 2 m: 1.0674 √5 m.
  #expect(abs(try #require(fix.horizontalAccuracy) - 2.3868) < 0.001)
  #expect(fix.verticalAccuracy.map { abs($0 - 5) < 1e-9 } == true)
}

@Test func aRadiusOf95PercentIsTakenWhereDirectionsAreMissing() throws {
  let fix = try #require(position(#""mode":2,"lat":1,"lon":2,"eph":10"#))
  #expect(fix.horizontalAccuracy == 6.167)
  #expect(fix.quality == .autonomous)
  #expect(fix.utc == nil)
}

@Test func theRadiiOf68PercentHoldThatShareOfNormalErrors() {
  // Rayleigh: P(r) = 1 − exp(−r²/2σ²), with σ = 1 in each direction.
  let radius = GPSDAccuracy.radius(north: 1, east: 1)
  #expect(abs(1 - exponential(-radius * radius / 2) - 0.68) < 1e-4)
  let radiusOf95 = (-2 * logarithm(0.05)).squareRoot()
  #expect(abs(GPSDAccuracy.radiusOverRadiusOf95Percent * radiusOf95 - radius) < 1e-3)
}

/// eˣ by its series.
private func exponential(_ x: Double) -> Double {
  var term = 1.0
  return (1...60).reduce(1.0) { sum, n in
    term *= x / Double(n)
    return sum + term
  }
}

/// The natural logarithm by Newton's method.
private func logarithm(_ x: Double) -> Double {
  (0..<60).reduce(0.0) { guess, _ in guess + 2 * (x - exponential(guess)) / (x + exponential(guess)) }
}

@Test(arguments: [
  (1, FixQuality.autonomous), (2, .differential), (3, .realTimeKinematicFixed), (4, .realTimeKinematicFloat),
  (5, .estimated), (6, .autonomous), (7, .manual), (8, .simulated), (9, .precise), (77, .autonomous),
])
func everyStatusOfGPSDHasItsQuality(status: Int, quality: FixQuality) {
  #expect(position(#""mode":3,"status":\#(status),"lat":1,"lon":2"#)?.quality == quality)
}

@Test func aFixThatIsLostKeepsNothingOfTheOneBefore() throws {
  let decoder = GPSDDecoder()
  _ = report(#"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2,"altMSL":3,"speed":4}"#, by: decoder)
  let lost = report(#"{"class":"TPV","device":"/dev/a","mode":1}"#, by: decoder)
  var expected = GNSSFix(time: .seconds(7))
  expected.mode = .none
  expected.quality = .invalid
  #expect(lost == .fix(expected, from: "/dev/a"))
}

@Test func numbersThatMakeNoSenseAreUnknown() throws {
  let odd = try #require(
    position(
      #""mode":3,"time":"once upon a time","lat":1e999,"lon":2,"altMSL":1e999,"speed":-1,"track":400,"epx":0,"epy":0,"eph":0,"#
        + #""epv":-3"#))
  #expect(odd.position == nil && !odd.hasPosition)
  #expect(odd.utc == nil && odd.heightAboveSeaLevel == nil && odd.speed == nil && odd.course == nil)
  #expect(odd.horizontalAccuracy == nil && odd.verticalAccuracy == nil)
  #expect(position(#""mode":3"#)?.hasPosition == false, "three dimensions without any")
  #expect(position(#""mode":2,"lat":1,"lon":2,"altMSL":5"#)?.heightAboveSeaLevel == nil, "no height in two dimensions")
}

@Test func satellitesAreCountedBySystem() throws {
  let line =
    #"{"class":"SKY","device":"/dev/a","hdop":1.1,"vdop":1.2,"pdop":1.5,"satellites":["#
    + #"{"PRN":1,"gnssid":0,"svid":1,"used":true},{"PRN":2,"gnssid":0,"svid":2,"used":false},"#
    + #"{"PRN":66,"gnssid":6,"svid":2,"used":true},{"PRN":301,"gnssid":2,"svid":1,"used":true}]}"#
  guard case .sky(let sky, from: "/dev/a")? = report(line) else {
    Issue.record("no sky")
    return
  }
  #expect(sky.used == 3)
  #expect(sky.inView[.gps] == 2 && sky.inView[.glonass] == 1 && sky.inView[.galileo] == 1 && sky.inView.total == 4)
  #expect(sky.dilution == DilutionOfPrecision(horizontal: 1.1, vertical: 1.2, position: 1.5))
}

@Test func theDaemonsOwnWordsAreRead() {
  #expect(
    report(#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#) == .version("3.22"))
  #expect(report(#"{"class":"ERROR","message":"Unrecognized request"}"#) == .refusal("Unrecognized request"))
  #expect(report(#"{"class":"DEVICES","devices":[]}"#) == .devices([]))
  let device = #"{"class":"DEVICE","path":"/dev/a","driver":"u-blox","activated":"2026-11-21T12:00:00.000Z"}"#
  #expect(
    report(#"{"class":"DEVICES","devices":[\#(device)]}"#) == .devices([GPSDDevice(path: "/dev/a", driver: "u-blox")]))
  #expect(report(device) == .device(GPSDDevice(path: "/dev/a", driver: "u-blox")))
  #expect(
    report(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == .device(GPSDDevice(path: "/dev/a", isActive: false))
  )
  #expect(report(#"{"class":"WATCH","enable":true,"json":true}"#) == nil)
}

@Test func moreReceiversThanTheLibraryHoldsAreNoReasonToSayThatThereAreNone() {
  let devices = (0..<6).map { #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)"}"# }.joined(separator: ",")
  #expect(report(#"{"class":"DEVICES","devices":[\#(devices)]}"#) == .devices(nil))
}

@Test func linesThatAreCutOrNoJSONAreCountedAndEndAtOnce() {
  // libgps 3.22 by itself never comes back from the fourth and the fifth.
  let lines = [
    "hello", "{", #"{"class":"TPV""#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"u-b}"#,
    #"{"class":"TPV","mode":"three"}"#, #"{"class":"SKY","satellites":[{"PRN":}]}"#, "{\"class\":\"TPV\",\u{0}}",
    "\u{7F}}",
  ]
  let decoder = GPSDDecoder()
  for line in lines {
    let said = report(line, by: decoder)
    #expect(said == nil, "\(line)")
  }
  #expect(decoder.unreadableCount == lines.count)
  #expect(report(#"{"class":"VERSION","release":"3.25"}"#, by: decoder) == .version("3.25"), "it reads on")
}

@Test func noChangedLineStopsTheDecoder() {
  let lines = [
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-21T12:00:00.000Z","lat":48.1,"lon":11.5,"epx":3.1}"#,
    #"{"class":"SKY","device":"/dev/a","hdop":1.1,"satellites":[{"PRN":1,"el":3.0,"used":true,"gnssid":0}]}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"u-blox"}]}"#,
    #"{"class":"GST","device":"/dev/a","lat":0.3,"lon":0.3,"alt":0.6}"#, #"{"class":"ERROR","message":"no"}"#,
  ].map { Array($0.utf8) }
  let decoder = GPSDDecoder()
  var state: UInt64 = 1
  func random(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
  for _ in 0..<5000 {
    var line = lines[random(below: lines.count)]
    for _ in 0...random(below: 3) {
      let place = random(below: line.count)
      switch random(below: 3) {
      case 0: line[place] = UInt8(32 + random(below: 224))
      case 1: line.remove(at: place)
      default: line[place] = Array("{}[]\",:\\".utf8)[random(below: 8)]
      }
    }
    // An end that lets it pass the first look.
    line.append(UInt8(ascii: "}"))
    _ = decoder.decode(line[...], at: .zero)
  }
  #expect(decoder.unreadableCount > 500)
  #expect(report(#"{"class":"VERSION","release":"3.25"}"#, by: decoder) == .version("3.25"))
}

@Test func linesComeWholeHoweverTheyAreCut() {
  let text = Array("one\r\ntwo\n\nthree\nrest".utf8)
  for size in 1...text.count {
    var lines = GPSDLines()
    var seen: [String] = []
    for start in stride(from: 0, to: text.count, by: size) {
      lines.receive(text[start..<min(text.count, start + size)]) { seen.append(String(decoding: $0, as: UTF8.self)) }
    }
    #expect(seen == ["one\r", "two", "", "three"], "in pieces of \(size)")
  }
}

@Test func aLineWithoutEndIsDroppedAndTheNextOneRead() {
  var lines = GPSDLines()
  var seen: [String] = []
  let flood = [UInt8](repeating: 0x41, count: 10_000)
  for _ in 0..<10 { lines.receive(flood[...]) { _ in Issue.record("a line without end") } }
  lines.receive(Array("\nnext\n".utf8)[...]) { seen.append(String(decoding: $0, as: UTF8.self)) }
  #expect(seen == ["next"])
  #expect(lines.overlongCount == 1)
}
