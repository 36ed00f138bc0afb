import ASCIIText
import InertialFusion
import InlineStorage
import Quantities
import Telemetry

/// The value that a setting has now, as text that reads back to the same.
///
/// What has no short text, as a mounting, has none.
struct SettingAnswer: SettingVisitor {
  private let id: UInt8
  /// The setting's name; nil when there is none of that number.
  private(set) var name: StaticString?
  /// Its value.
  private(set) var text = InlineBytes<32>()

  /// The name alone.
  @inline(never) init(_ id: UInt8) {
    var configuration = TrackerConfiguration()
    self.init(id, in: &configuration)
  }

  init(_ id: UInt8, in configuration: inout TrackerConfiguration) {
    self.id = id
    configuration.visitSettings(&self)
  }

  private mutating func isMeant(_ entry: SettingEntry) -> Bool {
    guard entry.id == id else { return false }
    name = entry.name
    return true
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    if isMeant(entry) { text.append(seconds: value) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    guard isMeant(entry) else { return }
    text.append(trimmed: Elementary.roundedInteger(Double(value) * 1_000_000_000), decimals: 9)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    if isMeant(entry) { text.append(decimal: Int64(value)) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) {
    if isMeant(entry) { text.append(value ? "true" : "false") }
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    if isMeant(entry) { value.encodeWords(into: &text) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout PacketFormat) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {}
}
