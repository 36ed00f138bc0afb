import Quantities
import Testing

@testable import SIM7000

/// Texts that are sent though the modem says that they are not.
@Suite struct PaidMessageTests {
  private func modem(_ answer: String) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration { $0.deliveryTimeout = .seconds(86_400) }, isOn: true)
    modem.payloadScript = { _, command in command.hasPrefix("+CMGS") ? .say([answer]) : nil }
    modem.submit(ticket: 7, by: .sms)
    return modem
  }

  private func sent(_ modem: ScriptedModem) -> [Instant] { modem.payloads.map(\.time) }

  @Test(arguments: ["+CMS ERROR: 500", "+CMS ERROR: 332", "+CMS ERROR: 512"]) func fewOfThemArePaid(answer: String) {
    let modem = modem(answer)
    modem.run(for: .seconds(1100))
    #expect(sent(modem).count == 2 && modem.count("+CFUN=0") == 0, "\(sent(modem))")
    modem.run(for: .seconds(700))
    #expect(sent(modem).count <= 4, "\(sent(modem))")
    modem.run(for: .seconds(86_000 - 1800))
    #expect(sent(modem).count <= 2 + 2 * 24, "\(sent(modem).count)")
  }

  /// That of a network that refuses it is not sent.
  @Test func whatWasNotSentIsTriedAsBefore() {
    let modem = modem("+CMS ERROR: 38")
    modem.run(for: .seconds(60))
    #expect(sent(modem).count > 2)
  }

  @Test func anotherMessageGoesOnce() {
    let modem = modem("+CMS ERROR: 500")
    modem.run(for: .seconds(300))
    #expect(sent(modem).count == 2)
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    modem.submit(ticket: 8, by: .sms)
    modem.run(for: .seconds(300))
    #expect(sent(modem).count == 3)
    // Taken back and given again it is none that was never sent.
    for ticket in [7, 8, 7] as [UInt32] {
      modem.handle.modem.cancel(at: modem.now)
      modem.pass()
      modem.submit(ticket: ticket, by: .sms)
      modem.run(for: .seconds(30))
    }
    #expect(sent(modem).count == 3)
  }

  /// The modem says the truth again: all is as before.
  @Test func oneThatIsTakenEndsIt() {
    let modem = modem("+CMS ERROR: 500")
    modem.run(for: .seconds(300))
    modem.payloadScript = { _, _ in nil }
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    modem.submit(ticket: 8, by: .sms)
    #expect(modem.deliver(within: .seconds(30)) && modem.delivered == 1)
    modem.submit(ticket: 7, by: .sms)
    #expect(modem.deliver(within: .seconds(30)) && modem.delivered == 2)
  }

  /// What is to be ready for a text needs none.
  @Test func aModemThatIsMadeReadyForTextsSendsNone() {
    let modem = ScriptedModem(isOn: true)
    modem.handle.modem.prepare(for: .sms, lasting: .seconds(60), at: modem.now)
    modem.pass()
    modem.run(for: .seconds(20))
    #expect(modem.count("+CMGS") == 0 && modem.handle.modem.step == nil)
    modem.submit(by: .sms)
    #expect(modem.deliver(within: .seconds(3)) && modem.payloads.count == 1)
  }
}
