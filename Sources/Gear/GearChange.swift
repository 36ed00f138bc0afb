import ASCIIText
import InlineStorage
import TrackerCore

/// What a request does with gear: what stands behind its word `gear`.
package enum GearChange: BitwiseCopyable, Sendable {
  /// Tells which is the present one.
  case tell
  /// Tells the distance of one, and what is due.
  case show(InlineBytes<32>)
  /// Adds one.
  case add(GearFields)
  /// Changes what is told of one.
  case edit(InlineBytes<32>, GearFields)
  /// The tracker is on this one from now on; empty for none.
  case use(InlineBytes<32>)
  /// So many metres were travelled on it without the tracker, all in all.
  case imported(InlineBytes<32>, Int64)
  /// Adds a counter, or changes when one is due.
  case counter(InlineBytes<32>, InlineBytes<16>, GearCounter.Measure, Int64)
  /// Takes a counter away.
  case removeCounter(InlineBytes<32>, InlineBytes<16>)
  /// A counter begins anew.
  case reset(InlineBytes<32>, InlineBytes<16>)
  /// A ride was on another, or with an empty name on none.
  case assign(UInt32, InlineBytes<32>)
  /// Takes one away, with its counters.
  case delete(InlineBytes<32>)
}

/// What a request tells of a piece of gear.
package struct GearFields: BitwiseCopyable, Sendable {
  /// One of them.
  package enum Field: UInt8, BitwiseCopyable, Sendable, CaseIterable, RequestWord {
    /// `Gear.name`.
    case name
    /// `Gear.kind`.
    case kind
    /// `Gear.uuid`.
    case uuid
    /// `Gear.make`.
    case make
    /// `Gear.model`.
    case model
    /// `Gear.year`.
    case year
    /// `Gear.serviceID`.
    case id
    /// `Gear.distance`.
    case distance

    /// Its word.
    package var word: StaticString {
      switch self {
      case .name: return "name"
      case .kind: return "kind"
      case .uuid: return "uuid"
      case .make: return "make"
      case .model: return "model"
      case .year: return "year"
      case .id: return "id"
      case .distance: return "distance"
      }
    }
  }

  var name = InlineBytes<32>()
  var kind = InlineBytes<16>()
  var uuid = GearUUID()
  var make = InlineBytes<32>()
  var model = InlineBytes<32>()
  var year: UInt16 = 0
  var serviceID = InlineBytes<24>()
  var distance: Int64 = 0
  /// The first that can't be.
  var error: GearError?
  private var told: UInt8 = 0

  /// True when it is told.
  func has(_ field: Field) -> Bool { told & 1 << field.rawValue != 0 }

  /// Reads a field. A value that can't be is told by `error`; false for one that has no form.
  mutating func read(_ field: Field, _ words: inout some RequestWords, _ text: Span<UInt8>) -> Bool {
    told |= 1 << field.rawValue
    switch field {
    case .name:
      guard let phrase = words.nextText("a name", 1...32, orLonger: true, in: text) else { return false }
      note(name.append(contentsOf: phrase.bytes(of: text)), .nameTooLong)
    case .make:
      guard let phrase = words.nextText("a make", 0...32, orLonger: true, in: text) else { return false }
      note(make.append(contentsOf: phrase.bytes(of: text)), .badText)
    case .model:
      guard let phrase = words.nextText("a model", 0...32, orLonger: true, in: text) else { return false }
      note(model.append(contentsOf: phrase.bytes(of: text)), .badText)
    case .kind:
      words.expect(.word("what it is, as bike, shoes or climbing", upTo: 16))
      guard let word = words.next(in: text) else { return false }
      note(kind.append(contentsOf: word.bytes(of: text)), .badKind)
    case .id:
      words.expect(.word("the id at a service", upTo: 24))
      guard let word = words.next(in: text) else { return false }
      note(serviceID.append(contentsOf: word.bytes(of: text)), .badID)
    case .uuid:
      words.expect(.words("a UUID as 1b4e28ba-2fa1-41d2-883f-0016d3cca427"))
      guard let word = words.next(in: text) else { return false }
      let read = GearUUID(word.bytes(of: text))
      note(read != nil, .badUUID)
      uuid = read ?? GearUUID()
    case .year:
      words.expect(.words("a model year"))
      guard let word = words.next(in: text), let number = scanUnsigned(word.bytes(of: text)) else { return false }
      year = UInt16(clamping: number)
      note(Gear.years.contains(year), .badYear)
    case .distance:
      guard let metres = words.nextDistance(in: text) else { return false }
      distance = metres
      note(metres <= Gear.longestDistance, .badDistance)
    }
    return true
  }

  private mutating func note(_ isRight: Bool, _ wrong: GearError) {
    if !isRight, error == nil { error = wrong }
  }
}

