import Foundation
import Testing

@testable import LeashTool

/// `leash decode`, with what people paste.
@Suite struct DecodeCommandTests {
  private static let data =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXkWLKou7AtptLUqCy9NbUQNv2hFEi673vdntViQ9cMNc1+D0+oyr0ujPh1H9CxQ22znRarkYCzufJxOjj"
    + "uoFiNfESWvjMCZgHMSdOZbPu/gDjyfBYUIHD4fZAz4Gb"

  private func file(_ text: String) throws -> String {
    let place = FileManager.default.temporaryDirectory.appending(path: "leash-decode-\(UUID().uuidString)")
    try text.write(to: place, atomically: true, encoding: .utf8)
    return place.path
  }

  @Test func everyFieldIsNamedWithItsUnitAndTheTrapThatIsNear() {
    let run = ToolRun("decode", "/?id=bike42&timestamp=1700000000&lat=48.85833&lon=2.29513&speed=9.719&alarm=tow&new=7")
    #expect(run.code == .success && run.err.isEmpty && run.lines.first == "osmAnd position")
    #expect(run.lines.contains { $0.hasPrefix("  speed      9.719 kn  speed  (trap 1: ") })
    #expect(run.lines.contains { $0.hasPrefix("  lat        48.85833 °  latitude") })
    #expect(run.lines.contains("  new        7  an attribute of the position") && run.lines.last == "  = alarm tow")
  }

  @Test func jsonSaysTheSameForPrograms() throws {
    let run = ToolRun("decode", "--json", #"[{"_type":"cmd","action":"dump"},{"_type":"lwt","tst":17,"x":"a\"b"}]"#)
    let objects = try run.objects()
    #expect(objects.map { $0["type"] as? String } == ["cmd", "lwt"] && run.code == .success)
    let fields = try #require(objects[1]["fields"] as? [[String: Any]])
    #expect(fields[1]["name"] as? String == "tst" && fields[1]["unit"] as? String == "s since 1970")
    #expect(fields[1]["trap"] as? Int == 8 && fields[2]["value"] as? String == "a\"b" && fields[2]["meaning"] == nil)
  }

  @Test func sealedMessagesOpenWithTheKeyOfAFileAndNeverShowIt() throws {
    let key = try file("mysecreTpass01\n")
    let wrong = try file("mysecreTpass02")
    defer { for path in [key, wrong] { try? FileManager.default.removeItem(atPath: path) } }
    let run = ToolRun("decode", "--key-file", key, DecodeCommandTests.data)
    #expect(run.lines.first == "ownTracks location, sealed" && run.out.contains("BK") && run.code == .success)
    #expect(!run.out.contains("mysecre"))
    for arguments in [["decode", DecodeCommandTests.data], ["decode", "--key-file", wrong, DecodeCommandTests.data]] {
      let refused = ToolRun(arguments)
      #expect(refused.code == .checkFailed && refused.out.isEmpty && refused.err.contains("sealed"))
      #expect(!refused.err.contains("mysecre"))
    }
    let long = try file(String(repeating: "a", count: 33))
    defer { try? FileManager.default.removeItem(atPath: long) }
    #expect(ToolRun("decode", "--key-file", long, "x").code == .environment)
  }

  @Test func aCaptureIsReadLineByLineAndWhatIsNoMessageIsNamedByItsLine() throws {
    let capture = try file("X0,542A46AA,k,30365854,7575769,26,4,7,5,872\n\nnonsense\nid=a&timestamp=1&lat=1&lon=2\n")
    let whole = try file("{\n \"_type\": \"card\",\n \"name\": \"x\u{1B}[2J\"\n}\n")
    defer { for path in [capture, whole] { try? FileManager.default.removeItem(atPath: path) } }
    let run = ToolRun("decode", capture)
    #expect(run.code == .checkFailed && run.err.contains("\(capture):3: unknown message"))
    #expect(run.lines.filter { !$0.hasPrefix(" ") } == ["ownTracksCompact location", "osmAnd position"])
    #expect(ToolRun("decode", whole).code == .checkFailed, "a control character is no JSON")
    #expect(ToolRun("decode", #"{"_type":"card","name":"x\u001b[2J"}"#).out.contains("x?[2J"))
  }
}
