import ASCIIText
import InlineStorage
import Quantities
import Rules

extension PlacePolicy: RequestWord {}

extension AlarmRule: RuleRow {
  static var isSwitched: Bool { true }
  static var hasOnly: Bool { false }
  static var isKnownByName: Bool { false }

  /// Reads label, trigger and options: `"Feed her" at 07:30 weekdays inside 3 sound 60`.
  init?(_ number: UInt8, _ words: inout some RequestWords, _ text: Span<UInt8>) {
    self.init()
    self.number = number
    guard let label = words.nextRuleName(in: text) else { return nil }
    words.expect(.words("at, arrive, leave, stay, quiet or guard"))
    guard let word = words.next(in: text) else { return nil }
    self.label.append(contentsOf: label.bytes(of: text))
    if word.says("at", in: text) {
      guard let minute = AlarmRule.minute(&words, text) else { return nil }
      let days = AlarmRule.days(&words, text) ?? .weekdays(.all)
      guard let schedule = AlarmSchedule(days, minute: minute) else { return nil }
      trigger = .time(schedule)
    } else if word.says("arrive", in: text) {
      trigger = .arrival
    } else if word.says("leave", in: text) {
      trigger = .departure
    } else if word.says("stay", in: text) {
      guard let minutes = words.nextCount("minutes", 1...Int(AlarmRule.longestDwell), in: text) else { return nil }
      trigger = .dwell(minutes: UInt16(minutes))
    } else if word.says("quiet", in: text) {
      trigger = .quiet
    } else {
      guard word.says("guard", in: text) else { return nil }
      trigger = .guarding
    }
    var given: UInt8 = 0
    expectOption(&words)
    while let option = words.next(in: text) {
      guard readOption(option, &words, text, &given) else { return nil }
      expectOption(&words)
    }
    guard !needsFence else { return nil }
  }

  /// True while the fence that it is about was not told.
  private var needsFence: Bool {
    switch trigger {
    case .arrival, .departure, .dwell: return fence == 0
    case .time, .quiet, .guarding: return false
    }
  }

  private func expectOption(_ words: inout some RequestWords) {
    var mayHaveDays = window != nil
    if case .time = trigger { mayHaveDays = true }
    if needsFence {
      words.expect(.words("inside and the number of a fence"))
    } else if mayHaveDays {
      words.expect(.words("days, inside, outside, nofix, sound, snooze or disabled, each once"))
    } else {
      words.expect(.words("inside, outside, from, nofix, sound, snooze or disabled, each once"))
    }
  }

  private mutating func readOption(
    _ option: TextWord, _ words: inout some RequestWords, _ text: Span<UInt8>, _ given: inout UInt8
  ) -> Bool {
    /// True when it was not given before.
    func isFirst(_ bit: UInt8) -> Bool {
      let isFirst = given & bit == 0
      given |= bit
      return isFirst
    }
    if option.says("inside", in: text) || option.says("outside", in: text) {
      isOutside = option.says("outside", in: text)
      guard isFirst(1), !(isOutside && needsFence) else { return false }
      words.expect(.count("the number of a fence", 1...255))
      guard let word = words.next(in: text), let number = ruleNumber(word, text) else { return false }
      fence = number
    } else if option.says("from", in: text) {
      if case .time = trigger { return false }
      guard isFirst(2), let start = AlarmRule.minute(&words, text) else { return false }
      words.expect(.words("'to' and a time"))
      guard let to = words.next(in: text), to.says("to", in: text), let end = AlarmRule.minute(&words, text) else {
        return false
      }
      var set = WeekdaySet.all
      if let days = AlarmRule.days(&words, text) {
        guard case .weekdays(let told) = days else { return false }
        set = told
      }
      window = DailyWindow(set, start: start, end: end)
    } else if option.says("nofix", in: text) {
      guard isFirst(4), let policy = words.next(PlacePolicy.self, in: text) else { return false }
      self.policy = policy
    } else if option.says("sound", in: text) {
      guard isFirst(8), let seconds = words.nextCount("seconds", 0...Int(AlarmRule.longestSound), in: text) else {
        return false
      }
      soundSeconds = UInt16(seconds)
    } else if option.says("snooze", in: text) {
      guard isFirst(16), let minutes = words.nextCount("minutes", 1...Int(AlarmRule.longestSnooze), in: text) else {
        return false
      }
      snoozeMinutes = UInt8(minutes)
    } else {
      guard option.says("disabled", in: text), isFirst(32) else { return false }
      isEnabled = false
    }
    return true
  }

  /// `HH:MM`.
  private static func minute(_ words: inout some RequestWords, _ text: Span<UInt8>) -> Int? {
    words.expect(.words("a time as 07:30"))
    guard let word = words.next(in: text), word.count == 5, text[word.start + 2] == 0x3A,
      let hour = scanUnsigned(text.extracting(word.start..<word.start + 2)),
      let minute = scanUnsigned(text.extracting(word.start + 3..<word.end)), hour < 24, minute < 60
    else { return nil }
    return Int(hour * 60 + minute)
  }

