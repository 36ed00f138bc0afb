import ModemSimulation
import Quantities
import Testing

/// The `SM*` commands beyond their transcripts.
@Suite struct MQTTSessionTests {
  private let ok = lines("OK")
  private let error = lines("ERROR")

  @Test func everythingThatNeedsASessionFailsWithoutOne() {
    var bench = NetworkedBench()
    for command in ["AT+SMPUB=\"t\",1,0,0", "AT+SMSUB=\"t\",1", "AT+SMUNSUB=\"t\"", "AT+SMDISC", "AT+SMCONN"] {
      #expect(bench.exchange(command, for: 500) == error, "\(command)")
    }
    bench.connectMQTT()
    #expect(bench.exchange("AT+SMSTATE?") == lines("+SMSTATE: 1", "OK"))
    #expect(bench.exchange("AT+SMCONN", for: 500) == error)
    #expect(bench.exchange("AT+SMDISC") == ok)
    #expect(bench.exchange("AT+SMSTATE?") == lines("+SMSTATE: 0", "OK"))
  }

  @Test func theAddressComesInSeveralShapes() {
    for value in ["\"10.0.0.5\",\"1883\"", "\"10.0.0.5:1883\"", "\"10.0.0.5\"", "10.0.0.5,1883", "\"10.0.0.5\",1883"] {
      var bench = NetworkedBench()
      bench.activate()
      #expect(bench.exchange("AT+SMCONF=\"URL\",\(value)") == ok)
      #expect(bench.exchange("AT+SMCONF=CLIENTID,trk") == ok)
      #expect(bench.exchange("AT+SMCONN", for: 500) == ok, "\(value)")
    }
  }

  @Test func whatTheHostSetReachesTheBroker() throws {
    var bench = NetworkedBench()
    bench.connectMQTT(
      "\"USERNAME\",\"u\"", "\"PASSWORD\",\"p\"", "\"KEEPTIME\",120", "\"CLEANSS\",1", "\"TOPIC\",\"gone\"",
      "\"MESSAGE\",\"bye\"", "\"QOS\",1", "\"RETAIN\",1")
    let will = MQTTWill(topic: "gone", payload: Array("bye".utf8), qos: 1, isRetained: true)
    let settings = MQTTConnectRequest(
      host: "10.0.0.5", clientID: "trk-01", user: "u", password: "p", keepAlive: 120, cleanSession: true, will: will)
    let request = try #require(bench.requests.last { if case .mqttConnect = $0 { true } else { false } })
    #expect(request == .mqttConnect(id: request.id, settings))
  }

  @Test func everyReasonForNotConnectingIsTheSameError() {
    var refused = NetworkedBench()
    refused.network.add(MQTTBroker(host: "10.0.0.6", user: "u", password: "p"))
    refused.activate()
    _ = refused.exchange("AT+SMCONF=\"URL\",\"10.0.0.6\"")
    #expect(refused.exchange("AT+SMCONN", for: 500) == error)
    _ = refused.exchange("AT+SMCONF=\"URL\",\"nowhere.example\"")
    #expect(refused.exchange("AT+SMCONN", for: 500) == error)
    var sporadic = NetworkedBench()
    sporadic.apply(.connectFails(count: 1))
    sporadic.connectMQTT()
    sporadic.wait(2000)
    #expect(sporadic.take() == error)
    #expect(sporadic.exchange("AT+SMCONN", for: 500) == ok)
  }

  @Test func aSecureSessionNeedsItsCertificateAndTheClockOrNeither() {
    var bench = NetworkedBench()
    bench.network.add(MQTTBroker(host: "10.0.0.5", port: 8883, usesTLS: true))
    bench.activate()
    _ = bench.exchange("AT+SMCONF=\"URL\",\"10.0.0.5\",\"8883\"")
    #expect(bench.exchange("AT+SMCONN", for: 3000) == error, "a plain connection to a TLS port")
    #expect(bench.exchange("AT+SMSSL=1,ca.pem,cert.pem") == ok)
    #expect(bench.exchange("AT+SMSSL=1,\"\(String(repeating: "c", count: 21))\"") == error)
    #expect(bench.exchange("AT+SMCONN", for: 3000) == error, "the certificate is missing")
    _ = bench.exchange("AT+CFSINIT")
    _ = bench.exchange("AT+CFSWFILE=3,\"ca.pem\",0,1,1000")
    _ = bench.payload("x")
    _ = bench.exchange("AT+CSSLCFG=\"convert\",2,\"ca.pem\"")
    #expect(bench.exchange("AT+SMCONN", for: 3000) == error, "the clock is not set")
    _ = bench.exchange("AT+CSSLCFG=\"ignorertctime\",1,1")
    #expect(bench.exchange("AT+SMCONN", for: 3000) == ok)
    _ = bench.exchange("AT+SMDISC")
    #expect(bench.exchange("AT+SMSSL=0") == ok)
    #expect(bench.exchange("AT+SMCONN", for: 3000) == error)
  }

