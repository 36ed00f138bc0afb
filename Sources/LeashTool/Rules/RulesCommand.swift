import Foundation
import JSON5
import LinuxRuntime
import Quantities
import Rules
import Telemetry

/// `leash rules`: fences, secure places and alarms as a file.
enum RulesCommand {
  static let command = Command(
    "rules", "Check, import and export fences, secure places and alarms",
    discussion: """
      A rules file is JSON; comments and keys without quotes are allowed. The configuration may contain the same \
      tables. docs/rules.md explains them; 'leash rules schema' describes the format.
      """,
    subcommands: [
      RulesCheckCommand.command, RulesImportCommand.command, RulesExportCommand.command, RulesSchemaCommand.command,
    ])

  static let file = Positional("RULES", "The rules file; - for standard input.")

  /// Reads the file; every problem is a line on standard error.
  ///
  /// - Returns: nil when the file has problems.
  static func read(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> RuleFile? {
    do throws(BoardConfigurationFailure) {
      return try RuleFile.read(path: arguments[file].first ?? "")
    } catch {
      guard case .invalid(let lines) = error else { throw .environment(error.lines.first ?? "") }
      for line in lines { console.err.writeLine(line) }
      return nil
    }
  }

  /// What time it is by the machine, by which dates are over.
  static var machineTime: UTCTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UTCTime(microseconds: Int64(time.tv_sec) * 1_000_000)
  }

  /// What is wrong with a file, for programs.
  static func json(_ problems: [String]) -> String { "{\"ok\":false,\"problems\":\(list(problems))}" }

  static func list(_ lines: [String]) -> String { "[\(lines.map(json5Quoted).joined(separator: ","))]" }

  /// The tables of the running tracker; nil when the configuration has problems, which have been told.
  static func ask(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> RuleTables? {
    guard let answer = try ControlOptions.ask(.rules, arguments, console) else { return nil }
    do throws(BoardConfigurationFailure) {
      return try RuleFile(text: answer, name: "the answer").tables
    } catch {
      throw .environment("the answer is from another version of leash")
    }
  }
}

/// `leash rules check`: everything that is wrong in a file of rules.
enum RulesCheckCommand {
  static let json = Flag("json", "Print one JSON object, with the errors as 'problems'.")

  static let command = Command(
    "check", "Report every error in a rules file",
    discussion: """
      Prints one line for each problem, with file, line and column. Exits with 1 if there are errors; warnings do \
      not count.
      """,
    parameters: [.flag(json), .positional(RulesCommand.file)]
  ) { arguments, console throws(CommandFailure) in
    guard arguments[json] else {
      guard let file = try RulesCommand.read(arguments, console) else { return .checkFailed }
      for line in warnings(file) { console.err.writeLine("\(line) (warning)") }
      console.out.writeLine("\(file.name): ok, \(summary(file.tables))")
      return .success
    }
    do throws(BoardConfigurationFailure) {
      let file = try RuleFile.read(path: arguments[RulesCommand.file].first ?? "")
      let tables = file.tables
      console.out.writeLine(
        "{\"ok\":true,\"fences\":\(tables.fences.count),\"places\":\(tables.places.count),"
          + "\"alarms\":\(tables.alarms.count),\"warnings\":\(RulesCommand.list(warnings(file)))}")
      return .success
    } catch {
      guard case .invalid(let lines) = error else { throw .environment(error.lines.first ?? "") }
      console.out.writeLine(RulesCommand.json(lines))
      return .checkFailed
    }
  }

  private static func warnings(_ file: RuleFile) -> [String] {
    file.warnings + file.remarks + file.pastAlarms(at: RulesCommand.machineTime)
  }

  /// `2 fences, 1 place, no alarms`.
  static func summary(_ tables: RuleTables) -> String {
    func count(_ number: Int, _ one: String) -> String {
      number == 0 ? "no \(one)s" : number == 1 ? "1 \(one)" : "\(number) \(one)s"
    }
    return "\(count(tables.fences.count, "fence")), \(count(tables.places.count, "place")), "
      + count(tables.alarms.count, "alarm")
  }
}

/// `leash rules import`: a file of rules to the running tracker.
enum RulesImportCommand {
  static let replaces = Flag("replace", "Delete rules that are not in the file. By default they stay.")
  static let json = Flag(
    "json", "Print one JSON object with what was accepted and refused, or with the errors as 'problems'.")

