import Recording
import Telemetry
import Testing
import TrackerRuntime

@testable import LinuxRuntime

/// As `leash settings` writes it, as a list of JSON, and with commas.
@Test(arguments: [
  ("'riding+alarmed'", "riding+alarmed"), ("'alarmed'", "alarmed"), ("'riding, alarmed'", "riding+alarmed"),
  ("['alarmed', 'riding']", "riding+alarmed"), ("'none'", "none"), ("[]", "none"),
])
func aListOfWordsIsTakenAsTextAndAsAList(text: String, phases: String) throws {
  let tracker = try configuration("{ reports: { phases: \(text) } }").configuration.tracker.tracker
  #expect(Setting.all.first { $0.name == "reports.phases" }?.text(tracker) == phases)
}

@Test(arguments: [
  ("'20+10'", "20+10"), ("'20, 10'", "20+10"), ("[20, 10]", "20+10"), ("'50'", "50"), ("'none'", "none"),
  ("[]", "none"),
])
func aListOfNumbersIsTakenAsTextAndAsAList(text: String, levels: String) throws {
  let tracker = try configuration("{ readings: { batteryLevels: \(text) } }").configuration.tracker.tracker
  #expect(Setting.all.first { $0.name == "readings.batteryLevels" }?.text(tracker) == levels)
}

@Test(arguments: [
  ("[50, 50]", "[1]': found 50 twice, expected different numbers"),
  ("'50+50'", "': found 50 twice, expected different numbers"),
  ("[1, 2, 3, 4, 5]", "': found 5 numbers, expected at most 4"),
  ("'20+100'", "': found \"100\", expected a whole number from 1 to 99"),
  ("''", "': found \"\", expected a whole number from 1 to 99"),
  ("['20']", "[0]': found \"20\", expected a whole number from 1 to 99"),
  ("20", "': found 20, expected a list, or text joined by '+', of at most 4 different whole numbers from 1 to 99"),
])
func whatIsWrongInAListOfNumbersIsSaid(text: String, complaint: String) {
  let found = problems("{ readings: { batteryLevels: \(text) } }")
  #expect(found.count == 1 && found[0].contains("'readings.batteryLevels\(complaint)"), "\(found)")
}

@Test func kindsTrustedRequestsAndTagsAreTakenAsTextAndAsAList() throws {
  let kinds = ["'movement+parking'", "'movement,parking'", "['movement', 'parking']"]
  for (place, trusted) in ["'dismiss+locate'", "'dismiss, locate'", "['dismiss', 'locate']"].enumerated() {
    let text = "{ uplinks: [{ by: 'http', url: 'http://localhost', kinds: \(kinds[place]), trusted: \(trusted) }] }"
    let file = try configuration(text)
    #expect(file.configuration.uplinks[0].kinds == PacketKindSet("movement+parking"), "\(text)")
    #expect(file.configuration.uplinks[0].trusted == ["dismiss", "locate"], "\(text)")
    #expect(file.rows.first { $0.name == "uplinks[0].kinds" }?.value == .words(["movement", "parking"]))
  }
  for tags in ["'c0:ff:ee:01:02:03 fd5a'", "'c0:ff:ee:01:02:03+fd5a'", "['c0:ff:ee:01:02:03', 'fd5a']"] {
    let read = try configuration("{ presence: { tags: \(tags) } }").configuration.presence?.tags.map(\.text)
    #expect(read == ["C0:FF:EE:01:02:03", "0000fd5a-0000-1000-8000-00805f9b34fb"], "\(tags)")
  }
  for tags in ["['fd5a', 7]", "[]", "['fd5a', 'my phone']", "7"] {
    #expect(problems("{ presence: { tags: \(tags) } }").count == 1, "\(tags)")
  }
}
