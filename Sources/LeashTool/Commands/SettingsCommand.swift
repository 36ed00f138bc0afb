import TrackerRuntime

/// `leash settings`: every setting with its default.
enum SettingsCommand {
  static let json = Flag("json", "Print one JSON object per line.")

  static let command = Command(
    "settings", "List the tracker's settings with their defaults",
    discussion: """
      Change a setting for a replay with 'leash replay --set NAME=VALUE'. Those with "yes" under "live" can be changed \
      while the tracker runs, with 'leash tell set NAME VALUE'.
      """, parameters: [.flag(json)]
  ) { arguments, console throws(CommandFailure) in
    let configuration = RunConfiguration()
    if arguments[json] {
      for setting in Setting.all {
        var line = ByteBuffer()
        let fields = [
          ("name", setting.name), ("default", setting.text(configuration.tracker)), ("expected", setting.expectation),
          ("help", setting.help),
        ]
        for (place, field) in fields.enumerated() {
          line.append(place == 0 ? "{" : ",")
          line.append(jsonString: Array(field.0.utf8).span)
          line.append(0x3A)
          line.append(jsonString: Array(field.1.utf8).span)
        }
        line.append(setting.isLive ? ",\"live\":true}\n" : ",\"live\":false}\n")
        console.out.append(bytes: line.bytes.span)
      }
      return .success
    }
    var table = TextTable(
      ("setting", .left), ("default", .right), ("unit", .left), ("live", .left), ("what it does", .left))
    for setting in Setting.all {
      table.add(
        setting.name, setting.text(configuration.tracker), setting.unit ?? "", setting.isLive ? "yes" : "no",
        setting.helpWithoutUnit)
    }
    console.out.write(table.text())
    return .success
  }
}
