import Quantities
import Testing

@testable import SIM7000

/// The end of a packet goes only once the echo of the rest has come back whole: what the line damages is found before it is a packet.
@Suite struct PacketEndTests {
  private static let ways: [ModemTransport] = [.tcp, .applicationTCP]
  private static let packet = "{\"a\":1}"

  private func modem(_ way: ModemTransport) -> ScriptedModem {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: way)
    return modem
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [
    (ModemTransport.tcp, ["{\"a\":1", "}\n"]), (.applicationTCP, ["{\"a\":1", "}\n"]), (.mqtt, ["{\"a\":1}"]),
    (.sms, ["{\"a\":1}"]),
  ])
  func theEndGoesBehindTheEchoOfTheRest(way: ModemTransport, parts: [String]) {
    let modem = modem(way)
    var seen: [String] = []
    modem.payloadEcho = { modem, bytes in
      seen.append(text(bytes))
      // Nothing more comes before it is back.
      if seen.count == 1 { #expect(modem.payloads.isEmpty) }
      return bytes
    }
    #expect(modem.deliver(within: .seconds(60)) && seen == parts, "\(seen)")
    #expect(modem.payloads.count == 1 && modem.handle.modem.diagnostics.attempts == 1)
  }

  /// The server drops a line without an end, whatever became of it on its way to the modem.
  @Test(arguments: ways) func aLineWhoseEchoComesBackDamagedIsNotEnded(way: ModemTransport) {
    let modem = modem(way)
    var damaged = 0
    modem.payloadEcho = { _, bytes in
      guard bytes.count > 2, damaged < 2 else { return bytes }
      damaged += 1
      return Array(bytes.dropFirst(2)) + [0x41, 0x42]
    }
    #expect(modem.deliver(within: .seconds(120)), "\(modem.log.suffix(40))")
    #expect(damaged == 2 && modem.serverLines == [PacketEndTests.packet], "\(modem.serverLines)")
    #expect(modem.count("+CIPSTART") + modem.count("+CAOPEN") == 3 && modem.delivered == 1)
  }

  /// Nothing is sent, so nothing is paid, and no rung is climbed.
  @Test func aTextWhoseEchoComesBackDamagedIsGivenUp() {
    let modem = modem(.sms)
    var damaged = 0
    modem.payloadEcho = { _, bytes in
      guard damaged < 4, bytes.first == 0x7B else { return bytes }
      damaged += 1
      // Lost, changed, twice, and the rest of it.
      return damaged == 1
        ? Array(bytes.dropFirst()) : damaged == 2 ? [0x41] + bytes.dropFirst() : damaged == 3 ? [0x7B] + bytes : [0x7B]
    }
    #expect(modem.deliver(within: .seconds(120)), "\(modem.log.suffix(60))")
    #expect(damaged == 4 && modem.payloads.count == 1 && modem.delivered == 1)
    #expect(modem.recoveries.count == 4 && modem.recoveries.allSatisfy { $0.rung == .retry }, "\(modem.recoveries)")
  }

  /// A server may acknowledge by the number alone: a packet whose last byte came back changed is not delivered with that.
  @Test(arguments: ways) func anEndWhoseEchoComesBackDamagedIsNoneThatCounts(way: ModemTransport) {
    let modem = modem(way)
    var damaged = 0
    modem.payloadEcho = { _, bytes in
      guard bytes.last == 0x0A, damaged == 0 else { return bytes }
      damaged += 1
      return [0x41, 0x0A]
    }
    #expect(modem.deliver(within: .seconds(60)) && modem.payloads.count == 2, "\(modem.log.suffix(40))")
    #expect(modem.serverLines.count == 2 && damaged == 1)
  }

  /// Some modems echo commands and no payloads: two packets find out.
  @Test(arguments: ways + [.sms]) func aModemThatEchoesNoPayloadIsWaitedForTwice(way: ModemTransport) {
    let modem = modem(way)
    modem.payloadEcho = { _, _ in [] }
    var times: [Interval] = []
    for _ in 0..<4 {
      #expect(modem.deliver(within: .seconds(60)))
      let begun = modem.now
      modem.submit(by: way)
      modem.run(for: .seconds(30)) { $0.payloads.count < times.count + 2 }
      times.append(modem.now - begun)
    }
    #expect(times[0] >= .milliseconds(500) && times[0] < .milliseconds(1100), "\(times)")
    #expect(times[3] < .milliseconds(500), "\(times)")
  }

  /// A server may have something to say meanwhile.
  @Test(arguments: ways) func whatTheServerSaysBeforeTheEndEndsNothing(way: ModemTransport) {
    let modem = modem(way)
    var seen = 0
    modem.payloadEcho = { modem, bytes in
      seen += 1
      guard seen == 1 else { return bytes }
      modem.waiting += "locate\n"
      return bytes.dropLast() + []
    }
    modem.run(for: .seconds(60)) { _ in seen == 0 }
    modem.run(for: .milliseconds(100))
    modem.say([way == .tcp ? "+CIPRXGET: 1,0" : "+CADATAIND: 0"])
    #expect(
      modem.deliver(within: .seconds(60)) && modem.serverLines == [PacketEndTests.packet], "\(modem.log.suffix(40))")
  }

  // MARK: While the server's line is awaited

  /// It mostly comes within a moment, and what spoils the line then costs a second copy.
  @Test(arguments: ways) func nothingIsAskedBetweenAPacketAndItsServersLine(way: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    modem.submit(by: way)
    #expect(modem.deliver(within: .seconds(60)))
    let sent = modem.commands.count { $0.hasPrefix("+CIPSEND") || $0.hasPrefix("+CASEND") }
    let behind = modem.commands.drop { !($0.hasPrefix("+CIPSEND") || $0.hasPrefix("+CASEND")) }.dropFirst(1)
    #expect(
      sent == 1 && behind.first.map { $0.hasPrefix("+CIPRXGET=2") || $0.hasPrefix("+CARECV") } == true, "\(behind)")
  }

  /// It is not put off for longer than the first look at the connection.
  @Test(arguments: ways) func whatCanWaitIsDoneAfterFiveSeconds(way: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    modem.acknowledges = false
    modem.submit(by: way)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    let begun = modem.now
    modem.run(for: .seconds(10))
    let looks = ["+CIPRXGET", "+CASTATE", "+CARECV"]
    let errand = modem.heard.first { heard in heard.time > begun && !looks.contains { heard.command.hasPrefix($0) } }?
      .time
    #expect(errand.map { $0 - begun >= .seconds(5) && $0 - begun < .seconds(6) } == true, "\(modem.log.suffix(20))")
  }

  /// The packet is with the server, whose line may still come.
  @Test(arguments: ways) func anErrandWithoutAnAnswerSendsNoPacketAgain(way: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    modem.acknowledges = false
    modem.submit(by: way)
    modem.run(for: .seconds(60)) { $0.handle.modem.facts.delivery != .sent }
    modem.script = { _, command, _ in command.hasPrefix("+CSCS") || command.hasPrefix("+CMGF") ? .nothing : nil }
    modem.run(for: .seconds(35))
    #expect(modem.handle.modem.facts.delivery == .sent && modem.payloads.count == 1)
    #expect(!modem.recoveries.isEmpty && modem.recoveries.allSatisfy { $0.rung == .retry }, "\(modem.recoveries)")
    modem.waiting += "ACK 7\n"
    modem.say([way == .tcp ? "+CIPRXGET: 1,0" : "+CADATAIND: 0"])
    // The errand that is under way has what was allowed to it behind those before.
    #expect(modem.deliver(within: .seconds(15)) && modem.payloads.count == 1)
  }

  /// What was learnt of a slow modem is given up by halves.
  @Test(arguments: [ModemTransport.http, .sms]) func aDeliveredPacketHalvesWhatAnswersAreAllowed(way: ModemTransport) {
    let modem = ScriptedModem(isOn: true)
    modem.handle.modem.channel.allowance = 40
    modem.submit(by: way)
    #expect(modem.deliver() && modem.handle.modem.channel.allowance == 20)
  }
}
