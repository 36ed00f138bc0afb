import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import SkippedTests
import Testing

@Test func aPortThatDoesNotExistIsToldWithThoseThatDo() {
  let failure = #expect(throws: DeviceFailure.self) { try SerialPort.open("/dev/ttyUSB99", bitsPerSecond: 9600) }
  let others = SerialPortDescription.all().map(\.path)
  #expect(failure?.reason == .noSuchPort(others: others))
  let sample = DeviceFailure(
    .open, "/dev/ttyUSB9", errorNumber: ENOENT, .noSuchPort(others: ["/dev/ttyS0", "/dev/ttyS1"]))
  #expect(sample.message == "/dev/ttyUSB9: no such port; there are: /dev/ttyS0, /dev/ttyS1")
  let none = DeviceFailure(.open, "/dev/ttyUSB9", errorNumber: ENOENT, .noSuchPort(others: []))
  #expect(none.message == "/dev/ttyUSB9: no such port, and this machine has no others")
}

@Test(arguments: ["/tmp", "/dev/null"])
func whatIsNoTerminalIsTold(path: String) {
  let failure = #expect(throws: DeviceFailure.self) { try SerialPort.open(path, bitsPerSecond: 9600) }
  #expect(
    failure?.message
      == "\(path): not a terminal; expected a serial port such as /dev/ttyUSB0 or a pseudo-terminal")
}

@Test func aPortInUseIsRefusedUntilItIsLetGo() throws {
  let terminal = try PseudoTerminal()
  let first = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  let failure = #expect(throws: DeviceFailure.self) { try SerialPort.open(terminal.path, bitsPerSecond: 9600) }
  guard case .busy? = failure?.reason else {
    Issue.record("\(String(describing: failure))")
    return
  }
  first.close()
  let second = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  #expect(second.descriptor >= 0)
}

@Test func theProgramThatUsesAPortIsNamed() throws {
  let terminal = try PseudoTerminal()
  let holder = try OtherProgram(
    ["/usr/bin/flock", "--exclusive", terminal.path, "/bin/sh", "-c", "echo ready; exec cat"], takesInput: true)
  #expect(holder.waits { holder.out == "ready\n" })
  let failure = #expect(throws: DeviceFailure.self) { try SerialPort.open(terminal.path, bitsPerSecond: 9600) }
  holder.closeInput()
  try holder.end()
  guard case .busy(let holders)? = failure?.reason else {
    Issue.record("\(String(describing: failure))")
    return
  }
  #expect(holders.contains(PortHolder(process: holder.number, name: "flock")))
  #expect(failure?.message.contains("flock (process \(holder.number))") == true)
}

@Test func withoutPermissionTheGroupAndTheCommandAreTold() throws {
  let folder = try Folder()
  let path = folder.path + "/port"
  #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o660]))
  let own = DeviceFailure(.open, path, errorNumber: EACCES)
  guard case .noPermission(.some, let user) = own.reason else {
    Issue.record("\(own)")
    return
  }
  #expect(user == NSUserName())
  let sample = DeviceFailure(.open, "/dev/ttyUSB0", errorNumber: EACCES, .noPermission(group: "dialout", user: "anna"))
  #expect(
    sample.message
      == "/dev/ttyUSB0: no permission: the device belongs to the group dialout; run 'sudo usermod -aG dialout anna' and "
      + "log in again")
  // A group that may not use it either is no help.
  try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  #expect(DeviceFailure(.open, path, errorNumber: EACCES).message == "\(path): no permission to open it")
}

@Test func aPortWhoseOtherEndIsGoneIsUnplugged() throws {
  var terminal: PseudoTerminal? = try PseudoTerminal()
  let path = try #require(terminal?.path)
  let port = try SerialPort.open(path, bitsPerSecond: 9600)
  terminal = nil
  #expect(isReadableSoon(port.descriptor), "the loss wakes whoever waits")
  let failure = #expect(throws: DeviceFailure.self) { try port.read() }
  #expect(failure?.reason == .unplugged)
  #expect(failure?.message == "\(path): lost while in use: unplugged, or the program behind it has ended")
  #expect(throws: DeviceFailure.self) { try port.write([65]) }
}

@Test func aHardwarePortIsOpenedWithItsPins() throws {
  let candidates = SerialPortDescription.all().map(\.path)
  var opened: HardwareSerialPort?
  for path in candidates where opened == nil { opened = try? HardwareSerialPort(path, bitsPerSecond: 9600) }
  guard let opened else {
    noteSkipped("this machine has no serial port that opens (\(candidates.count) listed)")
    return
  }
  #expect(opened.hasPins)
  try opened.set(.dataTerminalReady, asserted: true)
  try opened.setRate(115_200)
  #expect(opened.bitsPerSecond == 115_200)
  #expect(try opened.read().count >= 0, "nothing to read is no loss of the port")
  #expect(try opened.write([0x41, 0x54, 0x0D]) == 3)
  let failure = #expect(throws: DeviceFailure.self) { try SerialPort.open(opened.path, bitsPerSecond: 9600) }
  guard case .busy? = failure?.reason else {
    Issue.record("\(String(describing: failure))")
    return
  }
}

@Test func aDescriptorOfAnotherThreadWakesAWait() throws {
  let wakeUp = try WakeUp()
  wakeUp.signal()
  wakeUp.signal()
  #expect(isReadableSoon(wakeUp.descriptor))
  wakeUp.clear()
  var wait = EventWait()
  wait.add(wakeUp.descriptor)
  wait.wait(until: MonotonicClock.now)
  #expect(!wait.isReadable(0))
}
