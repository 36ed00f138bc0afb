import ATCommands
import InlineStorage
import Quantities
import Testing

@testable import SIM7000

@Suite struct NoticeTests {
  @Test func startAndPowerAreTold() {
    #expect(notice("RDY") == .started)
    #expect(notice("+CFUN: 1") == .function(FunctionNotice(level: .full)))
    #expect(notice("+CPIN: READY") == .sim(SIMNotice(state: .ready)))
    #expect(notice("+CPIN: NOT INSERTED") == .sim(SIMNotice(state: .notInserted)))
    #expect(notice("SMS Ready") == .messagesReady)
    #expect(notice("NORMAL POWER DOWN") == .powerDown(.normal))
    #expect(notice("UNDER-VOLTAGE POWER DOWN") == .powerDown(.underVoltage))
    #expect(notice("OVER-VOLTAGE POWER DOWN") == .powerDown(.overVoltage))
    for spelling in ["WARNNING", "WARNING"] {
      #expect(notice("UNDER-VOLTAGE \(spelling)") == .supplyWarning(.underVoltage))
      #expect(notice("OVER-VOLTAGE \(spelling)") == .supplyWarning(.overVoltage))
    }
    #expect(notice("+CPSMSTATUS: \"ENTER PSM\"") == .powerSaving(.entered))
    #expect(notice("+CPSMSTATUS: EXIT PSM") == .powerSaving(.left))
  }

