/// A place in a text, both counted from 1; the column counts characters.
package struct TextPosition: Equatable, Sendable {
  /// Line.
  package var line: Int
  /// Column.
  package var column: Int

  /// A place.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A number as it was written: its digits are kept, as a binary fraction holds neither every decimal nor every whole number.
package struct JSON5Number: Equatable, Sendable {
  /// The digits without a plus sign: `-0x1F`, `.5`, `Infinity`.
  package let text: String
  /// Its value, rounded to the nearest binary fraction.
  package let value: Double

  /// The number as a whole one; nil when it has a fraction or does not fit.
  package func exactly<Whole: FixedWidthInteger>(_: Whole.Type) -> Whole? {
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      return Whole((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
    }
    // `1e3` and `2.0` are whole, too; beyond 2^53 only plain digits are exact.
    return Whole(text) ?? (abs(value) <= 9_007_199_254_740_992 ? Whole(exactly: value) : nil)
  }
}

/// A key of an object with its value.
package struct JSON5Member: Equatable, Sendable {
  /// The key, its escapes resolved.
  package var key: String
  /// Where the key begins.
  package var position: TextPosition
  /// The value.
  package var value: JSON5Value
}

/// A value with its place in the text.
package struct JSON5Value: Equatable, Sendable {
  /// What a value can be.
  package enum Content: Equatable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number, infinite ones and NaN included.
    case number(JSON5Number)
    /// Text.
    case string(String)
    /// Values in their order.
    case array([JSON5Value])
    /// Members in their order; no two have the same key.
    case object([JSON5Member])
  }

  /// What it is.
  package var content: Content
  /// Where it begins.
  package var position: TextPosition

  /// A value at a place.
  package init(_ content: Content, at position: TextPosition) {
    self.content = content
    self.position = position
  }

  /// The kind of value, for messages: `an object`.
  package var kind: String {
    switch content {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// Why a text is not JSON5: the first thing that is wrong with it.
package struct JSON5Problem: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where.
  package var position: TextPosition
  /// What was found, and what would be right: one line without a full stop.
  package var message: String

  /// `line 3, column 5: found '}', expected a value`.
  package var description: String { "line \(position.line), column \(position.column): \(message)" }
}

/// How much a text may hold, so that a hostile one costs little.
package struct JSON5Limits: Equatable, Sendable {
  /// Length of the text, bytes. Default 1 MiB.
  package var bytes = 1 << 20
  /// Objects and lists inside each other. Default 64.
  package var depth = 64

  /// The defaults.
  package init() {}
}
