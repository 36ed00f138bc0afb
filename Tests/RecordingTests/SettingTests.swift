import InertialFusion
import InlineStorage
import Quantities
import Recording
import TrackerRuntime
import Telemetry
import Testing
import TrackerCore
import TrackerLog

/// Number of values a configuration consists of, found by reflection.
private func leafCount(_ value: Any) -> Int {
  switch value {
  case is Interval, is Vector3, is InlineBytes<32>, is Mounting, is Float, is Bool, is Int, is Int32, is ReceiverList,
    is NumberList:
    return 1
  default:
    let children = Mirror(reflecting: value).children
    return children.isEmpty ? 1 : children.reduce(0) { $0 + leafCount($1.value) }
  }
}

@Test func everyValueOfTheConfigurationIsASetting() {
  #expect(Setting.all.count == leafCount(TrackerConfiguration()))
  #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
}

@Test func everySettingReadsBackWhatItWrites() throws {
  var changed = RunConfiguration()
  for setting in Setting.all {
    let before = setting.text(changed.tracker)
    let other =
      switch before {
      case _ where setting.name == "owner.holdFor": "30"
      case _ where ["alerts.touchInterval", "readings.powerDelay"].contains(setting.name): "60"
      case "0", "0.0": "0.01"
      case "true": "false"
      case "false": "true"
      case "json": "minimal"
      case "normal": "high"
      case "notice": "silent"
      case "leash": "Zoë's \"bike\""
      case "0.0 0.0 0.0", "1.0 1.0 1.0": "0.125 -0.01 1.1"
      case "+x +y +z": "+y -x +z"
      case "all": "movement+status,all,ride"
      case "none": "2026-11-24"
      case "riding+alarmed": "alarmed"
      default: "\((Double(before) ?? 0) * (setting.name.contains("Limit") ? 1.1 : 1.5))".replacing(/\.0$/, with: "")
      }
    do {
      try changed.set(setting.name, to: other)
    } catch {
      // Whole numbers do not take a half.
      try changed.set(setting.name, to: "\((Int(before) ?? 0) + 1)")
    }
    #expect(setting.text(changed.tracker) != before, "\(setting.name)")
  }
  changed.seed = .max
  #expect(try RunConfiguration(text: changed.text) == changed)
}

@Test func aSettingThatDoesNotFitIsRefusedAndChangesNothing() {
  var configuration = RunConfiguration()
  for (name, value) in [
    ("motion.armAfter", "0.5"), ("motion.armAfter", "soon"), ("motion.armAfter", "nan"), ("motion.tiltLimit", "-1"),
    ("trackerId", ""), ("trackerId", String(repeating: "x", count: 33)), ("trackerId", "a\nb"), ("packetFormat", "xml"),
    ("calibration.mounting", "+x +x +z"), ("calibration.mounting", "+y +x +z"), ("rest.minimumSamples", "1"),
    ("seed", "-1"), ("outbox.window", "33"), ("outbox.receivers", ""), ("outbox.receivers", "all,alerts"),
    ("outbox.receivers", "all,all,all,all,all"), ("outbox.receivers", "movement+"),
    ("reception.earliestDate", "2026-02-29"), ("motion.sensitivity", "loud"), ("motion.sensitivity", ""),
    ("reception.earliestDate", "26-02-01"), ("reception.earliestDate", "2026-2-1"), ("reception.earliestDate", ""),
  ] {
    #expect(throws: RunConfiguration.Refusal.self) { try configuration.set(name, to: value) }
  }
  do {
    try configuration.set("motion.armAftr", to: "1")
    Issue.record("an unknown setting was taken")
  } catch {
    #expect(error.expectation == nil)
  }
  #expect(configuration == RunConfiguration())
}

