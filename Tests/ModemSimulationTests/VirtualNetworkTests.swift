import ModemSimulation
import Quantities
import Testing

/// A network that is asked directly.
private struct Line {
  var network = VirtualNetwork(seed: 7, latency: NetworkLatency(always: .milliseconds(100)))

  /// Everything the network answers until a time, with the time of each answer.
  mutating func answers(until end: Instant) -> [(at: Instant, reply: NetworkReply)] {
    var answers: [(at: Instant, reply: NetworkReply)] = []
    while let next = network.nextDeadline, next <= end {
      network.advance(to: next)
      while let reply = network.nextReply() { answers.append((next, reply)) }
    }
    network.advance(to: end)
    return answers
  }

  mutating func replies(until end: Instant) -> [NetworkReply] { answers(until: end).map(\.reply) }

  mutating func openHTTP(_ id: Int = 1, at now: Instant = .zero) {
    network.take(.httpConnect(id: id, url: "http://a.example"), at: now)
    _ = replies(until: now + .milliseconds(100))
  }

  mutating func post(_ text: String, _ id: Int = 1, at now: Instant) {
    network.take(
      .httpRequest(id: id, method: "POST", url: "http://a.example/p", headers: [], body: Array(text.utf8)), at: now)
  }

  mutating func openMQTT(
    _ id: Int, client: String = "c", clean: Bool = false, will: MQTTWill? = nil, at now: Instant
  ) {
    let settings = MQTTConnectRequest(
      host: "b.example", clientID: client, keepAlive: 10, cleanSession: clean, will: will)
    network.take(.mqttConnect(id: id, settings), at: now)
  }
}

