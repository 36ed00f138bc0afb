import JSON5

/// A command or a group of commands, declared: parsing, help and errors all follow from this.
package struct Command: Sendable {
  /// The word the user types.
  package let name: String
  /// What it does, in one line without a full stop.
  package let summary: String
  /// More about it, for its help; paragraphs are separated by empty lines.
  package let discussion: String
  /// Its arguments, in the order of the help.
  package let parameters: [Parameter]
  /// A table of its help behind the arguments: what an argument can be.
  let table: HelpTable?
  /// The commands of the group; empty for a command that does something itself.
  package let subcommands: [Command]
  let run: @Sendable (Arguments, Console) throws(CommandFailure) -> ExitCode

  /// A command that does something.
  package init(
    _ name: String, _ summary: String, discussion: String = "", parameters: [Parameter] = [],
    table: HelpTable? = nil,
    run: @escaping @Sendable (Arguments, Console) throws(CommandFailure) -> ExitCode
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.parameters = parameters
    self.table = table
    subcommands = []
    self.run = run
  }

  /// A group of commands.
  package init(_ name: String, _ summary: String, discussion: String = "", subcommands: [Command]) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    parameters = []
    self.subcommands = subcommands
    table = nil
    run = { _, _ throws(CommandFailure) in .usage }
  }

  /// Every command understands these.
  static let noColour = Flag("no-color", "Never colour the output.")
  static let help = Flag("help", "Show this help.")

  /// Runs the command the arguments name.
  ///
  /// - Parameters:
  ///   - arguments: Without the program's own name.
  ///   - console: Where it writes; messages begin with the command's full name.
  ///   - path: Names of the groups above.
  package func execute(_ arguments: [String], console: Console, path: [String] = []) -> ExitCode {
    let path = path + [name]
    do throws(CommandFailure) {
      let beforeDashes = arguments.prefix { $0 != "--" }
      guard !subcommands.isEmpty else {
        if beforeDashes.contains(where: { $0 == "--help" || $0 == "-h" }) {
          console.out.write(helpText(path: path))
          return .success
        }
        let read = try Arguments(arguments, parameters: parameters + [.flag(Command.noColour)])
        var console = console
        if read[Command.noColour] { console.usesColour = false }
        return try run(read, console)
      }
      return try executeSubcommand(arguments, console: console, path: path)
    } catch {
      console.out.flush()
      console.err.writeLine("\(path.joined(separator: " ")): \(error.message)")
      return error.exitCode
    }
  }

  private func executeSubcommand(
    _ arguments: [String], console: Console, path: [String]
  ) throws(CommandFailure) -> ExitCode {
    var console = console
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--no-color": console.usesColour = false
      case "--help", "-h":
        console.out.write(helpText(path: path))
        return .success
      case "--version" where path.count == 1:
        if let extra = rest.first(where: { $0 != "--no-color" }) { throw .usage("unexpected argument '\(extra)'") }
        console.out.writeLine("\(name) \(Version.number)")
        return .success
      case "help":
        return execute(Array(rest) + ["--help"], console: console, path: Array(path.dropLast()))
      default:
        if let command = subcommands.first(where: { $0.name == word }) {
          return command.execute(Array(rest), console: console, path: path)
        }
        if word.hasPrefix("-") {
          let options = ["--help", "--no-color"] + (path.count == 1 ? ["--version"] : [])
          throw .usage("unknown option '\(word)'" + didYouMean(nearest(to: word, among: options)))
        }
        throw .usage("unknown command '\(word)'" + didYouMean(nearest(to: word, among: subcommands.map(\.name))))
      }
    }
    console.err.write(helpText(path: path))
    return .usage
  }
}
