import Foundation
import LinuxDevices
import ModemSimulation
import OtherPrograms
import Testing

@testable import LeashTool

/// `leash modem simulate` as a process of its own.
private final class SimulateProcess {
  let program: OtherProgram
  /// The first line it wrote.
  let firstLine: String

  init(_ arguments: [String]) throws {
    program = try OtherProgram([OtherProgram.leash, "modem", "simulate"] + arguments)
    _ = program.waits { [program] in program.out.contains("\n") }
    firstLine = String(program.out.prefix { $0 != "\n" }) + "\n"
  }

  deinit { program.kill() }

  /// Sends a signal and gives the exit code and the rest of what it wrote.
  func end(_ signal: Int32) throws -> (code: Int32, output: String, errors: String) {
    program.send(signal)
    let code = try program.end()
    return (code, String(program.out.dropFirst(firstLine.count)), program.err)
  }
}

@Test func theSimulatorSaysWhereItIsAndEndsCleanlyOnASignal() throws {
  let folder = try TemporaryFolder()
  let link = folder.path("modem")
  for signal in [SIGTERM, SIGINT, SIGHUP] {
    let simulator = try SimulateProcess(["--link", link])
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    #expect(simulator.firstLine == "\(path) (\(link))\n")
    let (code, _, errors) = try simulator.end(signal)
    #expect(code == 0 && errors.isEmpty, "signal \(signal): \(code) \(errors)")
    #expect(!FileManager.default.fileExists(atPath: link))
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil, "no dangling link")
  }
}

@Test func talkAndSimulateUnderstandEachOther() throws {
  let folder = try TemporaryFolder()
  let simulator = try SimulateProcess(["--link", folder.path("modem"), "--seed", "7", "--pin", "1234", "--json"])
  let script = try folder.file(
    "s.txt",
    """
    send AT+CMEE=2
    expect OK
    send AT+CPIN?
    expect +CPIN: SIM PIN
    expect OK
    send AT+CPIN=1234
    expect OK
    expect +CPIN: READY
    send AT+CGMR
    expect Revision:1351B05*
    """)
  let log = folder.path("log.txt")
  let first = ToolRun("modem", "talk", folder.path("modem"), "--script", script, "--log", log)
  #expect(first.code == .success, "\(first.err)")
  #expect(first.out.contains("(the SIM wants its PIN)"))
  let ended = try simulator.end(SIGTERM)
  #expect(simulator.firstLine.hasPrefix("{\"t\":0,\"event\":\"port\",\"path\":\"/dev/pts/"))
  for line in ended.output.split(separator: "\n") {
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }
  // The same seed and the same input give the same answers.
  let second = try SimulateProcess(["--link", folder.path("modem"), "--seed", "7", "--pin", "1234"])
  #expect(second.firstLine.hasPrefix("/dev/pts/"))
  let replay = ToolRun("modem", "talk", folder.path("modem"), "--replay", log)
  #expect(replay.code == .success, "\(replay.err)\(replay.out)")
}

@Test func linesOfAPipeGoOutOneByOne() throws {
  let folder = try TemporaryFolder()
  let simulator = try SimulateProcess(["--link", folder.path("modem"), "--quiet"])
  let talk = try OtherProgram.output(
    of: [OtherProgram.leash, "modem", "talk", folder.path("modem")],
    input: "AT+CMGF=1\nAT+CMGS=\"+491701\"\nfrom a pipe\nAT+CSQ\n")
  let text = talk.out
  #expect(talk.status == 0)
  #expect(text.contains("> from a pipe\\x1A\n"), "\(text)")
  #expect(text.contains("< +CMGS: 1   (accepted by the network, reference 1)\n"), "\(text)")
  #expect(text.hasSuffix("< OK\n"), "\(text)")
  let ended = try simulator.end(SIGTERM)
  #expect(ended.output.contains("sms to +491701: from a pipe\n"))
}

@Test func whenTheSimulatorIsKilledTheClientSaysSo() throws {
  let folder = try TemporaryFolder()
  let simulator = try SimulateProcess(["--quiet"])
  let path = simulator.firstLine.trimmingCharacters(in: .newlines)
  let script = try folder.file(
    "s.txt", "send AT+CMGF=1\nexpect OK\nsend AT+CMGS=\"+491\"\nprompt\npayload x\\x1A\nwait 60\n")
  let program = simulator.program
  let killer = BackgroundThread.start {
    // The line of the message.
    _ = program.waits { program.lines.count > 1 }
    program.kill()
  }
  #expect(killer)
  let run = ToolRun("modem", "talk", path, "--script", script)
  #expect(run.code == .environment)
  #expect(run.err.contains("lost while in use: unplugged, or the program behind it has ended\n"), "\(run.err)")
}

