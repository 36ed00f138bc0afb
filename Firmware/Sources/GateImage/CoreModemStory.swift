import ATCommands
import InlineStorage
import Quantities
import SIM7000

// The driver takes a modem that is off to packets that are delivered, in every way it knows, with mishaps.

extension CoreRun {
  /// Runs the scenes, and expects that every command of a session was written in one of them.
  mutating func modemStory() {
    requestsAndPublications()
    secureAndLocked()
    connections()
    oldRequestsAndMessages()
    messagesInWords()
    messagesWithReports()
    messagesWithStoredReports()
    var place = 0
    while place < ModemExchange.count {
      let word = place < 64 ? modemExchangesHeard.0 : modemExchangesHeard.1
      expect(word >> UInt64(place & 63) & 1 == 1, about: ModemExchange.at(place).sent)
      place += 1
    }
  }

  /// HTTP with commands that are not answered, a body that has to go within its command and a reset in the middle of the request,
  /// then MQTT, with reception.
  private mutating func requestsAndPublications() {
    var configuration = storyConfiguration
    configuration.radio = .catM1
    configuration.gnss = true
    configuration.antenna = .pin4
    configuration.mqttCommandTopic = TopicName("trk/01/cmd") ?? TopicName()
    var world = ModemWorld(configuration, seed: 7, into: &self)
    world.plan(
      .says("\r\n+CGDCONT: 1,\"IP\",\"internet\",\"0.0.0.0\",0,0,0,0\r\n\r\nOK\r\n"), of: "AT+CGDCONT?")
    world.plan(.silence, of: "AT+CEREG?", times: 2)
    world.plan(.silence, of: "AT+SHCONF=\"BODYLEN\"")
    world.plan(.says("\r\nERROR\r\n"), of: "AT+SHBODEXT", times: 2)
    world.plan(.restart, of: "AT+SHREQ")
    world.deliver(by: .http, ticket: 1, into: &self)
    world.deliver(by: .mqtt, ticket: 2, into: &self)
    world.modem.setGNSS(isOn: false, at: world.now)
    world.run(for: .seconds(400), into: &self)
    note(world.modem)
    expect(world.modem.diagnostics.delivered == 2 && world.modem.diagnostics.starts >= 2)
    expect(world.modem.lineDiagnostics.timeouts >= 1)
  }

  /// TLS, a card with a PIN, a rate that was found by the modem, smaller bodies, an older form of the broker, and a bearer that is not there until everything was tried.
  private mutating func secureAndLocked() {
    var configuration = storyConfiguration
    configuration.httpServer = ServerAddress("https://track.example") ?? ServerAddress()
    configuration.certificate = ModemText("ca.pem") ?? ModemText()
    configuration.mqttUsesTLS = true
    configuration.mqttUser = Credential("user") ?? Credential()
    configuration.mqttPassword = Credential("secret") ?? Credential()
    configuration.pin = ModemText("1234") ?? ModemText()
    configuration.verifiesEcho = false
    configuration.idle = .powerSaving
    var world = ModemWorld(configuration, seed: 11, into: &self)
    world.plan(.says("\r\n+IPR: 0\r\n\r\nOK\r\n"), of: "AT+IPR?", times: 2)
    world.plan(.says("\r\nOK\r\n\r\n+SHREQ: \"POST\",500,0\r\n"), of: "AT+SHREQ")
    // Close the session; take the bearer down, detach, switch the radio off and on, restart.
    world.plan(.says("\r\nERROR\r\n"), of: "AT+SHCONN", times: 2)
    world.plan(.says("\r\nERROR\r\n"), of: "AT+CNACT=1", times: 8)
    // Refused as often as it is asked for: ahead of the card that says nothing of the length.
    world.plan(.says("\r\nERROR\r\n"), of: "AT+SHCONF=\"BODYLEN\",1024", times: 9)
    world.plan(.says("\r\nERROR\r\n"), of: "AT+SMCONF=\"URL\"")
    world.plan(.says("\r\nERROR\r\n"), of: "AT+SMPUB", times: 2)
    world.deliver(by: .http, ticket: 1, into: &self)
    world.deliver(by: .mqtt, ticket: 2, into: &self)
    note(world.modem)
  }

