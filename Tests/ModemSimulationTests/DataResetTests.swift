import ModemSimulation
import Quantities
import Testing

/// What a reset takes and what it leaves, and bytes that come in any portions.
@Suite struct DataResetTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func aResetTakesEverythingButFilesAndCertificates() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CIPMUX=1;+CIPQSEND=1;+CIPRXGET=1;+CIPHEAD=1;+CIPSRIP=1;+CIPATS=1,5")
    _ = bench.exchange("AT+CFSINIT")
    _ = bench.exchange("AT+CFSWFILE=3,\"ca.pem\",0,1,1000")
    _ = bench.payload("x")
    _ = bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"")
    _ = bench.exchange("AT+CSSLCFG=\"ignorertctime\",1,1")
    bench.connectHTTP()
    bench.connectMQTT()
    bench.openToolkit()
    _ = bench.exchange("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    _ = bench.exchange("AT+HTTPINIT")
    _ = bench.exchange("AT+CACID=3")
    bench.apply(.spontaneousReset(afterBytes: 0))
    bench.wait(30_000)
    _ = bench.exchange("ATE0")
    let asked = [
      ("AT+CNACT?", "+CNACT: 0,\"0.0.0.0\""), ("AT+CIPMUX?", "+CIPMUX: 0"), ("AT+CIPQSEND?", "+CIPQSEND: 0"),
      ("AT+CIPRXGET?", "+CIPRXGET: 0"), ("AT+CIPHEAD?", "+CIPHEAD: 0"), ("AT+CIPSRIP?", "+CIPSRIP: 0"),
      ("AT+CIPATS?", "+CIPATS: 0,0"), ("AT+SAPBR=2,1", "+SAPBR: 1,3,\"0.0.0.0\""), ("AT+SHSTATE?", "+SHSTATE: 0"),
      ("AT+SMSTATE?", "+SMSTATE: 0"), ("AT+CACID?", "+CACID: 0"),
      ("AT+CSSLCFG=\"ctxindex\",1", "+CSSLCFG: 1,3,0,\"\""), ("AT+CSTT?", "+CSTT: \"CMNET\",\"\",\"\""),
    ]
    for (command, answer) in asked { #expect(bench.exchange(command) == lines(answer, "OK"), "\(command)") }
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: IP INITIAL"))
    #expect(bench.exchange("AT+SHCONF?").contains("URL: \r\n"))
    #expect(bench.exchange("AT+SMCONF?").contains("CLIENTID: \"\""))
    #expect(bench.exchange("AT+HTTPTERM") == error)
    #expect(bench.exchange("AT+CFSGFIS=3,\"ca.pem\"") == error)
    #expect(bench.exchange("AT+CFSINIT") == ok)
    #expect(bench.exchange("AT+CFSGFIS=3,\"ca.pem\"") == lines("+CFSGFIS: 1", "OK"))
    #expect(bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"") == ok)
  }

  @Test func answersToRequestsFromBeforeAResetAreIgnored() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.network.plan(.delay(.seconds(20)), on: .http)
    _ = bench.exchange("AT+SHREQ=\"/\",1")
    bench.apply(.spontaneousReset(afterBytes: 0))
    bench.wait(40_000)
    #expect(bench.take() == lines("RDY", "+CFUN: 1", "+CPIN: READY", "SMS Ready"))
  }

  @Test func aResetDuringAnyPayloadForgetsIt() {
    for (prepare, command) in [
      ("AT+CFSINIT", "AT+CFSWFILE=3,\"f\",0,10,10000"), ("AT+HTTPINIT", "AT+HTTPDATA=10,10000"),
    ] {
      var bench = NetworkedBench()
      _ = bench.exchange(prepare)
      _ = bench.exchange(command)
      bench.type("half")
      bench.apply(.spontaneousReset(afterBytes: 0))
      bench.wait(20_000)
      bench.wire = []
      #expect(bench.exchange("AT") == "AT\r" + ok)
    }
  }

  /// A session over all stacks; `portion` bytes at a time, with or without time in between.
  private func session(portion: Int, gap: Interval) -> [UInt8] {
    var bench = NetworkedBench()
    var all: [UInt8] = []
    bench.wire = []
    func say(_ text: String, _ milliseconds: Int) {
      let bytes = Array(text.utf8)
      let start = bench.now
      for place in stride(from: 0, to: bytes.count, by: portion) {
        bench.type(Array(bytes[place..<min(place + portion, bytes.count)]))
        if gap > .zero { bench.wait(gap) }
      }
      bench.wait(.milliseconds(milliseconds) - (bench.now - start))
      all += bench.wire
      bench.wire = []
    }
    say("AT+CNACT=1,\"iot.example\"\r", 1000)
    say("AT+SHCONF=\"URL\",\"http://10.0.0.5:8080\";+SHCONF=\"BODYLEN\",1024;+SHCONF=\"HEADERLEN\",350\r", 500)
    say("AT+SHCONN\r", 500)
    say("AT+SHBODEXT=8,10000\r", 500)
    say("{\"a\": 1}", 500)
    say("AT+SHREQ=\"/api\",3\r", 500)
    say("AT+SHREAD=0,11\r", 500)
    say("AT+SMCONF=\"URL\",\"10.0.0.5\"\r", 500)
    say("AT+SMCONN\r", 500)
    say("AT+SMPUB=\"t\",5,1,0\r", 500)
    say("AT\r\u{1A}\u{1B}", 500)
    say("AT+CIPMUX=1;+CIPRXGET=1;+CSTT;+CIICR\r", 1500)
    say("AT+CIFSR\r", 500)
    say("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",7\r", 500)
    say("AT+CIPSEND=0,6\r", 500)
    say("+++AT\r", 500)
    say("AT+CIPRXGET=2,0,100\r", 500)
    say("AT+CFSINIT;+CFSWFILE=3,\"f\",0,4,5000\r", 500)
    say("\r\n\r\n", 500)
    say("AT+CFSRFILE=3,\"f\",0,4,0\r", 500)
    return all
  }

  @Test func anyPortionsOfTheHostsBytesGiveTheSameOutput() {
    let whole = session(portion: 1000, gap: .zero)
    let text = String(decoding: whole, as: UTF8.self)
    #expect(text.contains("+SHREAD: 11\r\n{\"ok\":true}\r\n"))
    #expect(text.contains("+CIPRXGET: 2,0,6,0\r\n+++AT\r\r\nOK"))
    #expect(text.hasSuffix("\r\n\r\n\r\n\r\n\r\nOK\r\n"))
    for portion in 1...24 {
      #expect(session(portion: portion, gap: .zero) == whole, "\(portion)")
      #expect(session(portion: portion, gap: .milliseconds(1)) == whole, "\(portion) with a gap")
    }
  }

  @Test func theSameSeedAndInputsGiveTheSameBytes() {
    #expect(session(portion: 7, gap: .milliseconds(1)) == session(portion: 7, gap: .milliseconds(1)))
  }
}
