import Foundation
import Testing

@testable import LeashTool

/// A replay whose packets go through the modem driver.
@Suite struct ModemReplayTests {
  @Test(arguments: ["http", "mqtt", "tcp"])
  func everyPacketGetsToTheReceiverAndTheAlertWithinSeconds(way: String) throws {
    let run = ToolRun(
      "replay", Places.leiden, "--simulate-inertial", "--simulate-scene", "thief", "--modem", way)
    #expect(run.code == .success, "\(run.err)")
    let line = try #require(run.lines.first { $0.contains("packets acknowledged") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 3 && numbers[0] == numbers[1] && numbers[2] >= numbers[0], "\(line)")
    let alert = try #require(run.lines.first { $0.contains("the first alert") })
    let words = alert.split(separator: " ")
    let place = try #require(words.firstIndex(of: "acknowledged"))
    let wait = try #require(Double(words[place + 1]))
    // The users' own limit is 20 s.
    #expect(wait < 20, "\(alert)")
    #expect(run.out.contains("→ {\"type\":\"movement\""))
  }

  /// Servers of other makers know nothing of the numbers of packets, and answer that they have them all the same.
  @Test(arguments: [
    ("http", "ownTracks"), ("http", "ownTracksCompact"), ("http", "osmAnd"), ("http", "traccar"), ("http", "text"),
    ("http", "minimal"), ("tcp", "ownTracks"), ("tcp", "osmAnd"), ("tcp", "text"),
  ])
  func packetsInEveryFormAreAcknowledgedAsTheirServersDo(way: String, format: String) throws {
    let run = ToolRun("replay", Places.leiden, "--modem", way, "--format", format, "--then", "400")
    #expect(run.code == .success, "\(run.err)")
    let line = try #require(run.lines.first { $0.contains("packets acknowledged") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.count == 3 && numbers[0] > 0 && numbers[0] == numbers[1], "\(line)")
    #expect(numbers[2] == numbers[0], "none is sent twice: \(line)")
  }

  /// An answer that no server can acknowledge would be sent for ever, and hold up what comes behind it.
  @Test func answersOfEachKindAreAcknowledgedOverTCPInOwnTracksForm() throws {
    let run = ToolRun(
      "replay", Places.leiden, "--modem", "tcp", "--format", "ownTracks", "--at", "20=status fences", "--at",
      "40=status settings", "--at", "60=status steps", "--at", "80=status", "--then", "400")
    #expect(run.code == .success, "\(run.err)")
    let line = try #require(run.lines.first { $0.contains("packets acknowledged") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    // The answer to status is two messages.
    #expect(numbers.count == 3 && numbers[0] == numbers[1] && numbers[2] == numbers[0] + 1, "\(line)")
  }

  @Test func whatNobodyCouldAcknowledgeIsRefusedAtOnce() {
    for format in ["minimal", "ownTracksCompact"] {
      let run = ToolRun("replay", Places.leiden, "--modem", "tcp", "--format", format)
      #expect(
        run.code == .usage && run.err.contains("by its number, which the format \(format) does not have"), "\(run.err)")
    }
  }

  @Test func whatWentThroughTheModemReplaysByteForByte() throws {
    let folder = try TemporaryFolder()
    let log = folder.path("ride.leash")
    #expect(ToolRun("replay", Places.leiden, "--modem", "mqtt", "--then", "400", "--record", log).code == .success)
    let check = ToolRun("replay", "--check", log)
    #expect(check.code == .success && check.out.hasPrefix("same: "), "\(check.out)\(check.err)")
  }

  @Test func anUnknownWayIsToldWithThoseThereAre() {
    let text = ToolRun("replay", Places.leiden, "--modem", "sms", "--format", "ownTracks")
    #expect(text.err.contains("text messages have the format text; '--format ownTracks' is only printed"))
    let run = ToolRun("replay", Places.leiden, "--modem", "pigeon")
    #expect(run.code == .usage)
    #expect(run.err.contains("pigeon") && run.err.contains("mqtt"), "\(run.err)")
  }
}
