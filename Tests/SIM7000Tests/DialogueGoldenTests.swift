import Quantities
import Testing

@testable import SIM7000

/// Whole dialogues with a modem that does what it should: every command, in its order, at its time, with what the driver
/// asks of the board and tells. Any change of what goes over the line shows here.
@Suite struct DialogueGoldenTests {
  /// A packet from a modem that is off, another five seconds later, and half a minute of nothing.
  private static func packets(
    by transport: ModemTransport, _ prepare: (ScriptedModem) -> Void = { _ in },
    _ change: (inout ModemConfiguration) -> Void = { _ in }
  ) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration(change))
    modem.body = "{}"
    prepare(modem)
    modem.submit(by: transport)
    modem.deliver(within: .seconds(200))
    modem.run(for: .seconds(5))
    modem.submit(by: transport)
    modem.deliver(within: .seconds(200))
    modem.run(for: .seconds(30))
    return modem
  }

  /// A modem that is on, and nothing to send.
  private static func idle(
    _ seconds: Int, _ prepare: (ScriptedModem) -> Void = { _ in },
    _ change: (inout ModemConfiguration) -> Void = { _ in }
  ) -> ScriptedModem {
    let modem = ScriptedModem(ScriptedModem.configuration(change), isOn: true)
    prepare(modem)
    modem.run(for: .seconds(seconds))
    return modem
  }

  private static func text<let capacity: Int>(_ literal: StaticString) -> ModemText<capacity> {
    ModemText(literal) ?? ModemText()
  }

  private static func secure(_ configuration: inout ModemConfiguration) {
    configuration.httpServer = text("https://track.example:8443")
    configuration.certificate = text("ca.pem")
    configuration.mqttUsesTLS = true
    configuration.mqttPort = 8883
  }

  private static func transports() -> [(String, ScriptedModem)] {
    ModemTransport.allCases.map { ("\($0)", packets(by: $0)) }
      + ModemTransport.allCases.map { transport in
        (
          "\(transport) without access point, echo and message number",
          packets(by: transport) { _ in
          } _: {
            $0.accessPoint = AccessPointName()
            $0.verifiesEcho = false
            if transport != .sms { $0.smsNumber = TelephoneNumber() }
          }
        )
      }
  }

  private static func sessions() -> [(String, ScriptedModem)] {
    [
      ("https", packets(by: .http, { _ in }, secure)),
      (
        "firmware with the short body",
        packets(by: .http) { modem in
          modem.script = { _, command, _ in command == "+SHCONF=\"BODYLEN\",1024" ? .say(["ERROR"]) : nil }
        }
      ),
      (
        "other HTTP path and content",
        packets(by: .http) { _ in
        } _: {
          $0.httpPath = text("/other")
          $0.httpContentType = text("text/plain")
        }
      ),
      (
        "mqtt with everything",
        packets(by: .mqtt) { _ in
        } _: {
          secure(&$0)
          $0.mqttUser = text("me")
          $0.mqttPassword = text("secret")
          $0.mqttClient = text("bike-1")
          $0.mqttTopic = text("bike/packet")
          $0.mqttCommandTopic = text("bike/command")
          $0.mqttKeepAlive = .seconds(90)
        }
      ),
      (
        "mqtt with a will and a server's topic",
        packets(by: .mqtt, { _ in }) {
          $0.mqttCommandTopic = text("bike/command")
          $0.mqttAvailabilityTopic = text("bike/available")
          $0.mqttServerTopic = text("house/status")
        }
      ),
      ("mqtt with a user", packets(by: .mqtt, { _ in }) { $0.mqttUser = text("me") }),
      ("mqtt with a password", packets(by: .mqtt, { _ in }) { $0.mqttPassword = text("secret") }),
      ("mqtt with TLS", packets(by: .mqtt, { _ in }, secure)),
      ("mqtt keeps alive at least a second", packets(by: .mqtt, { _ in }) { $0.mqttKeepAlive = .milliseconds(300) }),
      (
        "tcp with a user of the access point and another port",
        packets(by: .tcp, { _ in }) {
          $0.accessUser = text("user")
          $0.accessPassword = text("word")
          $0.tcpPort = 5001
        }
      ),
      ("the command topic alone", idle(400, { _ in }) { $0.mqttCommandTopic = text("bike/command") }),
    ]
  }

  private static func settings() -> [(String, ScriptedModem)] {
    var stories: [(String, ScriptedModem)] = []
    for radio in [RadioMode.automatic, .catM1, .narrowband, .gsm] {
      stories.append(
        (
          "radio \(radio), set otherwise",
          idle(
            20,
            { modem in
              modem.radio = radio == .gsm || radio == .automatic ? "51" : "2"
              modem.narrow = "3"
            }
          ) { $0.radio = radio }
        ))
      stories.append(
        (
          "radio \(radio), set so already",
          idle(
            20,
            { modem in
              modem.radio = radio == .automatic ? "2" : radio == .gsm ? "13" : "38"
              modem.narrow = radio == .narrowband ? "2" : "1"
            }
          ) { $0.radio = radio }
        ))
    }
    stories += [
      ("a rate found automatically", idle(20) { $0.rate = "0" }),
      ("another rate in the configuration", idle(20, { $0.lineRate = 57_600 }) { $0.rate = 57_600 }),
      (
        "a modem left at another rate",
        idle(40) { modem in
          modem.rate = "9600"
          modem.lineRate = 9600
        }
      ),
      (
        "a PIN",
        packets(
          by: .http,
          { modem in
            modem.script = { modem, command, _ in
              if command == "+CPIN?", modem.count("+CPIN=") == 0 { return .say(["+CPIN: SIM PIN", "OK"]) }
              return nil
            }
          }
        ) { $0.pin = text("1234") }
      ),
      (
        "messages in the store",
        idle(40) { modem in
          modem.store = [
            1: "+CMGR: \"REC UNREAD\",\"+31611111111\",,\"26/11/22,16:00:00+04\"\r\nwhere",
            3: "+CMGR: \"REC READ\",\"+31611111111\",,\"26/11/22,16:00:00+04\"\r\ntwo\r\nlines",
          ]
          modem.plan(["SMS Ready"], after: .seconds(10))
          modem.plan(["+CMTI: \"SM\",2"], after: .seconds(25))
        }
      ),
    ]
    return stories
  }

  /// A report each second for a quarter of a minute, then silence.
  private static func reports(_ modem: ScriptedModem) {
    modem.script = { modem, command, _ in
      if command == "+CGNSURC=1" {
        let line = modem.satellites.replacing("+CGNSINF", with: "+UGNSINF")
        for second in 1...15 { modem.plan([line], after: .seconds(second)) }
      }
      if command == "+CGNSTST=1" {
        for second in 1...15 { modem.plan(["$GNGGA,,,,,,0,,,,,,,,*78", "$GPGSA,A,1*1E"], after: .seconds(second)) }
      }
      return nil
    }
  }

  private static func satellites() -> [(String, ScriptedModem)] {
    var stories: [(String, ScriptedModem)] = []
    for form in [GNSSForm.reports, .queries, .sentences] {
      stories.append(
        (
          "satellites as \(form)",
          idle(30, reports) {
            $0.gnss = true
            $0.gnssForm = form
          }
        ))
    }
    for antenna in [AntennaSwitch.pin4, .pin48] {
      stories.append(
        (
          "antenna at \(antenna)",
          idle(5, { _ in }) {
            $0.gnss = true
            $0.antenna = antenna
          }
        ))
    }
    stories.append(
      (
        "a receiver that will not switch on, then does",
        idle(
          80,
          { modem in
            modem.script = { _, command, number in command == "+CGNSPWR=1" && number < 30 ? .say(["ERROR"]) : nil }
          }
        ) { $0.gnss = true }
      ))
    stories.append(
      (
        "reports that will not come, then do",
        idle(
          80,
          { modem in
            modem.script = { _, command, number in command == "+CGNSURC=1" && number < 20 ? .say(["ERROR"]) : nil }
          }
        ) { $0.gnss = true }
      ))
    stories.append(
      (
        "reception and data take turns",
        idle(
          300,
          { modem in
            modem.registration = "2"
            modem.submit(by: .http)
          }
        ) {
          $0.gnss = true
          $0.sharing = .alternating
        }
      ))
    return stories
  }

  private static func rests() -> [(String, ScriptedModem)] {
    let off = packets(by: .http, { _ in }) { $0.idle = .off }
    off.run(for: .seconds(600))
    let saving = packets(
      by: .mqtt,
      { modem in
        modem.script = { modem, command, _ in
          if command.hasPrefix("+CPSMS=1") { modem.plan(["+CPSMSTATUS: \"ENTER PSM\""], after: .seconds(20)) }
          return nil
        }
      }
    ) {
      $0.idle = .powerSaving
      $0.periodicUpdate = .seconds(7200)
      $0.activeTime = .seconds(30)
    }
    saving.run(for: .seconds(60))
    saving.setStatus(false)
    saving.submit(by: .mqtt)
    saving.run(for: .seconds(60))
    let sleep = packets(by: .http, { _ in }) {
      $0.idle = .sleep
      $0.wiring.hasDTR = true
      $0.listeningCycle = .seconds(41)
    }
    sleep.submit(by: .http)
    sleep.run(for: .seconds(60))
    let narrow = idle(30, { $0.narrow = "2" }) {
      $0.idle = .sleep
      $0.wiring.hasDTR = true
      $0.listeningCycle = .seconds(10)
      $0.radio = .narrowband
    }
    return [
      ("off when idle", off), ("power saving when idle", saving), ("asleep when idle", sleep),
      ("asleep on NB-IoT", narrow), ("awake for a quarter of an hour", idle(900)),
    ]
  }

  @Test(
    arguments: [
      ("modem-transports.txt", transports), ("modem-sessions.txt", sessions), ("modem-settings.txt", settings),
      ("modem-satellites.txt", satellites), ("modem-rests.txt", rests),
    ] as [(String, @Sendable () -> [(String, ScriptedModem)])])
  func theDialogueIsWhatItWas(golden: String, stories: @Sendable () -> [(String, ScriptedModem)]) throws {
    var text = ""
    for (name, modem) in stories() {
      #expect(modem.outcomes.allSatisfy { $0 == .delivered(ticket: 7) }, "\(name)")
      #expect(modem.recoveries.isEmpty || name.contains("turns"), "\(name): \(modem.recoveries)")
      modem.pass()
      modem.handle.modem.advance(to: modem.now)
      for load in ModemLoad.allCases {
        let time = modem.handle.modem.energy.time(in: load).microseconds
        #expect(time == modem.loads[Int(load.rawValue)], "\(name): time in \(load)")
      }
      #expect(modem.handle.modem.energy.gnssMicroseconds == modem.reception, "\(name)")
      text += "== \(name)\n" + modem.log.map { $0 + "\n" }.joined()
    }
    try Golden.compare(text, with: golden)
  }
}
