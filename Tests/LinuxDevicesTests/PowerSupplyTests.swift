import Foundation
import Quantities
import Testing

@testable import LinuxDevices

/// A tree of power supplies as the kernel shows them.
private final class MadeSupplies {
  let folder: Folder
  init() throws { folder = try Folder() }

  func set(_ supply: String, _ attributes: [String: String]) throws {
    let path = "\(folder.path)/sys/class/power_supply/\(supply)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in attributes {
      try (text + "\n").write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    }
  }

  func remove(_ supply: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/sys/class/power_supply/\(supply)")
  }

  var files: PowerSupplyFiles { PowerSupplyFiles(root: folder.path) }
}

private let battery = [
  "type": "Battery", "present": "1", "capacity": "85", "voltage_now": "4104999", "status": "Charging",
]

@Test func aBatteryIsReadAsTheKernelShowsIt() throws {
  let made = try MadeSupplies()
  #expect(made.files.firstBattery == nil && made.files.supply(battery: "BAT0") == nil)
  try made.set("BAT0", battery)
  #expect(
    made.files.supply(battery: "BAT0") == Supply(charge: 85, millivolts: 4105, isCharging: true, isExternal: true))
  // A supply from outside says for itself whether it is there.
  try made.set("usb", ["type": "USB", "online": "0"])
  #expect(made.files.supply(battery: "BAT0")?.isExternal == false)
  try made.set("ac", ["type": "Mains", "online": "1"])
  #expect(made.files.supply(battery: "BAT0")?.isExternal == true)
  for (word, isCharging) in [("Discharging", false), ("Full", false), ("Not charging", false), ("Unknown", nil)]
    as [(String, Bool?)]
  {
    try made.set("BAT0", ["status": word])
    #expect(made.files.supply(battery: "BAT0")?.isCharging == isCharging, "\(word)")
  }
  try made.set("BAT0", ["present": "0"])
  #expect(made.files.supply(battery: "BAT0") == Supply(), "taken out of its holder")
}

@Test func whatABatteryDoesNotSayIsNotKnown() throws {
  let made = try MadeSupplies()
  try made.set("BAT0", ["type": "Battery"])
  #expect(made.files.supply(battery: "BAT0") == Supply())
  for (name, text) in [
    ("capacity", "101"), ("capacity", "-1"), ("capacity", "x"), ("voltage_now", "65536000"), ("voltage_now", "-501"),
  ] {
    try made.set("BAT0", [name: text])
    #expect(made.files.supply(battery: "BAT0") == Supply(), "\(name) \(text)")
    try made.set("BAT0", [name: ""])
  }
  try made.set("BAT0", ["capacity": "100", "voltage_now": "65535499"])
  #expect(made.files.supply(battery: "BAT0") == Supply(charge: 100, millivolts: 65_535))
  try made.set("BAT0", ["capacity": "0", "voltage_now": "0", "status": "Discharging"])
  #expect(
    made.files.supply(battery: "BAT0") == Supply(charge: 0, millivolts: 0, isCharging: false, isExternal: false))
}

@Test func theBatteryOfAMouseIsNotThatOfTheBoard() throws {
  let made = try MadeSupplies()
  try made.set("a-mouse", battery.merging(["scope": "Device"]) { $1 })
  try made.set("b-board", battery.merging(["scope": "System"]) { $1 })
  #expect(made.files.firstBattery == "b-board")
  try made.set("c-tablet", ["type": "USB", "online": "1", "scope": "Device"])
  try made.set("b-board", ["status": "Discharging"])
  #expect(made.files.supply(battery: "b-board")?.isExternal == false)
}

@Test func aBatteryIsReadAtTheStartAndAtEachInterval() throws {
  let made = try MadeSupplies()
  try made.set("BAT0", battery)
  let sensor = PolledSensor(PowerSupply(root: made.folder.path), every: .seconds(60))
  var readings: [SupplyReading] = []
  sensor.sink = { if case .reading(.supply(let reading)) = $0 { readings.append(reading) } }
  let loop = try EventLoop(clock: MachineClock())
  let start = Instant.seconds(1000)
  try sensor.start(in: loop, at: start)
  #expect(readings.map(\.time) == [start] && sensor.nextDeadline == start + .seconds(60) && sensor.failure == nil)
  #expect(sensor.name == "supply BAT0")
  #expect(sensor.facts.map(\.value) == ["85 %", "4.105 V", "yes", "yes"])
  sensor.advance(to: start + .seconds(60) - Interval(microseconds: 1))
  #expect(readings.count == 1)
  try made.set("BAT0", ["capacity": "84"])
  sensor.advance(to: start + .seconds(60))
  #expect(readings.count == 2 && readings[1].supply.charge == 84 && readings[1].time == start + .seconds(60))
  // One that says nothing is no reading, and is asked again.
  try made.set("BAT0", ["present": "0"])
  sensor.advance(to: start + .seconds(120))
  #expect(readings.count == 2 && sensor.failure == nil && sensor.nextDeadline == start + .seconds(180))
  try made.remove("BAT0")
  sensor.advance(to: start + .seconds(180))
  #expect(sensor.failure != nil && sensor.nextDeadline == nil)
  try made.set("BAT0", battery)
  try sensor.start(in: loop, at: start + .seconds(181))
  #expect(readings.count == 3 && sensor.failure == nil)
  sensor.stop()
  #expect(sensor.nextDeadline == nil)
}

@Test func aBatteryThatIsNotThereIsAFailureWithTheNamesOfOthers() throws {
  let made = try MadeSupplies()
  try made.set("usb", ["type": "USB", "online": "1"])
  let loop = try EventLoop(clock: MachineClock())
  func failure(_ name: String?) -> String {
    let sensor = PolledSensor(PowerSupply(battery: name, root: made.folder.path), every: .seconds(60))
    do throws(DeviceFailure) { try sensor.start(in: loop, at: .zero) } catch { return error.message }
    return ""
  }
  #expect(failure(nil).contains("the kernel reports no battery"), "\(failure(nil))")
  try made.set("BAT1", battery)
  #expect(failure(nil).isEmpty)
  #expect(failure("BAT0").contains("BAT0") && failure("BAT0").contains("there are: BAT1"))
  #expect(failure("usb").contains("there are: BAT1"), "power from outside is no battery")
}
