import Quantities
import Telemetry
import Testing
import TrackerCore
import TestSupport
import TrackerRuntime

private func reading(_ isOn: Bool, at time: Instant, _ contact: Contact = .button) -> TrackerInput {
  var contacts = Contacts()
  contacts[contact] = isOn
  return .reading(.contacts(ContactReading(time: time, contacts)))
}

/// Places that the owner marks on the way.
@Suite struct CheckpointTests {
  @Test func aCheckpointIsAPacketWithPlaceAndTitle() throws {
    let bench = try RequestBench()
    try bench.fix()
    _ = bench.news()
    #expect(try bench.ask("#7 checkpoint \"the bridge\"") == "checkpoint")
    let packets = bench.news()
    #expect(packets.count == 1)
    let packet = try #require(packets.first)
    #expect(packet.contains("\"latitude\":52.0000000,\"longitude\":4.0000000"))
    #expect(packet.contains("\"reason\":\"checkpoint\",\"alertsEnabled\":true,\"request\":7,\"value\":\"the bridge\""))
    #expect(try bench.ask("checkpoint") == "checkpoint")
    #expect(try #require(bench.news().first).contains("\"reason\":\"checkpoint\",\"alertsEnabled\":true}"))
    // While positions are withheld this one is, too.
    _ = try bench.ask("privacy on")
    _ = bench.news()
    _ = try bench.ask("checkpoint home")
    #expect(try #require(bench.news().first).contains("\"latitude\":null"))
  }

  @Test(arguments: [
    ("checkpoint 1234567890123456789", true), ("checkpoint 12345678901234567890", false),
    ("checkpoint \"café am Fluß\"", true), ("checkpoint \"ééééééééé\"", true), ("checkpoint \"éééééééééé\"", false),
    ("checkpoint two words", false), ("checkpoint \"two words\"", true), ("checkpoint \"two\" words", false),
    ("checkpoint \"\"", true), ("checkpoint \"open", false),
    ("checkpoint bridge note \"much wind\"", true), ("checkpoint bridge picture IMG_1.jpg", true),
    ("checkpoint bridge note windy picture IMG_1.jpg", true), ("checkpoint \"\" note windy", true),
    ("checkpoint note note note picture picture", true), ("checkpoint Bridge NOTE windy Picture p", true),
    ("checkpoint bridge picture p note windy", false), ("checkpoint bridge note", false),
    ("checkpoint bridge note windy picture", false), ("checkpoint bridge note much wind", false),
    ("checkpoint bridge note \"\"", false), ("checkpoint bridge note windy picture a b", false),
    ("checkpoint bridge note \(String(repeating: "n", count: 69))", true),
    ("checkpoint bridge note \(String(repeating: "n", count: 70))", false),
    ("checkpoint bridge picture \(String(repeating: "p", count: 32))", true),
    ("checkpoint bridge picture \(String(repeating: "p", count: 33))", false),
    (
      "checkpoint 1234567890123456789 note \(String(repeating: "n", count: 69)) picture \(String(repeating: "p", count: 32))",
      true
    ),
  ]) func aTitleFitsIntoAPacketOrIsRefused(_ text: String, _ isTaken: Bool) throws {
    let request = Request(text: text)
    #expect((request != nil) == isTaken)
    guard let request else { return }
    var written = GrowingBytes()
    request.encode(into: &written)
    #expect(Request(written.bytes.span) == request, "it reads back to the same")
    #expect(Checkpoint.longestTitle == 19 && PacketText.capacity == 19)
  }

  @Test func theNoteAndThePictureAreKeptInTheLogAndTheTitleIsTold() throws {
    let text = "checkpoint \"the bridge\" note \"steep, mind the kerb\" picture IMG_0231.jpg"
    guard case .checkpoint(let place)? = Request(text: text) else {
      Issue.record("no checkpoint")
      return
    }
    func string(_ bytes: Span<UInt8>) -> String {
      bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    let (title, note, picture) = (place.title, place.note, place.picture)
    #expect(string(title.span) == "the bridge" && string(note.span) == "steep, mind the kerb")
    #expect(string(picture.span) == "IMG_0231.jpg")
    var written = GrowingBytes()
    Request.checkpoint(place).encode(into: &written)
    #expect(String(decoding: written.bytes, as: UTF8.self).replacing("\"IMG_0231.jpg\"", with: "IMG_0231.jpg") == text)
    let bench = try RequestBench()
    try bench.fix()
    _ = bench.news()
    #expect(try bench.ask(text) == "checkpoint")
    #expect(try #require(bench.news().first).contains("\"value\":\"the bridge\"}"))
  }

  @Test func theButtonMarksAPlaceWhereThatIsWanted() throws {
    for isWanted in [false, true] {
      let bench = try RequestBench { $0.reports.buttonCheckpoint = isWanted }
      try bench.fix()
      _ = bench.news()
      func press(_ isOn: Bool, _ milliseconds: Int, _ contact: Contact = .button) throws -> Int {
        try bench.run.feed(reading(isOn, at: .milliseconds(milliseconds), contact))
        return bench.news().count { $0.contains("\"reason\":\"checkpoint\"") && $0.contains("\"latitude\":52.0") }
      }
      // How it stands at first is no press, nor is letting it go, nor another switch.
      #expect(try press(true, 5000) == 0 && press(false, 6000) == 0 && press(true, 6500, .brake) == 0)
      #expect(try press(true, 8000) == (isWanted ? 1 : 0))
      #expect(try press(true, 8100) == 0 && press(false, 8200) == 0)
      // A bounce, and a press of its own.
      #expect(try press(true, 9999) == 0 && press(false, 10_000) == 0)
      #expect(try press(true, 10_001) == (isWanted ? 1 : 0))
    }
  }

  @Test func theButtonCanBeGivenItsMeaningLater() throws {
    let bench = try RequestBench()
    try bench.fix()
    try bench.run.feed(reading(false, at: .seconds(2)))
    #expect(try bench.ask("set checkpoints.byButton true") == "settingsChanged")
    _ = bench.news()
    try bench.run.feed(reading(true, at: .seconds(30)))
    #expect(bench.news().contains { $0.contains("\"reason\":\"checkpoint\"") })
  }

  @Test func trackOffEndsLiveTracking() throws {
    let bench = try RequestBench()
    #expect(try bench.ask("track 5 600") == "tracking")
    for _ in 0..<20 { try bench.fix() }
    #expect(bench.news().count { $0.contains("\"type\":\"location\"") } >= 3)
    #expect(try bench.ask("track off") == "trackingOff")
    _ = bench.news()
    for _ in 0..<60 { try bench.fix() }
    #expect(bench.news().allSatisfy { !$0.contains("\"type\":\"location\"") })
    var written = GrowingBytes()
    try #require(Request(text: "track off")).encode(into: &written)
    #expect(String(decoding: written.bytes, as: UTF8.self) == "track off")
    for text in ["track off 5", "track", "track 5", "track 0 600", "track 5 0"] {
      #expect(Request(text: text) == nil, "\(text)")
    }
  }

  @Test func aNumberedCheckpointIsMarkedOnceDespiteARestart() throws {
    let bench = try RequestBench()
    try bench.fix()
    #expect(try bench.ask("#9 checkpoint \"the bridge\"") == "checkpoint")
    #expect(try bench.ask("#9 checkpoint \"the bridge\"") == "repeated")
    let next = try RequestBench(restoring: bench.state, from: 5)
    #expect(try next.ask("#9 checkpoint \"the bridge\"") == "repeated")
    #expect(try next.ask("#10 checkpoint") == "checkpoint")
  }
}
