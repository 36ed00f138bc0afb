import Quantities
import Testing

@testable import SIM7000

/// A modem forgets what the server said before it closed the connection.
@Suite struct ForgetfulModemTests {
  private func modem() -> ScriptedModem {
    let modem = ScriptedModem(isOn: true)
    modem.payloadScript = { modem, command in
      guard command.hasPrefix("+CASEND") else { return nil }
      modem.plan(["+CADATAIND: 0", "+CASTATE: 0,0"], after: .milliseconds(400))
      return .say(["OK", "+CASEND: 0,0,8"])
    }
    modem.script = { _, command, _ in
      switch command {
      case "+CARECV?": .say(["+CARECV: 0,0", "+CARECV: 1,0", "OK"])
      case "+CASTATE?": .say(["+CASTATE: 0,0", "+CASTATE: 1,0", "OK"])
      default: nil
      }
    }
    return modem
  }

  @Test func theOtherWayIsTakenAtOnceAndKept() {
    let modem = modem()
    modem.submit(by: .applicationTCP)
    #expect(modem.deliver(within: .seconds(10)) && modem.delivered == 1)
    #expect(modem.payloads.count == 2 && modem.recoveries.isEmpty)
    for number in 2...4 {
      modem.submit(by: .applicationTCP)
      #expect(modem.deliver(within: .seconds(5)) && modem.delivered == number)
      #expect(modem.payloads.count == number + 1)
    }
    #expect(modem.handle.modem.quirks.lacks(.applicationTCP) && modem.count("+CASEND") == 1)
  }

  /// What was found out with the report is true for the alert that takes its place.
  @Test func anAlertInItsPlaceDoesNotBeginAnew() {
    let modem = modem()
    modem.submit(by: .applicationTCP)
    modem.run(for: .seconds(30)) { $0.count("+CIPSHUT") == 0 }
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    modem.submit(by: .applicationTCP)
    #expect(modem.deliver(within: .seconds(10)) && modem.delivered == 1)
    #expect(modem.count("+CASEND") == 1 && modem.count("+CIPSEND") == 1)
  }

  /// Another server's packets are no reason to go otherwise.
  @Test func aPacketByAnotherTransportForgetsIt() {
    let modem = modem()
    modem.submit(by: .applicationTCP)
    modem.run(for: .seconds(30)) { $0.count("+CIPSHUT") == 0 }
    modem.handle.modem.cancel(at: modem.now)
    modem.pass()
    modem.submit(by: .mqtt)
    #expect(modem.deliver(within: .seconds(20)) && modem.delivered == 1)
    #expect(!modem.handle.modem.quirks.lacks(.applicationTCP))
  }
}
