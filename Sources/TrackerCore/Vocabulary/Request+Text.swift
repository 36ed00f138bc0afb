public import ASCIIText
import InlineStorage
import Quantities
import Rules
import Telemetry

// How requests are written, and read.

extension Request {
  /// Which kind it is.
  public var kind: RequestKind {
    switch self {
    case .setAlerts: return .alerts
    case .dismiss: return .dismiss
    case .track: return .track
    case .locate: return .locate
    case .set(let changes): return changes.count > 0 && changes[0].value == nil ? .reset : .set
    case .get: return .get
    case .found, .foundAlert: return .found
    case .arm: return .arm
    case .disarm: return .disarm
    case .ping: return .ping
    case .info: return .info
    case .status: return .status
    case .sound: return .buzzer
    case .privacy: return .privacy
    case .reboot: return .reboot
    case .setEnabled: return .enabled
    case .claim: return .claim
    case .unclaim: return .unclaim
    case .near: return .near
    case .away: return .away
    case .fence: return .fence
    case .place: return .place
    case .alarm: return .alarm
    case .zone: return .zone
    case .secure: return .secure
    case .temporary: return .temporary
    case .snooze: return .snooze
    case .hush: return .hush
    case .profile: return .profile
    case .checkpoint: return .checkpoint
    case .odometer: return .odometer
    case .parking: return .parking
    case .gear: return .gear
    }
  }

  /// Reads a request: `alerts on`, `dismiss 3`, `track 10 600`, `locate`; nil when the text is none.
  ///
  /// The numbers of `track` are seconds. What may stand around a request, as its number, is the business of `RequestEnvelope`.
  public init?(_ text: Span<UInt8>) {
    var words = TextWords()
    self.init(text, readingTo: &words)
  }

  /// Reads a request.
  ///
  /// - Parameter words: At the beginning of the text; of one that is none they end behind the word that is wrong, or
  ///   before one too many.
  package init?(_ text: Span<UInt8>, readingTo words: inout some RequestWords) {
    guard let first = words.next(in: text) else { return nil }
    guard let kind = RequestKind(first, of: text), let request = Request(kind, &words, text) else { return nil }
    guard !words.hasNext(in: text) else { return nil }
    self = request
  }

  private init?(_ kind: RequestKind, _ words: inout some RequestWords, _ text: Span<UInt8>) {
    switch kind {
    case .alerts:
      guard let isOn = words.nextFlag(in: text) else { return nil }
      self = .setAlerts(enabled: isOn)
    case .dismiss:
      guard let alert = words.nextNumber("the number of an alert", in: text) else { return nil }
      self = .dismiss(alert: alert)
    case .track:
      var rest = words
      if rest.next(in: text)?.says("off", in: text) == true {
        words = rest
        self = .track(interval: .zero, duration: .zero)
        return
      }
      guard let interval = words.nextSeconds(or: "off, or ", upTo: Request.longestTrack, in: text),
        let duration = words.nextSeconds(upTo: Request.longestTrack, in: text)
      else { return nil }
      self = .track(interval: interval, duration: duration)
    case .locate: self = .locate
    case .set:
      guard let changes = SettingChanges(&words, text) else { return nil }
      self = .set(changes)
    case .reset:
      guard let changes = SettingChanges(reset: &words, text) else { return nil }
      self = .set(changes)
    case .get:
      words.expect(.words("a setting"))
      guard let name = words.next(in: text), let id = SettingChanges.number(ofSetting: name.bytes(of: text)) else {
        return nil
      }
      self = .get(id)
    case .found:
      guard words.hasNext(in: text) else {
        self = .found
        return
      }
      guard let alert = words.nextNumber("the number of an alert", in: text) else { return nil }
      self = .foundAlert(alert)
    case .arm: self = .arm
    case .disarm: self = .disarm
    case .ping: self = .ping
    case .info: self = .info
    case .status:
      guard let question = StatusQuestion(&words, text) else { return nil }
      self = .status(question)
    case .buzzer:
      guard let duration = words.nextSeconds(upTo: Request.longestSound, in: text) else { return nil }
      guard words.hasNext(in: text) else {
        self = .sound(.steady, duration)
        return
      }
      guard let pattern = words.next(SoundPattern.self, in: text) else { return nil }
      self = .sound(pattern, duration)
    case .privacy:
      guard let isOn = words.nextFlag(in: text) else { return nil }
      self = .privacy(isOn: isOn)
    case .reboot: self = .reboot
    case .enabled:
      guard let isOn = words.nextFlag(in: text) else { return nil }
      self = .setEnabled(isOn)
    case .claim: self = .claim
    case .unclaim: self = .unclaim
    case .near:
      guard words.hasNext(in: text) else {
        self = .near(for: .zero)
        return
      }
      guard let duration = words.nextSeconds(upTo: Request.longestNear, in: text) else { return nil }
      self = .near(for: duration)
    case .away: self = .away
    case .fence:
      guard let change = FenceChange(&words, text) else { return nil }
      self = .fence(change)
    case .place:
      guard let change = PlaceChange(&words, text) else { return nil }
      self = .place(change)
    case .alarm:
      guard let change = AlarmChange(&words, text) else { return nil }
      self = .alarm(change)
    case .odometer:
      guard let change = OdometerChange(&words, text) else { return nil }
      self = .odometer(change)
    case .profile:
      guard let change = ProfileChange(&words, text) else { return nil }
      self = .profile(change)
    case .checkpoint:
      guard let checkpoint = Checkpoint(&words, text) else { return nil }
      self = .checkpoint(checkpoint)
    case .parking: self = .parking
    case .gear:
      guard let rest = Request.rest(&words, text) else { return nil }
      self = .gear(rest)
    case .zone, .secure, .temporary, .snooze, .hush:
      guard let request = Request(ruleAnswer: kind, &words, text) else { return nil }
      self = request
    }
  }

