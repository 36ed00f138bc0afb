import ModemSimulation
import Quantities
import Testing

/// The data dialogues of the reference, byte for byte.
@Suite struct DataTranscriptTests {
  private let ok = lines("OK")

  @Test func postingWithTheHTTPSession() {
    var bench = NetworkedBench()
    bench.activate()
    #expect(bench.exchange("AT+SHCONF=\"URL\",\"http://10.0.0.5:8080\"") == ok)
    #expect(bench.exchange("AT+SHCONF=\"BODYLEN\",1024") == ok)
    #expect(bench.exchange("AT+SHCONF=\"HEADERLEN\",350") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
    #expect(bench.exchange("AT+SHCHEAD") == ok)
    #expect(bench.exchange("AT+SHAHEAD=\"Content-Type\",\"application/json\"") == ok)
    #expect(bench.exchange("AT+SHBODEXT=17,10000") == "\r\n>")
    #expect(bench.payload("{\"lat\":1,\"lon\":2}") == ok)
    #expect(bench.exchange("AT+SHREQ=\"/api/pos\",3", for: 500) == lines("OK", "+SHREQ: \"POST\",200,11"))
    #expect(bench.exchange("AT+SHREAD=0,11") == "\r\nOK\r\n\r\n+SHREAD: 11\r\n{\"ok\":true}\r\n")
    #expect(bench.exchange("AT+SHDISC") == ok)
    let got = bench.network.received.last
    #expect(got?.method == "POST")
    #expect(got?.destination == "http://10.0.0.5:8080/api/pos")
    #expect(got?.text == "{\"lat\":1,\"lon\":2}")
    #expect(got?.headers == [HTTPHeader(name: "Content-Type", value: "application/json")])
  }

