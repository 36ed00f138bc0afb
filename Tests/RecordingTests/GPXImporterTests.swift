import Quantities
import Testing

@testable import Recording

@Suite struct GPXImporterTests {
  static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE gpx [ <!ENTITY a "b>"> ]>
    <gpx version='1.1' creator="x > y" xmlns="http://www.topografix.com/GPX/1/1">
      <metadata><time>2001-01-01T00:00:00Z</time></metadata>
      <wpt lat="1" lon="2"><time>2002-01-01T00:00:00Z</time></wpt>
      <trk><name><![CDATA[a <trkpt lat="9" lon="9"> b]]></name><trkseg>
      <!-- <trkpt lat="1" lon="1"><time>2020-01-01T00:00:00Z</time></trkpt> -->
      <trkpt lon = '11.5'
             lat = '48.25'>
        <ele> 520.5 </ele><time>
          2020-01-01T00:00:00Z</time><hdop>0.9</hdop><sat>11</sat>
        <extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>3.5</gpxtpx:speed><gpxtpx:course>90</gpxtpx:course>
        </gpxtpx:TrackPointExtension></extensions>
      </trkpt>
      <trkpt lat="48.26" lon="11.5"><time>2020-01-01T00:00:01.5Z</time><speed>4</speed></trkpt>
      <trkpt lat="48.26" lon="11.5"/>
      </trkseg><trkseg>
      <trkpt lat="48.27" lon="11.5"><time>2020-01-01T00:10:00Z</time><fix>none</fix></trkpt>
      <trkpt lat="98.27" lon="11.5"><time>2020-01-01T00:10:01Z</time></trkpt>
      <trkpt lat="48.27" lon="11.5"><time>2020-01-01T00:09:01Z</time></trkpt>
      <trkpt lat="48.27" lon="abc"><time>2020-01-01T00:10:02Z</time></trkpt>
      </trkseg></trk>
    </gpx>
    """

  @Test func trackPointsBecomeFixes() throws {
    let importer = try open(Self.sample)
    let fixes = try collect(importer).compactMap { item in
      if case .fix(let fix) = item.input { fix } else { nil }
    }
    #expect(fixes.count == 3)
    #expect(fixes.map(\.time.microseconds) == [0, 1_500_000, 600_000_000])
    #expect(fixes[0].position?.latitudeE9 == 48_250_000_000 && fixes[0].heightAboveSeaLevel == 520.5)
    #expect(fixes[0].speed == 3.5 && fixes[0].course == courseRadians(90))
    #expect(fixes[0].dilution.horizontal == 0.9 && fixes[0].satellitesUsed == 11)
    #expect(fixes[0].mode == .threeDimensional && fixes[1].mode == .twoDimensional && fixes[2].mode == .none)
    #expect(fixes[1].speed == 4 && fixes[1].course == nil)
    #expect(importer.timeline.utcAtZero?.microseconds == 1_577_836_800_000_000)
    let report = importer.reports[0]
    #expect(report.count(of: .missingTime) == 1)
    #expect(report.count(of: .positionOutOfRange) == 1)
    #expect(report.count(of: .timeBackwards) == 1)
    #expect(report.count(of: .unreadableField) == 1)
  }

  @Test func anyCutIsAnErrorAfterThePointsBefore() throws {
    let bytes = Array(Self.sample.utf8)
    for cut in stride(from: 140, to: bytes.count - 8, by: 7) {
      #expect(failure(Array(bytes[..<cut])) != nil)
    }
    for place in stride(from: 0, to: bytes.count, by: 3) {
      for byte in [UInt8(0x3C), 0x3E, 0x22, 0x5D, 0] {
        var changed = bytes
        changed[place] = byte
        _ = failure(changed)
      }
    }
  }

  @Test func aFileWithoutTimedPointsSaysSo() {
    #expect(failure(Array("<gpx><trk><trkseg/></trk></gpx>".utf8))?.found == "no track point")
    let untimed = failure(Array("<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>".utf8))
    #expect(untimed?.found == "no usable track point among 1 (first problem: rows without a time)")
  }
}
