// The satellite receiver.
//
// Source: [sim7000-at] chapter 16; [sim7000-gnss].

extension SimulatedModem {
  static var gnssCommands: [SimulatedCommand] {
    [
      SimulatedCommand("+CGNSPWR") { modem, call in
        switch call.form {
        case .test: return Answer.ok.line("+CGNSPWR: (0,1)")
        case .read: return Answer.ok.line("+CGNSPWR: \(modem.gnss.isOn ? 1 : 0)")
        case .execute: return .error
        case .write:
          guard let value = call.integer(0, in: 0...1) else { return .error }
          modem.switchGNSS(on: value == 1)
          return .ok
        }
      },
      SimulatedCommand("+CGNSINF") { modem, call in
        guard call.form == .execute else { return call.form == .test ? .ok : .error }
        return Answer.ok.line("+CGNSINF: \(modem.receiverFields)")
      },
      .number("+CGNSURC", 0...255, \.gnss.reportEvery),
      SimulatedCommand("+CGNSTST") { modem, call in
        switch call.form {
        case .test: return Answer.ok.line("+CGNSTST: (0,1),(0,1)")
        case .read: return Answer.ok.line("+CGNSTST: \(modem.gnss.copiesSentences ? 1 : 0)")
        case .execute: return .error
        case .write:
          guard let value = call.integer(0, in: 0...1) else { return .error }
          modem.gnss.copiesSentences = value == 1
          return .ok
        }
      },
      SimulatedCommand("+CGNSMOD") { modem, call in
        switch call.form {
        case .test: return Answer.ok.line("+CGNSMOD: (1),(0-2),(0-2),(0-2)")
        case .read: return Answer.ok.line("+CGNSMOD: " + modem.flash.gnssMode.map(String.init).joined(separator: ","))
        case .execute: return .error
        case .write:
          let values = (0..<4).compactMap { call.integer($0, in: 0...2) }
          guard values.count == 4, values[0] == 1 else { return .error }
          modem.flash.gnssMode = values
          return .ok
        }
      },
      SimulatedCommand("+CGNSCOLD") { modem, call in modem.start(call, cold: true) },
      SimulatedCommand("+CGNSWARM") { modem, call in modem.start(call, cold: true) },
      SimulatedCommand("+CGNSHOT") { modem, call in modem.start(call, cold: false) },
      SimulatedCommand("+CGNSXTRA") { modem, call in
        switch call.form {
        case .test: return Answer.ok.line("+CGNSXTRA: (0,1)")
        case .read: return Answer.ok.line("+CGNSXTRA: \(modem.gnss.usesPrediction ? 1 : 0)")
        case .execute: return Answer.ok
        case .write:
          guard let value = call.integer(0, in: 0...1) else { return .error }
          modem.gnss.usesPrediction = value == 1
          return .ok
        }
      },
      .remembered("+CGNSCFG", values: "(0-2)", initial: "0"),
      .remembered("+CGNSPORT", values: "(3,4)", initial: "3"),
      .remembered("+CGNSNMEA", values: "(0-511)", initial: "511"),
      .remembered("+CGNSRTMS", values: "(50-1000)", initial: "1000"),
      .remembered("+CGNSHOR", values: "(0-255)", initial: "50"),
      .remembered("+CGTP", values: "(0,1)", initial: "0"),
    ]
  }

  /// Starts the search anew.
  private mutating func start(_ call: CommandCall, cold: Bool) -> Answer {
    guard call.form == .execute else { return call.form == .test ? .ok : .error }
    guard gnss.isOn else { return .error }
    restartGNSS(search: cold ? configuration.gnss.coldStart : configuration.gnss.hotStart)
    guard cold, gnss.usesPrediction else { return .ok }
    return Answer.ok.then(.line("+CGNSXTRA: 0"))
  }
}
