import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import Testing

/// Turns the bridge until a reply comes, ten seconds at most.
func nextReply(_ bridge: NetworkBridge) -> NetworkReply? {
  let deadline = MonotonicClock.now + .seconds(10)
  while MonotonicClock.now < deadline {
    if let reply = bridge.nextReply() { return reply }
    var wait = EventWait()
    bridge.addDescriptors(to: &wait)
    wait.wait(until: min(deadline, bridge.nextDeadline ?? deadline))
    bridge.process(wait)
  }
  return nil
}

@Test func aSocketCarriesBytesToAServerAndBack() throws {
  let server = try LoopbackServer.echo()
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 1, isUDP: false, host: "localhost", port: server.port, usesTLS: false))
  #expect(nextReply(bridge) == .opened(id: 1))
  bridge.take(.send(id: 1, bytes: [1, 2, 3]))
  #expect(nextReply(bridge) == .sent(id: 1, count: 3))
  #expect(nextReply(bridge) == .received(id: 1, bytes: [1, 2, 3]))
}

@Test func aLotOfBytesGoesThroughASocketWhole() throws {
  let server = try LoopbackServer.echo()
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 1, isUDP: false, host: "127.0.0.1", port: server.port, usesTLS: false))
  #expect(nextReply(bridge) == .opened(id: 1))
  let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
  bridge.take(.send(id: 1, bytes: bytes))
  var back: [UInt8] = []
  var sent = 0
  while back.count < bytes.count, let reply = nextReply(bridge) {
    switch reply {
    case .received(_, let part): back += part
    case .sent(_, let count): sent += count
    default: Issue.record("\(reply)")
    }
  }
  #expect(back == bytes)
  #expect(sent == bytes.count)
}

@Test func theEndOfAServerIsTold() throws {
  let server = try LoopbackServer { connection, _ in _ = write(connection, "bye", 3) }
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 9, isUDP: false, host: "127.0.0.1", port: server.port, usesTLS: false))
  #expect(nextReply(bridge) == .opened(id: 9))
  #expect(nextReply(bridge) == .received(id: 9, bytes: Array("bye".utf8)))
  #expect(nextReply(bridge) == .closed(id: 9))
}

@Test func whatCanNotBeReachedIsRefusedWithTheReason() throws {
  let port = try freePort()
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 1, isUDP: false, host: "127.0.0.1", port: port, usesTLS: false))
  #expect(nextReply(bridge) == .refused(id: 1, .refused))
  bridge.take(.openSocket(id: 2, isUDP: false, host: "127.0.0.1", port: port, usesTLS: true))
  #expect(nextReply(bridge) == .refused(id: 2, .refused))
  bridge.take(.openSocket(id: 7, isUDP: true, host: "127.0.0.1", port: port, usesTLS: true))
  #expect(nextReply(bridge) == .refused(id: 7, .tls))
  bridge.take(.httpConnect(id: 3, url: "http://127.0.0.1:\(port)"))
  #expect(nextReply(bridge) == .httpFailed(id: 3, .refused))
  bridge.take(.mqttConnect(id: 4, MQTTConnectRequest(host: "127.0.0.1", port: port, clientID: "x")))
  #expect(nextReply(bridge) == .mqttRefused(id: 4, .refused))
  bridge.take(.resolve(id: 5, host: "no such name"))
  #expect(nextReply(bridge) == .unresolved(id: 5))
  bridge.take(.resolve(id: 6, host: "localhost"))
  #expect(nextReply(bridge) == .resolved(id: 6, address: "127.0.0.1"))
}

@Test func aClosedSocketIsForgotten() throws {
  let server = try LoopbackServer.echo()
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 1, isUDP: false, host: "127.0.0.1", port: server.port, usesTLS: false))
  bridge.take(.closeSocket(id: 1))
  bridge.take(.send(id: 1, bytes: [1]))
  bridge.take(.resolve(id: 2, host: "127.0.0.1"))
  #expect(nextReply(bridge) == .resolved(id: 2, address: "127.0.0.1"), "nothing of the first")
}

