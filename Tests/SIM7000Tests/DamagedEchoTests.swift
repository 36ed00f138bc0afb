import Quantities
import Testing

@testable import SIM7000

/// What the line does to an echo is no fault of what lies behind it.
@Suite struct DamagedEchoTests {
  /// A byte of the echo of these is lost the first times.
  private func modem(losing names: [String], times: Int, of way: ModemTransport) -> ScriptedModem {
    let modem = ScriptedModem(isOn: true)
    var lost: [String: Int] = [:]
    modem.echoScript = { _, line in
      guard let name = names.first(where: { line.hasPrefix("AT\($0)") }) else { return line }
      let key = name.count > 3 ? name : String(line.prefix(10))
      lost[key, default: 0] += 1
      return lost[key, default: 0] <= times ? line.replacing("T+", with: "+", maxReplacements: 1) : line
    }
    modem.submit(by: way)
    return modem
  }

  private func expectsNoRemedy(_ modem: ScriptedModem) {
    #expect(modem.recoveries.allSatisfy { $0.rung == .retry && $0.trouble == .unanswered }, "\(modem.recoveries)")
    #expect(modem.count("+CFUN=") == 0 && modem.count("+CGATT=") == 0 && modem.count("+CNACT=0") == 0)
  }

  @Test(arguments: [ModemTransport.mqtt, .http, .applicationTCP]) func aBearerWhoseCommandCameBackDamagedIsAskedFor(
    way: ModemTransport
  ) {
    let modem = modem(losing: ["+CNACT=1"], times: 1, of: way)
    #expect(modem.deliver(within: .seconds(20)))
    #expect(modem.count("+CNACT=1") == 1 && modem.recoveries.count == 1 && modem.delivered == 1)
    expectsNoRemedy(modem)
  }

  /// A byte of each command of bearers and sessions is lost, twice.
  @Test(arguments: [ModemTransport.mqtt, .http, .tcp, .applicationTCP, .legacyHTTP])
  func aLineThatDamagesEachCommandTwiceIsNoReasonForARemedy(way: ModemTransport) {
    let modem = modem(losing: ["+CN", "+SM", "+SH", "+CI", "+SA", "+CA", "+HT"], times: 2, of: way)
    #expect(modem.deliver(within: .seconds(120)), "\(modem.log.suffix(20))")
    #expect(modem.delivered == 1)
    #expect(modem.count("+CFUN=") == 0 && modem.count("+CGATT=") == 0, "\(modem.recoveries)")
  }

  /// What comes back of a command is never what was sent: no remedy below the session, and none for long.
  @Test func aModemWhoseEchoIsAlwaysDamagedIsNotReset() {
    let modem = modem(losing: ["+SMCONN"], times: 1000, of: .mqtt)
    modem.run(for: .seconds(900))
    #expect(modem.count("+CFUN=") == 0 && modem.count("+CGATT=") == 0, "\(modem.recoveries)")
    #expect(modem.recoveries.contains { $0.rung == .session })
  }

  @Test func theRadioIsSwitchedOnThoughItsCommandCameBackDamaged() {
    let modem = modem(losing: ["+CFUN=1"], times: 2, of: .mqtt)
    modem.registration = "3"
    modem.run(for: .seconds(60)) { $0.count("+CFUN=0") == 0 }
    modem.registration = "1"
    #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 1)
    #expect(modem.count("+CFUN=1") == 3 && modem.count("+CFUN=1,1") == 0)
  }

  /// Of a command that asked for a payload only the name came back damaged: its length is right, and what else would be sent to fill it up
  /// would be published.
  @Test(arguments: [ModemTransport.mqtt, .tcp, .applicationTCP, .http])
  func aPayloadIsGivenToACommandThatTheModemHasTaken(way: ModemTransport) {
    let names = ["+SMPUB", "+CIPSEND", "+CASEND", "+SHBODEXT"]
    let modem = modem(losing: names, times: 1, of: way)
    #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 1)
    #expect(modem.payloads.count == 1 && modem.payloads[0].bytes.starts(with: Array("{\"a\":1}".utf8)))
    #expect(modem.recoveries.isEmpty)
  }
}