extension RequestWords {
  /// A text between limits, or a longer one, of which the reader knows what to say.
  fileprivate mutating func nextText(
    _ what: StaticString, _ bytes: ClosedRange<Int>, orLonger: Bool, in text: Span<UInt8>
  ) -> TextWord? {
    expect(.text(what, bytes))
    guard let phrase = nextPhrase(in: text), phrase.count >= bytes.lowerBound else { return nil }
    return phrase
  }

  fileprivate mutating func nextDistance(in text: Span<UInt8>) -> Int64? {
    expect(.words("metres"))
    guard let word = next(in: text), let metres = scanUnsigned(word.bytes(of: text)) else { return nil }
    return Int64(clamping: metres)
  }

  /// The name of a piece of gear. One that is too long is no name of any, and is cut: `GearLedger` knows none of that length.
  fileprivate mutating func nextGear(in text: Span<UInt8>) -> InlineBytes<32>? {
    guard let phrase = nextText("the name of gear", 1...32, in: text) else { return nil }
    var name = InlineBytes<32>()
    name.append(contentsOf: phrase.bytes(of: text))
    return name
  }

  /// The same, or `none`, which is an empty name.
  fileprivate mutating func nextGearOrNone(in text: Span<UInt8>) -> InlineBytes<32>? {
    guard var name = nextGear(in: text) else { return nil }
    if TextWord(in: name.span).equals("none", in: name.span) { name.removeAll() }
    return name
  }

  fileprivate mutating func nextCounter(in text: Span<UInt8>) -> InlineBytes<16>? {
    guard let phrase = nextText("the name of a counter", 1...16, in: text) else { return nil }
    var name = InlineBytes<16>()
    name.append(contentsOf: phrase.bytes(of: text))
    return name
  }
}

extension GearChange {
  /// Reads what stands behind `gear`.
  package init?(_ words: inout some RequestWords, _ text: Span<UInt8>) {
    guard words.hasNext(in: text) else {
      self = .tell
      return
    }
    words.expect(.words("add, set, use, show, import, counter, reset, assign or delete"))
    guard let verb = words.next(in: text) else { return nil }
    if verb.says("add", in: text) {
      var fields = GearFields()
      guard fields.read(.name, &words, text), fields.read(.kind, &words, text),
        GearChange.read(&fields, &words, text)
      else { return nil }
      self = .add(fields)
    } else if verb.says("set", in: text) {
      var fields = GearFields()
      guard let gear = words.nextGear(in: text) else { return nil }
      // At least one.
      repeat { guard GearChange.readOne(&fields, &words, text) else { return nil } } while words.hasNext(in: text)
      self = .edit(gear, fields)
    } else if verb.says("use", in: text) {
      guard let gear = words.nextGearOrNone(in: text) else { return nil }
      self = .use(gear)
    } else if verb.says("show", in: text) {
      guard let gear = words.nextGear(in: text) else { return nil }
      self = .show(gear)
    } else if verb.says("import", in: text) {
      guard let gear = words.nextGear(in: text), let metres = words.nextDistance(in: text) else { return nil }
      self = .imported(gear, metres)
    } else if verb.says("counter", in: text) {
      self.init(counter: &words, text)
    } else if verb.says("reset", in: text) {
      guard let gear = words.nextGear(in: text), let name = words.nextCounter(in: text) else { return nil }
      self = .reset(gear, name)
    } else if verb.says("assign", in: text) {
      guard let ride = words.nextCount("the number of a ride", 1...Int(UInt32.max), in: text),
        let gear = words.nextGearOrNone(in: text)
      else { return nil }
      self = .assign(UInt32(ride), gear)
    } else if verb.says("delete", in: text) {
      guard let gear = words.nextGear(in: text) else { return nil }
      self = .delete(gear)
    } else {
      return nil
    }
  }

  private init?(counter words: inout some RequestWords, _ text: Span<UInt8>) {
    guard let gear = words.nextGear(in: text), let name = words.nextCounter(in: text) else { return nil }
    var rest = words
    if rest.next(in: text)?.says("delete", in: text) == true {
      words = rest
      self = .removeCounter(gear, name)
      return
    }
    words.expect(.words("distance, moving, days or delete"))
    guard let word = words.next(in: text), let measure = GearCounter.Measure(word, of: text),
      let due = words.nextCount(measure.unit, 1...measure.longest, in: text)
    else { return nil }
    self = .counter(gear, name, measure, Int64(due) * measure.scale)
  }

  private static func read(
    _ fields: inout GearFields, _ words: inout some RequestWords, _ text: Span<UInt8>
  ) -> Bool {
    while words.hasNext(in: text) { guard readOne(&fields, &words, text) else { return false } }
    return true
  }

  /// A field that was not told yet, with its value.
  private static func readOne(
    _ fields: inout GearFields, _ words: inout some RequestWords, _ text: Span<UInt8>
  ) -> Bool {
    words.expect(.words("a field that is not in the request yet: name, kind, uuid, make, model, year, id or distance"))
    guard let word = words.next(in: text), let field = GearFields.Field(word, of: text), !fields.has(field) else {
      return false
    }
    return fields.read(field, &words, text)
  }
}