@Test func anHTTPServerGetsWhatTheModemPostsAndNothingElse() throws {
  let server = try LoopbackServer.http()
  let bridge = try NetworkBridge()
  let base = "http://127.0.0.1:\(server.port)"
  bridge.take(.httpConnect(id: 1, url: base))
  #expect(nextReply(bridge) == .httpConnected(id: 1))
  for method in ["POST", "PUT", "PATCH"] {
    bridge.take(
      .httpRequest(
        id: 1, method: method, url: base + "/api/pos?a=b",
        headers: [HTTPHeader(name: "Content-Type", value: "application/json")], body: Array("{\"lat\":1}".utf8)))
    #expect(
      server.next()
        == "\(method) /api/pos?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nContent-Type: application/json\r\n"
        + "Content-Length: 9\r\n\r\n{\"lat\":1}")
    let headers = [
      HTTPHeader(name: "Content-Type", value: "application/json"), HTTPHeader(name: "Content-Length", value: "11"),
    ]
    #expect(
      nextReply(bridge) == .httpResponse(id: 1, status: 200, headers: headers, body: Array("{\"ok\":true}".utf8)))
  }
  bridge.take(.httpRequest(id: 1, method: "GET", url: base + "/x", headers: [], body: []))
  #expect(server.next() == "GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
  guard case .httpResponse(1, 200, _, _)? = nextReply(bridge) else {
    Issue.record("no answer to GET")
    return
  }
}

@Test func anHTTPServerThatClosesIsToldAfterItsAnswer() throws {
  let server = try LoopbackServer.http(closesAfterAnswer: true)
  let bridge = try NetworkBridge()
  let base = "http://127.0.0.1:\(server.port)"
  bridge.take(.httpConnect(id: 1, url: base))
  #expect(nextReply(bridge) == .httpConnected(id: 1))
  bridge.take(.httpRequest(id: 1, method: "GET", url: base + "/", headers: [], body: []))
  guard case .httpResponse(1, 200, _, _)? = nextReply(bridge) else {
    Issue.record("no answer")
    return
  }
  #expect(nextReply(bridge) == .httpClosed(id: 1))
  // A request outside a session, as that of legacy HTTP, is answered once.
  bridge.take(.httpRequest(id: 2, method: "POST", url: base + "/", headers: [], body: [65]))
  guard case .httpResponse(2, 200, _, _)? = nextReply(bridge) else {
    Issue.record("no answer")
    return
  }
  bridge.take(.resolve(id: 3, host: "127.0.0.1"))
  #expect(nextReply(bridge) == .resolved(id: 3, address: "127.0.0.1"))
}

@Test func aServerThatNeverAnswersDoesNotHoldUpAnybodyElse() throws {
  let silence = try LoopbackServer { connection, _ in
    var byte: UInt8 = 0
    while read(connection, &byte, 1) > 0 {}
  }
  let server = try LoopbackServer.http()
  let bridge = try NetworkBridge()
  bridge.take(.httpRequest(id: 1, method: "GET", url: "http://127.0.0.1:\(silence.port)/", headers: [], body: []))
  bridge.take(.mqttConnect(id: 2, MQTTConnectRequest(host: "127.0.0.1", port: silence.port, clientID: "x")))
  bridge.take(.httpRequest(id: 3, method: "GET", url: "http://127.0.0.1:\(server.port)/", headers: [], body: []))
  guard case .httpResponse(3, 200, _, _)? = nextReply(bridge) else {
    Issue.record("no answer")
    return
  }
}

@Test func aRealBrokerTakesAndGivesMessages() throws {
  guard let broker = try Broker() else { return }
  let bridge = try NetworkBridge()
  bridge.take(.mqttConnect(id: 1, MQTTConnectRequest(host: "127.0.0.1", port: broker.port, clientID: "trk-01")))
  #expect(nextReply(bridge) == .mqttConnected(id: 1))
  bridge.take(.mqttSubscribe(id: 1, message: 5, topic: "trk/+/cmd", qos: 1))
  #expect(nextReply(bridge) == .mqttAcknowledged(id: 1, message: 5))
  for qos in 0...2 {
    let payload = [UInt8(qos), 0, 255, 34, 13, 10]
    bridge.take(
      .mqttPublish(id: 1, message: 10 + qos, topic: "trk/01/cmd", payload: payload, qos: qos, isRetained: false))
    let replies = [nextReply(bridge), nextReply(bridge)]
    #expect(replies.contains(.mqttAcknowledged(id: 1, message: 10 + qos)), "\(replies)")
    #expect(replies.contains(.mqttMessage(id: 1, topic: "trk/01/cmd", payload: payload)), "\(replies)")
  }
  bridge.take(.mqttUnsubscribe(id: 1, message: 20, topic: "trk/+/cmd"))
  #expect(nextReply(bridge) == .mqttAcknowledged(id: 1, message: 20))
  broker.stop()
  #expect(nextReply(bridge) == .mqttClosed(id: 1))
}

