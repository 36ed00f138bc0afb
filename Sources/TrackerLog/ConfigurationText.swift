import ASCIIText
import InertialFusion
import InlineStorage
import Quantities
import Telemetry
import TrackerCore

extension TrackerConfiguration {
  /// Reads the configuration of a log, one `name=value` a line, without a heap.
  ///
  /// Settings that are missing keep what they have, so that logs of older versions still replay. The seed, which is none of the
  /// tracker's, is passed over.
  ///
  /// - Returns: nil when all is well, else the number of the first line, from 1, that is no setting of this version; those before it
  ///   are set.
  package mutating func read(log text: Span<UInt8>) -> Int? {
    var start = 0
    var number = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != 0x0A { end += 1 }
      number += 1
      guard end == start || read(line: text.extracting(start..<end)) else { return number }
      start = end + 1
    }
    return nil
  }

  private mutating func read(line: Span<UInt8>) -> Bool {
    var mark = 0
    while mark < line.count, line[mark] != 0x3D { mark += 1 }
    guard mark < line.count else { return false }
    let name = line.extracting(0..<mark)
    let value = line.extracting((mark + 1)..<line.count)
    if TextWord(in: name).equals("seed", in: name) { return scanUnsigned(value) != nil }
    var reader = LoggedSettingReader(name, value)
    visitSettings(&reader)
    return reader.isTaken
  }
}

/// Sets one setting from its text in a log.
struct LoggedSettingReader: SettingVisitor {
  private(set) var isTaken = false
  private var name = InlineBytes<48>()
  /// The longest is a list of four receivers with all kinds of packets each.
  private var text = InlineBytes<512>()

  init(_ name: Span<UInt8>, _ text: Span<UInt8>) {
    self.name.append(contentsOf: name)
    self.text.append(contentsOf: text)
  }

  private func isMeant(_ entry: SettingEntry) -> Bool {
    !name.isTruncated && !text.isTruncated && entry.isNamed(name.span)
  }

  private mutating func take<Value>(_ new: Value?, _ value: inout Value) {
    guard let new else { return }
    value = new
    isTaken = true
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Interval, _ range: ClosedRange<Int64>) {
    guard isMeant(entry), let number = DecimalNumber(text.span)?.rounded(to: 6), range.contains(number) else { return }
    take(Interval(microseconds: number), &value)
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Float, _ range: ClosedRange<Float>) {
    guard isMeant(entry), let number = DecimalNumber(text.span)?.float, range.contains(number) else { return }
    take(number, &value)
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Int, _ range: ClosedRange<Int>) {
    guard isMeant(entry), let whole = whole(text.span), let number = Int(exactly: whole), range.contains(number) else {
      return
    }
    take(number, &value)
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Bool) {
    guard isMeant(entry) else { return }
    let copy = text
    let bytes = copy.span
    let word = TextWord(in: bytes)
    let new: Bool? = word.equals("true", in: bytes) ? true : word.equals("false", in: bytes) ? false : nil
    take(new, &value)
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout Vector3) {
    guard isMeant(entry), let numbers = numbers(), numbers.count == 3 else { return }
    take(Vector3(numbers.values[0], numbers.values[1], numbers.values[2]), &value)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout InlineBytes<32>) {
    guard isMeant(entry), !text.isEmpty else { return }
    let copy = text
    let bytes = copy.span
    var new = InlineBytes<32>()
    for place in bytes.indices {
      guard bytes[place] >= 0x20, bytes[place] != 0x7F else { return }
      new.append(bytes[place])
    }
    if !new.isTruncated { take(new, &value) }
  }

  mutating func visit<Words: WordSet>(_ entry: SettingEntry, _ value: inout Words) {
    guard isMeant(entry) else { return }
    let new = Words(words: text.span)
    take(new, &value)
  }

  @inline(never) mutating func visit(_ entry: SettingEntry, _ value: inout NumberList, _ range: ClosedRange<Int>) {
    guard isMeant(entry) else { return }
    let new = NumberList(text.span, in: range)
    take(new, &value)
  }

