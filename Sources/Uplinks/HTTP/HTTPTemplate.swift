import ASCIIText
import JSON5
import Quantities
import Requests

/// A text with places for what a packet says: `{packet}`, and `{KEY}` or `{KEY.KEY}` of one in the form `json`.
///
/// A place of which a packet knows nothing is empty. Braces around anything that is no name are text, so that JSON can be a template. There
/// a place between quotes is a part of a text, and any other a whole value: what the packet has, `null` when it has none, and of
/// `{packet}` the packet itself where it is JSON.
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
    _ = replaced { name, _ in
      names.append(name)
      return ""
    }
    return names
  }

  /// Milliseconds since 1970 of the packet's `utc`, for servers that want a number.
  package static let utcMilliseconds = "utcMilliseconds"

  /// The packet as servers want it that keep values by their time: `{"ts": …, "values": …}` with the packet within, or the packet itself
  /// while its time is not known, to which they give the time at which it comes.
  package static let timedPacket = "timedPacket"

  /// Names of places that are no members of a packet.
  package static let ownNames = ["packet", timedPacket, utcMilliseconds]

  /// True when it is JSON, whatever a packet says.
  package var isJSON: Bool { JSONValue(Array(replaced { _, isInText in isInText ? "" : "0" }.utf8).span) != nil }

  /// - Parameter value: What stands for a name, which may be between the quotes of a text.
  private func replaced(_ value: (_ name: String, _ isInText: Bool) -> String) -> String {
    var out = ""
    var rest = text[...]
    var isInText = false
    while let first = rest.first {
      let after = rest.index(after: rest.startIndex)
      let name = rest[after...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
      if first == "{", !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" {
        out += value(String(name), isInText)
        rest = rest[rest.index(after: name.endIndex)...]
        continue
      }
      if first == "\"" { isInText.toggle() }
      out.append(first)
      rest = rest[after...]
      // What is escaped ends no text.
      if first == "\\", isInText, let next = rest.first {
        out.append(next)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  /// The text with the values of a packet.
  func filled(with packet: [UInt8], _ escaping: Escaping) -> String {
    let object = try? JSON5Value(reading: packet)
    let hasValues = escaping == .json && isJSON
    return replaced { name, isInText in
      if hasValues, !isInText { return HTTPTemplate.whole(name, of: packet) }
      let value =
        switch name {
        case "packet": String(decoding: packet, as: UTF8.self)
        case HTTPTemplate.timedPacket: HTTPTemplate.timed(packet, object)
        default: HTTPTemplate.value(of: name, in: object, packet)
        }
      switch escaping {
      case .json: return String(json5Quoted(value).dropFirst().dropLast())
      case .form: return HTTPTemplate.percentEncoded(value)
      case .line: return String(value.map { $0.isNewline ? " " : $0 })
      case .plain: return value
      }
    }
  }

  private static func timed(_ packet: [UInt8], _ object: JSON5Value?) -> String {
    let text = String(decoding: packet, as: UTF8.self)
    return milliseconds(object).map { "{\"ts\":\($0),\"values\":\(text)}" } ?? text
  }

  private static func value(of name: String, in object: JSON5Value?, _ packet: [UInt8]) -> String {
    var place = object
    for key in name.split(separator: ".") {
      guard case .object(let members)? = place?.content else { return "" }
      place = members.first { $0.key == key }?.value
    }
    if name == utcMilliseconds { return HTTPTemplate.milliseconds(object).map { String($0) } ?? "" }
    switch place?.content {
    case .string(let text): return text
    case .number(let number): return number.text
    case .boolean(let value): return value ? "true" : "false"
    // As the packet has them.
    case .array, .object: return whole(name, of: packet)
    case .null, nil: return ""
    }
  }

  /// The JSON value of a name, as the packet has it.
  private static func whole(_ name: String, of packet: [UInt8]) -> String {
    let text = packet.span
    guard let object = JSONValue(text) else {
      return name == "packet" ? json5Quoted(String(decoding: packet, as: UTF8.self)) : "null"
    }
    if name == "packet" { return String(decoding: packet, as: UTF8.self) }
    if name == timedPacket { return timed(packet, try? JSON5Value(reading: packet)) }
    if name == utcMilliseconds {
      return milliseconds(try? JSON5Value(reading: packet)).map { String($0) } ?? "null"
    }
    var place: JSONValue? = object
    for key in name.split(separator: ".") {
      guard let outer = place, outer.kind == .object else { return "null" }
      var members = JSONValue.Members(of: outer)
      place = nil
      while let member = members.next(in: text) {
        let bytes = packet[member.key.start + 1..<member.key.end - 1]
        if bytes.elementsEqual(key.utf8) { place = member.value }
      }
    }
    return place.map { String(decoding: packet[$0.start..<$0.end], as: UTF8.self) } ?? "null"
  }

  /// The time of a packet in milliseconds since 1970; its text is always as long, `2026-11-21T08:15:30.123Z`.
  private static func milliseconds(_ object: JSON5Value?) -> Int64? {
    guard case .object(let members)? = object?.content,
      case .string(let text)? = members.first(where: { $0.key == "utc" })?.value.content
    else { return nil }
    let parts = text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    guard parts.count == 7, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2]) else { return nil }
    let seconds = (parts[3] * 60 + parts[4]) * 60 + parts[5]
    return UTCTime(date: date, microsecondsOfDay: Int64(seconds * 1000 + parts[6]) * 1000).microseconds / 1000
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
