import VehicleSimulation

/// The families of parameters, as tables of docs/simulation.md.
enum FamilyTable {
  /// All kinds, one after the other.
  static var markdown: String {
    FamilyKind.allCases.map { kind in
      var text = "**\(kind.rawValue)**\n\n"
      let families = ParameterFamily.all(kind)
      for family in families { text += "- `\(family.name)`: \(family.about)\n" }
      text += "\n| parameter | unit | " + families.map { "`\($0.name)`" }.joined(separator: " | ") + " | source |\n"
      text += "|---|---|" + String(repeating: "---|", count: families.count) + "---|\n"
      var names: [String] = []
      for parameter in families.flatMap(\.parameters) where !names.contains(parameter.name) {
        names.append(parameter.name)
      }
      for name in names {
        let found = families.map { family in family.parameters.first { $0.name == name } }
        guard let first = found.compactMap(\.self).first else { continue }
        let cells = found.map { $0.map(range) ?? "" }
        var sources: [String] = []
        for source in found.compactMap({ $0?.source }) where !sources.contains(source) { sources.append(source) }
        let axes = first.count > 1 ? ", each axis" : ""
        text +=
          "| `\(name)` | \(first.unit)\(axes) | \(cells.joined(separator: " | ")) | \(sources.joined(separator: "; ")) |\n"
      }
      return text
    }.joined(separator: "\n")
  }

  private static func range(_ parameter: FamilyParameter) -> String {
    let (low, high) = (parameter.range.lowerBound, parameter.range.upperBound)
    if low == high { return number(low) }
    if low == -high { return "±" + number(high) }
    return number(low) + " to " + number(high)
  }

  private static func number(_ value: Double) -> String {
    if value == value.rounded() { return "\(Int(value))".replacing("-", with: "−") }
    return "\(value)".replacing("-", with: "−")
  }
}
