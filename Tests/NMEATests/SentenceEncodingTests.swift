import ASCIIText
import NMEA
import Testing

@Suite struct SentenceEncodingTests {
  private func written(_ sentence: some EncodableSentence) -> String {
    var list = ByteList()
    #expect(sentence.encode(into: &list))
    return list.text
  }

  private func rewritten(_ sentence: Sentence?) -> String {
    switch sentence {
    case .rmc(let value): return written(value)
    case .gga(let value): return written(value)
    case .gsa(let value): return written(value)
    case .gsv(let value): return written(value)
    case .gll(let value): return written(value)
    case .vtg(let value): return written(value)
    case .zda(let value): return written(value)
    case .gns(let value): return written(value)
    case .gst(let value): return written(value)
    case .gbs(let value): return written(value)
    case .hdt(let value): return written(value)
    case .ths(let value): return written(value)
    case .txt(let value): return written(value)
    default: return ""
    }
  }

  @Test(arguments: [
    "GPRMC,225446.33,A,4916.4500000,N,12311.1200000,W,0.5,54.7,191194,20.3,E,A",
    "GNRMC,000000.00,V,,,,,,,,,,N,V", "GPRMC,,V,,,,,,,010100,1.5,W,",
    "GPGGA,123519.00,4807.0380000,N,01131.3240000,E,1,08,0.9,-0.4,M,46.9,M,,", "GPGGA,,,,,,0,00,99.99,,M,,M,,",
    "GNGGA,133900.125,4134.5018032,S,09345.0358658,W,4,19,0.7,280.827,M,-31.442,M,6,0002",
    "GPGSA,A,3,19,28,14,18,27,22,31,39,,,,,1.7,1.0,1.3", "GNGSA,M,3,113,12,,,,,,,,,,,1.05,0.64,0.83,4",
    "GPGSA,A,E,,,,,,,,,,,,,,,", "GPGSV,2,1,08,01,40,083,46,02,17,308,,12,07,344,39,14,22,228,45",
    "GAGSV,3,3,09,02,-01,179,,7", "GPGSV,1,1,00", "GPGLL,4916.4500000,N,12311.1200000,W,225444.00,A,A",
    "GPVTG,54.7,T,34.4,M,5.5,N,10.2,K,A", "GPVTG,,T,,M,0.0,N,0.0,K,", "GPZDA,160012.71,11,03,2004,-01,00",
    "GPZDA,235960.00,31,12,2016,00,00",
    "GNGNS,224749.00,3333.4268304,N,11153.3538273,W,DAN,19,0.6,406.11,-26.294,6,0138,S",
    "GPGST,172814.00,0.006,0.023,0.02,273.6,0.023,0.02,0.031", "GNGBS,170556.00,3.0,2.9,8.3,05,0.1,-21.4,3.8,1,2",
    "GPGBS,170556.00,3.0,2.9,8.3,,,,", "HEHDT,274.07,T", "GNTHS,77.52,E", "GNTXT,01,01,02,u-blox AG, www.u-blox.com",
  ]) func whatIsWrittenIsWhatWasRead(body: String) { #expect(rewritten(parsed(body)) == line(body)) }

  @Test func minutesRoundUpIntoTheNextDegree() {
    var sentence = GLL()
    sentence.latitudeE9 = 47_999_999_999
    sentence.longitudeE9 = -179_999_999_999
    #expect(written(sentence) == line("GPGLL,4759.9999999,N,17959.9999999,W,,,"))
    sentence.latitudeE9 = 48_000_000_000
    #expect(written(sentence) == line("GPGLL,4800.0000000,N,17959.9999999,W,,,"))
  }

  @Test func positionsComeBackWithinAFifthOfAMillimetre() {
    var generator = SeededGenerator(state: 7)
    for _ in 0..<2000 {
      var sentence = RMC()
      let latitude = Int64.random(in: -90_000_000_000...90_000_000_000, using: &generator)
      let longitude = Int64.random(in: -180_000_000_000...180_000_000_000, using: &generator)
      sentence.latitudeE9 = latitude
      sentence.longitudeE9 = longitude
      guard case .rmc(let read) = try? parse(written(sentence)) else {
        Issue.record("not read again")
        return
      }
      #expect(abs((read.latitudeE9 ?? .max) - latitude) <= 1)
      #expect(abs((read.longitudeE9 ?? .max) - longitude) <= 1)
    }
  }

  @Test func aFullSinkIsReported() {
    var buffer = SmallSink()
    #expect(!HDT().encode(into: &buffer))
    #expect(buffer.count == 4)
  }

  @Test func nothingIsSentAfterAByteThatWasRefused() {
    struct Refusing: ByteSink {
      var refused: Int
      var taken: [UInt8] = []
      var asked = 0
      mutating func append(_ byte: UInt8) -> Bool {
        asked += 1
        if asked == refused { return false }
        taken.append(byte)
        return true
      }
    }
    var heading = HDT()
    heading.headingDegreesE4 = 1_234_500
    let whole = Array(written(heading).utf8)
    for refused in 1...whole.count {
      var sink = Refusing(refused: refused)
      #expect(!heading.encode(into: &sink), "\(refused)")
      #expect(sink.taken == Array(whole[..<(refused - 1)]) && sink.asked == refused)
    }
    var sink = Refusing(refused: whole.count + 1)
    #expect(heading.encode(into: &sink) && sink.taken == whole)
  }

  @Test func aTextWithoutEndIsWrittenAsFarAsASentenceGoesOrNotAtAll() {
    var text = TXT()
    for _ in 0..<64 { text.text.append(0x61) }
    #expect(written(text).utf8.count == 1 + "GPTXT,,,,".utf8.count + 64 + 5)
  }

  private struct SmallSink: ByteSink {
    var count = 0
    mutating func append(_ byte: UInt8) -> Bool {
      guard count < 4 else { return false }
      count += 1
      return true
    }
  }
}