@Suite struct VirtualNetworkTests {
  @Test func aRequestIsKeptWithItsTimeAndAnswered() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.openHTTP()
    line.post("{\"sequence\":42}", at: .seconds(1))
    let answers = line.answers(until: .seconds(2))
    #expect(
      answers.map(\.reply) == [.httpResponse(id: 1, status: 200, headers: [], body: Array("ACK 42".utf8))])
    #expect(answers.map(\.at) == [.milliseconds(1100)])
    #expect(line.network.received.map(\.time) == [.milliseconds(1050)])
    #expect(line.network.received.map(\.text) == ["{\"sequence\":42}"])
    #expect(line.network.received.map(\.channel) == [.http])
  }

  @Test func aLostAnswerMeansTheServerHasItAndTheSenderDoesNotKnow() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.openHTTP()
    line.network.plan(.loseAnswer, on: .http)
    line.post("1", at: .seconds(1))
    #expect(line.replies(until: .seconds(100)).isEmpty)
    #expect(line.network.received.count == 1)
    line.post("1", at: .seconds(100))
    #expect(line.replies(until: .seconds(101)).count == 1)
    #expect(line.network.received.count == 2)
  }

  @Test func mishapsDifferInWhatTheServerSaw() {
    let outcomes: [(NetworkMishap, received: Int, replies: [NetworkReply])] = [
      (.loseRequest, 0, []), (.dropBeforeHandling, 0, [.httpClosed(id: 1)]),
      (.dropAfterHandling, 1, [.httpClosed(id: 1)]),
    ]
    for (mishap, received, replies) in outcomes {
      var line = Line()
      line.network.add(HTTPServer(host: "a.example"))
      line.openHTTP()
      line.network.plan(mishap, on: .http)
      line.post("1", at: .seconds(1))
      #expect(line.replies(until: .seconds(2)) == replies, "\(mishap)")
      #expect(line.network.received.count == received, "\(mishap)")
    }
  }

  @Test func aMishapWaitsForItsOccasion() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.openHTTP()
    line.network.plan(.loseRequest, on: .http, after: 2)
    for second in 1...4 { line.post("\(second)", at: .seconds(second)) }
    _ = line.replies(until: .seconds(5))
    #expect(line.network.received.map(\.text) == ["1", "2", "4"])
  }

  @Test func connectsFailWithTheirReason() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.network.add(HTTPServer(host: "s.example", port: 443, usesTLS: true))
    let urls: [(String, NetworkFailure)] = [
      ("http://nowhere.example", .noSuchHost), ("http://a.example:81", .refused),
      ("http://s.example:443", .tls), ("ftp://a.example", .noSuchHost),
    ]
    for (id, entry) in urls.enumerated() {
      line.network.take(.httpConnect(id: id, url: entry.0), at: .seconds(id))
      #expect(line.replies(until: .seconds(id) + .milliseconds(900)) == [.httpFailed(id: id, entry.1)], "\(entry.0)")
    }
    line.network.plan(.refuse(.timedOut), on: .http)
    line.network.take(.httpConnect(id: 9, url: "http://a.example"), at: .seconds(10))
    #expect(line.replies(until: .seconds(39)).isEmpty)
    #expect(line.replies(until: .seconds(41)) == [.httpFailed(id: 9, .timedOut)])
  }

  @Test func anOutageHoldsWhatIsOnItsWayAndBreaksWhatWaitsTooLong() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.openHTTP()
    line.network.addOutage(from: .seconds(1), until: .seconds(61))
    line.post("1", at: .seconds(2))
    let answers = line.answers(until: .seconds(70))
    #expect(answers.map(\.at) == [.seconds(61) + .milliseconds(50)])
    #expect(line.network.received.map(\.time) == [.seconds(61)])

    line.network.addOutage(from: .seconds(100), until: .seconds(1000))
    line.post("2", at: .seconds(101))
    #expect(line.replies(until: .seconds(1100)) == [.httpClosed(id: 1)])
    #expect(line.network.received.count == 1)
  }

  @Test func connectingDuringAnOutageTimesOut() {
    var line = Line()
    line.network.add(SocketServer(host: "10.0.0.5", port: 1))
    line.network.addOutage(from: .zero, until: .seconds(60))
    line.network.take(.openSocket(id: 1, isUDP: false, host: "10.0.0.5", port: 1, usesTLS: false), at: .seconds(1))
    #expect(line.replies(until: .seconds(32)) == [.refused(id: 1, .timedOut)])
  }

  @Test func aKeptOpenHTTPConnectionClosesWhenIdle() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example", closesIdleAfter: .seconds(5)))
    line.openHTTP()
    line.post("1", at: .seconds(4))
    let answers = line.answers(until: .seconds(30))
    #expect(answers.count == 2)
    #expect(answers.last?.reply == .httpClosed(id: 1))
    #expect(answers.last.map { $0.at >= .seconds(9) && $0.at <= .seconds(10) } == true)
    line.post("2", at: .seconds(31))
    #expect(line.replies(until: .seconds(40)).isEmpty)
  }

  @Test func linesOfATCPServerAreAcknowledgedHoweverTheyAreCut() {
    let text = Array("seq=1 a\r\n{\"sequence\":22}\nnothing\n3,4\n".utf8)
    for size in 1...text.count {
      var line = Line()
      line.network.add(SocketServer(host: "10.0.0.5", port: 1))
      line.network.take(.openSocket(id: 1, isUDP: false, host: "10.0.0.5", port: 1, usesTLS: false), at: .zero)
      for start in stride(from: 0, to: text.count, by: size) {
        line.network.take(.send(id: 1, bytes: Array(text[start..<min(start + size, text.count)])), at: .seconds(1))
      }
      var answer: [UInt8] = []
      var sent = 0
      for reply in line.replies(until: .seconds(9)) {
        if case .received(_, let bytes) = reply { answer += bytes }
        if case .sent(_, let count) = reply { sent += count }
      }
      #expect(String(decoding: answer, as: UTF8.self) == "ACK 1\nACK 22\nACK 3\n")
      #expect(sent == text.count)
      #expect(line.network.received.map(\.text) == ["seq=1 a", "{\"sequence\":22}", "nothing", "3,4"])
    }
  }

  @Test func bytesSentBeforeClosingStillArrive() {
    var line = Line()
    line.network.add(SocketServer(host: "10.0.0.5", port: 1))
    line.network.take(.openSocket(id: 1, isUDP: false, host: "10.0.0.5", port: 1, usesTLS: false), at: .zero)
    _ = line.replies(until: .seconds(1))
    line.network.take(.send(id: 1, bytes: Array("5\n".utf8)), at: .seconds(1))
    line.network.take(.closeSocket(id: 1), at: .seconds(1))
    #expect(line.replies(until: .seconds(9)).isEmpty)
    #expect(line.network.received.map(\.text) == ["5"])
  }

  @Test func theBrokerKeepsMessagesForAClientThatIsAway() {
    var line = Line()
    line.network.add(MQTTBroker(host: "b.example"))
    line.openMQTT(1, at: .zero)
    line.network.take(.mqttSubscribe(id: 1, message: 1, topic: "a/+/c", qos: 1), at: .seconds(1))
    #expect(line.replies(until: .seconds(2)) == [.mqttConnected(id: 1), .mqttAcknowledged(id: 1, message: 1)])
    line.network.take(.mqttDisconnect(id: 1), at: .seconds(2))
    line.network.publish([1], to: "a/b/c", at: .seconds(3))
    line.network.publish([2], to: "a/b/d", at: .seconds(3))
    line.openMQTT(2, at: .seconds(4))
    #expect(
      line.replies(until: .seconds(5))
        == [.mqttConnected(id: 2), .mqttMessage(id: 2, topic: "a/b/c", payload: [1])])
    line.network.take(.mqttDisconnect(id: 2), at: .seconds(6))
    line.openMQTT(3, clean: true, at: .seconds(7))
    line.network.publish([3], to: "a/b/c", at: .seconds(8))
    #expect(line.replies(until: .seconds(9)) == [.mqttConnected(id: 3)])
  }

  @Test func theBrokerPublishesTheWillOfAClientThatVanished() {
    let will = MQTTWill(topic: "gone", payload: Array("x".utf8))
    var line = Line()
    line.network.add(MQTTBroker(host: "b.example"))
    line.openMQTT(1, client: "watcher", at: .zero)
    line.network.take(.mqttSubscribe(id: 1, message: 1, topic: "#", qos: 0), at: .seconds(1))
    line.openMQTT(2, will: will, at: .seconds(1))
    _ = line.replies(until: .seconds(2))
    line.network.take(.mqttDisconnect(id: 2), at: .seconds(2))
    #expect(line.replies(until: .seconds(60)).isEmpty, "a goodbye leaves no will")
    line.openMQTT(3, will: will, at: .seconds(60))
    line.network.plan(.dropAfterHandling, on: .mqtt)
    _ = line.replies(until: .seconds(61))
    line.network.take(
      .mqttPublish(id: 3, message: 1, topic: "t", payload: [], qos: 1, isRetained: false), at: .seconds(61))
    let replies = line.replies(until: .seconds(90))
    #expect(replies.contains(.mqttClosed(id: 3)))
    #expect(replies.contains(.mqttMessage(id: 1, topic: "gone", payload: Array("x".utf8))))
  }

  @Test func anOutageLongerThanTheKeepAliveEndsTheSession() {
    for (length, isDropped) in [(14, false), (15, true)] {
      var line = Line()
      line.network.add(MQTTBroker(host: "b.example"))
      line.openMQTT(1, at: .zero)
      _ = line.replies(until: .seconds(1))
      line.network.addOutage(from: .seconds(2), until: .seconds(2 + length))
      #expect(line.replies(until: .seconds(30)) == (isDropped ? [.mqttClosed(id: 1)] : []))
    }
  }

  @Test func aSecondClientOfTheSameNameTakesTheSessionOver() {
    var line = Line()
    line.network.add(MQTTBroker(host: "b.example"))
    line.openMQTT(1, at: .zero)
    _ = line.replies(until: .seconds(1))
    line.openMQTT(2, at: .seconds(1))
    let replies = line.replies(until: .seconds(2))
    #expect(replies.contains(.mqttClosed(id: 1)))
    #expect(replies.contains(.mqttConnected(id: 2)))
  }

  @Test func aBrokerChecksThePassword() {
    var line = Line()
    line.network.add(MQTTBroker(host: "b.example", user: "u", password: "p"))
    for (id, password) in ["p", "q"].enumerated() {
      let settings = MQTTConnectRequest(host: "b.example", clientID: "c\(id)", user: "u", password: password)
      line.network.take(.mqttConnect(id: id, settings), at: .zero)
    }
    #expect(line.replies(until: .seconds(1)) == [.mqttConnected(id: 0), .mqttRefused(id: 1, .refused)])
  }

  @Test func retainedMessagesWaitForSubscribers() {
    var line = Line()
    line.network.add(MQTTBroker(host: "b.example", acknowledgementSuffix: "/ack"))
    line.network.publish([9], to: "cmd/1", isRetained: true, at: .zero)
    line.openMQTT(1, at: .seconds(1))
    line.network.take(.mqttSubscribe(id: 1, message: 1, topic: "cmd/#", qos: 1), at: .seconds(2))
    #expect(line.replies(until: .seconds(3)).last == .mqttMessage(id: 1, topic: "cmd/1", payload: [9]))
    line.network.take(
      .mqttPublish(id: 1, message: 2, topic: "cmd", payload: Array("seq=5".utf8), qos: 0, isRetained: false),
      at: .seconds(4))
    let replies = line.replies(until: .seconds(5))
    #expect(replies.contains(.mqttAcknowledged(id: 1, message: 2)))
    #expect(replies.contains(.mqttMessage(id: 1, topic: "cmd/ack", payload: Array("ACK 5".utf8))))
  }

  @Test func namesTimesAndMessagesAreAnswered() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.network.take(.resolve(id: 1, host: "a.example"), at: .zero)
    line.network.take(.resolve(id: 2, host: "b.example"), at: .zero)
    line.network.take(.networkTime(id: 3, host: "t"), at: .zero)
    line.network.take(.sms(id: 4, to: "+46", text: "hej"), at: .zero)
    let time = line.network.utcTimeAtZero + .milliseconds(100)
    #expect(
      line.replies(until: .seconds(1))
        == [
          .resolved(id: 1, address: "203.0.113.1"), .unresolved(id: 2), .time(id: 3, time),
          .smsAccepted(id: 4, reference: 1),
        ])
    line.network.smsRefusalCode = 42
    line.network.take(.sms(id: 5, to: "+46", text: "hej"), at: .seconds(2))
    #expect(line.replies(until: .seconds(3)) == [.smsRefused(id: 5, code: 42)])
    #expect(line.network.received.filter { $0.channel == .sms }.map(\.text) == ["hej"])
  }

  @Test func aMessageIsReportedAfterItWasTakenUnlessTheReportIsKeptBack() {
    var line = Line()
    func sent(_ id: Int, at now: Instant) -> [NetworkReply] {
      line.network.take(.sms(id: id, to: "+46", text: "hej", wantsReport: true), at: now)
      return line.replies(until: now + .seconds(5))
    }
    func report(_ reference: Int, at now: Instant, status: Int = 0) -> NetworkReply {
      let time = line.network.utcTimeAtZero + (now - .zero)
      return .smsReported(
        id: reference,
        MessageReport(reference: reference, to: "+46", sent: time, done: time + .milliseconds(200), status: status))
    }
    #expect(sent(1, at: .zero) == [.smsAccepted(id: 1, reference: 1), report(1, at: .zero)])
    line.network.smsReportStatus = 65
    #expect(
      sent(2, at: .seconds(10)) == [.smsAccepted(id: 2, reference: 2), report(2, at: .seconds(10), status: 65)])
    // The message itself is the first occasion, its report the second.
    line.network.plan(.loseAnswer, on: .sms, after: 1)
    #expect(sent(3, at: .seconds(20)) == [.smsAccepted(id: 3, reference: 3)])
  }

  @Test func theSameSeedGivesTheSameWorldAndAnotherSeedAnother() {
    func run(_ seed: UInt64) -> [Instant] {
      var line = Line()
      line.network = VirtualNetwork(seed: seed)
      line.network.add(HTTPServer(host: "a.example"))
      line.network.setChance(of: .loseAnswer, on: .http, perMille: 300)
      line.network.take(.httpConnect(id: 1, url: "http://a.example"), at: .zero)
      _ = line.replies(until: .seconds(5))
      for second in 10..<60 { line.post("\(second)", at: .seconds(second)) }
      return line.answers(until: .seconds(100)).map(\.at)
    }
    #expect(run(3) == run(3))
    #expect(run(3) != run(4))
    #expect((20...49).contains(run(3).count), "about 35 of 50 answers arrive")
  }

  @Test func whatIsForgottenHearsNothing() {
    var line = Line()
    line.network.add(HTTPServer(host: "a.example"))
    line.openHTTP()
    line.post("1", at: .seconds(1))
    line.network.abandonConnections(at: .seconds(1))
    #expect(line.replies(until: .seconds(9)).isEmpty)
  }
}
