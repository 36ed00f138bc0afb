public import Quantities

/// The battery of the board, as the kernel knows it.
public struct PowerSupply: PolledDevice {
  private let wanted: String?
  private let files: PowerSupplyFiles
  private var battery = ""
  private var last = Supply()

  /// - Parameters:
  ///   - battery: Its name in `/sys/class/power_supply`; nil for the first that feeds this machine.
  ///   - root: Folder with `sys` in it, `/` but in tests.
  public init(battery: String? = nil, root: String = "/") {
    wanted = battery
    files = PowerSupplyFiles(root: root)
  }

  /// As in `supply BAT0`.
  public var name: String { "supply \(wanted ?? (battery.isEmpty ? "of the board" : battery))" }

  /// Looks for it; fails with the names of the batteries that there are.
  public mutating func find() throws(DeviceFailure) {
    guard let found = wanted.map({ files.isBattery($0) ? $0 : nil }) ?? files.firstBattery else { throw missing }
    battery = found
  }

  private var missing: DeviceFailure {
    let batteries = files.names.filter { files.isBattery($0) }.joined(separator: ", ")
    let advice = batteries.isEmpty ? "the kernel reports no battery" : "there are: \(batteries)"
    return DeviceFailure(.open, wanted ?? "/sys/class/power_supply", .explained("no battery; \(advice)"))
  }

  /// Charge, voltage and where the power comes from, as far as the kernel reports it.
  public mutating func read(at now: Instant) throws(DeviceFailure) -> Reading? {
    guard let supply = files.supply(battery: battery) else { throw missing }
    last = supply
    return supply.isEmpty ? nil : .supply(SupplyReading(time: now, supply))
  }

  /// What it read last.
  public var facts: [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    if let charge = last.charge { facts.append(("charge", "\(charge) %")) }
    if let millivolts = last.millivolts { facts.append(("voltage", "\(Double(millivolts) / 1000) V")) }
    if let isCharging = last.isCharging { facts.append(("charging", isCharging ? "yes" : "no")) }
    if let isExternal = last.isExternal { facts.append(("external power", isExternal ? "yes" : "no")) }
    return facts
  }
}
