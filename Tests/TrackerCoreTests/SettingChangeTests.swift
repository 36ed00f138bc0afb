import InlineStorage
import Quantities
import TrackerRuntime
import Telemetry
import Testing
import TrackerCore

/// A tracker that is told to change its settings, with what it says about it.
private struct ChangedTracker: ~Copyable {
  var tracker: Tracker
  private(set) var events: [TrackerEvent.Kind] = []
  private(set) var answers: [StatusReason] = []
  /// What answers had as their value.
  private(set) var values: [String] = []
  private(set) var kept: [UInt8: [UInt8]] = [:]
  /// When an alert was told.
  private(set) var alerts: [Instant] = []
  var time = Instant.seconds(1)
  /// Whether packets are acknowledged.
  var hasLink = true
  private var metres = 0.0

  init(_ configuration: TrackerConfiguration = TrackerConfiguration()) {
    tracker = Tracker(configuration: configuration)
    tracker.advance(to: time)
    drain()
  }

  /// The same tracker in its next life, made with this.
  consuming func restarted(
    _ configuration: TrackerConfiguration = TrackerConfiguration(), hasLink: Bool = true
  ) -> ChangedTracker {
    var state: [UInt8] = []
    for (_, bytes) in kept { state += bytes }
    return ChangedTracker(configuration, restoring: state, hasLink: hasLink)
  }

  private init(_ configuration: TrackerConfiguration, restoring state: [UInt8], hasLink: Bool) {
    tracker = Tracker(configuration: configuration)
    self.hasLink = hasLink
    time = .seconds(1000)
    tracker.restore(state.span, at: time)
    drain()
  }

  mutating func tell(_ text: String) throws {
    let request = try #require(Request(text: text), "\(text)")
    tracker.submit(request, at: time)
    drain()
  }

  var hasAlerts: Bool { tracker.monitor.alertsEnabled }
  var tiltLimit: Float { tracker.monitor.parameters.tiltLimit }

  /// Has fixes once a second along a line to the north.
  mutating func fixes(seconds: Int, speed: Double = 0) {
    for _ in 0..<seconds {
      time = time + .seconds(1)
      metres += speed
      var fix = GNSSFix(time: time)
      fix.mode = .threeDimensional
      fix.position = GeodeticPosition(latitudeDegrees: 52 + metres / 111_267, longitudeDegrees: 4)
      fix.speed = speed
      fix.horizontalAccuracy = 5
      tracker.process(fix)
      drain()
    }
  }

  /// Does at each deadline what is due, as a board does.
  mutating func wait(until end: Instant) {
    while let due = tracker.nextDeadline, due <= end {
      if due <= tracker.now {
        Issue.record("at \(tracker.now) it wakes for \(due)")
        break
      }
      time = due
      tracker.advance(to: due)
      drain()
    }
    time = end
    tracker.advance(to: end)
    drain()
  }

  mutating func drain() {
    var waiting = fetch()
    while !waiting.isEmpty {
      tracker.acknowledge(waiting.removeFirst(), at: time)
      waiting += fetch()
    }
  }

  /// Takes all actions; gives the packets that a server is to acknowledge.
  private mutating func fetch() -> [UInt32] {
    var sent: [UInt32] = []
    while let action = tracker.nextAction() {
      switch action {
      case .event(let event): events.append(event.kind)
      case .persist(let sections):
        for tag in StateSections.tags where sections.contains(StateSections(tag: tag)) {
          var bytes = ByteBuffer()
          tracker.encodeState(StateSections(tag: tag), into: &bytes)
          if !bytes.bytes.isEmpty { kept[tag] = bytes.bytes }
        }
      case .transmit(let sequence, _):
        let place = tracker.outbox.place(of: sequence)
        if let place, tracker.outbox.packet(at: place).kind == .movement { alerts.append(time) }
        if let place, let status = tracker.outbox.packet(at: place).status { answers.append(status.reason) }
        if let place, let value = tracker.outbox.packet(at: place).value {
          values.append(String(decoding: (0..<value.text.count).map { value.text[$0] }, as: UTF8.self))
        }
        if hasLink { sent.append(sequence) }
      case .spool, .recall, .sound, .sense, .restart: break
      }
    }
    return sent
  }
}

