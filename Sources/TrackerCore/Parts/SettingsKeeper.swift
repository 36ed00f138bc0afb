import ASCIIText
import InlineStorage
import MotionDetection
import Quantities
import Telemetry

/// What has been changed in the settings while the tracker runs.
///
/// A change lasts over a restart, until the value changes that the tracker is made with: whoever edits the file means what stands
/// there then.
struct SettingsKeeper: TrackerPart {
  /// A setting and a value that it had.
  private struct Former: BitwiseCopyable {
    var id: UInt8
    // Two halves, so that sixteen of these take no sixteen times four bytes of nothing.
    private var low: UInt32
    private var high: UInt32

    init(id: UInt8 = 0, value: Int64 = 0) {
      self.id = id
      low = UInt32(truncatingIfNeeded: value)
      high = UInt32(truncatingIfNeeded: value >> 32)
    }

    var value: Int64 {
      get { Int64(bitPattern: UInt64(high) << 32 | UInt64(low)) }
      set { self = Former(id: id, value: newValue) }
    }
  }

  /// True when something was changed once: from then on there is a section.
  private(set) var isUsed = false
  /// When new settings are taken back unless somebody is reached before; nil when they are proven.
  private(set) var nextDeadline: Instant?
  /// The settings that are not as the tracker was made, with what they were made.
  private var given = InlineArray<12, Former>(repeating: Former())
  private var givenCount = 0
  /// The settings on trial, with what they were before.
  private var trial = InlineArray<4, Former>(repeating: Former())
  private var trialCount = 0
  private var trialRequest: UInt32 = 0

  init() {}

  // MARK: Changes

  /// Makes changes, all of them or none.
  ///
  /// - Parameter trialEnd: When they are taken back unless somebody is reached before; nil when there is nothing to lose.
  /// - Returns: Why one of them can't be made, and nothing is changed; nil when all were made.
  @inline(never) mutating func apply(
    _ changes: SettingChanges, to configuration: inout TrackerConfiguration, request: UInt32, until trialEnd: Instant?
  ) -> StatusReason? {
    var before = InlineArray<4, Former>(repeating: Former())
    let former = (given, givenCount)
    var place = 0
    while place < changes.count {
      let id = changes[place].id
      let old = configuration.value(of: id) ?? 0
      let new = changes[place].value ?? givenValue(of: id) ?? old
      let isMade = configuration.set(id, to: new)
      // What stays as it is needs no room.
      guard isMade, new == old || noteGiven(id, old) else {
        if isMade { _ = configuration.set(id, to: old) }
        SettingsKeeper.undo(before, place, in: &configuration)
        (given, givenCount) = former
        return isMade ? .settingsFull : .settingsRefused
      }
      before[place] = Former(id: id, value: old)
      place += 1
    }
    guard changes.count > 0 else { return .settingsRefused }
    guard noteTrial(before, trialEnd == nil ? 0 : changes.count, in: &configuration) else {
      SettingsKeeper.undo(before, place, in: &configuration)
      (given, givenCount) = former
      return .settingsUnconfirmed
    }
    if let trialEnd {
      trialRequest = request
      nextDeadline = trialEnd
    }
    if trialCount == 0 { nextDeadline = nil }
    SettingsKeeper.dropUnchanged(&given, &givenCount, in: &configuration)
    isUsed = true
    return nil
  }

  /// Gives the first of some settings what they were before.
  private static func undo(
    _ before: borrowing InlineArray<4, Former>, _ count: Int, in configuration: inout TrackerConfiguration
  ) {
    var place = count
    while place > 0 {
      place -= 1
      _ = configuration.set(before[place].id, to: before[place].value)
    }
  }

