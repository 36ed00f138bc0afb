import ASCIIText
public import InlineStorage
public import Rules

/// A row of a table of rules, as requests tell it.
protocol RuleRow {
  /// Its number, 1 to 255; 0 for the one that has its name, or else for a new one.
  var number: UInt8 { get }
  /// Whether rows are switched, by `on` and `off`.
  static var isSwitched: Bool { get }
  /// Whether `only` switches some on and all others off.
  static var hasOnly: Bool { get }
  /// Whether one may be set by its name alone.
  static var isKnownByName: Bool { get }

  /// Reads what follows on `NUMBER set`; nil when it is no row.
  init?(_ number: UInt8, _ words: inout some RequestWords, _ text: Span<UInt8>)
  /// Writes it.
  func encodeText(into sink: inout some ByteSink)
}

/// What a request changes of a table of rules: the one grammar of fences, secure places and alarms.
@frozen public enum RowRequest<Row: Equatable & BitwiseCopyable & Sendable>: Equatable, BitwiseCopyable, Sendable {
  /// Puts a row into the place of the one of its number.
  case set(Row)
  /// Switches a row on or off; no secure place.
  case enable(UInt8, isOn: Bool)
  /// Switches these rows on and all others off, in one step; fences alone.
  case only(InlineBytes<8>)
  /// Takes a row out.
  case delete(UInt8)
  /// Takes all rows out.
  case clear
  /// Tells a row's name.
  case tell(UInt8)
  /// Tells the numbers of all rows, those that are on with `*`.
  case list
}

/// What a request changes of fences, those that must not be left being on.
public typealias FenceChange = RowRequest<FenceOutline>
/// What a request changes of secure places.
public typealias PlaceChange = RowRequest<PlaceOutline>
/// What a request changes of alarms.
public typealias AlarmChange = RowRequest<AlarmRule>

extension RowRequest where Row: RuleRow {
  /// True for what changes nothing.
  var isReadOnly: Bool {
    switch self {
    case .tell, .list: return true
    case .set, .enable, .only, .delete, .clear: return false
    }
  }

  /// The row that it is about; 0 for several, and for one that is known by its name.
  var number: UInt8 {
    switch self {
    case .set(let row): return row.number
    case .enable(let number, _), .delete(let number), .tell(let number): return number
    case .only, .clear, .list: return 0
    }
  }

  init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    if Row.hasOnly {
      words.expect(.rowNumber(or: ", set, only, list or clear"))
    } else {
      words.expect(.rowNumber(or: ", list or clear"))
    }
    guard let first = words.next(in: text) else { return nil }
    if first.says("clear", in: text) {
      self = .clear
    } else if first.says("list", in: text) {
      self = .list
    } else if Row.hasOnly, first.says("only", in: text) {
      var numbers = InlineBytes<8>()
      words.expect(.rowNumber(or: ""))
      while let word = words.next(in: text) {
        guard let number = ruleNumber(word, text), numbers.append(number) else { return nil }
      }
      guard !numbers.isEmpty else { return nil }
      self = .only(numbers)
    } else if Row.isKnownByName, first.says("set", in: text) {
      guard let row = Row(0, &words, text) else { return nil }
      self = .set(row)
    } else {
      guard let number = ruleNumber(first, text) else { return nil }
      if Row.isSwitched {
        words.expect(.words("set, on, off or delete"))
      } else {
        words.expect(.words("set or delete"))
      }
      guard let verb = words.next(in: text) else {
        self = .tell(number)
        return
      }
      if verb.says("delete", in: text) {
        self = .delete(number)
      } else if Row.isSwitched, verb.says("on", in: text) {
        self = .enable(number, isOn: true)
      } else if Row.isSwitched, verb.says("off", in: text) {
        self = .enable(number, isOn: false)
      } else {
        guard verb.says("set", in: text), let row = Row(number, &words, text) else { return nil }
        self = .set(row)
      }
    }
  }

  func encode(into sink: inout some ByteSink) {
    switch self {
    case .clear: sink.append(" clear")
    case .list: sink.append(" list")
    case .tell(let number): sink.append(ruleNumber: number)
    case .delete(let number):
      sink.append(ruleNumber: number)
      sink.append(" delete")
    case .enable(let number, let isOn):
      sink.append(ruleNumber: number)
      sink.append(isOn ? " on" : " off")
    case .only(let numbers):
      sink.append(" only")
      for place in 0..<numbers.count { sink.append(ruleNumber: numbers[place]) }
    case .set(let row):
      if row.number != 0 { sink.append(ruleNumber: row.number) }
      sink.append(" set ")
      row.encodeText(into: &sink)
    }
  }
}