  /// TCP by both sets of commands; the first sendings are refused, once, as twice would leave the way, and a message waits in the store.
  private mutating func connections() {
    var configuration = storyConfiguration
    configuration.accessUser = Credential("user") ?? Credential()
    configuration.accessPassword = Credential("secret") ?? Credential()
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    configuration.wiring.hasDTR = true
    configuration.idle = .sleep
    configuration.listeningCycle = .seconds(25)
    var world = ModemWorld(configuration, seed: 13, into: &self)
    world.plan(.says("\r\n+CEREG: 1,2\r\n\r\nOK\r\n"), of: "AT+CEREG?", times: 3)
    // The bearer is lost after the first: all is shut, and begun once more.
    world.plan(.says("\r\n+CSQ: 20,99\r\n\r\nOK\r\n\r\n+PDP: DEACT\r\n"), of: "AT+CSQ")
    world.plan(.says("\r\nOK\r\n"), of: "AT+CAOPEN")
    world.plan(.says("\r\nERROR\r\n"), of: "AT+CIPSEND")
    world.plan(.says("\r\nERROR\r\n"), of: "AT+CASEND")
    world.deliver(by: .tcp, ticket: 3, into: &self)
    world.deliver(by: .applicationTCP, ticket: 4, into: &self)
    world.deliver(by: .tcp, ticket: 3, into: &self)
    note(world.modem)
  }

  /// Legacy HTTP, which is all there is, a text message out and one in, from a store that cannot be listed; then the modem is switched off.
  private mutating func oldRequestsAndMessages() {
    var configuration = storyConfiguration
    configuration.accessUser = Credential("user") ?? Credential()
    configuration.accessPassword = Credential("secret") ?? Credential()
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    configuration.gnss = true
    configuration.gnssForm = .sentences
    configuration.antenna = .pin48
    configuration.idle = .off
    var world = ModemWorld(configuration, seed: 17, into: &self)
    world.plan(.says("\r\n+SAPBR: 1,1,\"10.0.0.9\"\r\n\r\nOK\r\n"), of: "AT+SAPBR=2,1")
    world.plan(.says("\r\nRevision:1351B03SIM7000E\r\n\r\nOK\r\n"), of: "AT+CGMR", times: 9)
    world.plan(.says("\r\nOK\r\n\r\n+HTTPACTION: 1,601,0\r\n"), of: "AT+HTTPACTION", times: 2)
    world.plan(.says("\r\n+CMS ERROR: 500\r\n"), of: "AT+CMGS")
    world.plan(.says("\r\n+CMS ERROR: 302\r\n"), of: "AT+CMGL")
    world.plan(.says("\r\n+CSCLK: 1\r\n\r\nOK\r\n"), of: "AT+CSCLK?")
    world.deliver(by: .legacyHTTP, ticket: 5, into: &self)
    world.deliver(by: .sms, ticket: 6, into: &self)
    world.modem.setGNSS(isOn: false, at: world.now)
    world.run(for: .seconds(60), into: &self)
    note(world.modem)
    expect(world.modem.phase == .off)
  }

  /// Messages of a firmware that gives them in words alone.
  private mutating func messagesInWords() {
    var configuration = storyConfiguration
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    var world = ModemWorld(configuration, seed: 19, into: &self)
    world.plan(.says("\r\nERROR\r\n"), of: "AT+CMGF=0")
    world.plan(
      .says("\r\n+CMGR: \"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\"\r\nwhere\r\n\r\nOK\r\n"),
      of: "AT+CMGR", times: 20)
    world.run(for: .seconds(60), into: &self)
    world.deliver(by: .sms, ticket: 7, into: &self)
    note(world.modem)
  }

  /// Messages that count when the network reports them: one report ahead of the end of its exchange, one behind it.
  private mutating func messagesWithReports() {
    var configuration = storyConfiguration
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    configuration.smsStatusReports = true
    var world = ModemWorld(configuration, seed: 23, into: &self)
    world.plan(
      .says(
        """
        \r\n+CDS: 6,12,,,"26/11/22,16:00:00+04","26/11/22,16:00:05+04",0\r\n\
        \r\n+CMGS: 12\r\n\r\nOK\r\n
        """),
      of: "AT+CMGS")
    world.deliver(by: .sms, ticket: 8, into: &self)
    world.plan(
      .says(
        """
        \r\n+CMGS: 13\r\n\r\nOK\r\n\
        \r\n+CDS: 6,12,,,"26/11/22,16:00:00+04","26/11/22,16:00:05+04",0\r\n\
        \r\n+CDS: 6,13,,,"26/11/22,16:00:00+04","26/11/22,16:00:05+04",0\r\n
        """),
      of: "AT+CMGS")
    world.deliver(by: .sms, ticket: 9, into: &self)
    note(world.modem)
    expect(world.modem.diagnostics.delivered == 2 && world.modem.diagnostics.reportsUnmatched == 1)
  }

