import JSON5
import Uplinks

/// Turns the values of a file into checked ones, and notes everything that is wrong on the way.
struct ConfigurationReader {
  /// What somebody may call a key that is called otherwise where it stands.
  static let otherWords = ["name": "label", "label": "name", "lat": "latitude", "lon": "longitude"]

  let environment: [String: String]
  private(set) var problems: [ConfigurationProblem] = []
  private(set) var warnings: [ConfigurationProblem] = []
  /// Keys that are in the file, be their values right or wrong: what is wrong is not missing, too.
  private(set) var present: Set<String> = []
  /// Keys whose secrets stand in the file itself.
  var literalSecrets: [String] = []

  init(environment: [String: String]) { self.environment = environment }

  mutating func note(_ message: String, at position: TextPosition) {
    problems.append(ConfigurationProblem(position: position, message: message))
  }

  mutating func warn(_ message: String, at position: TextPosition) {
    warnings.append(ConfigurationProblem(position: position, message: message))
  }

  /// A word of the file for a message: not too long, and no control characters.
  func shown(_ text: String) -> String { json5Shown(text) }

  /// So many problems are told; a file with more is another kind of file.
  static let problemLimit = 100

  /// The right name that is nearest; long words and thousands of words are not looked up, as that would take long.
  func nearestName(to word: String, among names: [String]) -> String? {
    word.utf8.count <= 64 && problems.count < ConfigurationReader.problemLimit ? nearest(to: word, among: names) : nil
  }

  /// The members of an object; nil after a problem was noted.
  mutating func members(_ value: JSON5Value, label: String) -> [JSON5Member]? {
    if case .object(let members) = value.content { return members }
    note("'\(label)': found \(value.kind), expected an object { … }", at: value.position)
    return nil
  }

  /// The values of an object and of the objects in it, by their dotted names.
  ///
  /// - Parameters:
  ///   - keys: The keys that may be there.
  ///   - others: Names that may be there besides and are read elsewhere.
  ///   - strangers: Keys of other kinds of the same object, with the words of those kinds.
  mutating func values(
    of members: [JSON5Member], keys: [ConfigurationKey], label: String, others: [String] = [],
    strangers: [(name: String, selector: String)] = []
  ) -> [String: GivenValue] {
    var given: [String: GivenValue] = [:]
    // What is still to be read, the next one last: objects inside the object are put in front of what follows them.
    var waiting = members.reversed().map { (prefix: "", member: $0) }
    while let (prefix, member) = waiting.popLast() {
      let name = prefix + member.key
      let fullName = label.isEmpty ? name : "\(label).\(name)"
      if prefix.isEmpty && others.contains(name) { continue }
      let inner = keys.contains { $0.name.hasPrefix(name + ".") }
      if case .object(let members) = member.value.content, inner {
        waiting += members.reversed().map { (prefix: name + ".", member: $0) }
        // An object with settings of something switches it on.
        if let key = keys.first(where: { $0.name == name }), key.type == .boolean {
          add(
            GivenValue(
              value: .boolean(true), origin: .file(line: member.position.line), position: member.position),
            name, fullName, to: &given)
        }
        continue
      }
      guard let key = keys.first(where: { $0.name == name || $0.earlierName == name }) else {
        if inner {
          note("'\(fullName)': found \(member.value.kind), expected an object { … }", at: member.value.position)
        } else {
          noteUnknown(member, name, fullName, keys.map(\.name) + others, prefix, strangers)
        }
        continue
      }
      if key.name != name { warn("'\(fullName)' is called '\(key.name)' now", at: member.position) }
      present.insert(key.name == name ? fullName : key.name)
      guard let value = value(member.value, of: key, label: fullName) else { continue }
      let origin = ConfigurationOrigin.file(line: member.position.line)
      add(GivenValue(value: value, origin: origin, position: member.value.position), key.name, fullName, to: &given)
    }
    // So does a setting by its dotted name.
    for key in keys where key.type == .boolean {
      guard let inside = given.first(where: { $0.key.hasPrefix(key.name + ".") })?.value else { continue }
      if given[key.name]?.value == .boolean(false) {
        note("'\(label).\(key.name)' is false, but settings of it are given", at: inside.position)
      } else if given[key.name] == nil {
        given[key.name] = GivenValue(value: .boolean(true), origin: inside.origin, position: inside.position)
      }
    }
    return given
  }

