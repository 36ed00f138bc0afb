import ModemSimulation
import Quantities
import Testing

/// The `CA*` sockets.
@Suite struct ApplicationSocketTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  private func connected(profile: ModemProfile = .b05, port: Int = 7) -> NetworkedBench {
    var bench = NetworkedBench(profile: profile)
    bench.activate()
    _ = bench.exchange("AT+CACID=0")
    _ = bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",\(port)", for: 500)
    return bench
  }

  @Test func theOutcomeOfOpeningComesBeforeOK() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CMEE=2;+CACID=0") == lines("+CME ERROR: operation not allowed"))
    #expect(bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",7") == lines("+CAOPEN: 0,21", "OK"))
    bench.activate()
    #expect(bench.exchange("AT+CACID=0") == ok)
    #expect(bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",7", for: 500) == lines("+CAOPEN: 0,0", "OK"))
    #expect(bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",7") == error)
    #expect(bench.exchange("AT+CAOPEN=1,\"10.0.0.5\",9", for: 500) == lines("+CAOPEN: 1,23", "OK"))
    #expect(bench.exchange("AT+CAOPEN=1,\"nowhere.example\",9", for: 500) == lines("+CAOPEN: 1,20", "OK"))
    bench.apply(.connectFails(count: 1))
    #expect(bench.exchange("AT+CAOPEN=1,\"10.0.0.5\",7", for: 3000) == lines("+CAOPEN: 1,27", "OK"))
    #expect(bench.exchange("AT+CASTATE?") == lines("+CASTATE: 0,1", "OK"))
  }

  @Test func bytesGoOutAndComeBack() {
    var bench = connected()
    #expect(bench.exchange("AT+CASEND=0,5") == "\r\n>")
    #expect(bench.payload("hello", for: 500) == lines("OK", "+CASEND: 0,0,5", "+CADATAIND: 0"))
    #expect(bench.exchange("AT+CAACK=0") == lines("+CAACK: 5,0", "OK"))
    #expect(bench.exchange("AT+CARECV?") == lines("+CARECV: 0,5", "OK"))
    #expect(bench.exchange("AT+CARECV=0,2") == "\r\n+CARECV: 0,2\r\nhe\r\nOK\r\n")
    #expect(bench.exchange("AT+CARECV=0,4") == error)
    #expect(bench.exchange("AT+CARECV=0,3") == "\r\n+CARECV: 0,3\r\nllo\r\nOK\r\n")
    #expect(bench.exchange("AT+CACLOSE=0") == ok)
    #expect(bench.exchange("AT+CACLOSE=0") == error)
    #expect(bench.exchange("AT+CASEND=0,5") == error)
  }

  @Test func readingTooMuchFreezesTheModuleUnderItsFault() {
    for command in ["AT+CARECV=0,1", "AT+CACLOSE=0;+CARECV?"] {
      var bench = connected()
      bench.apply(.overReadFreeze(lasting: .seconds(600)))
      #expect(bench.exchange(command) == "")
      #expect(bench.exchange("AT", for: 100_000) == "", "\(command)")
      bench.modem.set(.reset, low: true, at: bench.now)
      bench.wait(300)
      bench.modem.set(.reset, low: false, at: bench.now)
      bench.wait(20_000)
      #expect(bench.take().hasPrefix(lines("RDY")))
    }
  }

  @Test func aSlowHostHasFiveSecondsForItsBytes() {
    var bench = connected()
    _ = bench.exchange("AT+CASEND=0,5")
    #expect(bench.payload("he", for: 4800) == "")
    bench.wait(400)
    #expect(bench.take().hasPrefix(lines("OK", "+CASEND: 0,0,2")))
    #expect(bench.exchange("AT+CASEND=0,1461") == error)
    #expect(bench.exchange("AT+CASEND=0") == lines("+CASEND: 1460", "OK"))
    _ = bench.exchange("AT+CASEND=0,5,200")
    #expect(bench.payload("", for: 300) == error)
  }

  @Test func aPeerThatClosesIsTold() {
    var bench = connected()
    bench.network.closeConnections(of: .tcp, at: bench.now)
    bench.wait(100)
    #expect(bench.take() == lines("+CASTATE: 0,0"))
    #expect(bench.exchange("AT+CASTATE?") == lines("+CASTATE: 0,0", "OK"))
    #expect(bench.exchange("AT+CASEND=0,5") == error)
  }

  @Test func aBearerLostInSilenceIsFoundBySending() {
    var bench = connected()
    bench.apply(.bearerLost(isSilent: true))
    #expect(bench.exchange("AT+CASTATE?") == lines("+CASTATE: 0,1", "OK"))
    _ = bench.exchange("AT+CASEND=0,1")
    #expect(bench.payload("x", for: 200) == lines("OK", "+CASEND: 0,1,0"))
  }

  @Test func optionsOfTLSAndUDPAreUsed() {
    var bench = NetworkedBench()
    bench.network.add(SocketServer(host: "10.0.0.5", port: 443, usesTLS: true, behaviour: .echo))
    bench.activate()
    #expect(bench.exchange("AT+CASSLCFG=0,\"ssl\",1") == ok)
    #expect(bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",443", for: 500) == lines("+CAOPEN: 0,0", "OK"))
    #expect(bench.exchange("AT+CASSLCFG=1,\"ssl\",1") == ok)
    #expect(bench.exchange("AT+CASSLCFG=1,\"cacert\",\"missing.pem\"") == ok)
    #expect(bench.exchange("AT+CAOPEN=1,\"10.0.0.5\",443", for: 3000) == lines("+CAOPEN: 1,24", "OK"))
    #expect(bench.exchange("AT+CASSLCFG=2,\"protocol\",1") == ok)
    #expect(bench.exchange("AT+CAOPEN=2,\"10.0.0.5\",7", for: 500) == lines("+CAOPEN: 2,0", "OK"))
    #expect(bench.requests.contains { if case .openSocket(_, true, "10.0.0.5", 7, false) = $0 { true } else { false } })
    #expect(bench.exchange("AT+CASSLCFG=0,\"nope\",1") == error)
  }

  @Test func profilesDifferInWhatTheyTakeAndPrint() {
    var manual = connected()
    #expect(manual.exchange("AT+CAOPEN=1,\"TCP\",\"10.0.0.5\",7", for: 500) == lines("+CAOPEN: 1,0", "OK"))
    #expect(manual.exchange("AT+CNACT?") == lines("+CNACT: 1,\"10.78.245.128\"", "OK"))
    var newer = connected(profile: .g10)
    #expect(newer.exchange("AT+CAOPEN=1,\"TCP\",\"10.0.0.5\",7", for: 500) == error)
    #expect(newer.exchange("AT+CNACT?") == lines("+CNACT: 0,1,\"10.78.245.128\"", "OK"))
    _ = newer.exchange("AT+CASEND=0,2")
    _ = newer.payload("hi", for: 500)
    #expect(newer.exchange("AT+CARECV=0,2") == "\r\n+CARECV: 2,hi\r\nOK\r\n")
    var old = NetworkedBench(profile: .b03)
    old.activate()
    #expect(old.exchange("AT+CMEE=2;+CACID=0") == lines("+CME ERROR: operation not allowed"))
    for command in ["AT+SMCONF=\"URL\",\"h\"", "AT+SMSTATE?", "AT+SHCONF=\"IPVER\",0", "AT+SHSTATE?"] {
      #expect(old.exchange(command) == error, "\(command)")
    }
    var without = NetworkedBench { $0.data.hasLegacyHTTP = false }
    #expect(without.exchange("AT+HTTPINIT") == error)
  }
}
