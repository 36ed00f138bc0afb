import Quantities
import Testing

@testable import Recording
@testable import TrackerRuntime

/// Reads what stands in the manual of the format, made by hand.
private func times(_ log: LogByHand) throws -> [Int64] {
  try readLog(log.bytes).records.compactMap { $0.record.time?.microseconds }
}

private func samples(_ log: LogByHand) throws -> [InertialSample] {
  try readLog(log.bytes).records.compactMap {
    if case .input(.inertial(let sample)) = $0.record { sample } else { nil }
  }
}

/// Columns x, y and z that are all the same.
private let stillColumns: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

@Suite struct LogFormatTests {
  @Test func everyPredictorAndParameterIsRead() throws {
    let sequences: [[Int64]] = [
      [5], [5, -7], [1, 2, 4], [0, 10_000, 20_001, 29_999, 40_000], [.max, .min, 0, -1, .max],
      (0..<64).map { Int64($0) * 10_000 + Int64($0 % 5) }, [0, 19, 20, -10, -11, 1 << 40, 3],
      [Int64](repeating: -3, count: 64),
    ]
    for values in sequences {
      for predictor in 0...3 {
        for k in UInt64(0)...63 {
          var log = LogByHand()
          let step: Int64 = predictor == 2 ? (values.count > 1 ? values[1] &- values[0] : 77) : 9_999
          log.record(
            0x02,
            [UInt8(values.count), 1]
              + integers(values, predictor: predictor, k: k, start: predictor == 0 ? 4 : values[0], step: step)
              + stillColumns)
          log.record(0x05, at: 1)
          #expect(try times(log) == values + [1], "\(predictor) \(k)")
        }
      }
    }
  }

