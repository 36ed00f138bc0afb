import Foundation
import LinuxDevices
import Quantities
import Testing

/// Waits until the descriptor is readable, five seconds at most.
func isReadableSoon(_ descriptor: Int32) -> Bool {
  var wait = EventWait()
  wait.add(descriptor)
  wait.wait(until: MonotonicClock.now + .seconds(5))
  return wait.isReadable(0)
}

/// Reads until that many bytes have come, or nothing comes for five seconds.
func bytes(_ count: Int, from port: any SerialTransport) throws -> [UInt8] {
  var all: [UInt8] = []
  while all.count < count, isReadableSoon(port.descriptor) { all += try port.read() }
  return all
}

/// The same at the side that made the terminal.
func bytes(_ count: Int, from terminal: PseudoTerminal) throws -> [UInt8] {
  var all: [UInt8] = []
  while all.count < count, isReadableSoon(terminal.descriptor) { all += try terminal.read() }
  return all
}

/// A folder that goes away with the value.
final class Folder {
  let path = "/tmp/leash-devices-\(UUID().uuidString)"

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Test func everyByteGoesThroughAPseudoTerminalUnchangedInBothDirections() throws {
  let terminal = try PseudoTerminal()
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 115_200)
  let all = (0...255).map { UInt8($0) }
  #expect(try port.write(all[...]) == 256)
  #expect(try bytes(256, from: terminal) == all)
  #expect(try terminal.write(all[...]) == 256)
  #expect(try bytes(256, from: port) == all)
  #expect(try port.read().isEmpty, "reading does not wait")
}

@Test func theOtherSideSeesTheSpeedThatAClientSets() throws {
  let terminal = try PseudoTerminal(bitsPerSecond: 57_600)
  #expect(terminal.bitsPerSecond == 57_600)
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  #expect(terminal.bitsPerSecond == 9600)
  // A speed of the modem that has no constant in termios.
  try port.setRate(2_900_000)
  #expect(port.bitsPerSecond == 2_900_000)
  #expect(terminal.bitsPerSecond == 2_900_000)
}

@Test func aSpeedOfZeroIsRefusedAndTheOldOneStays() throws {
  let terminal = try PseudoTerminal()
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  let failure = #expect(throws: DeviceFailure.self) { try port.setRate(0) }
  #expect(failure?.message == "\(terminal.path): can't be set to 0 bit/s")
  #expect(port.bitsPerSecond == 9600)
  #expect(terminal.bitsPerSecond == 9600)
}

@Test func clientsComeAndGoAndTheTerminalStays() throws {
  let terminal = try PseudoTerminal()
  for round in 1...3 {
    let port = try SerialPort.open(terminal.path, bitsPerSecond: 115_200)
    #expect(isReadableSoon(terminal.clientDescriptor))
    #expect(!terminal.countClients())
    #expect(terminal.clientCount == 1)
    #expect(try port.write([UInt8(round)]) == 1)
    #expect(try bytes(1, from: terminal) == [UInt8(round)])
    port.close()
    #expect(isReadableSoon(terminal.clientDescriptor))
    #expect(terminal.countClients(), "the last client went")
    #expect(terminal.clientCount == 0)
  }
}

@Test func aClientThatLeavesTheTerminalInDisorderDoesNotHarmTheNext() throws {
  let terminal = try PseudoTerminal(bitsPerSecond: 9600)
  let untidy = open(terminal.path, O_RDWR | O_NOCTTY)
  var settings = termios()
  #expect(tcgetattr(untidy, &settings) == 0)
  settings.c_lflag |= tcflag_t(ECHO | ICANON)
  settings.c_iflag |= tcflag_t(ICRNL)
  #expect(tcsetattr(untidy, TCSANOW, &settings) == 0)
  #expect(ioctl(untidy, UInt(TIOCEXCL), 0) == 0)
  close(untidy)
  #expect(isReadableSoon(terminal.clientDescriptor))
  #expect(terminal.countClients())
  #expect(terminal.bitsPerSecond == 9600)
  let plain = open(terminal.path, O_RDWR | O_NOCTTY | O_NONBLOCK)
  defer { close(plain) }
  #expect(plain >= 0)
  #expect(try terminal.write(Array("OK\r".utf8)[...]) == 3)
  var buffer = [UInt8](repeating: 0, count: 16)
  #expect(isReadableSoon(plain))
  #expect(read(plain, &buffer, 16) == 3 && buffer[2] == 0x0D)
  #expect(try terminal.read().isEmpty, "no echo")
}

@Test func aClientThatComesLaterDoesNotReadWhatWasTakenBack() throws {
  let terminal = try PseudoTerminal()
  #expect(try terminal.write(Array("old".utf8)[...]) == 3)
  terminal.discardUnread()
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 115_200)
  #expect(try terminal.write(Array("new".utf8)[...]) == 3)
  #expect(try bytes(3, from: port) == Array("new".utf8))
}

@Test func aPseudoTerminalHasNoPins() throws {
  let terminal = try PseudoTerminal()
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 115_200)
  #expect(!port.hasPins)
  let failure = #expect(throws: DeviceFailure.self) { try port.set(.dataTerminalReady, asserted: true) }
  #expect(failure?.reason == .noPins)
  #expect(throws: DeviceFailure.self) { try port.isAsserted(.ring) }
}

@Test func theLinkStandsAsLongAsTheTerminal() throws {
  let folder = try Folder()
  let link = folder.path + "/modem"
  do {
    let terminal = try PseudoTerminal(link: link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == terminal.path)
    let port = try SerialPort.open(link, bitsPerSecond: 115_200)
    #expect(try port.write([7]) == 1)
    #expect(try bytes(1, from: terminal) == [7])
  }
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
}

@Test func aLinkThatPointsNowhereIsReplaced() throws {
  let folder = try Folder()
  let link = folder.path + "/modem"
  try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/pts/999999")
  let terminal = try PseudoTerminal(link: link)
  #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == terminal.path)
}

@Test func whatStandsWhereTheLinkIsToBeStays() throws {
  let folder = try Folder()
  let file = folder.path + "/notes"
  try "precious".write(toFile: file, atomically: true, encoding: .utf8)
  let failure = #expect(throws: DeviceFailure.self) { try PseudoTerminal(link: file) }
  #expect(failure?.message == "\(file): a file already exists; use another path or remove it")
  let link = folder.path + "/link"
  try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
  #expect(throws: DeviceFailure.self) { try PseudoTerminal(link: link) }
  #expect(try String(contentsOfFile: link, encoding: .utf8) == "precious")
  let nowhere = folder.path + "/no/such/folder"
  let missing = #expect(throws: DeviceFailure.self) { try PseudoTerminal(link: nowhere) }
  #expect(missing?.message == "\(nowhere): create failed: No such file or directory")
}

@Test func aLinkThatSomebodyElseTookOverIsNotRemoved() throws {
  let folder = try Folder()
  let link = folder.path + "/modem"
  do {
    let terminal = try PseudoTerminal(link: link)
    _ = terminal
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
  }
  #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
}

/// Between fork and exec a child has every descriptor of its parent: what is closed meanwhile is free all the same.
@Test func aPortThatWasClosedIsFreeWhileAChildStillHasItsDescriptor() throws {
  let terminal = try PseudoTerminal()
  let port = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  let child = dup(port.descriptor)
  defer { close(child) }
  #expect(throws: DeviceFailure.self) { try SerialPort.open(terminal.path, bitsPerSecond: 9600) }
  port.close()
  let next = try SerialPort.open(terminal.path, bitsPerSecond: 9600)
  next.close()
}
