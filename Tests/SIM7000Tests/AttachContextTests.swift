import Quantities
import Testing

@testable import SIM7000

/// The modem attaches with its first context and with two copies of it: names that an earlier card has left in the copies keep it out
/// of LTE (vshymanskyy/TinyGSM#421).
@Suite struct AttachContextTests {
  private let setting = "+CGDCONT="

  private func modem(
    named first: String, copies: [Int: String], _ change: (inout ModemConfiguration) -> Void = { _ in }
  ) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration(change))
    modem.accessPoint = first
    modem.otherContexts = copies
    return modem
  }

  private func settings(_ modem: ScriptedModem) -> [String] { modem.commands.filter { $0.hasPrefix(setting) } }

  @Test func copiesOfAnotherNameAreLeftAloneWhileTheModemIsWell() {
    // A network may have defined them.
    let modem = modem(named: "IOT.example", copies: [2: "ims", 13: "operator.example", 14: "operator.example"])
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)))
    modem.run(for: .seconds(86_400))
    #expect(settings(modem) == [])
  }

  @Test func whenTheFirstIsRenamedItsCopiesAre() {
    for (copies, renamed) in [
      ([13: "old.example", 14: "old.example"], [13, 14]), ([13: "old.example"], [13]), ([14: "old.example"], [14]),
      ([13: "", 14: "IOT.example"], []), ([2: "ims", 15: "old.example"], []), ([:], []),
    ] {
      let modem = modem(named: "old.example", copies: copies)
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(60)))
      // The first comes last: power that is cut in between leaves a modem that is still to be renamed.
      #expect(settings(modem) == (renamed + [1]).map { "\(setting)\($0),\"IP\",\"iot.example\"" }, "\(copies)")
      modem.submit(by: .http)
      #expect(modem.deliver(within: .seconds(60)))
      #expect(settings(modem).count == renamed.count + 1)
    }
  }

  @Test func aCopyThatIsRefusedStopsNothing() {
    let modem = modem(named: "old.example", copies: [13: "old.example", 14: "old.example"])
    modem.script = { _, command, _ in command.hasPrefix("+CGDCONT=13") ? .say(["+CME ERROR: 3"]) : nil }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)) && modem.recoveries.isEmpty)
    #expect(modem.count("+CGDCONT=13") == 1)
    #expect(modem.accessPoint == "iot.example" && modem.otherContexts[14] == "iot.example")
  }

  /// They are named right before the next search is over.
  @Test func aModemThatFindsNoNetworkHasItsCopiesRenamed() throws {
    let modem = modem(named: "iot.example", copies: [13: "old.example", 14: "old.example"]) {
      $0.deliveryTimeout = .seconds(3600)
    }
    modem.registration = "2"
    modem.submit(by: .http)
    modem.run(for: .seconds(180))
    #expect(settings(modem) == [])
    modem.run(for: .seconds(60))
    #expect(modem.recoveries.first?.trouble == .notRegistered)
    #expect(settings(modem).count == 2 && modem.otherContexts == [13: "iot.example", 14: "iot.example"])
    let search = try #require(modem.times("+CFUN=1").first)
    for time in modem.times(setting) { #expect(time - search < .seconds(15)) }
    modem.registration = "1"
    modem.say(["+CEREG: 1"])
    #expect(modem.deliver(within: .seconds(60)))
  }

  /// One that is registered in GSM, where nothing lets it rest, has them renamed before it is made to search anew; later ones, too.
  @Test func aModemThatIsNotLetToRestHasItsCopiesRenamed() throws {
    let modem = modem(named: "iot.example", copies: [:]) { $0.idle = .powerSaving }
    modem.run(for: .seconds(60))
    for _ in 0..<2 {
      let begun = modem.now
      modem.otherContexts = [13: "old.example"]
      for _ in 0..<240 where modem.count("+CFUN=0", since: begun) == 0 { modem.run(for: .seconds(60)) }
      #expect(modem.otherContexts == [13: "iot.example"])
      let renamed = try #require(modem.times(setting).last)
      let off = try #require(modem.times("+CFUN=0").last)
      #expect(renamed > begun && off > renamed && off - renamed < .seconds(2))
    }
  }

  @Test func withoutANameOfItsOwnNothingIsRenamed() {
    let modem = modem(named: "operator.example", copies: [13: "old.example"]) {
      $0.idle = .powerSaving
      $0.accessPoint = AccessPointName()
    }
    modem.run(for: .seconds(86_400))
    #expect(modem.count("+CGDCONT") == 0 && modem.count("+CFUN=0") > 2)
  }
}
