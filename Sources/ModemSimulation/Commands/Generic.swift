// What generic clients ask every modem, and what the module has no opinion about.
//
// Source: [ts27007]; the list is what ModemManager, gammu and python-gsmmodem were seen to send.

extension SimulatedModem {
  static var genericCommands: [SimulatedCommand] {
    [
      .remembered("+CLIP", values: "(0,1)", initial: "0,1"),
      .remembered("+CLIR", values: "(0-2)", initial: "0,0"),
      .remembered("+COLP", values: "(0,1)", initial: "0,0"),
      .remembered("+CRC", values: "(0,1)", initial: "0"),
      .remembered("+CCWA", values: "(0,1)", initial: "0"),
      .remembered("+CSSN", values: "(0,1),(0,1)", initial: "0,0"),
      .remembered("+CR", values: "(0,1)", initial: "0"),
      .remembered("+CMOD", values: "(0)", initial: "0"),
      .remembered("+CBST", values: "(0,7,71),(0),(0,1)", initial: "0,0,1"),
      .remembered("+CGEREP", values: "(0-2),(0,1)", initial: "0,0"),
      .remembered("+CGSMS", values: "(0-3)", initial: "1"),
      .remembered("+CUSD", values: "(0-2)", initial: "0"),
      .remembered("+WS46", values: "(12,28,29,31)", initial: "28"),
      .remembered("+CPBS", values: "(\"SM\")", initial: "\"SM\",0,250"),
      .remembered("+CPLS", values: "(0-2)", initial: "0"),
      SimulatedCommand("+CLCC") { _, _ in .ok },
      SimulatedCommand("+CHUP") { _, _ in .ok },
      SimulatedCommand("+CPOL") { _, call in call.form == .test ? Answer.ok.line("+CPOL: (1-80),(0-2)") : .ok },
      SimulatedCommand("+CESQ") { modem, call in
        if call.form == .test {
          return Answer.ok.line("+CESQ: (0-63,99),(0-7,99),(0-96,255),(255),(0-34,255),(0-97,255)")
        }
        return Answer.ok.line("+CESQ: 99,99,255,255,\(modem.radio.status == .registered ? "20,50" : "255,255")")
      },
      SimulatedCommand("+SGPIO") { _, call in call.form == .write ? .ok : .error },
      SimulatedCommand("+CGPIO") { _, call in call.form == .write ? .ok : .error },
    ]
  }
}
