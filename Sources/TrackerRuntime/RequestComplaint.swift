import ASCIIText
import Gear
import JSON5
import Quantities
import Requests
import TrackerCore

// What is wrong in a text that is no request.

extension RequestKind {
  /// Why a text is no request: a line that names the word that is wrong, what is expected there, and the syntax.
  public static func complaint(about text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count <= RequestEnvelope.longestText else {
      return "it has \(bytes.count) bytes, \(RequestEnvelope.longestText) at most"
    }
    guard let envelope = RequestEnvelope(bytes.span) else {
      return "can't read '\(text)'; expected a request, after its number (#17) and before its signature if it has them"
    }
    let request = Array(bytes[envelope.start..<envelope.end])
    let words = request.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    guard let kind = allCases.first(where: { "\($0.word)" == words.first }) else {
      let word = words.first ?? text
      let hint = nearest(to: word, among: allCases.map { "\($0.word)" })
      return "unknown command '\(word)'" + (hint.map { "; did you mean '\($0)'?" } ?? "; 'leash tell --help' lists all")
    }
    if kind == .set || kind == .reset || kind == .get, let complaint = SettingComplaint(kind, words).text {
      return complaint
    }
    return StoppedRequest(kind, request).complaint
  }
}

/// What is wrong in a request about settings.
private struct SettingComplaint {
  /// nil when nothing is wrong in its words, but their number.
  var text: String?

  init(_ kind: RequestKind, _ words: [String]) {
    guard words.count > 1 else { return }
    let isSet = kind == .set
    var seen: Set<UInt8> = []
    for name in isSet ? stride(from: 1, to: words.count, by: 2).map({ words[$0] }) : [words[1]] {
      guard let setting = Setting.named(name) else {
        let names = Setting.all.filter { kind == .get || $0.isLive }.map(\.name)
        text = "unknown setting '\(name)'" + (nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? "")
        return
      }
      guard seen.insert(setting.id).inserted else {
        text = "'\(name)' is set twice"
        return
      }
      guard kind == .get || setting.isLive else {
        text = "'\(name)' can't be changed while the tracker runs; set it in the configuration file"
        return
      }
    }
    guard isSet else { return }
    for place in stride(from: 1, to: words.count, by: 2) {
      guard let setting = Setting.named(words[place]) else { continue }
      var configuration = TrackerConfiguration()
      if place + 1 >= words.count || !setting.set(&configuration, words[place + 1]) {
        let isThere = place + 1 < words.count
        let complaint = isThere ? setting.complaint(about: words[place + 1]) : "expected \(setting.expectation)"
        text = "'\(words[place])': \(complaint)"
        return
      }
    }
    if words.count > 1 + 2 * SettingChanges.capacity {
      text = "expected \(RequestKind.set.syntax), up to \(SettingChanges.capacity) at once"
    }
  }
}

/// A request that was read up to the word that is wrong, or to its end where one is missing.
private struct StoppedRequest {
  private let kind: RequestKind
  /// What was read before, and its words; what stands between quotes is one.
  private let readText: String
  private let before: [String]
  private let trouble: Trouble
  /// What is expected in the place of the wrong word; empty when the syntax alone says it.
  private let expected: String

  private enum Trouble {
    case wrong(String)
    case missing
    case surplus(String)
    case unclosed(String)
  }

  init(_ kind: RequestKind, _ text: [UInt8]) {
    self.kind = kind
    let (stop, expected) = StoppedRequest.stop(kind, text)
    var start = stop
    self.expected = expected
    // A word that was taken though it stood behind the end was missing.
    if StoppedRequest.stop(kind, text + Array(" ~".utf8)).place > text.count {
      start = text.count
      trouble = .missing
    } else if stop < text.count, text[stop] == 0x22 {
      trouble = .unclosed(String(decoding: text[stop...], as: UTF8.self))
    } else if Request(text: String(decoding: text[..<stop], as: UTF8.self)) != nil {
      let rest = text[stop...].drop { $0 == 0x20 }
      trouble = .surplus(String(decoding: rest.prefix { $0 != 0x20 }, as: UTF8.self))
    } else {
      if stop > 0, text[stop - 1] == 0x22 {
        start = text[..<(stop - 1)].lastIndex(of: 0x22) ?? stop
      } else {
        while start > 0, text[start - 1] != 0x20 { start -= 1 }
      }
      trouble = .wrong(String(decoding: text[start..<stop], as: UTF8.self))
    }
    before = StoppedRequest.words(Array(text[..<start]))
    while start > 0, text[start - 1] == 0x20 { start -= 1 }
    readText = String(decoding: text[..<start], as: UTF8.self)
  }

