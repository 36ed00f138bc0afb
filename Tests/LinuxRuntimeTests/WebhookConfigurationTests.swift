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

  @Test func onlyAFormGoesIntoAnAddress() {
    #expect(problem("format: \"osmAnd\", inAddress: true") == nil)
    #expect(problem("inAddress: true")?.contains("expected the format \"osmAnd\"") == true)
    #expect(problem("format: \"osmAnd\", body: \"{packet}\", inAddress: true")?.contains("no 'body'") == true)
  }

  @Test func aHeaderWithoutAKeySignsNothing() throws {
    #expect(try file("sign: { header: \"X-Hub\" }").warnings.contains { $0.contains("nothing is signed") })
  }
}