struct SettingChangeTests {
  /// A vehicle that was ridden off an hour ago; its last alert is told every ten minutes.
  private static func stolen() -> ChangedTracker {
    var owner = ChangedTracker()
    owner.fixes(seconds: 320)
    owner.fixes(seconds: 60, speed: 5)
    owner.wait(until: owner.time + .seconds(3600))
    return owner
  }

  @Test func anotherSettingLeavesWhenAnAlertIsToldAgain() throws {
    var owner = SettingChangeTests.stolen()
    let last = try #require(owner.alerts.last)
    owner.wait(until: last + .seconds(500))
    try owner.tell("set reports.distance 400")
    owner.wait(until: last + .seconds(1300))
    #expect(owner.alerts.suffix(3) == [last, last + .seconds(600), last + .seconds(1200)])
  }

  @Test func aNewTimeBetweenAlertsCountsFromTheLastOne() throws {
    var owner = SettingChangeTests.stolen()
    let last = try #require(owner.alerts.last)
    owner.wait(until: last + .seconds(500))
    try owner.tell("set alerts.lateRepeatInterval 900")
    owner.wait(until: last + .seconds(2500))
    #expect(owner.alerts.suffix(3) == [last, last + .seconds(900), last + .seconds(1800)])
    // What is over already is told as soon as time passes.
    try owner.tell("set alerts.lateRepeatInterval 600")
    owner.wait(until: last + .seconds(2600))
    #expect(owner.alerts.last == last + .seconds(2500) + Interval(microseconds: 1))
    owner.wait(until: last + .seconds(3101))
    #expect(owner.alerts.count { $0 > last } == 4)
  }

  @Test func aSettingThatIsChangedHoldsFromThenOnAndIsAnswered() throws {
    var owner = ChangedTracker()
    try owner.tell("set reports.parkedInterval 120")
    #expect(owner.tracker.configuration.reports.parkedInterval == .seconds(120))
    #expect(owner.tracker.nextDeadline == .seconds(121), "two minutes after the first input, and not an hour")
    #expect(owner.events == [.settingChanged(setting: 86, value: 120_000_000)])
    #expect(owner.answers == [.settingsChanged])
    try owner.tell("reset reports.parkedInterval")
    #expect(owner.tracker.configuration == TrackerConfiguration())
    #expect(owner.answers == [.settingsChanged, .settingsChanged])
  }

  @Test func severalSettingsChangeTogetherOrNotAtAll() throws {
    var owner = ChangedTracker()
    try owner.tell("set reports.distance 500 reports.alarmInterval 2.5 reports.speedChange 0.1")
    #expect(owner.tracker.configuration.reports.distance == 500)
    #expect(owner.tracker.configuration.reports.alarmInterval == .milliseconds(2500))
    #expect(owner.tracker.configuration.reports.speedChange == 0.1)
    let before = owner.tracker.configuration
    // The second can't be; a request of text with it is none, so it is made here.
    var changes = SettingChanges()
    changes.append(SettingChange(id: 81, value: Int64(Float(700).bitPattern)))
    changes.append(SettingChange(id: 86, value: 1))
    owner.tracker.submit(.set(changes), at: owner.time)
    owner.drain()
    #expect(owner.tracker.configuration == before, "the first is undone")
    #expect(owner.answers.last == .settingsRefused)
    owner.tracker.submit(.set(SettingChanges()), at: owner.time)
    owner.drain()
    #expect(owner.answers.count == 3 && owner.answers.last == .settingsRefused, "nothing to change")
  }

  @Test func aChangeLastsOverARestartUntilTheFileHasAnotherValue() throws {
    var owner = ChangedTracker()
    try owner.tell("set reports.distance 500 reports.staleAfter 90.5")
    var next = owner.restarted()
    #expect(next.tracker.configuration.reports.distance == 500)
    #expect(next.tracker.configuration.reports.staleAfter == .milliseconds(90_500))
    next = next.restarted()
    #expect(next.tracker.configuration.reports.distance == 500, "and over the next")
    // Somebody edits one of them in the file: there is the last word, and the other stays as it was changed.
    var edited = TrackerConfiguration()
    edited.reports.distance = 100
    next = next.restarted(edited)
    #expect(next.tracker.configuration.reports.distance == 100)
    #expect(next.tracker.configuration.reports.staleAfter == .milliseconds(90_500))
    next = next.restarted()
    #expect(next.tracker.configuration.reports.distance == 250, "what was changed before the edit is forgotten")
    try next.tell("reset reports.staleAfter")
    next = next.restarted()
    #expect(next.tracker.configuration == TrackerConfiguration())
  }

