import ModemSimulation
import Quantities
import Testing

/// The `SH*` commands and legacy HTTP beyond their transcripts.
@Suite struct HTTPSessionTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func everythingThatNeedsAConnectionFailsWithoutOne() {
    var bench = NetworkedBench()
    for command in [
      "AT+SHCHEAD", "AT+SHAHEAD=\"a\",\"b\"", "AT+SHCPARA", "AT+SHPARA=\"a\",\"b\"", "AT+SHBOD=\"x\",1",
      "AT+SHBODEXT=1,1000", "AT+SHREQ=\"/\",1", "AT+SHREAD=0,1", "AT+SHCONN",
    ] {
      #expect(bench.exchange(command, for: 500) == error, "\(command)")
    }
    #expect(bench.exchange("AT+SHSTATE?") == lines("+SHSTATE: 0", "OK"))
  }

  @Test func connectingNeedsURLLengthsAndBearer() {
    var bench = NetworkedBench()
    bench.activate()
    #expect(bench.exchange("AT+SHCONN", for: 500) == error)
    _ = bench.exchange("AT+SHCONF=\"URL\",\"http://10.0.0.5:8080\"")
    _ = bench.exchange("AT+SHCONF=\"BODYLEN\",1024")
    #expect(bench.exchange("AT+SHCONN", for: 500) == error)
    _ = bench.exchange("AT+SHCONF=\"HEADERLEN\",350")
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
    #expect(bench.exchange("AT+SHCONN", for: 500) == error)
    #expect(bench.exchange("AT+SHSTATE?") == lines("+SHSTATE: 1", "OK"))
  }

  @Test func settingsOutOfRangeAreErrors() {
    var bench = NetworkedBench()
    for value in [
      "\"URL\",\"http://10.0.0.5/path\"", "\"URL\",\"http://\(String(repeating: "a", count: 60))\"",
      "\"URL\",\"10.0.0.5\"", "\"BODYLEN\",1025", "\"BODYLEN\",0", "\"HEADERLEN\",351", "\"TIMEOUT\",29",
      "\"IPVER\",2", "\"NOPE\",1", "\"URL\"",
    ] {
      #expect(bench.exchange("AT+SHCONF=\(value)") == error, "\(value)")
    }
    var old = NetworkedBench { $0.data.maximumBodyLength = 350 }
    #expect(old.exchange("AT+SHCONF=\"BODYLEN\",351") == error)
    #expect(old.exchange("AT+SHCONF=?").contains("\"BODYLEN\",(1-350)"))
  }

  @Test func theFirstConnectMayFailForNoReason() {
    var bench = NetworkedBench()
    bench.apply(.connectFails(count: 1))
    bench.connectHTTP()
    bench.wait(3000)
    #expect(bench.take() == "\r\nERROR\r\n")
    #expect(bench.exchange("AT+SHDISC") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
  }

  @Test func everyMethodHasItsName() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    _ = bench.exchange("AT+SHBOD=\"{\\\"a\\\":1}\",7")
    for (number, name) in ["GET", "PUT", "POST", "PATCH", "HEAD"].enumerated() {
      let answer = bench.exchange("AT+SHREQ=\"/x\",\(number + 1)", for: 500)
      #expect(answer == lines("OK", "+SHREQ: \"\(name)\",200,\(name == "HEAD" ? 0 : 11)"))
    }
    #expect(bench.network.received.map(\.text) == ["", "{\"a\":1}", "{\"a\":1}", "{\"a\":1}", ""])
    #expect(bench.exchange("AT+SHREQ=\"/x\",6") == error)
    #expect(bench.exchange("AT+SHREQ=\"/\(String(repeating: "x", count: 512))\",1") == error)
    #expect(bench.exchange("AT+SHREAD=0,0") == error)
    #expect(bench.exchange("AT+SHREAD=0,1") == error)
  }

  @Test func bodiesOnTheCommandLineNeedTheirQuotesEscaped() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    #expect(bench.exchange("AT+SHBOD=\"{\"a\":1}\",7") == error)
    #expect(bench.exchange("AT+SHBOD=\"abc\",4") == error)
    #expect(bench.exchange("AT+SHBOD=\"abc\",3") == ok)
    #expect(bench.exchange("AT+SHBODEXT=1025,1000") == error)
    #expect(bench.exchange("AT+SHBODEXT=5,99") == error)
    #expect(bench.exchange("AT+SHBODEXT=5,500") == "\r\n>")
    #expect(bench.payload("", for: 600) == error)
  }

  @Test func aBodyAtThePromptMayEndEarly() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    _ = bench.exchange("AT+SHBODEXT=9,5000")
    #expect(bench.payload("abc\u{1A}") == ok)
    _ = bench.exchange("AT+SHREQ=\"/\",3", for: 500)
    #expect(bench.network.received.last?.text == "abc")
    _ = bench.exchange("AT+SHBODEXT=9,5000")
    #expect(bench.payload("abc\u{1B}") == error)
  }

  @Test func headersAccumulateUntilClearedAndHaveALimit() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    #expect(bench.exchange("AT+SHAHEAD=\"A\",\"1\"") == ok)
    #expect(bench.exchange("AT+SHAHEAD=\"B\",\"\(String(repeating: "b", count: 348))\"") == error)
    #expect(bench.exchange("AT+SHAHEAD=\"B\",\"\(String(repeating: "b", count: 347))\"") == ok)
    _ = bench.exchange("AT+SHREQ=\"/\",1", for: 500)
    #expect(bench.network.received.last?.headers.map(\.name) == ["A", "B"])
    #expect(bench.exchange("AT+SHCHEAD") == ok)
    _ = bench.exchange("AT+SHREQ=\"/\",1", for: 500)
    #expect(bench.network.received.last?.headers == [])
  }

  @Test func formParametersAreEncoded() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    _ = bench.exchange("AT+SHPARA=\"na me\",\"å&1\"")
    _ = bench.exchange("AT+SHPARA=\"b\",\"2\"")
    _ = bench.exchange("AT+SHREQ=\"/\",3", for: 500)
    #expect(bench.network.received.last?.text == "na+me=%C3%A5%261&b=2")
  }

  @Test func longAnswersComeInBlocks() {
    var bench = NetworkedBench()
    let body = [UInt8](repeating: UInt8(ascii: "y"), count: 5000)
    bench.network.add(HTTPServer(host: "10.0.0.5", port: 81, behaviour: .fixed(HTTPAnswer(body: body))))
    bench.connectHTTP()
    _ = bench.exchange("AT+SHDISC")
    _ = bench.exchange("AT+SHCONF=\"URL\",\"http://10.0.0.5:81\"")
    _ = bench.exchange("AT+SHCONN", for: 500)
    _ = bench.exchange("AT+SHREQ=\"/\",1", for: 500)
    let text = bench.exchange("AT+SHREAD=100,4900", for: 2000)
    func block(_ count: Int) -> String { "\r\n+SHREAD: \(count)\r\n" + String(repeating: "y", count: count) + "\r\n" }
    #expect(text == ok + block(2048) + block(2048) + block(804))
    #expect(bench.exchange("AT+SHREAD=4999,2") == error)
  }

  @Test func aServerThatNeverAnswersEndsTheSessionAfterTheTimeout() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.network.plan(.loseAnswer, on: .http)
    #expect(bench.exchange("AT+SHREQ=\"/\",1", for: 59_000) == ok)
    bench.wait(2000)
    #expect(bench.take() == lines("+SHSTATE: 0"))
    var other = NetworkedBench { $0.data.requestTimeoutAnswer = .status(408) }
    other.connectHTTP()
    other.network.plan(.loseAnswer, on: .http)
    #expect(other.exchange("AT+SHREQ=\"/\",3", for: 61_000) == lines("OK", "+SHREQ: \"POST\",408,0"))
  }

  @Test func aServerThatClosesIsTold() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.network.closeConnections(of: .http, at: bench.now)
    bench.wait(100)
    #expect(bench.take() == lines("+SHSTATE: 0"))
    #expect(bench.exchange("AT+SHREQ=\"/\",1") == error)
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
  }

  @Test func aStaleConnectionIsCuredByANewBearer() {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.apply(.staleConnection(lasting: .seconds(9999)))
    #expect(bench.exchange("AT+CNACT?") == lines("+CNACT: 1,\"10.78.245.128\"", "OK"))
    #expect(bench.exchange("AT+SHREQ=\"/\",1", for: 61_000) == lines("OK", "+SHSTATE: 0"))
    #expect(bench.exchange("AT+SHCONN", for: 3000) == error)
    _ = bench.exchange("AT+CNACT=0", for: 500)
    bench.activate()
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
  }

  @Test func secureConnectionsNeedACertificateOrNone() {
    var bench = NetworkedBench()
    bench.network.add(HTTPServer(host: "10.0.0.5", port: 443, usesTLS: true, behaviour: .echo))
    bench.connectHTTP()
    _ = bench.exchange("AT+SHDISC")
    _ = bench.exchange("AT+SHCONF=\"URL\",\"https://10.0.0.5\"")
    #expect(bench.exchange("AT+SHCONN", for: 3000) == error)
    #expect(bench.exchange("AT+SHSSL=1,\"ca.pem\"") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 3000) == error)
    #expect(bench.exchange("AT+SHSSL=1,\"\"") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 500) == ok)
  }

  @Test func certificatesAreCheckedAgainstTheClockUnlessToldNotTo() {
    var bench = NetworkedBench()
    bench.network.add(HTTPServer(host: "10.0.0.5", port: 443, usesTLS: true, behaviour: .echo))
    bench.connectHTTP()
    _ = bench.exchange("AT+SHDISC")
    _ = bench.exchange("AT+SHCONF=\"URL\",\"https://10.0.0.5\"")
    _ = bench.exchange("AT+CFSINIT")
    _ = bench.exchange("AT+CFSWFILE=3,\"ca.pem\",0,1,1000")
    _ = bench.payload("x")
    #expect(bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"") == ok)
    _ = bench.exchange("AT+SHSSL=1,\"ca.pem\"")
    #expect(bench.exchange("AT+SHCONN", for: 3000) == error)
    #expect(bench.exchange("AT+CSSLCFG=\"ignorertctime\",1,1") == ok)
    #expect(bench.exchange("AT+SHCONN", for: 3000) == ok)
  }

  @Test func theOlderStackPostsAndReads() {
    var bench = NetworkedBench()
    #expect(bench.exchange("AT+HTTPTERM") == error)
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    _ = bench.exchange("AT+HTTPINIT")
    #expect(bench.exchange("AT+CMEE=2;+HTTPINIT") == lines("+CME ERROR: operation not allowed"))
    #expect(bench.exchange("AT+HTTPACTION=0") == error)
    _ = bench.exchange("AT+HTTPPARA=\"URL\",\"http://10.0.0.5:8080/p\"")
    #expect(bench.exchange("AT+HTTPPARA=\"CONTENT\",\"text/plain\"") == ok)
    #expect(bench.exchange("AT+HTTPPARA=\"NOPE\",\"1\"") == error)
    _ = bench.exchange("AT+HTTPDATA=5,10000")
    _ = bench.payload("hello")
    #expect(bench.exchange("AT+HTTPACTION=1", for: 500) == lines("OK", "+HTTPACTION: 1,200,11"))
    #expect(bench.exchange("AT+HTTPREAD") == "\r\n+HTTPREAD: 11\r\n{\"ok\":true}\r\nOK\r\n")
    #expect(bench.exchange("AT+HTTPREAD=1,4") == "\r\n+HTTPREAD: 4\r\n\"ok\"\r\nOK\r\n")
    #expect(bench.exchange("AT+HTTPSTATUS?") == lines("+HTTPSTATUS: POST,0,11,0", "OK"))
    #expect(bench.network.received.last?.text == "hello")
    _ = bench.exchange("AT+HTTPPARA=\"URL\",\"http://nowhere.example/\"")
    #expect(bench.exchange("AT+HTTPACTION=0", for: 500) == lines("OK", "+HTTPACTION: 0,603,0"))
    #expect(bench.exchange("AT+HTTPACTION=4") == error)
  }
}
