import ASCIIText
import InlineStorage
import NMEA
import Quantities

// The calls that keep the core in the image. A module nobody calls here is compiled but not linked, and a heap allocation
// in it would not be found: whoever adds an entry point to the core adds a call here.

extension CoreRun {
  /// Calls every module once, with inputs the compiler cannot see through.
  mutating func all() {
    containers()
    text()
    quantities()
    sentences()
  }

  private mutating func containers() {
    var list = InlineVector<4, UInt8>(filler: 0)
    for value: UInt8 in 0..<6 { list.append(opaque(value)) }
    list.remove(at: 1)
    list.insert(opaque(9), at: 0)
    expect(list.count == 4 && list.rejectedCount == 2)
    for place in 0..<list.count { note(UInt32(list[place])) }
    var queue = InlineQueue<3, Float>(filler: 0)
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
    let day = UTCTime(microseconds: 1_700_000_000_000_000 + Int64(opaque(5))).date
    expect(day.year == 2023 && day.month == 11 && day.day == 14)
  }

  private mutating func sentences() {
    var sentence = InlineBytes<16>()
    sentence.append("GPGLL,")
    sentence.append(opaque(0x41))
    note(UInt32(checksum(sentence.span)))
  }
}
