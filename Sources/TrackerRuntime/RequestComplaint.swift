import ASCIIText
import JSON5
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
    for name in isSet ? stride(from: 1, to: words.count, by: 2).map({ words[$0] }) : [words[1]] {
      guard let setting = Setting.all.first(where: { $0.name == name }) else {
        text = "unknown setting '\(name)'"
        return
      }
      guard kind == .get || setting.isLive else {
        text = "'\(name)' can't be changed while the tracker runs; set it in the configuration file"
        return
      }
    }
    guard isSet else { return }
    for place in stride(from: 1, to: words.count, by: 2) {
      guard let setting = Setting.all.first(where: { $0.name == words[place] }) else { continue }
      var configuration = TrackerConfiguration()
      if place + 1 >= words.count || !setting.set(&configuration, words[place + 1]) {
        let value = place + 1 < words.count ? ", found '\(words[place + 1])'" : ""
        text = "'\(words[place])': expected \(setting.expectation)\(value)"
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

  private enum Trouble {
    case wrong(String)
    case missing
    case surplus(String)
    case unclosed(String)
  }

  init(_ kind: RequestKind, _ text: [UInt8]) {
    self.kind = kind
    let stop = StoppedRequest.stop(text)
    var start = stop
    // A word that was taken though it stood behind the end was missing.
    if StoppedRequest.stop(text + Array(" ~".utf8)) > text.count {
      start = text.count
      trouble = .missing
    } else if stop < text.count, text[stop] == 0x22 {
      trouble = .unclosed(String(decoding: text[stop...], as: UTF8.self))
    } else if Request(Array(text[..<stop]).span) != nil {
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

  /// Behind the last word that was read.
  private static func stop(_ text: [UInt8]) -> Int {
    var words = TextWords()
    _ = Request(text.span, readingTo: &words)
    return words.place
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
    let syntax = "\(kind.syntax)" + (kind.hasPageOfRules ? ", with examples in docs/rules.md" : "")
    let expected = expectation.map { "\($0), as in \(syntax)" } ?? syntax
    switch trouble {
    case .wrong(let word): return "can't read '\(word)' after '\(readText)'; expected \(expected)"
    case .missing: return "nothing follows after '\(readText)'; expected \(expected)"
    case .surplus(let word): return "can't read '\(word)' after '\(readText)'; expected nothing more, as in \(syntax)"
    case .unclosed(let text):
      return "can't read '\(text)' after '\(readText)'; expected a closing quote with a space or nothing behind it"
    }
  }

  /// What is expected in the place of the wrong word; nil when that is said by the syntax alone.
  private var expectation: String? {
    switch kind {
    case .alerts, .privacy, .enabled: "on or off"
    case .dismiss: "the number of an alert"
    case .track: "\(before.count == 1 ? "off, or " : "")seconds, a week at most"
    case .buzzer: before.count == 1 ? "seconds, an hour at most" : "steady or pulse"
    case .near: "seconds, an hour at most"
    case .snooze: "minutes, 1 to 120"
    case .status:
      before.count == 1 ? "settings, fences, trip or steps" : "the seconds since 1970 at which a period begins and ends"
    case .secure: "a name of 1 to 32 bytes"
    case .checkpoint: "a title of up to 19 bytes"
    case .odometer: before.count == 1 ? "set or add" : "metres"
    case .profile: profileExpectation
    case .zone: "UTC or a POSIX time zone of up to 48 bytes, as CET-1CEST,M3.5.0,M10.5.0/3"
    case .fence, .place, .alarm: ruleExpectation
    case .set, .reset, .get: "a setting and its value"
    default: nil
    }
  }

  private var profileExpectation: String {
    switch before.last {
    case "birthday": "a date as 2021-05-03"
    case "weight": "kilograms"
    case "kind": "dog, cat, horse, bike or other"
    case "name", "colour", "note": "1 to 32 bytes"
    case "profile": "set, delete or a field"
    default: "a field that was not told yet: name, kind, birthday, weight, colour or note"
    }
  }

  /// What was read before of a request about rules, with a number where a fence was told by its name alone.
  private var numbered: [String] {
    kind == .fence && before.count > 1 && before[1] == "set" ? [before[0], "1"] + before[1...] : before
  }

  private var ruleExpectation: String? {
    let before = numbered
    switch before.count {
    case 1: return "a number from 1 to 255, \(kind == .fence ? "only, " : "")list or clear"
    case 2:
      if before[1] == "only" { return "a number from 1 to 255" }
      return kind == .place ? "set or delete" : "set, on, off or delete"
    case 3 where before[1] != "only": return "a name of up to 32 bytes, in quotes if it has spaces"
    default: if before[1] == "only" { return "a number from 1 to 255" }
    }
    switch before.last {
    case "inside", "outside": return "the number of a fence, 1 to 255, said once"
    case "at", "from", "to": return "a time as 07:30"
    case "stay": return "minutes, 1 to 1440"
    case "sound": return "seconds, an hour at most"
    case "snooze": return "minutes, 1 to 120"
    case "nofix": return "last, ring or skip"
    case "circle": return "a place as 52.0,4.0, or here"
    case "corridor": return "half its width, m"
    case "polygon": return "a place as 52.0,4.0"
    case "hole": return "a place as 52.0,4.0, in the polygon before it"
    default: return otherExpectation
    }
  }

  /// Of what stands behind the name, as far as the words before do not tell it.
  private var otherExpectation: String? {
    let isBehindName = numbered.count == 4
    switch kind {
    case .fence:
      if isBehindName { return "circle, polygon or corridor" }
      if before.contains("circle") { return "its radius, m" }
      return before.contains("polygon") || before.contains("corridor") ? "a place as 52.0,4.0, or hole" : nil
    case .place: return isBehindName ? "a place as 52.0,4.0, or here" : "its radius, m"
    default:
      if isBehindName { return "at, arrive, leave, stay, quiet or guard" }
      let isAboutFence = ["arrive", "leave", "stay"].contains { before.contains($0) }
      if isAboutFence, !before.contains("inside") { return "inside and the number of a fence" }
      return "days, inside, outside, from, nofix, sound, snooze or disabled, each once"
    }
  }
}

extension RequestKind {
  /// True for those whose words are too many for one line of help.
  fileprivate var hasPageOfRules: Bool { self == .fence || self == .place || self == .alarm }
}
