// The serial line.
//
// Source: [sim7000-at] chapter 2 (`IPR`, `ICF`, `IFC`, `CMEE`); [sim7000-uart].

extension SimulatedModem {
  static var linkCommands: [SimulatedCommand] {
    [
      .number("+CMEE", 0...2, \.session.errorDetail),
      SimulatedCommand("+IPR") { modem, call in modem.ipr(call) },
      SimulatedCommand("+ICF") { modem, call in modem.icf(call) },
      SimulatedCommand("+IFC") { modem, call in modem.ifc(call) },
      .number("+CSCLK", 0...1, \.flash.slowClock),
      .number("+CFGRI", 0...2, \.session.ringMode),
      .remembered("+CMUX", values: "(0),(0),(1-8),(1-1500),(1-255),(0-100),(2-255),(1-255),(1-7)", initial: "0"),
    ]
  }

  /// Speeds that can be fixed.
  static let fixedRates = [
    300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 921_600, 2_000_000, 2_900_000,
    3_000_000, 3_200_000, 3_686_400, 4_000_000,
  ]

  /// The new speed holds when the result has left at the old one, and is stored.
  private mutating func ipr(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test:
      let fixed = SimulatedModem.fixedRates.map(String.init).joined(separator: ",")
      let detected = SimulatedModem.autoBaudRates.map(String.init).joined(separator: ",")
      return Answer.ok.line("+IPR: (\(detected)),(0,\(fixed))")
    case .read: return Answer.ok.line("+IPR: \(flash.rate)")
    case .write:
      guard let rate = call.integer(0), rate == 0 || SimulatedModem.fixedRates.contains(rate) else { return .error }
      session.rateToCome = rate
      return .ok
    case .execute: return .error
    }
  }

  private mutating func icf(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+ICF: (1-6),(0,1,3)")
    case .read: return Answer.ok.line("+ICF: \(session.framing.format),\(session.framing.parity)")
    case .write:
      guard let format = call.integer(0, in: 1...6) else { return .error }
      session.framing = (format, call.integer(1) ?? 255)
      return .ok
    case .execute: return .error
    }
  }

  private mutating func ifc(_ call: CommandCall) -> Answer {
    switch call.form {
    case .test: return Answer.ok.line("+IFC: (0-2),(0-2)")
    case .read: return Answer.ok.line("+IFC: \(session.flowControl.byHost),\(session.flowControl.byModem)")
    case .write:
      guard let host = call.integer(0, in: 0...2), let modem = call.integer(1, in: 0...2) else { return .error }
      session.flowControl = (host, modem)
      return .ok
    case .execute: return .error
    }
  }
}
