import ASCIIText
import InertialFusion
import InlineStorage
import Quantities
import Telemetry

/// Looks at one setting, changes it, or writes it as text.
///
/// One visitor for all of that, as each costs the firmware a walk over all settings.
struct SettingEditor: SettingVisitor {
  private enum Work: BitwiseCopyable {
    case look
    case write(Int64)
    case read
    case tell(Int64?)
  }

  /// The setting, once it was found.
  private(set) var entry: SettingEntry?
  /// Its value, or what it was changed to, as bits; nil when there is no such setting, or the value does not fit.
  private(set) var value: Int64?
  /// With `tell` the value as text that reads back to the same; empty for what has no short text, as a mounting.
  private(set) var text = InlineBytes<40>()

  private let work: Work
  private let id: UInt8
  private var name = InlineBytes<40>()

  private init(_ id: UInt8, _ work: Work) {
    self.id = id
    self.work = work
  }

  /// Looks at the value of a setting.
  init(_ id: UInt8) { self.init(id, .look) }

  /// Changes a setting that may change while the tracker runs.
  init(_ id: UInt8, to value: Int64) { self.init(id, .write(value)) }

  /// Writes a value of a setting as text.
  ///
  /// - Parameter bits: The value; nil for the one that it has.
  init(telling id: UInt8, _ bits: Int64? = nil) { self.init(id, .tell(bits)) }

  /// Looks at the value of a setting.
  init(name: Span<UInt8>) {
    self.init(0, .look)
    self.name.append(contentsOf: name)
  }

  /// Changes a setting that may change while the tracker runs to what a text says.
  init(name: Span<UInt8>, to text: Span<UInt8>) {
    self.init(0, .read)
    self.name.append(contentsOf: name)
    self.text.append(contentsOf: text)
  }

  private mutating func isMeant(_ entry: SettingEntry) -> Bool {
    if id == 0 {
      guard !name.isTruncated, entry.isNamed(name.span) else { return false }
    } else {
      guard entry.id == id else { return false }
    }
    self.entry = entry
    return true
  }

  /// The bits that a value is to have; nil when there are none.
  ///
  /// - Parameters:
  ///   - bits: The value now.
  ///   - read: Reads a text.
  private func wanted(_ entry: SettingEntry, _ bits: Int64, _ read: (Span<UInt8>) -> Int64?) -> Int64? {
    switch work {
    case .look: return bits
    case .tell(let other): return other ?? bits
    case .write(let new): return entry.mayChange ? new : nil
    case .read: return entry.mayChange && !text.isTruncated ? read(text.span) : nil
    }
  }

