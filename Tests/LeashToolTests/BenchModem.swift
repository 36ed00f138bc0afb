import Foundation
import LinuxDevices
import Quantities

/// A modem at the other end of a pseudo-terminal that answers each line as it was told; it knows nothing else.
final class BenchModem: Sendable {
  let path: String
  private let wakeUp: WakeUp
  private let isDone = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - answers: What comes for a line that ends with a carriage return; a line that is not here is not answered.
  ///   - payloadAnswer: What comes for the bytes that follow a prompt, once they end with Ctrl-Z.
  ///   - bitsPerSecond: The speed at which it answers; nil answers at any.
  init(answers: [String: String], payloadAnswer: String = "", bitsPerSecond: Int? = nil) throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    wakeUp = try WakeUp()
    nonisolated(unsafe) let terminalOfThread = terminal
    let thread = Thread { [wakeUp, isDone] in
      BenchModem.serve(terminalOfThread, answers, payloadAnswer, bitsPerSecond, until: wakeUp)
      isDone.signal()
    }
    thread.start()
  }

  deinit {
    wakeUp.signal()
    isDone.wait()
  }

  private static func serve(
    _ terminal: PseudoTerminal, _ answers: [String: String], _ payloadAnswer: String, _ bitsPerSecond: Int?,
    until wakeUp: WakeUp
  ) {
    var line: [UInt8] = []
    var wait = EventWait()
    wait.add(terminal.descriptor)
    wait.add(wakeUp.descriptor)
    while true {
      wait.wait(until: nil)
      if wait.isReadable(1) { return }
      for byte in (try? terminal.read()) ?? [] {
        line.append(byte)
        guard byte == 0x0D || byte == 0x1A else { continue }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        line = []
        if let bitsPerSecond, terminal.bitsPerSecond != bitsPerSecond { continue }
        let answer = byte == 0x1A ? payloadAnswer : answers[text] ?? ""
        _ = try? terminal.write(Array(answer.utf8)[...])
      }
    }
  }
}

/// The answers of a modem without echo to the commands of these tests.
let benchAnswers = [
  "AT": "\r\nOK\r\n",
  "AT+CSQ": "\r\n+CSQ: 20,99\r\n\r\nOK\r\n",
  "AT+CEREG?": "\r\n+CEREG: 0,5\r\n\r\nOK\r\n",
  "AT+CIMI": "\r\n+CME ERROR: 13\r\n",
  "AT+CMGS=\"+491\"": "\r\n> ",
  "AT+SHREQ=\"/p\",3": "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n",
]
