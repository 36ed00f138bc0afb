import FieldDialogue
import Quantities
import SimulatedWorld

/// `leash modem play`: the driver with a modem that speaks as one did in the field.
enum ModemPlayCommand {
  static let verbose = Flag("verbose", "Show every line of the dialogue, and what the driver did.")
  static let files = Positional(
    "FILE", count: .oneOrMore, "Dialogues; a file that one includes is looked for beside it.")

  static let command = Command(
    "play", "Deliver a packet through a modem of a field dialogue",
    discussion: """
      Plays what a real modem said, as a script, to the modem driver, on virtual time, and tells whether what the script expects \
      came of it. docs/field-dialogues.md has the format; fixtures/field has those that were found in public threads.
      """,
    parameters: [.positional(files), .flag(verbose)]
  ) { arguments, console throws(CommandFailure) in
    var failed = 0
    for path in arguments[files] {
      let run = FieldRun(try dialogue(at: path))
      run.run(then: .seconds(60))
      if arguments[verbose] { console.out.write(run.transcript.map { $0 + "\n" }.joined()) }
      let failures = run.failures
      if !failures.isEmpty { failed += 1 }
      console.out.write("\(path): \(result(of: run))" + failures.map { "; \($0)" }.joined() + "\n")
    }
    guard failed == 0 else { throw .check("\(failed) of \(arguments[files].count) came out otherwise than expected") }
    return .success
  }

  private static func result(of run: FieldRun) -> String {
    if let delivered = run.delivered {
      return "delivered after \(TimeText.decimal(delivered.secondsDouble, 1)) s"
    }
    if let reason = run.undelivered { return "handed back: \(reason)" }
    return run.transport == nil ? "no packet" : "not delivered"
  }

  private static func dialogue(at path: String) throws(CommandFailure) -> FieldDialogue {
    let text = try smallText(of: path)
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    do {
      return try FieldDialogue(text) { name in try smallText(of: folder.isEmpty ? name : "\(folder)/\(name)") }
    } catch let error as FieldDialogueError {
      throw .check("\(path):\(error.line): \(error.message)")
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw .check("\(path): \(error)")
    }
  }
}
