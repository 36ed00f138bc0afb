import Foundation

/// All that one run of the benchmark found.
struct Report: Codable {
  let machine: String
  let trials: [String]
  /// The filters that differences are to.
  let baselines: [String]
  let accuracies: [Accuracy]
  let perturbations: [PerturbedAccuracy]
  let demands: Demands
  let speeds: [Speed]

  /// The report as one JSON object; what is not a number is null.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// The report as tables in Markdown.
  func markdown() -> String {
    var text = "\(machine)\n"
    if !accuracies.isEmpty {
      text += "\n## Means over \(trials.count) trials, degrees\n\n" + meansTable().text
      for baseline in baselines {
        text += "\n## Differences to \(baseline)\n\n" + differenceTable(to: baseline).text
      }
    }
    text += "\n## Time and memory\n\n" + speedTable().text
    guard !accuracies.isEmpty else { return text }
    text += "\n## Added faults, means in degrees\n"
    for metric in PerturbedAccuracy.metrics { text += "\n### \(metric.rawValue)\n\n" + faultTable(metric).text }
    text += "\n### Rest recall\n\n" + recallTable().text
    text += demands.markdown(trials: trials)
    text += "\n## Trial by trial, degrees\n"
    for metric in Metric.allCases { text += "\n### \(metric.rawValue)\n\n" + trialTable(metric).text }
    return text
  }

  private func meansTable() -> MarkdownTable {
    var table = MarkdownTable([""] + Metric.allCases.map(\.rawValue) + ["rest precision", "rest recall"])
    for row in accuracies {
      table.add(
        [row.name] + Metric.allCases.map { decimal(row.mean($0), 3) } + [
          decimal(row.restPrecision, 4), decimal(row.restRecall, 3),
        ])
    }
    return table
  }

  private func differenceTable(to baseline: String) -> MarkdownTable {
    var table = MarkdownTable([""] + Metric.allCases.map(\.rawValue))
    guard let base = accuracies.first(where: { $0.name == baseline }) else { return table }
    for row in accuracies where row.name != baseline {
      table.add(
        [row.name]
          + Metric.allCases.map { metric in
            let d = PairedDifference(row[metric], minus: base[metric])
            return "\(signed(d.mean)) ± \(decimal(d.standardError, 2)), \(d.wins)/\(d.count)"
          })
    }
    return table
  }

  private func speedTable() -> MarkdownTable {
    var table = MarkdownTable([
      "", "6D ns/sample", "9D ns/sample", "median/least 6D", "9D", "bytes in all", "state", "parameters, coefficients",
    ])
    for row in speeds {
      func number(_ values: [String: Double], _ axes: Axes, _ decimals: Int) -> String {
        decimal(values[axes.rawValue] ?? .nan, decimals)
      }
      table.add([
        row.name, number(row.nanoseconds, .six, 1), number(row.nanoseconds, .nine, 1), number(row.spread, .six, 2),
        number(row.spread, .nine, 2), row.size.map { "\($0.whole)" } ?? "whole recording",
        row.size.map { "\($0.state)" } ?? "–", row.size.map { "\($0.constants)" } ?? "–",
      ])
    }
    return table
  }

  private func faultTable(_ metric: Metric) -> MarkdownTable {
    var table = MarkdownTable([""] + (perturbations.first?.results.map(\.name) ?? []))
    for row in perturbations { table.add([row.fault] + row.results.map { decimal($0.mean(metric), 2) }) }
    return table
  }

  private func recallTable() -> MarkdownTable {
    var table = MarkdownTable([""] + (perturbations.first?.results.map(\.name) ?? []))
    for row in perturbations { table.add([row.fault] + row.results.map { decimal($0.restRecall, 3) }) }
    return table
  }

  private func trialTable(_ metric: Metric) -> MarkdownTable {
    var table = MarkdownTable([""] + accuracies.map(\.name))
    for (place, trial) in trials.enumerated() {
      table.add([trial] + accuracies.map { decimal($0[metric][place], 2) })
    }
    table.add(["**mean**"] + accuracies.map { decimal($0.mean(metric), 3) })
    return table
  }
}

/// Lines and columns.
struct MarkdownTable {
  private var rows: [[String]]

  init(_ titles: [String]) { rows = [titles] }
  mutating func add(_ row: [String]) { rows.append(row) }

  /// Aligned for the eye, too: the first column to the left, the others to the right.
  var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    func line(_ row: [String]) -> String {
      let cells = row.enumerated().map { column, cell in
        let fill = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + fill : fill + cell
      }
      return "| " + cells.joined(separator: " | ") + " |\n"
    }
    let rule = widths.enumerated().map { column, width in
      column == 0 ? String(repeating: "-", count: width + 2) : String(repeating: "-", count: width + 1) + ":"
    }
    return line(rows[0]) + "|" + rule.joined(separator: "|") + "|\n" + rows.dropFirst().map(line).joined()
  }
}

/// A number with so many decimals; a dash for none.
func decimal(_ value: Double, _ decimals: Int) -> String {
  value.isFinite ? String(format: "%.\(decimals)f", value) : "–"
}

private func signed(_ value: Double) -> String {
  value.isFinite ? (value < 0 ? "−" : "+") + decimal(abs(value), 2) : "–"
}