  /// What is said about where it is parked, what rings, and what the clock shows.
  private init?(ruleAnswer kind: RequestKind, _ words: inout some RequestWords, _ text: Span<UInt8>) {
    switch kind {
    case .zone:
      guard words.hasNext(in: text) else {
        self = .zone(nil)
        return
      }
      words.expect(.word("UTC or a POSIX time zone as CET-1CEST,M3.5.0,M10.5.0/3", upTo: Request.longestZone))
      guard let word = words.next(in: text), word.count <= Request.longestZone else { return nil }
      var zone = InlineBytes<48>()
      if !word.says("UTC", in: text) { zone.append(contentsOf: word.bytes(of: text)) }
      self = .zone(zone)
    case .secure:
      let packet = Request.packet(&words, text)
      var name = InlineBytes<32>()
      if words.hasNext(in: text) {
        guard let phrase = words.nextText("a name", 1...longestRuleName, in: text) else { return nil }
        name.append(contentsOf: phrase.bytes(of: text))
      }
      self = .secure(packet, name)
    case .temporary: self = .temporary(Request.packet(&words, text))
    case .snooze:
      guard words.hasNext(in: text) else {
        self = .snooze(minutes: 0)
        return
      }
      guard let minutes = words.nextCount("minutes", 1...Int(AlarmRule.longestSnooze), in: text) else { return nil }
      self = .snooze(minutes: UInt8(minutes))
    case .hush: self = .hush
    default: return nil
    }
  }

  /// All words that follow, as they stand; nil for more bytes than a request has room for.
  private static func rest(_ words: inout some RequestWords, _ text: Span<UInt8>) -> InlineBytes<120>? {
    var rest = InlineBytes<120>()
    guard let first = words.next(in: text) else { return rest }
    var end = first.end
    while let word = words.next(in: text) { end = word.end }
    return rest.append(contentsOf: text.extracting(first.start..<end)) ? rest : nil
  }

  /// The number of a packet, where there is one; else 0.
  private static func packet(_ words: inout some RequestWords, _ text: Span<UInt8>) -> UInt32 {
    var next = words
    guard let word = next.next(in: text), let number = scanUnsigned(word.bytes(of: text)),
      let packet = UInt32(exactly: number)
    else { return 0 }
    words = next
    return packet
  }

  /// The longest that the buzzer sounds on one request.
  public static var longestSound: Interval { .seconds(3600) }

  /// The longest that the owner is near by one word.
  static var longestNear: Interval { .seconds(3600) }

  /// The most bytes of a time zone.
  private static var longestZone: Int { InlineBytes<48>.capacity }

  /// The longest that the position is reported live on one request, and its longest interval.
  private static var longestTrack: Interval { .seconds(604_800) }

