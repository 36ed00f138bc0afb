import Foundation
import LinuxDevices
import Testing

@testable import LeashTool

@Test func aScriptOfSendAndExpectGoesThrough() throws {
  let modem = try BenchModem(answers: benchAnswers, payloadAnswer: "\r\n+CMGS: 7\r\n\r\nOK\r\n")
  let folder = try TemporaryFolder()
  let script = try folder.file(
    "send.txt",
    """
    # a message
    timeout 2s
    send AT+CSQ
    expect +CSQ: *
    expect OK
    send AT+CMGS="+491"
    prompt
    payload fence \\x41lert
    ctrl-z
    expect +CMGS: *
    expect OK
    """.utf8)
  let run = ToolRun("modem", "talk", modem.path, "--script", script)
  #expect(run.code == .success, "\(run.err)")
  #expect(run.out.contains("· \(modem.path) answers at 115200 bit/s"))
  #expect(run.out.contains("> AT+CSQ\n"))
  #expect(run.out.contains("< +CSQ: 20,99   (-74 dBm)\n"))
  #expect(run.out.contains("< +CMGS: 7   (accepted by the network, reference 7)\n"))
}

@Test func whatAScriptExpectsAndDoesNotGetIsToldWithItsLine() throws {
  let modem = try BenchModem(answers: benchAnswers)
  let folder = try TemporaryFolder()
  let error = try folder.file("a.txt", "send AT+CIMI\nexpect 2620*\n".utf8)
  let first = ToolRun("modem", "talk", modem.path, "--script", error)
  #expect(first.code == .checkFailed)
  #expect(first.err == "leash modem talk: \(error):2: expected '2620*', and got '+CME ERROR: 13'\n")
  #expect(first.out.contains("< +CME ERROR: 13   (SIM failure)\n"))
  let silence = try folder.file("b.txt", "timeout 100ms\nsend AT+NOPE\nexpect OK\n".utf8)
  let second = ToolRun("modem", "talk", modem.path, "--script", silence)
  #expect(second.code == .checkFailed)
  #expect(second.err == "leash modem talk: \(silence):3: expected 'OK' within 0.1 s; came: nothing\n")
}

@Test(arguments: [
  ("", "script.txt: it has no statements"),
  ("sned AT\n", "script.txt:1: unknown statement 'sned'; did you mean 'send'?"),
  ("# fine\nexpect\n", "script.txt:2: expect what? expected a line, * stands for any text"),
  ("wait soon\n", "script.txt:1: 'soon': expected a time such as 5, 0.5s or 200ms"),
  ("payload \\q\n", "script.txt:1: '\\q': a backslash begins \\r, \\n, \\t, \\\", \\\\ or \\xHH"),
  ("rate fast\n", "script.txt:1: rate 'fast': expected bits per second"),
])
func aMistakeInAScriptIsToldBeforeThePortIsOpened(text: String, message: String) throws {
  let folder = try TemporaryFolder()
  let script = try folder.file("script.txt", text.utf8)
  let run = ToolRun("modem", "talk", "/dev/no-such-port", "--script", script)
  #expect(run.code == .usage)
  #expect(run.err.hasSuffix(message + "\n"), "\(run.err)")
}

@Test func aTranscriptIsReplayedAndTheFirstDifferenceTold() throws {
  let folder = try TemporaryFolder()
  let log = folder.url.appending(path: "log.txt").path
  let script = try folder.file("s.txt", "send AT+CSQ\nexpect OK\nsend AT+SHREQ=\"/p\",3\nexpect +SHREQ: *\n".utf8)
  do {
    let modem = try BenchModem(answers: benchAnswers)
    let run = ToolRun("modem", "talk", modem.path, "--script", script, "--log", log)
    #expect(run.code == .success, "\(run.err)")
  }
  let text = try String(contentsOfFile: log, encoding: .utf8)
  #expect(text.contains(" > AT+CSQ\\r\n"))
  #expect(text.contains(" < \\r\\n+CSQ: 20,99\\r\\n\\r\\nOK\\r\\n\n"))
  do {
    let modem = try BenchModem(answers: benchAnswers)
    let run = ToolRun("modem", "talk", modem.path, "--replay", log)
    #expect(run.code == .success, "\(run.err)")
    #expect(run.out.contains("· identical: 4 lines received, 2 sent\n"))
  }
  var changed = benchAnswers
  changed["AT+CSQ"] = "\r\n+CSQ: 19,99\r\n\r\nOK\r\n"
  let modem = try BenchModem(answers: changed)
  let run = ToolRun("modem", "talk", modem.path, "--replay", log)
  #expect(run.code == .checkFailed)
  #expect(run.err.hasSuffix("s: expected '+CSQ: 20,99', got '+CSQ: 19,99'\n"), "\(run.err)")
  let tolerant = ToolRun("modem", "talk", modem.path, "--replay", log, "--ignore", "+CSQ")
  #expect(tolerant.code == .success, "\(tolerant.err)")
}

