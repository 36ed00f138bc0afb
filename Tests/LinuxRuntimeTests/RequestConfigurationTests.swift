import Quantities
import Testing
import TrackerCore

@testable import LinuxRuntime

/// Who may ask what, as the file says it.
@Suite struct RequestConfigurationTests {
  private let key = String(repeating: "0f", count: 32)

  @Test func theListsOfAFileDecideWhoIsLetIn() throws {
    let file = try configuration(
      """
      { uplinks: [ { by: 'http', url: 'https://a.example/' },
        { by: 'mqtt', host: 'b.example', tls: true, trusted: ['dismiss', 'locate'] } ],
        requests: { key: '\(key)', pin: '4711', senders: ['+31600000000'], trusted: ['all'] } }
      """)
    let door = file.configuration.requestDoor
    #expect(door.key != nil && door.pin.count == 4)
    #expect(door[.way(0)].isEmpty && door[.answer(0)].isEmpty && door[.console].isEmpty)
    #expect(door[.way(1)] == [RequestKindSet(.dismiss), RequestKindSet(.locate)])
    #expect(door[.textMessage()].contains(.reboot))
    // Nothing of it is shown.
    for isEffective in [true, false] {
      let shown = file.text(isEffective: isEffective)
      #expect(!shown.contains(key) && !shown.contains("4711"))
    }
    let none = try configuration("{}").configuration.requestDoor
    #expect(none.key == nil && none.pin.isEmpty && none[.textMessage()].isEmpty)
  }

  @Test func whatIsNoKeyPINNumberOrListIsToldWithItsPlace() throws {
    for (text, problem) in [
      ("{ requests: { key: '\(key)0' } }", "1:20: 'requests.key': expected 64 hexadecimal digits"),
      ("{ requests: { pin: '471' } }", "1:20: 'requests.pin': expected four to eight digits"),
      ("{ requests: { pin: '123456789' } }", "1:20: 'requests.pin': expected four to eight digits"),
    ] { #expect(problems(text) == [problem]) }
    for numbers in [
      "'0600'", "['0600']", "['+31 600000000']", "['+12345', '+']", "['+123456789012345678901']", "['+1234']",
    ] {
      #expect(problems("{ requests: { senders: \(numbers) } }").count == 1, "\(numbers)")
    }
    #expect(
      try configuration("{ requests: { senders: ['+12345', '+31600000000'] } }").configuration.requests.senders.count
        == 2)
    #expect(problems("{ requests: { trusted: ['fly'] } }").count == 1)
    #expect(
      problems("{ uplinks: [ { by: 'http', url: 'https://a.example/', trusted: ['locate', 'fly'] } ] }").count == 1)
  }

  @Test func aListWithoutEncryptionIsRefused() throws {
    #expect(
      problems("{ uplinks: [ { by: 'mqtt', host: 'b.example', trusted: ['locate'] } ] }") == [
        "1:56: 'uplinks[0].trusted': the connection to \"b.example\" can be intercepted; expected TLS, or a server on this machine"
      ])
    #expect(problems("{ uplinks: [ { by: 'http', url: 'http://b.example/', trusted: ['locate'] } ] }").count == 1)
    for way in [
      "by: 'mqtt', host: '127.0.0.1'", "by: 'mqtt', host: 'b.example', tls: true",
      "by: 'http', url: 'https://b.example/'",
      "by: 'http', url: 'http://localhost:8080/'",
    ] {
      let file = try configuration("{ uplinks: [ { \(way), trusted: ['locate'] } ] }")
      #expect(file.configuration.requestDoor[.way(0)] == RequestKindSet(.locate), "\(way)")
    }
    // The modem's own connections, of which not all can be encrypted.
    func modem(_ modem: String, _ transport: String) -> [String] {
      problems("{ modem: { \(modem) }, uplinks: [ { by: 'modem', transport: '\(transport)', trusted: ['locate'] } ] }")
    }
    #expect(modem("url: 'https://b.example/'", "http").isEmpty)
    #expect(modem("url: 'http://b.example/'", "http").count == 1)
    #expect(modem("mqtt: { host: 'b.example', tls: true }", "mqtt").isEmpty)
    #expect(modem("mqtt: { host: 'b.example' }", "mqtt").count == 1)
    #expect(modem("tcp: { host: 'b.example', port: 5 }", "tcp").count == 1)
  }

  @Test func aTokenHasSixteenCharactersOrMore() throws {
    let token = "quince-marmalade"
    let file = try configuration("{ page: { token: '\(token)' } }")
    #expect(file.configuration.pageToken?.revealed == token && file.configuration.page?.port == 8600)
    for isEffective in [true, false] { #expect(!file.text(isEffective: isEffective).contains(token)) }
    #expect(
      problems("{ page: { token: '\(token.dropLast())' } }") == ["1:18: 'page.token': expected 16 characters or more"])
    let door = try #require(file.configuration.pageDoor)
    #expect(door.key != nil && door.reach.contains(.dismiss) && !door.reach.contains(.set) && door[.page].isEmpty)
    #expect(try configuration("{ page: {} }").configuration.pageDoor == nil)
  }
}