  /// Puts changed settings on trial beside those that are: of a setting that is, what it was before the trial is to come back. One that
  /// has that again is on trial no longer.
  ///
  /// - Parameters:
  ///   - before: What settings were before they were changed.
  ///   - count: How many of them are to be tried.
  /// - Returns: False when there is no room, and nothing is changed.
  private mutating func noteTrial(
    _ before: borrowing InlineArray<4, Former>, _ count: Int, in configuration: inout TrackerConfiguration
  ) -> Bool {
    let former = (trial, trialCount)
    SettingsKeeper.dropUnchanged(&trial, &trialCount, in: &configuration)
    var place = 0
    while place < count {
      let old = before[place]
      if SettingsKeeper.place(of: old.id, in: former.0, former.1) == nil, configuration.value(of: old.id) != old.value {
        guard trialCount < trial.count else {
          (trial, trialCount) = former
          return false
        }
        trial[trialCount] = old
        trialCount += 1
      }
      place += 1
    }
    return true
  }

  /// Where a setting stands among the first of a list; nil when it does not.
  private static func place<let capacity: Int>(
    of id: UInt8, in list: borrowing InlineArray<capacity, Former>, _ count: Int
  ) -> Int? {
    var place = 0
    while place < count {
      if list[place].id == id { return place }
      place += 1
    }
    return nil
  }

  private func givenValue(of id: UInt8) -> Int64? {
    SettingsKeeper.place(of: id, in: given, givenCount).map { given[$0].value }
  }

  /// False when there is no more room.
  private mutating func noteGiven(_ id: UInt8, _ value: Int64) -> Bool {
    guard givenValue(of: id) == nil else { return true }
    guard givenCount < given.count else { return false }
    given[givenCount] = Former(id: id, value: value)
    givenCount += 1
    return true
  }

  /// Takes those out of a list that have again what they had: they are no changes.
  private static func dropUnchanged<let capacity: Int>(
    _ list: inout InlineArray<capacity, Former>, _ count: inout Int, in configuration: inout TrackerConfiguration
  ) {
    var kept = 0
    var place = 0
    while place < count {
      let former = list[place]
      if configuration.value(of: former.id) != former.value {
        list[kept] = former
        kept += 1
      }
      place += 1
    }
    count = kept
  }

  // MARK: Trial

  /// How long new settings may reach nobody.
  static var trialTime: Interval { .seconds(600) }

  /// Somebody was reached.
  ///
  /// - Returns: True when a trial has ended by it.
  mutating func confirm() -> Bool {
    defer { nextDeadline = nil }
    trialCount = 0
    return nextDeadline != nil
  }

  /// The trial has failed: what is to be changed back, and the number of the request.
  mutating func endTrial() -> (SettingChanges, UInt32)? {
    guard nextDeadline != nil else { return nil }
    var changes = SettingChanges()
    while trialCount > 0 {
      trialCount -= 1
      changes.append(SettingChange(id: trial[trialCount].id, value: trial[trialCount].value))
    }
    nextDeadline = nil
    return (changes, trialRequest)
  }

  // MARK: Owner

  /// Everything has again what the tracker was made with.
  @inline(never) mutating func forgetOwner(_ configuration: inout TrackerConfiguration) {
    while givenCount > 0 {
      givenCount -= 1
      _ = configuration.set(given[givenCount].id, to: given[givenCount].value)
    }
    trialCount = 0
    nextDeadline = nil
  }

  // MARK: State

  /// Writes its section: each setting that is not as it was given, with both values; behind them those on trial, with what they were
  /// before, the number of the request, and a mark of what they are.
  ///
  /// A door of its own: no other section needs the configuration, which is copied for whoever is handed it.
  @inline(never) func encode(_ configuration: TrackerConfiguration, into content: inout SectionContent) {
    var configuration = configuration
    var place = 0
    while place < givenCount {
      content.append(given[place].id)
      content.append(littleEndian: UInt64(bitPattern: given[place].value), bytes: 8)
      let value = configuration.value(of: given[place].id) ?? given[place].value
      content.append(littleEndian: UInt64(bitPattern: value), bytes: 8)
      place += 1
    }
    place = 0
    while place < trialCount {
      content.append(trial[place].id ^ ChangedSetting.trialBit)
      content.append(littleEndian: UInt64(bitPattern: trial[place].value), bytes: 8)
      let mark = ChangedSetting.mark(of: configuration.value(of: trial[place].id) ?? 0)
      content.append(littleEndian: UInt64(trialRequest) | UInt64(mark) << 32, bytes: 8)
      place += 1
    }
  }

