import FieldDialogue
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// What a modem does not take, or says nothing to: it goes without, goes the other way, or is cured at last.
@Suite struct RefusalTests {
  private func run(_ header: String, _ rules: String) throws -> FieldRun {
    let told = rules.split(separator: "\n").map { "ours \($0)\n" }.joined()
    let run = FieldRun(
      try FieldDialogue("\(header)\n\(told)include plain.dialogue\n") { try FieldFiles.text($0) })
    run.run()
    #expect(run.failures == [], "\(header): \(rules)")
    return run
  }

  /// The name goes to the modem again where the bearer is opened.
  @Test(arguments: ["http", "legacyHTTP", "mqtt", "tcp", "applicationTCP", "sms"])
  func anAccessPointThatCanNotBeStoredStopsNothing(way: String) throws {
    for answer in ["+CME ERROR: 3", "ERROR"] {
      _ = try run(
        "transport \(way)\nvalue apn other.example\nexpect delivered within 60\nexpect radio 0\nexpect resets 0",
        "> AT+CGDCONT=*\n< \(answer)")
    }
  }

  @Test func anAccessPointHasNoCase() throws {
    _ = try run(
      "transport mqtt\nexpect delivered within 20\nexpect never AT+CGDCONT=",
      "> AT+CGDCONT?\n< +CGDCONT: 1,\"IP\",\"IOT.EXAMPLE\",\"0.0.0.0\",0,0,0,0\n< OK")
  }

  @Test(arguments: ["http", "legacyHTTP", "mqtt", "tcp", "applicationTCP", "sms"])
  func aModemThatRefusesEverythingIsReset(way: String) throws {
    _ = try run(
      "transport \(way)\nvalue wedge 1\nexpect delivered within 600",
      "> @start\nset wedge 0\n<+0.1 RDY\n<+0.2 +CFUN: 1\n<+1.0 +CPIN: READY\n<+3.5 SMS Ready\n"
        + "> AT*\nif wedge 1\n< ERROR")
  }
}
