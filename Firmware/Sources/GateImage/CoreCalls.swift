import ASCIIText
import InlineStorage
import NMEA
import Positioning
import Quantities

// The calls that keep the core in the image. A module nobody calls here is compiled but not linked, and a heap allocation
// in it would not be found: whoever adds an entry point to the core adds a call here.

extension CoreRun {
  /// Calls every module once, with inputs the compiler cannot see through.
  mutating func all() {
    containers()
    text()
    quantities()
    elementaryFunctions()
    sentences()
    geodesics()
    regions()
    fences()
    alarms()
    liteFilter()
    attitudeFilter()
    accelerometerCalibration()
    mountCalibration()
    modem()
    tracker()
    trackerDoors()
    delivery()
    forms()
    homeAssistant()
    log()
    flash()
    activity()
    health()
    console()
    update()
  }

  private mutating func containers() {
    var list = InlineVector<4, UInt8>()
    for value: UInt8 in 0..<6 { list.append(opaque(value)) }
    list.remove(at: 1)
    list.insert(opaque(9), at: 0)
    expect(list.count == 4 && list.rejectedCount == 2)
    for place in 0..<list.count { note(UInt32(list[place])) }
    var queue = InlineQueue<3, Float>()
    for value: UInt8 in 0..<5 { queue.append(opaque(Float(value))) }
    expect(queue.rejectedCount == 2)
    while let value = queue.popFirst() { note(value) }
  }

  private mutating func text() {
    var line = InlineBytes<48>()
    line.append("value ")
    line.append(fixed: Int64(opaque(37)) * -1_000_003, decimals: 6)
    line.append(hexadecimal: opaque(0xA5))
    expect(line.count == 18 && !line.isTruncated)
    for place in 0..<line.count { note(UInt32(line[place])) }
    let number = scanFixed(line.span.extracting(6..<16), decimals: 6)
    expect(number == -37_000_111)
    note(number ?? 0)
  }

  private mutating func quantities() {
    let turn = Quaternion(rotationVector: Vector3(opaque(0.1), opaque(-0.2), opaque(0.3)))
    let turned = (turn * turn.conjugate).normalized.rotate(Vector3(opaque(1), 2, 3))
    expect((turned - Vector3(1, 2, 3)).length < 1e-5)
    note(turned.x)
    note(turned.y)
    note(turned.z)
    let place = GeodeticPosition(latitudeDegrees: Double(opaque(53.25)), longitudeDegrees: Double(opaque(-6.5)))
    expect(place?.latitudeE9 == 53_250_000_000)
    note(place?.longitude ?? 0)
    var clock = FrameClock()
    var dated: Instant?
    for frame in 0..<600 {
      dated = clock.time(
        ofFrameAt: Instant(microseconds: Int64(frame) * 10_000 + Int64(opaque(UInt8(frame % 7))) * 900))
    }
    expect(dated != nil && clock.lossCount == 0 && clock.restartCount == 0)
    note(Float(clock.hertz ?? 0))
    let day = UTCTime(microseconds: 1_700_000_000_000_000 + Int64(opaque(5))).date
    expect(day.year == 2023 && day.month == 11 && day.day == 14)
  }

  private mutating func elementaryFunctions() {
    for step: UInt8 in 0..<200 {
      let x = Float(opaque(step)) * 0.137 - 9
      let wide = Double(x) * 1.000_000_1
      note(Elementary.sin(x))
      note(Elementary.tan(x))
      note(Elementary.atan2(x, 0.7))
      note(Elementary.asin(x / 10))
      note(Elementary.exp(x))
      note(Elementary.pow(x + 10, x / 5))
      note(Elementary.log(x + 10))
      note(Elementary.cos(wide))
      note(Elementary.atan2(wide, -3))
      note(Elementary.acos(wide / 30))
      note(Elementary.exp(wide))
      note(Elementary.log(wide + 30))
      note(Elementary.remainder(wide * 1000, 1.7))
      note(Elementary.squareRoot(wide + 40))
    }
  }

