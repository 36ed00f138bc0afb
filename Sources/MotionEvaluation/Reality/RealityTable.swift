/// The simulation beside the recordings, as a table.
package struct RealityTable: Sendable {
  /// The classes in their order.
  package let results: [RealityResult]

  package init(_ results: [RealityResult]) { self.results = results }

  /// The table of docs/simulation.md.
  package var markdown: String {
    var text = "| motion | half | model | spectrum, dB | windows, rad/s · m/s² | of the recorded mean | Allan, dB |\n"
    text += "|---|---|---|---:|---:|---:|---:|\n"
    for result in results {
      for half in result.halves {
        for model in half.models {
          let name = model.isFitted ? model.name + (half.half == .tuning ? ", fitted here" : "") : model.name
          text += row(result.name, half.half.rawValue, name, model.distance)
        }
      }
      if let between = result.between { text += row(result.name, "", "*the held recordings from the others*", between) }
    }
    text += "\n"
    for result in results {
      let parts = result.halves.map { half in
        "\(half.half.rawValue) \(half.files.joined(separator: ", ")) (\(Int(half.seconds.rounded())) s)"
      }
      text += "- *\(result.name)*: \(result.about). \(parts.joined(separator: "; "))\n"
    }
    text += "\nWith no recording to compare with: \(RealityClass.without.joined(separator: "; ")).\n"
    return text
  }

  private func row(_ name: String, _ half: String, _ model: String, _ distance: SignalDistance) -> String {
    let cells = [
      name, half, model, "\(short(distance.spectrum.rate, 1)) · \(short(distance.spectrum.force, 1))",
      "\(short(distance.windows.rate, 4)) · \(short(distance.windows.force, 3))",
      "\(percent(distance.shares.rate)) · \(percent(distance.shares.force))",
      distance.allan.map { "\(short($0.rate, 1)) · \(short($0.force, 1))" } ?? "",
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  private func percent(_ share: Double) -> String { share.isFinite ? "\(Int((share * 100).rounded())) %" : "" }

  private func short(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "" }
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