@Test func theWillOfAClientThatVanishesIsPublishedAndThatOfOneThatSaysGoodbyeIsNot() throws {
  guard let broker = try Broker() else { return }
  let relay = try LoopbackServer.relay(to: broker.port)
  let watcher = try NetworkBridge()
  watcher.take(.mqttConnect(id: 1, MQTTConnectRequest(host: "127.0.0.1", port: broker.port, clientID: "watcher")))
  #expect(nextReply(watcher) == .mqttConnected(id: 1))
  watcher.take(.mqttSubscribe(id: 1, message: 1, topic: "#", qos: 0))
  #expect(nextReply(watcher) == .mqttAcknowledged(id: 1, message: 1))
  let bridge = try NetworkBridge()
  var settings = MQTTConnectRequest(host: "127.0.0.1", port: relay.port, clientID: "trk-02")
  settings.will = MQTTWill(topic: "gone", payload: Array("trk-02".utf8))
  bridge.take(.mqttConnect(id: 7, settings))
  #expect(nextReply(bridge) == .mqttConnected(id: 7))
  #expect(relay.next() != nil)
  bridge.take(.mqttDisconnect(id: 7))
  bridge.take(.mqttConnect(id: 8, settings))
  #expect(nextReply(bridge) == .mqttConnected(id: 8))
  let line = try #require(relay.next())
  bridge.take(.mqttPublish(id: 8, message: 1, topic: "mark", payload: [], qos: 0, isRetained: false))
  #expect(nextReply(watcher) == .mqttMessage(id: 1, topic: "mark", payload: []), "a goodbye is no loss")
  #expect(nextReply(bridge) == .mqttAcknowledged(id: 8, message: 1))
  shutdown(try #require(Int32(line)), Int32(SHUT_RDWR))
  #expect(nextReply(watcher) == .mqttMessage(id: 1, topic: "gone", payload: Array("trk-02".utf8)))
  #expect(nextReply(bridge) == .mqttClosed(id: 8))
}

@Test func secureServersAreReachedAndTheirCertificatesCheckedOnlyOnDemand() throws {
  guard let certificate = try Certificate() else { return }
  let web = try SecureServer(certificate, mode: "-www")
  let bridge = try NetworkBridge()
  let url = "https://127.0.0.1:\(web.port)"
  bridge.take(.httpConnect(id: 1, url: url))
  #expect(nextReply(bridge) == .httpConnected(id: 1))
  bridge.take(.httpRequest(id: 1, method: "GET", url: url + "/", headers: [], body: []))
  guard case .httpResponse(1, 200, _, let body)? = nextReply(bridge) else {
    Issue.record("no answer")
    return
  }
  #expect(String(decoding: body, as: UTF8.self).contains("TLSv1"))
  var settings = NetworkBridge.Settings()
  settings.verifiesCertificates = true
  let strict = try NetworkBridge(settings)
  strict.take(.httpConnect(id: 1, url: url))
  #expect(nextReply(strict) == .httpFailed(id: 1, .tls))
  guard let broker = try Broker(certificate: certificate) else { return }
  var mqtt = MQTTConnectRequest(host: "127.0.0.1", port: broker.port, clientID: "trk-03")
  bridge.take(.mqttConnect(id: 2, mqtt))
  var reply = nextReply(bridge)
  while case .httpClosed? = reply { reply = nextReply(bridge) }
  guard case .mqttRefused(2, _)? = reply else {
    Issue.record("\(String(describing: reply)): a broker with TLS took a client without")
    return
  }
  mqtt.usesTLS = true
  bridge.take(.mqttConnect(id: 3, mqtt))
  #expect(nextReply(bridge) == .mqttConnected(id: 3))
}

@Test func aSecureSocketCarriesBytesToAServerAndBack() throws {
  guard let certificate = try Certificate() else { return }
  let server = try SecureServer(certificate, mode: "-rev")
  let bridge = try NetworkBridge()
  bridge.take(.openSocket(id: 4, isUDP: false, host: "127.0.0.1", port: server.port, usesTLS: true))
  #expect(nextReply(bridge) == .opened(id: 4))
  bridge.take(.send(id: 4, bytes: Array("leash\n".utf8)))
  #expect(nextReply(bridge) == .sent(id: 4, count: 6))
  #expect(nextReply(bridge) == .received(id: 4, bytes: Array("hsael\n".utf8)))
  server.stop()
  #expect(nextReply(bridge) == .closed(id: 4))
}