  /// Writes the request as text that reads back to the same.
  public func encode(into sink: inout some ByteSink) {
    sink.append(kind.word)
    switch self {
    case .setAlerts(let enabled): sink.append(enabled ? " on" : " off")
    case .dismiss(let alert), .foundAlert(let alert):
      sink.append(0x20)
      sink.append(decimal: UInt64(alert))
    case .track(let interval, let duration):
      guard duration > .zero else { return sink.append(" off") }
      sink.append(0x20)
      sink.append(seconds: interval)
      sink.append(0x20)
      sink.append(seconds: duration)
    case .locate, .found, .arm, .disarm, .ping, .info, .reboot, .claim, .unclaim, .away, .hush, .parking: break
    case .status(let question): question.encode(into: &sink)
    case .fence(let change): change.encode(into: &sink)
    case .place(let change): change.encode(into: &sink)
    case .alarm(let change): change.encode(into: &sink)
    case .profile(let change): change.encode(into: &sink)
    case .odometer(let change): change.encode(into: &sink)
    case .gear(let words):
      guard !words.isEmpty else { return }
      sink.append(0x20)
      sink.append(bytes: words.span)
    case .zone(let zone):
      guard let zone else { return }
      sink.append(0x20)
      if zone.isEmpty { sink.append("UTC") } else { sink.append(bytes: zone.span) }
    case .secure(let packet, let name):
      if packet > 0 {
        sink.append(0x20)
        sink.append(decimal: UInt64(packet))
      }
      guard !name.isEmpty else { return }
      sink.append(0x20)
      sink.append(ruleName: name)
    case .checkpoint(let checkpoint): checkpoint.encode(into: &sink)
    case .temporary(let packet):
      guard packet > 0 else { return }
      sink.append(0x20)
      sink.append(decimal: UInt64(packet))
    case .snooze(let minutes):
      guard minutes > 0 else { return }
      sink.append(0x20)
      sink.append(decimal: UInt64(minutes))
    case .near(let duration):
      guard duration > .zero else { return }
      sink.append(0x20)
      sink.append(seconds: duration)
    case .get(let id):
      sink.append(0x20)
      sink.append(nameOfSetting: id)
    case .sound(let pattern, let duration):
      sink.append(0x20)
      sink.append(seconds: duration)
      sink.append(0x20)
      sink.append(pattern.word)
    case .privacy(let isOn), .setEnabled(let isOn): sink.append(isOn ? " on" : " off")
    case .set(let changes):
      var place = 0
      while place < changes.count {
        let change = changes[place]
        sink.append(0x20)
        if let value = change.value {
          sink.append(setting: change.id, value)
        } else {
          sink.append(nameOfSetting: change.id)
        }
        place += 1
      }
    }
  }
}

extension StatusQuestion {
  /// What is behind `status`; nil when it is no question.
  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    words.expect(.words("settings, fences, trip, activity or steps"))
    guard let word = words.next(in: text) else {
      self = .all
      return
    }
    if word.says("settings", in: text) {
      self = .settings
    } else if word.says("fences", in: text) {
      self = .fences
    } else if word.says("trip", in: text) {
      self = .trip
    } else if word.says("activity", in: text) {
      self = .activity
    } else if word.says("steps", in: text) {
      guard words.hasNext(in: text) else {
        self = .steps(from: 0, to: 0)
        return
      }
      guard let from = words.nextNumber("the seconds since 1970 at which a period begins", in: text),
        let to = words.nextNumber("the seconds since 1970 at which a period ends", in: text), to > 0, from <= to,
        to - from <= StatusQuestion.longestTime
      else { return nil }
      self = .steps(from: from, to: to)
    } else {
      return nil
    }
  }

  func encode(into sink: inout some ByteSink) {
    switch self {
    case .all: break
    case .settings: sink.append(" settings")
    case .fences: sink.append(" fences")
    case .trip: sink.append(" trip")
    case .activity: sink.append(" activity")
    case .steps(let from, let to):
      sink.append(" steps")
      guard to > 0 else { return }
      sink.append(0x20)
      sink.append(decimal: UInt64(from))
      sink.append(0x20)
      sink.append(decimal: UInt64(to))
    }
  }
}

extension ByteSink {
  /// The name of a setting, a space, and a value of it as text.
  mutating func append(setting id: UInt8, _ bits: Int64) {
    var configuration = TrackerConfiguration()
    var editor = SettingEditor(telling: id, bits)
    configuration.visitSettings(&editor)
    append(editor.entry?.name ?? "unknown")
    append(0x20)
    append(bytes: editor.text.span)
  }

  /// The name of a setting.
  mutating func append(nameOfSetting id: UInt8) {
    var configuration = TrackerConfiguration()
    var editor = SettingEditor(id)
    configuration.visitSettings(&editor)
    append(editor.entry?.name ?? "unknown")
  }

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
