import JSON5
import Uplinks

/// Where the text of a secret stands.
package enum SecretPlace: Equatable, Sendable {
  /// In the configuration itself.
  case literal
  /// In a file of its own.
  case file(String)
  /// In a variable of the environment.
  case environment(String)

  /// As it is written in a configuration, without the secret.
  var text: String {
    switch self {
    case .literal: json5Hidden
    case .file(let path): "{ file: \(quoted(path)) }"
    case .environment(let name): "{ env: \(quoted(name)) }"
    }
  }
}

/// Stands for a secret that is not shown.
let hiddenText = "(hidden)"
private let json5Hidden = "\"\(hiddenText)\""

/// A text as it may be shown: the address of a server without its tokens, anything else as it is.
private func shown(_ text: String) -> String {
  let start = text.prefix(8).lowercased()
  guard start.hasPrefix("http://") || start == "https://" else { return text }
  return AddressSecrets.hidden(text, by: hiddenText)
}

/// A value of a configuration, checked for its type.
package enum ConfigurationValue: Equatable, Sendable {
  /// Text.
  case text(String)
  /// A number by its digits, which hold whole numbers of 64 bits as well as decimals.
  case number(String)
  /// Yes or no.
  case boolean(Bool)
  /// Numbers, by their digits.
  case numbers([String])
  /// Words.
  case words([String])
  /// A secret and where it stands.
  case secret(Secret, SecretPlace)
  /// Secrets by their names.
  case secrets([String], [Secret], [SecretPlace])
  /// Fences, places or alarms, as JSON.
  case rules(String)
  /// As it stands in the file, for who reads it further.
  case given(JSON5Value)

  /// As it is written in a configuration; secrets stay hidden.
  package var text: String {
    switch self {
    case .text(let text): quoted(shown(text))
    case .number(let digits): digits
    case .boolean(let value): value ? "true" : "false"
    case .numbers(let digits): "[" + digits.joined(separator: ", ") + "]"
    case .words(let words): "[" + words.map(quoted).joined(separator: ", ") + "]"
    case .rules(let json): json
    case .given(let value): value.kind
    case .secret(_, let place): place.text
    case .secrets(let names, _, let places):
      names.isEmpty
        ? "{}" : "{ " + zip(names, places).map { "\(quoted($0)): \($1.text)" }.joined(separator: ", ") + " }"
    }
  }

  /// As JSON; secrets stay hidden.
  package var json: String {
    switch self {
    case .text, .number, .boolean, .numbers, .words, .rules, .given: text
    case .secret: json5Hidden
    case .secrets(let names, _, _): "{" + names.map { "\(quoted($0)):\(json5Hidden)" }.joined(separator: ",") + "}"
    }
  }

  /// The number, when it is one.
  var double: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }
}

/// The kind of value a key takes, with its range.
package enum ConfigurationType: Equatable, Sendable {
  /// Text of so many bytes, without control characters.
  case text(ClosedRange<Int>)
  /// Path of a file or device.
  case path
  /// One of some words.
  case choice([String])
  /// `true` or `false`.
  case boolean
  /// A whole number in a range.
  case whole(ClosedRange<Int64>)
  /// A whole number, not negative, of 64 bits.
  case seed
  /// A number in a range.
  case number(ClosedRange<Double>)
  /// Three numbers.
  case vector
  /// Different whole numbers in a range, at most so many, as a list or as text with `+` between them.
  case numbers(ClosedRange<Int>, atMost: Int)
  /// Some of these words, as a list or as text with `+` between them.
  case words([String])
  /// Words of any kind, as a list or as text with spaces between them, together of so many bytes.
  case parts(ClosedRange<Int>)
  /// A list of texts of so many bytes each, without control characters.
  case texts(ClosedRange<Int>)
  /// A secret: text, `{ file: … }` or `{ env: … }`.
  case secret
  /// An object of secrets.
  case secrets
  /// A list of corners, `[latitude, longitude]` in degrees.
  case points
  /// A list of such lists.
  case rings
  /// `"HH:MM"`.
  case timeOfDay
  /// Days of the week or a date.
  case days

  /// The word for a table.
  package var name: String {
    switch self {
    case .text: "text"
    case .path: "path"
    case .choice: "word"
    case .boolean: "boolean"
    case .whole, .seed: "whole number"
    case .number: "number"
    case .vector: "three numbers"
    case .numbers: "list of numbers"
    case .words, .parts: "list of words"
    case .texts: "list of texts"
    case .secret: "secret"
    case .secrets: "secrets by name"
    case .points: "list of corners"
    case .rings: "list of lists of corners"
    case .timeOfDay: "time of the day"
    case .days: "days"
    }
  }

  /// What is allowed, for a table; empty for what the name says already.
  package var range: String {
    switch self {
    case .text(let bytes), .parts(let bytes): "\(bytes.lowerBound) to \(bytes.upperBound) bytes"
    case .texts(let bytes): "\(bytes.lowerBound) to \(bytes.upperBound) bytes each"
    case .choice(let words), .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .seed: "0 to \(UInt64.max)"
    case .number(let range): "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .numbers(let range, let most): "at most \(most), \(range.lowerBound) to \(range.upperBound)"
    case .path, .boolean, .vector, .secret, .secrets, .points, .rings, .timeOfDay, .days: ""
    }
  }

  /// What a value must be, for a message.
  package var expectation: String {
    switch self {
    case .text(let bytes): "text of \(bytes.lowerBound) to \(bytes.upperBound) bytes without control characters"
    case .path: "a path"
    case .choice(let words): "one of " + words.map(quoted).joined(separator: ", ")
    case .boolean: "true or false"
    case .whole, .seed: "a whole number from \(range)"
    case .number: "a number from \(range)"
    case .vector: "three numbers, such as [0, 0, 0]"
    case .numbers(let range, let most):
      "a list, or text joined by '+', of at most \(most) different whole numbers from \(range.lowerBound) to \(range.upperBound)"
    case .texts(let bytes):
      "a list of texts of \(bytes.lowerBound) to \(bytes.upperBound) bytes without control characters"
    case .words(let words): "a list, or text joined by '+', of " + words.map(quoted).joined(separator: ", ")
    case .parts(let bytes):
      "a list of words, or text with spaces between them, together \(bytes.lowerBound) to \(bytes.upperBound) bytes"
    case .secret: "a secret: text, { file: \"PATH\" } or { env: \"NAME\" }"
    case .secrets: "an object of names with secrets: text, { file: \"PATH\" } or { env: \"NAME\" }"
    case .points: "a list of corners, such as [[52.1, 4.1], [52.2, 4.1], [52.2, 4.2]]"
    case .rings: "a list of lists of corners"
    case .timeOfDay: "a time of the day such as \"07:30\""
    case .days:
      "\"daily\", \"weekdays\", \"weekend\", a date such as \"2026-12-24\", or a list such as [\"mon\", \"wed\"]"
    }
  }
}

/// A number without a fraction that is none: 5 and not 5.0.
func plain(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
}
