import Quantities

/// The kernel's power supplies as files.
///
/// - Source: the kernel's documentation of the class `power_supply` (Documentation/ABI/testing/sysfs-class-power): charge in percent,
///   voltage in µV, the words of `status`, `type` and `scope`.
struct PowerSupplyFiles {
  /// Where `sys` is: `/` in the field.
  let root: String

  private var folder: String { (root.hasSuffix("/") ? root : root + "/") + "sys/class/power_supply" }

  /// Names of all supplies, sorted.
  var names: [String] { fileNames(in: folder).sorted() }

  /// The first battery that feeds this machine; nil when there is none.
  var firstBattery: String? { names.first { isBattery($0) && read($0, "scope") != "Device" } }

  /// True when there is a battery of that name.
  func isBattery(_ name: String) -> Bool { read(name, "type") == "Battery" }

  /// What the supplies show now; of batteries only the named one counts. Nil when that battery is gone.
  func supply(battery: String) -> Supply? {
    guard isBattery(battery) else { return nil }
    var result = Supply()
    // A battery that has been taken out of its holder is still listed.
    guard number(battery, "present") != 0 else { return result }
    result.charge = number(battery, "capacity").flatMap { (0...100).contains($0) ? UInt8($0) : nil }
    result.millivolts = number(battery, "voltage_now").flatMap { $0 < 0 ? nil : UInt16(exactly: ($0 + 500) / 1000) }
    switch read(battery, "status") {
    case "Charging": result.isCharging = true
    case "Discharging", "Not charging", "Full": result.isCharging = false
    default: break
    }
    let online = names.filter { !isBattery($0) && read($0, "scope") != "Device" }.compactMap { number($0, "online") }
    if !online.isEmpty {
      result.isExternal = online.contains { $0 != 0 }
    } else if result.isCharging == true {
      result.isExternal = true
    } else if read(battery, "status") == "Discharging" {
      result.isExternal = false
    }
    return result
  }

  private func read(_ supply: String, _ attribute: String) -> String? {
    guard let text = contents(of: "\(folder)/\(supply)/\(attribute)", limit: 256) else { return nil }
    return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(trimmed)
  }

  private func number(_ supply: String, _ attribute: String) -> Int? { read(supply, attribute).flatMap { Int($0) } }
}
