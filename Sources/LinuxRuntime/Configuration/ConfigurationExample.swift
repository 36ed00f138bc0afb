/// A complete configuration with every key, its help above it; what it does not set, and other kinds of an object, are
/// comments.
package enum ConfigurationExample {
  /// The file for a profile.
  package static func text(_ profile: BoardProfile) -> String {
    let values = values(profile)
    var lines = [
      "// Configuration of Leash with every key. A key behind // is not set, and shows its default or an example.",
      "// Check it: leash config check FILE; show the settings in effect: leash config show --effective FILE",
      "//",
    ]
    lines += wrapped("\(profile.rawValue): \(profile.help)", indent: "")
    lines.append("{")
    var seen: Set<String> = []
    for section in ConfigurationSchema.sections {
      guard !section.path.isEmpty else {
        lines += body(section, values[""] ?? [:]).map { "  " + $0 } + [""]
        continue
      }
      guard seen.insert(section.path).inserted else { continue }
      let kinds = ConfigurationSchema.kinds(of: section.path)
      if section.path == "uplinks" {
        lines += ["  // Uplinks to the server, in order of preference.", "  uplinks: ["]
        for kind in kinds { lines += object(kind, values, name: nil).map { "    " + $0 } }
        lines += ["  ],", ""]
      } else {
        for kind in kinds { lines += object(kind, values, name: section.path).map { "  " + $0 } + [""] }
      }
    }
    lines += wrapped(RuleKeys.help, indent: "").map { "  " + $0 }
    lines.append("  // timeZone: \"Europe/Amsterdam\",")
    for (name, _, _, help) in RuleKeys.tables {
      lines +=
        wrapped(help, indent: "").map { "  " + $0 } + [
          "  // \(name): [", "  //   \(RuleKeys.example(of: name))", "  // ],",
        ]
    }
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// What the example sets besides the defaults: by the section's title, by the key.
  private static func values(_ profile: BoardProfile) -> [String: [String: String]] {
    var values = [
      "": ["profile": quoted(profile.rawValue), "trackerId": profile == .bike ? "\"bike42\"" : "\"cat7\""]
    ]
    switch profile {
    case .bike:
      values["gnss with source: \"gpsd\""] = [:]
      values["imu with source: \"iio\""] = ["device": "\"lsm6dso\""]
      values["uplinks with by: \"mqtt\""] = ["host": "\"broker.example\""]
      values["record"] = ["folder": "\"/var/lib/leash/rides\""]
    case .collar:
      values["gnss with source: \"modem\""] = [:]
      values["imu with source: \"none\""] = [:]
      values["modem"] = ["port": "\"/dev/ttyUSB2\"", "url": "\"http://track.example:8080/pub\""]
      values["uplinks with by: \"modem\""] = [:]
    }
    return values
  }

  /// A section as an object with its help above it; a comment when the example does not use it.
  private static func object(
    _ section: ConfigurationSection, _ values: [String: [String: String]], name: String?
  ) -> [String] {
    let given = values[section.title]
    var inner: [String] = []
    if let selector = section.selector { inner.append("\(selector.key): \(quoted(selector.word)),") }
    inner += body(section, given ?? [:])
    let begin = name.map { "\($0): {" } ?? "{"
    let lines =
      inner.count > 1 ? [begin] + inner.map { "  " + $0 } + ["},"] : [begin + " " + inner.joined() + " },"]
    let help = wrapped(section.help, indent: "")
    return help + (given == nil ? lines.map { $0.isEmpty ? "//" : "// " + $0 } : lines)
  }

  /// The keys of a section, objects inside it included.
  private static func body(_ section: ConfigurationSection, _ given: [String: String]) -> [String] {
    var lines: [String] = []
    var rest = Array(zip(section.keys, section.defaults))[...]
    while let (key, standard) = rest.first {
      let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count > 1 else {
        rest.removeFirst()
        // What switches an object on is written as that object.
        if section.keys.contains(where: { $0.name.hasPrefix(key.name + ".") }) { continue }
        lines += entry(key, key.name, given[key.name], standard)
        continue
      }
      let group = rest.prefix { $0.0.name.hasPrefix(parts[0] + ".") }
      rest = rest.dropFirst(group.count)
      let inner = group.flatMap { key, standard in
        entry(key, String(key.name.dropFirst(parts[0].count + 1)), given[key.name], standard)
      }
      let object = ["\(parts[0]): {"] + inner.map { "  " + $0 } + ["},"]
      // It needs a transport that the modem of the example does not have.
      let isOff = section.selector?.word == "modem" && !group.contains { given[$0.0.name] != nil }
      lines += isOff ? object.map { "// " + $0 } : object
    }
    return lines
  }

  /// A key with its help above it; a comment with the default when the example does not set it: defaults that were copied into
  /// a file would stay as they are when the program's or the profile's become better.
  private static func entry(
    _ key: ConfigurationKey, _ name: String, _ given: String?, _ standard: ConfigurationValue?
  ) -> [String] {
    var help = key.help
    let notes = [key.unit, key.type.range.isEmpty ? nil : key.type.range.filter { $0 != "`" }].compactMap { $0 }
    if !notes.isEmpty { help += " [\(notes.joined(separator: ", "))]" }
    let line = "\(name): \(given ?? standard?.text ?? key.example),"
    return wrapped(help, indent: "") + [given == nil && !key.isRequired ? "// \(line)" : line]
  }

  /// Words as comments of at most 100 columns.
  private static func wrapped(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    var line = indent + "//"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = indent + "//"
      }
      line += " " + word
    }
    return lines + [line]
  }
}
