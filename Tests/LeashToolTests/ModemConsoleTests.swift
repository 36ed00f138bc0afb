import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import Testing

@testable import LeashTool

/// `leash modem talk` on a terminal, with a user at its keys.
private final class TerminalRun {
  let keyboard: PseudoTerminal
  let program: OtherProgram
  private(set) var screen = ""

  init(_ arguments: [String]) throws {
    keyboard = try PseudoTerminal()
    program = try OtherProgram(
      ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1", OtherProgram.leash, "modem", "talk"] + arguments,
      environment: ["TERM": "xterm"], terminal: keyboard.path)
  }

  deinit { program.kill() }

  /// Presses keys and waits until the screen shows the text.
  func press(_ keys: String, until expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    screen = ""
    #expect(try keyboard.write(Array(keys.utf8)[...]) == keys.utf8.count)
    let deadline = MonotonicClock.now + .seconds(10)
    var wait = EventWait()
    wait.add(keyboard.descriptor)
    while !screen.contains(expected), MonotonicClock.now < deadline {
      wait.wait(until: deadline)
      screen += String(decoding: try keyboard.read(), as: UTF8.self)
    }
    #expect(screen.contains(expected), sourceLocation: sourceLocation)
  }
}

@Test func aUserAtATerminalTypesEditsAndQuits() throws {
  let modem = try BenchModem(answers: benchAnswers, payloadAnswer: "\r\n+CMGS: 7\r\n\r\nOK\r\n")
  let run = try TerminalRun([modem.path])
  try run.press("", until: "answers at 115200 bit/s")
  try run.press("AT+CSX\u{7F}Q\r", until: "OK")
  #expect(run.screen.contains("+CSQ: 20,99"))
  #expect(run.screen.contains("(-74 dBm)"))
  #expect(run.screen.contains("\u{1B}[32mOK\u{1B}[0m"), "success is green on a terminal")
  // The line before again, and a message with the key for its end.
  try run.press("\u{1B}[A\r", until: "+CSQ: 20,99")
  try run.press("AT+CMGS=\"+491\"\r", until: "waiting for a payload")
  try run.press("fence alert\r", until: "+CMGS: 7")
  try run.press(":dtr on\r", until: "no DTR and RTS: it is a pseudo-terminal")
  try run.press(":rate 9600\r", until: "9600 bit/s")
  try run.press(":nonsense\r", until: ":rate BITS, :dtr on|off")
  #expect(try run.keyboard.write([4]) == 1)
  #expect(try run.program.end() == 0)
}

@Test func aUserAtATerminalMayListenThoughNothingAnswers() throws {
  let modem = try BenchModem(answers: [:])
  let run = try TerminalRun([modem.path, "--rate", "115200"])
  try run.press("", until: "nothing answers AT (sent 4 times, at 115200 bit/s)")
  #expect(try run.keyboard.write([4]) == 1)
  #expect(try run.program.end() == 0)
}