  /// A text that each setting takes, and that is not its default.
  private static let changedTexts: [(setting: Setting, text: String)] = Setting.all.filter(\.isLive).compactMap {
    setting in
    let texts: [String] =
      switch setting.form {
      case .number(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .whole(let range): ["\(range.lowerBound)", "\(range.upperBound)"]
      case .boolean: ["true", "false"]
      case .choice(let words): words
      case .words(let words): words
      case .numbers(let range): ["\(range.upperBound)+\(range.lowerBound)"]
      case .vector, .text: []
      }
    let before = setting.text(TrackerConfiguration())
    return texts.first { Double($0) ?? .nan != Double(before) ?? .nan && $0 != before }.map { (setting, $0) }
  }

  @Test func everySettingThatIsChangedLastsOverARestart() throws {
    #expect(Self.changedTexts.count == Setting.all.filter(\.isLive).count && Self.changedTexts.count > 60)
    for (setting, text) in Self.changedTexts {
      var owner = ChangedTracker()
      try owner.tell("set \(setting.name) \(text)")
      let changed = owner.tracker.configuration
      #expect(changed != TrackerConfiguration(), "\(setting.name)")
      let next = owner.restarted()
      #expect(next.tracker.configuration == changed, "\(setting.name)")
    }
  }

  @Test func everySettingOnTrialIsTakenBackAlsoAfterARestart() throws {
    for (setting, text) in Self.changedTexts {
      var owner = ChangedTracker()
      try owner.tell("ping")
      owner.hasLink = false
      try owner.tell("set \(setting.name) \(text)")
      let changed = owner.tracker.configuration
      var next = owner.restarted(hasLink: false)
      #expect(next.tracker.configuration == changed && changed != TrackerConfiguration(), "\(setting.name)")
      next.time = next.time + .seconds(600)
      next.tracker.advance(to: next.time)
      next.drain()
      #expect(next.tracker.configuration == TrackerConfiguration(), "\(setting.name)")
      #expect(next.answers.last == .settingsTakenBack, "\(setting.name)")
    }
  }

  @Test func settingsOfMotionChangeWhileItRuns() throws {
    var owner = ChangedTracker()
    #expect(owner.tracker.nextDeadline == .seconds(301), "armed five minutes after the first input")
    try owner.tell("set motion.armAfter 60 motion.sensitivity low")
    #expect(owner.tracker.nextDeadline == .seconds(61))
    #expect(owner.tiltLimit == 1.5 * TrackerConfiguration().motion.tiltLimit)
    owner.time = .seconds(61)
    owner.tracker.advance(to: owner.time)
    owner.drain()
    let isArmed = owner.tracker.monitor.isArmed
    #expect(isArmed)
    var next = owner.restarted()
    #expect(next.tracker.configuration.motion.sensitivity == .low)
    #expect(next.tiltLimit == 1.5 * TrackerConfiguration().motion.tiltLimit, "once, not twice")
    try next.tell("reset motion.sensitivity")
    #expect(next.tiltLimit == TrackerConfiguration().motion.tiltLimit)
  }

  @Test func aSettingIsSetOnceInARequest() {
    #expect(Request(text: "set reports.distance 5 motion.armAfter 60 reports.distance 6") == nil)
    #expect(Request(text: "set owner.holdFor 5 reports.nearGrace 5") == nil, "also by its earlier name")
  }

  @Test func requestsOfEarlierVersionsAreUnderstood() throws {
    for (earlier, name) in [("reports.nearGrace", "owner.holdFor"), ("reports.repeatFor", "alerts.repeatFor")] {
      #expect(Request(text: "set \(earlier) 30")?.text == "set \(name) 30.0")
      #expect(Request(text: "reset \(earlier)")?.text == "reset \(name)")
      #expect(Request(text: "get \(earlier)")?.text == "get \(name)")
    }
  }

  @Test func whatIsOnTrialIsOnTrialAfterARestart() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500 motion.armAfter 60")
    // Cut off before anybody has it.
    var next = owner.restarted(hasLink: false)
    #expect(next.tracker.configuration.reports.distance == 500)
    next.time = next.time + .seconds(600)
    next.tracker.advance(to: next.time)
    next.drain()
    #expect(next.tracker.configuration == TrackerConfiguration(), "nobody was reached with them")
    #expect(next.answers.last == .settingsTakenBack)
  }

