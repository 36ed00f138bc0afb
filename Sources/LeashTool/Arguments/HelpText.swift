/// A table in the help of a command.
package struct HelpTable: Sendable {
  /// Its heading.
  let title: String
  /// What can be written, and what it does.
  let rows: [(spelling: String, help: String)]
}

extension Command {
  /// Columns of the help. Fixed, so that the same text can be read in a narrow window, a manual and a test.
  static var helpWidth: Int { 80 }

  /// The help of this command, generated from its declarations.
  ///
  /// - Parameter path: Names of the groups above and its own.
  package func helpText(path: [String]) -> String {
    let fullName = path.joined(separator: " ")
    var text = "\(summary)\n\nUsage: "
    text += wrapped(usageWords(fullName: fullName), firstColumn: 7, indent: 7 + fullName.count + 1)
    if !discussion.isEmpty {
      for paragraph in discussion.split(separator: "\n\n") {
        text +=
          "\n" + wrapped(paragraph.split(whereSeparator: \.isWhitespace).map(String.init), firstColumn: 0, indent: 0)
      }
    }
    let positionals = parameters.filter { $0.positional != nil }
    let options = parameters.filter { $0.positional == nil } + commonOptions(isRoot: path.count == 1)
    text += section("Commands", subcommands.map { ($0.name, $0.summary + ".") })
    text += section("Arguments", positionals.map { ($0.spelling, $0.fullHelp) })
    if let table { text += section(table.title, table.rows) }
    text += section("Options", options.map { ($0.spelling, $0.fullHelp) })
    if !subcommands.isEmpty { text += "\n'\(fullName) COMMAND --help' shows the help of a command.\n" }
    return text
  }

  private func commonOptions(isRoot: Bool) -> [Parameter] {
    var options: [Parameter] = [.flag(Command.noColour), .flag(Command.help)]
    if isRoot && !subcommands.isEmpty { options.append(.flag(Flag("version", "Show the version."))) }
    return options
  }

  private func usageWords(fullName: String) -> [String] {
    if !subcommands.isEmpty { return [fullName, "COMMAND", "[OPTIONS]"] }
    let named = parameters.filter { $0.positional == nil }
    // A few options are worth showing; many would hide the arguments.
    let options = named.count <= 4 ? named.map { "[\($0.spelling)]" } : ["[OPTIONS]"]
    return [fullName] + options + parameters.compactMap(\.positional).map(\.usage)
  }

  private func section(_ title: String, _ rows: [(spelling: String, help: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let widest = rows.map(\.spelling.count).filter { $0 <= 24 }.max() ?? 0
    let column = 2 + widest + 2
    var text = "\n\(title):\n"
    for row in rows {
      text += "  " + row.spelling
      let used = 2 + row.spelling.count
      if used + 2 <= column {
        text += String(repeating: " ", count: column - used)
      } else {
        text += "\n" + String(repeating: " ", count: column)
      }
      text += wrapped(row.help.split(separator: " ").map(String.init), firstColumn: column, indent: column)
    }
    return text
  }

  /// Words in lines of at most `helpWidth` columns; words are not broken.
  private func wrapped(_ words: [String], firstColumn: Int, indent: Int) -> String {
    var text = ""
    var column = firstColumn
    for (place, word) in words.enumerated() {
      if place > 0 {
        if column + 1 + word.count > Command.helpWidth {
          text += "\n" + String(repeating: " ", count: indent)
          column = indent
        } else {
          text += " "
          column += 1
        }
      }
      text += word
      column += word.count
    }
    return text + "\n"
  }
}
