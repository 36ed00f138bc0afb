/// Something that is wrong with a dialogue's text.
package struct FieldDialogueError: Error, Equatable, Sendable {
  /// Line, from 1.
  package let line: Int
  /// What was expected.
  package let message: String
}

/// What a modem said in the field, as a script: rules of what it says to which command.
///
/// Every line of a rule is marked: `seen` stands in the thread that the dialogue names, `ours` had to be filled in so that the
/// dialogue can be played. `docs/field-dialogues.md` has the format.
package struct FieldDialogue: Sendable {
  /// Where a line is from.
  package enum Mark: String, Sendable {
    /// It stands in the thread.
    case seen
    /// It was filled in.
    case ours
  }

  /// What a rule does, in its order.
  package enum Act: Equatable, Sendable {
    /// Says a line, with CR LF before and after it; so many seconds later without holding up what follows.
    case say(String, after: Double)
    /// Says bytes as they are.
    case raw(String)
    /// Asks for a payload: `> `.
    case prompt
    /// Takes so many bytes, a number or a name of a value.
    case payload(String)
    /// Takes bytes up to this one.
    case payloadUntil(UInt8)
    /// The payload goes to the server.
    case server
    /// The value `body`, its `\"` unescaped, goes to the server.
    case body
    /// Gives a name a value.
    case set(String, String)
    /// Nothing for so many seconds; what is heard meanwhile waits.
    case wait(Double)
    /// Starts, as after a reset.
    case start
    /// Switches off.
    case off
    /// Neither the echo nor anything else comes.
    case dead
  }

  /// What it does about a command.
  package struct Rule: Sendable {
    /// The command: `*` stands for any bytes, `{name}` for bytes that get a name.
    package var pattern: String
    /// Where the command is from.
    package var mark: Mark
    /// Names and the values that they must have.
    package var conditions: [(name: String, value: String, isEqual: Bool)] = []
    /// How often it holds; nil for always.
    package var times: Int?
    /// What it does, and where each is from.
    package var acts: [(mark: Mark, act: Act)] = []
  }

  /// What the dialogue shows, in a line.
  package var title = ""
  /// Threads it was seen in.
  package var threads: [String] = []
  /// The firmware that spoke; empty when the thread does not tell.
  package var firmware = ""
  /// How the packet goes, by the driver's name of the way.
  package var transport = ""
  /// Whether it runs at first.
  package var startsOn = true
  /// From the end of a command to its answer, seconds.
  package var latency = 0.015
  /// Lines of the board that are there.
  package var wiring: Set<String> = ["status", "key", "reset"]
  /// Settings of the driver: name and value.
  package var settings: [(name: String, value: String)] = []
  /// Values at first, and again after each start.
  package var values: [(name: String, value: String)] = []
  /// What must come of it: name and limit.
  package var expectations: [(name: String, value: String)] = []
  /// The rules; of those that fit a command the first is taken.
  package var rules: [Rule] = []

  /// Reads a dialogue.
  ///
  /// - Parameter include: The text of another dialogue whose rules are taken after its own, such as `plain.dialogue`.
  package init(_ text: String, include: (String) throws -> String? = { _ in nil }) throws {
    var number = 0
    // A carriage return and a line feed are one character of Swift.
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      number += 1
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let rest = words.count > 1 ? String(words[1].drop { $0 == " " }) : ""
      if let mark = Mark(rawValue: String(first)) {
        try take(mark, rest, number)
      } else {
        try takeHeader(String(first), rest, number, include)
      }
    }
  }

  private mutating func takeHeader(
    _ name: String, _ rest: String, _ number: Int, _ include: (String) throws -> String?
  ) throws {
    let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
    func pair() throws -> (String, String) {
      guard let first = words.first else { throw FieldDialogueError(line: number, message: "\(name) NAME VALUE") }
      return (first, words.count > 1 ? words[1] : "")
    }
    switch name {
    case "title": title = rest
    case "thread": threads.append(rest)
    case "firmware": firmware = rest
    case "transport": transport = rest
    case "power":
      guard rest == "on" || rest == "off" else {
        throw FieldDialogueError(line: number, message: "power on, or power off")
      }
      startsOn = rest == "on"
    case "latency":
      guard let seconds = Double(rest), seconds >= 0, seconds < 100 else {
        throw FieldDialogueError(line: number, message: "latency SECONDS")
      }
      latency = seconds
    case "wiring": wiring = Set(rest.split(separator: " ").map(String.init))
    case "setting": settings.append(try pair())
    case "value": values.append(try pair())
    case "expect": expectations.append(try pair())
    case "include":
      guard let text = try include(rest) else {
        throw FieldDialogueError(line: number, message: "there is no \(rest)")
      }
      let other = try FieldDialogue(text)
      rules += other.rules
      values = other.values.filter { theirs in !values.contains { $0.name == theirs.name } } + values
    default: throw FieldDialogueError(line: number, message: "\(name) is no word of a dialogue")
    }
  }

  private mutating func take(_ mark: Mark, _ text: String, _ number: Int) throws {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let verb = words.first else { throw FieldDialogueError(line: number, message: "what is said") }
    let rest = words.count > 1 ? words[1] : ""
    if verb == ">" {
      guard rest.count(where: { $0 == "{" }) == rest.count(where: { $0 == "}" }) else {
        throw FieldDialogueError(line: number, message: "a { without its }")
      }
      rules.append(Rule(pattern: rest, mark: mark))
      return
    }
    guard !rules.isEmpty else { throw FieldDialogueError(line: number, message: "a command, > AT…, before \(verb)") }
    let last = rules.count - 1
    switch verb {
    case "if", "unless":
      let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard let name = parts.first else { throw FieldDialogueError(line: number, message: "\(verb) NAME VALUE") }
      rules[last].conditions.append((name, parts.count > 1 ? parts[1] : "", verb == "if"))
    case "times":
      guard let count = Int(rest), count >= 0 else { throw FieldDialogueError(line: number, message: "times NUMBER") }
      rules[last].times = count
    default:
      // What follows from a payload must not bring another.
      if rules[last].pattern == "@received", verb == "server" || verb == "body" {
        throw FieldDialogueError(line: number, message: "\(verb) belongs to a command, not to \(rules[last].pattern)")
      }
      rules[last].acts.append((mark, try FieldDialogue.act(verb, rest, number)))
    }
  }

  private static func act(_ verb: String, _ rest: String, _ number: Int) throws -> Act {
    switch verb {
    case "<": return .say(rest, after: 0)
    case "raw":
      guard let sign = FieldPeer.wrongSign(in: rest) else { return .raw(rest) }
      throw FieldDialogueError(line: number, message: "\(sign) is no byte; there are \\r, \\n, \\x1A and \\\\")
    case "prompt": return .prompt
    case "payload":
      guard rest.hasPrefix("until ") else { return .payload(rest) }
      guard let byte = UInt8(rest.dropFirst(6), radix: 16) else {
        throw FieldDialogueError(line: number, message: "payload until 1A")
      }
      return .payloadUntil(byte)
    case "server": return .server
    case "body": return .body
    case "set":
      let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard let name = parts.first else { throw FieldDialogueError(line: number, message: "set NAME VALUE") }
      return .set(name, parts.count > 1 ? parts[1] : "")
    case "wait":
      guard let seconds = Double(rest), seconds >= 0, seconds < 100_000 else {
        throw FieldDialogueError(line: number, message: "wait SECONDS")
      }
      return .wait(seconds)
    case "start": return .start
    case "off": return .off
    case "dead": return .dead
    default:
      guard verb.hasPrefix("<+"), let seconds = Double(verb.dropFirst(2)), seconds >= 0, seconds < 100_000 else {
        throw FieldDialogueError(line: number, message: "\(verb) is nothing that a modem does")
      }
      return .say(rest, after: seconds)
    }
  }
}
