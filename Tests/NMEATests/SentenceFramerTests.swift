import Foundation
import NMEA
import Quantities
import Testing

private let rmc = line("GPRMC,225446.33,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E,A")
private let gga = line("GPGGA,123519,4807.038,N,01131.324,E,1,08,0.9,545.4,M,46.9,M,,")
private let vtg = line("GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A")

/// Every received byte must be accounted for.
private func accounts(_ counts: RejectionCounts, _ pending: Int) -> Int {
  Int(counts.sentenceBytes + counts.separatorBytes + counts.junkBytes) + pending
}

@Suite struct SentenceFramerTests {
  static let streams: [String: [UInt8]] = {
    func bytes(_ parts: String...) -> [UInt8] { Array(parts.joined().utf8) }
    let bare = rmc.replacingOccurrences(of: "\r\n", with: "")
    let unsummed = String(bare.prefix { $0 != "*" })
    let long = "$PXXX," + String(repeating: "A", count: 300)
    let atLimit = "$PXXX," + String(repeating: "B", count: 241)
    return [
      "one sentence": bytes(rmc),
      "two sentences without anything between": bytes(bare, bare),
      "line feeds only": bytes(bare, "\n", bare, "\n"),
      "carriage returns only": bytes(bare, "\r", bare, "\r"),
      "doubled carriage returns": bytes(bare, "\r\r\n", gga),
      "junk around": bytes("noise#", bare, "#more", gga, "end"),
      "no checksum": bytes(unsummed, "\r\n", gga),
      "no checksum, the next follows at once": bytes(unsummed, gga),
      "wrong checksum": bytes(String(bare.dropLast()), "Z\r\n", gga),
      "checksum cut by the line end": bytes(String(bare.dropLast()), "\r\n", gga),
      "checksum cut by the next sentence": bytes(String(bare.dropLast()), gga),
      "checksum missing behind the star": bytes(unsummed, "*\r\n", gga),
      "lower case checksum": bytes(unsummed, bare.dropFirst(unsummed.count).lowercased(), "\r\n"),
      "cut off in the middle": bytes(String(bare.prefix(30)), gga),
      "dollars": bytes("$$$", bare, "$", "\r\n"),
      "too long": bytes(long, "\r\n", gga),
      "too long without end": bytes(long, gga),
      "just at the limit": bytes(atLimit, "*00\r\n", gga),
      "beyond the limit by the checksum": bytes(atLimit, "X*00\r\n", gga),
      "star beyond the limit": bytes(atLimit, "XY*00\r\n", gga),
      "star right before the end": bytes(atLimit, "XYZ*\n", gga),
      "AIS": bytes("!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n", gga),
      "comment": bytes("# it sends $GPRMC and ", gga, "# again ", rmc, vtg),
      "comment at the start after a mark": [0xEF, 0xBB, 0xBF] + bytes("# ", gga, vtg),
      "binary between": bytes(rmc) + [0xB5, 0x62, 1, 7, 0x24, 0x47, 0x50, 0x80, 0x24, 0, 13] + bytes(gga),
      "binary inside": bytes(String(bare.prefix(20))) + [0xA0, 0xA2, 0, 1] + bytes(gga),
      "zero inside": bytes(String(bare.prefix(20))) + [0] + bytes(String(bare.dropFirst(20)), "\r\n", gga),
      "delete and non-ASCII": bytes("$GPTXT,01,01,02,a\u{7F}b*00\r\n$GPTXT,é*00\r\n", gga),
      "many fields": bytes(line("PX," + String(repeating: ",", count: 60)), gga),
      "tab inside": bytes("$GPRMC,\t1*00\r\n", gga),
      "unknown and malformed": bytes(
        line("GPXYZ,1"), line("gp,1"), line("X"), line(""), line("PUBX,00"), line("GPRMC,1")),
      "empty": [],
      "only line ends": bytes("\r\n\r\n\n"),
    ]
  }()

  @Test(arguments: streams.keys.sorted()) func everySplitGivesTheSame(name: String) throws {
    let bytes = try #require(SentenceFramerTests.streams[name])
    let whole = framed(bytes)
    #expect(accounts(whole.counts, whole.pending) == bytes.count)
    for cut in 0...bytes.count {
      let split = framed(bytes, cutAt: [cut])
      #expect(split.notes == whole.notes, "cut at \(cut)")
      #expect(split.counts == whole.counts, "cut at \(cut)")
      #expect(split.pending == whole.pending, "cut at \(cut)")
    }
    let single = framed(bytes, cutAt: Array(0...bytes.count))
    #expect(single.notes == whole.notes)
    #expect(single.counts == whole.counts)
    for first in stride(from: 0, to: bytes.count, by: 7) {
      for second in stride(from: first, to: bytes.count, by: 5) {
        let split = framed(bytes, cutAt: [first, second])
        #expect(split.notes == whole.notes && split.counts == whole.counts, "cut at \(first) and \(second)")
      }
    }
  }

