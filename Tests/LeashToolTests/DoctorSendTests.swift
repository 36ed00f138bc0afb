import LinuxRuntime
import Quantities
import SIM7000
import ServerSupport
import Telemetry
import Testing
import Uplinks

@testable import LeashTool

private func sent(_ uplinks: UplinkSettings...) -> [Finding] {
  var configuration = BoardConfiguration()
  configuration.uplinks = uplinks
  return DoctorCheck.sending.run(DoctorCase(DoctorMachine.this, configuration))
}

private func http(_ server: HTTPServer) -> UplinkSettings {
  var settings = HTTPSettings()
  settings.url = "http://127.0.0.1:\(server.port)/pub"
  return .http(settings)
}

@Test func onePacketGoesAndTheServersAnswerIsTold() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "{\"saved\":1}") }
  let found = sent(http(server))
  #expect(found.map(\.state) == [.ok])
  #expect(found[0].found.contains("accepted the packet") && found[0].found.contains("saved"), "\(found[0].found)")
  let requests = server.requests
  #expect(requests.count == 1)
  let text = try #require(requests.first).text
  #expect(text.contains("\"sequence\":0,") && text.contains("\"latitude\":null"), "no place is made up: \(text)")
}

/// Whoever has only a modem has a test, too; the tracker's messages and the topics of its requests are not touched.
@Test func onePacketGoesOverTheModemAsTheBoardSendsIt() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "{}") }
  let modem = try ModemOnPort()
  var settings = ModemSettings()
  settings.port = modem.path
  let address = ServerAddress(string: "http://127.0.0.1:\(server.port)")
  settings.driver.httpServer = try #require(address)
  var configuration = BoardConfiguration()
  configuration.modem = settings
  configuration.uplinks = [.modem]
  // A running tracker has the port.
  let running = DoctorCheck.sending.run(
    DoctorCase(DoctorMachine.this, configuration, tracker: .hidden(owner: "leash")))
  #expect(running.map(\.state) == [.warn] && running[0].found.contains("running tracker uses the modem"))
  #expect(server.bodies.isEmpty)
  let found = DoctorCheck.sending.run(DoctorCase(DoctorMachine.this, configuration))
  #expect(
    found.map(\.state) == [.ok] && found[0].found.contains("\(modem.path) by http: accepted the packet"), "\(found)")
  #expect(server.bodies.count == 1 && server.bodies[0].contains("\"latitude\":null"))
}

@Test(arguments: [
  (PacketFormat.json, "", true, ""), (.json, "{\"id\":1}", true, "answers '"), (.json, "OK", true, "answers 'OK'"),
  (.json, "locate", true, "answers 'locate', which is a request"), (.text, "[]", true, "answers '[]'"),
  (.json, "hello there", false, "is not known: 11 bytes, 'hello there'"),
  (.json, "<!DOCTYPE html><html><body>Log in</body></html>", false, "answers with a web page: '<!DOCTYPE html>"),
  (.ownTracks, "[]", true, "answers '[]', nothing asked for"), (.ownTracks, "{\"message\":\"ok\"}", true, "answers"),
  (.ownTracks, "ok", false, "is not known: 2 bytes, 'ok'"), (.osmAnd, "locate", true, "which is a request"),
  (.osmAnd, "Setting location for bike42", true, "answers"), (.osmAnd, "{}", false, "is not known: 2 bytes"),
  (.traccar, "fine", false, "is not known: 4 bytes, 'fine'"),
])
func ofEachFormatItIsToldWhetherServersAnswerThat(format: PacketFormat, answer: String, isKnown: Bool, words: String) {
  let said = ServerAnswer(Array(answer.utf8), isWhole: true, to: format)
  #expect(said.isKnown == isKnown && (words.isEmpty ? said.words.isEmpty : said.words.contains(words)), "\(said)")
  #expect(said.advice.contains(ServerAnswer.expected(format)) != isKnown)
}

@Test func bytesThatAreNoTextAreToldWithTheirFirst() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "\u{1}\u{2}PK\u{3}\u{7F}") }
  let found = sent(http(server))
  #expect(found.map(\.state) == [.warn], "\(found)")
  #expect(found[0].found.contains("accepted the packet") && found[0].found.contains("no text: 6 bytes, '..PK..'"))
  let said = ServerAnswer([0xFF, 0xFE, 0x41], isWhole: true, to: .json)
  #expect(!said.isKnown && said.words.contains("no text: 3 bytes, '..A'"), "\(said)")
}

@Test func anAnswerWithoutAnEndIsToldAsSuch() throws {
  let server = try HTTPServer { _, _ in .status(200, body: String(repeating: "a", count: 100_000)) }
  let found = sent(http(server))
  #expect(found.map(\.state) == [.warn], "\(found)")
  #expect(found[0].found.contains("does not end: 4096 bytes were read, 'aaaa"), "\(found[0].found)")
  #expect(found[0].advice?.contains("JSON, 'ok', a request, or nothing") == true)
}

