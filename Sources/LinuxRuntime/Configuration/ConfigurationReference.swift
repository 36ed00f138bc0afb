import TrackerRuntime

/// The manual of the configuration, made from the schema.
package enum ConfigurationReference {
  /// `docs/configuration.md`.
  package static var markdown: String {
    var text = """
      # Configuration

      <!-- Made from the program by LEASH_UPDATE_SNAPSHOTS=1 swift test --filter configurationReference; do not edit. -->

      `leash run` reads one file, by default `\(BoardConfigurationFile.standardPath)`. It is JSON5: JSON with comments,
      keys without quotes, and trailing commas. `leash config example` writes a complete one, `leash config check` reports every
      error with line, column and the most similar name, and `leash config show --effective` shows the settings in effect and
      their origin: the file, a request, the profile or the default.

      A missing key has its default. Times are in seconds, angles in radians, speeds in metres per second. A list of words
      or numbers is written as a list, `["riding", "alarmed"]`, or as text with `+` between them, `"riding+alarmed"`, `"20+10"`;
      `"none"` is an empty one.

      ## Secrets

      A password or PIN is written as text, as `{ file: "/etc/leash/password" }` (a line break at the end is ignored), or as
      `{ env: "LEASH_PASSWORD" }`. It is never printed or logged; `show` prints `"(hidden)"` instead. A file that everybody may
      read causes a warning. An address is shown as it is, so a key in its query is not hidden.

      ## Profiles

      A profile is a set of defaults. Settings in the file override it.


      """
    for profile in BoardProfile.allCases {
      text += "**`\(profile.rawValue)`**: \(profile.help)\n\n"
      guard !profile.settings.isEmpty else { continue }
      text += "| key | value | reason |\n|---|---|---|\n"
      for setting in profile.settings {
        text += "| `\(setting.name)` | \(setting.value.text) | \(setting.reason) |\n"
      }
      text += "\n"
    }
    text += "## Keys\n"
    for section in ConfigurationSchema.sections {
      text += "\n### \(heading(section))\n\n\(section.help)\n"
      guard !section.keys.isEmpty else { continue }
      let isTracker = heading(section) == trackerHeading
      if isTracker {
        text += "\nKeys that are *live* can be changed by request while the tracker runs (`leash tell set`).\n"
      }
      let live = isTracker ? " live |" : ""
      text +=
        "\n| key | value | unit | default |\(live) what it does |\n|---|---|---|---|\(isTracker ? "---|" : "")---|\n"
      for (key, standard) in zip(section.keys, section.defaults) {
        let range = key.type.range.isEmpty ? "" : ", " + key.type.range
        let value = key.isRequired ? "**must be set**" : standard.map { "`\($0.text)`" } ?? ""
        let live = isTracker ? " \(Setting.named(key.name)?.isLive ?? false ? "yes" : "no") |" : ""
        text += "| `\(key.name)` | \(key.type.name)\(range) | \(key.unit ?? "") | \(value) |\(live) \(key.help) |\n"
      }
    }
    return text + rules
  }

  /// The tables of rules, each an object of a list.
  private static var rules: String {
    var text = """

      ### `timeZone`, `fences`, `places`, `alarms`

      \(RuleKeys.help) docs/rules.md has examples; `leash rules` checks and exports the same tables as a separate file.

      """
    for (name, room, keys, help) in RuleKeys.tables {
      text +=
        "\n`\(name)`: \(help) At most \(room).\n\n| key | value | unit | what it does |\n|---|---|---|---|\n"
      for key in keys {
        let range = key.type.range.isEmpty ? "" : ", " + key.type.range
        let value = key.type.name + range + (key.isRequired ? ", **must be set**" : "")
        text += "| `\(key.name)` | \(value) | \(key.unit ?? "") | \(key.help) |\n"
      }
    }
    return text
  }

  private static func heading(_ section: ConfigurationSection) -> String {
    let first = section.keys.first?.name ?? ""
    guard section.path.isEmpty else {
      guard let selector = section.selector else { return "`\(section.path)`" }
      return "`\(section.path)`, \(selector.key) `\(quoted(selector.word))`"
    }
    return first.contains(".") ? trackerHeading : "Top level"
  }

  private static let trackerHeading = "The tracker"
}
