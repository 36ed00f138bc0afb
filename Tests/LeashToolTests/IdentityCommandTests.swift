import Foundation
import OtherPrograms
import SkippedTests
import Testing

@testable import LeashTool

/// What `leash identity` shows is read back by another program, and makes the claim that a tracker takes.
@Suite struct IdentityCommandTests {
  private let secret = "f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3b4a5968778695a4b3c2d1e0f"
  private var label: String { "leash://claim/bike42#\(secret)" }

  /// A configuration whose secret is known.
  private func prepare(_ folder: TemporaryFolder) throws -> String {
    _ = try folder.file("state.db.secret", secret + "\n")
    return try folder.file("leash.json5", "{ trackerId: 'bike42', state: '\(folder.path("state.db"))' }")
  }

  /// What a program writes; nil, noted as skipped, where it is not installed.
  private func output(_ program: String, _ arguments: [String]) throws -> String? {
    let path = "/usr/bin/\(program)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      noteSkipped("no \(program)")
      return nil
    }
    return try OtherProgram.output(of: [path] + arguments).out
  }

  /// What zbarimg reads in a picture; the same as `expected` where it is not installed.
  private func expectRead(_ picture: String, _ expected: String) throws {
    guard let text = try output("zbarimg", ["-q", "--raw", "-Sdisable", "-Sqrcode.enable", picture]) else { return }
    #expect(text.trimmingCharacters(in: .whitespacesAndNewlines) == expected, "\(picture)")
  }

  /// Light and dark squares of six dots as a grey picture.
  private func picture(_ rows: [[Bool]]) -> [UInt8] {
    var bytes = Array("P5 \((rows.first?.count ?? 0) * 6) \(rows.count * 6) 255\n".utf8)
    for row in rows {
      let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: 6) }
      for _ in 0..<6 { bytes += line }
    }
    return bytes
  }

  @Test func theCodeOnATerminalIsReadByAnotherProgram() throws {
    let folder = try TemporaryFolder()
    let file = try prepare(folder)
    let run = ToolRun(["identity", file], isTerminal: true)
    #expect(run.code == .success && run.problems.isEmpty)
    let lines = run.lines
    #expect(lines.contains("label   \(label)") && lines.contains("id      bike42"))
    let drawn = lines.filter { $0.contains("█") }
    var rows: [[Bool]] = []
    for line in drawn {
      rows.append(line.map { $0 == " " || $0 == "▄" })
      rows.append(line.map { $0 == " " || $0 == "▀" })
    }
    #expect(drawn.count > 20 && Set(drawn.map(\.count)).count == 1 && (drawn.first?.count ?? 99) <= 60)
    try expectRead(try folder.file("terminal.pgm", picture(rows)), label)
  }

  @Test func numberSignsAreReadByAnotherProgram() throws {
    let folder = try TemporaryFolder()
    let file = try prepare(folder)
    let run = ToolRun(["identity", "--ascii", file])
    let drawn = run.out.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(4).dropLast()
    let rows = drawn.map { line in
      let dots = Array(line)
      return stride(from: 0, to: dots.count, by: 2).map { dots[$0] == "#" && dots[$0 + 1] == "#" }
    }
    #expect(rows.count > 40 && Set(rows.map(\.count)) == [rows.count])
    try expectRead(try folder.file("plain.pgm", picture(rows)), label)
    // Without a terminal and without being asked there are words alone.
    #expect(ToolRun("identity", file).lines.count == 4)
  }

  @Test func thePictureIsReadByAnotherProgram() throws {
    let folder = try TemporaryFolder()
    let file = try prepare(folder)
    let svg = folder.path("label.svg")
    #expect(ToolRun("identity", "--svg", svg, file).code == .success)
    var status = stat()
    #expect(stat(svg, &status) == 0 && status.st_mode & 0o777 == 0o600, "the secret is in it")
    #expect(try String(contentsOfFile: svg, encoding: .utf8).contains(">bike42</text>"))
    let png = folder.path("label.png")
    guard try output("rsvg-convert", ["--width=600", "-o", png, svg]) != nil else { return }
    try expectRead(png, label)
    // At the size of the label, and with a corner of the middle scratched off.
    #expect(try output("rsvg-convert", ["--dpi-x=150", "--dpi-y=150", "-o", png, svg]) != nil)
    try expectRead(png, label)
    let scratched = try String(contentsOfFile: svg, encoding: .utf8)
      .replacingOccurrences(of: "<text", with: "<rect x=\"24\" y=\"24\" width=\"5\" height=\"5\" fill=\"#fff\"/><text")
    #expect(try output("rsvg-convert", ["--width=600", "-o", png, folder.file("scratched.svg", scratched)]) != nil)
    try expectRead(png, label)
  }

  @Test func theLongestIdFitsACode() throws {
    let folder = try TemporaryFolder()
    let id = String(repeating: "W", count: 32)
    let code = try #require(QRCode("leash://claim/\(id)#\(secret)"))
    let svg = try folder.file("long.svg", code.svg(caption: id))
    let png = folder.path("long.png")
    guard try output("rsvg-convert", ["--width=600", "-o", png, svg]) != nil else { return }
    try expectRead(png, "leash://claim/\(id)#\(secret)")
    #expect(QRCode("") == nil && QRCode(String(repeating: "x", count: 4000)) == nil)
  }

  @Test func aSecretIsMadeTheFirstTimeAndStays() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("leash.json5", "{ trackerId: 'bike42', state: '\(folder.path("state.db"))' }")
    let first = try ToolRun("identity", "--json", file).objects()
    #expect(first.count == 1 && first[0]["trackerId"] as? String == "bike42")
    let digits = try #require(first[0]["secret"] as? String)
    #expect(digits.count == 64 && first[0]["label"] as? String == "leash://claim/bike42#\(digits)")
    #expect(first[0]["file"] as? String == folder.path("state.db.secret"))
    let again = ToolRun("identity", "--json", file)
    #expect(try again.objects()[0]["secret"] as? String == digits && again.err.isEmpty)
    let other = ToolRun("identity", "--json", "--renew", file)
    #expect(try other.objects()[0]["secret"] as? String != digits)
    #expect(ToolRun("identity", "--renew", file).err.contains("'leash tell unclaim'"))
    let nameless = try folder.file("nameless.json5", "{ state: '\(folder.path("state.db"))' }")
    #expect(ToolRun("identity", nameless).err.contains("'trackerId' is 'leash'"))
    let nowhere = try folder.file("nowhere.json5", "{ state: '\(folder.path("no/state.db"))' }")
    let failed = ToolRun("identity", nowhere)
    #expect(failed.code == .environment && failed.err.contains("no/state.db.secret: No such file or directory"))
    let odd = try folder.file("odd.json5", "{ trackerId: 'bike/42', state: '\(folder.path("state.db"))' }")
    #expect(ToolRun("identity", odd).code == .checkFailed)
  }

  @Test func aClaimIsMadeOfALabel() throws {
    let folder = try TemporaryFolder()
    let file = try prepare(folder)
    let words = try folder.file("label.txt", ToolRun("identity", file).out)
    let key = folder.path("owner.key")
    let run = ToolRun("request", "--label", words, key, "claim")
    #expect(run.code == .success && run.lines.count == 1 && run.out.hasPrefix("claim !"), "\(run.err)")
    #expect(!run.out.contains(secret.prefix(8)) && run.err.contains("--tracker bike42"))
    var status = stat()
    #expect(stat(key, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let parts = run.out.dropFirst("claim !".count).split(separator: ":")
    let made = try String(contentsOfFile: key, encoding: .utf8)
    if let python = try output(
      "python3",
      [
        "-c",
        """
        import hashlib, hmac
        secret = bytes.fromhex("\(secret)")
        print(hmac.new(secret, b"bike42\\nowner's key \(parts[0])", hashlib.sha256).hexdigest())
        print(hmac.new(secret, b"bike42\\nclaim !\(parts[0])", hashlib.sha256).hexdigest()[:32])
        """,
      ])
    {
      #expect(python == made + parts[1])
    }
    // A key that is there is not written over, and its owner asks with it.
    #expect(ToolRun("request", "--label", words, key, "claim").err.contains("File exists"))
    #expect(ToolRun("request", "--tracker", "bike42", key, "locate").out.hasPrefix("locate !"))
    #expect(ToolRun("request", key, "claim").code == .usage)
    #expect(ToolRun("request", "--label", words, key, "locate").code == .usage)
    let none = ToolRun("request", "--label", try folder.file("none.txt", "hello\n"), folder.path("k"), "claim")
    #expect(none.code == .environment && none.err.contains("leash://claim/ID#64 digits"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("k")))
  }
}
