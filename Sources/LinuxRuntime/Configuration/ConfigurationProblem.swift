import JSON5

/// Something wrong in a configuration, and where.
package struct ConfigurationProblem: Equatable, Sendable {
  /// Where it is in the file.
  package var position: TextPosition
  /// What was found and what would be right: one line without a full stop, and without any secret.
  package var message: String

  /// `leash.json5:3:5: …`, as compilers have it.
  package func line(of file: String) -> String { "\(file):\(position.line):\(position.column): \(message)" }

  /// A line for each, from the first place on; of very many the first ones.
  static func lines(_ problems: [ConfigurationProblem], of file: String) -> [String] {
    let sorted = problems.sorted { ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column) }
    let shown = sorted.prefix(ConfigurationReader.problemLimit).map { $0.line(of: file) }
    return shown.count == sorted.count ? shown : shown + ["\(file): and \(sorted.count - shown.count) more"]
  }
}

/// Why there is no configuration.
package enum BoardConfigurationFailure: Error, Equatable, Sendable {
  /// The file can't be read: one line that says why.
  case unreadable(String)
  /// Everything that is wrong in it, a line each, with the file's name in front.
  case invalid([String])

  /// All lines there are to show.
  package var lines: [String] {
    switch self {
    case .unreadable(let line): [line]
    case .invalid(let lines): lines
    }
  }
}

/// Where a value of the configuration comes from.
package enum ConfigurationOrigin: Equatable, Sendable {
  /// From this line of the file.
  case file(line: Int)
  /// From the profile of this name.
  case profile(String)
  /// From the data sheet of this part.
  case part(String)
  /// From a request of the owner that is kept in the state file.
  case state
  /// From the program.
  case standard

  /// For a comment: `line 3`, `profile collar`, `default`.
  package var text: String {
    switch self {
    case .file(let line): "line \(line)"
    case .profile(let name): "profile \(name)"
    case .part(let name): "data sheet of \(name)"
    case .state: "changed by a request"
    case .standard: "default"
    }
  }
}

/// One value of a configuration with its origin, for showing it.
package struct ConfigurationRow: Equatable, Sendable {
  /// Names from the outside in; an entry of the list has its number, from 0.
  package var path: [String]
  /// The value; nil when it is not set.
  package var value: ConfigurationValue?
  /// Where it comes from.
  package var origin: ConfigurationOrigin

  /// With dots and brackets: `uplinks[0].tls.verify`.
  package var name: String {
    path.reduce("") { name, part in
      Int(part) != nil ? "\(name)[\(part)]" : name.isEmpty ? part : "\(name).\(part)"
    }
  }
}

/// A value that was set, and where.
struct GivenValue {
  var value: ConfigurationValue
  var origin: ConfigurationOrigin
  var position: TextPosition
}
