import JSON5
import Quantities
import SimulatedWorld
import TrackerCore

/// Charge by cause, as a table.
enum EnergyTable {
  /// Charges of tracker and modem in the mean of a day, the largest first, and how long a battery lasts.
  ///
  /// - Parameters:
  ///   - energy: The ledger of all but the modem.
  ///   - modem: Charges of the modem by its loads, µC.
  ///   - forecast: What the tracker thinks that it draws in the mean, µA; nil when it does not know.
  static func text(_ energy: LifeEnergy, modem: [String: Int64], forecast: Double?) -> String {
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
    guard let battery = BatteryDays(energy, modem: modem.values.reduce(0, +), forecast: forecast) else {
      return table.text()
    }
    var text =
      table.text()
      + "a battery of \(Int(energy.currents.capacity)) mAh, \(Int((100 * energy.currents.usable).rounded())) % of it usable, "
      + "lasts \(TimeText.decimal(battery.ledger, 1)) days at this rate\n"
    if let days = battery.forecast, let difference = battery.difference {
      text += "by the tracker's own forecast \(TimeText.decimal(days, 1)) days, "
      text += "\(TimeText.decimal(difference.magnitude, 1)) % \(difference < 0 ? "less" : "more")\n"
    }
    return text
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
  static func currents(_ texts: [String]) throws(CommandFailure) -> PartCurrents {
    var result = PartCurrents()
    let names = PartCurrents.names.map(\.name)
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw .usage("option '--current': '\(text)' is not NAME=VALUE") }
      guard let entry = PartCurrents.names.first(where: { $0.name == parts[0] }) else {
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

/// How many days a full battery lasts.
struct BatteryDays: Equatable {
  /// By the ledgers of the world and of the modem.
  let ledger: Double
  /// By the tracker's own forecast.
  let forecast: Double?

  /// How much longer than by the ledgers it lasts by the forecast, percent.
  var difference: Double? { forecast.map { 100 * ($0 / ledger - 1) } }

  /// Nil when nothing was drawn.
  ///
  /// - Parameters:
  ///   - modem: Charge of the modem in the time of the ledger, µC.
  ///   - forecast: The mean that is forecast, µA.
  init?(_ energy: LifeEnergy, modem: Int64, forecast: Double?) {
    guard let days = energy.days(withModem: modem) else { return nil }
    ledger = days
    let currents = energy.currents
    self.forecast = forecast.flatMap { $0 > 0 ? currents.capacity * currents.usable * 1000 / $0 / 24 : nil }
  }
}

extension PartCurrents {
  /// The names by which they are set, with the place of each.
  static let names: [(name: String, place: WritableKeyPath<PartCurrents, Double> & Sendable)] = [
    ("receiver", \.receiver), ("receiverOff", \.receiverOff), ("inertial", \.inertial), ("watching", \.watching),
    ("processor", \.processor), ("processorAsleep", \.processorAsleep), ("sampleTime", \.sampleTime),
    ("fixTime", \.fixTime), ("packetTime", \.packetTime), ("capacity", \.capacity), ("usable", \.usable),
    ("selfDischarge", \.selfDischarge),
  ]
}