  private mutating func add(
    _ value: GivenValue, _ name: String, _ fullName: String, to given: inout [String: GivenValue]
  ) {
    if let before = given[name] {
      note("'\(fullName)' is set again, it is set on line \(before.position.line) already", at: value.position)
    } else {
      given[name] = value
    }
  }

  private mutating func noteUnknown(
    _ member: JSON5Member, _ name: String, _ fullName: String, _ names: [String], _ prefix: String,
    _ strangers: [(name: String, selector: String)]
  ) {
    let kinds = strangers.filter { $0.name == name || $0.name.hasPrefix(name + ".") }.map(\.selector)
    guard kinds.isEmpty else {
      var distinct: [String] = []
      for kind in kinds where !distinct.contains(kind) { distinct.append(kind) }
      note("'\(shown(fullName))' belongs to \(distinct.joined(separator: " and "))", at: member.position)
      return
    }
    // Names at this place first, then the same name elsewhere.
    var siblings: [String] = []
    for candidate in names where candidate.hasPrefix(prefix) {
      let rest = candidate.dropFirst(prefix.count)
      siblings.append(String(rest.prefix { $0 != "." }))
    }
    let suggestion =
      nearestName(to: member.key, among: siblings)
      ?? names.first { $0 == member.key || $0.hasSuffix("." + member.key) }
      ?? ConfigurationReader.otherWords[member.key].flatMap { siblings.contains($0) ? $0 : nil }
    note("unknown key '\(shown(fullName))'" + didYouMean(suggestion), at: member.position)
  }

  /// A value of the type of its key; nil after a problem was noted.
  private mutating func value(
    _ value: JSON5Value, of key: ConfigurationKey, label: String
  ) -> ConfigurationValue? {
    switch key.type {
    case .secret: return secret(value, label: label).map { .secret($0.0, $0.1) }
    case .secrets: return secrets(value, label: label)
    case .words(let words): return list(value, of: words, key, label: label)
    case .numbers(let range, let most): return numbers(value, in: range, atMost: most, key, label: label)
    default: break
    }
    if let fit = key.type.fit(value) { return fit }
    note("'\(label)': found \(found(value)), expected \(expectation(of: key, value))", at: value.position)
    return nil
  }

  /// Whole numbers of a list; nil after a problem was noted for each element that is wrong.
  private mutating func numbers(
    _ value: JSON5Value, in range: ClosedRange<Int>, atMost most: Int, _ key: ConfigurationKey, label: String
  ) -> ConfigurationValue? {
    var isText = false
    var given: [JSON5Value] = []
    switch value.content {
    case .string("none"): return .numbers([])
    case .string(let text):
      isText = true
      given = listedWords(text).map { JSON5Value(.string($0), at: value.position) }
    case .array(let values): given = values
    default:
      note("'\(label)': found \(found(value)), expected \(expectation(of: key, value))", at: value.position)
      return nil
    }
    let unit = key.unit.map { " (\($0))" } ?? ""
    let before = problems.count
    var result: [Int] = []
    for (place, value) in given.enumerated() {
      let name = isText ? label : "\(label)[\(place)]"
      let number: Int? =
        switch value.content {
        case .number(let number): number.exactly(Int.self)
        case .string(let word) where isText: Int(word)
        default: nil
        }
      guard let number, range.contains(number) else {
        note(
          "'\(name)': found \(found(value)), expected a whole number from \(range.lowerBound) to "
            + "\(range.upperBound)\(unit)", at: value.position)
        continue
      }
      if result.contains(number) {
        note("'\(name)': found \(number) twice, expected different numbers", at: value.position)
      }
      result.append(number)
    }
    if problems.count == before, result.count > most {
      note("'\(label)': found \(result.count) numbers, expected at most \(most)", at: value.position)
    }
    return problems.count > before ? nil : .numbers(result.map { "\($0)" })
  }

  /// Words of a list; nil after a problem was noted, which names the one that is none of them.
  private mutating func list(
    _ value: JSON5Value, of words: [String], _ key: ConfigurationKey, label: String
  ) -> ConfigurationValue? {
    var given: [JSON5Value] = []
    switch value.content {
    case .string("none"): return .words([])
    case .string(let text):
      given = listedWords(text).map { JSON5Value(.string($0), at: value.position) }
    case .array(let values): given = values
    default:
      note("'\(label)': found \(found(value)), expected \(expectation(of: key, value))", at: value.position)
      return nil
    }
    var result: [String] = []
    for value in given {
      if case .string(let word) = value.content, words.contains(word) {
        result.append(word)
        continue
      }
      var suggestion: String?
      if case .string(let word) = value.content { suggestion = nearestName(to: word, among: words) }
      let expectation = "one or more of " + words.map(quoted).joined(separator: ", ") + didYouMean(suggestion)
      note("'\(label)': found \(found(value)), expected \(expectation)", at: value.position)
      return nil
    }
    return .words(result)
  }

