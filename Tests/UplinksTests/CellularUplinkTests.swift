import LinuxDevices
import ModemBridge
import Quantities
import SIM7000
import ServerSupport
import Telemetry
import Testing

@testable import Uplinks

/// The modem's driver on a real line, a modem behind it, and real servers behind that.
@Suite struct CellularUplinkTests {
  private func settings(_ path: String, http server: HTTPServer) throws -> ModemSettings {
    var settings = ModemSettings()
    settings.port = path
    let address = Array("http://127.0.0.1:\(server.port)".utf8)
    let server = ServerAddress(address.span)
    settings.driver.httpServer = try #require(server)
    return settings
  }

  @Test func aPacketReachesTheServerAndItsAnswerIsARequest() throws {
    let server = try HTTPServer { _, _ in .status(200, body: "arm") }
    let modem = try ModemOnPort()
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    way.turns(within: .seconds(60)) { way.delivered == [1] && way.requests == ["arm"] }
    #expect(server.bodies == ["packet 1"])
    #expect(way.isOpen)
    #expect(way.uplink.dialogue.contains { $0.isToModem && $0.text.hasPrefix("AT+SHREQ=") })
    #expect(way.uplink.dialogue.contains { !$0.isToModem && $0.text.hasPrefix("+SHREQ: \"POST\",200") })
    let facts = Dictionary(uniqueKeysWithValues: way.uplink.facts.map { ($0.name, $0.value) })
    #expect(facts["delivered"] == "1" && facts["phase"] == "running")
    #expect(facts["energy"]?.hasSuffix(" mAh") == true)
  }

  @Test func noTokenOfTheAddressIsInTheDialogue() throws {
    let server = try HTTPServer()
    let modem = try ModemOnPort()
    var settings = try settings(modem.path, http: server)
    settings.driver.httpPath = try #require(ModemText("/modem/TOKMODEM?k=QK77&u="))
    let way = try RunningUplink(CellularUplink(settings, clock: MachineClock(), seed: 1))
    way.take(1)
    way.turns(within: .seconds(60)) { way.delivered == [1] }
    #expect(server.requests.first?.path == "/modem/TOKMODEM?k=QK77&u=")
    let text = way.uplink.dialogue.map(\.text).joined(separator: "\n")
    #expect(text.contains("AT+SHREQ=\"/modem/***?***\",3") && !text.contains("TOKMODEM") && !text.contains("QK77"))
  }

  @Test func anAlertTakesThePlaceOfAReportThatIsNotSentYet() throws {
    let server = try HTTPServer()
    let modem = try ModemOnPort()
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    way.take(2)
    way.take(1)
    way.take(3, .movement)
    way.turns(within: .seconds(60)) { way.delivered.count == 3 }
    #expect(way.delivered == [3, 1, 2])
    #expect(server.bodies == ["packet 3", "packet 1", "packet 2"])
  }

  @Test func aForgottenPacketIsNotSent() throws {
    let server = try HTTPServer()
    let modem = try ModemOnPort()
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    way.take(2)
    way.uplink.forget(1, way: 0)
    way.turns(within: .seconds(60)) { way.delivered == [2] }
    #expect(server.bodies == ["packet 2"])
  }

  @Test func aBrokerGetsThePacketAndNoPasswordIsInTheDialogue() throws {
    var set = MosquittoServer.Settings()
    set.users = [("bikeuser", "verysecret")]
    guard let broker = try MosquittoServer(set) else { return }
    let watcher = try MosquittoWatcher(port: broker.port, user: "bikeuser", password: "verysecret")
    defer { watcher.stop() }
    let modem = try ModemOnPort()
    var settings = ModemSettings()
    settings.port = modem.path
    settings.transport = .mqtt
    settings.driver.mqttHost = try #require(ServerAddress("127.0.0.1"))
    settings.driver.mqttPort = broker.port
    settings.driver.mqttUser = try #require(Credential("bikeuser"))
    settings.driver.mqttPassword = try #require(Credential("verysecret"))
    let way = try RunningUplink(CellularUplink(settings, clock: MachineClock(), seed: 1))
    way.take(1)
    way.turns(within: .seconds(60)) { way.delivered == [1] && watcher.messages.count == 1 }
    #expect(watcher.messages.first?.text == "packet 1")
    let text = way.uplink.dialogue.map(\.text).joined(separator: "\n")
    #expect(text.contains("AT+SMCONF=\"PASSWORD\",***") && !text.contains("verysecret") && !text.contains("bikeuser"))
  }

