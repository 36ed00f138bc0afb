import ModemSimulation
import Quantities
import Testing

/// Firmware that does otherwise than its manual.
@Suite struct FirmwareDialectTests {
  private func bench(_ traits: FirmwareTrait...) -> Bench {
    Bench.running { $0.dialect = FirmwareDialect(traits) }
  }

  @Test func whatAFirmwareDoesNotHaveIsRefused() {
    for (trait, command) in [
      (FirmwareTrait.noDigits, "AT+CMGF=0"), (.noStoreList, "AT+CMGL=4"),
      (.noSupplyNotices, "AT+CBATCHK=1"), (.noNetworkTime, "AT+CLTS=1"),
    ] {
      var other = bench(trait)
      var usual = bench()
      #expect(other.exchange(command) == lines("ERROR"), "\(trait)")
      #expect(usual.exchange(command) == lines("OK"), "\(trait)")
    }
    // Only that form of it.
    var words = bench(.noDigits)
    #expect(words.exchange("AT+CMGF=1") == lines("OK"))
  }

  @Test func linesAreSpeltAsTheFirmwareDoes() {
    for (trait, text) in [
      (FirmwareTrait.revisionWithBlank, "Revision: 1351B05SIM7000E"), (.revisionWithoutWord, "1351B05SIM7000E"),
    ] {
      var other = bench(trait)
      #expect(other.exchange("AT+CGMR") == lines(text, "OK"))
    }
  }

  @Test func linesAreLeftOutOrSaidTwice() {
    var configuration = ModemConfiguration()
    configuration.dialect = FirmwareDialect([.messagesReadyMissed, .functionMissed, .registrationTwice])
    var other = Bench(configuration)
    other.press(.powerKey, for: .milliseconds(1_100))
    other.wait(.seconds(9))
    let text = other.take()
    #expect(text.contains("RDY") && text.contains("+CPIN: READY"))
    #expect(!text.contains("SMS Ready") && !text.contains("+CFUN"))
    // It works all the same.
    #expect(other.exchange("ATE0;+CMGL=\"ALL\"").hasSuffix(lines("OK")) || other.exchange("AT+CMGL=4") == lines("OK"))
  }

  @Test func everyTraitHasItsData() {
    let usual = FirmwareDialect()
    for trait in FirmwareTrait.allCases { #expect(FirmwareDialect([trait]) != usual, "\(trait)") }
    let all = FirmwareDialect(FirmwareTrait.allCases)
    #expect(all.refused.count == 8 && all.omitted.count == 4 && all.doubled.count == 4 && all.spellings.count == 3)
  }
}
