import InertialFusion
import InlineStorage
import Quantities
import Telemetry
public import TrackerCore

/// One configurable value by name, for texts: how to read it and how to write it.
///
/// The core has the list (`TrackerConfiguration.visitSettings(_:)`); this adds what only texts need. The list makes the
/// configuration of a log complete: what is not listed could not be replayed, and a test compares it with the configuration's size.
public struct Setting: Sendable {
  /// The kind of value a setting takes.
  public enum Form: Equatable, Sendable {
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case whole(ClosedRange<Int>)
    /// Yes or no.
    case boolean
    /// One of some words.
    case choice([String])
    /// Some of these words, or none.
    case words([String])
    /// Up to four whole numbers in a range, or none.
    case numbers(ClosedRange<Int>)
    /// Three numbers.
    case vector
    /// Text.
    case text
  }

  /// Its number in a kept state.
  public let id: UInt8
  /// Name as in `motion.armAfter`.
  public let name: String
  /// Its name in earlier versions, which is still read; nil when it never had another.
  package let earlierName: String?
  /// What it does, without its unit.
  public let helpWithoutUnit: String
  /// Unit of the value; nil when it has none.
  public let unit: String?
  /// What the text must be.
  public let expectation: String
  /// The kind of value.
  public let form: Form

  /// What it does, with its unit.
  public var help: String {
    unit.map { "\(helpWithoutUnit.dropLast()), \($0)." } ?? helpWithoutUnit
  }

  fileprivate init(_ entry: SettingEntry, expectation: String, form: Form) {
    id = entry.id
    name = "\(entry.name)"
    earlierName = entry.earlierName.map { "\($0)" }
    helpWithoutUnit = "\(entry.help)."
    unit = entry.unit.map { "\($0.symbol)" }
    self.expectation = expectation
    self.form = form
    isLive = entry.mayChange
  }

  /// What the text must be, and what of it is wrong: of a list only the word that is none of its words.
  ///
  /// - Parameter text: A text that was refused.
  package func complaint(about text: String) -> String {
    var found = text
    if case .words(let words) = form {
      let parts = text.split(omittingEmptySubsequences: false) { $0 == "+" || $0 == "," }.map(String.init)
      found = parts.first { !$0.isEmpty && !words.contains($0) } ?? text
    }
    return "expected \(expectation); found '\(found)'"
  }

  /// The value as text that reads back to the same bits.
  public func text(_ configuration: TrackerConfiguration) -> String {
    var configuration = configuration
    var writer = SettingWriter(id: id)
    configuration.visitSettings(&writer)
    return writer.text
  }

  /// Sets the value from text; false, and nothing changed, when the text is not one or is out of range.
  func set(_ configuration: inout TrackerConfiguration, _ text: String) -> Bool {
    var reader = SettingReader(id: id, text: text)
    configuration.visitSettings(&reader)
    return reader.isTaken
  }

  /// True when it may be changed while the tracker runs.
  public let isLive: Bool

  /// The setting of a name, or of an earlier name; nil when there is none.
  package static func named(_ name: String) -> Setting? { all.first { $0.name == name || $0.earlierName == name } }

  /// All settings, in the order in which they are written.
  public static let all: [Setting] = {
    var lister = SettingLister()
    var configuration = TrackerConfiguration()
    configuration.visitSettings(&lister)
    return lister.settings
  }()
}

/// Makes the list of all settings.
private struct SettingLister: SettingVisitor {
  var settings: [Setting] = []