  private func expectation(of key: ConfigurationKey, _ value: JSON5Value) -> String {
    var text = key.type.expectation
    if let unit = key.unit { text += " (\(unit))" }
    if case .choice(let words) = key.type, case .string(let word) = value.content {
      text += didYouMean(nearestName(to: word, among: words))
    }
    if case .boolean = key.type, case .string(let word) = value.content, word == "true" || word == "false" {
      text += " without quotes"
    }
    return text
  }

  /// A value for a message.
  func found(_ value: JSON5Value) -> String {
    switch value.content {
    case .number(let number): String(number.text.prefix(40))
    // Whatever holds an @ may hold user and password.
    case .string(let text) where text.contains("@"): "a text"
    case .string(let text): quoted(String(text.prefix(40))) + (text.count > 40 ? " …" : "")
    case .null, .boolean, .array, .object: value.kind
    }
  }

  private mutating func secrets(_ value: JSON5Value, label: String) -> ConfigurationValue? {
    guard case .object(let members) = value.content else {
      note("'\(label)': expected \(ConfigurationType.secrets.expectation)", at: value.position)
      return nil
    }
    var names: [String] = []
    var secrets: [Secret] = []
    var places: [SecretPlace] = []
    for member in members {
      guard let (secret, place) = secret(member.value, label: "\(label).\(shown(member.key))") else { continue }
      names.append(member.key)
      secrets.append(secret)
      places.append(place)
    }
    return names.count == members.count ? .secrets(names, secrets, places) : nil
  }
}

extension ConfigurationType {
  /// A value of this type; nil when it is of another, or out of range. Secrets are read elsewhere.
  fileprivate func fit(_ value: JSON5Value) -> ConfigurationValue? {
    switch (self, value.content) {
    case (.points, _), (.rings, _), (.timeOfDay, _), (.days, _): return .given(value)
    case (.text(let bytes), .string(let text)):
      guard bytes.contains(text.utf8.count), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      else { return nil }
      return .text(text)
    case (.path, .string(let text)):
      guard (1...4095).contains(text.utf8.count),
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      else { return nil }
      return .text(text)
    case (.choice(let words), .string(let text)): return words.contains(text) ? .text(text) : nil
    case (.boolean, .boolean(let value)): return .boolean(value)
    case (.whole(let range), .number(let number)):
      guard let whole = number.exactly(Int64.self), range.contains(whole) else { return nil }
      return .number("\(whole)")
    case (.seed, .number(let number)): return number.exactly(UInt64.self).map { .number("\($0)") }
    case (.number(let range), .number(let number)): return range.contains(number.value) ? .number(number.digits) : nil
    case (.parts(let bytes), .string(let text)):
      return bytes.contains(text.utf8.count) ? .words(text.split(separator: " ").map(String.init)) : nil
    case (.parts(let bytes), .array(let values)):
      let texts = values.compactMap { value -> String? in
        switch value.content {
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
      }
      guard texts.count == values.count, bytes.contains(texts.joined(separator: " ").utf8.count) else { return nil }
      return .words(texts)
    case (.texts(let bytes), .array(let values)):
      let texts = values.compactMap { value -> String? in
        guard case .string(let text) = value.content, bytes.contains(text.utf8.count),
          text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return nil }
        return text
      }
      return texts.count == values.count ? .words(texts) : nil
    case (.vector, .array(let values)):
      let digits = values.compactMap { value -> String? in
        guard case .number(let number) = value.content, number.value.isFinite else { return nil }
        return number.digits
      }
      return digits.count == 3 && values.count == 3 ? .numbers(digits) : nil
    default: return nil
    }
  }
}

/// The words of a list that is written as text, with `+` or commas between them.
func listedWords(_ text: String) -> [String] {
  text.split(omittingEmptySubsequences: false) { $0 == "+" || $0 == "," }.map { part in
    String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension JSON5Number {
  /// As decimal digits, whole numbers without a fraction.
  fileprivate var digits: String { exactly(Int64.self).map { "\($0)" } ?? (text.contains("x") ? "\(value)" : text) }
}
