import Quantities
import Testing

@testable import SIM7000

/// Each exchange of a delivery fails once, in each way an exchange can fail, and the packet arrives all the same.
@Suite struct FailureMatrixTests {
  /// The ways.
  enum Failure: String, CaseIterable {
    case error, equipmentError, silence, deafness, late

    var play: Play {
      switch self {
      case .error: return .say(["ERROR"])
      case .equipmentError: return .say(["+CME ERROR: 100"])
      case .silence: return .nothing
      case .deafness: return .dead
      // Later than the deadline of most, earlier than that of some.
      case .late: return .late(.seconds(12))
      }
    }
  }

  private struct Exchange {
    var command: String
    var number: Int
    var isPayload = false
  }

  private static let packet = "{\"a\":1}"

  private func modem(_ transport: ModemTransport) -> ScriptedModem {
    ScriptedModem(
      ScriptedModem.configuration {
        // So that a delivery has an exchange with the card and none that comes between by chance.
        if transport != .sms { $0.smsNumber = TelephoneNumber() }
      })
  }

  /// The exchanges of a delivery that nothing disturbs, from switched off, and when it was over.
  private func undisturbed(_ transport: ModemTransport) throws -> (exchanges: [Exchange], end: Instant) {
    let modem = modem(transport)
    modem.submit(FailureMatrixTests.packet, by: transport)
    try #require(modem.deliver(within: .seconds(100)))
    var exchanges: [Exchange] = []
    for (number, heard) in modem.heard.enumerated() {
      exchanges.append(Exchange(command: heard.command, number: number + 1))
      if ["+SHBODEXT", "+HTTPDATA", "+SMPUB", "+CIPSEND", "+CASEND", "+CMGS"].contains(where: heard.command.hasPrefix) {
        exchanges.append(Exchange(command: heard.command, number: number + 1, isPayload: true))
      }
    }
    return (exchanges, modem.now)
  }

  /// The first exchanges are the same for all: tried once.
  private func isCommon(_ exchange: Exchange) -> Bool {
    let names = [
      "", "E1", "+CMEE", "+IPR", "+CGMR", "+CBATCHK", "+CREG", "+CGREG=", "+CEREG", "+CLTS", "+CGDCONT", "+CPIN",
    ]
    return names.contains { $0.isEmpty ? exchange.command.isEmpty : exchange.command.hasPrefix($0) }
  }

  private func run(_ transport: ModemTransport, _ exchange: Exchange, _ failure: Failure) -> ScriptedModem {
    let modem = modem(transport)
    var hasFailed = false
    modem.script = { _, _, number in
      guard number == exchange.number, !exchange.isPayload else { return nil }
      return failure.play
    }
    modem.payloadScript = { _, _ in
      guard exchange.isPayload, !hasFailed else { return nil }
      hasFailed = true
      return failure.play
    }
    modem.submit(FailureMatrixTests.packet, by: transport)
    modem.deliver(within: .seconds(1900))
    return modem
  }

  /// What the driver did after the failure: commands in short, with waits that are longer than a second.
  private func story(_ modem: ScriptedModem, after exchange: Exchange) -> String {
    let index = min(exchange.number, modem.heard.count) - 1
    let since = modem.heard[index].time
    var words: [String] = []
    var last = since
    for line in modem.log {
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard parts.count > 2, let time = Double(parts[0]), time >= since.secondsDouble else { continue }
      let wait = time - last.secondsDouble
      if wait >= 1 { words.append("(\(Int(wait.rounded())) s)") }
      last = Instant(microseconds: Int64(time * 1_000_000))
      if parts[1] == "-" {
        words.append("-\(parts[2])")
      } else {
        let text = parts[2].hasPrefix("AT") ? String(parts[2].dropFirst(2)) : parts[2]
        words.append(String(text.prefix { $0 != "=" && $0 != "\"" }))
      }
    }
    return words.joined(separator: " ")
  }

