public import ASCIIText
import InlineStorage
public import Quantities

/// What the owner can ask for.
///
/// Servers, text messages, logs and the command line say it in the same words; `RequestKind` has all of them.
@frozen public enum Request: Equatable, BitwiseCopyable, Sendable {
  /// Switches alerts on or off.
  case setAlerts(enabled: Bool)
  /// "It's me": ends the alarm; armed again once it has been still.
  case dismiss(alert: UInt32)
  /// Reports the position every `interval` for `duration`.
  case track(interval: Interval, duration: Interval)
  /// Reports the position now.
  case locate
  /// Changes settings, all of them or none, until the file has other values.
  case set(SettingChanges)
}

/// A kind of request: its word, how it is written, and what it does.
@frozen public enum RequestKind: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// `Request.setAlerts`.
  case alerts
  /// `Request.dismiss`.
  case dismiss
  /// `Request.track`.
  case track
  /// `Request.locate`.
  case locate
  /// `Request.set`.
  case set
  /// `Request.set` with what the tracker was made with.
  case reset

  /// Its first word.
  public var word: StaticString {
    switch self {
    case .alerts: return "alerts"
    case .dismiss: return "dismiss"
    case .track: return "track"
    case .locate: return "locate"
    case .set: return "set"
    case .reset: return "reset"
    }
  }

  /// How it is written; words in capitals stand for values.
  public var syntax: StaticString {
    switch self {
    case .alerts: return "alerts on|off"
    case .dismiss: return "dismiss ALERT"
    case .track: return "track SECONDS DURATION"
    case .locate: return "locate"
    case .set: return "set SETTING VALUE"
    case .reset: return "reset SETTING"
    }
  }

  /// What it does, in a few words.
  public var help: StaticString {
    switch self {
    case .alerts: return "switches alerts on or off"
    case .dismiss: return "says that an alert was the owner's own doing"
    case .track: return "reports the position every SECONDS for DURATION seconds"
    case .locate: return "reports the position now"
    case .set: return "changes a setting of reports; up to four at once"
    case .reset: return "gives a setting the value of the file again"
    }
  }
}

extension Request {
  /// Which kind it is.
  public var kind: RequestKind {
    switch self {
    case .setAlerts: return .alerts
    case .dismiss: return .dismiss
    case .track: return .track
    case .locate: return .locate
    case .set(let changes): return changes.count > 0 && changes[0].value == nil ? .reset : .set
    }
  }

  /// Reads a request: `alerts on`, `dismiss 3`, `track 10 600`, `locate`; nil when the text is none.
  ///
  /// The numbers of `track` are seconds. A request may begin with a number of its own, `#17 locate`: one with the same number is
  /// then not obeyed twice (`RequestGate`).
  public init?(_ text: Span<UInt8>) {
    var words = TextWords()
    guard var first = words.next(in: text) else { return nil }
    if text[first.start] == 0x23 {
      guard first.isRequestNumber(in: text), let next = words.next(in: text) else { return nil }
      first = next
    }
    guard let kind = RequestKind(first, of: text), let request = Request(kind, &words, text) else { return nil }
    guard words.next(in: text) == nil else { return nil }
    self = request
  }

  private init?(_ kind: RequestKind, _ words: inout TextWords, _ text: Span<UInt8>) {
    switch kind {
    case .alerts:
      guard let word = words.next(in: text) else { return nil }
      let isOn = word.equals("on", in: text)
      guard isOn || word.equals("off", in: text) else { return nil }
      self = .setAlerts(enabled: isOn)
    case .dismiss:
      guard let word = words.next(in: text), let number = scanUnsigned(word.bytes(of: text)),
        let alert = UInt32(exactly: number)
      else { return nil }
      self = .dismiss(alert: alert)
    case .track:
      guard let interval = Request.interval(&words, text), let duration = Request.interval(&words, text) else {
        return nil
      }
      self = .track(interval: interval, duration: duration)
    case .locate: self = .locate
    case .set:
      guard let changes = SettingChanges(&words, text) else { return nil }
      self = .set(changes)
    case .reset:
      guard let changes = SettingChanges(reset: &words, text) else { return nil }
      self = .set(changes)
    }
  }

  /// Seconds, to the microsecond, up to a week.
  private static func interval(_ words: inout TextWords, _ text: Span<UInt8>) -> Interval? {
    guard let word = words.next(in: text), let microseconds = scanFixed(word.bytes(of: text), decimals: 6),
      microseconds > 0, microseconds <= 604_800_000_000
    else { return nil }
    return Interval(microseconds: microseconds)
  }

  /// Writes the request as text that reads back to the same.
  public func encode(into sink: inout some ByteSink) {
    sink.append(kind.word)
    switch self {
    case .setAlerts(let enabled): sink.append(enabled ? " on" : " off")
    case .dismiss(let alert):
      sink.append(0x20)
      sink.append(decimal: UInt64(alert))
    case .track(let interval, let duration):
      sink.append(0x20)
      sink.append(seconds: interval)
      sink.append(0x20)
      sink.append(seconds: duration)
    case .locate: break
    case .set(let changes):
      var place = 0
      while place < changes.count {
        let change = changes[place]
        let text = SettingText(change.id, change.value ?? 0)
        sink.append(0x20)
        sink.append(text.name ?? "unknown")
        if change.value != nil {
          sink.append(0x20)
          sink.append(bytes: text.text.span)
        }
        place += 1
      }
    }
  }
}

extension RequestKind {
  /// The kind of a word; nil when there is none.
  init?(_ word: TextWord, of text: Span<UInt8>) {
    var number: UInt8 = 0
    while let kind = RequestKind(rawValue: number) {
      if word.equals(kind.word, in: text) {
        self = kind
        return
      }
      number += 1
    }
    return nil
  }
}

extension TextWord {
  /// True for `#` and one to nine digits.
  fileprivate func isRequestNumber(in text: Span<UInt8>) -> Bool {
    count > 1 && count <= 10 && scanUnsigned(text.extracting(start + 1..<end)) != nil
  }
}

extension ByteSink {
  /// Seconds with as many digits behind the point as the interval needs: one to six.
  mutating func append(seconds interval: Interval) {
    append(trimmed: interval.microseconds, decimals: 6)
  }

  /// The number `value / 10^decimals` with as many digits behind the point as it needs, at least one.
  mutating func append(trimmed value: Int64, decimals: Int) {
    var value = value
    var decimals = decimals
    while decimals > 1, value % 10 == 0 {
      value /= 10
      decimals -= 1
    }
    append(fixed: value, decimals: decimals)
  }
}
