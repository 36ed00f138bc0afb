/// A JSON text as it stands there: numbers keep their digits, keys may stand once.
///
/// A parser of its own, so that a mistake of the writer is not read back by the same mistake.
package indirect enum PlainJSON: Equatable, Sendable {
  case null
  case yes
  case no
  /// The digits as written.
  case number(String)
  case text(String)
  case list([PlainJSON])
  case object([String: PlainJSON])

  /// Reads one object; nil when the text is anything else, or holds an exponent, a space or a key twice.
  package static func object(_ text: String) -> [String: PlainJSON]? {
    var reader = PlainReader(bytes: Array(text.utf8))
    guard case .object(let members)? = reader.value(), reader.place == reader.bytes.count else { return nil }
    return members
  }

  /// The members of an object.
  package subscript(key: String) -> PlainJSON? { if case .object(let members) = self { members[key] } else { nil } }

  /// The value of a number.
  package var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }

  /// A number of units of its last digit, as text.
  package static func fixed(_ value: Int64, _ decimals: Int) -> PlainJSON {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    let sign = value < 0 ? "-" : ""
    return .number(decimals == 0 ? sign + padded : "\(sign)\(whole).\(padded.suffix(decimals))")
  }
}

private struct PlainReader {
  let bytes: [UInt8]
  var place = 0

  mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard bytes[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  mutating func value() -> PlainJSON? {
    guard place < bytes.count else { return nil }
    switch bytes[place] {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return list()
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    case UInt8(ascii: "t"): return take("true") ? .yes : nil
    case UInt8(ascii: "f"): return take("false") ? .no : nil
    default: return number()
    }
  }

  mutating func object() -> PlainJSON? {
    var members: [String: PlainJSON] = [:]
    guard take("{") else { return nil }
    if take("}") { return .object([:]) }
    repeat {
      guard let key = string(), take(":"), let value = value(), members[key] == nil else { return nil }
      members[key] = value
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  mutating func list() -> PlainJSON? {
    var members: [PlainJSON] = []
    guard take("[") else { return nil }
    if take("]") { return .list([]) }
    repeat {
      guard let value = value() else { return nil }
      members.append(value)
    } while take(",")
    return take("]") ? .list(members) : nil
  }

  mutating func number() -> PlainJSON? {
    let start = place
    _ = take("-")
    let whole = digits()
    guard whole == 1 || (whole > 1 && bytes[place - whole] != UInt8(ascii: "0")) else { return nil }
    if take("."), digits() == 0 { return nil }
    return .number(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  mutating func digits() -> Int {
    let start = place
    while place < bytes.count, bytes[place] >= 0x30, bytes[place] <= 0x39 { place += 1 }
    return place - start
  }

  mutating func string() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        if take("u00") {
          guard place + 2 <= bytes.count,
            let code = UInt8(String(decoding: bytes[place..<place + 2], as: UTF8.self), radix: 16), code < 0x80
          else { return nil }
          text.append(code)
          place += 2
        } else if place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "\\") {
          text.append(bytes[place])
          place += 1
        } else {
          return nil
        }
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }
}
