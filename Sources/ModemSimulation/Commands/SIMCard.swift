// The SIM and its PIN.
//
// Source: [sim7000-at] section 3.2 (`CPIN`, `CLCK`, `CPWD`, `CRSM`, `CSIM`); [ts27007] section 8.3.

extension SimulatedModem {
  static var simCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CPIN") { modem, call in modem.cpin(call) },
      SimulatedCommand("+SPIC") { modem, call in
        Answer.ok.line("+SPIC: \(modem.sim.pinTries),3,10,10")
      },
      SimulatedCommand("+CLCK") { modem, call in modem.clck(call) },
      SimulatedCommand("+CPWD") { modem, call in modem.cpwd(call) },
      SimulatedCommand("+CSIM") { modem, call in modem.csim(call) },
      SimulatedCommand("+CRSM") { modem, call in modem.crsm(call) },
    ]
  }

  /// What commands that need the SIM answer when it is not ready; nil when it is.
  var simTrouble: Answer? {
    let status = simStatus
    return status.code == 0 ? nil : .cme(status.code)
  }

  private mutating func cpin(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test, .execute: return call.form == .test ? .ok : .error
    case .read:
      let status = simStatus
      guard let text = status.text else { return .cme(status.code) }
      return Answer.ok.line("+CPIN: \(text)")
    case .write:
      guard let given = call.string(0) else { return .error }
      let status = simStatus
      guard status.text != nil else { return .cme(status.code) }
      if sim.pinTries == 0 { return unblock(given, newPIN: call.string(1)) }
      guard sim.needsPIN else { return .cme(3) }
      guard given == sim.pin else {
        sim.pinTries -= 1
        return .cme(sim.pinTries == 0 ? 12 : 16)
      }
      return acceptPIN()
    }
  }

  private mutating func unblock(_ puk: String, newPIN: String?) -> Answer {
    guard puk == configuration.puk, let newPIN else { return .cme(16) }
    sim.pin = newPIN
    return acceptPIN()
  }

  private mutating func acceptPIN() -> Answer {
    sim.pinTries = 3
    sim.needsPIN = false
    simBecameReady()
    return Answer.ok.then(.line("+CPIN: READY"))
  }

  private mutating func clck(_ call: CommandCall) -> Answer {
    if call.form == .test {
      return Answer.ok.line("+CLCK: (\"SC\",\"AO\",\"OI\",\"OX\",\"AI\",\"IR\",\"AB\",\"AG\",\"AC\",\"FD\")")
    }
    guard call.form == .write, let facility = call.string(0)?.uppercased(), let mode = call.integer(1, in: 0...2) else {
      return .error
    }
    if mode == 2 { return Answer.ok.line("+CLCK: \(facility == "SC" && sim.pin != nil ? 1 : 0)") }
    if let trouble = simTrouble { return trouble }
    guard facility == "SC" else { return .cme(3) }
    guard let password = call.string(2), !password.isEmpty else { return .cme(16) }
    if let pin = sim.pin, pin != password { return .cme(16) }
    sim.pin = mode == 1 ? password : nil
    return .ok
  }

  private mutating func cpwd(_ call: CommandCall) -> Answer {
    if call.form == .test { return Answer.ok.line("+CPWD: (\"SC\",8),(\"P2\",8)") }
    guard call.form == .write, call.string(0) == "SC", let old = call.string(1), let new = call.string(2) else {
      return .error
    }
    guard old == sim.pin, new.utf8.count >= 4, new.utf8.count <= 8 else { return .cme(16) }
    sim.pin = new
    return .ok
  }

  /// Only the retry counters that network managers ask for: VERIFY and UNBLOCK without data.
  private func csim(_ call: CommandCall) -> Answer {
    guard call.form == .write, let text = call.string(1) else { return call.form == .test ? .ok : .error }
    switch text.uppercased().prefix(8) {
    case "00200001": return Answer.ok.line("+CSIM: 4,\"63C\(sim.pinTries)\"")
    case "00200081": return Answer.ok.line("+CSIM: 4,\"63C3\"")
    case "002C0001", "002C0081": return Answer.ok.line("+CSIM: 4,\"63CA\"")
    default: return .error
    }
  }

  /// Only the card's number (file 12258); others are not found.
  private func crsm(_ call: CommandCall) -> Answer {
    guard call.form == .write else { return call.form == .test ? .ok : .error }
    if let trouble = simTrouble { return trouble }
    guard call.integer(0) == 176, call.integer(1) == 12_258 else { return Answer.ok.line("+CRSM: 106,130") }
    var swapped = ""
    let digits = Array(configuration.iccid)
    for place in stride(from: 0, to: digits.count, by: 2) {
      swapped.append(place + 1 < digits.count ? digits[place + 1] : "F")
      swapped.append(digits[place])
    }
    return Answer.ok.line("+CRSM: 144,0,\"\(swapped)\"")
  }
}