  /// The file is edited during a trial: what stands there then is no part of it.
  @Test func whatTheFileHasDuringATrialIsNotTakenBack() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500 reports.speedChange 3")
    var edited = TrackerConfiguration()
    edited.reports.distance = 400
    var next = owner.restarted(edited, hasLink: false)
    #expect(next.tracker.configuration.reports.distance == 400 && next.tracker.configuration.reports.speedChange == 3)
    next.wait(until: next.time + .seconds(600))
    #expect(next.tracker.configuration == edited, "the other is taken back")
    #expect(next.answers.last == .settingsTakenBack)
  }

  /// Changes during a trial join it: none of them has reached anybody.
  @Test func aTrialIsTakenBackAsAWhole() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500 reports.speedChange 3")
    owner.wait(until: owner.time + .seconds(300))
    try owner.tell("set reports.distance 600 motion.armAfter 60")
    owner.wait(until: owner.time + .seconds(599))
    #expect(owner.tracker.configuration.reports.distance == 600, "the second has its ten minutes")
    var next = owner.restarted(hasLink: false)
    next.wait(until: next.time + .seconds(600))
    #expect(next.tracker.configuration == TrackerConfiguration())
    // Four can be on trial.
    next.hasLink = true
    try next.tell("ping")
    next.hasLink = false
    try next.tell("set reports.distance 500 reports.speedChange 3 motion.armAfter 60 reports.staleAfter 30")
    let tried = next.tracker.configuration
    try next.tell("set reports.distance 600 motion.sensitivity low")
    #expect(next.answers.last == .settingsUnconfirmed && next.tracker.configuration == tried)
    next.wait(until: next.time + .seconds(600))
    #expect(next.tracker.configuration == TrackerConfiguration())
  }

  /// The fifth setting waits until a server answers, or one of the four is again as it was.
  @Test func aSettingOnTrialThatIsResetMakesRoomForAnother() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500 reports.speedChange 3 motion.armAfter 60 reports.staleAfter 30")
    try owner.tell("set motion.quietAfter 77")
    #expect(owner.answers.last == .settingsUnconfirmed)
    try owner.tell("set motion.armAfter 61")
    #expect(owner.answers.last == .settingsChanged, "one of the four")
    let before = owner.tracker.configuration
    try owner.tell("set motion.armAfter 300 motion.quietAfter 77 motion.calmAfter 20")
    #expect(owner.answers.last == .settingsUnconfirmed && owner.tracker.configuration == before, "room for one of two")
    try owner.tell("reset motion.armAfter")
    try owner.tell("set motion.quietAfter 77")
    #expect(owner.answers.last == .settingsChanged && owner.tracker.configuration.motion.quietAfter == .seconds(77))
    try owner.tell("set motion.armAfter 60")
    #expect(owner.answers.last == .settingsUnconfirmed)
    owner.wait(until: owner.time + .seconds(600))
    #expect(owner.answers.last == .settingsTakenBack && owner.tracker.configuration == TrackerConfiguration())
  }

  @Test func aTrialIsOverWhenAllIsAsBefore() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500 reports.speedChange 3")
    for name in ["distance", "speedChange"] { try owner.tell("reset reports.\(name)") }
    // What stays as it is needs no trial.
    try owner.tell("set motion.armAfter 300")
    owner.wait(until: owner.time + .seconds(700))
    #expect(!owner.answers.contains(.settingsTakenBack) && owner.tracker.configuration == TrackerConfiguration())
    var next = owner.restarted(hasLink: false)
    next.wait(until: next.time + .seconds(700))
    #expect(!next.answers.contains(.settingsTakenBack))
  }

  /// Requests switch alerts until the file has another value.
  @Test func alertsAreAsTheFileHasThemOnceItIsEdited() throws {
    var off = TrackerConfiguration()
    off.alertsEnabled = false
    var owner = ChangedTracker()
    owner = owner.restarted(off)
    #expect(owner.hasAlerts == false, "a collar from now on")
    owner = owner.restarted(off)
    #expect(owner.hasAlerts == false)
    try owner.tell("alerts on")
    owner = owner.restarted(off)
    #expect(owner.hasAlerts == true, "as it was asked")
    owner = owner.restarted()
    #expect(owner.hasAlerts == true)
    try owner.tell("alerts off")
    owner = owner.restarted()
    #expect(owner.hasAlerts == false, "as it was asked")
    owner = owner.restarted(off)
    owner = owner.restarted()
    #expect(owner.hasAlerts == true, "both edits count")
    // Where it is disabled they are on or off afterwards.
    try owner.tell("enabled off")
    owner = owner.restarted(off)
    #expect(owner.hasAlerts == false)
    try owner.tell("enabled on")
    #expect(owner.hasAlerts == false)
    try owner.tell("enabled off")
    owner = owner.restarted()
    #expect(owner.hasAlerts == false, "still disabled")
    try owner.tell("enabled on")
    #expect(owner.hasAlerts == true)
  }

  @Test func aSettingIsToldAsItIsInForce() throws {
    var owner = ChangedTracker()
    try owner.tell("alerts off")
    try owner.tell("get alertsEnabled")
    #expect(owner.values.last == "false")
    try owner.tell("alerts on")
    try owner.tell("disarm")
    try owner.tell("get alertsEnabled")
    #expect(owner.values.last == "true", "as far as alerts go")
    for text in ["0.6", "0.123456", "2", "0.1"] {
      try owner.tell("set motion.headingLimit \(text)")
      try owner.tell("get motion.headingLimit")
      if owner.answers.last == .setting, let value = owner.values.last {
        #expect(value == text || value == "\(text).0")
      }
    }
    #expect(owner.values.contains("0.6"))
  }

  @Test func aRefusedChangeLeavesTheTrialOfTheOneBefore() throws {
    var owner = ChangedTracker()
    try owner.tell("ping")
    owner.hasLink = false
    try owner.tell("set reports.distance 500")
    var changes = SettingChanges()
    changes.append(SettingChange(id: 40, value: 1))
    owner.tracker.submit(.set(changes), at: owner.time)
    owner.drain()
    #expect(owner.answers.last == .settingsRefused)
    owner.time = owner.time + .seconds(600)
    owner.tracker.advance(to: owner.time)
    owner.drain()
    #expect(owner.tracker.configuration == TrackerConfiguration())
    #expect(owner.answers.last == .settingsTakenBack)
  }

  @Test func twelveSettingsCanDifferAndNoMore() throws {
    var owner = ChangedTracker()
    for name in ["ridingInterval", "minimumInterval", "alarmInterval", "stolenInterval"] {
      try owner.tell("set reports.\(name) 77")
    }
    for name in ["repeatInterval", "repeatFor"] { try owner.tell("set alerts.\(name) 77") }
    for name in ["armAfter", "touchDelay", "armBy", "standAfter", "silenceAfter", "calmAfter"] {
      try owner.tell("set motion.\(name) 77")
    }
    #expect(owner.answers.allSatisfy { $0 == .settingsChanged } && owner.answers.count == 12)
    let before = owner.tracker.configuration
    for text in ["set reports.staleAfter 78", "set motion.armBy 79 reports.staleAfter 78"] {
      try owner.tell(text)
      #expect(owner.answers.last == .settingsFull && owner.tracker.configuration == before, "\(text)")
    }
    // What is as it was made needs no room.
    let same = "set reports.staleAfter \(before.reports.staleAfter.microseconds / 1_000_000)"
    for text in ["reset reports.staleAfter", same] {
      try owner.tell(text)
      #expect(owner.answers.last == .settingsChanged && owner.tracker.configuration == before, "\(text)")
    }
    try owner.tell("set motion.armBy 79")
    #expect(owner.answers.last == .settingsChanged, "one of the twelve")
    try owner.tell("reset motion.armBy")
    try owner.tell("set reports.staleAfter 78")
    #expect(owner.answers.last == .settingsChanged, "there is room again")
    let next = owner.restarted()
    #expect(next.tracker.configuration.motion.calmAfter == .seconds(77))
    #expect(next.tracker.configuration.reports.staleAfter == .seconds(78))
    #expect(next.tracker.configuration.motion.armBy == TrackerConfiguration().motion.armBy)
  }

  @Test func aStateWithoutChangesHasNoSectionOfThem() throws {
    var owner = ChangedTracker()
    try owner.tell("locate")
    #expect(owner.kept[8] == nil && owner.kept[1] != nil)
  }

  @Test func aDamagedSectionOfSettingsLeavesTheValuesOfTheFile() throws {
    var owner = ChangedTracker()
    try owner.tell("set reports.distance 500")
    let section = try #require(owner.kept[8])
    #expect(section.count == 13 + 17)
    for place in section.indices {
      var damaged = section
      damaged[place] ^= 0x20
      var tracker = Tracker()
      let isRestored = tracker.restore(damaged.span, at: .seconds(9))
      #expect(isRestored && tracker.configuration == TrackerConfiguration(), "byte \(place)")
    }
    // A section that is whole and too short is none.
    var short = ByteBuffer()
    StoredSection(tag: 8, version: 1, revision: 1).encode(section[13..<29].span, into: &short)
    var tracker = Tracker()
    let isRestored = tracker.restore(short.bytes.span, at: .seconds(9))
    #expect(isRestored && tracker.configuration == TrackerConfiguration())
  }

  @Test func requestsToChangeSettingsAreReadAndWrittenAsText() {
    for text in [
      "set reports.distance 500.0", "set reports.parkedInterval 120.5 reports.courseChange 0.25",
      "reset reports.distance", "set motion.sensitivity high motion.armAfter 60.0", "reset motion.sensitivity",
      "set reports.distance 1.0 reports.ridingInterval 1.0 reports.staleAfter 1.0 reports.alarmInterval 1.0",
    ] {
      #expect(Request(text: text)?.text == text)
    }
    #expect(Request(text: "#12 set reports.distance 500") == Request(text: "set reports.distance 500"))
    for text in [
      "set", "set reports.distance", "set reports.distance 0.5", "set reports.distance x", "set reports.distnce 500",
      "set rest.window 0.5", "set reports.distance 500 reports.staleAfter", "reset", "reset rest.window",
      "set motion.sensitivity loud", "set motion.armAfter 0.9", "set outbox.window 2", "set trackerId me",
      "reset reports.distance reports.staleAfter", "set reports.parkedInterval 59.999999",
      "set reports.distance 1 reports.distance 2 reports.distance 3 reports.distance 4 reports.distance 5",
      "set reports.distance 500 " + String(repeating: "x", count: 60) + " 1",
    ] {
      #expect(Request(text: text) == nil, "\(text)")
    }
    #expect(Request(text: "set reports.parkedInterval 60") != nil)
  }

  /// Whatever number a setting has, its text reads back to the same bits.
  @Test func aNumberKeepsItsBitsInText() throws {
    for value: Float in [0.1, 0.523_598_8, 4, 99.9, 0.333_333_34] {
      var changes = SettingChanges()
      changes.append(SettingChange(id: 83, value: Int64(value.bitPattern)))
      #expect(Request(text: Request.set(changes).text) == .set(changes), "\(value)")
    }
  }

  @Test func whyAChangeIsNotTakenIsSaidInWords() {
    #expect(
      RequestKind.complaint(about: "fly") == "unknown command 'fly'; 'leash tell --help' lists all")
    #expect(RequestKind.complaint(about: "dismis 3") == "unknown command 'dismis'; did you mean 'dismiss'?")
    #expect(
      RequestKind.complaint(about: "set reports.distnce 5")
        == "unknown setting 'reports.distnce'; did you mean 'reports.distance'?")
    #expect(
      RequestKind.complaint(about: "set reports.distance 5 reports.distance 6") == "'reports.distance' is set twice")
    #expect(
      RequestKind.complaint(about: "set rest.window 0.5")
        == "'rest.window' can't be changed while the tracker runs; set it in the configuration file")
    #expect(
      RequestKind.complaint(about: "set reports.distance 0")
        == "'reports.distance': expected a number from 1 to 100000; found '0'"
    )
    #expect(RequestKind.complaint(about: "reset x") == "unknown setting 'x'")
  }
}
