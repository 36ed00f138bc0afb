import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Testing

@testable import LeashTool

/// The driver on a real serial line, a modem behind it, and real servers behind that.
@Suite struct DriverEndToEndTests {
  private func send(_ arguments: String...) -> (code: ExitCode, out: String, err: String) {
    let console = Console.captured(isTerminal: false, width: 120)
    let code = Leash.command.execute(["modem", "send"] + arguments, console: console)
    return (code, console.outText, console.errText)
  }

  @Test(arguments: ["--http", "--legacy-http"])
  func aRealHTTPServerGetsWhatTheDriverPosts(way: String) throws {
    let server = try LoopbackServer.http()
    let modem = try ServedModem()
    let run = send(modem.path, "{\"sequence\":7}", way, "http://127.0.0.1:\(server.port)/pub", "--timeout", "60")
    #expect(run.code == .success, "\(run.out)\(run.err)")
    #expect(run.out.hasPrefix("delivered in "))
    let request = try #require(server.next())
    #expect(request.hasPrefix("POST /pub HTTP/1.1\r\n"), "\(request)")
    #expect(request.hasSuffix("\r\n\r\n{\"sequence\":7}"), "\(request)")
  }

  /// A firmware that nobody knows is named though all works, so that its owner can send what it says.
  @Test func aLineThatWasNotUnderstoodIsNamedThoughThePacketWasDelivered() throws {
    let server = try LoopbackServer.http()
    var settings = ModemServer.Settings()
    settings.configuration.revision = "LE20.04"
    let modem = try ServedModem(settings)
    let url = "http://127.0.0.1:\(server.port)/pub"
    let run = send(modem.path, "{\"sequence\":7}", "--http", url, "--timeout", "60")
    #expect(run.code == .success && run.out.hasPrefix("delivered in "), "\(run.out)\(run.err)")
    #expect(run.err.contains("the line 'Revision:LE20.04' is unknown: 'leash modem record'"), "\(run.err)")
  }

  @Test func aRealBrokerGetsWhatTheDriverPublishes() throws {
    guard let broker = try Broker() else { return }
    let watcher = try NetworkBridge()
    watcher.take(.mqttConnect(id: 1, MQTTConnectRequest(host: "127.0.0.1", port: broker.port, clientID: "watcher")))
    #expect(nextReply(watcher) == .mqttConnected(id: 1))
    watcher.take(.mqttSubscribe(id: 1, message: 1, topic: "leash/bike", qos: 1))
    #expect(nextReply(watcher) == .mqttAcknowledged(id: 1, message: 1))
    let modem = try ServedModem()
    let run = send(
      modem.path, "{\"sequence\":8}", "--mqtt", "127.0.0.1:\(broker.port)/leash/bike", "--json", "--timeout", "60")
    #expect(run.code == .success && run.out.hasPrefix("{\"delivered\":true,"), "\(run.out)\(run.err)")
    #expect(nextReply(watcher) == .mqttMessage(id: 1, topic: "leash/bike", payload: Array("{\"sequence\":8}".utf8)))
  }

  @Test func aServerThatIsNotThereIsToldAndTheTriesAreTold() throws {
    let port = try freePort()
    let modem = try ServedModem()
    let run = send(modem.path, "{}", "--http", "http://127.0.0.1:\(port)/pub", "--timeout", "5")
    #expect(run.code == .checkFailed)
    #expect(
      run.err.contains("not delivered: no success in time; last problem: the server can't be reached over the modem"),
      "\(run.err)")
    #expect(run.err.contains("climbing to 'session'"), "\(run.err)")
  }

  @Test func aSilentLineIsToldWithWhatWasTried() throws {
    let terminal = try PseudoTerminal()
    let run = send(terminal.path, "{}", "--http", "http://127.0.0.1:1/pub", "--timeout", "2")
    #expect(run.code == .checkFailed)
    #expect(run.err.contains("no modem answers AT on \(terminal.path), tried at 115200"), "\(run.err)")
  }

  @Test(arguments: [
    (["/dev/null", "x"], "expected one of --http"), (["/dev/null", "x", "--tcp", "host"], "is not HOST:PORT"),
    (["/dev/null", "x", "--http", "h", "--sms", "1"], "is not an address"),
    (["/dev/null", "x", "--http", "ftp://h/x"], "does not begin with http:// or https://"),
    (["/dev/null", "x", "--legacy-http", "https://h/x"], "does not begin with http://; https is for --http"),
    (["/dev/null", "x", "--mqtt", "broker"], "is not HOST[:PORT]/TOPIC"),
    (["/dev/null", "x", "--sms", "no number"], "is not a telephone number"),
    (["/dev/null", "x", "--sms", "+316", "--rate", "17"], "115200 is usual"),
    (["/dev/null", "x", "--sms", "+316", "--pin", "12"], "four to eight digits"),
    (["/dev/null", "x", "--sms", "+316", "--timeout", "0"], "seconds from 1"),
    (["/dev/null", String(repeating: "x", count: 161), "--sms", "+316"], "161 bytes; this transport takes 1 to 160"),
  ])
  func badUseIsTold(arguments: [String], words: String) {
    let console = Console.captured(isTerminal: false, width: 120)
    let code = Leash.command.execute(["modem", "send"] + arguments, console: console)
    #expect(code == .usage)
    #expect(console.errText.contains(words), "\(console.errText)")
  }
}