  /// Takes up what an earlier life had changed; what was on trial is on trial again, but for what was changed where it is written.
  @inline(never) mutating func restore(
    _ section: StoredSection, of bytes: Span<UInt8>, into configuration: inout TrackerConfiguration, at time: Instant
  ) {
    isUsed = true
    var reader = RecordReader(at: section.start)
    while let record = ChangedSetting(&reader, section, of: bytes) {
      if record.isOnTrial {
        guard trialCount < trial.count, record.isTried(in: &configuration) else { continue }
        trial[trialCount] = Former(id: record.id, value: record.before)
        trialCount += 1
        trialRequest = UInt32(truncatingIfNeeded: record.value)
        nextDeadline = time + SettingsKeeper.trialTime
      } else if record.take(into: &configuration) {
        _ = noteGiven(record.id, record.before)
      }
    }
  }
}

/// A record of the section.
private struct ChangedSetting {
  var id: UInt8
  var isOnTrial: Bool
  var before: Int64
  var value: Int64

  static var length: Int { 17 }
  /// What stands in place of a number that is on trial: the number with its highest bit turned over.
  static var trialBit: UInt8 { 0x80 }
  /// The numbers of settings that may change while the tracker runs. They are 128, so that with that bit turned over none of them is
  /// another of them.
  static var numbers: ClosedRange<UInt8> { 10...137 }

  /// A mark of a value, never 0.
  static func mark(of value: Int64) -> UInt32 {
    let low = UInt32(truncatingIfNeeded: value)
    return (low ^ (UInt32(truncatingIfNeeded: value >> 32) &* 0x9E37_79B1)) | 0x8000_0000
  }

  /// Whether a setting on trial has the value that is tried. A state of before has no mark.
  func isTried(in configuration: inout TrackerConfiguration) -> Bool {
    let mark = UInt32(truncatingIfNeeded: value >> 32)
    return mark == 0 || configuration.value(of: id).map { ChangedSetting.mark(of: $0) == mark } ?? false
  }

  init?(_ reader: inout RecordReader, _ section: StoredSection, of bytes: Span<UInt8>) {
    guard reader.isValid, reader.place < section.end else { return nil }
    let mark = reader.byte(bytes)
    isOnTrial = !ChangedSetting.numbers.contains(mark)
    id = isOnTrial ? mark ^ ChangedSetting.trialBit : mark
    before = reader.int64(bytes)
    value = reader.int64(bytes)
    guard reader.isValid else { return nil }
  }

  /// Changes the setting, if it is what it was when this was kept.
  ///
  /// A setting of a later version, or one that was changed where it is written, stays as it is.
  func take(into configuration: inout TrackerConfiguration) -> Bool {
    configuration.value(of: id) == before && configuration.set(id, to: value)
  }
}

extension TrackerConfiguration {
  /// True when a section can be one of changed settings.
  static func isKept(_ section: StoredSection) -> Bool { section.length % ChangedSetting.length == 0 }

  /// Takes the changed settings of a section of a kept state (`StateSections.settings`), each as long as the value that it was given
  /// is still the same.
  public mutating func take(_ section: StoredSection, of bytes: Span<UInt8>) {
    var reader = RecordReader(at: section.start)
    while let record = ChangedSetting(&reader, section, of: bytes) {
      if !record.isOnTrial { _ = record.take(into: &self) }
    }
  }
}

extension TrackerConfiguration {
  /// Takes whether alerts are on from a kept state, as long as the value that it was given is still the same.
  public mutating func takeAlerts(ofState bytes: Span<UInt8>) {
    let kept = KeptState(bytes, alertsEnabled: alertsEnabled)
    let given = kept.motion.givenAlertsEnabled ?? alertsEnabled
    guard kept.found.contains(.motion), given == alertsEnabled else { return }
    alertsEnabled = kept.requests.areWanted(alerts: kept.motion.alertsEnabled)
  }
}
