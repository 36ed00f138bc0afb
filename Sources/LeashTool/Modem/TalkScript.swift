import JSON5
import Quantities

/// The little language of `leash modem talk --script`: one statement a line.
struct TalkScript {
  /// What a statement does.
  enum Statement: Equatable {
    /// `send TEXT`: the bytes and a carriage return.
    case send([UInt8])
    /// `payload TEXT`: the bytes as they are.
    case payload([UInt8])
    /// `expect PATTERN`: waits for a line.
    case expect(String)
    /// `prompt`: waits for the modem to ask for a payload.
    case prompt
    /// `wait SECONDS`: listens that long.
    case wait(Interval)
    /// `timeout SECONDS`: how long what follows may wait.
    case timeout(Interval)
    /// `rate BITS`: sets the speed of the port.
    case rate(Int)
  }

  /// The statements with their line numbers.
  private(set) var statements: [(line: Int, statement: Statement)] = []

  /// What may stand first on a line.
  static let words = ["send", "payload", "ctrl-z", "escape", "expect", "prompt", "wait", "timeout", "rate"]

  /// Reads a script; the first line that makes no sense is told.
  init(text: String, path: String) throws(CommandFailure) {
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop(while: \.isWhitespace)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      var rest = parts.count > 1 ? parts[1].drop(while: { $0 == " " }) : ""
      while rest.last?.isWhitespace == true { rest.removeLast() }
      do throws(CommandFailure) {
        statements.append((place + 1, try TalkScript.statement(String(parts[0]), rest)))
      } catch {
        throw .usage("\(path):\(place + 1): \(error.message)")
      }
    }
    guard !statements.isEmpty else { throw .usage("\(path): it has no statements") }
  }

  private static func statement(_ word: String, _ rest: Substring) throws(CommandFailure) -> Statement {
    switch word {
    case "send": return .send(try bytes(rest) + [0x0D])
    case "payload":
      guard !rest.isEmpty else { throw .usage("payload what? expected text, with \\r, \\n and \\xHH for other bytes") }
      return .payload(try bytes(rest))
    case "ctrl-z": return .payload([0x1A])
    case "escape": return .payload([0x1B])
    case "expect":
      guard !rest.isEmpty else { throw .usage("expect what? expected a line, * stands for any text") }
      return .expect(String(rest))
    case "prompt": return .prompt
    case "wait": return .wait(try seconds(rest))
    case "timeout": return .timeout(try seconds(rest))
    case "rate":
      guard let rate = Int(rest), rate > 0 else { throw .usage("rate '\(rest)': expected bits per second") }
      return .rate(rate)
    default:
      throw .usage(
        "unknown statement '\(word)'"
          + (nearest(to: word, among: words).map { "; did you mean '\($0)'?" }
            ?? "; expected \(words.joined(separator: ", "))"))
    }
  }

  private static func bytes(_ text: Substring) throws(CommandFailure) -> [UInt8] {
    guard let bytes = EscapedBytes.bytes(text) else {
      throw .usage("'\(text)': a backslash begins \\r, \\n, \\t, \\\", \\\\ or \\xHH")
    }
    return bytes
  }

  private static func seconds(_ text: Substring) throws(CommandFailure) -> Interval {
    let number = text.hasSuffix("ms") ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text
    guard let value = Double(number.trimmingSpaces), value >= 0, value <= 86_400 else {
      throw .usage("'\(text)': expected a time such as 5, 0.5s or 200ms")
    }
    return Interval(microseconds: Int64(value * (text.hasSuffix("ms") ? 1000 : 1_000_000)))
  }

  /// True when a line fits a pattern, in which `*` stands for any text.
  static func matches(_ line: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return line == pattern }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}

extension Substring {
  /// Without spaces at its ends.
  var trimmingSpaces: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
