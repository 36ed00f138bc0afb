import Quantities
import Rules
import Telemetry
import TrackerCore
import TrackerRuntime

extension BoardRun {
  /// The tables of the tracker.
  package var rules: RuleTables { run.look { RuleTables($0) } }

  /// The tables as one line of JSON.
  package var rulesJSON: [UInt8] { Array(rules.json.utf8.filter { $0 != 0x0A }) }

  /// Tells the tracker those tables of the configuration that are others than it took last, those rows that it refused last, and what
  /// damage has taken of the others.
  ///
  /// What requests have changed since lasts as long as the table in the file does. Rows of other numbers stay.
  func tellRules() {
    let file = TakenRules(ofState: configuration.stateFile)
    let written = file.read()
    // A state that is gone, or has lost all of them, has taken them with it.
    var last = isRestored && run.look({ $0.usesRules }) ? written : TakenRules.Record()
    if let losses = run.stateLosses {
      last.lost.formUnion(RuleTables.names(of: losses.sections))
      // The state is kept without them at once, and its next restart finds nothing damaged.
      if last.lost != written.lost { _ = file.write(last) }
    }
    let refused = tell(configuration.rules.untold(since: last, known: rules))
    var taken = TakenRules.Record(digests: configuration.rules.digests)
    if refused.zone { taken.digests["timeZone"] = nil }
    let known = rules
    for row in refused.rows { taken.refused[row] = known.digest(row) }
    // Without rules in the configuration, now and before, there is no file.
    guard taken != written || last.lost != written.lost else { return }
    guard written != TakenRules.Record() || !last.lost.isEmpty || !configuration.rules.isEmpty else { return }
    run.whenKept { _ = file.write(taken) }
  }

  /// - Returns: What the tracker refused: the rows, and whether it was the zone, too.
  private func tell(_ tables: RuleTables) -> (rows: Set<RuleName>, zone: Bool) {
    // Nobody has asked for these.
    let asked = heard
    defer { heard = asked }
    var refused: (rows: Set<RuleName>, zone: Bool) = ([], false)
    for (rule, request) in tables.requests(after: rules) {
      // What is not there can't be switched on either, and is told once.
      if let rule, refused.rows.contains(rule) { continue }
      let heard = try? run.hear(Array(request.text.utf8), from: .configuration, at: loop.clock.now)
      guard heard?.answer != .ruleChanged else { continue }
      if let rule { refused.rows.insert(rule) } else { refused.zone = true }
      let name = heard?.value?.string ?? ""
      let reason = RuleError.explanation(of: name) ?? "it was refused"
      ruleProblems.append("\(rule.map { "\($0)" } ?? "the time zone") of the configuration: \(reason)")
    }
    return refused
  }

  /// Whose owner has gone has none of the owner's rules; those of the file come back at the next start.
  func noteRules(_ event: TrackerEvent) {
    guard case .request(RequestKind.unclaim.rawValue, _, _) = event.kind else { return }
    TakenRules(ofState: configuration.stateFile).forget()
  }
}

extension RuleTables {
  /// What a state file holds; nil when there is no state in it. Nothing is written, and the tracker may run.
  package init?(stateFile path: String) {
    let bytes = StateSalvage(path).state
    var tracker = Tracker(configuration: TrackerConfiguration())
    guard !bytes.isEmpty, tracker.restore(bytes.span, at: .zero) else { return nil }
    self.init(tracker)
  }
}