  private mutating func add(_ entry: SettingEntry, _ expectation: String, _ form: Setting.Form) {
    settings.append(Setting(entry, expectation: expectation, form: form))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    let (least, most) = (Double(range.lowerBound) / 1_000_000, Double(range.upperBound) / 1_000_000)
    add(entry, "seconds from \(plain(least)) to \(plain(most))", .number(least...most))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    let (least, most) = (range.lowerBound, range.upperBound)
    // By way of the decimal digits: 0.1 is to stay 0.1.
    let digits = (Double("\(least)") ?? 0)...(Double("\(most)") ?? 0)
    add(entry, "a number from \(plain(least)) to \(plain(most))", .number(digits))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    add(entry, "a whole number from \(range.lowerBound) to \(range.upperBound)", .whole(range))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) { add(entry, "true or false", .boolean) }

  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {
    add(entry, "three numbers with spaces between them", .vector)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {
    add(entry, "1 to 32 bytes of text without control characters", .text)
  }

  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {
    let names = Word.allCases.map { "\($0.name)" }
    add(entry, "one of " + names.joined(separator: ", "), .choice(names))
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    var words: [String] = []
    while let word = Words.word(at: words.count) { words.append("\(word)") }
    add(entry, "none, or one or more of \(words.joined(separator: ", ")), joined by '+' or ','", .words(words))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>) {
    add(
      entry,
      "none, or up to \(NumberList.capacity) different whole numbers from \(range.lowerBound) to \(range.upperBound), "
        + "joined by '+' or ','", .numbers(range))
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) {
    add(
      entry,
      "three different signed axes that make a right-handed frame, such as '+x +y +z', "
        + "or the quaternion w x y z from sensor to body", .text)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {
    add(entry, "one to four lists with commas between them: all, or kinds of packets joined by '+'", .text)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {
    add(entry, "none, or a date such as 2026-11-24", .text)
  }
}

/// Writes the value of one setting.
private struct SettingWriter: SettingVisitor {
  let id: UInt8
  var text = ""

  private mutating func write(_ entry: SettingEntry, _ value: @autoclosure () -> String) {
    if entry.id == id { text = value() }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    write(entry, plain(Double(value.microseconds) / 1_000_000))
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    write(entry, "\(value)")
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) { write(entry, "\(value)") }
  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) { write(entry, "\(value)") }
  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {
    write(entry, "\(value.x) \(value.y) \(value.z)")
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {
    write(entry, String(decoding: copy(value.span), as: UTF8.self))
  }
  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    var buffer = ByteBuffer()
    value.encodeWords(into: &buffer)
    write(entry, String(decoding: buffer.bytes, as: UTF8.self))
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>) {
    var buffer = ByteBuffer()
    value.encode(into: &buffer)
    write(entry, String(decoding: buffer.bytes, as: UTF8.self))
  }
  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) { write(entry, "\(value.name)") }
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) { write(entry, value.text) }
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) { write(entry, value.text) }
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {
    func digits(_ value: Int, _ count: Int) -> String {
      let text = "\(value)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    write(
      entry, value.map { "\(digits(Int($0.year), 4))-\(digits(Int($0.month), 2))-\(digits(Int($0.day), 2))" } ?? "none")
  }
}

/// Reads the value of one setting.
private struct SettingReader: SettingVisitor {
  let id: UInt8
  let text: String
  var isTaken = false

  private mutating func take<Value>(_ entry: SettingEntry, _ value: inout Value, _ read: (String) -> Value?) {
    guard entry.id == id, let new = read(text) else { return }
    value = new
    isTaken = true
  }

  /// To the microsecond.
  mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    take(entry, &value) { text in
      guard let seconds = Double(text), seconds >= Double(range.lowerBound) / 1_000_000,
        seconds <= Double(range.upperBound) / 1_000_000
      else { return nil }
      return Interval(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    take(entry, &value) { text in Float(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    take(entry, &value) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Bool) { take(entry, &value) { Bool($0) } }

  mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {
    take(entry, &value) { text in
      let parts = text.split(separator: " ")
      let values = parts.compactMap { Float($0) }
      guard parts.count == 3, values.count == 3, values.allSatisfy(\.isFinite) else { return nil }
      return Vector3(values[0], values[1], values[2])
    }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {
    take(entry, &value) { text in
      guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
      var bytes = InlineBytes<32>()
      for byte in text.utf8 { bytes.append(byte) }
      return bytes.isTruncated ? nil : bytes
    }
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    take(entry, &value) { Words(words: Array($0.utf8).span) }
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>) {
    take(entry, &value) { NumberList(Array($0.utf8).span, in: range) }
  }
  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {
    take(entry, &value) { text in Word.allCases.first { "\($0.name)" == text } }
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) { take(entry, &value) { Mounting(text: $0) } }
  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {
    take(entry, &value) { ReceiverList(text: $0) }
  }
  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {
    take(entry, &value) { text -> CivilDate?? in
      if text == "none" { return .some(nil) }
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
        let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
        let date = CivilDate(year: year, month: month, day: day)
      else { return nil }
      return .some(date)
    }
  }
}

private func plain(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
}

private func plain(_ value: Float) -> String {
  value == value.rounded() && abs(value) < 1e6 ? "\(Int(value))" : "\(value)"
}

/// The bytes of a span as an array.
func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.withUnsafeBufferPointer { Array($0) } }
