import ASCIIText
import Quantities

/// A new value of a setting that may change while the tracker runs.
@frozen public struct SettingChange: Equatable, BitwiseCopyable, Sendable {
  /// Which setting, `SettingEntry.id`.
  public var id: UInt8
  /// Its value: microseconds of a time, the bits of a number, a whole number, 0 or 1, the bits of a list of words or of a `NumberList`. Nil for what the
  /// tracker was made with.
  public var value: Int64?

  /// A change.
  @inlinable public init(id: UInt8, value: Int64?) {
    self.id = id
    self.value = value
  }
}

/// Changes that are made together, or not at all.
@frozen public struct SettingChanges: Equatable, BitwiseCopyable, Sendable {
  /// The most changes.
  public static var capacity: Int { 4 }

  private var first = SettingChange(id: 0, value: nil)
  private var second = SettingChange(id: 0, value: nil)
  private var third = SettingChange(id: 0, value: nil)
  private var fourth = SettingChange(id: 0, value: nil)
  /// How many there are.
  public private(set) var count = 0

  /// None.
  public init() {}

  /// A change, 0 to `count` - 1.
  public subscript(place: Int) -> SettingChange {
    switch place {
    case 0: return first
    case 1: return second
    case 2: return third
    default: return fourth
    }
  }

  /// Adds a change; false when there are four.
  @discardableResult public mutating func append(_ change: SettingChange) -> Bool {
    switch count {
    case 0: first = change
    case 1: second = change
    case 2: third = change
    case 3: fourth = change
    default: return false
    }
    count += 1
    return true
  }
}

extension SettingChanges {
  /// Reads names and values: `reports.distance 500 reports.ridingInterval 120`; nil when there is no such setting, when it can't be
  /// changed while the tracker runs, when a value is out of its range, or when a setting stands there twice.
  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    self.init()
    words.expect(.words("a setting and its value"))
    while let name = words.next(in: text) {
      guard let value = words.next(in: text) else { return nil }
      var editor = SettingEditor(name: name.bytes(of: text), to: value.bytes(of: text))
      var configuration = TrackerConfiguration()
      configuration.visitSettings(&editor)
      guard let entry = editor.entry, let new = editor.value, !contains(entry.id),
        append(SettingChange(id: entry.id, value: new))
      else { return nil }
    }
    guard count > 0 else { return nil }
  }

  private func contains(_ id: UInt8) -> Bool {
    var place = 0
    while place < count {
      if self[place].id == id { return true }
      place += 1
    }
    return false
  }

  /// The number of a setting that can be told, of all settings; nil when there is none of that name.
  @inline(never) static func number(ofSetting name: Span<UInt8>) -> UInt8? {
    var editor = SettingEditor(name: name)
    var configuration = TrackerConfiguration()
    configuration.visitSettings(&editor)
    return editor.entry?.id
  }

  /// Reads the name of a setting that is to have again what the tracker was made with.
  init?(reset words: inout some RequestWords, _ text: Span<UInt8>) {
    words.expect(.words("a setting"))
    guard let name = words.next(in: text) else { return nil }
    var editor = SettingEditor(name: name.bytes(of: text))
    var configuration = TrackerConfiguration()
    configuration.visitSettings(&editor)
    guard let entry = editor.entry, entry.mayChange else { return nil }
    self.init()
    append(SettingChange(id: entry.id, value: nil))
  }
}
