import JSON5

extension SceneOutcome {
  /// One line of JSON, which `init(json:)` reads back.
  package var json: String {
    func number(_ value: Double?) -> String { value.map { thousandths($0) } ?? "null" }
    let delays = self.delays.map { "[\(number($0.seconds)),\(number($0.bound))]" }.joined(separator: ",")
    var text = "{\"name\":\(json5Quoted(name)),\"half\":\"\(half.rawValue)\",\"right\":\(isRight)"
    if let skipped { text += ",\"skipped\":\(json5Quoted(skipped))" }
    text +=
      ",\"delays\":[\(delays)],\"alerts\":\(alerts),\"falseAlerts\":\(falseAlerts),\"armedAfter\":\(number(armedAfter))"
    text += ",\"armedShare\":\(number(armedShare)),\"armedShare300\":\(number(armedShare300)),\"rides\":\(rides)"
    text += ",\"metres\":\(number(metres)),\"packets\":\(packets),\"hours\":\(number(hours))"
    if let phase { text += ",\"phase\":\(json5Quoted(phase))" }
    text += ",\"signs\":["
    text += signs.map { "[\(number($0.seconds)),\(json5Quoted($0.detector)),\($0.isFalse)]" }.joined(separator: ",")
    text += "],\"problems\":["
    return text + problems.map { json5Quoted($0) }.joined(separator: ",") + "]}"
  }

  /// Reads what `json` wrote; nil when it is something else.
  package init?(json: JSON5Value) {
    guard case .object(let members) = json.content else { return nil }
    func value(_ key: String) -> JSON5Value? { members.first { $0.key == key }?.value }
    func number(_ value: JSON5Value?) -> Double? {
      guard case .number(let number) = value?.content else { return nil }
      return number.value
    }
    func text(_ value: JSON5Value?) -> String? {
      guard case .string(let text) = value?.content else { return nil }
      return text
    }
    func list(_ key: String) -> [JSON5Value] {
      guard case .array(let values) = value(key)?.content else { return [] }
      return values
    }
    guard let name = text(value("name")), let half = SceneHalf(rawValue: text(value("half")) ?? "") else { return nil }
    self.name = name
    self.half = half
    skipped = text(value("skipped"))
    delays = list("delays").compactMap { entry in
      guard case .array(let pair) = entry.content, pair.count == 2, let bound = number(pair[1]) else { return nil }
      return Delay(seconds: number(pair[0]), bound: bound)
    }
    alerts = Int(number(value("alerts")) ?? 0)
    falseAlerts = Int(number(value("falseAlerts")) ?? 0)
    armedAfter = number(value("armedAfter"))
    armedShare = number(value("armedShare"))
    armedShare300 = number(value("armedShare300"))
    rides = Int(number(value("rides")) ?? 0)
    metres = number(value("metres")) ?? 0
    packets = Int(number(value("packets")) ?? 0)
    hours = number(value("hours")) ?? 0
    phase = text(value("phase"))
    signs = list("signs").compactMap { entry in
      guard case .array(let parts) = entry.content, parts.count == 3, let seconds = number(parts[0]),
        let detector = text(parts[1]), case .boolean(let isFalse) = parts[2].content
      else { return nil }
      return Sign(seconds: seconds, detector: detector, isFalse: isFalse)
    }
    problems = list("problems").compactMap { text($0) }
  }
}

/// A number with up to three digits behind the point.
private func thousandths(_ value: Double) -> String {
  let whole = Int((value * 1000).rounded())
  let rest = "\(whole.magnitude % 1000 + 1000)".dropFirst()
  let sign = whole < 0 ? "-" : ""
  return "\(sign)\(whole.magnitude / 1000)" + (rest == "000" ? "" : "." + rest)
}
