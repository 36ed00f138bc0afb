import Glibc
import Quantities
import Requests
import Rules
import Telemetry
import TrackerCore
import TrackerRuntime

extension BoardRun {
  /// The tables of the tracker.
  package var rules: RuleTables { run.look { RuleTables($0) } }

  /// The tables as one line of JSON.
  package var rulesJSON: [UInt8] { Array(rules.json.utf8.filter { $0 != 0x0A }) }

  /// Tells the tracker those tables of the configuration that are others than it took last.
  ///
  /// What requests have changed since lasts as long as the table in the file does. Rows of other numbers stay.
  func tellRules() {
    let file = TakenRules(ofState: configuration.stateFile)
    // A state that is gone, or has lost all of them, has taken them with it.
    let taken = isRestored && run.look({ $0.usesRules }) ? file.read() : [:]
    var digests = configuration.rules.digests
    let changed = configuration.rules.changed(since: taken)
    guard !changed.isEmpty else { return }
    for refused in tell(configuration.rules.only(changed)) { digests[refused] = nil }
    run.whenKept { _ = file.write(digests) }
  }

  /// Tells the tracker again what the configuration has in the place of rows that the state has lost.
  func tellLostRules() {
    guard !lostRuleTables.isEmpty else { return }
    let known = rules
    var missing = configuration.rules.only(lostRuleTables)
    lostRuleTables = []
    missing.fences.removeAll { fence in known.fences.contains { $0.outline.number == fence.outline.number } }
    missing.places.removeAll { place in known.places.contains { $0.number == place.number } }
    missing.alarms.removeAll { alarm in known.alarms.contains { $0.number == alarm.number } }
    _ = tell(missing)
  }

  /// - Returns: The names of the tables of which something was refused, to be told again at the next start.
  private func tell(_ tables: RuleTables) -> Set<String> {
    // Nobody has asked for these.
    let asked = heard
    defer { heard = asked }
    var refused: [RuleName] = []
    var names: Set<String> = []
    for (rule, request) in tables.requests(after: rules) {
      // What is not there can't be switched on either, and is told once.
      if let rule, refused.contains(rule) { continue }
      let heard = try? run.hear(Array(request.text.utf8), from: .configuration, at: loop.clock.now)
      guard heard?.answer != .ruleChanged else { continue }
      if let rule { refused.append(rule) }
      let name = heard?.value?.string ?? ""
      let reason = RuleError.explanation(of: name) ?? "it was refused"
      ruleProblems.append("\(rule.map { "\($0)" } ?? "the time zone") of the configuration: \(reason)")
      names.insert(rule.map { $0.table.key } ?? "timeZone")
    }
    return names
  }

  /// Whose owner has gone has none of the owner's rules; those of the file come back at the next start. What damage has taken comes
  /// back at once.
  func noteRules(_ event: TrackerEvent) {
    if case .stateDamaged(let losses) = event.kind {
      for table in PacketRule.Table.allCases where !losses.sections.intersection(table.rows).isEmpty {
        lostRuleTables.insert(table.key)
      }
    }
    guard case .request(RequestKind.unclaim.rawValue, _, _) = event.kind else { return }
    TakenRules(ofState: configuration.stateFile).forget()
  }
}

/// Which tables of the configuration the tracker took last, by their digests, in a file beside the state.
struct TakenRules {
  private let file: MarkFile

  init(ofState path: String) { file = MarkFile(path: path + ".rules") }

  /// The digests by the tables' names; none when there is no such file.
  func read() -> [String: String] {
    var result: [String: String] = [:]
    for line in String(decoding: file.read(), as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { result[String(words[0])] = String(words[1]) }
    }
    return result
  }

  /// - Returns: The system's error number; 0 when they are on the storage.
  func write(_ digests: [String: String]) -> Int32 {
    let lines = digests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return file.write(Array(lines.joined().utf8))
  }

  func forget() { unlink(file.path) }
}

extension RuleTables {
  /// A digest of each table by its name.
  var digests: [String: String] {
    let tables = [
      ("timeZone", timeZone ?? ""), ("fences", list(.fence)), ("places", list(.place)), ("alarms", list(.alarm)),
    ]
    return Dictionary(uniqueKeysWithValues: tables.map { ($0.0, RuleTables.digest($0.1)) })
  }

  private static func digest(_ text: String) -> String {
    var hash = SHA256()
    for byte in text.utf8 { hash.update(byte) }
    let digest = hash.finish()
    // Half of it tells them apart.
    return (0..<16).map { place in
      let digits = String(digest[place], radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }

  /// The names of those tables that are others than these digests are of. A table without a digest was empty.
  func changed(since taken: [String: String]) -> Set<String> {
    let nothing = RuleTables().digests
    return Set(digests.filter { (taken[$0.key] ?? nothing[$0.key]) != $0.value }.keys)
  }

  /// These tables and nothing of the others.
  func only(_ names: Set<String>) -> RuleTables {
    var result = RuleTables()
    if names.contains("timeZone") { result.timeZone = timeZone }
    if names.contains("fences") { result.fences = fences }
    if names.contains("places") { result.places = places }
    if names.contains("alarms") { result.alarms = alarms }
    return result
  }

  /// What a state file holds; nil when there is no state in it. Nothing is written, and the tracker may run.
  package init?(stateFile path: String) {
    let bytes = StateSalvage(path).state
    var tracker = Tracker(configuration: TrackerConfiguration())
    guard !bytes.isEmpty, tracker.restore(bytes.span, at: .zero) else { return nil }
    self.init(tracker)
  }
}

extension PacketRule.Table {
  /// The table's name in a file.
  fileprivate var key: String { "\(name)s" }

  /// Its rows in a state.
  fileprivate var rows: StateSections {
    switch self {
    case .fence: .fences
    case .place: .placeRows
    case .alarm: .alarmRows
    }
  }
}