  @Test func anHTTPSessionThatDropsConnectsAgainAndRefusesToBeReadTooFar() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.apply(.httpSessionDead)
    #expect(bench.exchange("AT+SHREQ=\"/api/pos\",3") == ok)
    bench.wait(2000)
    #expect(bench.take() == lines("+SHSTATE: 0"))
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
    #expect(bench.exchange("AT+SHREQ=\"/api/pos\",3", for: 500) == lines("OK", "+SHREQ: \"POST\",200,11"))
    #expect(bench.exchange("AT+SHREAD=0,500") == lines("ERROR"))
  }

  @Test func aHalfOpenHTTPSessionMustBeClosedFirst() {
    var bench = NetworkedBench { $0.data.keepsDroppedSessionHalfOpen = true }
    bench.connectHTTP()
    bench.apply(.httpSessionDead)
    _ = bench.exchange("AT+SHREQ=\"/api/pos\",3", for: 2000)
    #expect(bench.exchange("AT+SHCONN", for: 500) == lines("ERROR"))
    #expect(bench.exchange("AT+SHREQ=\"/api/pos\",3") == lines("ERROR"))
    #expect(bench.exchange("AT+SHDISC") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
  }

  @Test func theOlderHTTPStackWithoutBearer() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+SAPBR=2,1") == lines("+SAPBR: 1,3,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+HTTPINIT") == ok)
    #expect(bench.exchange("AT+HTTPPARA=\"CID\",1") == ok)
    #expect(bench.exchange("AT+HTTPPARA=\"URL\",\"http://example.com/p\"") == ok)
    #expect(bench.exchange("AT+HTTPDATA=5,10000") == lines("DOWNLOAD"))
    #expect(bench.payload("hello") == ok)
    #expect(bench.exchange("AT+HTTPACTION=1") == ok)
    bench.wait(3000)
    #expect(bench.take() == lines("+HTTPACTION: 1,601,0"))
    #expect(bench.exchange("AT+HTTPTERM") == ok)
  }

  @Test func connectingSubscribingPublishing() {
    var bench = NetworkedBench()
    bench.activate()
    #expect(bench.exchange("AT+SMCONF=\"URL\",\"10.0.0.5\",\"1883\"") == ok)
    #expect(bench.exchange("AT+SMCONF=\"CLIENTID\",\"trk-01\"") == ok)
    #expect(bench.exchange("AT+SMCONF=\"KEEPTIME\",60") == ok)
    #expect(bench.exchange("AT+SMCONN", for: 500) == ok)
    #expect(bench.exchange("AT+SMSUB=\"trk/01/cmd\",1", for: 500) == ok)
    #expect(bench.exchange("AT+SMPUB=\"trk/01/pos\",5,1,0") == "\r\n> ")
    #expect(bench.payload("hello", for: 500) == ok)
    bench.network.publish(Array("ping".utf8), to: "trk/01/cmd", at: bench.now)
    bench.wait(200)
    #expect(bench.take() == lines("+SMSUB: \"trk/01/cmd\",\"ping\""))
    #expect(bench.network.received.map(\.destination) == ["trk/01/pos"])
    #expect(bench.network.received.map(\.text) == ["hello"])
  }

  @Test func anMQTTSessionThatDropsWhilePublishing() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    bench.apply(.mqttDropped)
    #expect(bench.exchange("AT+SMPUB=\"trk/01/pos\",5,1,0") == "\r\n> ")
    #expect(bench.payload("hello", for: 5900) == "")
    bench.wait(200)
    #expect(bench.take() == lines("+SMSTATE: 0"))
    #expect(bench.exchange("AT+SMSTATE?") == lines("+SMSTATE: 0", "OK"))
  }

  @Test func aLostBearerComesBack() {
    var bench = NetworkedBench { $0.network.isRoaming = true }
    bench.connectMQTT()
    _ = bench.exchange("AT+CEREG=1")
    bench.apply(.bearerLost(isSilent: false))
    bench.wait(100)
    #expect(bench.take() == lines("+APP PDP: DEACTIVE", "+SMSTATE: 0"))
    #expect(bench.exchange("AT+CEREG?") == lines("+CEREG: 1,5", "OK"))
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 0,\"0.0.0.0\"", "OK"))
    #expect(bench.exchange("AT+CNACT=1,\"iot.example\"") == ok)
    bench.wait(1000)
    #expect(bench.take() == lines("+APP PDP: ACTIVE"))
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 1,\"10.78.245.128\"", "OK"))
  }

  @Test func aResetInTheMiddleOfARequest() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.network.plan(.loseAnswer, on: .http)
    #expect(bench.exchange("AT+SHREQ=\"/api/pos\",3") == ok)
    bench.wait(2000)
    bench.apply(.spontaneousReset(afterBytes: 0))
    bench.wait(5900)
    #expect(bench.take() == "")
    bench.wait(300)
    #expect(bench.take() == lines("RDY", "+CFUN: 1"))
    #expect(bench.exchange("AT+SHSTATE?") == "AT+SHSTATE?\r" + lines("+SHSTATE: 0", "OK"))
    bench.wait(5000)
    #expect(bench.take() == lines("+CPIN: READY", "SMS Ready"))
  }

  @Test func aSocketReadByTheHost() {
    var bench = NetworkedBench()
    let server = SocketServer(host: "10.0.0.5", port: 5001, behaviour: .silent)
    bench.network.add(server)
    #expect(bench.exchange("AT+CIPMUX=1;+CIPQSEND=1;+CIPRXGET=1") == ok)
    #expect(bench.exchange("AT+CSTT=\"iot.example\",\"\",\"\"") == ok)
    #expect(bench.exchange("AT+CIICR", for: 1000) == ok)
    #expect(bench.exchange("AT+CIFSR") == lines("10.78.245.128"))
    #expect(bench.exchange("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",5001", for: 500) == lines("OK", "0, CONNECT OK"))
    #expect(bench.exchange("AT+CIPSEND=0,4") == "\r\n> ")
    #expect(bench.payload("ping") == lines("DATA ACCEPT:0,4"))
    bench.network.send(Array("pong".utf8), from: server, at: bench.now)
    bench.wait(200)
    #expect(bench.take() == lines("+CIPRXGET: 1,0"))
    #expect(bench.exchange("AT+CIPRXGET=2,0,100") == "\r\n+CIPRXGET: 2,0,4,0\r\npong\r\nOK\r\n")
    bench.network.closeConnections(of: .tcp, at: bench.now)
    bench.wait(200)
    #expect(bench.take() == lines("0, CLOSED"))
    #expect(bench.exchange("AT+CIPSHUT", for: 500) == lines("SHUT OK"))
  }

  @Test func uploadingACertificate() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CFSINIT") == ok)
    #expect(bench.exchange("AT+CFSWFILE=3,\"ca.pem\",0,1322,5000") == lines("DOWNLOAD"))
    #expect(bench.payload(String(repeating: "x", count: 1322), for: 200) == ok)
    #expect(bench.exchange("AT+CFSGFIS=3,\"ca.pem\"") == lines("+CFSGFIS: 1322", "OK"))
    #expect(bench.exchange("AT+CFSTERM") == ok)
    #expect(bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"") == ok)
  }
}
