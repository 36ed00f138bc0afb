import ModemSimulation
import Quantities
import Testing

/// Sockets of the TCP/IP toolkit.
@Suite struct ToolkitTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func aSingleSocketEchoesRawBytes() {
    var bench = NetworkedBench()
    bench.openToolkit()
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500) == lines("OK", "CONNECT OK"))
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: CONNECT OK"))
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7") == lines("ERROR", "ALREADY CONNECT"))
    #expect(bench.exchange("AT+CIPSEND?") == lines("+CIPSEND: 1460", "OK"))
    #expect(bench.exchange("AT+CIPSEND=3") == "\r\n> ")
    #expect(bench.payload("abc", for: 500) == lines("SEND OK") + "abc")
    #expect(bench.exchange("AT+CIPSEND") == "\r\n> ")
    #expect(bench.payload("de\u{1A}", for: 500) == lines("SEND OK") + "de")
    #expect(bench.exchange("AT+CIPACK") == lines("+CIPACK: 5, 5, 0", "OK"))
    #expect(bench.exchange("AT+CIPCLOSE") == lines("CLOSE OK"))
    #expect(bench.exchange("AT+CIPCLOSE") == error)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: TCP CLOSED"))
    #expect(bench.exchange("AT+CIPSEND=3") == error)
  }

  @Test func aSingleConnectFromTheStartBringsItsBearer() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+CIPSTART=\"UDP\",\"10.0.0.5\",7", for: 1500) == lines("OK", "CONNECT OK"))
    _ = bench.exchange("AT+CIPSEND=2")
    #expect(bench.payload("hi", for: 500) == lines("SEND OK") + "hi")
  }

  @Test func headAndSourceStandBeforeReceivedBytes() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPHEAD=1;+CIPSRIP=1")
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+CIPSEND=2")
    #expect(bench.payload("hi", for: 500) == lines("SEND OK", "RECV FROM:10.0.0.5:7") + "\r\n+IPD,2:hi")
  }

  @Test func severalSocketsAreToldApart() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPMUX=1")
    #expect(bench.exchange("AT+CIPSTART=2,\"TCP\",\"10.0.0.5\",7", for: 500) == lines("OK", "2, CONNECT OK"))
    #expect(bench.exchange("AT+CIPSTART=2,\"TCP\",\"10.0.0.5\",7") == lines("OK", "2, ALREADY CONNECT"))
    #expect(bench.exchange("AT+CIPSTART=3,\"TCP\",\"10.0.0.5\",9", for: 500) == lines("OK", "3, CONNECT FAIL"))
    #expect(bench.exchange("AT+CIPSTART=8,\"TCP\",\"10.0.0.5\",9") == error)
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",9") == error)
    #expect(
      bench.exchange("AT+CIPSTATUS=2") == lines("+CIPSTATUS: 2,0,\"TCP\",\"10.0.0.5\",\"7\",\"CONNECTED\"", "OK"))
    let status = bench.exchange("AT+CIPSTATUS")
    #expect(status.hasPrefix(lines("OK", "STATE: IP PROCESSING")))
    #expect(status.contains("\r\nC: 0,,\"\",\"\",\"\",\"INITIAL\"\r\n"))
    #expect(status.contains("\r\nC: 3,0,\"TCP\",\"10.0.0.5\",\"9\",\"CLOSED\"\r\n"))
    _ = bench.exchange("AT+CIPSEND=2,4")
    #expect(bench.payload("ping", for: 500) == lines("2, SEND OK", "+RECEIVE,2,4:") + "ping")
    #expect(bench.exchange("AT+CIPCLOSE=2,1") == lines("2, CLOSE OK"))
    #expect(bench.exchange("AT+CIPCLOSE=2") == error)
  }

  @Test func aRefusedConnectTellsTheState() {
    var bench = NetworkedBench()
    bench.openToolkit()
    #expect(
      bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",9", for: 500)
        == lines("OK", "STATE: TCP CLOSED", "CONNECT FAIL"))
  }

  @Test func aSporadicFailureNeedsNoReason() {
    var bench = NetworkedBench()
    bench.openToolkit()
    bench.apply(.connectFails(count: 1))
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 3000).hasSuffix(lines("CONNECT FAIL")))
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500) == lines("OK", "CONNECT OK"))
  }

  @Test func aConnectNobodyAnswersEndsAfter75Seconds() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPMUX=1")
    bench.network.latency.connectTimeout = .seconds(500)
    bench.network.addOutage(from: bench.now, until: .seconds(9999))
    #expect(bench.exchange("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",7", for: 74_000) == ok)
    bench.wait(2000)
    #expect(bench.take() == lines("0, CONNECT FAIL"))
  }

  @Test func lengthsBeyondTheLimitFailAtOnce() {
    var bench = NetworkedBench()
    bench.openToolkit()
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    #expect(bench.exchange("AT+CIPSEND=1461") == error)
    #expect(bench.exchange("AT+CIPSEND=0") == error)
    #expect(bench.exchange("AT+CIPSEND=1460") == "\r\n> ")
    let text = String(repeating: "x", count: 1460)
    #expect(bench.payload(text, for: 1000) == lines("SEND OK") + text)
  }

  @Test func countedPayloadsMayHoldAnyByte() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPRXGET=1")
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+CIPSEND=256")
    bench.type((0...255).map { UInt8($0) })
    bench.wait(500)
    #expect(bench.take() == lines("SEND OK", "+CIPRXGET: 1"))
    #expect(bench.exchange("AT+CIPRXGET=4") == lines("+CIPRXGET: 4,256", "OK"))
    bench.type("AT+CIPRXGET=2,200\r")
    bench.wait(100)
    let expected =
      Array("\r\n+CIPRXGET: 2,200,56\r\n".utf8) + (0..<200).map { UInt8($0) } + Array("\r\nOK\r\n".utf8)
    #expect(bench.wire == expected)
    #expect(bench.exchange("AT+CIPRXGET=3,2") == "\r\n+CIPRXGET: 3,2,54\r\nC8C9\r\nOK\r\n")
    #expect(bench.exchange("AT+CIPRXGET=3,731") == error)
    #expect(bench.exchange("AT+CIPRXGET=2,1461") == error)
    #expect(bench.exchange("AT+CIPRXGET=0") == error)
  }

  @Test func whatCameBeforeTheCloseCanStillBeRead() {
    var bench = NetworkedBench()
    bench.network.add(SocketServer(host: "10.0.0.5", port: 5001, behaviour: .answerAndClose(Array("bye".utf8))))
    bench.openToolkit("AT+CIPRXGET=1")
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",5001", for: 500)
    _ = bench.exchange("AT+CIPSEND=1")
    #expect(bench.payload("x", for: 500) == lines("SEND OK", "+CIPRXGET: 1", "CLOSED"))
    #expect(bench.exchange("AT+CIPRXGET=2,10") == "\r\n+CIPRXGET: 2,3,0\r\nbye\r\nOK\r\n")
    #expect(bench.exchange("AT+CIPRXGET=2,10") == error)
  }

  @Test func aPeerThatClosesWhileSendingMeansSendFail() {
    var bench = NetworkedBench()
    bench.openToolkit()
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    bench.network.plan(.dropBeforeHandling, on: .tcp)
    _ = bench.exchange("AT+CIPSEND=1")
    #expect(bench.payload("x", for: 500) == lines("SEND FAIL", "CLOSED"))
  }

  @Test func bytesNobodyAcknowledgesCloseTheSocketAfter645Seconds() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPQSEND=1")
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    bench.apply(.staleConnection(lasting: .seconds(9999)))
    _ = bench.exchange("AT+CIPSEND=1")
    #expect(bench.payload("x", for: 500) == lines("DATA ACCEPT:1"))
    bench.wait(643_000)
    #expect(bench.take() == "")
    bench.wait(3000)
    #expect(bench.take() == lines("CLOSED"))
    #expect(bench.network.received.isEmpty)
  }

  @Test func automaticSendingEndsAnOpenPrompt() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPATS=1,2")
    #expect(bench.exchange("AT+CIPATS?") == lines("+CIPATS: 1,2", "OK"))
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+CIPSEND")
    #expect(bench.payload("abc", for: 2500) == lines("SEND OK") + "abc")
  }

  @Test func escapeSendsNothing() {
    var bench = NetworkedBench()
    bench.openToolkit()
    _ = bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+CIPSEND")
    #expect(bench.payload("abc\u{1B}", for: 500) == ok)
    #expect(bench.network.received.isEmpty)
  }

  @Test func transparentModeCarriesBytesUntilItIsLeft() {
    var bench = NetworkedBench()
    bench.openToolkit("AT+CIPMODE=1")
    #expect(bench.exchange("AT+CIPSTART=\"TCP\",\"10.0.0.5\",7", for: 500) == lines("OK", "CONNECT"))
    #expect(bench.payload("AT+CSQ\r", for: 600) == "AT+CSQ\r")
    bench.wait(1500)
    #expect(bench.payload("+++", for: 1500) == ok)
    #expect(bench.exchange("AT+CIPSTATUS") == lines("OK", "STATE: CONNECT OK"))
    #expect(bench.exchange("ATO") == lines("CONNECT"))
    #expect(bench.payload("more", for: 600) == "more")
    bench.network.closeConnections(of: .tcp, at: bench.now)
    bench.wait(200)
    #expect(bench.take() == lines("CLOSED"))
    #expect(bench.exchange("AT") == ok)
    #expect(bench.exchange("ATO") == lines("NO CARRIER"))
  }

  @Test func namesAreLookedUp() {
    var bench = NetworkedBench()
    bench.network.addresses["a.example"] = "192.0.2.7"
    #expect(bench.exchange("AT+CDNSGIP=\"a.example\"") == error)
    bench.openToolkit()
    #expect(
      bench.exchange("AT+CDNSGIP=\"a.example\"", for: 500) == lines("OK", "+CDNSGIP: 1,\"a.example\",\"192.0.2.7\""))
    #expect(bench.exchange("AT+CDNSGIP=\"b.example\"", for: 500) == lines("OK", "+CDNSGIP: 0,8"))
  }
}
