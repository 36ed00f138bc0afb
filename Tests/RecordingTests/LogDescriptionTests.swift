import Glibc
import Quantities
import Testing
import TrackerLog

@testable import Recording

@Suite struct LogDescriptionTests {
  /// Every kind of record as a line of JSON, with every field of a fix.
  @Test func everyRecordIsALineOfJSON() {
    let time = Instant(microseconds: 12_000_034)
    var fix = GNSSFix(time: time)
    fix.mode = .threeDimensional
    fix.quality = .differential
    fix.utc = UTCTime(microseconds: 1_500_000_000_250_000)
    fix.position = GeodeticPosition(latitudeE9: 50_000_000_001, longitudeE9: -4_000_000_002)
    fix.heightAboveSeaLevel = 1.5
    fix.heightAboveEllipsoid = 2.5
    fix.speed = 3.5
    fix.course = Double.pi / 2
    fix.horizontalAccuracy = 4.5
    fix.verticalAccuracy = .infinity
    fix.dilution.horizontal = 0.5
    fix.dilution.vertical = 0.75
    fix.dilution.position = 1.25
    fix.satellitesUsed = 7
    fix.satellitesInView[.gps] = 5
    let sample = InertialSample(
      time: time, angularRate: Vector3(1, 2, 3), specificForce: nil, magneticFluxDensity: Vector3(4, 5, -6))
    let text = Array("a\"b\\c\r\n\t~".utf8)
    let cases: [(LogRecord, [UInt8], String)] = [
      (.configuration, text, #"{"kind":"configuration","text":"a\"b\\c\r\n\t~"}"#),
      (
        .input(.inertial(sample)), [],
        #"{"t":12.000034,"kind":"inertial","angularRate":[1.0,2.0,3.0],"magneticFluxDensity":[4.0,5.0,-6.0]}"#
      ),
      (
        .input(.fix(fix)), [],
        #"{"t":12.000034,"kind":"fix","mode":3,"quality":2,"utc":1500000000.250000,"latitudeE9":50000000001,"#
          + #""longitudeE9":-4000000002,"heightAboveSeaLevel":1.5,"heightAboveEllipsoid":2.5,"speed":3.5,"#
          + #""courseDegrees":90.0,"horizontalAccuracy":4.5,"verticalAccuracy":null,"hdop":0.5,"vdop":0.75,"#
          + #""pdop":1.25,"satellitesUsed":7,"satellitesInView":5}"#
      ),
      (
        .input(
          .reading(
            .supply(
              SupplyReading(
                time: time, Supply(charge: 85, millivolts: 4105, isCharging: true, isExternal: false))))), [],
        #"{"t":12.000034,"kind":"supply","battery":85,"batteryVoltage":4.105,"charging":true,"externalPower":false}"#
      ),
      (.input(.reading(.supply(SupplyReading(time: time, Supply())))), [], #"{"t":12.000034,"kind":"supply"}"#),
      (.input(.fix(GNSSFix(time: .zero))), [], #"{"t":0.000000,"kind":"fix","mode":0}"#),
      (.input(.bytes(port: 9, time: time)), [0x7E], #"{"t":12.000034,"kind":"bytes","port":9,"text":"~"}"#),
      (.input(.bytes(port: 9, time: time)), [0x7F], #"{"t":12.000034,"kind":"bytes","port":9,"hex":"7f"}"#),
      (.input(.tick(time)), [], #"{"t":12.000034,"kind":"tick"}"#),
      (.input(.command(time)), [0x20], #"{"t":12.000034,"kind":"command","text":" "}"#),
      (.input(.command(time)), [0x1F, 0xA0], #"{"t":12.000034,"kind":"command","hex":"1fa0"}"#),
      (
        .input(.settlement(time, sequence: 5, receiver: 1, isDelivered: true)), [],
        #"{"t":12.000034,"kind":"settlement","sequence":5,"receiver":1,"delivered":true}"#
      ),
      (.input(.acknowledgement(time, sequence: 5)), [], #"{"t":12.000034,"kind":"acknowledgement","sequence":5}"#),
      (.input(.restoration(time)), [1], #"{"t":12.000034,"kind":"restoration","hex":"01"}"#),
      (.continuation, [65], #"{"kind":"continuation","text":"A"}"#),
      (.action(time), [65], #"{"t":12.000034,"kind":"action","text":"A"}"#),
      (.output(port: 2, time: time), [65], #"{"t":12.000034,"kind":"output","port":2,"text":"A"}"#),
      (.note(Instant(microseconds: -1)), [65], #"{"t":-0.000001,"kind":"note","text":"A"}"#),
    ]
    for (record, bytes, line) in cases { #expect(record.json(payload: bytes) == line) }
  }
}

/// The end of a log against the whole of it.
@Suite struct LogTailOracleTests {
  private func all(_ reader: LeashLogReader) throws -> [ReadRecord] {
    var records: [ReadRecord] = []
    while let record = try reader.next() {
      let hasBytes = record.time != nil || record == .configuration
      records.append(ReadRecord(record: record, bytes: hasBytes ? reader.payload : []))
    }
    return records
  }

  /// Where a reader of the last so many seconds has to begin, by the markers in the file.
  private func start(_ log: [UInt8], span: Int64) throws -> Int {
    let markers = try #require(walk(log)).filter { $0.type == 0x6D }
    guard let last = markers.last else { return 0 }
    return markers.last { last.base - $0.base >= span }?.start ?? 0
  }

  @Test func theEndIsWhatTheWholeEndsWith() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/log.leash"
    let log = try writeLog(directory) { writer in
      try writer.append(configuration: [1].span)
      var random = Xorshift(state: 21)
      for second in 0..<900 {
        let note = [UInt8](repeating: UInt8(second & 0x7F), count: Int(random.next() % 1200))
        try writer.append(note: note.span, at: .seconds(second))
      }
    }
    let whole = try readLog(log).records
    let starts = try #require(walk(log))
    for span in [0, 1, 59, 60, 61, 119, 120, 299, 300, 400, 839, 840, 841, 899, 900, 5000] {
      let reader = try LeashLogReader.tail(path: path, span: .seconds(span))
      let found = try all(reader)
      let begin = try start(log, span: Int64(span) * 1_000_000)
      let skipped = starts.count { $0.start < begin && $0.type != 0x6D }
      #expect(found == Array(whole.dropFirst(skipped)), "\(span) s")
      #expect(reader.report.entries.isEmpty)
    }
  }

  /// The last marker may lie anywhere, also across the edge of two reads of 128 KiB, and may be damaged.
  @Test func theLastMarkerIsFoundWhereverItLies() throws {
    let directory = try TemporaryDirectory()
    for extra in stride(from: 0, through: 60, by: 3) {
      var log = LogByHand()
      log.marker(1_000_000)
      log.record(0x05, at: 1_000_000)
      let place = log.bytes.count
      log.marker(100_000_000)
      log.record(0x05, at: 100_000_001)
      // The marker begins so many bytes before the edge.
      let missing = 131_072 - (log.bytes.count - place) + extra - 30
      log.record(0x0A, signed(7) + [UInt8](repeating: 0x6D, count: missing - 5 - signed(7).count - 3))
      let path = try directory.write("edge.leash", bytes: log.bytes)
      let reader = try LeashLogReader.tail(path: path, span: .zero)
      #expect(try reader.next() == .input(.tick(Instant(microseconds: 100_000_001))), "\(extra)")
      #expect(reader.recordOffset == place + 42)
      var damaged = log.bytes
      damaged[place + 30] ^= 1
      let other = try LeashLogReader.tail(path: try directory.write("damaged.leash", bytes: damaged), span: .zero)
      #expect(try other.next() == .input(.tick(Instant(microseconds: 1_000_000))))
    }
  }

  /// Offsets that lead in a circle, ahead or to nothing end at the last marker that is sure, or at the beginning.
  @Test func offsetsThatAreWrongDoNotMislead() throws {
    let directory = try TemporaryDirectory()
    func marker(_ time: Int64, own: Int, previous: UInt64) -> [UInt8] {
      let record: [UInt8] =
        [0x6D, 36] + LogFormat.markerPattern + fixed(UInt64(bitPattern: time), 8) + fixed(UInt64(own), 8)
        + fixed(previous, 8)
      return record + fixed(UInt64(checksum(record)), 4)
    }
    for previous in [UInt64(100), 58, 3, 1 << 40, 1 << 63] {
      let header = LogByHand().bytes
      let bytes = header + marker(5_000_000, own: 16, previous: 0) + marker(90_000_000, own: 58, previous: previous)
      let path = try directory.write("circle.leash", bytes: bytes)
      #expect(try LeashLogReader.tail(path: path, span: .seconds(80)).next() == nil)
    }
    // A marker that says it stands elsewhere was copied there.
    let copied = LogByHand().bytes + marker(5_000_000, own: 17, previous: 0)
    #expect(try LeashLogReader.tail(path: try directory.write("copy.leash", bytes: copied), span: .zero).next() == nil)
  }
}