@Test func aReplayTellsWhatIsMissingAndWhatCameOnTop() throws {
  let folder = try TemporaryFolder()
  let title = TranscriptWriter.title
  let more = try folder.file(
    "more.txt", "\(title)\n0.0 > AT\\r\n0.01 < \\r\\nOK\\r\\n\\r\\nRDY\\r\\n\n".utf8)
  let less = try folder.file("less.txt", "\(title)\n0.0 > AT+CSQ\\r\n0.01 < \\r\\n+CSQ: 20,99\\r\\n\n".utf8)
  let modem = try BenchModem(answers: benchAnswers)
  let first = ToolRun("modem", "talk", modem.path, "--replay", more, "--timeout", "0.1")
  #expect(first.code == .checkFailed)
  #expect(first.err == "leash modem talk: \(more): difference at 0.010 s: expected 'RDY'; nothing came for 0.1 s\n")
  let second = ToolRun("modem", "talk", modem.path, "--replay", less)
  #expect(second.code == .checkFailed)
  #expect(second.err == "leash modem talk: \(less): unexpected 'OK' after the end of the log\n")
}

@Test(arguments: [
  ("hello\n", "not a log of leash modem talk --log; expected '# leash modem transcript 1' first"),
  ("# leash modem transcript 1\n0.1 < OK\\r\n", "contains no lines sent by the host"),
])
func aFileThatIsNoTranscriptIsTold(text: String, message: String) throws {
  let folder = try TemporaryFolder()
  let file = try folder.file("t.txt", text.utf8)
  let run = ToolRun("modem", "talk", "/dev/no-such-port", "--replay", file)
  #expect(run.code == .environment)
  #expect(run.err == "leash modem talk: \(file): \(message)\n")
}

@Test func aModemAtAnotherSpeedIsFound() throws {
  let modem = try BenchModem(answers: benchAnswers, bitsPerSecond: 9600)
  let folder = try TemporaryFolder()
  let script = try folder.file("s.txt", "send AT+CSQ\nexpect OK\n".utf8)
  let run = ToolRun("modem", "talk", modem.path, "--script", script)
  #expect(run.code == .success, "\(run.err)")
  #expect(run.out.contains("· \(modem.path) answers at 9600 bit/s\n"))
}

@Test func whenNothingAnswersWhatWasTriedIsTold() throws {
  let modem = try BenchModem(answers: [:])
  let folder = try TemporaryFolder()
  let script = try folder.file("s.txt", "send AT\n".utf8)
  let run = ToolRun("modem", "talk", modem.path, "--script", script, "--rate", "57600")
  #expect(run.code == .environment)
  #expect(
    run.err.hasPrefix(
      "leash modem talk: \(modem.path): nothing answers AT (sent 4 times, at 57600 bit/s); is the modem on"))
}

@Test func asJSONEveryLineIsAnObjectWithItsMeaning() throws {
  let modem = try BenchModem(answers: benchAnswers)
  let folder = try TemporaryFolder()
  let script = try folder.file("s.txt", "send AT+CEREG?\nexpect OK\n".utf8)
  let run = ToolRun("modem", "talk", modem.path, "--script", script, "--json", "--no-probe")
  #expect(run.code == .success, "\(run.err)")
  let objects = try run.objects()
  #expect(objects.map { $0["from"] as? String } == ["host", "modem", "modem"])
  #expect(objects.map { $0["text"] as? String } == ["AT+CEREG?", "+CEREG: 0,5", "OK"])
  #expect(objects[1]["note"] as? String == "registered, roaming")
  #expect(objects.allSatisfy { $0["t"] is Double })
}

@Test func wrongUseOfTalkIsAUsageError() {
  for arguments in [
    ["--rate", "0"], ["--timeout", "0"], ["--script", "/dev/null", "--replay", "/dev/null"], ["--rate", "fast"],
  ] {
    #expect(ToolRun(["modem", "talk", "/dev/null"] + arguments).code == .usage, "\(arguments)")
  }
  let run = ToolRun("modem", "talk", "/dev/ttyNOPE0")
  #expect(run.code == .environment)
  #expect(run.err.hasPrefix("leash modem talk: /dev/ttyNOPE0: no such port"))
}
