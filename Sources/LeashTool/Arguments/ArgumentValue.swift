/// Something that can be read from one argument.
package protocol ArgumentValue {
  /// The value, or nil when the text is not one.
  init?(argument: String)
  /// What the text must be, as in "expected a whole number".
  static var expectation: String { get }
}

extension String: ArgumentValue {
  /// Every text is one.
  package init?(argument: String) { self = argument }
  /// What the text must be.
  package static var expectation: String { "text" }
}

extension Int: ArgumentValue {
  /// A decimal number with or without sign.
  package init?(argument: String) { self.init(argument) }
  /// What the text must be.
  package static var expectation: String { "a whole number" }
}

extension UInt64: ArgumentValue {
  /// A decimal number, or a hexadecimal one after `0x`.
  package init?(argument: String) {
    if argument.hasPrefix("0x") {
      self.init(argument.dropFirst(2), radix: 16)
    } else {
      self.init(argument)
    }
  }
  /// What the text must be.
  package static var expectation: String { "a whole number, 0 or more" }
}

extension Double: ArgumentValue {
  /// A finite number.
  package init?(argument: String) {
    guard let value = Double(argument), value.isFinite else { return nil }
    self = value
  }
  /// What the text must be.
  package static var expectation: String { "a number" }
}

/// An enumeration of words is read by its raw values.
extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// The case of that name.
  package init?(argument: String) { self.init(rawValue: argument) }
  /// What the text must be.
  package static var expectation: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
}