  @Test func aPortThatIsMissingIsToldAndUsedOnceItIsThere() throws {
    let server = try HTTPServer()
    let folder = try ServerFolder()
    let path = folder.path + "/modem"
    let way = try RunningUplink(CellularUplink(settings(path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    #expect(way.failure?.hasPrefix("\(path): no such port") == true, "\(way.uplink.state)")
    let modem = try ModemOnPort(link: path)
    way.turns(within: .seconds(60)) { way.delivered == [1] }
    #expect(modem.path == path)
  }

  @Test func aModemThatIsUnpluggedAndPluggedInAgainGetsTheRest() throws {
    let server = try HTTPServer()
    let folder = try ServerFolder()
    let path = folder.path + "/modem"
    let first = try ModemOnPort(link: path)
    let way = try RunningUplink(CellularUplink(settings(path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    way.turns(within: .seconds(60)) { way.uplink.dialogue.count > 4 }
    first.unplug()
    way.turns { way.failure != nil }
    #expect(
      way.states.contains {
        if case .failed(let reason, _) = $0 { reason.contains("lost while in use") } else { false }
      })
    way.take(2, .movement)
    let second = try ModemOnPort(link: path)
    way.turns(within: .seconds(90)) { Set(way.delivered) == [1, 2] }
    #expect(second.path == path)
    #expect(way.uplink.facts.contains { $0 == ("port opened", "2") })
  }

  @Test func aBusyPortIsToldAndUsedOnceItIsFree() throws {
    let server = try HTTPServer()
    let modem = try ModemOnPort()
    let other = try SerialPort.open(modem.path, bitsPerSecond: 115_200)
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    #expect(way.failure?.hasPrefix("\(modem.path): busy") == true, "\(way.uplink.state)")
    other.close()
    way.turns(within: .seconds(60)) { way.delivered == [1] }
  }

  @Test func aServerThatIsAwayIsToldAndAForgottenPacketLeavesTheTroubleForAWhile() throws {
    let server = try HTTPServer()
    server.stop()
    let modem = try ModemOnPort()
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1)
    way.turns(within: .seconds(60)) { way.failure == "the server can't be reached over the modem" }
    way.uplink.forget(1, way: 0)
    guard case .failed(_, let retry?) = way.uplink.state else { return #expect(Bool(false), "\(way.uplink.state)") }
    #expect(retry - MonotonicClock.now > .seconds(50))
    // The time to come is literal: nothing has to be waited for.
    way.uplink.advance(to: retry)
    #expect(way.failure == nil)
  }

  @Test func aPacketThatIsTooLongIsHandedBack() throws {
    let server = try HTTPServer()
    let modem = try ModemOnPort()
    let way = try RunningUplink(CellularUplink(settings(modem.path, http: server), clock: MachineClock(), seed: 1))
    way.take(1, .location, String(repeating: "x", count: 1025))
    way.take(2)
    #expect(
      way.news.first
        == .undelivered(
          sequence: 1, way: 0,
          reason: "1025 bytes; this transport takes 1 to 1024, and no control characters in a message"))
    way.turns(within: .seconds(60)) { way.delivered == [2] }
  }

  @Test func aSilentLineIsToldAndTheBoardsLinesAreUsed() throws {
    let server = try HTTPServer()
    let terminal = try PseudoTerminal()
    var lines = ModemLines()
    var pulls: [Bool] = []
    lines.setPowerKey = { pulls.append($0) }
    lines.readStatus = { false }
    let way = try RunningUplink(
      CellularUplink(settings(terminal.path, http: server), lines: lines, clock: MachineClock(), seed: 1))
    way.take(1)
    // STATUS says that it is off: the key is pressed, and let go.
    way.turns { pulls.starts(with: [true, false]) }
    #expect(way.delivered == [])
  }
}

@Suite struct ModemDialogueTests {
  @Test(arguments: [
    ("AT+CPIN=1234", "AT+CPIN=***"), ("at+cpin=\"1234\"", "at+cpin=***"), ("AT+CPIN?", "AT+CPIN?"),
    ("AT+SMCONF=\"USERNAME\",\"me\"", "AT+SMCONF=\"USERNAME\",***"),
    ("AT+SMCONF=\"PASSWORD\",\"x\"", "AT+SMCONF=\"PASSWORD\",***"),
    ("AT+SMCONF=\"URL\",\"host\"", "AT+SMCONF=\"URL\",\"host\""),
    ("AT+CSTT=\"apn\",\"user\",\"word\"", "AT+CSTT=***"), ("AT+CNCFG=1,\"apn\",\"u\",\"p\"", "AT+CNCFG=***"),
    ("AT+SAPBR=3,1,\"USER\",\"me\"", "AT+SAPBR=3,1,\"USER\",***"),
    ("AT+SAPBR=3,1,\"PWD\",\"x\"", "AT+SAPBR=3,1,\"PWD\",***"),
    ("AT+SAPBR=3,1,\"APN\",\"iot\"", "AT+SAPBR=3,1,\"APN\",\"iot\""),
    ("AT+CMEE=1;+CPIN=1234", "AT+CMEE=1;+CPIN=***"), ("a hunter2 b hunter2", "a *** b ***"), ("bell\u{7}", "bell."),
  ])
  func secretsAreBlankedInBothDirections(line: String, shown: String) {
    var dialogue = ModemDialogue(secrets: [Array("hunter2".utf8), []])
    dialogue.noteSent(Array("\(line)\r".utf8), at: .seconds(1))
    // The echo comes in pieces.
    for byte in "\(line)\r\r\n".utf8 { dialogue.noteHeard([byte], at: .seconds(2)) }
    #expect(
      dialogue.lines == [
        DialogueLine(number: 1, time: .seconds(1), isToModem: true, text: shown),
        DialogueLine(number: 2, time: .seconds(2), isToModem: false, text: shown),
      ])
  }

  @Test func theLastTwoHundredLinesAreKept() {
    var dialogue = ModemDialogue()
    for number in 0..<250 { dialogue.noteHeard(Array("line \(number)\r\n> ".utf8), at: .zero) }
    #expect(dialogue.lines.count == 200)
    #expect(dialogue.lines.last?.text == "> ")
    #expect(dialogue.lines.first?.text == "line 150")
    dialogue.noteHeard(Array((String(repeating: "x", count: 5000) + "\r\n").utf8), at: .zero)
    #expect((dialogue.lines.last?.text.utf8.count ?? 0) <= 310)
  }
}