  static let command = Command(
    "import", "Send the rules of a file to the running tracker",
    discussion: """
      Uses the local socket, as 'leash tell' does. Rules the tracker already has are not sent. Refused rules are \
      reported with line and reason; all others are accepted. Exits with 1 if a rule was refused, or if the file has \
      errors, in which case nothing is changed. With '--replace' an alarm whose fence is not in the file or whose \
      date is over is an error.
      """,
    parameters: [.flag(replaces), .option(ControlOptions.socket), .flag(json), .positional(RulesCommand.file)]
  ) { arguments, console throws(CommandFailure) in
    let file: RuleFile
    do throws(BoardConfigurationFailure) {
      file = try RuleFile.read(path: arguments[RulesCommand.file].first ?? "")
    } catch {
      guard case .invalid(let lines) = error else { throw .environment(error.lines.first ?? "") }
      if arguments[json] {
        console.out.writeLine(RulesCommand.json(lines))
      } else {
        for line in lines { console.err.writeLine(line) }
      }
      return .checkFailed
    }
    // What is known to be refused would leave the tracker with less than it had.
    let problems = arguments[replaces] ? file.warnings + file.pastAlarms(at: RulesCommand.machineTime) : []
    guard problems.isEmpty else {
      if arguments[json] {
        console.out.writeLine(RulesCommand.json(problems))
      } else {
        for line in problems { console.err.writeLine(line) }
      }
      return .checkFailed
    }
    guard let known = try RulesCommand.ask(arguments, console) else { return .checkFailed }
    var taken = 0
    var refusals: [String] = []
    var refused: [RuleName] = []
    for (rule, request) in file.tables.requests(after: known, clears: arguments[replaces]) {
      // What is not there can't be switched on either, and is told once.
      if let rule, refused.contains(rule) { continue }
      guard let answer = try ControlOptions.ask(.command(request.text), arguments, console) else { return .checkFailed }
      let reply = RuleReply(answer)
      guard let reason = reply.refusal else {
        taken += 1
        continue
      }
      if let rule { refused.append(rule) }
      let line = rule.flatMap { file.lines[$0] }.map { ":\($0)" } ?? ""
      refusals.append("\(file.name)\(line): \(rule.map { "\($0)" } ?? request.text) was refused: \(reason)")
    }
    if arguments[json] {
      console.out.writeLine(
        "{\"ok\":\(refusals.isEmpty),\"taken\":\(taken),\"refused\":\(RulesCommand.list(refusals))}")
    } else {
      for line in refusals { console.err.writeLine(line) }
      let changes = taken == 1 ? "1 change" : "\(taken) changes"
      console.out.writeLine(
        taken == 0 && refusals.isEmpty
          ? "\(file.name): nothing to change"
          : "\(file.name): \(changes)" + (refusals.isEmpty ? "" : ", \(refusals.count) refused"))
    }
    return refusals.isEmpty ? .success : .checkFailed
  }
}

/// What the tracker answered to a request.
struct RuleReply {
  /// Why it was not obeyed, for people; nil when it was.
  let refusal: String?

  init(_ answer: [UInt8]) {
    guard let members = try? JSONDecoder().decode(RequestReply.self, from: Data(answer)) else {
      refusal = "the answer is from another version of leash"
      return
    }
    guard members.answer == "\(StatusReason.ruleRefused.name)" else {
      refusal = members.accepted == true ? nil : members.error ?? members.answer ?? "no such request"
      return
    }
    let value = members.value ?? ""
    refusal =
      RuleError.explanation(of: value) ?? (value.isEmpty ? "no reason given" : value)
  }
}

/// `leash rules export`: what the running tracker has, as a file.
enum RulesExportCommand {
  static let state = Option<String>(
    "state", "FILE", "Read this state file ('state' in the configuration) instead of asking the tracker.")

  static let command = Command(
    "export", "Write the rules of the running tracker to standard output",
    discussion: """
      The output restores the same rules: leash rules export > rules.json; leash rules import rules.json.
      """,
    parameters: [.option(ControlOptions.socket), .option(state)]
  ) { arguments, console throws(CommandFailure) in
    if let path = arguments[state] {
      guard arguments[ControlOptions.socket] == nil else { throw .usage("expected '--state' or '--socket', not both") }
      guard let tables = RuleTables(stateFile: path) else {
        throw .environment("\(path): \(StateTrouble(stateFile: path)?.text ?? StateTrouble.damaged([]).text)")
      }
      console.out.write(tables.withZone.json)
      return .success
    }
    guard let tables = try RulesCommand.ask(arguments, console) else { return .checkFailed }
    console.out.write(tables.withZone.json)
    return .success
  }
}

/// `leash rules schema`: what may stand in a file of rules.
enum RulesSchemaCommand {
  static let command = Command(
    "schema", "Write the JSON Schema of rules files",
    discussion: """
      For editors and other programs. 'leash rules check' checks more, such as outlines.
      """
  ) { _, console throws(CommandFailure) in
    console.out.write(RuleSchema.json)
    return .success
  }
}