  mutating func visit<Word: SettingWord>(_ entry: SettingEntry, _ value: inout Word) {
    guard isMeant(entry) else { return }
    let new = Word(word: text.span)
    take(new, &value)
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout Mounting) {
    guard isMeant(entry) else { return }
    if let numbers = numbers(), numbers.count == 4 {
      let parts = numbers.values
      take(Mounting(bodyFromSensor: Quaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3])), &value)
    } else if let remap = axes() {
      take(.axes(remap), &value)
    }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout ReceiverList) {
    if isMeant(entry) { take(receivers(), &value) }
  }

  mutating func visit(_ entry: SettingEntry, _ value: inout CivilDate?) {
    guard isMeant(entry) else { return }
    let copy = text
    let bytes = copy.span
    if TextWord(in: bytes).equals("none", in: bytes) {
      value = nil
      isTaken = true
      return
    }
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = scanUnsigned(bytes.extracting(0..<4)),
      let month = scanUnsigned(bytes.extracting(5..<7)), let day = scanUnsigned(bytes.extracting(8..<10)),
      let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
    else { return }
    value = date
    isTaken = true
  }

  /// Digits, perhaps behind a sign; nil when there is something else.
  private func whole(_ text: Span<UInt8>) -> Int64? {
    let isSigned = text.count > 0 && (text[0] == 0x2D || text[0] == 0x2B)
    guard let digits = scanUnsigned(text.extracting((isSigned ? 1 : 0)..<text.count)) else { return nil }
    guard let number = Int64(exactly: digits) else { return nil }
    return isSigned && text[0] == 0x2D ? -number : number
  }

  /// One to four numbers with spaces between them; nil when there is something else.
  private func numbers() -> (values: InlineArray<4, Float>, count: Int)? {
    var values = InlineArray<4, Float>(repeating: 0)
    var count = 0
    let bytes = text.span
    var words = TextWords()
    while let word = words.next(in: bytes) {
      guard count < 4, let number = DecimalNumber(word.bytes(of: bytes))?.float else { return nil }
      values[count] = number
      count += 1
    }
    return (values, count)
  }

  /// Three signed axes that make a right-handed frame.
  private func axes() -> AxisRemap? {
    var axes = InlineArray<3, SensorAxis>(repeating: .plusX)
    var count = 0
    let bytes = text.span
    var words = TextWords()
    while let word = words.next(in: bytes) {
      let name = word.bytes(of: bytes)
      guard count < 3, name.count == 2, name[0] == 0x2B || name[0] == 0x2D, (0x78...0x7A).contains(name[1]),
        let axis = SensorAxis(rawValue: name[1] - 0x78 + (name[0] == 0x2D ? 3 : 0))
      else { return nil }
      axes[count] = axis
      count += 1
    }
    return count == 3 ? AxisRemap(forward: axes[0], left: axes[1], up: axes[2]) : nil
  }

  /// One to four lists of kinds with commas between them, and perhaps `#` and who they are.
  private func receivers() -> ReceiverList? {
    let bytes = text.span
    var list = ReceiverList()
    var end = 0
    while end < bytes.count, bytes[end] != 0x23 { end += 1 }
    if end < bytes.count {
      guard let number = scanUnsigned(bytes.extracting((end + 1)..<bytes.count)),
        let identity = UInt32(exactly: number)
      else { return nil }
      list.identity = identity
    }
    var start = 0
    var isFirst = true
    while start <= end {
      var stop = start
      while stop < end, bytes[stop] != 0x2C { stop += 1 }
      guard let kinds = kinds(bytes.extracting(start..<stop)) else { return nil }
      if isFirst { list[0] = kinds } else if !list.append(kinds) { return nil }
      isFirst = false
      start = stop + 1
    }
    return list
  }

  private func kinds(_ text: Span<UInt8>) -> PacketKindSet? {
    if TextWord(in: text).equals("all", in: text) { return .all }
    var kinds = PacketKindSet()
    var start = 0
    while start <= text.count {
      var stop = start
      while stop < text.count, text[stop] != 0x2B { stop += 1 }
      guard let kind = kind(text.extracting(start..<stop)) else { return nil }
      kinds.insert(PacketKindSet(kind))
      start = stop + 1
    }
    return kinds
  }

  private func kind(_ text: Span<UInt8>) -> PacketKind? {
    var number: UInt8 = 0
    while let kind = PacketKind(rawValue: number) {
      if TextWord(in: text).equals(kind.name, in: text) { return kind }
      number += 1
    }
    return nil
  }
}
