import Foundation
import NMEA
import Testing

/// Framing against a plain framer: every counter, for streams in which anything may stand anywhere.
@Suite struct FramerModelTests {
  private func check(_ bytes: [UInt8], cuts: [Int] = [], _ what: @autoclosure () -> String) {
    let expected = PlainFramer(bytes)
    let found = framed(bytes, cutAt: cuts)
    var counts = found.counts
    // What stands in fields is tested field by field.
    counts.malformedField = 0
    // Of a kind that is not read the fields are handed on all the same.
    let others = found.notes.count { $0.hasPrefix("other") }
    #expect(others == Int(counts.unknownSentence + counts.proprietary), "\(what())")
    if counts != expected.counts || found.pending != expected.pending {
      Issue.record(
        "\(counts), expected \(expected.counts), \(what()): \(String(decoding: bytes.suffix(300), as: UTF8.self))")
    }
  }

  @Test func theStreamsOfTheOtherTestsAreCountedAsThePlainFramerCountsThem() {
    for (name, bytes) in SentenceFramerTests.streams { check(bytes, name) }
  }

  @Test func aSentenceIsFramedUpToTwoHundredAndFiftyBytesAndNotBeyond() {
    for length in 240...256 {
      for ending in ["", "*", "sum", "*\r\n", "*0", "*00\r\n", "\r\n", "\r\nX", "$", "\u{1}"] {
        let body = "PXYZ," + String(repeating: "A", count: length - 6 - (ending == "sum" ? 3 : 0))
        let text = ending == "sum" ? String(line(body)) : "$" + body + ending
        let bytes = Array((text + line("HEHDT,1.0,T")).utf8)
        for cut in [0, length - 4, length - 3, length - 2, length - 1, length, length + 1] {
          check(bytes, cuts: [min(cut, bytes.count)], "\(length) bytes with '\(ending)'")
        }
      }
    }
    #expect(SentenceFramer.maximumLength == 250)
    // The whole with its checksum counts.
    let fits = line("PXYZ," + String(repeating: "A", count: 241))
    #expect(fits.utf8.count == 252 && framed(Array(fits.utf8)).counts.proprietary == 1)
    let tooLong = line("PXYZ," + String(repeating: "A", count: 242))
    #expect(
      framed(Array(tooLong.utf8)).counts.overLong == 1 && framed(Array(tooLong.utf8)).counts.acceptedSentences == 0)
  }

  @Test func aPositionSentenceIsBelievedUpToAHundredBytesAndNotBeyond() {
    #expect(SentenceFramer.maximumPositionLength == 100)
    for start in [
      "GPGGA,123519,4807.038,N,01131.324,E,1,08,0.9,5.4,M,46.9,M,,", "GPRMC,225446,A,4916.45,N,12311.12,W,0,0,191194,,",
      "GPGLL,4916.45,N,12311.12,W,225444,A,", "GPGSA,A,3,01,,,,,,,,,,,,1.5,0.9,1.2,", "GPVTG,1.0,T,,M,1.0,N,,K,A,",
      "GPGSV,1,1,01,01,40,083,46,", "GPTXT,01,01,02,", "PGRMZ,246,f,3,",
      "PSTI,030,044606,A,2447.09,N,12100.52,E,103.3,1.25,-0.1,0.0,180915,R,1.2,4.2,",
    ] {
      for length in 96...103 {
        let body = start + String(repeating: "1", count: length - 4 - start.utf8.count)
        let text = line(body)
        #expect(text.utf8.count == length + 2)
        check(Array(text.utf8), "\(length) bytes")
        let isLong = length > 100 && !body.hasPrefix("GPTXT") && !body.hasPrefix("PSTI")
        #expect((error(of: text) == .overLong) == isLong, "\(text)")
      }
    }
  }

  @Test func fortyEightFieldsAreToldApart() {
    struct Counter: SentenceVisitor {
      var counts: [Int] = []
      var truncated: [Bool] = []
      mutating func receive(unrecognized fields: borrowing SentenceFields) {
        counts.append(fields.count)
        truncated.append(fields.isTruncated)
        #expect(fields.byte(0, of: 48) == 0 && fields.length(of: 48) == 0 && fields.isEmpty(48))
        #expect(fields.byte(1, of: 47) == (fields.count > 47 ? 0x78 : 0))
      }
    }
    for commas in [1, 39, 40, 41, 45, 46, 47, 48, 60] {
      for isWhole in [true, false] {
        var framer = SentenceFramer()
        var counter = Counter()
        let bytes = Array(line("PXY" + String(repeating: ",yx", count: commas)).utf8)
        if isWhole {
          framer.receive(bytes.span, into: &counter)
        } else {
          for byte in bytes { framer.receive([byte].span, into: &counter) }
        }
        #expect(counter.counts == [min(commas + 1, 48)] && counter.truncated == [commas > 47], "\(commas)")
      }
    }
    #expect(SentenceFields.capacity == 48)
  }

  @Test func everyAddressIsOfTheKindThatTheManualSays() {
    let addresses = [
      "GP", "GPX", "GPGG", "GPGGA", "GPGGAX", "P", "PG", "PUBX", "PGRMC", "PGRME", "PGRMX", "PQGLL", "PQXYZ", "PQ",
      "PQRSTU",
      "PASHR", "PSTI", "PSTIX", "PMGNST", "PMGNSTX", "PSRFEPE", "GPHDT", "GP HD", "ABCDEFGHIJKL", "ABCDEFGHIJKLM",
      "G1ZDA",
      "gpgll", "GPgll", "GP.LL", "",
      "gpGGA", "gPGSA", "GpGSV", "G.RMC", ".PVTG", "G1GGA", " PGSA", "@PGSV", "[PGGA", "GPRMC", "PGGGA", "PAVTG",
      "PQGSV",
      "PQRMC", "PXGSA", "GPZDA", "GNGNS", "GPGST", "GPGBS", "GNTHS", "GNTXT", "GPXYZ", "XXDBT", "SDDBT",
    ]
    for address in addresses {
      for rest in ["", ",030", ",POS", ",POS,1", ",1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"] {
        check(Array(line(address + rest).utf8), address + rest)
      }
    }
  }

  @Test func talkersAreTheSameInEverySentence() {
    let place = "4916.4500000,N,12311.1200000,W"
    for rest in [
      "RMC,225444,A,\(place),0,0,191194,,,A", "GGA,225444,\(place),1,08,0.9,5.4,M,46.9,M,,",
      "GSA,A,3,01,,,,,,,,,,,,1.5,0.9,1.2", "GSV,1,1,01,01,40,083,46", "VTG,1.0,T,,M,1.0,N,,K,A",
      "GLL,\(place),225444,A,A", "GNS,225444,\(place),A,08,0.9,5.4,46.9,,,S", "ZDA,160012,11,03,2004,-1,00",
    ] {
      for talker in ["GP", "GN", "ZZ", "G1", "1G", " G", "G ", "PQ"] { #expect(error(of: line(talker + rest)) == nil) }
      for talker in ["gp", "Gp", "gP", "@A", "A@", "[A", "A[", "/A", "A/", ":A", "A:", "Pq", "P."] {
        #expect(error(of: line(talker + rest)) == .malformedAddress, "\(talker + rest)")
      }
      // Manufacturers' own.
      for talker in ["PG", "PA", "PZ", "P1"] { #expect(error(of: line(talker + rest)) == .unknownKind) }
    }
  }

  @Test func aByteThatIsNotPrintableEndsTheSentenceWhereverItStands() {
    let sentence = Array(line("GPGLL,4916.4500000,N,12311.1200000,W,225444.00,A,A").utf8)
    for place in 0..<sentence.count {
      for byte in [0x7E, 0x7F, 0x80, 0xFF, 0x1F, 0x20] as [UInt8] {
        var bytes = sentence + sentence
        bytes[place] = byte
        for cut in [0, place, place + 1] { check(bytes, cuts: [cut], "\(byte) at \(place)") }
      }
    }
  }

  @Test func anyBytesAreCountedAsThePlainFramerCountsThem() throws {
    let pieces = [
      "$", "*", "\r\n", "\n", "#", "!AIVDM,1,1,,B,1,0*4C\r\n", "$GPHDT,1.0,T", "*00", "A", ",", "\t", "\u{1}", "\u{7F}",
      "$GPXYZ,1*6", "é",
      "\u{FEFF}", line("GPGLL,4916.45,N,12311.12,W,225444,A"), line("PUBX,00"), line("GPHDT"), "# $GPHDT,1.0,T*16\r\n",
      "$PXYZ," + String(repeating: "Z", count: 90), line("GPTXT,01,01,02,long" + String(repeating: "g", count: 120)),
    ]
    for seed in 1...3000 as ClosedRange<UInt64> {
      var generator = SeededGenerator(state: seed &* 7919)
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...14, using: &generator) {
        bytes += Array((pieces.randomElement(using: &generator) ?? "").utf8)
        if Int.random(in: 0..<9, using: &generator) == 0 { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
      }
      let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
      check(bytes, cuts: cuts, "seed \(seed)")
    }
  }

  @Test func aBegunSentenceThatIsGivenUpIsJunk() {
    var framer = SentenceFramer()
    var notes = SentenceNotes()
    for _ in 1...2 {
      framer.receive(Array("$GPGLL,49*".utf8).span, into: &notes)
      #expect(framer.pendingByteCount == 10)
      framer.reset()
      #expect(framer.pendingByteCount == 0)
    }
    #expect(framer.counts.junkBytes == 20 && framer.counts.sentenceBytes == 0)
    framer.receive(Array(line("GPGLL,4916.45,N,12311.12,W,225444,A").utf8).span, into: &notes)
    #expect(notes.notes.count == 1 && framer.counts.acceptedSentences == 1 && framer.counts.wrongChecksum == 0)
  }
}
