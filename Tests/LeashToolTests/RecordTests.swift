import Foundation
import LinuxDevices
import OtherPrograms
import Quantities
import Testing

@testable import LeashTool

private func checksummed(_ text: String) -> [UInt8] {
  let sum = text.dropFirst().utf8.reduce(0, ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return Array((text + "*" + (digits.count < 2 ? "0" : "") + digits + "\r\n").utf8)
}

@Test func aRecordingOfAReceiverReplays() throws {
  let folder = try TemporaryFolder()
  let terminal = try PseudoTerminal(bitsPerSecond: 9600)
  let file = try folder.file(
    "c.json5",
    "{ gnss: { source: 'serial', port: '\(terminal.path)', rate: 9600 }, control: '\(folder.path("control"))' }")
  let program = try OtherProgram(
    [OtherProgram.leash, "record", file, "--record", folder.path("rides"), "--for", "2", "--json"])
  // The second line comes when it has been running for a second: by then it listens.
  var place = 0
  while program.exitStatus == nil, place < 8 {
    let lines = program.lines.count
    _ = program.waits(within: .milliseconds(150)) { program.lines.count > lines }
    let second = place < 10 ? "0\(place)" : "\(place)"
    _ = try terminal.write(
      checksummed("$GPRMC,0943\(second).00,A,5037.4000,N,00533.5000,E,0.1,77.5,010626,,,A")[...])
    place += 1
  }
  #expect(try program.end() == 0, "\(program.out)")
  let text = program.out
  let last = try #require(text.split(separator: "\n").last)
  let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
  #expect((object["positions"] as? Int ?? 0) >= 3 && object["lost"] as? Int == 0)
  let recorded = folder.path("rides/run-000001-001.leash")
  let replay = ToolRun("replay", "--json", recorded)
  #expect(replay.code == .success && replay.out.contains("\"latitude\":50.6233"), "\(replay.err)")
}

@Test func aRecordingNeedsAPlaceAndSensors() throws {
  let folder = try TemporaryFolder()
  let control = folder.path("control")
  let none = try folder.file("c.json5", "{ gnss: { source: 'none' }, control: '\(control)' }")
  let nowhere = ToolRun("record", none)
  #expect(nowhere.code == .usage && nowhere.err.contains("--record FOLDER"))
  let nothing = ToolRun("record", none, "--record", folder.path("rides"))
  #expect(nothing.code == .environment && nothing.err.contains("no sensor is configured"))
  #expect(ToolRun("record", none, "--record", "x", "--for", "0").code == .usage)
}
