import ASCIIText
import InertialFusion
import InlineStorage
import Quantities
import Telemetry

/// Looks at one setting of those that may change while the tracker runs, and changes it.
struct SettingEditor: SettingVisitor {
  private enum Work: BitwiseCopyable {
    case look
    case write(Int64)
    case read
  }

  /// The setting, once it was found.
  private(set) var entry: SettingEntry?
  /// Its value, or what it was changed to, as bits; nil when there is no such setting, or the value does not fit.
  private(set) var value: Int64?

  private let work: Work
  private let id: UInt8
  private var name = InlineBytes<40>()
  private var text = InlineBytes<40>()

  /// Looks at the value of a setting.
  init(_ id: UInt8) {
    self.id = id
    work = .look
  }

  /// Changes a setting.
  init(_ id: UInt8, to value: Int64) {
    self.id = id
    work = .write(value)
  }

  /// Looks at the value of a setting.
  init(name: Span<UInt8>) {
    id = 0
    work = .look
    self.name.append(contentsOf: name)
  }

  /// Changes a setting to what a text says.
  init(name: Span<UInt8>, to text: Span<UInt8>) {
    id = 0
    work = .read
    self.name.append(contentsOf: name)
    self.text.append(contentsOf: text)
  }

  /// The new bits of a value; nil when it is not this setting's turn.
  ///
  /// - Parameter bits: The value now.
  private mutating func wanted(_ entry: SettingEntry, _ bits: Int64, _ read: (borrowing SettingEditor) -> Int64?)
    -> Int64?
  {
    guard isMeant(entry) else { return nil }
    self.entry = entry
    switch work {
    case .look: return bits
    case .write(let new): return new
    case .read: return read(self)
    }
  }

  private func isMeant(_ entry: SettingEntry) -> Bool {
    guard id == 0 else { return entry.id == id }
    let bytes = name.span
    return !name.isTruncated && !text.isTruncated && TextWord(in: bytes).equals(entry.name, in: bytes)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    let bits = wanted(entry, value.microseconds) { scanFixed($0.text.span, decimals: 6) }
    guard let bits, range.contains(bits) else { return }
    value = Interval(microseconds: bits)
    self.value = bits
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    let bits = wanted(entry, Int64(value.bitPattern)) {
      scanFixed($0.text.span, decimals: 9).map { Int64(Float(Double($0) / 1_000_000_000).bitPattern) }
    }
    guard let bits, let pattern = UInt32(exactly: bits), range.contains(Float(bitPattern: pattern)) else { return }
    value = Float(bitPattern: pattern)
    self.value = bits
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    let bits = wanted(entry, Int64(value)) { scanFixed($0.text.span, decimals: 0) }
    guard let bits, let new = Int(exactly: bits), range.contains(new) else { return }
    value = new
    self.value = bits
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) {
    let bits = wanted(entry, value ? 1 : 0) { editor in
      let bytes = editor.text.span
      let word = TextWord(in: bytes)
      return word.equals("true", in: bytes) ? 1 : word.equals("false", in: bytes) ? 0 : nil
    }
    guard let bits, bits == 0 || bits == 1 else { return }
    value = bits == 1
    self.value = bits
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    let bits = wanted(entry, Int64(value.rawValue)) { editor in
      let bytes = editor.text.span
      return Words(words: bytes).map { Int64($0.rawValue) }
    }
    guard let bits, let pattern = UInt8(exactly: bits), pattern & ~Words.everything == 0 else { return }
    value = Words(rawValue: pattern)
    self.value = bits
  }

  // What these hold is looked at when the tracker starts.
  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {}
  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {}
}

// As text: words with '+' between them, or 'none'.
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
      while end < text.count, text[end] != 0x2B { end += 1 }
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

extension ReportParameters {
  /// The value of a setting as bits; nil when there is none of that number.
  func value(of id: UInt8) -> Int64? {
    var editor = SettingEditor(id)
    var copy = self
    copy.visitSettings(&editor)
    return editor.value
  }

  /// Changes a setting; false, and nothing changed, when there is none of that number or the value does not fit.
  mutating func set(_ id: UInt8, to value: Int64) -> Bool {
    var editor = SettingEditor(id, to: value)
    visitSettings(&editor)
    return editor.value != nil
  }
}

/// Writes the name and a value of one setting as text that reads back to the same.
struct SettingText: SettingVisitor {
  private let id: UInt8
  private let bits: Int64
  /// The setting's name; nil when there is none of that number.
  private(set) var name: StaticString?
  /// The value.
  private(set) var text = InlineBytes<32>()

  init(_ id: UInt8, _ bits: Int64) {
    self.id = id
    self.bits = bits
    var parameters = ReportParameters()
    parameters.visitSettings(&self)
  }

  private mutating func isMeant(_ entry: SettingEntry) -> Bool {
    guard entry.id == id else { return false }
    name = entry.name
    return true
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    if isMeant(entry) { text.append(seconds: Interval(microseconds: bits)) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    guard isMeant(entry) else { return }
    let number = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    text.append(trimmed: Elementary.roundedInteger(number * 1_000_000_000), decimals: 9)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    if isMeant(entry) { text.append(decimal: bits) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) {
    if isMeant(entry) { text.append(bits == 1 ? "true" : "false") }
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    if isMeant(entry) { Words(rawValue: UInt8(truncatingIfNeeded: bits)).encodeWords(into: &text) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {}
  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {}
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {}
}