@Test func wrongUseOfSimulateIsTold() throws {
  let folder = try TemporaryFolder()
  let notes = try folder.file("notes.txt", "hello")
  for (arguments, message, code) in [
    (["--fault", "F99@3"], "option '--fault': 'F99@3' is not a fault and its time, such as F1@30 or freeze@12.5", 2),
    (["--fault", "F1"], "option '--fault': 'F1' is not a fault and its time, such as F1@30 or freeze@12.5", 2),
    (["--pin", "12"], "option '--pin': '12' is not a number of 4 to 8 digits", 2),
    (["--rate", "0"], "option '--rate': a SIM7000 does not support 0 bit/s; 115200 is usual", 2),
    (["--rate", "1"], "option '--rate': a SIM7000 does not support 1 bit/s; 115200 is usual", 2),
    (["--profile", "b99"], "option '--profile': 'b99' is not one of b03, b05, g10", 2),
    (["--power", "maybe"], "option '--power': 'maybe' is not one of on, boot, off", 2),
    (["--power", "off"], "option '--power': 'off' needs --control, the only way to press the power key", 2),
    (["--gnss", notes], "\(notes): no NMEA 0183 sentence in it; expected lines such as $GPRMC,…*hh", 3),
    (["--link", notes], "\(notes): a file already exists; use another path or remove it", 3),
    (["--sms-dir", notes], "\(notes): not a writable folder; create it first", 3),
    (["--control", notes], "\(notes): a file already exists; use another path or remove it", 3),
  ] as [([String], String, Int32)] {
    let run = ToolRun(["modem", "simulate"] + arguments)
    #expect(run.err == "leash modem simulate: \(message)\n")
    #expect(run.code.rawValue == code, "\(arguments)")
  }
}

@Test func theManualNamesEveryFault() throws {
  let manual = try String(contentsOf: Places.root.appending(path: "docs/modem-bench.md"), encoding: .utf8)
  for fault in ModemFault.all { #expect(manual.contains("| F\(fault.number) `\(fault.name)` |"), "\(fault)") }
}

/// Text that has the form of a certificate of so many bytes.
private func certificateText(_ count: Int = 800, lineEnd: String = "\n") -> String {
  let content = [0x30, 0x82, UInt8((count - 4) >> 8), UInt8((count - 4) & 0xFF)] + (4..<count).map { UInt8($0 & 0xFF) }
  let lines = Data(content).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
  return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    .replacingOccurrences(of: "\n", with: lineEnd)
}

@Test(arguments: ["\n", "\r\n"])
func aCertificateGetsIntoTheModemAndIsReadBack(lineEnd: String) throws {
  let folder = try TemporaryFolder()
  let simulator = try SimulateProcess(["--link", folder.path("modem")])
  defer { simulator.program.kill() }
  let text = certificateText()
  let file = try folder.file("authority.pem", certificateText(lineEnd: lineEnd).utf8)
  // Twice: a second one replaces the first, and a file store that was left open is no obstacle.
  for _ in 1...2 {
    let run = ToolRun("modem", "certificate", folder.path("modem"), file, "--name", "ca.pem")
    #expect(run.code == .success, "\(run.err)")
    #expect(
      run.out.hasSuffix(
        "ca.pem: \(text.utf8.count) bytes in the modem, read back and in use; set 'certificate: \"ca.pem\"' in the section modem\n"
      ))
    let open = try folder.file(
      "open.txt",
      "send AT+CFSINIT\nexpect OK\nsend AT+CFSGFIS=3,\"ca.pem\"\nexpect +CFSGFIS: \(text.utf8.count)\nexpect OK".utf8)
    #expect(ToolRun("modem", "talk", folder.path("modem"), "--script", open).code == .success)
  }
}

@Test func aModemThatStoresAnotherCertificateIsTold() throws {
  let folder = try TemporaryFolder()
  let text = certificateText(80)
  let file = try folder.file("ca.pem", text.utf8)
  let ok = "\r\nOK\r\n"
  let stored = text.replacingOccurrences(of: "A", with: "B").replacingOccurrences(of: "\n", with: "\r\n")
  let modem = try BenchModem(answers: [
    "AT": ok, "AT+CFSINIT": ok, "AT+CFSTERM": ok,
    "AT+CFSWFILE=3,\"ca.pem\",0,\(text.utf8.count),10000": "\r\nDOWNLOAD\r\n\r\nOK\r\n",
    text + "AT+CFSRFILE=3,\"ca.pem\",0,\(text.utf8.count),0": "\r\n\(stored)\r\nOK\r\n",
  ])
  let run = ToolRun("modem", "certificate", modem.path, file)
  #expect(run.code == .checkFailed)
  #expect(run.err == "leash modem certificate: \(modem.path): what the modem has stored differs; try again\n")
}

@Test func whatIsNoCertificateIsToldBeforeThePortIsOpened() throws {
  let folder = try TemporaryFolder()
  let text = certificateText()
  let cases = [
    (
      "",
      "contains no certificate; expected PEM text that begins with -----BEGIN CERTIFICATE----- ('openssl x509 -inform der' converts other files)"
    ),
    (
      text.replacingOccurrences(of: "CERTIFICATE", with: "RSA PRIVATE KEY"),
      "contains a key; expected only the certificate of the authority"
    ),
    (
      text.replacingOccurrences(of: "-----END", with: "AAAA\n-----END"),
      "certificate 1 is damaged; expected base64 of a whole certificate"
    ),
    (String(text.dropLast(30)), "contains no certificate; expected PEM text"),
    (String(repeating: text, count: 10), "bytes; the modem takes 10240 at most"),
  ]
  for (content, message) in cases {
    let file = try folder.file("ca.pem", content.utf8)
    let run = ToolRun("modem", "certificate", "/dev/no-such-port", file)
    #expect(run.code == .environment && run.err.contains(message), "\(run.err)")
  }
  let file = try folder.file("ca.pem", text.utf8)
  for name in ["", "a name longer than twenty", "a\"b"] {
    let run = ToolRun("modem", "certificate", "/dev/no-such-port", file, "--name", name)
    #expect(run.code == .usage && run.err.contains("option '--name'"), "\(run.err)")
  }
}
