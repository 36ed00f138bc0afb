// modules: Quantities InlineStorage ASCIIText ATCommands SIM7000
import ASCIIText
import ATCommands
import InlineStorage
import Quantities
import SIM7000

/// Bytes from anywhere while a command of any grammar is pending: the same events for every way of cutting them, a deadline
/// whenever something is awaited, and in the end a channel that takes the next command and hears its answer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzATChannel(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start, count > 4 else { return 0 }
  // Grammar, echo, cutting, payload; then the modem's bytes.
  let bytes = Array(UnsafeBufferPointer(start: start + 4, count: count - 4))
  let echo = ATEcho(rawValue: start[1] % 3) ?? .unknown
  var whole = Conversation(grammar: start[0], echo: echo, payload: Int(start[3]))
  whole.hear(bytes, chunk: max(bytes.count, 1))
  var cut = Conversation(grammar: start[0], echo: echo, payload: Int(start[3]))
  cut.hear(bytes, chunk: Int(start[2]) % 16 + 1)
  promise(whole.events == cut.events, "the events depend on the cutting")
  promise(whole.heard == cut.heard, "the lines depend on the cutting")
  promise(whole.channel.diagnostics == cut.channel.diagnostics, "the counts depend on the cutting")
  whole.wait()
  whole.talkAgain()
  return 0
}

/// A command that is answered in any way there is.
private struct AnyCommand: ATCommand {
  var grammar: ATGrammar

  func encode(into sink: inout some ByteSink) { sink.append("+TEST=1") }
  static func decode(_ line: borrowing ATLine) -> ATNothing? { nil }

  init(_ kind: UInt8) {
    switch kind % 16 {
    case 0: grammar = ATGrammar()
    case 1: grammar = ATGrammar(information: .named("+CEREG", shape: .secondFieldBare))
    case 2: grammar = ATGrammar(information: .named("+CNACT", isRequired: false))
    case 3: grammar = ATGrammar(information: .bare(allowsText: true))
    case 4: grammar = ATGrammar(information: .namedThenText("+CMGR"))
    case 5: grammar = ATGrammar(prompt: .angle, failure: "+SMSTATE: 0")
    case 6: grammar = ATGrammar(prompt: .download)
    case 7: grammar = ATGrammar(end: .text("SHUT OK", or: "CLOSE OK"))
    case 8: grammar = ATGrammar(information: .bare(allowsText: false), end: .information)
    case 9: grammar = ATGrammar(end: .okThenNamed("+SHREQ"), failure: "+SHSTATE: 0")
    case 10: grammar = ATGrammar(end: .okThenText("CONNECT OK", failure: "CONNECT FAIL"))
    case 11:
      grammar = ATGrammar(
        information: .named("+CIPRXGET", shape: .twoFields), counted: .afterLine("+CIPRXGET", count: 2))
    case 12: grammar = ATGrammar(information: .named("+CARECV"), counted: .inlineOrAfterLine("+CARECV"))
    case 13: grammar = ATGrammar(end: .okThenCounted("+SHREAD", count: 11))
    case 14: grammar = ATGrammar(information: .named("+CMGS"), prompt: .angle, end: .okThenNamed("+CASEND"))
    default: grammar = ATGrammar(end: .silence)
    }
  }
}

private struct Conversation: ~Copyable {
  var channel = ATChannel<SIM7000Dialect>()
  var now = Instant.seconds(1)
  var events: [ATEvent] = []
  var heard: [UInt8] = []
  private let payload: [UInt8]

  init(grammar: UInt8, echo: ATEcho, payload: Int) {
    self.payload = [UInt8](repeating: 0x78, count: payload)
    channel.echo = echo
    channel.send(AnyCommand(grammar), payloadCount: payload, at: now)
    drain()
  }

  /// The byte 0xFE stands for time that passes: as many tenths of a second as the next byte says.
  mutating func hear(_ bytes: [UInt8], chunk: Int) {
    var place = 0
    while place < bytes.count {
      if bytes[place] == 0xFE {
        let tenths = place + 1 < bytes.count ? Int(bytes[place + 1]) : 0
        place += 2
        now = now + .milliseconds(100 * tenths)
        expire()
        continue
      }
      var end = place
      while end < bytes.count, end - place < chunk, bytes[end] != 0xFE { end += 1 }
      receive(Array(bytes[place..<end]))
      place = end
    }
  }

  private mutating func receive(_ bytes: [UInt8]) {
    var place = 0
    var rounds = 0
    while true {
      rounds += 1
      promise(rounds < 4096 + 4 * bytes.count, "events without end")
      let (taken, event) = channel.digest(bytes.span.extracting(place..<bytes.count), at: now)
      promise(taken >= 0 && taken <= bytes.count - place, "more bytes taken than there are")
      place += taken
      if event == .none {
        if place >= bytes.count { break }
      } else {
        take(event)
      }
    }
    drain()
  }

  private mutating func expire() {
    var rounds = 0
    while true {
      rounds += 1
      promise(rounds < 100, "time-outs without end")
      let event = channel.expire(at: now)
      if event == .none { break }
      take(event)
    }
    drain()
  }

  private mutating func take(_ event: ATEvent) {
    events.append(event)
    switch event {
    case .information, .data, .unsolicited:
      let line = channel.line
      promise(!line.isEmpty, "an event without its bytes")
      for place in 0..<line.count { heard.append(line[place]) }
      heard.append(0x0A)
    case .prompt:
      promise(channel.isPrompted, "a prompt that takes no payload")
      let bytes = payload
      channel.write(payload: bytes.span, at: now)
    case .none, .finished, .reset, .poweredDown, .synchronised, .silent: break
    }
  }

  private mutating func drain() {
    var output = InlineBytes<1100>()
    let lent = payload
    channel.drainOutput(at: now, payload: lent.span, into: &output)
    promise(!output.isTruncated, "more output than there is room for")
    if channel.isReady { return }
    guard let deadline = channel.nextDeadline else { return promise(false, "something is awaited without a deadline") }
    promise(deadline <= now + .seconds(61), "a deadline out of reach")
  }

  /// Lets time pass until the channel takes a command.
  mutating func wait() {
    var rounds = 0
    let start = now
    while !channel.isReady {
      rounds += 1
      promise(rounds < 200, "deadlines without end")
      guard let deadline = channel.nextDeadline else { return promise(false, "no deadline on the way to ready") }
      if deadline > now { now = deadline }
      expire()
      promise(now - start < .seconds(180), "not ready after three minutes")
    }
  }

  /// Whatever was heard: the next command's answer is its own.
  mutating func talkAgain() {
    // The end of a line that was torn.
    receive(Array("\r\n".utf8))
    wait()
    events.removeAll()
    let echo = channel.echo
    channel.send(AnyCommand(0), at: now)
    now = now + .milliseconds(50)
    drain()
    receive(Array("AT+TEST=1\r\r\nOK\r\n".utf8))
    // A text without length that came just before ends with silence; what stands behind its last quote is read then.
    now = now + .milliseconds(100)
    expire()
    events.removeAll { $0 == .unsolicited }
    if echo == .off {
      promise(events == [.reset, .finished(.ok)], "an echo that should not be was not suspected to be a reset")
    } else {
      promise(events == [.finished(.ok)], "the next command was not answered")
    }
  }
}
