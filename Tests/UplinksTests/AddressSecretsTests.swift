import Testing

@testable import Uplinks

/// What is shown of an address, and what must not be.
@Suite struct AddressSecretsTests {
  @Test(arguments: [
    ("https://track.example:8443/pub", "https://track.example:8443/pub", []),
    ("http://track.example", "http://track.example", []),
    ("https://ha.example/api/webhook/4f8a", "https://ha.example/api/webhook/***", ["4f8a"]),
    (
      "https://api.telegram.org/bot123:TELTOKEN/sendMessage", "https://api.telegram.org/***/***",
      ["bot123:TELTOKEN", "sendMessage"]
    ),
    ("/modem/TOKMODEM?k=QK77&u=", "/modem/***?k=***&u=", ["k=QK77&u=", "TOKMODEM", "QK77"]),
    ("https://h.example/v1/pub?secretq", "https://h.example/v1/pub?***", ["secretq", "secretq"]),
    ("https://h.example?k=a=b", "https://h.example?k=***", ["k=a=b", "a=b"]),
    ("https://h.example/thirteenlongs/", "https://h.example/***/", ["thirteenlongs"]),
    ("/", "/", []),
  ])
  func tokensAndValuesAreHiddenAndPlainWordsStay(address: String, shown: String, secrets: [String]) {
    #expect(AddressSecrets.hidden(address) == shown)
    #expect(AddressSecrets.secrets(in: address) == secrets)
  }

  @Test func whatStandsForThemIsTheCallers() {
    #expect(AddressSecrets.hidden("http://h/a1?k=2", by: "(hidden)") == "http://h/(hidden)?k=(hidden)")
  }
}
