import Foundation
import Glibc
import LinuxRuntime
import OtherPrograms
import Quantities
import Requests
import ServerSupport
import SkippedTests
import Testing

/// The owner's key and the page's token are in nothing that a run writes, serves or tells.
@Suite struct SecretTests {
  private let key = "5ec7e7a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d"
  private let token = "tok-quince-marmalade-lantern"
  private let pin = "86420975"

  /// A request as the page or the owner signs it.
  private func signed(_ text: String, by secret: String, counter: UInt64) throws -> String {
    let key = try #require(RequestKey(token: secret))
    let id = Array("board".utf8)
    let made = key.signed(Array(text.utf8).span, for: id.span, counter: counter)
    let bytes = try #require(made)
    return bytes.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test func keyTokenAndPINAreInNothingThatARunWritesServesOrTells() async throws {
    guard access("/usr/bin/curl", X_OK) == 0 else { return noteSkipped("there is no /usr/bin/curl") }
    try await withPlace {
      let folder = try BoardFolder()
      let server = try HTTPServer()
      let port = try LoopbackSocket.freePort()
      let control = "\(folder.path)/control"
      for (name, secret) in [("key", key), ("token", token), ("pin", pin)] {
        try folder.write(secret + "\n", to: name)
        chmod("\(folder.path)/\(name)", 0o600)
      }
      try folder.write(
        """
        {
          trackerId: "board", state: "\(folder.path)/state.db", control: "\(control)", gnss: { source: "none" },
          record: { folder: "\(folder.path)/rides" },
          uplinks: [ { by: "http", url: "http://127.0.0.1:\(server.port)/" } ],
          requests: { key: { file: "\(folder.path)/key" }, pin: { file: "\(folder.path)/pin" } },
          page: { port: \(port), token: { file: "\(folder.path)/token" } },
        }
        """, to: "leash.json5")
      let configuration = "\(folder.path)/leash.json5"
      let leash = try OtherProgram([OtherProgram.leash, "run", "--json", configuration])
      try await wait(for: "the page", detail: { leash.problems.joined(separator: "\n") }) {
        if let code = leash.exitStatus { throw SetUpFailure("'leash run' ended with \(code)") }
        return LoopbackSocket.isOpen(port)
      }
      var outputs: [(name: String, text: String)] = []
      func keep(_ name: String, _ process: OtherProgram) -> String {
        let text = (process.lines + process.problems).joined(separator: "\n")
        outputs.append((name, text))
        return text
      }
      let link = "http://127.0.0.1:\(port)"
      func post(_ text: String) async throws -> String {
        let curl = [
          "/usr/bin/curl", "-sS", "-i", "-H", "Leash-Request: 1", "-H", "Origin: \(link)", "-d", text,
          "\(link)/request",
        ]
        return keep("the answer to a request", try await OtherProgram.run(curl))
      }
      let now = UInt64(Date().timeIntervalSince1970 * 1000)
      #expect(try await post(signed("#17 alerts off", by: token, counter: now)).contains("alertsOff"))
      #expect(
        try await post(signed("#18 set reports.distance 500", by: key, counter: now + 1)).contains("settingsChanged"))
      #expect(try await post(signed("#19 alerts on", by: token, counter: now)).contains("replayed"))
      #expect(try await post(signed("alerts on", by: token + "x", counter: now + 2)).contains("forged"))
      #expect(try await post(signed("reboot", by: token, counter: now + 3)).contains("notAllowed"))
      // What somebody sends who takes a request for a password.
      for text in ["\(pin) alerts on", "alerts on \(token)", "alerts on !1:\(key.prefix(32))"] {
        #expect(try await post(text).contains("\"refused\""))
      }
      try await wait(for: "the answers at the server") {
        server.bodies.contains { $0.contains("\"settingsChanged\"") && $0.contains("\"request\":18") }
      }
      for path in ["/", "/page.js", "/asking.js", "/status.json", "/history.json", "/dialogue.json", "/fences.json"] {
        #expect(keep(path, try await OtherProgram.run(["/usr/bin/curl", "-sS", "-i", link + path])).contains("200 OK"))
      }
      for words in [
        ["status", configuration], ["status", "--json", configuration], ["config", "show", configuration],
        ["config", "show", "--effective", configuration], ["config", "check", configuration],
        ["tell", "--socket", control, "info"],
      ] { _ = keep(words.joined(separator: " "), try await OtherProgram.run([OtherProgram.leash] + words)) }
      let status = outputs.first { $0.name.hasPrefix("status \(configuration)") }?.text ?? ""
      #expect(status.contains("from the local page: alerts #17: alerts are off"), "\(status)")
      #expect(status.contains("refused, forged"), "\(status)")
      for name in ["cmdline", "environ"] {
        outputs.append(("/proc/\(name)", systemText("/proc/\(leash.number)/\(name)") ?? ""))
      }
      leash.send(SIGTERM)
      try await wait(for: "the end") { leash.hasEnded }
      #expect(leash.exitStatus == 0)
      _ = keep("leash run", leash)
      outputs += server.bodies.map { ("a packet", $0) }
      let rides = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/rides").map {
        "\(folder.path)/rides/\($0)"
      }
      #expect(!rides.isEmpty)
      for words in [["replay", "--json"] + rides, ["replay", "--check"] + rides] {
        let replay = try await OtherProgram.run([OtherProgram.leash] + words)
        #expect(replay.exitStatus == 0)
        #expect(keep(words.joined(separator: " "), replay) != "")
      }
      // All files but those that hold the secrets.
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { !["key", "token", "pin", "leash.json5", "control", "rides"].contains($0) }
      #expect(files.contains("state.db") && files.count > 1)
      for file in files {
        // One byte for each, so that nothing is passed over as no text.
        let bytes = FileManager.default.contents(atPath: "\(folder.path)/\(file)") ?? Data()
        outputs.append((file, String(decoding: bytes, as: Unicode.ASCII.self)))
      }
      let pageKey = SecretTests.digest(of: token)
      for (name, text) in outputs {
        for secret in [key, String(key.prefix(16)), token, String(token.prefix(10)), pin, pageKey] {
          #expect(!text.lowercased().contains(secret), "\(name) has a secret")
        }
      }
    }
  }

  private static func digest(of text: String) -> String {
    var hash = SHA256()
    let bytes = Array(text.utf8)
    hash.update(bytes.span)
    let digest = hash.finish()
    return (0..<32).map { place in
      let digits = String(digest[place], radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
