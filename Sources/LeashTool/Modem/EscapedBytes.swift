/// Bytes of a serial line as text that can be read, and back.
///
/// What is not printable ASCII or UTF-8 stands as `\r`, `\n`, `\xHH`; a backslash is doubled. Nothing is lost.
enum EscapedBytes {
  /// Bytes as text.
  static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var text = ""
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case 0x0D: text += "\\r"
      case 0x0A: text += "\\n"
      case 0x5C: text += "\\\\"
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        if let character = character(bytes[place...]) {
          text += character
          place += character.utf8.count
          continue
        }
        text += hexadecimal(byte)
      }
      place += 1
    }
    return text
  }

  /// The bytes that the text stands for; nil when an escape makes no sense.
  static func bytes(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == 0x5C else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "\\"): bytes.append(0x5C)
      case UInt8(ascii: "\""): bytes.append(0x22)
      case UInt8(ascii: "x"):
        let digits = rest.prefix(2)
        guard digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) else {
          return nil
        }
        rest = rest.dropFirst(2)
        bytes.append(value)
      default: return nil
      }
    }
    return bytes
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }

  /// The character of several bytes that stands at the beginning; nil when there is none.
  private static func character(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let first = bytes.first, first >= 0xC2 else { return nil }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard bytes.count >= count, let text = String(validating: bytes.prefix(count), as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    return text
  }
}
