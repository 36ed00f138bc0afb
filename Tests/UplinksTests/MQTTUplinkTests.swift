import Delivery
import Foundation
import LinuxDevices
import Quantities
import ServerSupport
import Telemetry
import Testing

@testable import Uplinks

/// MQTT against a real mosquitto.
@Suite struct MQTTUplinkTests {
  private func settings(_ broker: MosquittoServer, _ client: String = "leash-1") -> MQTTSettings {
    var settings = MQTTSettings()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    settings.clientID = client
    settings.topic = "leash/1"
    return settings
  }

  private func quick() -> MQTTLimits {
    var limits = MQTTLimits()
    limits.connect = .milliseconds(400)
    limits.acknowledgement = .milliseconds(400)
    return limits
  }

  /// A way whose pauses are a twentieth as long.
  private func impatient(_ broker: MosquittoServer, _ limits: MQTTLimits = MQTTLimits()) -> MQTTUplink {
    let uplink = MQTTUplink(settings(broker), limits: limits, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    return uplink
  }

  @Test func aPacketIsDeliveredWhenTheBrokerHasIt() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let way = try RunningUplink(MQTTUplink(settings(broker), seed: 1))
    way.take(1)
    way.take(2, .movement)
    way.turns { way.delivered.count == 2 }
    // Both waited for the connection: the alert goes first.
    #expect(way.delivered == [2, 1])
    #expect(way.uplink.state == .open)
    way.turns { watcher.messages.count == 2 }
    #expect(watcher.messages.map(\.text) == ["packet 2", "packet 1"])
    #expect(watcher.messages.allSatisfy { $0.topic == "leash/1" })
  }