  private func counts(_ name: String) throws -> RejectionCounts {
    framed(try #require(SentenceFramerTests.streams[name])).counts
  }

  @Test func goodSentencesSurviveWhatIsAroundThem() throws {
    for name in SentenceFramerTests.streams.keys.sorted() {
      let bytes = try #require(SentenceFramerTests.streams[name])
      guard String(decoding: bytes, as: UTF8.self).hasSuffix(gga) else { continue }
      #expect(framed(bytes).notes.last?.hasPrefix("GGA") == true, "\(name)")
    }
  }

  @Test func rejectionsAreCountedByKind() throws {
    #expect(try counts("one sentence").acceptedSentences == 1)
    #expect(try counts("two sentences without anything between").acceptedSentences == 2)
    #expect(try counts("no checksum").missingChecksum == 1)
    #expect(try counts("no checksum").acceptedSentences == 2)
    #expect(try counts("no checksum, the next follows at once").interrupted == 1)
    #expect(try counts("wrong checksum").wrongChecksum == 1)
    #expect(try counts("checksum cut by the line end").wrongChecksum == 1)
    #expect(try counts("checksum cut by the next sentence").wrongChecksum == 1)
    #expect(try counts("checksum missing behind the star").wrongChecksum == 1)
    #expect(try counts("lower case checksum").acceptedSentences == 1)
    #expect(try counts("cut off in the middle").interrupted == 1)
    #expect(try counts("dollars").interrupted == 3)
    #expect(try counts("too long").overLong == 1)
    #expect(try counts("too long without end").overLong == 1)
    #expect(try counts("just at the limit").wrongChecksum == 1)
    #expect(try counts("beyond the limit by the checksum").overLong == 1)
    #expect(try counts("AIS").encapsulated == 1)
    #expect(try counts("binary inside").binary == 1)
    #expect(try counts("binary between").binary == 2)
    #expect(try counts("zero inside").binary == 1)
    #expect(try counts("comment").acceptedSentences == 1)
    #expect(try counts("comment at the start after a mark").acceptedSentences == 1)
    let odd = try counts("unknown and malformed")
    #expect(odd.unknownSentence == 1)
    #expect(odd.malformedAddress == 3)
    #expect(odd.proprietary == 1)
    #expect(odd.tooFewFields == 1)
  }

  @Test func sentencesWithoutChecksumMustMakeSense() {
    let unsummed = "$GPRMC,225446,A,4916.45,N,12311.12,W,x.5,054.7,191194,020.3,E,A\r\n"
    #expect(framed(Array(unsummed.utf8)).notes.isEmpty)
    #expect(framed(Array(unsummed.utf8)).counts.malformedField == 1)
    let summed = line("GPRMC,225446,A,4916.45,N,12311.12,W,x.5,054.7,191194,020.3,E,A")
    #expect(framed(Array(summed.utf8)).notes.count == 1)
    #expect(framed(Array(summed.utf8)).counts.malformedField == 1)
  }

  @Test func longPositionSentencesAreTwoRunTogether() {
    let merged = line(
      "GPGGA,123519,4807.038,N,01131.324,E,1,08,0.9,545.4,M,46.9,M,,GPRMC,225446.33,A,4916.45,N,12311.12,W,1")
    #expect(framed(Array(merged.utf8)).counts.overLong == 1)
    #expect(framed(Array(merged.utf8)).notes.isEmpty)
  }

  @Test func mutatedLogsNeverStopItAndEveryByteIsCounted() throws {
    let log = packageRoot.appendingPathComponent("fixtures/nmea/gr8013-w.log")
    let original = [UInt8](try Data(contentsOf: log))
    for seed in 1...300 as ClosedRange<UInt64> {
      var generator = SeededGenerator(state: seed)
      var bytes = original
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] = Array("$*,.-0123456789\r\n!#NSEWA".utf8).randomElement(using: &generator) ?? 0
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + 40))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 100)], at: place)
        }
        if bytes.isEmpty { bytes = [0x24] }
      }
      let whole = framed(bytes)
      #expect(accounts(whole.counts, whole.pending) == bytes.count, "seed \(seed)")
      let cuts = (0..<8).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
      let split = framed(bytes, cutAt: cuts)
      #expect(split.notes == whole.notes && split.counts == whole.counts, "seed \(seed)")
      // Sums are made right again, so that the nonsense reaches the fields and the assembly.
      let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { part in
        part.hasPrefix("$") ? line(String(part.dropFirst().prefix { $0 != "*" && $0 != "\r" })) : String(part)
      }
      for fix in fixes(text.joined()) where fix.mode.rawValue >= 2 {
        if let speed = fix.speed { #expect(speed == speed) }
      }
    }
  }
}
