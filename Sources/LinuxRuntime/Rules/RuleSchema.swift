import Rules
import Telemetry
import TrackerCore

/// The JSON Schema of a file of rules, made from the same keys as its reader.
///
/// - Source: JSON Schema, draft 2020-12.
package enum RuleSchema {
  /// The schema as text, with a line feed at the end.
  package static var json: String {
    let tables = [("fences", PacketRule.Table.fence), ("places", .place), ("alarms", .alarm)]
    var lines = [
      "{", "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",",
      "  \"title\": \"Fences, secure places and alarms of a Leash tracker\",", "  \"type\": \"object\",",
      "  \"additionalProperties\": false,", "  \"properties\": {", "    \"$schema\": {\"type\": \"string\"},",
      "    \"timeZone\": {\"type\": \"string\", \"minLength\": 1, \"description\": "
        + "\"The time zone of alarms: a name such as Europe/Amsterdam, or a POSIX string.\"},",
    ]
    lines += tables.map { name, table in
      "    \"\(name)\": {\"type\": \"array\", \"maxItems\": \(Tracker.ruleRows(table)), "
        + "\"items\": {\"$ref\": \"#/$defs/\(table.name)\"}}" + (table == .alarm ? "" : ",")
    }
    lines += ["  },", "  \"$defs\": {"]
    lines += object("fence", RuleKeys.fence, and: fenceConditions) + object("place", RuleKeys.place, and: [])
    lines += object("alarm", RuleKeys.alarm, and: alarmConditions)
    lines += [
      "    \"corner\": {", "      \"type\": \"array\", \"minItems\": 2, \"maxItems\": 2,",
      "      \"prefixItems\": [{\"type\": \"number\", \"minimum\": -90, \"maximum\": 90}, "
        + "{\"type\": \"number\", \"minimum\": -180, \"maximum\": 180}]",
      "    }", "  }", "}",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a fence is: one shape.
  private static let fenceConditions = [
    "\"oneOf\": [{\"required\": [\"polygon\"]}, {\"required\": [\"circle\"]}, {\"required\": [\"corridor\"]}]",
    "\"dependentRequired\": {\"holes\": [\"polygon\"]}",
  ]

  /// What belongs together in an alarm.
  private static let alarmConditions = [
    "\"oneOf\": [{\"required\": [\"at\"]}, {\"required\": [\"when\"]}, {\"required\": [\"stay\"]}]",
    "\"dependentRequired\": {\"from\": [\"to\"], \"to\": [\"from\"], \"stay\": [\"inside\"]}",
    "\"allOf\": ["
      + "{\"not\": {\"required\": [\"inside\", \"outside\"]}}, {\"not\": {\"required\": [\"at\", \"from\"]}}, "
      + "{\"if\": {\"required\": [\"when\"], \"properties\": {\"when\": {\"enum\": [\"arrive\", \"leave\"]}}}, "
      + "\"then\": {\"required\": [\"inside\"]}}, "
      + "{\"if\": {\"required\": [\"days\"]}, \"then\": {\"anyOf\": [{\"required\": [\"at\"]}, {\"required\": [\"from\"]}]}}, "
      + "{\"if\": {\"required\": [\"from\"]}, \"then\": {\"properties\": {\"days\": {\"not\": \(date)}}}}]",
  ]

  private static let date = "{\"type\": \"string\", \"pattern\": \"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"}"

  private static func object(_ name: String, _ keys: [ConfigurationKey], and conditions: [String]) -> [String] {
    var properties: [String] = []
    var rest = keys[...]
    while let key = rest.first {
      let group = key.name.split(separator: ".").first.map(String.init) ?? key.name
      let inner = rest.prefix { $0.name.hasPrefix(group + ".") }
      guard !inner.isEmpty else {
        rest.removeFirst()
        properties.append("\"\(key.name)\": \(property(key))")
        continue
      }
      rest = rest.dropFirst(inner.count)
      let names = inner.map { String($0.name.dropFirst(group.count + 1)) }
      let members = zip(names, inner).map { "\"\($0)\": \(property($1))" }.joined(separator: ",\n          ")
      properties.append(
        "\"\(group)\": {\n        \"type\": \"object\", \"additionalProperties\": false, "
          + "\"required\": [\(names.map(quoted).joined(separator: ", "))],\n        "
          + "\"properties\": {\n          \(members)\n        }\n      }")
    }
    let required = keys.filter(\.isRequired).map { quoted($0.name) }.joined(separator: ", ")
    let members =
      [
        "\"type\": \"object\", \"additionalProperties\": false, \"required\": [\(required)]",
        "\"properties\": {\n      \(properties.joined(separator: ",\n      "))\n    }",
      ] + conditions
    return ["    \"\(name)\": {", "    " + members.joined(separator: ",\n    "), "    },"]
  }

  private static func property(_ key: ConfigurationKey) -> String {
    let help = key.help + (key.unit.map { " [\($0)]" } ?? "")
    // A line has two ends, an outline three corners.
    let least = key.name.hasPrefix("corridor.") ? 2 : 3
    return "{\(type(key.type, least: least)), \"description\": \(quoted(help))}"
  }

  private static func type(_ type: ConfigurationType, least: Int) -> String {
    switch type {
    case .text(let bytes):
      "\"type\": \"string\", \"minLength\": \(bytes.lowerBound), \"maxLength\": \(bytes.upperBound), "
        + "\"pattern\": \"^[^\\\"\\u0000-\\u001f\\u007f]*$\""
    case .boolean: "\"type\": \"boolean\""
    case .whole(let range): "\"type\": \"integer\", \"minimum\": \(range.lowerBound), \"maximum\": \(range.upperBound)"
    case .number(let range):
      "\"type\": \"number\", \"minimum\": \(plain(range.lowerBound)), \"maximum\": \(plain(range.upperBound))"
    case .choice(let words): "\"enum\": [\(words.map(quoted).joined(separator: ", "))]"
    case .points: points(least)
    case .rings: "\"type\": \"array\", \"maxItems\": \(FenceOutline.capacity / 3 - 1), \"items\": {\(points(least))}"
    case .timeOfDay: "\"type\": \"string\", \"pattern\": \"^([01][0-9]|2[0-3]):[0-5][0-9]$\""
    case .days:
      "\"anyOf\": [{\"enum\": [\(RuleKeys.dayWords.map { quoted($0.word) }.joined(separator: ", "))]}, \(date), "
        + "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"enum\": "
        + "[\(RuleKeys.weekdays.map(quoted).joined(separator: ", "))]}}, {\"type\": \"string\", \"pattern\": "
        + "\"^ *\(day) *([+,] *\(day) *)*$\"}]"
    case .numbers(let range, let most):
      "\"type\": \"array\", \"maxItems\": \(most), \"items\": {\"type\": \"integer\", \"minimum\": \(range.lowerBound), "
        + "\"maximum\": \(range.upperBound)}"
    case .path, .seed, .vector, .words, .parts, .texts, .secret, .secrets: "\"type\": \"string\""
    }
  }

  private static let day = "(\(RuleKeys.weekdays.joined(separator: "|")))"

  private static func points(_ least: Int) -> String {
    "\"type\": \"array\", \"minItems\": \(least), \"maxItems\": \(FenceOutline.capacity), "
      + "\"items\": {\"$ref\": \"#/$defs/corner\"}"
  }
}
