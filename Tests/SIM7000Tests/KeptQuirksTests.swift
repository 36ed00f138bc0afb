import Quantities
import Testing

@testable import SIM7000

/// What was found out of a modem outlives the host.
@Suite struct KeptQuirksTests {
  private func quirks() -> ModemQuirks {
    var quirks = ModemQuirks()
    quirks.meet(FirmwareRevision(family: 1529, build: 10, variant: .g))
    return quirks
  }

  private func read(_ record: UInt64) -> ModemQuirks? { ModemQuirks(record: record) }

  private func bytes(_ quirks: ModemQuirks) -> UInt64 { quirks.record }

  @Test func eachOfThemIsKept() {
    let changes: [(inout ModemQuirks) -> Void] = [
      { _ in }, { $0.bodyLimit = 512 }, { $0.takesBodyInCommand = true }, { $0.hasNoDigits = true },
      { $0.storesReports = true }, { $0.joinsBrokerAddress = true }, { $0.learnLack(of: .applicationTCP) },
      { $0.firmware?.variant = .unknown }, { $0.firmware?.build = 255 }, { $0.firmware?.family = 9999 },
    ]
    var all = quirks()
    for change in changes {
      var one = quirks()
      change(&one)
      change(&all)
      #expect(read(bytes(one)) == one)
      #expect(read(bytes(all)) == all)
    }
  }

  /// Without an echo a damaged packet is not noticed: that there is none is found out anew.
  @Test func anEchoIsExpectedAgain() {
    var silent = quirks()
    silent.hasNoEcho = true
    #expect(read(bytes(silent)) == quirks())
  }

  @Test func withoutFirmwareThereIsNothingToKeep() {
    var unknown = ModemQuirks()
    unknown.bodyLimit = 64
    #expect(bytes(unknown) == 0 && read(0) == nil)
  }

  @Test func aDamagedRecordIsNone() {
    var other = quirks()
    other.lacking = 63
    other.bodyLimit = 32
    for record in [bytes(quirks()), bytes(other)] {
      for first in 0..<64 {
        for second in first..<64 {
          let damaged = record ^ (1 << UInt64(first) | 1 << UInt64(second))
          #expect(read(damaged) == nil, "bits \(first) and \(second)")
        }
      }
    }
    #expect(read(.max) == nil && read(1) == nil)
  }

  @Test func whatWasRefusedIsNotAskedForAfterARestartOfTheHost() {
    let modem = ScriptedModem(isOn: true)
    modem.script = { _, command, _ in
      command.hasPrefix("+SHBODEXT") || command.hasPrefix("+SHCONF=\"BODYLEN\",1024") ? .say(["ERROR"]) : nil
    }
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)) && modem.count("+SHBODEXT") > 0)
    let kept = bytes(modem.handle.modem.quirks)
    modem.handle = ScriptedModem.Handle(
      Modem(configuration: ScriptedModem.configuration(), quirks: read(kept) ?? ModemQuirks(), seed: 2))
    modem.handle.modem.setStatus(isHigh: true, at: modem.now)
    let restart = modem.now
    modem.submit(by: .http)
    #expect(modem.deliver(within: .seconds(60)) && modem.delivered == 2)
    #expect(
      modem.count("+SHBODEXT", since: restart) == 0 && modem.count("+SHCONF=\"BODYLEN\",1024", since: restart) == 0)
  }
}
