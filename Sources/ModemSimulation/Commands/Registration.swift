// Registration and signal.
//
// Source: [sim7000-at] sections 3.2 (`CREG`, `COPS`, `CSQ`), 5.2 (`CPSI`, `CNSMOD`); [ts27007] chapters 7 and 10.

extension SimulatedModem {
  static var registrationCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CREG") { modem, call in modem.registration(call, .circuit, highest: 2) },
      SimulatedCommand("+CGREG") { modem, call in modem.registration(call, .packet, highest: 4) },
      SimulatedCommand("+CEREG") { modem, call in modem.registration(call, .evolved, highest: 4) },
      SimulatedCommand("+CSQ") { modem, call in modem.csq(call) },
      SimulatedCommand("+CPSI") { modem, call in modem.cpsi(call) },
      SimulatedCommand("+COPS") { modem, call in modem.cops(call) },
      SimulatedCommand("+CNSMOD") { modem, call in modem.cnsmod(call) },
    ]
  }

  private mutating func registration(_ call: CommandCall, _ domain: RegistrationDomain, highest: Int) -> Answer {
    let detail = session.registrationReports[domain] ?? 0
    switch call.form {
    case .test: return Answer.ok.line("\(call.name): (0-2\(highest == 4 ? ",4" : ""))")
    case .read: return Answer.ok.line("\(call.name): \(detail),\(registrationText(domain, detail: detail))")
    case .execute: return .error
    case .write:
      guard let value = call.integer(0), [0, 1, 2].contains(value) || value == highest else { return .error }
      session.registrationReports[domain] = value
      radio.reported[domain] = registrationText(domain, detail: value)
      return .ok
    }
  }

  /// - Source: [sim7000-at] section 3.2.22: 0 is −115 dBm and less, 1 −111, 2 to 30 −110 to −54, 31 −52 and more.
  private func csq(_ call: CommandCall) -> Answer {
    guard call.form == .execute else { return call.form == .test ? Answer.ok.line("+CSQ: (0-31,99),(0-7,99)") : .error }
    return Answer.ok.line("+CSQ: \(signalNumber),99")
  }

  private var signalNumber: Int {
    let level = configuration.network.signalDBm
    guard radio.status == .registered, level > -999 else { return 99 }
    if level <= -115 { return 0 }
    if level <= -111 { return 1 }
    return min((level + 114) / 2, 31)
  }

  private func cpsi(_ call: CommandCall) -> Answer {
    guard call.form == .read else {
      return call.form == .test ? Answer.ok.line("+CPSI: (0-255)") : call.form == .write ? .ok : .error
    }
    let network = configuration.network
    let place = "\(network.countryCode)-\(network.networkCode)"
    switch (radio.status, radio.access) {
    case (.registered, .gsm):
      let area = String(network.areaCode, radix: 16)
      return Answer.ok.line("+CPSI: GSM,Online,\(place),0x\(area),\(network.cell & 0xFFFF),\(network.gsmCellText)")
    case (.registered, let access?):
      let name = access == .catM ? "LTE CAT-M1" : "LTE NB-IOT"
      let area = hexadecimal(Int(network.areaCode), digits: 4)
      return Answer.ok.line("+CPSI: \(name),Online,\(place),0x\(area),\(network.cell),\(network.lteCellText)")
    default:
      let modes = [0: "Offline", 4: "Low Power Mode", 5: "Factory Test Mode", 7: "Offline"]
      return Answer.ok.line("+CPSI: NO SERVICE,\(modes[radio.function] ?? "Online")")
    }
  }

  private mutating func cops(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test:
      guard radio.function == 1 else { return .cme(797) }
      schedule(.radio(.operatorsFound), after: configuration.network.operatorSearchDelay)
      return .later
    case .read:
      guard radio.status == .registered else { return Answer.ok.line("+COPS: \(flash.operatorMode)") }
      let access = radio.access == .gsm ? 3 : accessNumber(radio.access)
      return Answer.ok.line("+COPS: \(flash.operatorMode),\(session.operatorFormat),\"\(operatorName)\",\(access)")
    case .execute: return .error
    case .write: return selectOperator(call)
    }
  }

  private mutating func selectOperator(_ call: CommandCall) -> Answer {
    guard let mode = call.integer(0, in: 0...4) else { return .error }
    if call.has(1) {
      guard let format = call.integer(1, in: 0...2) else { return .error }
      session.operatorFormat = format
    }
    switch mode {
    case 2:
      radio.isDeregistered = true
      flash.operatorMode = 2
      loseNetwork()
    case 0, 1, 4:
      let network = configuration.network
      let names = [network.longName, network.shortName, network.countryCode + network.networkCode]
      if mode != 0, let wanted = call.string(2), !names.contains(wanted) { return .cme(30) }
      radio.isDeregistered = false
      flash.operatorMode = mode
      if radio.status != .registered { startSearch(after: configuration.network.reselectionDelay) }
    default: break
    }
    return .ok
  }

  private var operatorName: String {
    let network = configuration.network
    return [network.longName, network.shortName, network.countryCode + network.networkCode][session.operatorFormat]
  }

  /// What `COPS=?` finds in the end.
  var operatorList: String {
    let network = configuration.network
    let entries = network.access.map { access in
      "(\(radio.access == access ? 2 : 1),\"\(network.longName)\",\"\(network.shortName)\","
        + "\"\(network.countryCode)\(network.networkCode)\",\(accessNumber(access)))"
    }
    return "+COPS: " + entries.joined(separator: ",") + ",,(0,1,2,3,4),(0,1,2)"
  }

  private mutating func cnsmod(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CNSMOD: (0,1)")
    case .read: return Answer.ok.line("+CNSMOD: \(session.reportsSystemMode ? 1 : 0),\(systemMode)")
    case .execute: return .error
    case .write:
      guard let value = call.integer(0, in: 0...1) else { return .error }
      session.reportsSystemMode = value == 1
      return .ok
    }
  }
}
