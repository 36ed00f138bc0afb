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
