import JSON5
import Requests

/// A text with places for what a packet says: `{packet}`, and `{KEY}` or `{KEY.KEY}` of one in the form `json`.
///
/// A place of which a packet knows nothing is empty. Braces around anything that is no name are text, so that JSON can be a template.
package struct HTTPTemplate: Equatable, Sendable {
  /// How values are written.
  enum Escaping { case json, form, line, plain }

  /// The text.
  package var text: String

  /// A template.
  package init(_ text: String) { self.text = text }

  /// The names of its places.
  package var names: [String] {
    var names: [String] = []
    _ = replaced {
      names.append($0)
      return ""
    }
    return names
  }

  private func replaced(_ value: (String) -> String) -> String {
    var out = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{") {
      out += rest[..<start]
      let after = rest.index(after: start)
      let name = rest[after...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
      if !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" {
        out += value(String(name))
        rest = rest[rest.index(after: name.endIndex)...]
      } else {
        out += "{"
        rest = rest[after...]
      }
    }
    return out + rest
  }

  /// The text with the values of a packet.
  func filled(with packet: [UInt8], _ escaping: Escaping) -> String {
    let object = try? JSON5Value(reading: packet)
    return replaced { name in
      let value = name == "packet" ? String(decoding: packet, as: UTF8.self) : HTTPTemplate.value(of: name, in: object)
      switch escaping {
      case .json: return String(json5Quoted(value).dropFirst().dropLast())
      case .form: return HTTPTemplate.percentEncoded(value)
      case .line: return String(value.map { $0.isNewline ? " " : $0 })
      case .plain: return value
      }
    }
  }

  private static func value(of name: String, in object: JSON5Value?) -> String {
    var place = object
    for key in name.split(separator: ".") {
      guard case .object(let members)? = place?.content else { return "" }
      place = members.first { $0.key == key }?.value
    }
    switch place?.content {
    case .string(let text): return text
    case .number(let number): return number.text
    case .boolean(let value): return value ? "true" : "false"
    case .null, .array, .object, nil: return ""
    }
  }

  private static func percentEncoded(_ text: String) -> String {
    var out = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: out.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        out += byte < 16 ? "%0" + digits : "%" + digits
      }
    }
    return out
  }
}

extension HTTPSettings {
  /// What is posted for a packet.
  func body(for packet: [UInt8]) -> [UInt8] {
    guard let template else { return packet }
    let type = contentType.lowercased()
    let escaping: HTTPTemplate.Escaping =
      type.contains("json") ? .json : type.contains("form-urlencoded") ? .form : .plain
    return Array(template.filled(with: packet, escaping).utf8)
  }

  /// The headers that go with it; those of a way with a template may have places, too.
  func headers(for packet: [UInt8], body: [UInt8]) -> [(name: String, value: String)] {
    var all = headers.map { header in
      let value = header.value.revealed
      return (
        name: header.name, value: template == nil ? value : HTTPTemplate(value).filled(with: packet, .line)
      )
    }
    if let key = signingKey {
      var code = HMACSHA256(key: Array(key.revealed.utf8).span)
      code.update(body.span)
      let digest = code.finish()
      var digits = "sha256="
      for place in 0..<digest.count {
        let byte = String(digest[place], radix: 16)
        digits += byte.count == 1 ? "0" + byte : byte
      }
      all.append((signatureHeader, digits))
    }
    return all
  }
}
