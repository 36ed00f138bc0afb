/// What the odometer made of rides with a wheel sensor, as a table and its sums.
package struct WheelTable: Sendable {
  /// The rides in their order.
  package let rides: [WheeledDistance]

  package init(_ rides: [WheeledDistance]) { self.rides = rides }

  /// By how much a way by the wheel may differ from what the same pulses are on other rides.
  package static var limit: Double { 0.02 }

  /// What one pulse is by the odometer of all rides whose wheel was known, m; nil without such rides.
  private var metresPerPulse: Double? {
    let known = rides.filter { $0.metres != nil }
    let pulses = known.reduce(0) { $0 + Double($1.pulses) }
    return pulses > 0 ? known.reduce(0) { $0 + ($1.metres ?? 0) } / pulses : nil
  }

  /// Whether each ride with a known wheel is as long as its pulses are on all rides, with all fixes and with thinned ones.
  package var holds: Bool {
    guard let metresPerPulse else { return true }
    return rides.allSatisfy { ride in
      [ride.metres, ride.thinnedMetres].allSatisfy { metres in
        metres.map { ($0 / (Double(ride.pulses) * metresPerPulse) - 1).magnitude <= WheelTable.limit } ?? true
      }
    }
  }

  /// The second table of docs/odometer.md; empty without rides.
  package var markdown: String {
    guard !rides.isEmpty else { return "" }
    var text =
      "\n| ride | half | device | unknown wheel | error | mm per pulse | ± | known wheel | error | every 5 s | error |\n"
    text += "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    for ride in rides {
      func error(_ metres: Double?) -> String {
        metres.map { DistanceTable.percent($0 / ride.deviceMetres - 1) } ?? ""
      }
      let cells = [
        ride.name, ride.half.rawValue, whole(ride.deviceMetres), whole(ride.ownMetres), error(ride.ownMetres),
        ride.learnt.map { whole($0.metres * 1000) } ?? "",
        ride.learnt.map { DistanceTable.percent($0.deviation, signed: false) } ?? "",
        ride.metres.map(whole) ?? "", error(ride.metres), ride.thinnedMetres.map(whole) ?? "",
        error(ride.thinnedMetres),
      ]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    for half in SceneHalf.allCases {
      let ones = rides.filter { $0.half == half && $0.metres != nil }
      guard !ones.isEmpty else { continue }
      let device = ones.reduce(0) { $0 + $1.deviceMetres }
      let errors = [ones.reduce(0) { $0 + ($1.metres ?? 0) }, ones.reduce(0) { $0 + ($1.thinnedMetres ?? 0) }]
      text += half == SceneHalf.allCases.first ? "\n" : ""
      text += "- \(half.rawValue), with a wheel that was learnt on the others: \(ones.count) rides, error of the sum "
      text += errors.map { DistanceTable.percent($0 / device - 1) }.joined(separator: ", every 5 s ") + "\n"
    }
    return text
  }

  private func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }
}
