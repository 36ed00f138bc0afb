/// What the variants of one scene came to together, as cells of a table.
package struct SceneFigures: Sendable {
  /// The scene's name without variant.
  package let family: String
  private let outcomes: [SceneOutcome]

  /// Of outcomes of one family.
  init(family: String, outcomes: [SceneOutcome]) {
    self.family = family
    self.outcomes = outcomes.filter { $0.skipped == nil }
  }

  /// The families in the order in which they come first.
  package static func families(of outcomes: [SceneOutcome]) -> [SceneFigures] {
    var order: [String] = []
    var members: [String: [SceneOutcome]] = [:]
    for outcome in outcomes {
      let family = String(outcome.name.prefix { $0 != "/" })
      if members[family] == nil { order.append(family) }
      members[family, default: []].append(outcome)
    }
    return order.map { SceneFigures(family: $0, outcomes: members[$0] ?? []) }
  }

  /// Right ones of each half: `1/1 2/3`.
  package var right: String {
    guard !outcomes.isEmpty else { return "skipped" }
    return SceneHalf.allCases.compactMap { half in
      let own = outcomes.filter { $0.half == half }
      return own.isEmpty ? nil : "\(own.count { $0.isRight })/\(own.count)"
    }.joined(separator: " ")
  }

  /// Deeds told in time: `12/12`; empty when nothing had to be told.
  package var told: String {
    let all = outcomes.flatMap(\.delays)
    return all.isEmpty ? "" : "\(all.count { $0.isRight })/\(all.count)"
  }

  /// Median and worst delay, s: `1.6 (2.4)`; a dash for never.
  package var delay: String {
    let all = outcomes.flatMap(\.delays).map { $0.seconds ?? .infinity }.sorted()
    guard let worst = all.last else { return "" }
    let median = all[(all.count - 1) / 2]
    return "\(shown(median)) (\(shown(worst)))"
  }

  private func shown(_ value: Double) -> String { value.isFinite ? tenths(value) : "–" }

  /// Alerts that nothing called for, in all variants.
  package var falseAlerts: String { outcomes.isEmpty ? "" : "\(outcomes.reduce(0) { $0 + $1.falseAlerts })" }

  /// The least share of the parked time from 600 s on, and from 300 s on, percent: `99.9 (98.1)`.
  package var armed: String {
    let late = outcomes.compactMap(\.armedShare).min()
    let early = outcomes.compactMap(\.armedShare300).min()
    guard let late, let early else { return "" }
    return "\(tenths(late * 100)) (\(tenths(early * 100)))"
  }

  /// Rides and metres while parked: `2, 31 m`; empty for none.
  package var travelled: String {
    let rides = outcomes.reduce(0) { $0 + $1.rides }
    let metres = outcomes.reduce(0) { $0 + $1.metres }
    return rides == 0 && metres < 0.5 ? "" : "\(rides), \(Int(metres.rounded())) m"
  }

  /// Packets in all variants.
  package var packets: String { outcomes.isEmpty ? "" : "\(outcomes.reduce(0) { $0 + $1.packets })" }

  private var cells: [String] { [right, told, delay, falseAlerts, armed, travelled, packets] }

  /// The table of `docs/evaluation.md`: in each cell what was before, an arrow, and what is now.
  ///
  /// - Parameter earlier: What was before; empty for none.
  package static func markdown(_ outcomes: [SceneOutcome], about: [String: String], earlier: [SceneOutcome]) -> String {
    let before = Dictionary(families(of: earlier).map { ($0.family, $0) }) { first, _ in first }
    var text = "| scene | right | told | delay, s | false alerts | armed, % | rides, m | packets |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    for figures in families(of: outcomes) {
      let old = before[figures.family]?.cells
      let cells = figures.cells.enumerated().map { place, cell in
        guard let old = old?[place], old != cell else { return cell }
        return "\(old.isEmpty ? "none" : old) → \(cell.isEmpty ? "none" : cell)"
      }
      let about = about[figures.family].map { ": " + $0 } ?? ""
      text += "| `\(figures.family)`\(about) | " + cells.joined(separator: " | ") + " |\n"
    }
    func summary(_ outcomes: [SceneOutcome]) -> String {
      SceneHalf.allCases.map { half in
        let own = outcomes.filter { $0.half == half && $0.skipped == nil }
        return "\(own.count { $0.isRight }) of \(own.count) of the \(half.rawValue) half"
      }.joined(separator: ", ")
    }
    text += "\nRight now: \(summary(outcomes))."
    if !earlier.isEmpty { text += " Before: \(summary(earlier))." }
    let skipped = outcomes.count { $0.skipped != nil }
    if skipped > 0 { text += " Skipped, no recording: \(skipped)." }
    return text + "\n"
  }
}
