import Quantities

/// Plays the modem of a dialogue: bytes in, bytes out, on virtual time. It shares no code with the driver or the simulator.
package struct FieldPeer: Sendable {
  /// What is played.
  package let dialogue: FieldDialogue
  /// Whether it is switched on, which STATUS shows.
  package private(set) var isOn: Bool
  /// Commands as they came, with their time.
  package private(set) var heard: [(time: Instant, line: String)] = []
  /// Commands for which there was no rule.
  package private(set) var unknown: [String] = []
  /// Payloads that the server got.
  package private(set) var received: [[UInt8]] = []
  /// Starts, by whatever.
  package private(set) var starts = 0
  /// Starts that were made by a command, by RESET, and by key or supply.
  package private(set) var resets = 0
  /// See `resets`.
  package private(set) var powerCycles = 0
  /// Times the radio was switched off.
  package private(set) var radioCycles = 0
  /// The number that the server acknowledges on a connection.
  package var ticket: UInt32 = 1

  private enum Event: Sendable {
    case bytes([UInt8])
    case resume(Int)
    case play(String)
    /// The rest of the rule of an event, behind a `wait`.
    case rest(of: String, rule: Int, from: Int)
    case status(Bool)

    /// What a modem without power no longer does.
    var isOfModem: Bool {
      switch self {
      case .play(let name), .rest(of: let name, rule: _, from: _): return name != "@time"
      case .bytes, .resume, .status: return true
      }
    }
  }

  private struct Play: Sendable {
    var rule: Int
    var act: Int
  }

  private var events: [(time: Instant, number: Int, event: Event)] = []
  private var eventCount = 0
  private var output: [UInt8] = []
  private var input: [UInt8] = []
  private var values: [String: String] = [:]
  private var used: [Int: Int] = [:]
  /// What it is in the midst of; commands wait for its end.
  private var play: Play?
  private var isWaiting = false
  private var payload: [UInt8] = []
  private var wanted: Int?
  private var wantedEnd: UInt8?
  private var keySince: Instant?
  private var now = Instant.zero
  private var latency: Interval { .milliseconds(Int(dialogue.latency * 1000)) }

  /// A modem that speaks like the dialogue's.
  package init(_ dialogue: FieldDialogue) {
    self.dialogue = dialogue
    isOn = dialogue.startsOn
    forget()
    if isOn { perform("@running", at: .zero) }
    plan(.play("@time"), after: .zero)
  }

  private mutating func forget() {
    values = [:]
    for (name, value) in dialogue.values { values[name] = value }
    play = nil
    isWaiting = false
    input = []
    wanted = nil
    wantedEnd = nil
  }

  // MARK: The board

  /// Its key is pulled low or let go.
  package mutating func setKey(isLow: Bool, at time: Instant) {
    advance(to: time)
    guard dialogue.wiring.contains("key") else { return }
    if isLow {
      keySince = now
      return
    }
    guard let since = keySince else { return }
    keySince = nil
    let held = now - since
    if !isOn, held >= .seconds(1) {
      powerCycles += starts > 0 || dialogue.startsOn ? 1 : 0
      start()
    } else if isOn, held >= .milliseconds(1200) {
      say("NORMAL POWER DOWN", after: .milliseconds(500))
      plan(.status(false), after: .seconds(2))
    }
  }

  /// RESET is pulled low or let go.
  package mutating func setReset(isLow: Bool, at time: Instant) {
    advance(to: time)
    guard dialogue.wiring.contains("reset"), isOn, !isLow else { return }
    resets += 1
    start()
  }

  /// Its supply is cut or given back.
  package mutating func setSupply(isOn wants: Bool, at time: Instant) {
    advance(to: time)
    guard dialogue.wiring.contains("supply") else { return }
    if wants { powerCycles += 1 } else { halt() }
  }

  private mutating func halt() {
    isOn = false
    events.removeAll { $0.event.isOfModem }
    forget()
  }

  private mutating func start() {
    events.removeAll { $0.event.isOfModem }
    forget()
    starts += 1
    isOn = false
    plan(.status(true), after: .milliseconds(4000))
    plan(.play("@start"), after: .milliseconds(4500))
  }

  // MARK: Time and bytes

  /// When it has something to do; nil when it waits for the host.
  package var nextDeadline: Instant? { events.first?.time }

  /// Lets time pass.
  package mutating func advance(to time: Instant) {
    while let first = events.first, first.time <= time {
      events.removeFirst()
      if first.time > now { now = first.time }
      happen(first.event)
    }
    if time > now { now = time }
  }

  /// Bytes of the host.
  package mutating func receive(_ bytes: [UInt8], at time: Instant) {
    advance(to: time)
    guard isOn else { return }
    input += bytes
    listen()
  }

  /// What it has said.
  package mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    return output
  }

  private mutating func plan(_ event: Event, after interval: Interval) {
    eventCount += 1
    events.append((now + interval, eventCount, event))
    events.sort { ($0.time, $0.number) < ($1.time, $1.number) }
  }

  private mutating func say(_ line: String, after interval: Interval) {
    plan(.bytes(Array("\r\n".utf8) + FieldPeer.lineBytes(line) + Array("\r\n".utf8)), after: interval)
  }

  private mutating func happen(_ event: Event) {
    switch event {
    case .bytes(let bytes): if isOn { output += bytes }
    case .status(let level):
      if level { isOn = true } else { halt() }
    case .play(let name): perform(name, at: now)
    case .rest(of: let name, rule: let rule, from: let first): goOn(with: name, rule: rule, from: first)
    case .resume:
      isWaiting = false
      go()
      listen()
    }
  }

  // MARK: Rules

  /// What is due by itself, whatever else is going on: `@start`, `@running`, `@time`, `@received`. Commands do not wait for it.
  private mutating func perform(_ name: String, at time: Instant) {
    guard let place = rule(for: name) else { return }
    used[place, default: 0] += 1
    goOn(with: name, rule: place, from: 0)
  }

  /// Up to its end or its next `wait`.
  private mutating func goOn(with name: String, rule: Int, from first: Int) {
    for (number, entry) in dialogue.rules[rule].acts.enumerated().dropFirst(first) {
      if case .wait(let seconds) = entry.act {
        return plan(.rest(of: name, rule: rule, from: number + 1), after: .milliseconds(Int(seconds * 1000)))
      }
      perform(entry.act)
    }
  }

  private mutating func listen() {
    while play == nil || wanted != nil || wantedEnd != nil {
      if wanted != nil || wantedEnd != nil {
        guard takePayload() else { return }
        continue
      }
      guard let end = input.firstIndex(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0x1B }) else { return }
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeFirst(end + 1)
      guard !line.isEmpty else { continue }
      begin(line)
    }
  }

  private mutating func begin(_ line: String) {
    heard.append((now, line))
    let upper = line.uppercased()
    if upper.hasPrefix("AT+CFUN=1,1") || upper.hasPrefix("AT+CFUN=6") { resets += 1 }
    if upper == "AT+CFUN=0" || upper == "AT+CFUN=4" { radioCycles += 1 }
    let place = rule(for: line)
    let isDead = place.map { place in dialogue.rules[place].acts.contains { $0.act == .dead } } ?? false
    if values["echo"] != "0", !isDead { plan(.bytes(Array((line + "\r").utf8)), after: .milliseconds(2)) }
    guard let place else {
      unknown.append(line)
      say(values["unknown"] ?? "ERROR", after: latency)
      return
    }
    used[place, default: 0] += 1
    play = Play(rule: place, act: 0)
    isWaiting = true
    plan(.resume(0), after: latency)
  }

  private mutating func rule(for line: String) -> Int? {
    for (place, rule) in dialogue.rules.enumerated() {
      if let times = rule.times, used[place, default: 0] >= times { continue }
      guard rule.conditions.allSatisfy({ (values[$0.name] ?? "" == $0.value) == $0.isEqual }),
        let names = FieldPeer.match(Array(line), Array(rule.pattern))
      else { continue }
      for (name, value) in names { values[name] = value }
      return place
    }
    return nil
  }

  /// The names in a pattern that a line fits; nil when it does not. Letters count as the same in either case.
  ///
  /// Each `*` and each name takes as much as it can, the first before those behind it. What can't fit from a place on is found once: the
  /// work is the length of the line times that of the pattern.
  package static func match(_ line: [Character], _ pattern: [Character]) -> [(String, String)]? {
    /// A character, or a run with a name; `*` has none.
    enum Part {
      case character(Character)
      case run(String?)
    }
    var parts: [Part] = []
    var rest = pattern[...]
    while let first = rest.popFirst() {
      switch first {
      case "*": parts.append(.run(nil))
      case "{":
        let name = rest.prefix { $0 != "}" }
        rest = rest.dropFirst(name.count + 1)
        parts.append(.run(String(name)))
      default: parts.append(.character(first))
      }
    }
    // fits[part][place]: the parts from there on fit the line from there on.
    var fits = Array(repeating: Array(repeating: false, count: line.count + 1), count: parts.count + 1)
    fits[parts.count][line.count] = true
    for part in parts.indices.reversed() {
      for place in (0...line.count).reversed() {
        switch parts[part] {
        case .character(let expected):
          fits[part][place] =
            place < line.count && fits[part + 1][place + 1] && line[place].lowercased() == expected.lowercased()
        case .run: fits[part][place] = fits[part + 1][place] || place < line.count && fits[part][place + 1]
        }
      }
    }
    guard fits[0][0] else { return nil }
    var names: [(String, String)] = []
    var place = 0
    for (part, kind) in parts.enumerated() {
      guard case .run(let name) = kind else {
        place += 1
        continue
      }
      let end = (place...line.count).last { fits[part + 1][$0] } ?? place
      if let name { names.append((name, String(line[place..<end]))) }
      place = end
    }
    return names
  }

  /// Goes on with the rule under way until it has to wait or is over.
  private mutating func go() {
    while let current = play, !isWaiting, wanted == nil, wantedEnd == nil {
      let acts = dialogue.rules[current.rule].acts
      guard current.act < acts.count else {
        play = nil
        return
      }
      play?.act += 1
      perform(acts[current.act].act)
    }
  }

  private mutating func perform(_ act: FieldDialogue.Act) {
    switch act {
    case .say(let text, let seconds):
      if seconds > 0 { return say(filled(text), after: .milliseconds(Int(seconds * 1000))) }
      output += Array("\r\n".utf8) + FieldPeer.lineBytes(filled(text)) + Array("\r\n".utf8)
    case .raw(let text): output += FieldPeer.bytes(filled(text))
    case .prompt: output += Array("\r\n> ".utf8)
    case .payload(let count):
      payload = []
      wanted = (Int(filled(count)) ?? Int(values[count] ?? "")).map { max(0, $0) }
    case .payloadUntil(let byte):
      payload = []
      wantedEnd = byte
    case .server: serve()
    case .body:
      payload = FieldPeer.bytes(values["body"] ?? "")
      serve()
    case .set(let name, let value): values[name] = filled(value)
    case .wait(let seconds):
      isWaiting = true
      plan(.resume(0), after: .milliseconds(Int(seconds * 1000)))
    case .start: start()
    case .off: plan(.status(false), after: .seconds(2))
    case .dead: break
    }
  }

  private mutating func takePayload() -> Bool {
    if let end = wantedEnd {
      guard let place = input.firstIndex(where: { $0 == end || $0 == 0x1B }) else { return false }
      let isWhole = input[place] == end
      payload = Array(input[..<place])
      input.removeFirst(place + 1)
      wantedEnd = nil
      if !isWhole { play = nil }
    } else if let count = wanted {
      guard input.count >= count else { return false }
      payload = Array(input.prefix(count))
      input.removeFirst(count)
      wanted = nil
    }
    values["length"] = "\(payload.count)"
    isWaiting = true
    plan(.resume(0), after: latency)
    return true
  }

  /// The server has the payload; on a connection its answer waits to be fetched.
  private mutating func serve() {
    received.append(payload)
    values["data", default: ""] += "ACK \(ticket)\n"
    plan(.play("@received"), after: .milliseconds(300))
  }

  private mutating func filled(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      result += rest[..<open]
      switch name {
      case "waiting": result += "\(values["data", default: ""].utf8.count)"
      case "take":
        result += values["data", default: ""]
        values["data"] = ""
      case "ticket": result += "\(ticket)"
      default: result += values[name] ?? "{\(name)}"
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// A line that is said: `\xNN` is a byte, every other backslash itself.
  package static func lineBytes(_ line: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(line.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C, rest.first == 0x78, rest.count >= 3,
        let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
      else {
        result.append(byte)
        continue
      }
      result.append(value)
      rest = rest.dropFirst(3)
    }
    return result
  }

  /// The first sign with a backslash in a text that stands for no byte; nil when there is none.
  static func wrongSign(in text: String) -> String? {
    var rest = text[...]
    while let place = rest.firstIndex(of: "\\") {
      let sign = rest[place...].dropFirst()
      let digits = sign.dropFirst().prefix(2)
      switch sign.first {
      case let other? where !other.isLetter && !other.isNumber || "rn".contains(other): rest = sign.dropFirst()
      case "x" where digits.count == 2 && UInt8(digits, radix: 16) != nil: rest = sign.dropFirst(3)
      default: return "\\" + sign.prefix(1)
      }
    }
    return nil
  }

  /// A text with `\r`, `\n`, `\xNN` as the bytes they stand for.
  static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C, let kind = rest.popFirst() else {
        result.append(byte)
        continue
      }
      switch kind {
      case 0x72: result.append(0x0D)
      case 0x6E: result.append(0x0A)
      case 0x78:
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        rest = rest.dropFirst(2)
        result.append(UInt8(digits, radix: 16) ?? 0x3F)
      default: result.append(kind)
      }
    }
    return result
  }
}
