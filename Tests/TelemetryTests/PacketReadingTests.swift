import ASCIIText
import Quantities
import Telemetry
import TestSupport
import Testing

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

  @Test func aValueWithoutRoomBecomesTheNearestThatHas() {
    var readings = PacketReadings()
    readings[.dilution] = 65_536
    #expect(readings[.dilution] == 65_535)
    readings[.dilution] = -1
    #expect(readings[.dilution] == 0)
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

  @Test func packetsStaySmall() {
    // An outbox has 32 of them.
    #expect(MemoryLayout<Packet>.size <= 176)
    #expect(MemoryLayout<Outbox<32>>.size <= 6305)
  }

  @Test func theDilutionIsTold() {
    var packet = plain
    packet.readings[.dilution] = 95
    var bytes = GrowingBytes()
    packet.encode(as: .json, trackerID: [0x61].span, into: &bytes)
    #expect(String(decoding: bytes.bytes, as: UTF8.self).contains("\"hdop\":0.95"))
  }
}