  private mutating func sentences() {
    var receiver = NMEAReceiver()
    var line = InlineBytes<160>()
    line.append("$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,*")
    endSentence(&line)
    line.append("$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*")
    endSentence(&line)
    // In two pieces, so that the framer's own buffer is used too.
    let cut = 40 + Int(opaque(1))
    receiver.receive(line.span.extracting(0..<cut), at: .seconds(1))
    receiver.receive(line.span.extracting(cut..<line.count), at: .seconds(1))
    receiver.advance(to: .seconds(60))
    receiver.finish()
    let fix = receiver.nextFix()
    expect(fix?.position?.latitudeE9 == 53_350_000_000 && fix?.position?.longitudeE9 == -6_250_000_000)
    note(fix?.speed ?? 0)
    note(fix?.course ?? 0)
    note(fix?.heightAboveEllipsoid ?? 0)
    note(fix?.utc?.microseconds ?? 0)
    if let fix {
      var text = InlineBytes<512>()
      var encoder = TPVEncoder()
      encoder.encode(fix, into: &text)
      expect(!text.isTruncated)
      for place in 0..<text.count { note(UInt32(text[place])) }
    }
    note(UInt32(receiver.rejections.acceptedSentences))
  }

  private mutating func geodesics() {
    guard let start = GeodeticPosition(latitudeDegrees: Double(opaque(53.25)), longitudeDegrees: -6.5),
      let end = GeodeticPosition(latitudeDegrees: -33.5, longitudeDegrees: Double(opaque(151.25)))
    else { return expect(false) }
    let line = Geodesic(from: start, to: end)
    note(line.distance)
    note(line.initialAzimuth)
    let destination = GeodesicDestination(from: start, azimuth: line.initialAzimuth, distance: line.distance)
    note(destination?.latitude ?? 0)
    expect(destination != nil)
    let offset = LocalTangentPlane(origin: start).offset(of: end)
    note(offset.east)
    note(Geodesic.fastDistance(from: start, to: end))
    var path = PathSimplifier(bound: Double(opaque(5)))
    var points = 0
    for step: Int64 in 0..<40 {
      // A straight, and a bend.
      let east = start.longitudeE9 + 100_000 * step
      let north = start.latitudeE9 + (step > 20 ? 100_000 * (step - 20) : 0)
      guard let place = GeodeticPosition(latitudeE9: north, longitudeE9: east) else { return expect(false) }
      let told = path.process(place)
      points += (told.tellsHeld ? 1 : 0) + (told.tellsFix ? 1 : 0)
    }
    // The first and the bend; the last one is held.
    expect(points == 2 && !path.tell(end) && !path.end())
  }

  private mutating func regions() {
    var region = GeodeticRegion<8, 0>()
    for shape in RegionShape.allCases {
      region.begin(shape, width: Double(opaque(60)))
      for corner: UInt8 in 0..<(shape == .circle ? 1 : 8) {
        let angle = Elementary.sincos(Double(opaque(corner)) * 0.78)
        region.append(
          latitudeE9: 53_250_000_000 + Int64(angle.cos * 1e6),
          longitudeE9: 180_000_000_000 - Int64((1 + angle.sin) * 1e6))
      }
      expect(region.finish(.room) == nil)
      for step: Int64 in -3..<4 {
        guard
          let place = GeodeticPosition(
            latitudeE9: 53_250_000_000 + step * 300_000, longitudeE9: -180_000_000_000 + (step + 3) * 100_000)
        else { return expect(false) }
        // To a tenth of a millimetre: below, libgcc's subtraction differs (docs/elementary.md).
        note(Elementary.roundedInteger(region.signedDistance(of: place) * 10_000))
        note(UInt32(region.contains(place) ? 1 : 0))
      }
      note(Elementary.roundedInteger(region.depth * 10_000))
    }
    region.begin(.polygon)
    expect(region.finish(.simple) == .tooFewPoints)
  }

  /// Writes the checksum of the sentence that begins with the last dollar sign, and the line end.
  private func endSentence(_ line: inout InlineBytes<160>) {
    var start = line.count
    while start > 0 && line[start - 1] != 0x24 { start -= 1 }
    let sum = checksum(line.span.extracting(start..<line.count - 1))
    line.append(hexadecimal: sum)
    line.append("\r\n")
  }
}
