import ASCIIText
import InlineStorage
import Quantities
public import Telemetry

/// What has been changed in the settings while the tracker runs.
///
/// A change lasts over a restart, until the value changes that the tracker is made with: whoever edits the file means what stands
/// there then.
struct SettingsKeeper: TrackerPart {
  /// The settings that the tracker was made with.
  private let given: ReportParameters
  /// True when something was changed once: from then on there is a section.
  private(set) var isUsed = false
  /// When new settings are taken back unless somebody is reached before; nil when they are proven.
  private(set) var nextDeadline: Instant?
  /// What the settings on trial were before: their numbers, 0 for none, and values.
  private var trialNumbers = InlineArray<4, UInt8>(repeating: 0)
  private var trialValues = InlineArray<4, Int64>(repeating: 0)
  private var trialRequest: UInt32 = 0

  /// The numbers that settings of reports may have.
  private static var numbers: ClosedRange<UInt8> { 80...99 }
  /// Bytes of a changed setting in the section: its number, the value it was given, the value it has.
  fileprivate static var recordLength: Int { 17 }
  /// The most settings that can be changed at the same time: what there is room for in a section.
  private static var capacity: Int { 12 }

  init(_ configuration: TrackerConfiguration) { given = configuration.reports }

  /// Makes changes, all of them or none.
  ///
  /// - Returns: False when one of them can't be made; nothing is changed then.
  mutating func apply(_ changes: SettingChanges, to parameters: inout ReportParameters) -> Bool {
    var trial = parameters
    var place = 0
    while place < changes.count {
      let change = changes[place]
      guard let value = change.value ?? given.value(of: change.id), trial.set(change.id, to: value) else {
        return false
      }
      place += 1
    }
    guard changes.count > 0, changedCount(trial) <= SettingsKeeper.capacity else { return false }
    parameters = trial
    isUsed = true
    return true
  }

  /// How long new settings may reach nobody.
  private static var trialTime: Interval { .seconds(600) }

  /// Changes have been made that are taken back when nobody is reached with them.
  mutating func beginTrial(_ changes: SettingChanges, _ before: ReportParameters, _ request: UInt32, at time: Instant) {
    trialNumbers = InlineArray(repeating: 0)
    var place = 0
    while place < changes.count {
      guard let value = before.value(of: changes[place].id) else { return }
      trialNumbers[place] = changes[place].id
      trialValues[place] = value
      place += 1
    }
    trialRequest = request
    nextDeadline = time + SettingsKeeper.trialTime
  }

  /// Somebody was reached.
  mutating func confirm() { nextDeadline = nil }

  /// The trial has failed: what is to be changed back, and the number of the request.
  mutating func endTrial() -> (SettingChanges, UInt32)? {
    guard nextDeadline != nil else { return nil }
    nextDeadline = nil
    var changes = SettingChanges()
    var place = 0
    while place < 4 {
      // Of two changes of one setting the first knows what it was.
      let id = trialNumbers[3 - place]
      if id != 0 { changes.append(SettingChange(id: id, value: trialValues[3 - place])) }
      place += 1
    }
    return (changes, trialRequest)
  }

  private func changedCount(_ parameters: ReportParameters) -> Int {
    var count = 0
    for id in SettingsKeeper.numbers where parameters.value(of: id) != given.value(of: id) { count += 1 }
    return count
  }

  /// Writes its section: what is not as it was given.
  func encode(_ parameters: ReportParameters, into content: inout SectionContent) {
    for id in SettingsKeeper.numbers {
      guard let value = parameters.value(of: id), let before = given.value(of: id), value != before else { continue }
      content.append(id)
      content.append(littleEndian: UInt64(bitPattern: before), bytes: 8)
      content.append(littleEndian: UInt64(bitPattern: value), bytes: 8)
    }
  }

  /// Takes up what an earlier life had changed.
  @inline(never) mutating func restore(
    _ section: StoredSection, of bytes: Span<UInt8>, into parameters: inout ReportParameters
  ) {
    isUsed = true
    parameters.take(section, of: bytes)
  }
}

extension ReportParameters {
  /// True when a section can be one of changed settings.
  static func isKept(_ section: StoredSection) -> Bool { section.length % SettingsKeeper.recordLength == 0 }

  /// Takes the changed settings of a section of a kept state (`StateSections.settings`), each as long as the value that it was given
  /// is still the same.
  public mutating func take(_ section: StoredSection, of bytes: Span<UInt8>) {
    let given = self
    var reader = RecordReader(at: section.start)
    while reader.isValid, reader.place < section.end {
      let id = reader.byte(bytes)
      let before = reader.int64(bytes)
      let value = reader.int64(bytes)
      // A setting of a later version, or one that was changed where it is written, stays as it is.
      if reader.isValid, given.value(of: id) == before { _ = set(id, to: value) }
    }
  }
}
