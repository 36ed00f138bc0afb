import LinuxDevices
import Uplinks

/// The modem's lines on a GPIO chip.
extension ModemLines {
  /// Requests the lines that the settings name; they are held as long as the closures live.
  package init(_ settings: ModemSettings) throws(DeviceFailure) {
    self.init()
    if let line = settings.powerKey {
      let pin = try GPIOPins.output(line)
      setPowerKey = { isLow in try? pin.set(isLow ? .low : .high) }
    }
    if let line = settings.reset {
      let pin = try GPIOPins.output(line)
      setReset = { isLow in try? pin.set(isLow ? .low : .high) }
    }
    if let line = settings.supply {
      let pin = try GPIOPins.output(line)
      setSupply = { isOn in try? pin.set(isOn ? .high : .low) }
    }
    if let line = settings.status {
      let pin = try GPIOPins.input(chip: line.chip, line: line.line, isInverted: line.isInverted)
      readStatus = { (try? pin.level()) == .high }
    }
  }
}

extension GPIOPins {
  /// An output that is high at the modem's pin at first: nothing is pressed.
  fileprivate static func output(_ line: GPIOLine) throws(DeviceFailure) -> any DigitalOutput {
    try output(chip: line.chip, line: line.line, isInverted: line.isInverted, initially: .high)
  }
}
