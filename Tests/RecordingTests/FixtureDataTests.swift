import Quantities
import Testing

@testable import Recording

/// The folder of the recordings that belong to the repository: what the outside recordings are looked at for, on these.
private func fixture(_ name: String) -> String {
  String(#filePath.prefix(upTo: #filePath.range(of: "/Tests/")?.lowerBound ?? #filePath.endIndex)) + "/fixtures/" + name
}

@Suite struct FixtureDataTests {
  @Test(
    arguments: [
      ("ardennes_edge1000_gnss", 8357, 8356.0, 1_568_988_603_000_000),
      ("leiden_edge1000_gap_gnss", 96, 126, 1_591_023_160_000_000),
    ] as [(String, Int, Double, Int64)])
  func everyRideIsImportedWholly(name: String, rows: Int, seconds: Double, zero: Int64) throws {
    let path = fixture("rides/\(name).csv.gz")
    #expect(try RecordedDataTests.count(path) == rows)
    let importer = try openRecording(path)
    #expect(
      importer.formatName == "GNSS CSV"
        && importer.timeline == Timeline(basis: .elapsed, utcAtZero: UTCTime(microseconds: zero)))
    var last: GNSSFix?
    var isRising = true
    while let input = try importer.next() {
      guard case .fix(let fix) = input else { continue }
      if let last { isRising = isRising && fix.time > last.time }
      last = fix
    }
    #expect(isRising && last?.time.secondsDouble == seconds && importer.reports[0].entries.isEmpty)
    #expect(last?.mode == .threeDimensional && last?.horizontalAccuracy == nil && last?.course == nil)
  }

  @Test func aRideComesBackFromALeashLogBitForBit() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/ride.leash"
    func merged() throws -> MergedRecording {
      try MergedRecording([
        openRecording(fixture("rides/leiden_edge1000_gap_gnss.csv.gz")), openRecording(fixture("nmea/tn204.log")),
      ])
    }
    let writer = try LeashLogWriter(path: path)
    let source = try merged()
    while let input = try source.next() { try writer.append(input, bytes: source.payload.span) }
    try writer.close()
    let expected = try collect(merged())
    let found = try collect(openRecording(path))
    #expect(expected.count == 144 && found.count == expected.count)
    for (a, b) in zip(found, expected) where a.input != b.input || a.bytes != b.bytes {
      Issue.record("\(a) is not \(b)")
      return
    }
  }

  /// Every line of a receiver's log, its time, the zero of its time, and what was odd about it.
  @Test func receiverLogsKeepEveryByteAndTheirTimes() throws {
    let folder = fixture("nmea")
    let logs = files(in: folder, suffix: ".log")
    #expect(logs.count == 14)
    var found: [String] = []
    for file in logs {
      let importer = try openRecording(folder + "/" + file)
      #expect(importer.formatName == "NMEA log", "\(file)")
      var joined: [UInt8] = []
      var last = Instant.zero
      var count = 0
      while let input = try importer.next() {
        #expect(input.time >= last)
        last = input.time
        count += 1
        joined += importer.payload
      }
      let whole = try contents(folder + "/" + file)
      #expect(Array(whole.suffix(joined.count)) == joined, "\(file)")
      let top = String(decoding: whole.prefix(whole.count - joined.count), as: UTF8.self)
      #expect(top.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("#") }, "\(file)")
      let zero = importer.timeline.utcAtZero.map { "\($0.microseconds / 1000)" } ?? "-"
      let odd = importer.reports[0].entries.map { "\($0.problem) \($0.count)" }.joined(separator: ", ")
      found.append("\(file) \(count) \(last.microseconds / 1000) \(zero) \(odd)")
    }
    #expect(
      found == [
        "GPSmap-76S.log 151 22000 1319460666000 ",
        "ait250.log 142 33000 1249156147000 ",
        "bt451.log 146 6500 1260372304500 timeBackwards 1, timeOutlier 1",
        "eXplorist210.log 47 3015 1148155579295 timeBackwards 2",
        "garmin48.log 92 27000 991867988000 ",
        "gr8013-w.log 48 2000 1434737501000 ",
        "iTrek.log 105 36004 1122440326996 timeOutlier 1",
        "mt3339.log 138 29000 1428956800000 ",
        "nmea-fuzzy-cases.log 28 640300 1584538100600 ",
        "polarx2.log 75 4000 1332415377000 ",
        "quectel.log 312 41000 1602037221000 ",
        "skytraq-fix.log 100 10000 1459207632000 ",
        "tn204.log 48 7000 1035673308000 ",
        "ublox-zed-f9p-nmea.log 1015 28000 1555029596000 ",
      ])
  }
}