  @Test(arguments: ModemTransport.allCases)
  func whereverADeliveryFailsOnceThePacketArrives(transport: ModemTransport) throws {
    let (exchanges, end) = try undisturbed(transport)
    let bytes = Array(FailureMatrixTests.packet.utf8)
    var text = ""
    for exchange in exchanges where transport == .http || !isCommon(exchange) {
      for failure in Failure.allCases {
        let modem = run(transport, exchange, failure)
        let name =
          "\(transport) \(exchange.number) \(exchange.isPayload ? "payload of " : "")\(exchange.command) \(failure)"
        #expect(modem.outcomes == [.delivered(ticket: 7)], "\(name): \(modem.outcomes)")
        // An exchange has a minute and a half at most, and then the way up from the ground.
        #expect(modem.now - end < .seconds(150), "\(name): \((modem.now - end).secondsDouble) s later")
        #expect((1...4).contains(modem.payloads.count), "\(name): \(modem.payloads.count) times on the way")
        // What came late was waiting for a payload all the time, and got what gets out of one: that is no packet.
        // On a connection its end may come behind it, and only then it is one.
        let isLine = transport == .tcp || transport == .applicationTCP
        let whole = modem.payloads.count { $0.bytes == bytes || $0.bytes.dropLast() == bytes[...] }
        let parts =
          isLine
          ? modem.payloads.count { $0.bytes[...] == bytes.dropLast() || $0.bytes == bytes.suffix(1) + [0x0A] } : 0
        #expect(whole + parts == modem.payloads.count || failure == .late, "\(name): \(modem.payloads)")
        #expect(
          isLine ? modem.serverLines.contains { Array($0.utf8) == bytes } : whole >= 1, "\(name): \(modem.payloads)")
        #expect(modem.recoveries.count <= 4, "\(name): \(modem.recoveries)")
        #expect(modem.recoveries.allSatisfy { $0.rung <= .reset }, "\(name)")
        // A single failure is no reason to switch anything off, but with a modem that is silent.
        if failure != .deafness { #expect(modem.recoveries.allSatisfy { $0.rung <= .radio }, "\(name)") }
        text += "== \(name)\n\(story(modem, after: exchange))\n"
      }
    }
    try Golden.compare(text, with: "modem-failures-\(transport).txt")
  }

  /// An exchange that fails whenever it is tried: the whole ladder with its laps, for three hours.
  @Test func whatNeverWorksClimbsTheLadderLapByLap() throws {
    // Both ways to a server fail, where there are two.
    let stories: [(ModemTransport, [String], Failure)] = [
      (.http, ["+SHCONN", "+HTTPACTION"], .error), (.http, ["+SHREQ", "+HTTPACTION"], .silence),
      (.legacyHTTP, ["+HTTPACTION", "+SHCONN"], .error), (.legacyHTTP, ["+SAPBR=1,1", "+SHCONN"], .error),
      (.mqtt, ["+SMCONN"], .error), (.mqtt, ["+SMPUB"], .equipmentError), (.tcp, ["+CIPSTART", "+CNACT=1"], .error),
      (.tcp, ["+CIICR", "+CNACT=1"], .error), (.applicationTCP, ["+CNACT=1", "+CIICR"], .error),
      (.sms, ["+CMGS"], .error), (.sms, ["+CMGF"], .error), (.http, ["+CEREG?", "+CGREG?"], .silence),
    ]
    var text = ""
    for (transport, commands, failure) in stories {
      let modem = ScriptedModem(ScriptedModem.configuration { $0.deliveryTimeout = .seconds(10_800) })
      modem.script = { _, heard, _ in commands.contains { heard.hasPrefix($0) } ? failure.play : nil }
      modem.submit(by: transport)
      modem.deliver(within: .seconds(10_900))
      #expect(modem.now == .seconds(10_800), "\(commands)")
      let last = try #require(modem.recoveries.last)
      #expect(modem.outcomes == [.undelivered(ticket: 7, reason: .timedOut(last.trouble))], "\(commands)")
      text += "== \(transport), \(commands.joined(separator: " and ")) \(failure)\n"
      text += modem.log.filter { $0.contains(" for ") || $0.contains("* key") }.map { $0 + "\n" }.joined()
      text += "\(modem.heard.count) commands, \(modem.byteCount) bytes\n"
    }
    try Golden.compare(text, with: "modem-ladder.txt")
  }
}
