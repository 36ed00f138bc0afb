import Glibc
import LinuxRuntime

/// `leash config`: the configuration of `leash run`.
enum ConfigCommand {
  static let command = Command(
    "config", "Check, show and create the configuration of a board",
    discussion: "docs/configuration.md lists every key with its unit, range and default.",
    subcommands: [ConfigCheckCommand.command, ConfigShowCommand.command, ConfigExampleCommand.command])

  static let file = Positional(
    "FILE", count: .optional, "The configuration. Default: \(BoardConfigurationFile.standardPath).")

  /// Reads the file of the arguments; every problem is a line on standard error.
  ///
  /// - Returns: nil when the file has problems.
  /// - Throws: When the file can't be read.
  static func read(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> BoardConfigurationFile? {
    let path = arguments[file].first ?? BoardConfigurationFile.standardPath
    do throws(BoardConfigurationFailure) {
      return try BoardConfigurationFile.read(path: path, environment: environment())
    } catch {
      switch error {
      case .unreadable(let reason):
        let hint = arguments[file].isEmpty ? "; 'leash config example' writes one" : ""
        throw .environment(reason + hint)
      case .invalid(let lines):
        for line in lines { console.err.writeLine(line) }
        return nil
      }
    }
  }

  /// The variables of the process.
  static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let mark = text.firstIndex(of: "=") {
        variables[String(text[..<mark])] = String(text[text.index(after: mark)...])
      }
      place += 1
    }
    return variables
  }
}

/// `leash config check`: everything that is wrong in a configuration.
enum ConfigCheckCommand {
  static let command = Command(
    "check", "Report every error in a configuration",
    discussion: """
      Prints one line for each problem, with file, line and column. Exits with 1 if there are errors; warnings do \
      not count.
      """,
    parameters: [.positional(ConfigCommand.file)]
  ) { arguments, console throws(CommandFailure) in
    guard let file = try ConfigCommand.read(arguments, console) else { return .checkFailed }
    let lines = file.warnings + file.pastAlarms(at: RulesCommand.machineTime)
    for line in lines { console.err.writeLine("\(line) (warning)") }
    let count = lines.count
    let warnings = count == 0 ? "" : count == 1 ? ", with a warning" : ", with \(count) warnings"
    console.out.writeLine("\(file.name): ok\(warnings)")
    return .success
  }
}

/// `leash config show`: the settings and where each comes from.
enum ConfigShowCommand {
  static let effective = Flag(
    "effective", "Show all settings in effect, including defaults, instead of those in the file.")
  static let json = Flag("json", "Print one JSON object per line.")

  static let command = Command(
    "show", "Show the settings of a configuration and their origin",
    discussion: """
      Apart from hidden secrets, the output is a valid configuration again. Settings that were changed by a command \
      ('leash tell set') are \
      shown with their current values, and as in the file if the state can't be read, with exit code 3. Secrets are shown \
      as "(hidden)", or as the file or variable they are read from.
      """,
    parameters: [.flag(effective), .flag(json), .positional(ConfigCommand.file)]
  ) { arguments, console throws(CommandFailure) in
    guard let file = try ConfigCommand.read(arguments, console)?.withChangedSettings() else { return .checkFailed }
    for line in file.warnings { console.err.writeLine("\(line) (warning)") }
    let isEffective = arguments[effective]
    console.out.write(arguments[json] ? file.jsonLines(isEffective: isEffective) : file.text(isEffective: isEffective))
    let state = file.configuration.stateFile
    guard let trouble = StateTrouble(stateFile: state), trouble != .missing else { return .success }
    throw .environment("\(state): \(trouble.text); what requests have changed there is not shown")
  }
}

/// `leash config example`: a configuration to begin with.
enum ConfigExampleCommand {
  /// The profile's name as an argument.
  enum BoardProfileName: String, CaseIterable, ArgumentValue, Sendable { case bike, collar }

  static let profile = Option<BoardProfileName>(
    "profile", "NAME", default: .bike, "What the tracker is attached to: bike or collar.")

  static let command = Command(
    "example", "Write a complete example configuration with every key explained",
    discussion: """
      Example: leash config example > leash.json5
      """, parameters: [.option(profile)]
  ) { arguments, console throws(CommandFailure) in
    let name = arguments[profile] ?? .bike
    console.out.write(ConfigurationExample.text(BoardProfile(rawValue: name.rawValue) ?? .bike))
    return .success
  }
}
