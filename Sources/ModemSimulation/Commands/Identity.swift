// Who the module and its SIM are.
//
// Source: [sim7000-at] chapter 2 (`GMI`, `GSN`, …) and section 3.2 (`CCID`, `CIMI`, `CNUM`).

extension SimulatedModem {
  static var identityCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+GMI") { modem, call in modem.identity(call, "SIMCOM_Ltd") },
      SimulatedCommand("+CGMI") { modem, call in modem.identity(call, "SIMCOM_Ltd") },
      SimulatedCommand("+GMM") { modem, call in modem.identity(call, modem.configuration.model) },
      SimulatedCommand("+CGMM") { modem, call in modem.identity(call, modem.configuration.model) },
      SimulatedCommand("+GMR") { modem, call in modem.identity(call, modem.revisionText) },
      SimulatedCommand("+CGMR") { modem, call in modem.identity(call, modem.revisionText) },
      SimulatedCommand("+GSN") { modem, call in modem.identity(call, modem.configuration.imei) },
      SimulatedCommand("+CGSN") { modem, call in modem.identity(call, modem.configuration.imei) },
      SimulatedCommand("+GCAP") { modem, call in modem.identity(call, "+GCAP: +CGSM") },
      SimulatedCommand("+GSV") { modem, call in
        modem.identity(call, "SIMCOM_Ltd\r\n\(modem.configuration.model)\r\n\(modem.revisionText)")
      },
      SimulatedCommand("+SIMCOMATI") { modem, call in
        modem.identity(
          call,
          "\(modem.revisionText)\r\nCSUB:V02\r\nAPRev:\(modem.configuration.revision),V02\r\n"
            + "QCN:MDM9206_TX3.0.SIM7000\r\nIMEI:\(modem.configuration.imei)")
      },
      SimulatedCommand("+CCID") { modem, call in modem.cardIdentity(call, modem.configuration.iccid) },
      SimulatedCommand("+CIMI") { modem, call in modem.cardIdentity(call, modem.configuration.imsi) },
      SimulatedCommand("+CNUM") { modem, call in
        let number = modem.configuration.phoneNumber
        return modem.cardIdentity(call, "+CNUM: \"\",\"\(number)\",\(number.hasPrefix("+") ? 145 : 129)")
      },
    ]
  }

  /// Logs show no space behind the colon; the manual prints one.
  private var revisionText: String { "Revision:\(configuration.revision)" }

  private func identity(_ call: CommandCall, _ text: String) -> Answer {
    switch call.form {
    case .test: return .ok
    case .execute: return Answer.ok.line(text)
    case .read, .write: return .error
    }
  }

  private func cardIdentity(_ call: CommandCall, _ text: String) -> Answer {
    if call.form == .execute, let trouble = simTrouble { return trouble }
    return identity(call, text)
  }
}
