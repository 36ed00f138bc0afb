import FieldDialogue
import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import SIM7000
import Testing

@testable import LeashTool

/// `leash modem record`: what a modem says becomes a dialogue that the driver can be tried on, and says nothing of its owner.
@Suite struct RecordedDialogueTests {
  private func run(_ arguments: [String]) -> (code: ExitCode, out: String, err: String) {
    let console = Console.captured(isTerminal: false, width: 120)
    let code = Leash.command.execute(["modem"] + arguments, console: console)
    return (code, console.outText, console.errText)
  }

  private func file() -> String { NSTemporaryDirectory() + "leash-\(UUID().uuidString).dialogue" }

  /// A TCP server that acknowledges each line, as the packet with the number 1.
  private func acknowledging() throws -> LoopbackServer {
    try LoopbackServer { connection, _ in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return }
        if buffer[..<count].contains(0x0A) { _ = write(connection, "ACK 1\n", 6) }
      }
    }
  }

  @Test(arguments: ["--http", "--legacy-http", "--mqtt", "--tcp"], [nil, "iot.example", "internet"])
  func whatWasRecordedIsPlayedAndDelivers(way: String, accessPoint: String?) throws {
    let server = way == "--tcp" ? try acknowledging() : try LoopbackServer.http()
    let broker = way == "--mqtt" ? try Broker() : nil
    if way == "--mqtt", broker == nil { return }
    let place: String
    switch way {
    case "--mqtt": place = "127.0.0.1:\(broker?.port ?? 0)/secret-topic"
    case "--tcp": place = "127.0.0.1:\(server.port)"
    default: place = "http://127.0.0.1:\(server.port)/secret-path"
    }
    let modem = try ServedModem()
    let path = file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let point = accessPoint.map { ["--apn", $0] } ?? []
    let recorded = run(
      ["record", modem.path, "{\"sequence\":7}", way, place, "--timeout", "60", "--output", path, "--hide-host"] + point
    )
    #expect(recorded.code == .success && recorded.out.contains(path), "\(recorded)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // The modem's own address is in no answer, and its access point in no command.
    for secret in ["127.0.0.1", "secret-topic", "secret-path", "sequence", "\"10.", accessPoint ?? "secret-path"] {
      #expect(!text.contains(secret), "\(secret)\n\(text)")
    }
    #expect(text.contains("seen > AT+CGMR\n") && text.contains("firmware 1351B05SIM7000E\n"))
    let played = run(["play", path])
    #expect(played.code == .success && played.out.contains("delivered after"), "\(played)\n\(text)")
    let again = run(["record", modem.path, "x", way, place, "--output", path])
    #expect(again.code == .environment && again.err.contains("is there already"), "\(again)")
  }

  @Test func aPortThatIsNoneAndUseThatIsBadAreTold() throws {
    let path = file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(run(["record", "/dev/null/x", "x", "--sms", "+31612345678", "--output", path]).code == .environment)
    #expect(run(["record", "/dev/null", "x", "--output", path]).code == .usage)
    #expect(run(["record", "/dev/null", "x", "--sms", "+316", "--title", "a\nb", "--output", path]).code == .usage)
    let nowhere = run(["record", "/dev/null", "x", "--sms", "+31612345678", "--output", "/nowhere/x"])
    #expect(nowhere.code == .environment && nowhere.err.contains("/nowhere/x"))
  }

  @Test(arguments: [
    ("AT+CPIN=\"1234\"", "AT+CPIN=\"0000\""), ("AT+CPIN=12345678", "AT+CPIN=00000000"),
    ("AT+CSTT=\"iot\",\"me\",\"p,w\"", "AT+CSTT=\"iot\",\"xx\",\"x,x\""),
    ("AT+CNCFG=1,\"iot\",\"me\",\"pw1\",3", "AT+CNCFG=1,\"iot\",\"xx\",\"xx0\",0"),
    ("AT+SAPBR=3,1,\"USER\",\"me\"", "AT+SAPBR=3,1,\"USER\",\"xx\""),
    ("AT+SAPBR=3,1,\"APN\",\"iot\"", "AT+SAPBR=3,1,\"APN\",\"iot\""),
    ("AT+SMCONF=\"PASSWORD\",\"hunter2\"", "AT+SMCONF=\"PASSWORD\",\"xxxxxx0\""),
    ("AT+SHAHEAD=\"Authorization\",\"Bearer abc1\"", "AT+SHAHEAD=\"Authorization\",\"xxxxxx xxx0\""),
    ("AT+SHREQ=\"/pub?token=abc1\",3", "AT+SHREQ=\"/pub?xxxxx=xxx0\",0"),
    ("AT+HTTPPARA=\"USERDATA\",\"X-Key: abc1\"", "AT+HTTPPARA=\"USERDATA\",\"x-xxx: xxx0\""),
    ("AT+CMGS=\"+31612345678\"", "AT+CMGS=\"+00000000000\""),
    ("AT+CNACT=1,\"iot\"", "AT+CNACT=1,\"iot\""), ("AT+CMGR=3", "AT+CMGR=3"), ("AT+CEREG?", "AT+CEREG?"),
  ])
  func whatACommandTellsOfItsOwnerIsMasked(command: String, shown: String) {
    #expect(DialogueMask().command(command) == shown)
  }

  @Test(arguments: [
    ("865235030116418", "AT+GSN", "000000000000000"), ("89460810906048812345", "AT+CCID", "00000000000000000000"),
    ("8946081090604881234F", "AT+CCID", "00000000000000000000"), ("240075810123456", "AT+CIMI", "000000000000000"),
    (
      "+CGNSINF: 1,1,20261122150000.000,50.392602,5.931201", "AT+CGNSINF",
      "+CGNSINF: 0,0,00000000000000.000,00.000000,0.000000"
    ),
    ("$GPRMC,1,A,50.1,N", "AT", "$xxxxx,0,x,00.0,x"),
    (
      "+CMGR: \"REC UNREAD\",\"+31612345678\",,\"26/11/22,16:00:00+04\"", "AT+CMGR=1",
      "+CMGR: \"REC UNREAD\",\"+00000000000\",,\"00/00/00,00:00:00+00\""
    ),
    ("Come home at 5", "AT+CMGR=1", "xxxx xxxx xx 0"),
    ("07911326040000F0040B911346610089F6", "AT+CMGR=1", "00000000000000x0000x000000000000x0"),
    ("+CEREG: 2,1,\"1A2B\",\"0123ABCD\",7", "AT+CEREG?", "+CEREG: 2,1,\"0000\",\"00000000\",7"),
    ("+CNUM: \"\",\"+31612345678\",145", "AT+CNUM", "+CNUM: \"\",\"+00000000000\",000"),
    ("+CUSD: 0,\"Your PUK is 12345678\",15", "AT+CUSD=1", "+CUSD: 0,\"xxxx xxx xx 00000000\",15"),
    ("+CPBR: 1,\"0612345678\",129,\"Anna\"", "AT+CPBR=1", "+CPBR: 1,\"0000000000\",129,\"xxxx\""),
    ("+SMSUB: \"bikes/anna\",\"arm\"", "AT", "+SMSUB: \"xxxxx/xxxx\",\"xxx\""),
    ("+UNKNOWN: 52.370216,4.895168,1.5", "AT", "+UNKNOWN: 00.000000,0.000000,1.5"),
    ("Authorization: Basic YW5uYTpodW50ZXIy", "AT", "Authorization: xxxxx xx0xxxxxxx00xxxx"),
    ("+CIFSR: 10.0.0.2", "AT+CIFSR", "+CIFSR: 10.0.0.2"),
    ("+CSQ: 24,99", "AT+CSQ", "+CSQ: 24,99"), ("Revision:1529B10SIM7000G", "AT+CGMR", "Revision:1529B10SIM7000G"),
    ("+CASEND: 0,0,15", "AT+CASEND=0,15", "+CASEND: 0,0,15"), ("OK", "AT+CMGR=1", "OK"),
  ])
  func whatAModemTellsOfItsOwnerIsMasked(line: String, command: String, shown: String) {
    #expect(DialogueMask().line(line, to: command) == shown)
  }

  /// A modem with a PIN: the peer has to be given one, and the text of a message is nobody's business, however many lines it has.
  @Test func aRecordingWithAPINCanBePlayedAndShowsNoText() {
    var recorder = DialogueRecorder(DialogueMask(secrets: ["4711"]))
    recorder.hear(host: Array("AT+CPIN=4711\r".utf8), at: .seconds(1))
    recorder.hear(modem: Array("\r\nOK\r\n".utf8), at: .seconds(1))
    recorder.hear(
      modem: Array("\r\n+CMT: \"+31612345678\",,\"26/11/22,16:00:00+04\"\r\nMeet Anna\r\nat 8\r\n".utf8),
      at: .seconds(2))
    recorder.hear(modem: Array("\r\n+SMSUB: \"t\",\"dear\r\nBob\r\nbye\"\r\n+CSQ: 9,9\r\n".utf8), at: .seconds(3))
    let text = recorder.text(title: "x", transport: "mqtt", accessPoint: "", pinLength: 4, isDelivered: true)
    #expect(text.contains("setting pin 0000\n") && text.contains("> AT+CPIN=0000\n"), "\(text)")
    for word in ["4711", "Anna", "at 8", "dear", "Bob", "bye", "316"] {
      #expect(!text.contains(word), "\(word): \(text)")
    }
    #expect(text.contains("+CSQ: 9,9"))
  }

  /// A file that is shown must not be obeyed by a terminal; the player says what was heard.
  @Test func whatATerminalWouldObeyIsWrittenAsDigitsAndPlayedAsItWas() throws {
    let said = "\u{1B}]0;owned\u{7}\u{9B}31m \\x41 \\y \u{202E}"
    var recorder = DialogueRecorder(DialogueMask())
    recorder.hear(host: Array("AT+COPS?\r".utf8), at: .seconds(1))
    recorder.hear(modem: Array("\r\n+COPS: \(said)\r\n\r\nOK\r\n".utf8), at: .seconds(1))
    recorder.hear(host: Array("AT+CGMR\r".utf8), at: .seconds(2))
    recorder.hear(modem: Array("\r\nSIM7000\u{1B}[2J\r\n\r\nOK\r\n".utf8), at: .seconds(2))
    let text = recorder.text(
      title: "a\u{1B}c", transport: "mqtt", accessPoint: "", pinLength: 0, isDelivered: true)
    #expect(text.utf8.allSatisfy { $0 == 0x0A || 0x20...0x7E ~= $0 }, "\(text)")
    let dialogue = try FieldDialogue(text)
    var peer = FieldPeer(dialogue)
    peer.receive(Array("AT+COPS?\r".utf8), at: .seconds(1))
    peer.advance(to: .seconds(2))
    #expect(String(decoding: peer.takeOutput(), as: UTF8.self).contains("+COPS: \(said)\r\n"))
  }

  /// A pattern with many stars is looked at once: this took hours.
  @Test func aPatternOfManyStarsIsFoundOrNotAtOnce() throws {
    let line = Array(String(repeating: "a", count: 500))
    let stars = String(repeating: "a*", count: 80)
    #expect(FieldPeer.match(line, Array(stars + "b")) == nil)
    #expect(FieldPeer.match(line, Array(stars)) != nil)
    let names = FieldPeer.match(Array("AT+SMPUB=\"a,b\",12,1,0"), Array("at+smpub=\"{topic}\",{count},*"))
    #expect(names?.map(\.0) == ["topic", "count"] && names?.map(\.1) == ["a,b", "12,1"])
    #expect(FieldPeer.match([], []) != nil && FieldPeer.match([], Array("**")) != nil)
    #expect(FieldPeer.match(Array("AT"), Array("A")) == nil && FieldPeer.match(Array("A"), Array("AT")) == nil)
  }

  @Test func eachCommandSpeaksInItsOwnName() throws {
    let path = file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer.http(status: "404 Not Found")
    let modem = try ServedModem()
    let to = ["x", "--http", "http://127.0.0.1:\(server.port)/pub", "--timeout", "60"]
    let recorded = run(["record", modem.path] + to + ["--output", path])
    #expect(recorded.err.contains("leash modem record: not delivered") && !recorded.err.contains("modem send:"))
    #expect(run(["send", modem.path] + to).err.contains("leash modem send: not delivered"))
  }

  @Test(arguments: [
    ["--mqtt", "h/t", "--certificate", "ca.crt"], ["--http", "http://h/", "--certificate", "ca.crt"],
    ["--http", "https://h/", "--tls"], ["--http", "https://h/", "--certificate", "a name of more than twenty bytes"],
  ])
  func aCertificateThatIsUsedByNothingIsRefused(options: [String]) {
    let told = run(["send", "/dev/null/x", "x"] + options)
    #expect(told.code == .usage && told.err.contains("--"), "\(told)")
  }

  /// A certificate that is not in the modem is said to be the reason, with the command, and not the firmware.
  @Test func aCertificateThatIsNotThereIsNamed() throws {
    let server = try LoopbackServer.http()
    var settings = ModemServer.Settings()
    settings.configuration.dialect.refused = ["+SHSSL"]
    let modem = try ServedModem(settings)
    let told = run([
      "send", modem.path, "x", "--http", "https://127.0.0.1:\(server.port)/pub", "--certificate", "nope.crt",
      "--timeout", "60",
    ])
    #expect(told.code == .checkFailed, "\(told)")
    #expect(told.err.contains("no server is trusted; the modem answers AT+SHSSL with"), "\(told)")
    #expect(!told.err.contains("firmware"), "\(told)")
  }

  @Test func aCertificateIsNamedToTheDriver() throws {
    for options in [["--mqtt", "h/t", "--tls"], ["--http", "https://h/p"]] {
      let arguments = ["/dev/x", "x"] + options + ["--certificate", "ca.crt"]
      let driver = try SendSettings(Arguments(arguments, parameters: ModemSendCommand.command.parameters)).driver
      #expect(driver.certificate == ModemText("ca.crt"))
      #expect(driver.mqttUsesTLS == options.contains("--tls") && driver.mqttPort == (driver.mqttUsesTLS ? 8883 : 1883))
    }
  }

  @Test func whatTheSettingsNameIsMaskedWhereverItStands() {
    let mask = DialogueMask(secrets: ["hunter2", "hunter22"], hosts: ["track.example"])
    #expect(mask.command("AT+CAOPEN=0,\"TCP\",\"track.example\",5000") == "AT+CAOPEN=0,\"TCP\",\"xxxxx.xxxxxxx\",5000")
    #expect(mask.line("it was hunter22, not hunter2", to: "AT") == "it was xxxxxx00, not xxxxxx0")
  }
}
