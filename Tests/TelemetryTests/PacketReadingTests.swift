import ASCIIText
import Quantities
import TestSupport
import Testing

@testable import Telemetry

/// The small numbers of a packet.
@Suite struct PacketReadingTests {
  private let plain = Packet(kind: .location, time: .zero, utc: nil, phase: .starting, isArmed: false)

  private func record(_ packet: Packet) -> [UInt8] {
    var bytes = GrowingBytes()
    packet.encodeRecord(into: &bytes)
    return bytes.bytes
  }

  private func read(_ bytes: [UInt8]) -> Packet? {
    var reader = RecordReader()
    let packet = Packet(record: bytes.span, &reader)
    return reader.place == bytes.count ? packet : nil
  }

  @Test func nothingIsKnownAtFirstAndEachReadingStandsForItself() {
    var readings = PacketReadings()
    #expect(readings.isEmpty)
    for reading in PacketReading.allCases {
      #expect(readings[reading] == nil)
      readings[reading] = 17
      #expect(readings[reading] == 17 && !readings.isEmpty)
      for other in PacketReading.allCases where other != reading { #expect(readings[other] == nil) }
      readings[reading] = nil
      #expect(readings.isEmpty && readings == PacketReadings())
    }
    for reading in PacketReading.allCases { readings[reading] = Int64(reading.rawValue) + 3 }
    for reading in PacketReading.allCases { #expect(readings[reading] == Int64(reading.rawValue) + 3) }
  }

  /// The bit of one too many would be shifted out, and its reading never known.
  @Test func everyReadingHasABitAndBytesOfItsOwn() {
    #expect(PacketReading.allCases.count == Int(PacketReading.count))
    #expect(PacketReading.allCases.count <= PacketReadings().known.bitWidth)
    var end = 0
    for (place, reading) in PacketReading.allCases.enumerated() {
      #expect(Int(reading.rawValue) == place && reading.offset == end, "\(reading)")
      end += reading.width
    }
    #expect(end == PacketReadings.capacity)
  }

  @Test func aValueWithoutRoomBecomesTheNearestThatHas() {
    var readings = PacketReadings()
    readings[.dilution] = 65_536
    #expect(readings[.dilution] == 65_535)
    readings[.dilution] = -1
    #expect(readings[.dilution] == 0)
    for (value, kept) in [(-129, -128), (-128, -128), (127, 127), (128, 127)] as [(Int64, Int64)] {
      readings[.signal] = value
      #expect(readings[.signal] == kept)
    }
    readings[.steps] = 1 << 24
    #expect(readings[.steps] == 16_777_215)
  }

  @Test func aPacketWithoutReadingsHasTheRecordOfBeforeThereWereAny() {
    #expect(record(plain)[0] == 1)
    var packet = plain
    packet.readings[.dilution] = 0x0102
    let bytes = record(packet)
    #expect(bytes == [2] + record(plain).dropFirst() + [1, 0, 2, 1])
    #expect(read(bytes) == packet)
  }

  @Test func aReadingThatThisVersionDoesNotKnowIsNoRecord() {
    var packet = plain
    packet.readings[.dilution] = 100
    let bytes = record(packet)
    #expect(read(bytes) == packet)
    for (place, value) in [(-4, 0), (-3, 0x80)] as [(Int, UInt8)] {
      var damaged = bytes
      damaged[bytes.count + place] = value
      #expect(read(damaged) == nil)
    }
    // What a record of the first kind has no place for.
    #expect(read([1] + bytes.dropFirst()) == nil)
  }

  @Test func aCellIsKeptWhole() {
    var packet = plain
    for cell in [
      NetworkCell(country: 0, network: 0, area: 0, cell: 0),
      NetworkCell(country: 262, network: 1, area: 4097, cell: 77),
      NetworkCell(country: 999, network: 999, area: .max, cell: NetworkCell.highest),
    ] {
      packet.cell = cell
      #expect(packet.cell == cell && read(record(packet))?.cell == cell)
    }
    packet.cell = nil
    #expect(packet == plain)
  }

  @Test func whatTellsAPlaceIsWithheldWithIt() {
    var packet = plain
    packet.cell = NetworkCell(country: 262, network: 1, area: 4097, cell: 77)
    packet.readings[.fences] = 3
    packet.readings[.dilution] = 100
    packet.readings[.temperature] = -35
    packet.withholdPosition()
    #expect(packet.cell == nil && packet.readings[.fences] == nil && packet.readings[.dilution] == nil)
    #expect(packet.readings[.temperature] == -35)
  }

  @Test func eachFormHasItsNamesForThem() {
    var packet = plain
    packet.cell = NetworkCell(country: 262, network: 1, area: 4097, cell: 77)
    for reading in [PacketReading.dilution, .signal, .temperature, .steps] { packet.readings[reading] = -5 }
    packet.readings[.fences] = 0x0307
    var bytes = GrowingBytes()
    packet.encode(as: JSONForm(), trackerID: [0x61].span, into: &bytes)
    let text = String(decoding: bytes.bytes, as: UTF8.self)
    for member in [
      #""hdop":0.00"#, #""signal":-5"#, #""temperature":-0.5"#, #""steps":0"#, #""fences":[7,3]"#,
      #""mcc":262,"mnc":1"#,
      #""area":4097,"cell":77"#,
    ] { #expect(text.contains(member)) }
  }

  @Test func packetsStaySmall() {
    // An outbox has 32 of them, each in 192 bytes with what it knows of it.
    #expect(MemoryLayout<Packet>.size <= 181)
    #expect(MemoryLayout<Outbox<32>>.size <= 6305)
  }

  @Test func theDilutionIsTold() {
    var packet = plain
    packet.readings[.dilution] = 95
    var bytes = GrowingBytes()
    packet.encode(as: JSONForm(), trackerID: [0x61].span, into: &bytes)
    #expect(String(decoding: bytes.bytes, as: UTF8.self).contains("\"hdop\":0.95"))
  }
}
