import Quantities

// Commands of V.250 without a plus sign.
//
// Source: [v250] sections 6.1 and 6.2; [sim7000-at] chapter 2.

extension SimulatedModem {
  static var basicCommands: [Command] {
    [
      Command("E") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.echo = value == 1
        if value == 1 { modem.faults.isMute = false }
        return .ok
      },
      Command("V") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.verbose = value == 1
        return .ok
      },
      Command("Q") { modem, call in
        guard let value = call.number, value <= 1 else { return .error }
        modem.session.quiet = value == 1
        return .ok
      },
      Command("X") { modem, call in
        guard let value = call.number, value <= 4 else { return .error }
        modem.session.connectDetail = value
        return .ok
      },
      Command("I") { modem, _ in Answer.ok.line(modem.configuration.identification) },
      Command("Z") { modem, _ in
        modem.restoreProfile()
        return .ok
      },
      Command("&F") { modem, _ in
        modem.restoreProfile()
        return .ok
      },
      Command("H") { _, _ in .ok },
      Command("A") { _, _ in Answer(ending: .result("NO CARRIER", 3)) },
      Command("O") { _, _ in Answer(ending: .result("NO CARRIER", 3)) },
      Command("D") { modem, call in modem.dial(call) },
      Command("L") { _, _ in .ok },
      Command("M") { _, _ in .ok },
      Command("P") { _, _ in .ok },
      Command("T") { _, _ in .ok },
      Command("&C") { _, _ in .ok },
      Command("&D") { _, _ in .ok },
      Command("&E") { _, _ in .ok },
      Command("&W") { _, _ in .ok },
      Command("&S") { _, _ in .ok },
      Command("&V") { modem, _ in
        Answer.ok.line(
          "ACTIVE PROFILE:\r\nE:\(modem.session.echo ? 1 : 0); Q:\(modem.session.quiet ? 1 : 0);"
            + " V:\(modem.session.verbose ? 1 : 0); X:\(modem.session.connectDetail)")
      },
      Command("S") { modem, call in modem.register(call) },
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

  /// Voice calls find nobody; data calls are for the data commands, which may bring a `D` of their own.
  private mutating func dial(_ call: CommandCall) -> Answer {
    guard sim.isReady, radio.status == .registered else { return Answer(ending: .result("NO CARRIER", 3)) }
    if call.text.first == UInt8(ascii: "*") { return .error }
    return call.text.last == UInt8(ascii: ";") ? .ok : Answer(ending: .result("NO CARRIER", 3))
  }
}
