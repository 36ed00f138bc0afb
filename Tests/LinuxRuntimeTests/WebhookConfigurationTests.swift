import Testing
import Uplinks

@testable import LinuxRuntime

@Suite struct WebhookConfigurationTests {
  private func file(_ uplink: String) throws(BoardConfigurationFailure) -> BoardConfigurationFile {
    try BoardConfigurationFile(
      text: "{ uplinks: [{ by: \"http\", url: \"https://a.example/\", \(uplink) }] }", name: "x")
  }

  private func problem(_ uplink: String) -> String? {
    do throws(BoardConfigurationFailure) {
      _ = try file(uplink)
      return nil
    } catch {
      guard case .invalid(let lines) = error else { return "unreadable" }
      return lines.joined(separator: "\n")
    }
  }

  @Test func aTextWithPlacesAndAKeyAreTaken() throws {
    let read = try file("body: \"{ \\\"t\\\": \\\"{alert.id}\\\" }\", sign: { key: \"top secret\", header: \"X-Hub\" }")
    guard case .http(let settings)? = read.configuration.uplinks.first?.kind else {
      Issue.record("no uplink by http")
      return
    }
    #expect(settings.template?.names == ["alert.id"] && settings.signingKey?.revealed == "top secret")
    #expect(settings.signatureHeader == "X-Hub")
    #expect(!read.text(isEffective: true).contains("top secret"), "and is never shown")
  }

  @Test func whatCantBeFilledIsRefused() {
    #expect(problem("body: \"nothing of it\"")?.contains("a placeholder such as {packet}") == true)
    #expect(
      problem("format: \"text\", body: \"{alert.id}\"")?.contains("{alert.id} is known of packets in the form") == true)
    #expect(problem("format: \"text\", body: \"{packet}\"") == nil)
    #expect(problem("sign: { key: \"k\", header: \"a b\" }")?.contains("letters, digits and hyphens") == true)
  }

  @Test func aBodyThatIsNoJSONThoughItSaysSoIsWarnedOf() throws {
    func warnings(_ uplink: String) throws -> [String] { try file(uplink).warnings.filter { $0.contains("body") } }
    #expect(
      try warnings("body: '{\"p\":{packet}'") == [
        "x:1:60: 'uplinks[0].body' is no JSON, as its content type says; expected JSON, or contentType: \"text/plain\""
      ])
    for uplink in [
      "body: '{\"ts\":{utcMilliseconds},\"values\":{packet}}'", "body: \"{timedPacket}\"",
      "body: '{\"a\":{alert},\"r\":{ride},\"f\":{fence}}'", "contentType: \"text/plain\", body: \"at {latitude}\"",
      "format: \"text\", body: \"{packet}!\"",
    ] { #expect(try warnings(uplink) == []) }
  }

  @Test func headersThatFollowFromTheBodyAreRefused() {
    #expect(problem("headers: { \"Content-Length\": \"3\" }")?.contains("other than Content-Length") == true)
    #expect(problem("headers: { \"transfer-encoding\": \"chunked\" }")?.contains("other than Content-Length") == true)
    #expect(problem("headers: { \"Content-Language\": \"en\" }") == nil)
  }

  @Test func aPlaceThatNoPacketEverFillsIsRefused() throws {
    #expect(
      problem("body: \"{alert.detektor} {packet}\"")
        == "x:1:60: 'uplinks[0].body': no packet has {alert.detektor}; did you mean {alert.detector}?")
    #expect(problem("body: \"{lattitude}\"")?.hasSuffix("did you mean {latitude}?") == true)
    #expect(problem("body: \"{xyzzy.plugh}\"")?.contains("no packet has {xyzzy.plugh}; docs/packets.md lists") == true)
    #expect(
      problem("body: \"{packet}\", headers: { Title: \"{alert.idd} hunter2\" }")
        == "x:1:81: 'uplinks[0].headers': no packet has the placeholder in the header \"Title\"; docs/packets.md lists what there is"
    )
    // Without a template headers are sent as they are.
    #expect(problem("headers: { Title: \"{alert.idd}\" }") == nil)
    // Everything that the page on packets has is known.
    #expect(
      problem(
        "body: \"{type} {trackerId} {sequence} {boot} {utc} {latitude} {speed} {alert.onset} {ride.topSpeed} {movingTime} {climb}"
          + " {status.value} {fence.name} {alarm.number} {place.name} {battery} {signal} {mcc} {near}\"") != nil,
      "topSpeed is no member of ride")
    #expect(
      problem(
        "body: \"{type} {trackerId} {sequence} {boot} {utc} {latitude} {speed} {alert.onset} {topSpeed} {movingTime} {climb}"
          + " {status.value} {fence.name} {alarm.number} {place.name} {battery} {signal} {mcc} {near}\"") == nil)
  }

  /// A header that stays empty is told as a body is that does.
  @Test func aPlaceInAHeaderThatIsNeverFilledIsRefused() throws {
    for name in ["nosuch", "alert.id"] {
      #expect(
        problem("format: \"text\", body: \"{packet}\", headers: { Title: \"alert {\(name)}\" }")?.contains(
          "the placeholder in the header \"Title\" would be empty: this way has the form \"text\"") == true)
    }
    #expect(problem("format: \"text\", body: \"{packet}\", headers: { Title: \"{packet}\", X: \"{ }\" }") == nil)
    #expect(problem("body: \"{packet}\", headers: { Title: \"{alert.id}\" }") == nil)
    // Without a body nothing is filled.
    func warnings(_ uplink: String) throws -> [String] {
      try file(uplink).warnings.filter { $0.contains("sent as it is") }
    }
    #expect(try warnings("headers: { Title: \"{alert.id}\" }").count == 1)
    #expect(try warnings("headers: { Title: \"{nosuch}\", A: \"b\" }").isEmpty)
    #expect(try warnings("body: \"{packet}\", headers: { Title: \"{alert.id}\" }").isEmpty)
  }

  @Test func anEmptyKeySignsNothing() throws {
    #expect(
      try file("sign: {}").warnings.filter { $0.contains("sign") } == [
        "x:1:54: 'uplinks[0].sign' is empty: nothing is signed; expected 'key' in it"
      ])
  }

  @Test(arguments: [("k", true), ("seven77", true), ("eight888", false)])
  func aKeyThatIsSoonGuessedIsWarnedOf(key: String, isWarned: Bool) throws {
    let warnings = try file("sign: { key: \"\(key)\" }").warnings
    #expect(warnings.contains { $0.contains("bytes are soon guessed") } == isWarned, "\(warnings)")
  }

  @Test func onlyAFormGoesIntoAnAddress() {
    #expect(problem("format: \"osmAnd\", inAddress: true") == nil)
    #expect(problem("inAddress: true")?.contains("expected the format \"osmAnd\"") == true)
    #expect(problem("format: \"osmAnd\", body: \"{packet}\", inAddress: true")?.contains("no 'body'") == true)
  }

  @Test func aHeaderWithoutAKeySignsNothing() throws {
    #expect(try file("sign: { header: \"X-Hub\" }").warnings.contains { $0.contains("nothing is signed") })
  }
}