/// Friends have pictures: an OwnTracks recorder answers more than is read.
@Test func aLongListIsAnAnswerOfOwnTracksAndOfNoOther() {
  let list = Array("[\(String(repeating: "{\"_type\":\"card\",\"face\":\"aaaaé\"},", count: 200))".utf8.prefix(4096))
  for (format, isKnown) in [
    (PacketFormat.ownTracks, true), (.ownTracksCompact, true), (.json, false), (.osmAnd, false),
  ] {
    let said = ServerAnswer(list, isWhole: false, to: format)
    #expect(said.isKnown == isKnown, "\(format): \(said)")
    if isKnown { #expect(said.words == ", and answers a list of 4096 bytes or more") }
  }
}

@Test func ofTwoUplinksToOneServerItIsToldWhichIsMeant() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "") }
  var second = http(server)
  second.format = .traccar
  let names = sent(http(server), second).map { $0.found.prefix { $0 != ")" } }
  #expect(names == (0...1).map { "http 127.0.0.1:\(server.port) (uplinks[\($0)]" }, "\(names)")
}

@Test func whatIsEncryptedIsEncryptedInATrialToo() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "[]") }
  var way = http(server)
  way.format = .ownTracks
  way.encryptionKey = Secret("a key of the owner")
  let found = sent(way)
  #expect(found.map(\.state) == [.ok], "\(found)")
  // Who can't open it answers so, too.
  #expect(found[0].found.contains("nothing in the answer says whether the server has the same key"), "\(found)")
  let text = try #require(server.requests.first).text
  #expect(text.contains("\"_type\":\"encrypted\"") && !text.contains("\"status\""), "\(text)")
}

@Test func whatAServerRefusesIsAFailureWithItsReason() throws {
  let server = try HTTPServer { _, _ in .status(403, body: "who are you") }
  let found = sent(http(server))
  #expect(found.map(\.state) == [.fail] && found[0].found.contains("403"), "\(found)")
}

@Test(arguments: [400, 404, 413, 500])
func whatAServerSaysWithAStatusIsShownOnOneLine(status: Int) throws {
  let server = try HTTPServer { _, _ in .status(status, body: "unknown\n device: bike-42") }
  let found = sent(http(server))
  #expect(found.map(\.state) == [.fail], "\(found)")
  #expect(found[0].found.contains("answers 'unknown device: bike-42'"), "\(found[0].found)")
}

@Test func aTrialTellsTraccarNothingThatOnlyTheTrackerKnows() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "") }
  var way = http(server)
  way.format = .osmAnd
  #expect(sent(way).map(\.state) == [.ok])
  let text = try #require(server.requests.first).text
  #expect(text.contains("event=status") && text.contains("reason=asked"), "\(text)")
  for name in ["motion", "odometer", "armed", "alertsEnabled"] { #expect(!text.contains("&\(name)="), "\(text)") }
}

@Test func aTrialTellsTraccarNothingInItsJSONEither() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "") }
  var way = http(server)
  way.format = .traccar
  #expect(sent(way).map(\.state) == [.ok])
  let text = try #require(server.requests.first).text
  #expect(text.contains("\"reason\":\"asked\"") && !text.contains(",,") && !text.contains("{,"), "\(text)")
  for name in ["is_moving", "odometer", "armed", "alertsEnabled"] { #expect(!text.contains(name), "\(text)") }
}

@Test func ofSeveralBrokersTheOneThatAnswersIsTold() throws {
  guard let broker = try MosquittoServer() else { return }
  var settings = MQTTSettings()
  settings.host = "127.0.0.1"
  // Nobody listens there.
  settings.port = 1
  settings.others = [MQTTHost(name: "127.0.0.1", port: broker.port)]
  let found = sent(.mqtt(settings))
  #expect(found.map(\.state) == [.ok], "\(found)")
  #expect(found[0].found.hasPrefix("mqtt 127.0.0.1:\(broker.port): accepted") && found[0].found.contains("127.0.0.1:1"))
}

@Test func ofSeveralWebServersTheOneThatAnswersIsTold() throws {
  let server = try HTTPServer { _, _ in .status(200, body: "") }
  var settings = HTTPSettings()
  settings.url = "http://127.0.0.1:1/pub"
  settings.otherURLs = ["http://127.0.0.1:\(server.port)/pub"]
  let found = sent(.http(settings))
  #expect(found.map(\.state) == [.ok] && server.requests.count == 1, "\(found)")
  #expect(found[0].found.hasPrefix("http 127.0.0.1:\(server.port)") && found[0].found.contains("127.0.0.1:1"))
}