  @Test func aPacketIsOnTheSocketWhenTakeReturns() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let way = try RunningUplink(MQTTUplink(settings(broker), seed: 1))
    way.turns { way.isOpen }
    var longest = Interval.zero
    for number in UInt32(1)...100 {
      let start = MonotonicClock.now
      way.take(number, .movement)
      let taken = MonotonicClock.now - start
      longest = max(longest, taken)
      // The loop is not turned: what is not sent by now does not come.
      #expect(watcher.wait(forMessages: Int(number)))
      way.turns { way.delivered.count == Int(number) }
    }
    #expect(way.states.filter { $0 == .open }.count == 1)
    // Usually 20 µs; the limit leaves room for a machine that does other things.
    print("mqtt take: longest of 100 \(longest.microseconds) µs")
    #expect(longest < .milliseconds(50))
  }

  @Test func aPacketTakenAgainWhileItIsUnderWayIsPublishedOnce() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let way = try RunningUplink(MQTTUplink(settings(broker), seed: 1))
    way.take(5)
    way.take(5)
    way.turns { way.isOpen }
    way.take(5)
    way.take(6)
    way.turns { way.delivered == [5, 6] && watcher.messages.count == 2 }
    #expect(watcher.messages.map(\.text) == ["packet 5", "packet 6"])
  }

  @Test func aForgottenPacketIsNotSent() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    let way = try RunningUplink(MQTTUplink(settings(broker), seed: 1))
    way.take(1)
    way.take(2)
    way.uplink.forget(1, way: 0)
    way.turns { way.delivered == [2] }
    way.turns { watcher.messages.map(\.text) == ["packet 2"] }
  }

  @Test func aBrokerThatIsKilledAndComesBackGetsEverything() throws {
    guard let broker = try MosquittoServer() else { return }
    let way = try RunningUplink(impatient(broker))
    way.turns { way.isOpen }
    broker.kill()
    way.turns { way.failure != nil }
    for number in UInt32(1)...20 { way.take(number, number == 20 ? .movement : .location) }
    // A try that fails while nobody is there.
    way.turns { way.failure == "connection refused" }
    try broker.start()
    way.turns { way.delivered.count == 20 }
    #expect(way.delivered.first == 20)
    #expect(Set(way.delivered) == Set(1...20))
    #expect(way.uplink.facts.contains { $0 == ("connections", "2") })
  }

  @Test func aBrokerThatHangsIsLeftAndTheRestIsSentAgain() throws {
    guard let broker = try MosquittoServer() else { return }
    let way = try RunningUplink(impatient(broker, quick()))
    way.turns { way.isOpen }
    broker.pause()
    way.take(1, .movement)
    way.turns { way.failure == "the broker does not acknowledge" }
    way.turns { way.failure == "connected, but the broker does not answer" }
    #expect(way.delivered == [])
    broker.resume()
    way.turns { way.delivered == [1] }
    #expect(way.isOpen)
  }

  @Test func whatIsUnderWayWhenTheBrokerDiesIsSentAgainByTheNextConnection() throws {
    guard let broker = try MosquittoServer() else { return }
    let way = try RunningUplink(impatient(broker))
    way.turns { way.isOpen }
    broker.pause()
    for number in UInt32(1)...5 { way.take(number) }
    broker.kill()
    way.turns { way.failure != nil }
    way.take(3)
    try broker.start()
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    way.turns { way.delivered == [1, 2, 3, 4, 5] }
    #expect(way.uplink.facts.contains { $0 == ("published", "5") })
  }

  @Test func aWrongPasswordIsOneClearLineAndIsTriedSlowly() throws {
    var set = MosquittoServer.Settings()
    set.users = [("bike", "right")]
    guard let broker = try MosquittoServer(set) else { return }
    var wrong = settings(broker)
    wrong.user = "bike"
    wrong.password = Secret("wrong")
    let way = try RunningUplink(MQTTUplink(wrong, seed: 1))
    way.take(1, .movement)
    way.turns { way.failure != nil }
    #expect(way.failure == "the broker refused the connection: not authorised; check user and password")
    let retry = try #require(way.uplink.nextDeadline)
    #expect(retry - MonotonicClock.now > .seconds(50))
    #expect(!"\(way.states) \(way.uplink.facts) \(way.uplink.name)".contains("wrong"))
    var right = wrong
    right.password = Secret("right")
    let other = try RunningUplink(MQTTUplink(right, seed: 1))
    other.take(1)
    other.turns { other.delivered == [1] }
  }

  @Test func requestsComeAndThoseSentWhileItWasAwayComeLater() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    var set = settings(broker)
    set.commandTopic = "leash/1/cmd"
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    way.turns { way.isOpen }
    way.take(1)
    // The subscription was asked for before the packet.
    way.turns { way.delivered == [1] }
    watcher.publish("arm", to: "leash/1/cmd")
    way.turns { way.requests == ["arm"] }
    way.uplink.stop()
    watcher.publish("disarm", to: "leash/1/cmd")
    way.turns { watcher.messages.contains { $0.text == "disarm" } }
    let later = try RunningUplink(MQTTUplink(set, seed: 2))
    later.turns { later.requests == ["disarm"] }
  }

  @Test func aCleanStopPublishesNoWillAndALostClientDoes() throws {
    guard let broker = try MosquittoServer() else { return }
    let watcher = try MosquittoWatcher(port: broker.port)
    defer { watcher.stop() }
    var set = settings(broker)
    set.will = (topic: "leash/1/will", payload: "lost")
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    way.take(1)
    way.turns { way.delivered == [1] }
    let start = MonotonicClock.now
    way.uplink.stop()
    #expect(MonotonicClock.now - start < .milliseconds(200))
    // One that is gone without goodbye, as after a power cut.
    let mailbox = try Mailbox<MQTTConnection>()
    var lost = MosquittoClient(set)
    #expect(lost?.connect(set, mailbox: mailbox) == true)
    #expect(turn(way.loop) { !mailbox.takeAll().isEmpty })
    #expect(
      turn(way.loop) {
        _ = lost?.process(.reading)
        return lost?.takeEvents().isEmpty == false
      })
    lost = nil
    way.turns { watcher.messages.contains { $0.text == "lost" } }
    #expect(watcher.messages.filter { $0.text == "lost" }.count == 1)
  }

  @Test func tlsWithItsOwnAuthorityWorksAndOthersAreToldApart() throws {
    guard let certificate = try ServerCertificate(), let other = try ServerCertificate() else { return }
    var set = MosquittoServer.Settings()
    set.certificate = certificate
    guard let broker = try MosquittoServer(set) else { return }
    var trusted = settings(broker)
    trusted.host = "localhost"
    trusted.tls = TLSSettings()
    trusted.tls?.authorityFile = certificate.authorityPath
    let uplink = MQTTUplink(trusted, seed: 1)
    uplink.backOff.unit = .milliseconds(50)
    let way = try RunningUplink(uplink)
    way.take(1)
    way.turns { way.delivered == [1] }
    // Also on the connection after it.
    broker.kill()
    way.turns { way.failure == "the connection was closed" || way.failure == "connection refused" }
    way.take(2)
    try broker.start()
    way.turns { way.delivered == [1, 2] }
    var strange = trusted
    strange.clientID = "leash-2"
    strange.tls?.authorityFile = other.authorityPath
    let refused = try RunningUplink(MQTTUplink(strange, seed: 1))
    refused.turns { refused.failure != nil }
    #expect(
      refused.failure
        == "the broker's certificate is not trusted; check the authority file, the name and the clock")
    // The same certificate under a name that it is not for.
    var misnamed = trusted
    misnamed.clientID = "leash-3"
    misnamed.host = "127.0.0.1"
    let mistaken = try RunningUplink(MQTTUplink(misnamed, seed: 1))
    mistaken.turns { mistaken.failure != nil }
    #expect(mistaken.failure == "the broker's certificate is for another name")
    var plain = trusted
    plain.clientID = "leash-4"
    plain.tls = nil
    let deaf = try RunningUplink(MQTTUplink(plain, seed: 1))
    deaf.turns { deaf.failure != nil }
    var unchecked = misnamed
    unchecked.clientID = "leash-5"
    unchecked.tls?.authorityFile = nil
    unchecked.tls?.verifiesServer = false
    let trusting = try RunningUplink(MQTTUplink(unchecked, seed: 1))
    trusting.turns { trusting.isOpen }
  }

  @Test func aBrokerThatAsksForACertificateGetsIt() throws {
    guard let certificate = try ServerCertificate() else { return }
    var set = MosquittoServer.Settings()
    set.certificate = certificate
    set.asksForCertificate = true
    guard let broker = try MosquittoServer(set) else { return }
    var own = settings(broker)
    own.host = "localhost"
    own.tls = TLSSettings()
    own.tls?.authorityFile = certificate.authorityPath
    let without = try RunningUplink(MQTTUplink(own, seed: 1))
    without.turns { without.failure != nil }
    own.tls?.certificateFile = certificate.path
    own.tls?.keyFile = certificate.keyPath
    let with = try RunningUplink(MQTTUplink(own, seed: 1))
    with.take(1)
    with.turns { with.delivered == [1] }
  }

  @Test func aCertificateFileThatIsNotThereFailsAtTheStart() throws {
    var set = MQTTSettings()
    set.tls = TLSSettings()
    set.tls?.authorityFile = "/nowhere/authority.pem"
    let loop = try EventLoop(clock: MachineClock())
    let uplink = MQTTUplink(set, seed: 1)
    let failure = #expect(throws: DeviceFailure.self) { try uplink.start(in: loop, at: MonotonicClock.now) }
    #expect(failure?.message == "/nowhere/authority.pem: open failed: No such file or directory")
  }

  @Test func aNameThatDoesNotExistAndAPortWhereNobodyIsAreTold() throws {
    var set = MQTTSettings()
    set.host = "127.0.0.1"
    set.port = try freeLoopbackPort()
    let way = try RunningUplink(MQTTUplink(set, seed: 1))
    way.turns { way.failure == "connection refused" }
    set.host = "no-such-host.invalid"
    let lost = try RunningUplink(MQTTUplink(set, seed: 1))
    lost.turns { lost.failure == "no such host: no-such-host.invalid" }
  }

  @Test func whatIsNoBrokerIsTold() throws {
    let server = try HTTPServer()
    var set = MQTTSettings()
    set.host = "127.0.0.1"
    set.port = server.port
    let way = try RunningUplink(MQTTUplink(set, limits: quick(), seed: 1))
    way.turns { way.failure != nil }
  }
}