  /// Behind the last word that was read, and what was expected there.
  private static func stop(_ kind: RequestKind, _ text: [UInt8]) -> (place: Int, expected: String) {
    var words = ExplainedWords()
    if kind == .gear {
      _ = words.next(in: text.span)
      _ = GearChange(&words, text.span)
    } else {
      _ = Request(text.span, readingTo: &words)
    }
    return (words.place, words.expected)
  }

  private static func words(_ text: [UInt8]) -> [String] {
    var words = TextWords()
    var result: [String] = []
    while let word = words.nextPhrase(in: text.span) {
      result.append(String(decoding: text[word.start..<word.end], as: UTF8.self))
    }
    return result
  }

  var complaint: String {
    let syntax = "\(kind.syntax)" + (kind.page.map { ", with examples in \($0)" } ?? "")
    let expected = expected.isEmpty ? syntax : "\(expected), as in \(syntax)"
    switch trouble {
    case .wrong(let word): return "can't read '\(word)' after '\(readText)'; expected \(expected)"
    case .missing: return "'\(readText)' is not complete; expected \(expected)"
    case .surplus(let word) where before.count == 1 && "\(kind.syntax)" == "\(kind.word)":
      return "can't read '\(word)' after '\(readText)', which takes no words"
    case .surplus(let word): return "can't read '\(word)' after '\(readText)'; expected nothing more, as in \(syntax)"
    case .unclosed(let text):
      return "can't read '\(text)' after '\(readText)'; expected a closing quote with a space or nothing behind it"
    }
  }
}

/// The words of a request, which keep what was expected in the place of the last one.
private struct ExplainedWords: RequestWords {
  private var words = TextWords()
  /// What was expected.
  private(set) var expected = ""

  var place: Int { words.place }
  mutating func next(in text: Span<UInt8>) -> TextWord? { words.next(in: text) }
  mutating func nextPhrase(in text: Span<UInt8>) -> TextWord? { words.nextPhrase(in: text) }

  mutating func expect(_ expectation: RequestExpectation) { expected = expectation.text }

  mutating func expect<Word: RequestWord>(wordOf type: Word.Type) {
    var all: [String] = []
    while let word = Word(rawValue: UInt8(all.count)) { all.append("\(word.word)") }
    let last = all.removeLast()
    expected = all.isEmpty ? last : all.joined(separator: ", ") + " or \(last)"
  }
}

extension RequestExpectation {
  /// In words.
  fileprivate var text: String {
    switch self {
    case .words(let words): "\(words)"
    case .rowNumber(let other): "a number from 1 to \(UInt8.max)\(other)"
    case .count(let unit, let limits): "\(unit), \(limits.lowerBound) to \(limits.upperBound)"
    case .seconds(let other, let limit): "\(other)seconds, \(RequestExpectation.name(of: limit)) at most"
    case .word(let what, let limit): "\(what), \(limit) bytes at most"
    case .text(let what, let limits):
      "\(what) of \(limits.lowerBound == 0 ? "up" : "\(limits.lowerBound)") to \(limits.upperBound) bytes, "
        + "in quotes if it has spaces"
    }
  }

  private static func name(of limit: Interval) -> String {
    switch limit {
    case .seconds(3600): "an hour"
    case .seconds(604_800): "a week"
    default: "\(limit.microseconds / 1_000_000)"
    }
  }
}
