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
    var configuration = SimulatedModemConfiguration()
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

  @Test func aRegistrationMayBeAnsweredWithTheResultAlone() {
    var other = bench(.registrationUnanswered)
    for command in ["AT+CREG?", "AT+CGREG?", "AT+CEREG?"] { #expect(other.exchange(command) == lines("OK")) }
    #expect(other.exchange("AT+CGATT?").hasSuffix(lines("OK")) && other.exchange("AT+CGATT?").contains("+CGATT: 1"))
  }

  @Test func warningsOfTheSupplyStandFourTimesBeforeAResult() {
    for (trait, text) in [
      (FirmwareTrait.overVoltage, "OVER-VOLTAGE WARNNING"), (.underVoltage, "UNDER-VOLTAGE WARNNING"),
    ] {
      var other = bench(trait)
      let answers = (0..<16).map { _ in other.exchange("AT") }
      let warned = lines(text) + lines(text) + lines(text) + lines(text) + lines("OK")
      #expect(answers.filter { $0 == lines("OK") }.count == 14 && answers.filter { $0 == warned }.count == 2)
    }
  }

  @Test func theBrokerMayBeTakenInOneOnly() {
    var other = bench(.joinedBroker)
    var usual = bench()
    #expect(other.exchange("AT+SMCONF=\"URL\",\"broker.example\",\"1883\"") == lines("ERROR"))
    #expect(other.exchange("AT+SMCONF=\"URL\",\"broker.example:1883\"") == lines("OK"))
    #expect(usual.exchange("AT+SMCONF=\"URL\",\"broker.example\",\"1883\"") == lines("OK"))
  }

  @Test func everyTraitHasItsData() {
    let usual = FirmwareDialect()
    for trait in FirmwareTrait.allCases { #expect(FirmwareDialect([trait]) != usual, "\(trait)") }
    let all = FirmwareDialect(FirmwareTrait.allCases)
    #expect(all.refused.count == 8 && all.omitted.count == 4 && all.doubled.count == 4 && all.spellings.count == 3)
    #expect(all.unanswered.count == 3 && all.warnings.count == 2 && all.outcomesFirst.count == 1 && all.joinsBroker)
  }
}