  private var isTelling: Bool {
    if case .tell = work { return true }
    return false
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    guard isMeant(entry) else { return }
    guard let bits = wanted(entry, value.microseconds, { scanFixed($0, decimals: 6) }) else { return }
    if isTelling {
      text.append(seconds: Interval(microseconds: bits))
    } else if range.contains(bits) {
      value = Interval(microseconds: bits)
    } else {
      return
    }
    self.value = bits
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    guard isMeant(entry) else { return }
    let wanted = wanted(entry, Int64(value.bitPattern)) {
      scanFixed($0, decimals: 9).map { Int64(Float(Double($0) / 1_000_000_000).bitPattern) }
    }
    guard let bits = wanted, let pattern = UInt32(exactly: bits) else { return }
    let number = Float(bitPattern: pattern)
    if isTelling {
      // As few decimals as keep its bits.
      var (decimals, power) = (1, 10.0)
      var digits = Elementary.roundedInteger(Double(number) * power)
      while decimals < 9, Float(Double(digits) / power) != number {
        decimals += 1
        power *= 10
        digits = Elementary.roundedInteger(Double(number) * power)
      }
      text.append(trimmed: digits, decimals: decimals)
    } else if range.contains(number) {
      value = number
    } else {
      return
    }
    self.value = bits
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    guard isMeant(entry) else { return }
    guard let bits = wanted(entry, Int64(value), { scanFixed($0, decimals: 0) }) else { return }
    if isTelling {
      text.append(decimal: bits)
    } else if let new = Int(exactly: bits), range.contains(new) {
      value = new
    } else {
      return
    }
    self.value = bits
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Bool) {
    guard isMeant(entry) else { return }
    let wanted = wanted(entry, value ? 1 : 0) { bytes in
      let word = TextWord(in: bytes)
      return word.equals("true", in: bytes) ? 1 : word.equals("false", in: bytes) ? 0 : nil
    }
    guard let bits = wanted, bits == 0 || bits == 1 else { return }
    if isTelling { text.append(bits == 1 ? "true" : "false") } else { value = bits == 1 }
    self.value = bits
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    guard isMeant(entry) else { return }
    let wanted = wanted(entry, Int64(value.rawValue)) { bytes in Words(words: bytes).map { Int64($0.rawValue) } }
    guard let bits = wanted, let pattern = UInt8(exactly: bits), pattern & ~Words.everything == 0 else { return }
    if isTelling { Words(rawValue: pattern).encodeWords(into: &text) } else { value = Words(rawValue: pattern) }
    self.value = bits
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>) {
    guard isMeant(entry) else { return }
    let wanted = wanted(entry, value.bits) { NumberList($0, in: range)?.bits }
    guard let bits = wanted, let new = NumberList(bits: bits, in: range) else { return }
    if isTelling { new.encode(into: &text) } else { value = new }
    self.value = bits
  }

  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {
    guard isMeant(entry) else { return }
    let wanted = wanted(entry, Int64(value.rawValue)) { bytes in Word(word: bytes).map { Int64($0.rawValue) } }
    guard let bits = wanted, let number = UInt8(exactly: bits), let word = Word(rawValue: number) else { return }
    if isTelling { text.append(word.name) } else { value = word }
    self.value = bits
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {
    guard isMeant(entry), isTelling else { return }
    text.append(contentsOf: value.span)
  }

  // What these hold is looked at when the tracker starts, and has no short text.
  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) { _ = isMeant(entry) }
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) { _ = isMeant(entry) }
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) { _ = isMeant(entry) }
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) { _ = isMeant(entry) }
}

extension SettingWord {
  /// The value of a word; nil when there is none.
  package init?(word text: Span<UInt8>) {
    var number: UInt8 = 0
    while let value = Self(rawValue: number) {
      if TextWord(in: text).equals(value.name, in: text) {
        self = value
        return
      }
      number += 1
    }
    return nil
  }
}

// As text: words with '+' between them, or 'none'; a comma is read as well.
extension WordSet {
  /// Every bit that has a word.
  static var everything: UInt8 {
    var bits: UInt8 = 0
    var place = 0
    while word(at: place) != nil {
      bits |= 1 << UInt8(place)
      place += 1
    }
    return bits
  }

  /// Reads a list; nil when a word is none of these.
  public init?(words text: Span<UInt8>) {
    var bits: UInt8 = 0
    var start = 0
    let isNone = TextWord(in: text).equals("none", in: text)
    while !isNone, start <= text.count {
      var end = start
      while end < text.count, text[end] != 0x2B, text[end] != 0x2C { end += 1 }
      guard let bit = Self.bit(of: text.extracting(start..<end)) else { return nil }
      bits |= bit
      start = end + 1
    }
    self.init(rawValue: bits)
  }

  private static func bit(of text: Span<UInt8>) -> UInt8? {
    var place = 0
    while let word = word(at: place) {
      if TextWord(in: text).equals(word, in: text) { return 1 << UInt8(place) }
      place += 1
    }
    return nil
  }

  /// Writes the list.
  public func encodeWords(into sink: inout some ByteSink) {
    var place = 0
    var isFirst = true
    while let word = Self.word(at: place) {
      if rawValue & (1 << UInt8(place)) != 0 {
        if !isFirst { sink.append(0x2B) }
        sink.append(word)
        isFirst = false
      }
      place += 1
    }
    if isFirst { sink.append("none") }
  }
}

extension TrackerConfiguration {
  /// The value of a setting as bits; nil when there is none of that number, or it has none.
  @inline(never) mutating func value(of id: UInt8) -> Int64? {
    var editor = SettingEditor(id)
    visitSettings(&editor)
    return editor.value
  }

  /// Changes a setting; false, and nothing changed, when it may not change, or the value does not fit.
  mutating func set(_ id: UInt8, to value: Int64) -> Bool {
    var editor = SettingEditor(id, to: value)
    visitSettings(&editor)
    return editor.value != nil
  }
}