/// Every number is taken at both ends of its range, and nothing beyond is.
@Test func everySettingStandsAtBothEndsOfItsRange() throws {
  for setting in Setting.all {
    var configuration = RunConfiguration()
    func isTaken(_ text: String) -> Bool {
      do {
        try configuration.set(setting.name, to: text)
        return true
      } catch {
        return false
      }
    }
    switch setting.form {
    case .number(let range):
      #expect(isTaken("\(range.lowerBound)") && isTaken("\(range.upperBound)"), "\(setting.name)")
      let step = max(abs(range.upperBound) * 1e-6, 1e-6)
      for text in ["\(range.lowerBound - step)", "\(range.upperBound + step)", "nan", "inf", "-inf", "", "1 2"] {
        #expect(!isTaken(text), "\(setting.name) \(text)")
      }
      // What it shows is what it takes again.
      let middle = (range.lowerBound + range.upperBound) / 2
      #expect(isTaken("\(middle)"))
      let shown = setting.text(configuration.tracker)
      #expect(abs((Double(shown) ?? .nan) - middle) <= abs(middle) * 1e-6, "\(setting.name)")
      let before = configuration
      #expect(isTaken(shown) && configuration == before, "\(setting.name)")
    case .whole(let range):
      for value in [range.lowerBound, range.upperBound] { #expect(isTaken("\(value)")) }
      for text in ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5", "x"] { #expect(!isTaken(text)) }
    case .choice(let words):
      for word in words { #expect(isTaken(word) && setting.text(configuration.tracker) == word) }
      #expect(!isTaken("JSON") && !isTaken(""))
    case .boolean:
      for word in ["true", "false"] { #expect(isTaken(word) && setting.text(configuration.tracker) == word) }
      #expect(!isTaken("yes") && !isTaken("1"))
    case .words(let words):
      for text in words + ["none", words.joined(separator: "+")] {
        #expect(isTaken(text) && setting.text(configuration.tracker) == text, "\(text)")
      }
      for text in ["", "x", "none+\(words[0])", "\(words[0])+", "+", words[0].uppercased()] {
        #expect(!isTaken(text), "\(text)")
      }
    case .numbers(let range):
      let (least, most) = (range.lowerBound, range.upperBound)
      for text in ["none", "\(least)", "\(most)+\(least)"] {
        #expect(isTaken(text) && setting.text(configuration.tracker) == text, "\(text)")
      }
      for text in ["", "+", "\(least)+", "\(most + 1)", "\(least - 1)", "\(least)+\(least)", "1+2+3+4+5", "1.5", "x"] {
        #expect(!isTaken(text), "\(text)")
      }
    case .vector:
      #expect(isTaken("1 -2.5 3e-3") && setting.text(configuration.tracker) == "1.0 -2.5 0.003")
      for text in ["1 2", "1 2 3 4", "1 2 x", "1 2 nan", "1 2 inf", "1 2 foo 3", "foo 1 2 3", ""] {
        #expect(!isTaken(text), "\(text)")
      }
    case .text: break
    }
    #expect(setting.help.hasSuffix("."), "\(setting.name)")
  }
}

/// Each setting moves the value of its own name and no other.
@Test func everySettingMovesItsOwnValueAlone() throws {
  let standard = RunConfiguration()
  for setting in Setting.all {
    let candidates: [String] =
      switch setting.form {
      case .number(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .whole(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .boolean: ["true", "false"]
      case .choice(let words): words
      case .words(let words): words
      case .numbers(let range): ["\(range.lowerBound)"]
      case .vector: ["3 2 1"]
      case .text:
        ["trackerId": ["x"], "outbox.receivers": ["ride"], "reception.earliestDate": ["2026-02-28"]][setting.name] ?? [
          "+y -x +z"
        ]
      }
    let before = setting.text(standard.tracker)
    let other = try #require(
      candidates.first { Double($0) != Double(before) || ($0 != before && Double(before) == nil) })
    var changed = standard
    try changed.set(setting.name, to: other)
    let moved = Setting.all.filter { $0.text(changed.tracker) != $0.text(standard.tracker) }.map(\.name)
    #expect(moved == [setting.name])
    #expect(changed.seed == standard.seed && changed != standard)
  }
}

@Test func theTextOfAConfigurationIsReadLineByLine() throws {
  #expect(try RunConfiguration(text: "") == RunConfiguration())
  #expect(try RunConfiguration(text: "seed=7\n\n").seed == 7)
  #expect(RunConfiguration().text.hasSuffix("\nseed=1\n"))
  for (text, name, expectation) in [
    ("seed", "seed", nil), ("seed=x", "seed", "a whole number, 0 or more"), ("seed=1\nnone=2", "none", nil),
    ("outbox.window=0", "outbox.window", "a whole number from 1 to 32"),
    ("motion.armAfter=0", "motion.armAfter", "seconds from 1 to 604800"),
  ] as [(String, String, String?)] {
    do {
      _ = try RunConfiguration(text: text)
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.name == name && error.expectation == expectation)
    }
  }
}

/// Times keep their microsecond, however often a configuration is written and read.
@Test func secondsAreReadToTheNearestMicrosecond() throws {
  for microseconds in [
    1_000_001, 1_000_036, 1_000_071, 1_100_001, 2_290_000, 4_350_000, 1_000_003, 33_333_333, 8_070_000_007,
    604_799_999_999,
  ] {
    var configuration = RunConfiguration()
    configuration.tracker.motion.armAfter = Interval(microseconds: Int64(microseconds))
    for _ in 0..<3 { configuration = try RunConfiguration(text: configuration.text) }
    #expect(configuration.tracker.motion.armAfter.microseconds == Int64(microseconds))
  }
  for text in ["track 1.1 4.35", "track 0.29 33.333333", "track 8070.000007 2.29"] {
    #expect(Request(text: text)?.text == text)
  }
}

/// What was called otherwise in logs, configurations and requests of earlier versions.
private let renamed = [
  "reports.repeatInterval": "alerts.repeatInterval", "reports.repeatFor": "alerts.repeatFor",
  "reports.lateRepeatInterval": "alerts.lateRepeatInterval", "reports.touchInterval": "alerts.touchInterval",
  "reports.nearGrace": "owner.holdFor", "reports.nearFor": "owner.nearAfterSighting",
  "reports.nearByWord": "owner.nearByRequest", "reports.supplyLifetime": "readings.lifetime",
  "reports.powerDelay": "readings.powerDelay", "reports.buttonCheckpoint": "checkpoints.byButton",
]

@Test func earlierNamesOfSettingsAreStillRead() throws {
  for (earlier, name) in renamed {
    let value = name == "checkpoints.byButton" ? "true" : "31"
    let read = try RunConfiguration(text: "\(earlier)=\(value)")
    let today = try RunConfiguration(text: "\(name)=\(value)")
    #expect(read != RunConfiguration() && read == today, "\(earlier)")
    #expect(!read.text.contains(earlier + "="), "\(earlier)")
    var small = TrackerConfiguration()
    #expect(small.read(log: Array("\(earlier)=\(value)".utf8).span) == nil && small == read.tracker, "\(earlier)")
  }
  #expect(Set(Setting.all.compactMap(\.earlierName)) == Set(renamed.keys))
}

@Test func settingsOfTheseSectionsCanBeChangedWhileTheTrackerRuns() {
  let live: Set = ["motion", "reports", "rules", "driving", "alerts", "owner", "readings", "checkpoints", "sensing"]
  for setting in Setting.all {
    let section = setting.name.split(separator: ".")
    #expect(setting.isLive == (section.count > 1 && live.contains(String(section[0]))), "\(setting.name)")
  }
}

/// Its configuration, a request and three events have the earlier names.
@Test func aLogWithEarlierNamesOfSettingsReplaysByteForByte() throws {
  let root = #filePath.prefix(upTo: #filePath.range(of: "/Tests/")?.lowerBound ?? #filePath.endIndex)
  let path = root + "/fixtures/logs/earlier-setting-names.leash"
  let verdict = try ReplayVerifier.check([LeashLogReader(path: String(path))])
  #expect(verdict.difference == nil && verdict.inputCount == 169 && verdict.matchCount == 22, "\(verdict)")
}
