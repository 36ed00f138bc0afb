import ModemSimulation
import Quantities
import Testing

/// Files, certificates, time, place and ping.
@Suite struct FileAndServiceTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func filesNeedTheFileSystemToBeOpen() {
    var bench = NetworkedBench()
    for command in [
      "AT+CFSWFILE=3,\"f\",0,1,1000", "AT+CFSRFILE=3,\"f\",0,1,0", "AT+CFSGFIS=3,\"f\"", "AT+CFSDFILE=3,\"f\"",
      "AT+CFSREN=3,\"f\",\"g\"", "AT+CFSGFRS?", "AT+CFSTERM",
    ] {
      #expect(bench.exchange(command) == error, "\(command)")
    }
    #expect(bench.exchange("AT+CFSINIT") == ok)
    #expect(bench.exchange("AT+CFSINIT") == error)
    #expect(bench.exchange("AT+CFSGFRS?") == lines("+CFSGFRS: 22151168", "OK"))
  }

  @Test func filesAreWrittenAppendedReadRenamedAndDeleted() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CFSINIT")
    _ = bench.exchange("at+CFSWfile=3,\"f\",0,3,1000")
    #expect(bench.payload("abc") == ok)
    _ = bench.exchange("AT+CFSWFILE=3,\"f\",1,2,1000")
    #expect(bench.payload("de") == ok)
    #expect(bench.exchange("AT+CFSRFILE=3,\"f\",0,5,0") == "\r\nabcde\r\nOK\r\n")
    #expect(bench.exchange("AT+CFSRFILE=3,\"f\",1,2,3") == "\r\nde\r\nOK\r\n")
    #expect(bench.exchange("AT+CFSREN=3,\"f\",\"g\"") == ok)
    #expect(bench.exchange("AT+CFSGFIS=3,\"f\"") == error)
    #expect(bench.exchange("AT+CFSGFIS=3,\"g\"") == lines("+CFSGFIS: 5", "OK"))
    #expect(bench.exchange("AT+CFSGFRS?") == lines("+CFSGFRS: 22151163", "OK"))
    #expect(bench.exchange("AT+CFSDFILE=3,\"g\"") == ok)
    #expect(bench.exchange("AT+CFSDFILE=3,\"g\"") == error)
  }

  @Test func filesHaveLimitsAndAHostThatStopsLeavesNone() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CFSINIT")
    for value in [
      "4,\"f\",0,1,1000", "3,\"f\",2,1,1000", "3,\"f\",0,10241,1000", "3,\"f\",0,0,1000", "3,\"f\",0,1,99",
      "3,\"f\",0,1,10001", "3,\"\",0,1,1000", "3,\"\(String(repeating: "f", count: 51))\",0,1,1000",
    ] {
      #expect(bench.exchange("AT+CFSWFILE=\(value)") == error, "\(value)")
    }
    _ = bench.exchange("AT+CFSWFILE=3,\"f\",0,5,1000")
    #expect(bench.payload("ab", for: 1200) == error)
    #expect(bench.exchange("AT+CFSGFIS=3,\"f\"") == error)
  }

  @Test func certificatesAreConvertedFromTheCustomersFolder() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"") == error)
    #expect(bench.exchange("AT+CSSLCFG=\"sslversion\",1,3") == ok)
    #expect(bench.exchange("AT+CSSLCFG=\"SSLVERSION\",1,3") == error)
    #expect(bench.exchange("AT+CSSLCFG=\"sslversion\",6,3") == error)
    #expect(bench.exchange("AT+CSSLCFG=\"sni\",1,\"h.example\"") == ok)
    #expect(bench.exchange("AT+CSSLCFG=\"ctxindex\",1") == lines("+CSSLCFG: 1,3,0,\"h.example\"", "OK"))
  }

  @Test func theTimeServerSetsTheClock() {
    var bench = NetworkedBench()
    bench.network.utcTimeAtZero = UTCTime(microseconds: 1_600_000_000_000_000)
    #expect(bench.exchange("AT+CNTPCID=1") == ok)
    #expect(bench.exchange("AT+CNTP=\"ntp.example\",8") == ok)
    #expect(bench.exchange("AT+CNTP", for: 1000) == lines("OK", "+CNTP: 61"))
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    #expect(bench.exchange("AT+CNTP", for: 1000) == lines("OK", "+CNTP: 1"))
    #expect(bench.exchange("AT+CCLK?").hasPrefix("\r\n+CCLK: \"20/09/13,14:26:4"))
    bench.network.plan(.refuse(.noSuchHost), on: .time)
    #expect(bench.exchange("AT+CNTP", for: 1000) == lines("OK", "+CNTP: 62"))
    #expect(bench.exchange("AT+CNTP=\"ntp.example\",57") == error)
    _ = bench.exchange("AT+CNTP=\"ntp.example\",0,1,1")
    #expect(bench.exchange("AT+CNTP", for: 1000).hasPrefix(lines("OK") + "\r\n+CNTP: 1,\"2020/09/13,12:26:"))
  }

  @Test func thePlaceTellsItsLongitudeFirst() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CLBS=1,1") == lines("+CLBS: 3", "OK"))
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    #expect(bench.exchange("AT+CLBS=1,1", for: 2000) == lines("+CLBS: 0,11.973960,57.715185,550", "OK"))
    #expect(
      bench.exchange("AT+CLBS=4,1", for: 2000)
        == lines("+CLBS: 0,11.973960,57.715185,550,2026/06/01,08:00:04", "OK"))
    #expect(bench.exchange("AT+CLBS=2,1") == error)
  }

  @Test func shortMessagesReachTheNetworksCentre() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CMGF=1")
    #expect(bench.exchange("AT+CMGS=\"+31600000000\"") == "\r\n> ")
    #expect(bench.payload("fence alert\u{1A}", for: 500) == lines("+CMGS: 1", "OK"))
    #expect(bench.network.received.last?.text == "fence alert")
    #expect(bench.network.received.last?.destination == "+31600000000")
  }

  @Test func everyPingHasItsLine() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+SNPING4=\"10.0.0.5\",2,16,5000") == error)
    bench.activate()
    let said = bench.exchange("AT+SNPING4=\"10.0.0.5\",2,16,5000", for: 2000)
    #expect(said.hasPrefix("\r\n+SNPING4: 1,10.0.0.5,"))
    #expect(said.contains("\r\n\r\n+SNPING4: 2,10.0.0.5,"))
    #expect(said.hasSuffix(ok))
    #expect(bench.exchange("AT+SNPING4=\"nowhere.example\",1,16,5000", for: 2000) == error)
  }

  @Test func aFileIsFetchedFromAServer() {
    var bench = NetworkedBench()
    let command = "AT+HTTPTOFS=\"http://10.0.0.5:8080/xtra3grc.bin\",\"/customer/xtra3grc.bin\""
    #expect(bench.exchange(command) == error)
    bench.activate()
    #expect(bench.exchange(command, for: 1000) == lines("OK", "+HTTPTOFS: 200,11"))
    #expect(bench.exchange("AT+HTTPTOFSRL?") == lines("+HTTPTOFSRL: 0,11,11", "OK"))
    _ = bench.exchange("AT+CFSINIT")
    #expect(bench.exchange("AT+CFSRFILE=3,\"xtra3grc.bin\",0,11,0") == "\r\n{\"ok\":true}\r\nOK\r\n")
    #expect(
      bench.exchange("AT+HTTPTOFS=\"http://nowhere.example/f\",\"/customer/f\"", for: 1000)
        == lines("OK", "+HTTPTOFS: 603,0"))
    #expect(bench.exchange("AT+HTTPTOFS=\"http://10.0.0.5:8080/f\",\"/nowhere/f\"") == error)
  }
}