  /// A modem that can only store the report.
  private mutating func messagesWithStoredReports() {
    var configuration = storyConfiguration
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    configuration.smsStatusReports = true
    var world = ModemWorld(configuration, seed: 29, into: &self)
    world.plan(.says("\r\n+CMS ERROR: 303\r\n"), of: "AT+CNMI", times: 3)
    // The message of the store waits.
    world.plan(.says("\r\nOK\r\n"), of: "AT+CMGL")
    world.plan(.says("\r\n+CMGS: 12\r\n\r\nOK\r\n\r\n+CDSI: \"SM\",3\r\n"), of: "AT+CMGS")
    world.plan(
      .says(
        """
        \r\n+CMGR: 0,"",25\r\n07916407058099F9\
        060C0B911306000000F0916062604030009160626040800000\r\n\r\nOK\r\n
        """),
      of: "AT+CMGR=3", times: 2)
    world.deliver(by: .sms, ticket: 10, into: &self)
    note(world.modem)
    expect(world.modem.diagnostics.delivered == 1 && world.modem.quirks.storesReports)
  }

  private var storyConfiguration: ModemConfiguration {
    var configuration = ModemConfiguration()
    configuration.accessPoint = AccessPointName("iot.example") ?? AccessPointName()
    configuration.httpServer = ServerAddress("http://10.0.0.5:8080") ?? ServerAddress()
    configuration.httpPath = ModemText("/api/pos") ?? ModemText()
    configuration.mqttHost = ServerAddress("10.0.0.5") ?? ServerAddress()
    configuration.mqttClient = ModemText("trk-01") ?? ModemText()
    configuration.mqttTopic = TopicName("trk/01/pos") ?? TopicName()
    configuration.tcpHost = ServerAddress("10.0.0.5") ?? ServerAddress()
    configuration.surveyInterval = .seconds(100 + Int(opaque(200)))
    return configuration
  }

  // MARK: What comes out

  private mutating func note(_ modem: borrowing Modem) {
    note(modem.diagnostics.attempts)
    note(modem.diagnostics.starts)
    note(modem.diagnostics.linesUnknown)
    note(modem.diagnostics.linesDamaged)
    expect(modem.diagnostics.actionsDropped == 0)
    note(modem.lineDiagnostics.timeouts)
    note(modem.lineDiagnostics.echoReturned)
    note(modem.lineDiagnostics.resynchronisations)
    note(modem.energy.microcoulombs)
    note(UInt32(bitPattern: Int32(modem.signalStrengthDBm ?? 0)))
  }

  /// An action as words.
  mutating func note(_ action: ModemAction) {
    switch action {
    case .setPowerKey(let isLow): note(isLow ? 1 : 2 as UInt32)
    case .setReset(let isLow): note(isLow ? 3 : 4 as UInt32)
    case .setDTR(let isHigh): note(isHigh ? 5 : 6 as UInt32)
    case .setSupply(let isOn): note(isOn ? 7 : 8 as UInt32)
    case .setRate(let rate): note(UInt32(bitPattern: rate))
    case .delivered(let ticket):
      note(9 as UInt32)
      note(ticket)
    case .undelivered(let ticket, reason: _):
      note(10 as UInt32)
      note(ticket)
    case .fix: note(11 as UInt32)
    case .networkTime(let time): note(time.microseconds)
    case .reply(let source, let count): note(UInt32(source.rawValue) << 16 | UInt32(count))
    case .started: note(12 as UInt32)
    case .supplyLow: note(13 as UInt32)
    case .recovery(let rung, let trouble): note(UInt32(rung.rawValue) << 8 | UInt32(trouble.rawValue))
    }
  }
}
