import FieldDialogue
import Quantities
import SimulatedWorld

/// `leash modem play`: the driver with a modem that speaks as one did in the field.
enum ModemPlayCommand {
  static let verbose = Flag("verbose", "Show every line of the dialogue and the driver's actions.")
  static let files = Positional(
    "FILE", count: .oneOrMore, "Field dialogues. Included files are looked up beside them.")

  static let command = Command(
    "play", "Deliver a packet through a recorded modem dialogue",
    discussion: """
      Plays the recorded answers of a real modem to the modem driver, on virtual time, and checks the expected \
      result. docs/field-dialogues.md describes the format; fixtures/field has dialogues from public threads.
      """,
    parameters: [.positional(files), .flag(verbose)]
  ) { arguments, console throws(CommandFailure) in
    var failed = 0
    for path in arguments[files] {
      let dialogue = try dialogue(at: path)
      if let problem = FieldRun.problems(in: dialogue).first { throw .environment("\(path): \(problem)") }
      let run = FieldRun(dialogue)
      run.run(then: .seconds(60))
      if arguments[verbose] { console.out.write(run.transcript.map { $0 + "\n" }.joined()) }
      let failures = run.failures
      if !failures.isEmpty { failed += 1 }
      console.out.write("\(path): \(result(of: run))" + failures.map { "; \($0)" }.joined() + "\n")
    }
    guard failed == 0 else { throw .check("\(failed) of \(arguments[files].count) did not end as expected") }
    return .success
  }

  private static func result(of run: FieldRun) -> String {
    if let delivered = run.delivered {
      return "delivered after \(TimeText.decimal(delivered.secondsDouble, 1)) s"
    }
    if let reason = run.undelivered { return "returned: \(reason)" }
    return run.transport == nil ? "no packet" : "not delivered"
  }

  private static func dialogue(at path: String) throws(CommandFailure) -> FieldDialogue {
    let text = try smallText(of: path)
    let isEmpty = text.split(whereSeparator: \.isNewline).allSatisfy { line in
      line.allSatisfy(\.isWhitespace) || line.hasPrefix("#")
    }
    guard !isEmpty else { throw .environment("\(path): no dialogue; docs/field-dialogues.md describes the format") }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    do {
      return try FieldDialogue(text) { name in try smallText(of: folder.isEmpty ? name : "\(folder)/\(name)") }
    } catch let error as FieldDialogueError {
      throw .environment("\(path):\(error.line): \(error.message)")
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw .environment("\(path): \(error)")
    }
  }
}
