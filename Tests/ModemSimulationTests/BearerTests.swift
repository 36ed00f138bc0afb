import ModemSimulation
import Quantities
import Testing

/// The three bearers: what they need, what they say, how they are lost.
@Suite struct BearerTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func activatingWhatIsActiveIsAnErrorUnlessTheFirmwareIsKind() {
    var bench = NetworkedBench()
    bench.activate()
    #expect(bench.exchange("AT+CNACT=1,\"iot.example\"") == error)
    var kind = NetworkedBench { $0.data.refusesRepeatedActivation = false }
    kind.activate()
    #expect(kind.exchange("AT+CNACT=1,\"iot.example\"") == ok)
    kind.apply(.strictStates(lasting: .seconds(600)))
    #expect(kind.exchange("AT+CNACT=1,\"iot.example\"") == error)
  }

  @Test func deactivatingIsToldAndRepeatingItIsHarmlessUnlessStrict() {
    var bench = NetworkedBench()
    bench.activate()
    #expect(bench.exchange("AT+CNACT=0") == ok)
    bench.wait(500)
    #expect(bench.take() == lines("+APP PDP: DEACTIVE"))
    #expect(bench.exchange("AT+CNACT=0", for: 1000) == ok)
    bench.apply(.strictStates(lasting: .seconds(600)))
    #expect(bench.exchange("AT+CNACT=0") == error)
  }

  @Test func theStateOnItsWayIsTwo() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CNACT=1,\"iot.example\"")
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 2,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+CNACT=0", for: 1000) == lines("OK", "+APP PDP: DEACTIVE"))
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 0,\"0.0.0.0\"", "OK"))
  }

  @Test func withoutNetworkOrWithAWrongNameTheBearerEndsInDeactive() {
    var wrong = NetworkedBench { $0.network.accessPointNames = ["iot.example"] }
    #expect(wrong.exchange("AT+CNACT=1,\"other\"", for: 1000) == lines("OK", "+APP PDP: DEACTIVE"))
    #expect(wrong.exchange("AT+CNACT=1,\"iot.example\"", for: 1000) == lines("OK", "+APP PDP: ACTIVE"))
    var detached = NetworkedBench()
    _ = detached.exchange("AT+CGATT=0", for: 1000)
    #expect(detached.exchange("AT+CNACT=1,\"iot.example\"", for: 1000) == lines("OK", "+APP PDP: DEACTIVE"))
    var off = NetworkedBench()
    _ = off.exchange("AT+CFUN=4", for: 3000)
    #expect(off.exchange("AT+CNACT=1,\"iot.example\"") == error)
  }

  @Test func detachingTakesAllBearersAway() {
    var bench = NetworkedBench()
    bench.activate()
    bench.openToolkit()
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    let said = bench.exchange("AT+CGATT=0", for: 1000)
    for line in ["+APP PDP: DEACTIVE", "+PDP: DEACT", "+SAPBR 1: DEACT"] { #expect(said.contains(lines(line))) }
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 0,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+SAPBR=2,1") == lines("+SAPBR: 1,3,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: PDP DEACT"))
  }

  @Test func aSilentLossIsSeenOnlyByAsking() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    bench.apply(.bearerLost(isSilent: true))
    bench.wait(2000)
    #expect(bench.take() == "")
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 0,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+SMSTATE?") == lines("+SMSTATE: 1", "OK"))
    _ = bench.exchange("AT+SMPUB=\"t\",1,1,0")
    #expect(bench.payload("x", for: 7000) == lines("+SMSTATE: 0"))
    #expect(bench.network.received.isEmpty)
  }

  @Test func aBearerThatReactivatesItselfComesBack() {
    var bench = NetworkedBench()
    _ = bench.exchange("AT+CNACT=2,\"iot.example\"", for: 1000)
    bench.apply(.bearerLost(isSilent: false))
    bench.wait(10_000)
    #expect(bench.take() == lines("+APP PDP: DEACTIVE", "+APP PDP: ACTIVE"))
  }

  @Test func theProfileBearerIsOpenedAskedAndClosed() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+SAPBR=3,1,\"APN\",\"iot.example\"") == ok)
    #expect(bench.exchange("AT+SAPBR=1,1", for: 1000) == ok)
    #expect(bench.exchange("AT+SAPBR=2,1") == lines("+SAPBR: 1,1,\"10.78.245.128\"", "OK"))
    #expect(bench.exchange("AT+CMEE=2;+SAPBR=1,1") == lines("+CME ERROR: operation not allowed"))
    #expect(bench.exchange("AT+SAPBR=0,1", for: 500) == ok)
    #expect(bench.exchange("AT+SAPBR=0,1") == lines("+CME ERROR: operation not allowed"))
    #expect(bench.exchange("AT+SAPBR=9,1") == error)
    #expect(bench.exchange("AT+SAPBR=1,2") == error)
  }

  @Test func theToolkitGoesThroughItsStates() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CIICR") == error)
    #expect(bench.exchange("AT+CIFSR") == error)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: IP INITIAL"))
    #expect(bench.exchange("AT+CSTT=\"iot.example\",\"\",\"\"") == ok)
    #expect(bench.exchange("AT+CSTT=\"iot.example\",\"\",\"\"") == error)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: IP START"))
    #expect(bench.exchange("AT+CIICR", for: 1000) == ok)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: IP GPRSACT"))
    #expect(bench.exchange("AT+CIFSR;E0") == lines("10.78.245.128", "OK"))
    #expect(bench.exchange("AT+CIFSREX") == lines("+CIFSREX: 10.78.245.128", "OK"))
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: IP STATUS"))
    #expect(bench.exchange("AT+CIPMUX=1") == error)
    #expect(bench.exchange("AT+CIPSHUT", for: 500) == lines("SHUT OK"))
    #expect(bench.exchange("AT+CIPMUX=1") == ok)
  }

  @Test func theToolkitRefusedByTheNetworkMustBeShut() {
    var bench = NetworkedBench { $0.network.accessPointNames = ["iot.example"] }
    _ = bench.exchange("AT+CSTT=\"other\"")
    #expect(bench.exchange("AT+CIICR", for: 1000) == error)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: PDP DEACT"))
    #expect(bench.exchange("AT+CSTT=\"iot.example\"") == error)
    _ = bench.exchange("AT+CIPSHUT", for: 500)
    #expect(bench.exchange("AT+CSTT=\"iot.example\"") == ok)
  }

  @Test func losingTheBearerClosesWhatWasOpenTowardsTheNetwork() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.connectMQTT()
    bench.openToolkit()
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    bench.requests = []
    bench.apply(.bearerLost(isSilent: false))
    let kinds = bench.requests.map { request in
      switch request {
      case .httpDisconnect: "http"
      case .mqttDisconnect: "mqtt"
      case .closeSocket: "socket"
      default: "other"
      }
    }
    #expect(kinds.sorted() == ["http", "mqtt", "socket"])
  }
}
