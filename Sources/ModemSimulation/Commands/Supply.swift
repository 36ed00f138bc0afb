// Switching off, the battery, and the level of function.
//
// Source: [sim7000-at] section 3.2 (`CFUN`), chapter 7 (`CPOWD`, `CBATCHK`, `CADC`); [sim7000-hd] section 3.3.

extension SimulatedModem {
  static var powerCommands: [SimulatedCommand] {
    linkCommands + simCommands + [
      SimulatedCommand("+CPOWD") { modem, call in
        guard call.form == .write, let mode = call.integer(0, in: 0...1) else { return .error }
        modem.beginSwitchingOff(announced: mode == 1)
        return .silent
      },
      .flag("+CBATCHK", \.flash.checksBattery),
      SimulatedCommand("+CBC") { modem, call in
        guard call.form == .execute else { return call.form == .test ? .ok : .error }
        let millivolts = modem.power.supplyMillivolts
        let charge = min(max((millivolts - 3_400) / 8, 1), 100)
        return Answer.ok.line("+CBC: 0,\(charge),\(millivolts)")
      },
      SimulatedCommand("+CADC") { modem, call in
        guard call.form == .read else {
          return call.form == .test ? Answer.ok.line("+CADC: (0,1),(0,100-1700)") : .error
        }
        return Answer.ok.line("+CADC: 1,\(modem.configuration.analogMillivolts)")
      },
      .remembered("+CEDUMP", values: "(0,1)", initial: "0"),
      SimulatedCommand("+CFUN") { modem, call in modem.cfun(call) },
      SimulatedCommand("+CPAS") { _, call in call.form == .execute ? Answer.ok.line("+CPAS: 0") : .ok },
      SimulatedCommand("+CPSMS") { modem, call in modem.cpsms(call) },
      SimulatedCommand("+CPSMRDP") { modem, call in modem.cpsmrdp(call) },
      .flag("+CPSMSTATUS", \.session.reportsPowerSaving),
      .remembered("+CPSMCFG", values: "(60-86400),(0-15)", initial: "60,15"),
      SimulatedCommand("+CEDRXS") { modem, call in modem.cedrxs(call) },
      SimulatedCommand("+CEDRXRDP") { modem, call in modem.cedrxrdp(call) },
    ]
  }

  private mutating func cfun(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CFUN: (0-1,4-7),(0-1)")
    case .read: return Answer.ok.line("+CFUN: \(radio.function)")
    case .execute: return .error
    case .write:
      guard let level = call.integer(0), [0, 1, 4, 5, 6, 7].contains(level) else { return .error }
      let resets = call.has(1) && call.integer(1) == 1
      if level == 6 || resets {
        if level != 0, level != 6 { flash.function = level }
        session.restartsAfterLine = true
        return .ok
      }
      changeFunction(to: level)
      return .ok
    }
  }

  private mutating func cpsms(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test:
      return Answer.ok.line("+CPSMS: (0,1),,,(\"00000000\"-\"11111111\"),(\"00000000\"-\"11111111\")")
    case .read:
      return Answer.ok.line(
        "+CPSMS: \(flash.powerSaving ? 1 : 0),,,\"\(flash.periodicTimer)\",\"\(flash.activeTimer)\"")
    case .execute: return .error
    case .write:
      guard let mode = call.integer(0, in: 0...1) else { return .error }
      let bits = [call.has(3) ? call.string(3) : nil, call.has(4) ? call.string(4) : nil]
      for case let text? in bits {
        guard text.utf8.count == 8, Int(text, radix: 2) != nil else { return .error }
      }
      let wasOn = flash.powerSaving
      flash.powerSaving = mode == 1
      if let periodic = bits[0] { flash.periodicTimer = periodic }
      if let active = bits[1] { flash.activeTimer = active }
      if mode == 0 {
        radio.hasPowerSaving = false
        timers.cancel(.radio(.activeTimerEnds))
        timers.cancel(.radio(.powerSavingGranted))
      } else if !wasOn {
        askForPowerSaving()
      }
      return .ok
    }
  }

  private func cpsmrdp(_ call: CommandCall) -> Answer {
    guard call.form == .execute || call.form == .read else { return call.form == .test ? .ok : .error }
    let active = (SimulatedModem.activeTime(flash.activeTimer)?.microseconds ?? 0) / 1_000_000
    let periodic = (SimulatedModem.periodicTime(flash.periodicTimer)?.microseconds ?? 0) / 1_000_000
    let granted = radio.hasPowerSaving
    return Answer.ok.line(
      "+CPSMRDP: \(flash.powerSaving ? 1 : 0),\(active),\(periodic),\(granted ? active : 0),\(granted ? periodic : 0),0"
    )
  }

  private mutating func cedrxs(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+CEDRXS: (0-3),(4,5),(\"0000\"-\"1111\")")
    case .read:
      return Answer.ok.lines(flash.extendedDRX.sorted { $0.key < $1.key }.map { "+CEDRXS: \($0.key),\"\($0.value)\"" })
    case .execute: return .error
    case .write:
      guard let mode = call.integer(0, in: 0...3) else { return .error }
      if mode == 0 || mode == 3 {
        if let access = call.integer(1) { flash.extendedDRX[access] = nil } else { flash.extendedDRX = [:] }
        return .ok
      }
      guard let access = call.integer(1, in: 4...5), let bits = call.string(2), bits.utf8.count == 4,
        Int(bits, radix: 2) != nil
      else { return .error }
      flash.extendedDRX[access] = bits
      return .ok
    }
  }

  private func cedrxrdp(_ call: CommandCall) -> Answer {
    guard call.form == .execute else { return call.form == .test ? .ok : .error }
    let access = radio.access == .nbIoT ? 5 : 4
    guard configuration.network.grantsExtendedDRX, radio.status == .registered, let bits = flash.extendedDRX[access]
    else { return Answer.ok.line("+CEDRXRDP: 0") }
    return Answer.ok.line("+CEDRXRDP: \(access),\"\(bits)\",\"\(bits)\",\"0011\"")
  }
}
