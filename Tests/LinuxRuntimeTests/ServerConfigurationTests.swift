import Testing

@testable import LinuxRuntime

/// What servers pass over without a word is warned of; beside each a configuration that is right.
@Suite struct ServerConfigurationTests {
  private func warnings(_ uplink: String) throws(BoardConfigurationFailure) -> [String] {
    try BoardConfigurationFile(text: "{ uplinks: [{ \(uplink) }] }", name: "x").warnings
  }

  @Test(arguments: [
    ("https://a.example/pub", "", true), ("https://a.example/pub?u=me", "", true),
    ("https://a.example/pub", ", headers: { \"X-Limit-U\": \"me\" }", true),
    ("https://a.example/pub?u=me&d=bike", "", false), ("https://a.example/points?api_key=k", "", false),
    ("https://a.example/pub", ", headers: { \"x-limit-u\": \"me\", \"X-Limit-D\": \"bike\" }", false),
  ])
  func ownTracksOverHTTPNamesItsTracker(url: String, more: String, isWarned: Bool) throws {
    let warnings = try warnings("by: \"http\", url: \"\(url)\", format: \"ownTracks\"\(more)")
    #expect(
      warnings.contains { $0.contains("names nobody without X-Limit-U and X-Limit-D") } == isWarned, "\(warnings)")
  }

  @Test(arguments: [
    ("/api/webhook/4711", "", true), ("/api/webhook/4711", ", inAddress: true", false), ("/osmand", "", false),
  ])
  func aWebhookOfHomeAssistantReadsTheAddress(path: String, more: String, isWarned: Bool) throws {
    let warnings = try warnings("by: \"http\", url: \"https://a.example\(path)\", format: \"osmAnd\"\(more)")
    #expect(warnings.contains { $0.contains("expected inAddress: true") } == isWarned, "\(warnings)")
  }

  @Test(arguments: [("owntracks/me/bike/cmd", false), ("owntracks/me/car/cmd", true), ("leash/commands", true)])
  func requestsOfOwnTracksComeBelowTheTopic(topic: String, isWarned: Bool) throws {
    let warnings = try warnings(
      "by: \"mqtt\", host: \"127.0.0.1\", topic: \"owntracks/me/bike\", retain: true, format: \"ownTracks\", "
        + "commandTopic: \"\(topic)\"")
    #expect(warnings.contains { $0.contains("sends requests to \"owntracks/me/bike/cmd\"") } == isWarned, "\(warnings)")
  }

  @Test(arguments: [
    ("[\"b\", \"c:1884\"]", nil), ("[\"a\"]", "\"a:1883\""), ("[\"a:1884\", \"c\", \"c:1883\"]", "\"c:1883\""),
  ])
  func aBrokerThatIsListedTwiceIsTold(others: String, named: String?) throws {
    let warnings = try warnings("by: \"mqtt\", host: \"a\", otherHosts: \(others)").filter { $0.contains("otherHosts") }
    #expect(warnings.count == (named == nil ? 0 : 1) && warnings.allSatisfy { $0.contains(named ?? "") }, "\(warnings)")
  }

  @Test(arguments: [
    ("http://a/p", "[\"b\", \"b:81\"]", nil), ("http://a/p", "[\"a\"]", "\"a:80\""),
    ("https://a/p", "[\"b\", \"a:443\"]", "\"a:443\""), ("http://a:81/p", "[\"a:81\", \"b\"]", "\"a:81\""),
    ("http://a/p", "[\"b\", \"b\"]", "\"b:80\""),
  ])
  func aWebServerThatIsListedTwiceIsTold(url: String, others: String, named: String?) throws {
    let warnings = try warnings("by: \"http\", url: \"\(url)\", otherHosts: \(others)")
      .filter { $0.contains("otherHosts") }
    #expect(warnings.count == (named == nil ? 0 : 1) && warnings.allSatisfy { $0.contains(named ?? "") }, "\(warnings)")
  }

  /// Scheme, path and query are those of the first, and its port where none is said.
  @Test func otherHostsAreTheSameAddressElsewhere() throws {
    func urls(_ url: String) throws -> [String] {
      let file = try BoardConfigurationFile(
        text: "{ uplinks: [{ by: \"http\", url: \"\(url)\", otherHosts: [\"b\", \"c:81\", \"::1\", \"[::2]:82\"] }] }",
        name: "x")
      guard case .http(let settings)? = file.configuration.uplinks.first?.kind else { return [] }
      return settings.otherURLs
    }
    #expect(
      try urls("https://a/pub?k=1")
        == ["https://b/pub?k=1", "https://c:81/pub?k=1", "https://[::1]/pub?k=1", "https://[::2]:82/pub?k=1"])
    #expect(
      try urls("http://[::3]:90/x") == ["http://b:90/x", "http://c:81/x", "http://[::1]:90/x", "http://[::2]:82/x"])
  }

  @Test(arguments: [
    ("otherHosts: [\"b\", \"c d\"]", "x:1:93: 'uplinks[0].otherHosts'", "[1] is none"),
    ("otherHosts: [\"https://b/pub\"]", "x:1:93:", "[0] is none"),
    ("otherHosts: [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"]", "x:1:93:", "7 at most"),
    ("trusted: [\"locate\"], otherHosts: [\"elsewhere\"]", "x:1:90:", "expected TLS"),
  ])
  func nonsenseAboutWebServersIsToldWithItsPlace(keys: String, place: String, words: String) {
    do {
      _ = try BoardConfigurationFile(
        text: "{ trackerId: \"x\", uplinks: [{ by: \"http\", url: \"http://127.0.0.1/pubpubpubpub\", \(keys) }] }",
        name: "x")
      Issue.record("nothing is told")
    } catch {
      guard case .invalid(let lines) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(lines.contains { $0.hasPrefix(place) && $0.contains(words) }, "\(lines)")
    }
  }

  @Test func aZoneForTwoFencesIsTold() throws {
    func told(_ zones: String) throws -> Bool {
      try warnings("by: \"mqtt\", host: \"127.0.0.1\", homeAssistant: { zones: \(zones) }")
        .contains { $0.contains("\"Home\" stands for the fences 1 and 3") }
    }
    #expect(try told("[\"Home\", \"Garden\", \"Home\"]"))
    #expect(try !told("[\"Home\", \"Garden\"]"))
  }

  @Test func tokensInAddressesAreNotShown() throws {
    let file = try BoardConfigurationFile(
      text: """
        { modem: { port: "/dev/a", url: "http://a.example/modem/TOKMODEM?k=QK77" }, uplinks: [
          { by: "modem" }, { by: "http", url: "https://api.telegram.org/botTELTOKEN/sendMessage?secretq=s", receiver: "b" } ] }
        """, name: "x")
    let text = file.text(isEffective: true)
    for secret in ["TOKMODEM", "QK77", "TELTOKEN", "=s"] { #expect(!text.contains(secret), "\(text)") }
    #expect(text.contains("http://a.example/modem/(hidden)?k=(hidden)"))
  }
}
