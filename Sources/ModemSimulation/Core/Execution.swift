import Quantities

/// A command line being executed.
struct Execution: Equatable, Sendable {
  /// The commands still to be executed; nil for a line that is too long as a whole.
  var calls: [CommandCall]?
  /// The command that runs.
  var current: CommandCall?
  /// The final result that is due, while it waits for the gap.
  var ending: Answer.Ending?
  /// What follows the final result.
  var after: [Answer.Piece] = []
}

extension SimulatedModem {
  /// Executes the commands of the line until one fails, waits, or none is left.
  mutating func runLine() {
    guard let calls = execution?.calls else {
      finishLine(.error, [])
      return
    }
    guard !calls.isEmpty else {
      finishLine(.ok, [])
      return
    }
    continueLine(calls[...])
  }

  private mutating func continueLine(_ calls: ArraySlice<CommandCall>) {
    var rest = calls
    while let call = rest.popFirst() {
      execution?.calls = Array(rest)
      execution?.current = call
      let answer = run(call)
      // A command may have switched the module off.
      guard execution != nil else { return }
      send(answer.pieces)
      switch answer.ending {
      case .ok, .silent:
        if rest.isEmpty { finishLine(answer.ending, answer.after) } else { send(answer.after) }
      case .later: return
      case .prompt(let prompt):
        open(prompt)
        return
      case .error, .cme, .cms, .result:
        finishLine(answer.ending, answer.after)
        return
      }
    }
  }

  /// Ends the command that answered `.later`. Does nothing when no command runs (a reset came in between).
  mutating func complete(_ answer: Answer) {
    guard execution != nil else { return }
    send(answer.pieces)
    let rest = execution?.calls ?? []
    switch answer.ending {
    case .later: return
    case .prompt(let prompt): open(prompt)
    case .ok, .silent:
      if rest.isEmpty {
        finishLine(answer.ending, answer.after)
      } else {
        send(answer.after)
        continueLine(rest[...])
      }
    default: finishLine(answer.ending, answer.after)
    }
  }

  /// True while a command runs that has answered `.later`, and its name (`+CIPSEND`) is this.
  func isRunning(_ name: String) -> Bool { execution?.current?.name == name }

  private mutating func finishLine(_ ending: Answer.Ending, _ after: [Answer.Piece]) {
    execution?.ending = ending
    execution?.after = after
    if configuration.link.resultGap.microseconds > 0 {
      schedule(.result, after: configuration.link.resultGap)
    } else {
      sendResult()
    }
  }

  /// Sends the final result of the line, and is ready for the next.
  mutating func sendResult() {
    guard let done = execution, let ending = done.ending else { return }
    let result = resultBytes(ending)
    resultCount += 1
    if resultCount % 8 == 0 {
      for warning in configuration.dialect.warnings { for _ in 0..<4 { send(frame(Array(warning.utf8))) } }
    }
    if faults.swallowedResults > 0 {
      faults.swallowedResults -= 1
      tellingsLost += 1
    } else {
      sendOrHold(result)
    }
    send(done.after)
    execution = nil
    releaseHeldOutput()
    lineDidFinish()
    flushURCs()
    takeWaitingInput()
  }
}
