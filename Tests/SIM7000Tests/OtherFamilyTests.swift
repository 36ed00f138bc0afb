import Quantities
import Testing

@testable import SIM7000

/// A modem of another family is told from a SIM7000 by its firmware, and left alone.
@Suite struct OtherFamilyTests {
  private func modem(_ revision: String, answering line: String, to names: [String]) -> ScriptedModem {
    let modem = ScriptedModem(isOn: true)
    modem.script = { _, command, _ in
      if command == "+CGMR" { return .say(["Revision:\(revision)", "OK"]) }
      return names.contains { command.hasPrefix($0) } ? .say([line]) : nil
    }
    return modem
  }

  @Test(arguments: ["ERROR", "+CME ERROR: 100", "+CME ERROR: 3", "+CME ERROR: 50", "+CME ERROR: unknown"])
  func itsPacketsAreGivenBackAndNothingIsDoneToIt(line: String) {
    let modem = modem("1951B03SIM7070", answering: line, to: ["+CNACT=1", "+SAPBR=1"])
    for (number, way) in [ModemTransport.mqtt, .http, .mqtt, .applicationTCP, .mqtt, .mqtt, .mqtt, .mqtt].enumerated() {
      // By the other TCP commands it goes.
      if way == .applicationTCP { continue }
      modem.submit(ticket: UInt32(number + 1), by: way)
      #expect(modem.deliver(within: .seconds(60)))
      let reason = UndeliveredReason.unsupported
      #expect(
        !modem.times(of: .undelivered(ticket: UInt32(number + 1), reason: reason)).isEmpty, "\(modem.log.suffix(9))")
    }
    #expect(modem.recoveries.isEmpty && modem.count("+CFUN=") == 0 && modem.count("+CGATT=") == 0)
    #expect(modem.handle.modem.refusedCommand?.step == .bearerOpen)
  }

  /// A SIM7000 says the same for a while.
  @Test func aSIM7000ThatSaysSoIsNotTakenForOne() {
    let modem = modem("1351B08SIM7000E", answering: "+CME ERROR: 100", to: ["+CNACT=1"])
    modem.submit(by: .mqtt)
    modem.run(for: .seconds(120))
    #expect(modem.recoveries.contains { $0.rung == .bearer } && !modem.handle.modem.isFree)
  }
}