  @Test func registrationIsToldApartFromItsAnswer() {
    #expect(
      notice("+CEREG: 5") == .registration(RegistrationNotice(domain: .lte, registration: Registration(.roaming))))
    #expect(
      notice("+CGREG: 2") == .registration(RegistrationNotice(domain: .packet, registration: Registration(.searching))))
    #expect(
      notice("+CREG: 3") == .registration(RegistrationNotice(domain: .circuit, registration: Registration(.denied))))
    guard case .registration(let full) = notice("+CEREG: 1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\"") else {
      Issue.record("the long form is not understood")
      return
    }
    #expect(full.registration.cell == 0x195071B && full.registration.activeTime?.bits == 1)
    #expect(notice("+CEREG: 1,5") == nil)
    #expect(notice("+CNSMOD: 7") == .system(SystemNotice(system: .catM1)))
    #expect(notice("+CNSMOD: 1,7") == nil)
  }

  @Test func bothFormsOfTheNetworkTimeAreUnderstood() {
    let utc = UTCTime(microseconds: 1_561_529_043_000_000)
    let time = NetworkTime(utc: utc, zoneQuarterHours: 32, daylightSavingHours: 0)
    #expect(notice("*PSUTTZ: 19/06/26,06:04:03\",\"+32\",0") == .networkTime(NetworkTimeNotice(time: time)))
    #expect(notice("*PSUTTZ: \"19/06/26,06:04:03\",\"+32\",0") == .networkTime(NetworkTimeNotice(time: time)))
    #expect(notice("*PSUTTZ: 2019,6,26,6,4,3,\"+32\",0") == .networkTime(NetworkTimeNotice(time: time)))
    #expect(notice("*PSUTTZ: 2019,6,26,6,4,3") == nil)
    #expect(notice("*PSUTTZ: 2019,6,26,6,4,3,\"+32\",0,1") == nil)
    #expect(notice("*PSUTTZ: 2019,6,31,6,4,3,\"+32\",0") == nil)
    #expect(notice("DST: 1") == .summerTime(SummerTimeNotice(hours: 1)))
    #expect(notice("DST: 3") == nil)
    #expect(notice("+CTZV: +32") == .zone(ZoneNotice(zoneQuarterHours: 32)))
    #expect(notice("+CTZV: \"-20\"") == .zone(ZoneNotice(zoneQuarterHours: -20)))
    #expect(notice("+CTZV: 57") == nil)
    guard case .networkName(let name) = notice("*PSNWID: \"240\",\"007\",\"Name\",0,\"N\",0") else {
      Issue.record("the name is not understood")
      return
    }
    #expect(name.network.country == 240 && name.network.network == 7 && name.network.networkDigits == 3)
  }

  @Test func lossesAreTold() {
    #expect(notice("+APP PDP: ACTIVE") == .applicationNetwork(ApplicationNetworkNotice(isActive: true)))
    #expect(notice("+APP PDP: DEACTIVE") == .applicationNetwork(ApplicationNetworkNotice(isActive: false)))
    #expect(notice("+APP PDP: 0,ACTIVE") == .applicationNetwork(ApplicationNetworkNotice(isActive: true)))
    #expect(notice("+APP PDP: OTHER") == nil)
    #expect(notice("+PDP: DEACT") == .toolkitLost)
    #expect(notice("+PDP DEACT") == .toolkitLost)
    #expect(notice("+SAPBR 1: DEACT") == .bearerLost(BearerLostNotice(bearer: 1)))
    #expect(notice("+SHSTATE: 0") == .requestLost)
    #expect(notice("+SHSTATE: 1") == nil)
    #expect(notice("+SMSTATE: 0") == .brokerLost)
    #expect(notice("+SMSTATE: 1") == nil)
  }

  @Test func connectionsAreToldWithAndWithoutTheirNumber() {
    let events: [(String, ConnectionNotice.Event)] = [
      ("CONNECT OK", .opened), ("CONNECT FAIL", .failed), ("ALREADY CONNECT", .alreadyOpen), ("CLOSED", .closed),
    ]
    for (words, event) in events {
      #expect(notice(words) == .connection(ConnectionNotice(connection: nil, event: event)))
      #expect(notice("3, \(words)") == .connection(ConnectionNotice(connection: 3, event: event)))
      #expect(notice("0,\(words)") == .connection(ConnectionNotice(connection: 0, event: event)))
      #expect(notice("8, \(words)") == nil)
    }
    #expect(notice("+CIPRXGET: 1") == .received(ReceivedNotice(connection: nil)))
    #expect(notice("+CIPRXGET: 1,0") == .received(ReceivedNotice(connection: 0)))
    #expect(notice("+CIPRXGET: 2,0,4,0") == nil)
    #expect(notice("+CADATAIND: 0") == .socketData(SocketDataNotice(socket: 0)))
    guard case .socketState(let state) = notice("+CASTATE: 0,0") else {
      Issue.record("the state of a socket is not understood")
      return
    }
    #expect(state.status.state == .closed)
    guard case .socketSent(let sent) = notice("+CASEND: 0,1,0") else {
      Issue.record("what a socket took is not understood")
      return
    }
    #expect(!sent.outcome.isSent)
  }

  @Test func outcomesAreTold() {
    guard case .request(let request) = notice("+SHREQ: \"POST\",200,11") else {
      Issue.record("the outcome of a request is not understood")
      return
    }
    #expect(request.outcome.status == 200)
    guard case .action(let action) = notice("+HTTPACTION: 1,601,0") else {
      Issue.record("the outcome of an action is not understood")
      return
    }
    #expect(action.outcome.method == .post)
    #expect(notice("+CNTP: 1") == .timeServer(TimeServerNotice(outcome: .done)))
    #expect(notice("+CMTI: \"SM\",3") == .storedMessage(StoredMessageNotice(index: 3)))
    #expect(notice("+CDSI: \"SM\",3") == .storedReport(StoredReportNotice(index: 3)))
    guard case .directMessage(let message) = notice("+CMT: \"+31600000000\",,\"19/06/26,14:04:03+32\"") else {
      Issue.record("a message is not understood")
      return
    }
    #expect(text(message.header.sender) == "+31600000000")
    #expect(notice("RING") == .ring)
    for line in ["", "OK", "ERROR", ">", "CONNECT", "+CME ERROR: 3", "Call Ready", "$GPGGA,,,", "+UNKNOWN: 1"] {
      #expect(notice(line) == nil, "\(line)")
    }
  }

  /// The topic and the payload that a line tells.
  private func published(_ line: String) -> (topic: String, payload: String)? {
    let bytes = Array(line.utf8)
    let line = ATLine(bytes.span)
    guard let notice = PublishedMessageNotice.decode(line) else { return nil }
    let topic = notice.topic(in: line)
    let payload = notice.payload(in: line)
    return (
      String(decoding: topic.indices.map { topic[$0] }, as: UTF8.self),
      String(decoding: payload.indices.map { payload[$0] }, as: UTF8.self)
    )
  }

  @Test func aPublishedMessageMayHoldQuotesAndCommas() throws {
    let cases: [(String, String, String)] = [
      ("+SMSUB: \"trk/01/cmd\",\"ping\"", "trk/01/cmd", "ping"),
      ("+SMSUB: \"t\",\"\"", "t", ""),
      ("+SMSUB: \"t\",\"{\"a\":\"b\",\"c\":1}\"", "t", "{\"a\":\"b\",\"c\":1}"),
      ("+SMSUB:\"a\"b\",\"x\",\"y\"", "a\"b", "x\",\"y"),
    ]
    for (line, topic, payload) in cases {
      let found = try #require(published(line), "\(line)")
      #expect(found.topic == topic && found.payload == payload, "\(line)")
    }
    for line in [
      "+SMSUB: \"t\",\"", "+SMSUB: \"t\"", "+SMSUB: \"\",\"x\"", "+SMSUB: t,\"x\"", "+SMSUB:", "+SMSUB: \"t\",5",
    ] {
      #expect(published(line) == nil, "\(line)")
    }
    let bytes = Array("+SMSUB: \"topic\",\"payload\"".utf8)
    guard let notice = PublishedMessageNotice.decode(ATLine(bytes.span)) else {
      Issue.record("the message is not understood")
      return
    }
    let other = Array("short".utf8)
    let payload = notice.payload(in: ATLine(other.span))
    let isEmpty = payload.isEmpty
    #expect(isEmpty)
  }
}
