import Quantities

// Commands of V.250 without a plus sign.
//
// Source: [v250] sections 6.1 and 6.2; [sim7000-at] chapter 2.

extension SimulatedModem {
  static var basicCommands: [SimulatedCommand] {
    [
      SimulatedCommand("E") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.echo = value == 1
        if value == 1 { modem.faults.isMute = false }
        return .ok
      },
      SimulatedCommand("V") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.verbose = value == 1
        return .ok
      },
      SimulatedCommand("Q") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.quiet = value == 1
        return .ok
      },
      SimulatedCommand("X") { modem, call in
        guard let value = call.number, value <= 4 else { return .error }
        modem.session.connectDetail = value
        return .ok
      },
      SimulatedCommand("I") { modem, _ in Answer.ok.line(modem.configuration.identification) },
      SimulatedCommand("Z") { modem, _ in
        modem.restoreProfile()
        return .ok
      },
      SimulatedCommand("&F") { modem, _ in
        modem.restoreProfile()
        return .ok
      },
      SimulatedCommand("H") { modem, _ in
        modem.session.isDialled = false
        return .ok
      },
      SimulatedCommand("A") { _, _ in Answer(ending: .result("NO CARRIER", 3)) },
      SimulatedCommand("O") { _, _ in Answer(ending: .result("NO CARRIER", 3)) },
      SimulatedCommand("D") { modem, call in modem.dial(call) },
      SimulatedCommand("L") { _, _ in .ok },
      SimulatedCommand("M") { _, _ in .ok },
      SimulatedCommand("P") { _, _ in .ok },
      SimulatedCommand("T") { _, _ in .ok },
      SimulatedCommand("&C") { _, _ in .ok },
      SimulatedCommand("&D") { _, _ in .ok },
      SimulatedCommand("&E") { _, _ in .ok },
      SimulatedCommand("&W") { _, _ in .ok },
      SimulatedCommand("&S") { _, _ in .ok },
      SimulatedCommand("&V") { modem, _ in
        Answer.ok.line(
          "ACTIVE PROFILE:\r\nE:\(modem.session.echo ? 1 : 0); Q:\(modem.session.quiet ? 1 : 0);"
            + " V:\(modem.session.verbose ? 1 : 0); X:\(modem.session.connectDetail)")
      },
      SimulatedCommand("S") { modem, call in modem.register(call) },
    ]
  }

  /// Settings of V.250 go back to their defaults.
  private mutating func restoreProfile() {
    session.echo = true
    session.verbose = true
    session.quiet = false
    session.connectDetail = 4
    session.errorDetail = 0
    session.registers = [:]
    faults.isMute = false
  }

  /// S registers: 3, 4 and 5 are the control characters and can't be changed here.
  private mutating func register(_ call: CommandCall) -> Answer {
    let fixed = [3: 13, 4: 10, 5: 8]
    switch call.form {
    case .read:
      guard let number = call.number else { return .error }
      let value = fixed[number] ?? session.registers[number] ?? 0
      let text = value < 10 ? "00\(value)" : value < 100 ? "0\(value)" : "\(value)"
      return Answer.ok.line(text)
    case .write:
      guard let number = call.integer(0), let value = call.integer(1, in: 0...255), number <= 99 else { return .error }
      if let only = fixed[number] { return value == only ? .ok : .error }
      session.registers[number] = value
      return .ok
    default: return .ok
    }
  }

  /// Voice calls find nobody. A packet call (`*99#`, `*99***1#`) connects where firmware was seen to do so, but nothing speaks PPP behind
  /// it: what the host sends is dropped.
  ///
  /// - Source: botletics/SIM7000-LTE-Shield#49: `CONNECT 150000000` with 1351B03, `CONNECT` with B08, `ERROR` with B05 and B06.
  private mutating func dial(_ call: CommandCall) -> Answer {
    guard sim.isReady, radio.status == .registered else { return Answer(ending: .result("NO CARRIER", 3)) }
    if call.text.first == UInt8(ascii: "*") {
      let number = String(decoding: call.text, as: UTF8.self)
      let isService = number == "*99#" || number.hasPrefix("*99***") && number.hasSuffix("#")
      let isLater = configuration.revision.hasPrefix("1351B08")
      guard isService, configuration.profile == .b03 || isLater else { return .error }
      session.isDialled = true
      input.mode = .transparent
      return Answer(ending: .result(isLater ? "CONNECT" : "CONNECT 150000000", 1))
    }
    return call.text.last == UInt8(ascii: ";") ? .ok : Answer(ending: .result("NO CARRIER", 3))
  }
}
