import Foundation
import ModemBridge
import ModemSimulation
import Testing

@Test func gammuIdentifiesTheModemTellsTheNetworkAndSendsAMessage() throws {
  guard let gammu = program("/usr/bin/gammu", package: "gammu") else { return }
  let folder = try Folder()
  var settings = ModemServer.Settings()
  settings.smsFolder = folder.path
  let modem = try ServedModem(settings)
  let configuration = folder.path + "/gammurc"
  try "[gammu]\ndevice = \(modem.path)\nconnection = at115200\nsynchronizetime = no\n"
    .write(toFile: configuration, atomically: true, encoding: .utf8)
  // One run for all: gammu waits for seconds after it opens a port.
  let batch = folder.path + "/batch"
  try "identify\nnetworkinfo\nsendsms TEXT +4917012345 -text Fence-[äöü]-alert\n"
    .write(toFile: batch, atomically: true, encoding: .utf8)
  let (code, output) = try run(gammu, ["-c", configuration, "batch", batch])
  #expect(code == 0)
  for expected in [
    "SIMCOM_Ltd", "865235030116418", "240075810123456", "home network", "240 07", "LAC 2AFE, CID 20F6A17",
    "OK, message reference=",
  ] {
    #expect(output.contains(expected), "\(output)")
  }
  #expect(
    try String(contentsOfFile: folder.path + "/000001.txt", encoding: .utf8)
      == "To: +4917012345\n\nFence-[äöü]-alert\n")
}

@Test func chatDialsThroughItsScript() throws {
  guard let chat = program("/usr/sbin/chat", package: "ppp") else { return }
  let modem = try ServedModem()
  let (code, output) = try run(
    chat,
    [
      "-v", "-S", "-s", "-t", "5", "ABORT", "ERROR", "", "AT", "OK", "ATE0", "OK", "AT+CPIN?", "READY", "\\c", "OK",
      "AT+CGDCONT=1,\"IP\",\"x\"", "OK",
    ], terminal: modem.path)
  #expect(code == 0, "\(output)")
  #expect(output.contains("expect (READY)"), "\(output)")
  let (refused, why) = try run(
    chat, ["-v", "-S", "-s", "-t", "5", "ABORT", "ERROR", "", "AT+NOPE", "OK"], terminal: modem.path)
  #expect(refused == 4, "\(why)")
}
