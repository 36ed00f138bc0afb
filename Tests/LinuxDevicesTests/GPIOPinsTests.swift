import Glibc
import Testing

@testable import LinuxDevices

@Test func levelsAreThoseAtThePinWhateverLiesBetween() {
  #expect(PinLevel.low.lineValue(isInverted: false) == 0)
  #expect(PinLevel.high.lineValue(isInverted: false) == 1)
  // A high line opens the transistor, which pulls the pin to ground.
  #expect(PinLevel.low.lineValue(isInverted: true) == 1)
  #expect(PinLevel.high.lineValue(isInverted: true) == 0)
  for level in [PinLevel.low, .high] {
    for isInverted in [false, true] {
      #expect(PinLevel(lineValue: level.lineValue(isInverted: isInverted), isInverted: isInverted) == level)
    }
  }
}

@Test func aChipThatIsNotThereIsNamedWithTheOthers() {
  let missing = #expect(throws: DeviceFailure.self) {
    try GPIOPins.output(chip: "gpiochip99", line: 4, initially: .high)
  }
  #expect(missing?.message.hasPrefix("/dev/gpiochip99: no such GPIO chip; ") == true, "\(missing?.message ?? "")")
  #expect(
    GPIOPins.failure(toOpen: "/dev/gpiochip9", errorNumber: ENOENT, chips: ["/dev/gpiochip0", "/dev/gpiochip1"]).message
      == "/dev/gpiochip9: no such GPIO chip; there are: /dev/gpiochip0, /dev/gpiochip1")
  #expect(
    GPIOPins.failure(toOpen: "/dev/gpiochip9", errorNumber: ENOENT, chips: []).message
      == "/dev/gpiochip9: no such GPIO chip; this machine has none")
}

@Test func whatIsNoChipIsSaidToBeNone() {
  let wrong = #expect(throws: DeviceFailure.self) { try GPIOPins.input(chip: "/dev/null", line: 4) }
  #expect(wrong?.message == "/dev/null: no GPIO chip; expected one such as /dev/gpiochip0")
}

@Test func aChipWithoutPermissionNamesTheWayToIt() {
  let failure = GPIOPins.failure(toOpen: "/dev/null", errorNumber: EACCES, chips: [])
  #expect(failure.message.hasPrefix("/dev/null: no permission: the device belongs to the group"))
}

@Test func aBusyLineNamesItsUser() {
  #expect(
    GPIOPins.failure(toRequest: "/dev/gpiochip0 line 4", user: "w1-gpio", errorNumber: EBUSY).message
      == "/dev/gpiochip0 line 4: busy: used by 'w1-gpio'; stop it, or remove its overlay, or choose another line")
  #expect(
    GPIOPins.failure(toRequest: "/dev/gpiochip0 line 4", user: nil, errorNumber: EBUSY).message
      == "/dev/gpiochip0 line 4: busy: used by another program; stop it, or remove its overlay, or choose another line")
}
