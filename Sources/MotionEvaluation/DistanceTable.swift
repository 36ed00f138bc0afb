/// What the odometer made of recorded rides, as a table and its sums.
package struct DistanceTable: Sendable {
  /// The rides in their order.
  package let rides: [RiddenDistance]

  package init(_ rides: [RiddenDistance]) { self.rides = rides }

  /// By how much the sum may be wrong.
  package static var biasLimit: Double { 0.003 }

  /// The rides whose device counted, too.
  private var counted: [RiddenDistance] { rides.filter { $0.deviceMetres != nil } }

  /// The error of the sum of all rides whose device counted, as a share of the device's sum; nil when there are none.
  package var bias: Double? { DistanceTable.bias(of: counted) }

  private static func bias(of rides: [RiddenDistance]) -> Double? {
    let device = rides.reduce(0) { $0 + ($1.deviceMetres ?? 0) }
    return device > 0 ? rides.reduce(0) { $0 + $1.metres } / device - 1 : nil
  }

  /// Whether each ride, each thinned ride and the sum are as good as they should be.
  package var holds: Bool {
    rides.allSatisfy { $0.holds != false && $0.holdsThinned }
      && (bias.map { abs($0) <= DistanceTable.biasLimit } ?? true)
  }

  /// The table of docs/odometer.md.
  package var markdown: String {
    var text = "| ride | half | track | device | disagree | odometer | error | holds | every 5 s | error | holds |\n"
    text += "|---|---|---:|---:|---:|---:|---:|---|---:|---:|---|\n"
    for ride in rides {
      let cells = [
        ride.name, ride.half.rawValue, metres(ride.trackMetres), ride.deviceMetres.map(metres) ?? "",
        ride.disagreement.map { DistanceTable.percent($0, signed: false) } ?? "", metres(ride.metres),
        DistanceTable.percent(ride.error),
        word(ride.holds), metres(ride.thinnedMetres), DistanceTable.percent(ride.thinnedError),
        word(ride.holdsThinned),
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text + "\n" + sums
  }

  /// The sums, as lists of words.
  private var sums: String {
    var text = ""
    func add(_ what: String, _ rides: [RiddenDistance]) {
      guard let bias = DistanceTable.bias(of: rides) else { return }
      text += "- \(what): \(rides.count) rides, error of the sum \(DistanceTable.percent(bias))\n"
    }
    add("All with a device's distance", counted)
    for half in SceneHalf.allCases { add("Of them \(half.rawValue)", counted.filter { $0.half == half }) }
    add(
      "Of them those where track and device agree", counted.filter { $0.disagreement ?? 1 <= RiddenDistance.agreement })
    let judged = rides.filter { $0.holds != nil }
    text += "- \(judged.count { $0.holds == true }) of \(judged.count) hold; with a fix every 5 s "
    return text + "\(rides.count { $0.holdsThinned }) of \(rides.count)\n"
  }

  private func word(_ holds: Bool?) -> String { holds.map { $0 ? "yes" : "**no**" } ?? "" }

  private func metres(_ value: Double) -> String { "\(Int(value.rounded()))" }

  /// A share as `+0.52 %`.
  static func percent(_ share: Double, signed isSigned: Bool = true) -> String {
    let hundredths = Int((abs(share) * 10_000).rounded())
    let sign = !isSigned || hundredths == 0 ? "" : share < 0 ? "-" : "+"
    let rest = hundredths % 100
    return "\(sign)\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
  }
}
