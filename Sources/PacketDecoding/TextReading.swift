import ASCIIText
import Quantities
import Telemetry

/// Text messages as `Packet.encodeMessage` writes them.
enum TextReading {
  /// Nil when the text is no such message.
  static func message(_ bytes: [UInt8], _ now: UTCTime?) -> DecodedMessage? {
    guard bytes.count <= Packet.messageCapacity, let text = String(validating: bytes, as: UTF8.self),
      let colon = text.range(of: ": "), let mark = text.lastIndex(of: "#"),
      UInt32(text[text.index(after: mark)...]) != nil, colon.upperBound < mark
    else { return nil }
    var facts = DecodedFacts()
    facts.tracker = String(text[..<colon.lowerBound])
    let parts = text[colon.upperBound..<mark].split(separator: ",").map { $0.drop { $0 == " " } }
    guard let first = parts.first else { return nil }
    let (event, alert) = alert(in: first)
    var fields = [
      DecodedField("trackerId", facts.tracker ?? "", meaning: "name of the tracker"),
      DecodedField("type", String(event), meaning: "kind of the packet"),
    ]
    if let alert { fields.append(DecodedField("alert", "\(alert)", meaning: "number of the alert, for dismiss")) }
    for part in parts.dropFirst() {
      let words = part.split(separator: " ")
      if words.count == 3, words[2] == "UTC" {
        facts.time = UTCTime(iso8601: "\(words[0])T\(words[1]):00Z")
        let problem = facts.time == nil ? "not a time" : FieldLimits.seconds(of: facts.time, now)
        fields.append(DecodedField("time", String(part), meaning: "when it was made", problem: problem))
      } else if let link = words.last, link.hasPrefix("https://osm.org/?"),
        let query = QueryText(Array(link.utf8.dropFirst("https://osm.org/?".utf8.count)))
      {
        func number(_ name: String) -> Double? {
          query.value(name).flatMap { scanFixed(Array($0.utf8).span, decimals: 6) }.map { Double($0) / 1e6 }
        }
        if let place = JSONReading.place(number("mlat"), number("mlon")) { (facts.latitude, facts.longitude) = place }
        let problem = FieldLimits.problem("link", String(link), of: .text, type: "", now: now)
        fields.append(DecodedField("link", String(part).trimmed, unit: "°", meaning: "map", problem: problem))
      } else {
        fields.append(DecodedField("remark", String(part).trimmed))
      }
    }
    fields.append(DecodedField("sequence", String(text[text.index(after: mark)...]), meaning: "number of the packet"))
    return DecodedMessage(form: .text, type: String(event).trimmed, fields: fields, facts: facts)
  }

  /// The number of the alert in `movement 3 (turn)` or `outside garden (alert 3)`, and the rest.
  private static func alert(in event: Substring) -> (String, UInt32?) {
    let words = event.split(separator: " ")
    if words.count > 1, words[0] == PacketKind.movement.name.description, let number = UInt32(words[1]) {
      return ((words[..<1] + words[2...]).joined(separator: " "), number)
    }
    if words.count > 2, words[words.count - 2] == "(alert", let last = words.last, last.hasSuffix(")"),
      let number = UInt32(last.dropLast())
    {
      return (words.dropLast(2).joined(separator: " "), number)
    }
    return (String(event), nil)
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Where a shorter text stands first.
  fileprivate func range(of part: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
      start = index(after: start)
    }
    return nil
  }
}
