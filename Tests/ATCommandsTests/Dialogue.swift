import ASCIIText
import InlineStorage
import Quantities

@testable import ATCommands

/// A modem family with one unnamed notice.
enum PlainDialect: ATDialect {
  static func sign(of line: borrowing ATLine) -> ATSign {
    if line.equals("RDY") { return .boot }
    if line.equals("NORMAL POWER DOWN") { return .poweredDown }
    return line.equals("SMS Ready") ? .notice : .none
  }
  static func isWholeNotice(_ line: borrowing ATLine) -> Bool {
    guard let fields = line.fields(of: "+CMTI") else { return false }
    return fields.count == 2 && fields.isQuoted(0) && fields.number(1) != nil
  }
  static var quotedTextName: StaticString { "+SMSUB" }
  static var numberedTextName: StaticString { "+CUSD" }
  static func beginsBurst(_ name: borrowing ATLine) -> Bool { name.equals("+CMT") }
  static var fenceName: StaticString { "+IPR" }
  static var fence: StaticString { "+IPR?" }
}

/// A command given by its text and its grammar.
struct Words: ATCommand {
  typealias Response = ATNothing
  var text: StaticString
  var grammar: ATGrammar
  init(_ text: StaticString, _ grammar: ATGrammar = ATGrammar()) {
    self.text = text
    self.grammar = grammar
  }
  func encode(into sink: inout some ByteSink) { sink.append(text) }
}

/// Plays a channel against a script and keeps what it reports, as text.
final class Dialogue {
  var channel: ATChannel<PlainDialect>
  var now = Instant.seconds(1)
  var events: [String] = []
  /// Bytes given to the channel per call; nil for all at once.
  var chunk: Int?

  init(chunk: Int? = nil, timing: ATTiming = ATTiming()) {
    self.chunk = chunk
    channel = ATChannel(timing: timing)
  }

  /// The modem says this.
  func hear(_ text: String, isEarly: Bool = false) { hear(bytes: Array(text.utf8), isEarly: isEarly) }

  /// What it says early comes before the last command has gone.
  func hear(bytes: [UInt8], isEarly: Bool = false) {
    if !isEarly { sentBytes(at: now + .seconds(1)) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(chunk ?? rest.count))
      rest = rest.dropFirst(piece.count)
      var place = 0
      while true {
        let (taken, event) = channel.digest(piece.span.extracting(place..<piece.count), at: now)
        place += taken
        note(event)
        if event == .none, place == piece.count { break }
      }
    }
    settle()
  }

  /// Time passes; everything due is done.
  func wait(_ interval: Interval) {
    let end = now + interval
    while let deadline = channel.nextDeadline, deadline <= end {
      if deadline > now { now = deadline }
      settle()
      _ = sentBytes()
    }
    now = end
    settle()
  }

  var isReady: Bool { channel.isReady }
  var diagnostics: ATDiagnostics { channel.diagnostics }
  var echo: ATEcho { channel.echo }

  private func settle() {
    while true {
      let event = channel.expire(at: now)
      note(event)
      if event == .none { return }
    }
  }

  func send(
    _ command: Words, payloadCount: Int = 0, subject: UInt32 = 0, settles: Bool = false,
    outcomeWithin limit: Interval? = nil
  ) {
    channel.send(
      command, payloadCount: payloadCount, subject: subject, settles: settles, outcomeWithin: limit, at: now)
    settle()
  }

  /// The payload, whose bytes are fetched later.
  func give(_ bytes: [UInt8], end: UInt8? = nil, holding last: UInt8 = 0) {
    payload = bytes
    channel.write(payload: bytes.span, end: end, holding: last, at: now)
  }

  func write(_ payload: String, end: UInt8? = nil, holding last: UInt8 = 0) {
    let bytes = Array(payload.utf8)
    give(bytes, end: end, holding: last)
    sentBytes()
  }

  /// What came out at which time, in milliseconds from a time, until nothing more is due.
  func timetable(_ interval: Interval, from start: Instant) -> [String] {
    let end = now + interval
    var lines: [String] = []
    while let deadline = channel.nextDeadline, deadline <= end {
      if deadline > now { now = deadline }
      let before = events.count
      settle()
      let text = sentBytes()
      let time = (now - start).microseconds / 1000
      if !text.isEmpty { lines.append("\(time) \(text.replacing("\r", with: "."))") }
      for event in events[before...] { lines.append("\(time) \(event)") }
    }
    now = end
    settle()
    return lines
  }

  var written = ""
  private var payload: [UInt8] = []

  /// What went to the modem up to now, and the gap before it.
  @discardableResult func sentBytes(at time: Instant? = nil) -> String {
    var sink = InlineBytes<1100>()
    channel.drainOutput(at: time ?? now, payload: payload.span, into: &sink)
    var bytes: [UInt8] = []
    for place in 0..<sink.count { bytes.append(sink[place]) }
    let text = String(decoding: bytes, as: UTF8.self)
    written += text
    return text
  }

  private func note(_ event: ATEvent) {
    guard event != .none else { return }
    var bytes: [UInt8] = []
    let held = channel.line
    for place in 0..<held.count { bytes.append(held[place]) }
    let line = String(decoding: bytes, as: UTF8.self)
    switch event {
    case .none: break
    case .information: events.append("info \(line)")
    case .data: events.append("data \(line)")
    case .unsolicited: events.append("urc \(line)")
    case .prompt: events.append("prompt")
    case .finished(let result): events.append("\(result)")
    case .reset: events.append("reset")
    case .poweredDown: events.append("poweredDown")
    case .synchronised: events.append("synchronised")
    case .silent: events.append("silent")
    }
  }
}
