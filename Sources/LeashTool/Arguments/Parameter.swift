/// An option without a value, such as `--json`.
package struct Flag: Sendable {
  /// Without the dashes.
  package let name: String
  /// One or two sentences.
  package let help: String

  /// - Parameters:
  ///   - name: Without the dashes.
  ///   - help: One or two sentences.
  package init(_ name: String, _ help: String) {
    self.name = name
    self.help = help
  }
}

/// An option with a value: `--name VALUE` or `--name=VALUE`.
package struct Option<Value: ArgumentValue & Sendable>: Sendable {
  /// Without the dashes.
  package let name: String
  /// Stands for the value in the help.
  package let placeholder: String
  /// What holds when the option is not given.
  package let defaultValue: Value?
  /// What holds when the option is given without a value; nil when it must have one.
  package let bareValue: String?
  /// One or two sentences.
  package let help: String

  /// - Parameters:
  ///   - name: Without the dashes.
  ///   - placeholder: Stands for the value in the help, in capitals.
  ///   - defaultValue: What holds when the option is not given.
  ///   - bareValue: What holds when the option is given without a value.
  ///   - help: One or two sentences.
  package init(
    _ name: String, _ placeholder: String, default defaultValue: Value? = nil, bare bareValue: String? = nil,
    _ help: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.defaultValue = defaultValue
    self.bareValue = bareValue
    self.help = help
  }
}

/// An argument without a name, such as a file.
package struct Positional: Sendable {
  /// How many there may be.
  package enum Count: Sendable {
    /// Exactly one.
    case one
    /// None or one.
    case optional
    /// At least one.
    case oneOrMore
    /// Any number.
    case any
  }

  /// Stands for it in the help, in capitals.
  package let name: String
  /// How many there may be; more than one is possible for the last positional only.
  package let count: Count
  /// One or two sentences.
  package let help: String

  /// - Parameters:
  ///   - name: Stands for it in the help, in capitals.
  ///   - count: How many there may be.
  ///   - help: One or two sentences.
  package init(_ name: String, count: Count = .one, _ help: String) {
    self.name = name
    self.count = count
    self.help = help
  }

  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .oneOrMore: "\(name)…"
    case .any: "[\(name)…]"
    }
  }
}

/// One declared argument of a command.
package struct Parameter: Sendable {
  enum Kind: Sendable {
    case flag
    case option(placeholder: String, isValid: @Sendable (String) -> Bool, expectation: String, defaultText: String?)
    case positional(Positional)
  }

  let name: String
  let help: String
  let kind: Kind
  /// The text that stands for a value that was left out; nil when it may not be.
  var bareText: String?

  /// Declares a flag.
  package static func flag(_ flag: Flag) -> Parameter { Parameter(name: flag.name, help: flag.help, kind: .flag) }

  /// Declares an option with a value.
  package static func option<Value>(_ option: Option<Value>) -> Parameter {
    Parameter(
      name: option.name, help: option.help,
      kind: .option(
        placeholder: option.placeholder, isValid: { Value(argument: $0) != nil }, expectation: Value.expectation,
        defaultText: option.defaultValue.map { "\($0)" }), bareText: option.bareValue)
  }

  /// Declares a positional argument.
  package static func positional(_ positional: Positional) -> Parameter {
    Parameter(name: positional.name, help: positional.help, kind: .positional(positional))
  }

  var positional: Positional? {
    if case .positional(let positional) = kind { positional } else { nil }
  }

  /// How it is written: `--json`, `--record FILE`, `FILE…`.
  var spelling: String {
    switch kind {
    case .flag: "--\(name)"
    case .option(let placeholder, _, _, _): bareText == nil ? "--\(name) \(placeholder)" : "--\(name) [\(placeholder)]"
    case .positional(let positional): positional.usage
    }
  }

  /// The help with the default behind it.
  var fullHelp: String {
    guard case .option(_, _, _, let defaultText?) = kind else { return help }
    return help + " Default: \(defaultText)."
  }
}