  @Test func everyFormOfAColumnIsRead() throws {
    let m: [Int64] = [0, 1, -1, 5, -5, 123_456_789, -(1 << 40), 7]
    let time = (0..<8).map { Int64($0) }
    for decimals in 0...7 {
      let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7][decimals]
      var log = LogByHand()
      let q = 0.5
      let d = UInt8(decimals) << 3
      let column = integers(m, predictor: 1, k: 3)
      let quantum = fixed(q.bitPattern, 8)
      log.block(
        times: time, part: 1,
        columns: [2 | d] + column + [4 | d] + quantum + column + [4 | d | 0x80] + column)
      let found = try samples(log)
      #expect(found.count == 8)
      for (sample, number) in zip(found, m) {
        let force = try #require(sample.specificForce)
        #expect(force.x.bitPattern == Float(Double(number) / scale).bitPattern)
        // Halves go away from zero: 0.5 is 1, -2.5 is -3.
        let rounded = (Double(number) * q).rounded(.toNearestOrAwayFromZero)
        #expect(force.y.bitPattern == Float(rounded / scale).bitPattern && force.z == force.y, "\(number)")
        #expect(sample.angularRate == nil && sample.magneticFluxDensity == nil)
      }
    }
    var log = LogByHand()
    let values: [Float] = [-0.0, .infinity, 1, -1e-30, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 3, 4]
    let words = values.map { value -> Int64 in
      let bits = value.bitPattern
      return Int64(bits >> 31 == 0 ? bits | 0x8000_0000 : ~bits)
    }
    let third = fixed((1.0 / 3).bitPattern, 8)
    log.block(
      times: time, part: 2,
      columns: [1] + integers(words, predictor: 0, k: 31, start: 0) + [3] + third + integers(m, predictor: 3, k: 9)
        + [0] + fixed(UInt64(Float(9.81).bitPattern), 4))
    let found = try samples(log).map { $0.magneticFluxDensity }
    #expect(found.map { $0?.x.bitPattern } == values.map(\.bitPattern))
    #expect(found.map { $0?.y } == m.map { Float(Double($0) * (1.0 / 3)) })
    #expect(found.allSatisfy { $0?.z == 9.81 })
  }

  @Test func samplesHaveThePartsThatTheirBitsSay() throws {
    var log = LogByHand()
    log.marker(1_000)
    func column(_ value: Float) -> [UInt8] { [0] + fixed(UInt64(value.bitPattern), 4) }
    func part(_ first: Float) -> [UInt8] { column(first) + column(first + 1) + column(first + 2) }
    let ascending = integers([0, 1], predictor: 1, k: 0)
    log.record(
      0x02,
      [3, 0b01_10_10] + fixed(0b101, 8) + fixed(0b010, 8) + integers([5, 7, 6], predictor: 1, k: 1)
        + ([2] + ascending + column(2) + column(3)) + part(4) + part(7))
    #expect(
      try samples(log) == [
        InertialSample(
          time: Instant(microseconds: 1_005), angularRate: Vector3(0, 2, 3), magneticFluxDensity: Vector3(7, 8, 9)),
        InertialSample(
          time: Instant(microseconds: 1_007), specificForce: Vector3(4, 5, 6), magneticFluxDensity: Vector3(7, 8, 9)),
        InertialSample(
          time: Instant(microseconds: 1_006), angularRate: Vector3(1, 2, 3), magneticFluxDensity: Vector3(7, 8, 9)),
      ])
  }

  /// Right checksum, wrong content: counted with its bytes, and what follows is read.
  @Test func recordsThatAreNoneAreCountedAndPassedOver() throws {
    let one = integers([0], predictor: 0, k: 0)
    let fixHead: [UInt8] = signed(5) + [3]
    func fix(_ parts: UInt64, _ rest: [UInt8]) -> (UInt8, [UInt8]) { (0x03, fixHead + varint(parts) + rest) }
    let wrong: [(UInt8, [UInt8])] = [
      (0x02, [0, 1] + one + stillColumns), (0x02, [65, 1] + one + stillColumns), (0x02, [1, 3] + one + stillColumns),
      (0x02, [1, 1] + one + stillColumns + [0]), (0x02, [1, 1] + one + stillColumns.dropLast()),
      (0x02, [1, 1] + one + [5] + stillColumns.dropFirst()), (0x02, [1, 1] + one + [7] + stillColumns.dropFirst()),
      (0x02, [1, 1] + one + [2 | 8 << 3] + one + stillColumns.dropFirst(5)),
      (0x02, [1, 1] + one + [3 | 0x80] + one + stillColumns.dropFirst(5)), (0x02, []),
      (0x02, [1, 1] + [0x00] + [UInt8](repeating: 0xFF, count: 11) + stillColumns),
      fix(1 << 14, [0]), fix(1 << 1, signed(90_000_000_001) + signed(0)),
      fix(1 << 1, signed(0) + signed(180_000_000_001)),
      fix(1 << 2, [10, 0]), fix(1 << 3, [15, 0]), fix(1 << 4, [26, 0]), fix(1 << 5, [32, 0]), fix(1 << 6, [254, 0]),
      fix(1 << 8, [8, 0]), fix(1 << 9, [16, 0]), fix(1 << 11, [9]), fix(0, [0]), fix(1 << 12, []),
      (0x03, signed(5) + [4, 0]), (0x04, signed(5)), (0x04, []), (0x05, signed(5) + [0]), (0x05, []), (0x06, []),
      (0x07, signed(5) + varint(1 << 32)), (0x07, signed(5) + varint(3) + [0]), (0x07, signed(5)), (0x08, []),
      (0x09, signed(5)), (0x0A, [0x80]), (0x0B, []),
    ]
    for (type, payload) in wrong {
      var log = LogByHand()
      log.record(0x05, at: 1)
      let start = log.bytes.count
      let length = log.record(type, payload)
      log.record(0x05, at: 2)
      let (records, report) = try readLog(log.bytes)
      #expect(records.map(\.record) == [1, 2].map { .input(.tick(Instant(microseconds: $0))) }, "\(type): \(payload)")
      #expect(report.entries == [.init(problem: .damagedStretch, count: 1, firstLine: start)], "\(type): \(payload)")
      #expect(report.skippedByteCount == length && report.truncatedAtByte == nil, "\(type): \(payload)")
    }
  }

  @Test func recordsAtTheEdgeOfWhatIsAllowedAreRead() throws {
    var log = LogByHand()
    log.record(0x07, at: 5, varint(1 << 32 - 1))
    log.record(0x03, signed(5) + [0] + varint(1 << 1) + signed(90_000_000_000) + signed(-180_000_000_000))
    log.record(0x03, signed(6) + [2] + varint(1 << 11 | 1 << 12 | 1 << 13) + [8, 255] + varint(.max))
    log.record(0x04, at: -7, [255])
    log.record(0x0B, at: .min)
    log.record(0x0C, [])
    let records = try readLog(log.bytes).records.map(\.record)
    var pole = GNSSFix(time: Instant(microseconds: 5))
    pole.mode = .unknown
    pole.position = GeodeticPosition(latitudeE9: 90_000_000_000, longitudeE9: -180_000_000_000)
    var counts = GNSSFix(time: Instant(microseconds: 6))
    counts.mode = .twoDimensional
    counts.quality = FixQuality(rawValue: 8)
    counts.satellitesUsed = 255
    counts.satellitesInView.packed = .max
    #expect(
      records == [
        .input(.acknowledgement(Instant(microseconds: 5), sequence: .max)), .input(.fix(pole)), .input(.fix(counts)),
        .input(.bytes(port: 255, time: Instant(microseconds: -7))),
        .input(.restoration(Instant(microseconds: .min))), .continuation,
      ])
  }

  /// Each part of a fix alone, and each form of its numbers.
  @Test func everyPartAndEveryFormOfANumberOfAFixIsRead() throws {
    for form in Array(0...9) + Array(16...25) + [255] {
      for number in [Int64(0), 12_345, -7, 1 << 52] {
        for bit in 2...7 {
          var log = LogByHand()
          let payload = form == 255 ? fixed(Double.nan.bitPattern ^ 77, 8) : signed(number)
          log.record(0x03, signed(3) + [1] + varint(1 << UInt64(bit)) + [UInt8(form)] + payload)
          let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][form == 255 ? 0 : form % 16]
          let plain = Double(number) / scale
          let expected =
            form == 255 ? Double(bitPattern: Double.nan.bitPattern ^ 77) : form < 16 ? plain : plain * (Double.pi / 180)
          var fix = GNSSFix(time: Instant(microseconds: 3))
          fix.mode = .none
          switch bit {
          case 2: fix.heightAboveSeaLevel = expected
          case 3: fix.heightAboveEllipsoid = expected
          case 4: fix.speed = expected
          case 5: fix.course = expected
          case 6: fix.horizontalAccuracy = expected
          default: fix.verticalAccuracy = expected
          }
          guard case .input(.fix(let found))? = try readLog(log.bytes).records.first?.record else {
            Issue.record("form \(form), part \(bit)")
            return
          }
          #expect(bits(found) == bits(fix), "form \(form), part \(bit)")
        }
      }
    }
    for form in Array(0...7) + [255] {
      for bit in 8...10 {
        var log = LogByHand()
        let payload = form == 255 ? fixed(0x7FA0_1234, 4) : signed(-98_765)
        log.record(0x03, signed(3) + [1] + varint(1 << UInt64(bit)) + [UInt8(form)] + payload)
        let scale = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7][form % 8]
        let expected = form == 255 ? Float(bitPattern: 0x7FA0_1234) : Float(-98_765 / scale)
        var fix = GNSSFix(time: Instant(microseconds: 3))
        fix.mode = .none
        switch bit {
        case 8: fix.dilution.horizontal = expected
        case 9: fix.dilution.vertical = expected
        default: fix.dilution.position = expected
        }
        guard case .input(.fix(let found))? = try readLog(log.bytes).records.first?.record else {
          Issue.record("form \(form), part \(bit)")
          return
        }
        #expect(bits(found) == bits(fix), "form \(form), part \(bit)")
      }
    }
  }

  /// Kind, numbers and ranges of a reading, each wrong in turn.
  @Test func aReadingIsReadAsItIsWrittenOrIsDamage() throws {
    func reading(_ payload: [UInt8]) throws -> LogRecord? {
      var log = LogByHand()
      log.record(0x0F, at: 5, payload)
      let (records, report) = try readLog(log.bytes)
      #expect(report.count(of: .damagedStretch) == (records.isEmpty ? 1 : 0))
      return records.first?.record
    }
    func supply(_ supply: Supply) -> LogRecord {
      .input(.reading(.supply(SupplyReading(time: Instant(microseconds: 5), supply))))
    }
    // Signed numbers are doubled: 100 is 200, in two bytes.
    #expect(try reading([1, 0]) == supply(Supply()))
    #expect(try reading([1, 1, 0xC8, 1]) == supply(Supply(charge: 100)))
    #expect(try reading([1, 1, 0xCA, 1]) == nil && reading([1, 1, 1]) == nil, "101 and -1")
    #expect(try reading([1, 2, 0xFE, 0xFF, 7]) == supply(Supply(millivolts: 65_535)))
    #expect(try reading([1, 2, 0x80, 0x80, 8]) == nil, "65,536")
    #expect(try reading([1, 12, 2, 0]) == supply(Supply(isCharging: true, isExternal: false)))
    #expect(try reading([1, 4, 4]) == nil && reading([1, 8, 4]) == nil, "2 is no flag")
    #expect(try reading([1, 16, 0]) == nil, "a fifth number")
    var contacts = Contacts()
    contacts[.lock] = true
    contacts[.tamper] = false
    #expect(
      try reading([2, 20, 2, 0])
        == LogRecord.input(.reading(.contacts(ContactReading(time: Instant(microseconds: 5), contacts)))))
    #expect(try reading([2, 1, 4]) == nil && reading([2, 32, 0]) == nil, "2 is no flag, and there is no sixth")
    func presence(_ isNear: Bool, _ token: UInt8) -> LogRecord {
      .input(.reading(.presence(PresenceReading(time: Instant(microseconds: 5), isNear: isNear, token: token))))
    }
    #expect(try reading([3, 1, 2]) == presence(true, 0) && reading([3, 3, 0, 6]) == presence(false, 3))
    #expect(
      try reading([3, 1, 4]) == nil && reading([3, 2, 6]) == nil && reading([3, 0]) == nil, "near or away it is")
    #expect(try reading([3, 3, 2, 0x80, 4]) == nil, "no token 256")
    let heard = NetworkReading(time: Instant(microseconds: 5), signalDBm: -71)
    #expect(try reading([4, 1, 0x8D, 1]) == .input(.reading(.network(heard))))
    #expect(try reading([4, 1, 0xFF, 1]) != nil && reading([4, 1, 0x81, 2]) == nil, "-128 and -129")
    let cell = NetworkCell(country: 262, network: 1, area: 77, cell: 3)
    #expect(
      try reading([4, 30, 0x8C, 4, 2, 0x9A, 1, 6])
        == .input(.reading(.network(NetworkReading(time: Instant(microseconds: 5), cell: cell)))))
    #expect(try reading([4, 14, 0x8C, 4, 2, 0x9A, 1]) == nil && reading([4, 2, 2]) == nil, "all of a cell or none")
    #expect(
      try reading([5, 1, 0x45])
        == .input(.reading(.temperature(TemperatureReading(time: Instant(microseconds: 5), decidegrees: -35)))))
    #expect(try reading([5, 0]) == nil && reading([5, 1, 0x80, 0x80, 4]) == nil, "none, and 32,768")
    let pressed = try #require(PressureReading(time: Instant(microseconds: 5), pascals: 30_000))
    #expect(try reading([6, 1, 0xE0, 0xD4, 3]) == .input(.reading(.pressure(pressed))))
    #expect(try reading([6, 1, 0xDE, 0xD4, 3]) == nil && reading([6, 0]) == nil, "29,999 Pa, and none")
    #expect(
      try reading([6, 1, 0xE0, 0xB6, 0xD]) != nil && reading([6, 1, 0xE2, 0xB6, 0xD]) == nil, "110,000 and 110,001")
    let turned = WheelReading(time: Instant(microseconds: 5), pulses: .max)
    #expect(try reading([7, 1, 0xFE, 0xFF, 0xFF, 0xFF, 0x1F]) == .input(.reading(.wheel(turned))))
    #expect(try reading([7, 1, 0x80, 0x80, 0x80, 0x80, 0x20]) == nil && reading([7, 1, 1]) == nil, "2^32, and -1")
    #expect(try reading([7, 0]) == nil, "none")
    #expect(try reading([0, 0]) == nil && reading([8, 0]) == nil, "kinds that there are not")
    #expect(try reading([1]) == nil && reading([1, 1]) == nil && reading([1, 0, 0]) == nil, "too short and too long")
  }

  // MARK: Damage

  @Test func recordsOfATypeThatIsNotKnownArePassedOverAndAreNoDamage() throws {
    var log = LogByHand()
    log.record(0x05, at: 1)
    let place = log.bytes.count
    log.record(0x10, [1, 2, 3])
    log.record(0x7F, [])
    log.record(0x05, at: 2)
    let (records, report) = try readLog(log.bytes)
    #expect(records.count == 2)
    #expect(report.entries == [.init(problem: .unknownRecord, count: 2, firstLine: place)])
    #expect(report.skippedByteCount == 0)
  }

  @Test func aHeaderIsCheckedBeforeAnythingIsBelieved() throws {
    func error(_ bytes: [UInt8]) -> RecordingError? {
      do throws(RecordingError) {
        _ = try LeashLogReader(ByteSource(bytes: bytes, name: "log"))
        return nil
      } catch {
        return error
      }
    }
    #expect(
      error(LogByHand(version: 2).bytes)?.description == "log: a Leash log of version 2; expected version 1")
    #expect(error(LogByHand(version: 0x0101).bytes)?.kind == .unsupported)
    #expect(error(LogByHand(version: 0).bytes)?.kind == .unsupported)
    #expect(error(Array(LogByHand().bytes.dropLast()))?.kind == .truncated)
    #expect(error([0x88] + LogByHand().bytes.dropFirst())?.kind == .malformed)
    // With a wrong checksum the version means nothing.
    for version in [UInt16(1), 9] {
      var log = LogByHand(version: version, hasRightChecksum: false)
      log.record(0x05, at: 7)
      let (records, report) = try readLog(log.bytes)
      #expect(records.map(\.record) == [.input(.tick(Instant(microseconds: 7)))])
      #expect(report.entries == [.init(problem: .damagedStretch, count: 1, firstLine: 0)])
    }
  }

  @Test func aRecordBehindALostMarkerIsNotGivenAWrongTime() throws {
    var log = LogByHand()
    log.marker(0)
    log.record(0x05, at: 1)
    let start = log.bytes.count
    log.marker(3_600_000_000)
    for time in [3_600_000_001, 3_600_000_002] as [Int64] { log.record(0x05, at: time) }
    let behind = log.bytes.count
    log.marker(7_200_000_000)
    log.record(0x05, at: 7_200_000_001)
    log.bytes[start + 20] ^= 1
    let (records, report) = try readLog(log.bytes)
    #expect(records.map { $0.record.time?.microseconds } == [1, 7_200_000_001])
    #expect(report.entries == [.init(problem: .damagedStretch, count: 1, firstLine: start)])
    #expect(report.skippedByteCount == behind - start)
  }

  @Test func aMarkerOfAnotherLengthIsNone() throws {
    var log = LogByHand()
    let record: [UInt8] = [0x6D, 35] + [UInt8](repeating: 0, count: 35)
    log.bytes += record + fixed(UInt64(checksum(record)), 4)
    log.record(0x05, at: 3)
    let (records, report) = try readLog(log.bytes)
    #expect(records.map { $0.record.time } == [Instant(microseconds: 3)] && report.count(of: .damagedStretch) == 1)
  }

  /// One byte changed: the record is lost, and its neighbours are not; the last one, too, is no cut.
  @Test func aDamagedRecordCostsItselfAlone() throws {
    for victim in 0..<5 {
      var log = LogByHand()
      var starts: [Int] = []
      for number in 0..<5 {
        starts.append(log.bytes.count)
        log.record(0x0A, at: Int64(number), Array("note \(number)".utf8))
      }
      log.bytes[starts[victim] + 4] ^= 0x20
      let (records, report) = try readLog(log.bytes)
      #expect(records.map { $0.record.time?.microseconds } == [0, 1, 2, 3, 4].filter { $0 != Int64(victim) })
      #expect(report.entries == [.init(problem: .damagedStretch, count: 1, firstLine: starts[victim])])
      #expect(report.truncatedAtByte == nil && report.skippedByteCount == log.bytes.count / 5 - 3)
    }
  }

  /// In a damaged stretch records of up to 8 KiB are found; markers always.
  @Test(arguments: [(8192, true), (8193, false)]) func recordsUpToEightKibibytesAreFoundBehindDamage(
    length: Int, isFound: Bool
  ) throws {
    var log = LogByHand()
    log.marker(0)
    log.bytes += [UInt8](repeating: 0xEE, count: 20_001)
    // Type, two bytes of length, time, checksum.
    log.record(0x0A, at: 1, [UInt8](repeating: 0x20, count: length - 8))
    log.record(0x05, at: 2)
    let (records, report) = try readLog(log.bytes)
    #expect(records.map { $0.record.time?.microseconds } == (isFound ? [1, 2] : [2]))
    #expect(report.count(of: .damagedStretch) == 1)
    #expect(report.skippedByteCount == 20_001 + (isFound ? 0 : length))
  }

  @Test func aLengthOfMoreThanAMebibyteIsDamage() throws {
    for (length, isRead) in [(1_048_576, true), (1_048_577, false)] {
      var log = LogByHand()
      log.record(0x0A, signed(1) + [UInt8](repeating: 0x20, count: length - 1))
      log.record(0x05, at: 2)
      let (records, report) = try readLog(log.bytes)
      #expect(records.map { $0.record.time?.microseconds } == (isRead ? [1, 2] : [2]))
      #expect(report.count(of: .damagedStretch) == (isRead ? 0 : 1))
      if isRead { #expect(records[0].bytes.count == length - 1) }
    }
    // A length of four bytes is none either.
    var log = LogByHand()
    let start = log.bytes.count
    log.bytes += [0x0A, 0x80, 0x80, 0x80, 0x00, 1, 2, 3, 4]
    log.record(0x05, at: 2)
    let (records, report) = try readLog(log.bytes)
    #expect(records.count == 1 && report.entries == [.init(problem: .damagedStretch, count: 1, firstLine: start)])
  }

  @Test func aCutIsToldWithTheByteWhereTheLastWholeRecordEnds() throws {
    var log = LogByHand()
    log.record(0x05, at: 1)
    let place = log.bytes.count
    log.record(0x0A, at: 2, Array("a remark".utf8))
    for missing in 1..<(log.bytes.count - place) {
      let (records, report) = try readLog(Array(log.bytes.dropLast(missing)))
      #expect(records.count == 1 && report.entries.isEmpty)
      #expect(report.truncatedAtByte == place)
      #expect(report.skippedByteCount == log.bytes.count - place - missing)
    }
    let (_, report) = try readLog(Array(log.bytes[..<place]))
    #expect(report.truncatedAtByte == nil && report.skippedByteCount == 0)
  }
}
