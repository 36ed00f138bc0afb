/// The classes of characters that JSON5 tells apart.
///
/// - Source: [json5] sections 5 to 8; [ecma262] sections 7.2, 7.3 and 7.6.
enum JSON5Characters {
  /// True for what may stand between tokens, line ends included.
  static func isWhiteSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0xA0, 0xFEFF, 0x2028, 0x2029: true
    case 0..<0x80: false
    default: scalar.properties.generalCategory == .spaceSeparator
    }
  }

  /// True for what ends a line.
  static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// True for what may begin a key without quotes.
  static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "$", "_": return true
    default: break
    }
    guard scalar.value >= 0x80 else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: return true
    default: return false
    }
  }

  /// True for what may go on in a key without quotes.
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    if beginsName(scalar) || isDigit(scalar) { return true }
    guard scalar.value >= 0x80 else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return scalar.value == 0x200C || scalar.value == 0x200D
    }
  }

  /// True for a decimal digit.
  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

  /// The value of a hexadecimal digit; nil when it is none.
  static func hexDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }

  /// A character for a message: itself in quotes when it can be seen, its number otherwise.
  static func shown(_ scalar: Unicode.Scalar?) -> String {
    guard let scalar else { return "the end of the text" }
    if isLineEnd(scalar) { return "the end of the line" }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default: return "'\(scalar)'"
    }
  }
}

/// Text for a message of one line: what can't be seen as an escape, and cut when it is long.
package func json5Shown(_ text: String) -> String {
  String(json5Quoted(String(text.prefix(40))).dropFirst().dropLast())
}

/// Text in double quotes, as JSON and JSON5 read it back.
package func json5Quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case "\r": quoted += "\\r"
    case "\t": quoted += "\\t"
    default:
      if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x2028...0x202E).contains(scalar.value) {
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        quoted.unicodeScalars.append(scalar)
      }
    }
  }
  return quoted + "\""
}
