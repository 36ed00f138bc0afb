import JSON5

/// The arguments a command was called with, checked against its declarations.
///
/// Ask with the same value that was declared: `arguments[Replay.json]`.
package struct Arguments: Sendable {
  private(set) var flags: Set<String> = []
  private(set) var values: [String: [String]] = [:]
  private(set) var positionals: [String: [String]] = [:]

  /// True when the flag was given.
  package subscript(flag: Flag) -> Bool { flags.contains(flag.name) }

  /// The option's last value, its default, or nil.
  package subscript<Value>(option: Option<Value>) -> Value? {
    guard let text = values[option.name]?.last else { return option.defaultValue }
    return Value(argument: text)
  }

  /// All values of an option that may be given several times, in their order.
  package func all<Value>(_ option: Option<Value>) -> [Value] {
    (values[option.name] ?? []).compactMap { Value(argument: $0) }
  }

  /// True when an option or a flag was given.
  func isGiven(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

  /// The name of an option or flag that was given and is none of these; nil when there is none.
  func firstGiven(besides names: Set<String>) -> String? {
    flags.union(values.keys).subtracting(names).min()
  }

  /// The positional's texts: one, none or many as declared.
  package subscript(positional: Positional) -> [String] { positionals[positional.name] ?? [] }
}

extension Arguments {
  /// Reads arguments; what does not fit the declarations is a usage failure that names it.
  init(_ texts: [String], parameters: [Parameter]) throws(CommandFailure) {
    var loose: [String] = []
    var place = 0
    // The value of an option that needs none, by where it stood among the loose arguments.
    var optionalValue: (name: String, bare: String, place: Int)?
    while place < texts.count {
      let text = texts[place]
      place += 1
      if text == "--" {
        loose += texts[place...]
        break
      }
      guard text.hasPrefix("-"), text != "-", !Arguments.isNumber(text) else {
        loose.append(text)
        continue
      }
      let before = place
      try takeOption(text, rest: texts, next: &place, parameters: parameters)
      let parameter = parameters.first { $0.positional == nil && "--\($0.name)" == text }
      if let parameter, let bare = parameter.bareText, place > before {
        optionalValue = (parameter.name, bare, loose.count)
      }
    }
    // `--reference IN` means the argument IN when there is no other.
    if let optionalValue, loose.count < parameters.count(where: { $0.positional?.count == .one }) {
      let value = values[optionalValue.name]?.popLast()
      values[optionalValue.name, default: []].append(optionalValue.bare)
      if let value { loose.insert(value, at: optionalValue.place) }
    }
    try takePositionals(loose, parameters: parameters)
  }

  /// True for `-1`, `-.5` and `-33.9,151.2`: no option has such a name.
  private static func isNumber(_ text: String) -> Bool {
    let rest = text.dropFirst()
    let digit = rest.first == "." ? rest.dropFirst().first : rest.first
    return digit.map { ("0"..."9").contains($0) } ?? false
  }

  private mutating func takeOption(
    _ text: String, rest: [String], next place: inout Int, parameters: [Parameter]
  ) throws(CommandFailure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelled = String(parts[0])
    let attached = parts.count > 1 ? String(parts[1]) : nil
    let named = parameters.filter { $0.positional == nil }
    guard let parameter = named.first(where: { "--\($0.name)" == spelled }) else {
      let suggestion = nearest(to: spelled, among: named.map { "--\($0.name)" } + ["--help"])
      throw .usage("unknown option '\(spelled)'" + didYouMean(suggestion))
    }
    switch parameter.kind {
    case .flag:
      guard attached == nil else { throw .usage("option '\(spelled)' takes no value") }
      flags.insert(parameter.name)
    case .option(let placeholder, let isValid, let expectation, _):
      let value: String
      if let attached {
        value = attached
      } else if let bare = parameter.bareText, place == rest.count || rest[place].hasPrefix("--") {
        value = bare
      } else {
        guard place < rest.count, !rest[place].hasPrefix("--") else {
          throw .usage("option '\(spelled)' needs a value: \(spelled) \(placeholder)")
        }
        value = rest[place]
        place += 1
      }
      guard isValid(value) else { throw .usage("option '\(spelled)': '\(value)' is not \(expectation)") }
      values[parameter.name, default: []].append(value)
    case .positional: break
    }
  }

  private mutating func takePositionals(_ texts: [String], parameters: [Parameter]) throws(CommandFailure) {
    var rest = texts[...]
    for positional in parameters.compactMap(\.positional) {
      let taken: Int
      switch positional.count {
      case .one, .optional: taken = min(1, rest.count)
      case .oneOrMore, .any: taken = rest.count
      }
      if taken == 0 && (positional.count == .one || positional.count == .oneOrMore) {
        throw .usage("\(positional.name) is missing")
      }
      positionals[positional.name] = Array(rest.prefix(taken))
      rest = rest.dropFirst(taken)
    }
    if let extra = rest.first { throw .usage("unexpected argument '\(extra)'") }
  }
}
