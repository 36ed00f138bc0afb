import JSON5
import Quantities
import SimulatedWorld

/// Charge by cause, as a table.
enum EnergyTable {
  /// Charges of tracker and modem in the mean of a day, the largest first, and how long a battery lasts.
  ///
  /// - Parameters:
  ///   - energy: The ledger of all but the modem.
  ///   - modem: Charges of the modem by its loads, µC.
  static func text(_ energy: LifeEnergy, modem: [String: Int64]) -> String {
    var rows = energy.charges.map { (words($0.key), $0.value) }
    rows += modem.map { ("modem, \($0.key)", Double($0.value)) }
    let days = energy.seconds / 86_400
    let whole = rows.reduce(0) { $0 + $1.1 }
    var table = TextTable(("charge", .left), ("mAh", .right), ("mAh a day", .right), ("share", .right))
    func add(_ name: String, _ charge: Double) {
      table.add(
        name, TimeText.decimal(charge / 3.6e6, 2), days > 0 ? TimeText.decimal(charge / 3.6e6 / days, 2) : "",
        whole > 0 ? "\(TimeText.decimal(100 * charge / whole, 1)) %" : "")
    }
    for (name, charge) in rows.sorted(by: { ($1.1, $0.0) < ($0.1, $1.0) }) where charge > 0 { add(name, charge) }
    add("in all", whole)
    guard let left = energy.days(withModem: modem.values.reduce(0, +)) else { return table.text() }
    return table.text()
      + "a battery of \(Int(energy.currents.capacity)) mAh, \(Int((100 * energy.currents.usable).rounded())) % of it usable, "
      + "lasts \(TimeText.decimal(left, 1)) days at this rate\n"
  }

  private static func words(_ cause: EnergyCause) -> String {
    switch cause {
    case .receiver: "receiver, on"
    case .singleFix: "receiver, single fixes"
    case .receiverOff: "receiver, off"
    case .inertial: "inertial sensor, awake"
    case .watching: "inertial sensor, watching"
    case .processor: "processor, at work"
    case .processorAsleep: "processor, asleep"
    case .selfDischarge: "lost by the battery itself"
    }
  }

  /// Currents with what a command line changes of them.
  static func currents(_ texts: [String]) throws(CommandFailure) -> LifeCurrents {
    var result = LifeCurrents()
    let names = LifeCurrents.names.map(\.name)
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .usage("option '--current': '\(text)' is not NAME=VALUE") }
      guard let entry = LifeCurrents.names.first(where: { $0.name == parts[0] }) else {
        throw .usage(
          "option '--current': there is no '\(parts[0])'; expected one of \(names.joined(separator: ", "))"
            + didYouMean(nearest(to: String(parts[0]), among: names)))
      }
      guard let value = Double(parts[1]), 0...10_000_000 ~= value else {
        throw .usage("option '--current': '\(parts[1])' is not a number from 0 to 10000000")
      }
      result[keyPath: entry.place] = value
    }
    return result
  }
}