  @Test func settingsOutOfRangeAreErrors() {
    var bench = NetworkedBench()
    for value in [
      "\"KEEPTIME\",65536", "\"CLEANSS\",2", "\"QOS\",3", "\"RETAIN\",2", "\"NOPE\",1", "\"URL\",\"h\",\"0\"",
      "\"URL\",\"h\",\"65536\"", "\"SUBHEX\",1",
    ] {
      #expect(bench.exchange("AT+SMCONF=\(value)") == error, "\(value)")
    }
  }

  @Test func publicationsHaveLimits() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    #expect(bench.exchange("AT+SMPUB=\"t\",513,0,0") == error)
    #expect(bench.exchange("AT+SMPUB=\"t\",1,3,0") == error)
    #expect(bench.exchange("AT+SMPUB=\"t\",1,0,2") == error)
    #expect(bench.exchange("AT+SMPUB=\"t/+\",1,0,0") == error)
    #expect(bench.exchange("AT+SMPUB=\"\(String(repeating: "t", count: 129))\",1,0,0") == error)
    #expect(bench.exchange("AT+SMPUB=\"t\",\"512\",1,0") == "\r\n> ")
    #expect(bench.payload(String(repeating: "x", count: 512), for: 500) == ok)
    #expect(bench.exchange("AT+SMPUB=\"t\",0,1,0", for: 500) == "\r\n> " + ok)
    #expect(bench.network.received.map(\.bytes.count) == [512, 0])
  }

  @Test func qualityZeroDoesNotWaitAndOneDoes() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    bench.network.addOutage(from: bench.now, until: bench.now + .seconds(10))
    _ = bench.exchange("AT+SMPUB=\"t\",1,0,0")
    #expect(bench.payload("x") == ok)
    _ = bench.exchange("AT+SMPUB=\"t\",1,1,0")
    #expect(bench.payload("y", for: 8000) == "")
    bench.wait(3000)
    #expect(bench.take() == ok)
  }

  @Test func aLostAcknowledgementEndsTheSession() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    bench.network.plan(.loseAnswer, on: .mqtt)
    _ = bench.exchange("AT+SMPUB=\"t\",1,1,0")
    #expect(bench.payload("x", for: 61_000) == lines("+SMSTATE: 0"))
    #expect(bench.network.received.count == 1)
    #expect(bench.exchange("AT+SMCONN", for: 500) == ok)
  }

  @Test func theBrokerMayDropBeforeOrAfterHandling() {
    for (mishap, count) in [(NetworkMishap.dropBeforeHandling, 0), (.dropAfterHandling, 1)] {
      var bench = NetworkedBench()
      bench.connectMQTT()
      bench.network.plan(mishap, on: .mqtt)
      _ = bench.exchange("AT+SMPUB=\"t\",1,1,0")
      #expect(bench.payload("x", for: 500) == lines("+SMSTATE: 0"))
      #expect(bench.network.received.count == count)
    }
  }

  @Test func hexadecimalPayloadsAreDecoded() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    #expect(bench.exchange("AT+SMPUBHEX=1") == ok)
    _ = bench.exchange("AT+SMPUB=\"t\",4,1,0")
    #expect(bench.payload("00Ff", for: 500) == ok)
    #expect(bench.network.received.last?.bytes == [0, 255])
    _ = bench.exchange("AT+SMPUB=\"t\",4,1,0")
    #expect(bench.payload("xyzw", for: 500) == error)
  }

  @Test func messagesKeepTheirQuotesAndSubscriptionsEnd() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    _ = bench.exchange("AT+SMSUB=\"a/#\",1", for: 500)
    bench.network.publish(Array("{\"x\":\"y\"}".utf8), to: "a/b", at: bench.now)
    bench.wait(200)
    #expect(bench.take() == lines("+SMSUB: \"a/b\",\"{\"x\":\"y\"}\""))
    #expect(bench.exchange("AT+SMUNSUB=\"a/#\"", for: 500) == ok)
    bench.network.publish([65], to: "a/b", at: bench.now)
    bench.wait(200)
    #expect(bench.take() == "")
  }

  @Test func aMessageDoesNotTearAPayload() {
    var bench = NetworkedBench()
    bench.connectMQTT()
    _ = bench.exchange("AT+SMSUB=\"a\",1", for: 500)
    _ = bench.exchange("AT+SMPUB=\"b\",5,0,0")
    bench.type("he")
    bench.network.publish([65], to: "a", at: bench.now)
    bench.wait(200)
    #expect(bench.take() == "")
    bench.type("llo")
    bench.wait(200)
    #expect(Set([ok + lines("+SMSUB: \"a\",\"A\""), lines("+SMSUB: \"a\",\"A\"") + ok]).contains(bench.take()))
    #expect(bench.network.received.last?.text == "hello")
  }
}
