import ModemSimulation
import Quantities
import Testing

/// What ModemManager 1.20, gammu 1.42 and python-gsmmodem were seen to send to an unknown modem.
private let probes = [
  "AT^SQPORT?", "AT", "ATE0", "ATV1", "ATX4", "AT&C1", "ATI", "ATH", "ATZE0", "AT+GCAP", "AT+CGMI", "AT+CGMM",
  "AT+CGMR",
  "AT+CGSN", "AT+CMEE=1", "AT+IFC=?", "AT+IFC=2,2", "AT+WS46=?", "AT+CSCS=?", "AT+CSCS=\"UCS2\"", "AT+CSCS=\"IRA\"",
  "AT+CSCS=\"GSM\"", "AT+CSCS?", "AT+CGDCONT=?", "AT+CFUN?", "AT+CPIN?", "AT+CSIM=10,\"0020000100\"",
  "AT+CSIM=10,\"002C000100\"", "AT+CSIM=10,\"0020008100\"", "AT+CRSM=176,12258,0,0,10", "AT+CRSM=176,28589,0,0,4",
  "AT+CRSM=176,28486,0,0,17", "AT+CIMI", "AT+CNUM", "AT+CPOL?", "AT+CPLS=0", "AT+CLCK=?", "AT+CLCK=\"SC\",2",
  "AT+CEMODE?", "AT+CUSD=?", "AT+CESQ=?", "AT+CLCC=?", "AT+CCWA=1", "AT+CLIP=1", "AT+CRC=1", "AT+CTZU=1",
  "AT+CGEREP=?", "AT+CREG=2", "AT+CGREG=2", "AT+COPS=3,0", "AT+COPS=3,2", "AT+COPS?", "AT+CNMI=?",
  "AT+CNMI=2,1,2,1,0", "AT+CPMS=?", "AT+CPMS?", "AT+CPMS=\"SM\"", "AT+CMGF=0", "AT+CMGL=4", "AT+CNSMOD=?",
  "AT+CNSMOD=1", "AT+CNSMOD?", "AT+AUTOCSQ=?", "AT+CPCMREG=?", "AT*CNTI=2", "AT+MODE=2", "AT+CPROT=?", "AT+SYNCML=?",
  "AT$TSSPCSW=?", "AT+CHUP=?", "AT+CSCA?",
]

@Suite struct GenericClientTests {
  @Test func everyProbeOfAGenericClientIsAnswered() {
    var bench = Bench.running()
    for probe in probes {
      let text = bench.exchange(probe)
      #expect(text.hasSuffix(lines("OK")) || text.contains("ERROR"), "\(probe): \(text)")
    }
  }

  @Test func theFormsThatClientsInsistOnAreThere() {
    var bench = Bench.running()
    for probe in ["+CSCS=?", "+CSCS?", "+CPMS=?", "+CNMI=?", "+CGDCONT=?", "+CREG?", "+CRSM=176,12258,0,0,10"] {
      #expect(bench.exchange("AT" + probe).hasSuffix(lines("OK")), "\(probe)")
    }
    #expect(bench.exchange("AT+CSIM=10,\"0020000100\"") == lines("+CSIM: 4,\"63C3\"", "OK"))
    #expect(bench.exchange("AT+CRSM=176,12258,0,0,10") == lines("+CRSM: 144,0,\"98648001090684183254\"", "OK"))
    _ = bench.exchange("AT+CREG=2")
    #expect(bench.exchange("AT+CREG?").contains(",\"2AFE\",\"20F6A17\","))
  }

  @Test func aHostThatStartsWithEscapeIsUnderstood() {
    var bench = Bench.running()
    #expect(bench.exchange("\u{1B}\rAT") == lines("OK"))
  }

  @Test func identityIsThatOfTheProfile() {
    for (profile, revision) in [
      (ModemProfile.b03, "1351B03SIM7000E"), (.b05, "1351B05SIM7000E"), (.g10, "1529B10SIM7000G"),
    ] {
      var configuration = SimulatedModemConfiguration(profile: profile)
      configuration.startsPoweredOff = false
      var bench = Bench(configuration)
      _ = bench.exchange("ATE0")
      #expect(bench.exchange("AT+GMR") == lines("Revision:\(revision)", "OK"))
      #expect(bench.exchange("ATI").contains("SIM7000"))
      #expect(bench.exchange("AT+GSN") == lines("865235030116418", "OK"))
    }
  }

  @Test func settingsMayFailRightAfterTheStart() {
    var bench = Bench.running { $0.power.settingsFailingAfterStart = 2 }
    #expect(bench.exchange("AT+CREG=1") == lines("ERROR"))
    #expect(bench.exchange("AT+CNMI=2,1") == lines("ERROR"))
    #expect(bench.exchange("AT+CREG=1") == lines("OK"))
  }

  @Test func aSearchMayBeGivenUp() {
    var bench = Bench.running {
      $0.network.access = [.catM]
      $0.network.searchGivesUpAfter = .seconds(90)
    }
    _ = bench.exchange("AT+CEREG=1;+CNMP=13", for: .seconds(200))
    #expect(bench.exchange("AT+CEREG?") == lines("+CEREG: 1,0", "OK"))
  }
}