  /// `daily`, `weekdays`, `weekend`, `mon,wed`, or a date as `2026-12-24`; nil, and nothing passed, when the next word is none of these.
  private static func days(_ words: inout some RequestWords, _ text: Span<UInt8>) -> AlarmSchedule.Days? {
    var next = words
    guard let word = next.next(in: text) else { return nil }
    let days: AlarmSchedule.Days
    if word.says("daily", in: text) {
      days = .weekdays(.all)
    } else if word.says("weekdays", in: text) {
      days = .weekdays(WeekdaySet(rawValue: 0x1F))
    } else if word.says("weekend", in: text) {
      days = .weekdays(WeekdaySet(rawValue: 0x60))
    } else if let date = date(word, text) {
      days = .date(date)
    } else {
      guard let set = weekdays(word, text) else { return nil }
      days = .weekdays(set)
    }
    words = next
    return days
  }

  private static func date(_ word: TextWord, _ text: Span<UInt8>) -> CivilDate? {
    guard word.count == 10, text[word.start + 4] == 0x2D, text[word.start + 7] == 0x2D,
      let year = scanUnsigned(text.extracting(word.start..<word.start + 4)),
      let month = scanUnsigned(text.extracting(word.start + 5..<word.start + 7)),
      let day = scanUnsigned(text.extracting(word.start + 8..<word.end))
    else { return nil }
    return CivilDate(year: Int(year), month: Int(month), day: Int(day))
  }

  private static func weekdays(_ word: TextWord, _ text: Span<UInt8>) -> WeekdaySet? {
    var bits: UInt8 = 0
    var place = word.start
    while place < word.end {
      guard place + 3 <= word.end else { return nil }
      let name = TextWord(from: place, to: place + 3)
      var day = 0
      while day < 7, !name.says(weekdayWord(day), in: text) { day += 1 }
      guard day < 7 else { return nil }
      bits |= 1 << UInt8(day)
      place += 3
      guard place == word.end || (text[place] == 0x2C && place + 1 < word.end) else { return nil }
      place += 1
    }
    return bits == 0 ? nil : WeekdaySet(rawValue: bits)
  }

  func encodeText(into sink: inout some ByteSink) {
    sink.append(ruleName: label)
    switch trigger {
    case .time(let schedule):
      sink.append(" at ")
      sink.append(minute: Int(schedule.minute))
      switch schedule.days {
      case .date(let date):
        sink.append(0x20)
        sink.append(decimal: Int64(date.year), minimumDigits: 4)
        sink.append("-")
        sink.append(decimal: Int64(date.month), minimumDigits: 2)
        sink.append("-")
        sink.append(decimal: Int64(date.day), minimumDigits: 2)
      case .weekdays(let set): sink.append(days: set)
      }
    case .arrival: sink.append(" arrive")
    case .departure: sink.append(" leave")
    case .dwell(let minutes):
      sink.append(" stay ")
      sink.append(decimal: UInt64(minutes))
    case .quiet: sink.append(" quiet")
    case .guarding: sink.append(" guard")
    }
    if fence != 0 {
      sink.append(isOutside ? " outside" : " inside")
      sink.append(ruleNumber: fence)
    }
    if let window {
      sink.append(" from ")
      sink.append(minute: Int(window.start))
      sink.append(" to ")
      sink.append(minute: Int(window.end))
      sink.append(days: window.days)
    }
    if policy != .last {
      sink.append(" nofix ")
      sink.append(policy.word)
    }
    if soundSeconds != 30 {
      sink.append(" sound ")
      sink.append(decimal: UInt64(soundSeconds))
    }
    if snoozeMinutes != 10 {
      sink.append(" snooze ")
      sink.append(decimal: UInt64(snoozeMinutes))
    }
    if !isEnabled { sink.append(" disabled") }
  }
}

/// The word of a day of the week, 0 for Monday.
private func weekdayWord(_ day: Int) -> StaticString {
  switch day {
  case 0: return "mon"
  case 1: return "tue"
  case 2: return "wed"
  case 3: return "thu"
  case 4: return "fri"
  case 5: return "sat"
  default: return "sun"
  }
}

extension ByteSink {
  fileprivate mutating func append(minute: Int) {
    append(decimal: Int64(minute / 60), minimumDigits: 2)
    append(":")
    append(decimal: Int64(minute % 60), minimumDigits: 2)
  }

  fileprivate mutating func append(days set: WeekdaySet) {
    append(0x20)
    guard set != .all else {
      append("daily")
      return
    }
    var isFirst = true
    var day = 0
    while day < 7 {
      if set.rawValue & (1 << UInt8(day)) != 0 {
        if !isFirst { append(0x2C) }
        append(weekdayWord(day))
        isFirst = false
      }
      day += 1
    }
  }
}
