import Glibc
import LinuxDevices
import LinuxRuntime
import OtherPrograms
import ServerSupport
import Testing

/// What somebody sees who starts `leash run` in a terminal.
@Suite struct FirstSightTests {
  /// A configuration without any device, so that there is nothing but the screen to look at.
  private func configuration(_ folder: BoardFolder) throws -> (path: String, control: String) {
    let control = "\(folder.path)/control"
    let text =
      "{ trackerId: 'screen', gnss: { source: 'none' }, state: '\(folder.path)/state.db', control: '\(control)' }"
    return (try folder.write(text, to: "leash.json5"), control)
  }

  private func tell(_ request: ControlRequest, _ control: String) -> Bool {
    (try? ControlClient.ask(request, at: control)) != nil
  }

  @Test(arguments: [80, 120]) func everyLineStandsAloneAndTheLiveLineIsTheLast(columns: Int) async throws {
    try await withPlace {
      let folder = try BoardFolder()
      let (path, control) = try configuration(folder)
      let process = try TerminalProcess([OtherProgram.leash, "run", path, "--packets"], columns: columns)
      func screen() -> TerminalScreen {
        var screen = TerminalScreen(columns: columns)
        screen.show(process.bytes)
        return screen
      }
      // Events and packets while the live line is drawn again and again.
      for count in 1...2 {
        try await wait(for: "the live line before request \(count)", detail: { screen().text.joined(separator: "\n") })
        {
          screen().text.last?.contains("no position yet") == true
        }
        try await wait(for: "an answer") { tell(.command("locate"), control) }
        try await wait(for: "packet \(count)", detail: { screen().text.joined(separator: "\n") }) {
          screen().text.count { $0.contains("\"type\":\"location\"") } >= count
        }
      }
      process.send(SIGTERM)
      try await wait(for: "the end") { process.isOver }
      let shown = screen()
      #expect(process.exitStatus == 0)
      #expect(shown.unknown == [])
      // The live line leaves nothing behind, neither before nor after what is written while it is there.
      let lines = shown.text.filter { !$0.isEmpty }
      #expect(!lines.contains { $0.contains("no position yet") }, "\(lines.joined(separator: "\n"))")
      let locations = lines.count { $0.contains("\"type\":\"location\"") }
      #expect(
        lines.last == "leash run: stopped; \(locations) unsent packets saved",
        "\(String(decoding: process.bytes, as: UTF8.self).debugDescription)")
      #expect(lines.count { $0.contains("\"type\":\"location\"") } >= 2)
      #expect(lines.allSatisfy { $0.count <= columns })
    }
  }

  @Test func closingTheTerminalStopsTheTracker() async throws {
    try await withPlace {
      let folder = try BoardFolder()
      let (path, control) = try configuration(folder)
      let process = try TerminalProcess([OtherProgram.leash, "run", path], columns: 80)
      try await wait(for: "an answer") { tell(.status, control) }
      process.hangUp()
      try await wait(for: "the end") { process.exitStatus != nil }
      #expect(process.exitStatus == 0)
      // It ended as it should: the socket is gone, and nobody runs on unseen.
      #expect(access(control, F_OK) != 0)
    }
  }
}
