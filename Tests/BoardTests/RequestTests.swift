import Foundation
import Glibc
import InlineStorage
import OtherPrograms
import Requests
import ServerSupport
import Testing

/// What the owner asks of a running board, and what others find out about it.
@Suite struct RequestTests {
  private let key = "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f"

  private func signed(_ text: String, at utc: String) throws -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(formatter.date(from: utc))
    let counter = UInt64(date.timeIntervalSince1970 * 1000)
    guard let key = RequestKey(hexadecimal: Array(key.utf8).span),
      let signed = key.signed(Array(text.utf8).span, for: Array("board".utf8).span, counter: counter)
    else { throw SetUpFailure("no key") }
    return signed.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// Every byte of every file below a folder.
  private func files(below folder: String) -> [(name: String, bytes: Data)] {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return names.compactMap { name in
      FileManager.default.contents(atPath: "\(folder)/\(name)").map { (name, $0) }
    }
  }

  @Test func theOwnerIsObeyedOthersAreNotAndNobodyFindsTheKey() async throws {
    try await withPlace {
      guard let broker = try MosquittoServer() else { return }
      let watcher = try MosquittoWatcher(port: broker.port)
      defer { watcher.stop() }
      let secrets = try BoardFolder()
      try secrets.write("\(key)\n", to: "key")
      let folder = try BoardFolder()
      let rest = """
        uplinks: [ { by: 'mqtt', host: '127.0.0.1', port: \(broker.port), commandTopic: 'bike/command' } ],
        requests: { key: { file: '\(secrets.path)/key' }, pin: '471108', senders: ['+31600000000'], trusted: ['locate'] },
        buzzer: { command: '/bin/true' }, page: { port: \(try freeLoopbackPort()) }
        """
      guard let rig = try BoardRig(PlayedIIODevice(), folder: folder, rest: rest) else { return }
      try await rig.park()
      func tell(_ words: String) async throws -> OtherProgram {
        try await OtherProgram.run(
          [OtherProgram.leash, "tell", "--socket", rig.control] + words.split(separator: " ").map(String.init))
      }
      let unknown = try await tell("dismiss 99")
      #expect(unknown.exitStatus == 1 && unknown.problems == ["leash tell: there is no alert 99"])
      let sound = try await tell("buzzer 1 pulse")
      #expect(sound.exitStatus == 0 && sound.lines == ["the buzzer sounds"])

      // By a stranger, by who signs, and by who has heard that.
      watcher.publish("alerts off", to: "bike/command")
      // The receiver is one of 2019, and so is the tracker's time.
      let line = try signed("#17 alerts off", at: try #require(rig.status()?.utc))
      watcher.publish(line, to: "bike/command")
      try await rig.status("alerts off") { !$0.alertsEnabled }
      watcher.publish(line, to: "bike/command")
      let on = try await tell("alerts on")
      #expect(on.exitStatus == 0)
      watcher.publish(line, to: "bike/command")
      try await rig.waits(for: "both refusals") {
        rig.leash.lines.count { $0.contains("requestRefused") && $0.contains("replayed") } >= 2
      }
      #expect(rig.leash.lines.contains { $0.contains("requestRefused") && $0.contains("notAllowed") })
      #expect(try #require(rig.status()).alertsEnabled)
      #expect(watcher.messages.contains { $0.text.contains("\"reason\":\"alertsOff\"") && $0.text.contains("17") })

      // A start anew, in the same process, with what was asked before.
      #expect(try await tell("alerts off").exitStatus == 0)
      let number = rig.leash.number
      #expect(try await tell("reboot").lines == ["restarting"])
      try await rig.waits(for: "the next life") { watcher.messages.contains { $0.text.contains("\"rebooted\"") } }
      let next = try await rig.status("an answer") { _ in true }
      #expect(!next.alertsEnabled && rig.leash.exitStatus == nil && next.process.id == Int(number))
      watcher.publish(line, to: "bike/command")
      try await rig.waits(for: "a refusal in the next life") {
        rig.leash.lines.count { $0.contains("requestRefused") && $0.contains("replayed") } >= 3
      }

      // Nothing that others can look at has the key or the PIN.
      let shown = try await OtherProgram.run([OtherProgram.leash, "config", "show", rig.configuration])
      let status = try await OtherProgram.run([OtherProgram.leash, "status", "--json", "--socket", rig.control])
      let commandLine = try #require(systemText("/proc/\(number)/cmdline"))
      #expect(commandLine.contains("run"), "this test sees the line of the process")
      let places: [(String, String)] = [
        ("process list", commandLine), ("its environment", systemText("/proc/\(number)/environ") ?? ""),
        ("output", (rig.leash.lines + rig.leash.problems).joined(separator: "\n")),
        ("config show", (shown.lines + shown.problems).joined(separator: "\n")),
        ("status", status.lines.joined(separator: "\n")),
        ("messages", watcher.messages.map(\.text).joined(separator: "\n")),
      ]
      for (name, text) in places { #expect(!text.contains(key) && !text.contains("471108"), "\(name)") }
      try await rig.stop()
      let kept = files(below: folder.path).filter { $0.name != "leash.json5" }
      #expect(kept.count > 2)
      let raw = Data(stride(from: 0, to: 64, by: 2).map { UInt8(key.dropFirst($0).prefix(2), radix: 16)! })
      for (name, bytes) in kept {
        for secret in [Data(key.utf8), raw, Data("471108".utf8)] { #expect(bytes.range(of: secret) == nil, "\(name)") }
      }
      // And the recording, which has no key, replays to the same.
      _ = try await rig.replayedPackets()
    }
  }
}
