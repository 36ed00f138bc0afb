import Foundation
import LinuxDevices
import ModemBridge
import ModemSimulation
import Quantities
import Testing

/// Asks the control socket one line.
private func ask(_ path: String, _ line: String) throws -> String {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
  let code = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard code == 0, write(descriptor, line + "\n", line.utf8.count + 1) > 0 else { return "no connection" }
  var answer = ""
  var buffer = [UInt8](repeating: 0, count: 1024)
  while !answer.hasSuffix("\n") {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { break }
    answer += String(decoding: buffer[..<count], as: UTF8.self)
  }
  return answer
}

@Test func clientAfterClientIsServedByTheSameModem() throws {
  let modem = try ServedModem()
  let first = try TypingClient(modem.path)
  #expect(try first.type("ATE0\r", until: "OK\r\n") == "ATE0\r\r\nOK\r\n")
  first.port.close()
  #expect(modem.event { $0 == .clientLeft } != nil)
  let second = try TypingClient(modem.path)
  #expect(try second.type("AT\r", until: "OK\r\n") == "\r\nOK\r\n", "echo is still off")
}

@Test func aClientAtAnotherSpeedIsNotUnderstood() throws {
  let modem = try ServedModem()
  let client = try TypingClient(modem.path, bitsPerSecond: 9600)
  #expect(try client.port.write(Array("AT\r".utf8)[...]) == 3)
  #expect(modem.event { $0 == .rateChanged(bitsPerSecond: 9600) } != nil)
  try client.port.setRate(115_200)
  client.port.discardInput()
  try client.type("AT\r\rAT\r", until: "OK\r\n")
}

@Test func aModemThatFindsTheSpeedAnswersAtAnyOfTheUsual() throws {
  var settings = ModemServer.Settings()
  settings.configuration.link.rate = 0
  let modem = try ServedModem(settings)
  let client = try TypingClient(modem.path, bitsPerSecond: 57_600)
  try client.type("AT\rAT\rAT\r", until: "OK\r\n")
}

@Test func aFaultComesAtItsTime() throws {
  var settings = ModemServer.Settings()
  settings.faults = [(.milliseconds(50), .bearerLost(isSilent: false)), (.milliseconds(100), .freeze)]
  let modem = try ServedModem(settings)
  let client = try TypingClient(modem.path)
  #expect(modem.event { $0 == .fault(.freeze) } != nil)
  #expect(try client.port.write(Array("AT\r".utf8)[...]) == 3)
  var wait = EventWait()
  wait.add(client.port.descriptor)
  wait.wait(until: MonotonicClock.now + .milliseconds(200))
  #expect(!wait.isReadable(0), "frozen")
}

@Test func theControlSocketSwitchesTheModemOnAndBringsMessages() throws {
  let folder = try Folder()
  var settings = ModemServer.Settings()
  settings.controlPath = folder.path + "/control"
  settings.configuration.startsPoweredOff = true
  settings.configuration.power.uartReady = .milliseconds(100)
  settings.configuration.power.ready = .milliseconds(150)
  settings.configuration.power.function = .milliseconds(200)
  settings.configuration.power.simReady = .milliseconds(250)
  settings.configuration.power.messagesReady = .milliseconds(300)
  settings.configuration.network.registrationDelay = .milliseconds(50)
  let modem = try ServedModem(settings)
  let control = folder.path + "/control"
  #expect(try ask(control, "status").hasPrefix("power off, "))
  let client = try TypingClient(modem.path)
  #expect(try ask(control, "pwrkey 1100") == "ok\n")
  let boot = try client.type("", until: "SMS Ready\r\n")
  #expect(boot == "\r\nRDY\r\n\r\n+CFUN: 1\r\n\r\n+CPIN: READY\r\n\r\nSMS Ready\r\n")
  #expect(modem.event { $0 == .power(isOn: true) } != nil)
  try client.type("AT+CNMI=2,1\r", until: "OK\r\n")
  #expect(try ask(control, "sms +491701 where are you") == "ok\n")
  try client.type("", until: "+CMTI: \"SM\",")
  #expect(modem.event { $0 == .ring } != nil)
  #expect(try ask(control, "fault F11") == "ok\n")
  #expect(modem.event { $0 == .fault(.freeze) } != nil)
  #expect(try ask(control, "supply 0") == "ok\n")
  #expect(modem.event { $0 == .power(isOn: false) } != nil)
  for wrong in ["", "sms +49", "fault F99", "supply x", "pwrkey 0", "dtr up", "nonsense"] {
    #expect(try ask(control, wrong).hasPrefix("error: "), "\(wrong)")
  }
}

@Test func theControlSocketIsTheOwnersAndGoesWithTheModem() throws {
  let folder = try Folder()
  var settings = ModemServer.Settings()
  settings.controlPath = folder.path + "/control"
  settings.link = folder.path + "/modem"
  do {
    let modem = try ServedModem(settings)
    var status = stat()
    #expect(stat(folder.path + "/control", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/modem") == modem.path)
    settings.link = nil
    let failure = #expect(throws: DeviceFailure.self) { try ServedModem(settings) }
    #expect(
      failure?.message
        == "\(folder.path)/control: another simulator's socket already exists; use another path or remove it")
  }
  #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  // What a killed simulator leaves makes room; a file does not.
  try "notes".write(toFile: folder.path + "/control", atomically: true, encoding: .utf8)
  #expect(throws: DeviceFailure.self) { try ServedModem(settings) }
  #expect(try String(contentsOfFile: folder.path + "/control", encoding: .utf8) == "notes")
}