@Test func aFormThatNeedsAPlaceSendsNothing() throws {
  let server = try HTTPServer()
  var way = http(server)
  way.format = .minimal
  let found = sent(way)
  #expect(found.map(\.state) == [.warn] && found[0].found.contains("minimal") && server.requests.isEmpty)
}

/// Its answer to a packet without a place is 422, which is no fault of the configuration.
@Test func homeAssistantsWebhookIsSentNoTrial() throws {
  let server = try HTTPServer { _, _ in .status(422, body: "required key not provided @ data['lat']") }
  var settings = HTTPSettings()
  settings.url = "http://127.0.0.1:\(server.port)/api/webhook/abc"
  settings.usesAddress = true
  var way = UplinkSettings.http(settings)
  way.format = .osmAnd
  let found = sent(way)
  #expect(found.map(\.state) == [.warn] && server.requests.isEmpty, "\(found)")
  #expect(found[0].found.contains("takes no packet without a position"), "\(found)")
}

/// With MQTT 3.1.1 a broker acknowledges what its access list does not let in, too.
@Test(arguments: [
  ("topic write leash/#\n", false), ("topic read leash/#\n", false), ("topic readwrite leash/#\n", true),
])
func whatABrokerDoesNotGiveBackIsNotSaidToBeThere(list: String, isBack: Bool) throws {
  var access = MosquittoServer.Settings()
  access.accessList = list
  guard let broker = try MosquittoServer(access) else { return }
  var settings = MQTTSettings()
  settings.host = "127.0.0.1"
  settings.port = broker.port
  settings.commandTopic = "leash/command"
  let found = sent(.mqtt(settings))
  #expect(found.map(\.state) == [isBack ? .ok : .warn], "\(found)")
  #expect(found[0].found.contains(isBack ? "and gives it back" : "may still have denied it"), "\(found)")
}

/// It closes the connection at a message that is to be kept, so the tracker could deliver nothing.
@Test func aBrokerThatKeepsNoMessagesIsFoundWhereSomeAreToBeKept() throws {
  var own = MosquittoServer.Settings()
  own.keepsMessages = false
  guard let broker = try MosquittoServer(own) else { return }
  var settings = MQTTSettings()
  settings.host = "127.0.0.1"
  settings.port = broker.port
  for (isRetained, isAnnounced) in [(false, false), (true, false), (false, true)] {
    settings.isRetained = isRetained
    settings.announcement = isAnnounced ? MQTTAnnouncement() : nil
    let found = sent(.mqtt(settings))
    #expect(found.map(\.state) == [isRetained || isAnnounced ? .fail : .ok], "\(found)")
    guard isRetained || isAnnounced else { continue }
    #expect(found[0].found.contains("closes the connection at one that it is to keep"), "\(found)")
    #expect(found[0].advice?.contains("retain_available true") == true)
    #expect(found[0].advice?.contains("retain: false") == isRetained)
  }
}

@Test func theTopicOnWhichATrialWentIsTold() throws {
  guard let broker = try MosquittoServer() else { return }
  var settings = MQTTSettings()
  settings.host = "127.0.0.1"
  settings.port = broker.port
  settings.topic = "owntracks/me/bike"
  var way = UplinkSettings.mqtt(settings)
  way.format = .ownTracks
  let found = sent(way)
  #expect(found.map(\.state) == [.ok] && found[0].found.contains("'owntracks/me/bike/status'"), "\(found)")
}

@Test func aBrokerKeepsNothingOfTheTrial() throws {
  guard let broker = try MosquittoServer() else { return }
  var settings = MQTTSettings()
  settings.host = "127.0.0.1"
  settings.port = broker.port
  settings.topic = "trial/packet"
  settings.isRetained = true
  var modem = ModemSettings()
  let port = try ModemOnPort()
  modem.port = port.path
  modem.transport = .mqtt
  modem.isRetained = true
  let host = ServerAddress(string: "127.0.0.1")
  let topic = TopicName(string: "trial/modem")
  modem.driver.mqttHost = try #require(host)
  modem.driver.mqttPort = broker.port
  modem.driver.mqttTopic = try #require(topic)
  modem.driver.mqttAvailabilityTopic = try #require(TopicName(string: "trial/available"))
  var configuration = BoardConfiguration()
  configuration.modem = modem
  configuration.uplinks = [.mqtt(settings), .modem]
  let found = DoctorCheck.sending.run(DoctorCase(DoctorMachine.this, configuration))
  #expect(found.map(\.state) == [.ok, .ok], "\(found)")
  #expect(found[0].found.contains("'trial/packet'") && found[1].found.contains("by mqtt: accepted"))
  let visitor = try MQTTVisitor(settings, as: "-test", within: .seconds(5))
  defer { visitor.leave() }
  #expect(visitor.listen(to: ["trial/#"], for: .milliseconds(500)).isEmpty)
}
