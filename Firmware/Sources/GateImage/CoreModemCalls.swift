import ASCIIText
import ATCommands
import InlineStorage
import Quantities
import SIM7000

extension CoreRun {
  /// Commands of the modem written, answers and notices read.
  mutating func modem() {
    modemCommands()
    modemAnswers()
    modemNotices()
    modemStory()
  }

  private mutating func modemCommands() {
    guard let topic = TopicName("trk/01/pos"), let host = ServerAddress("example.org"),
      let target = RequestTarget("/api"),
      let name = AccessPointName("iot.example"), let publish = SMPUB.Send(topic: topic, count: UInt16(opaque(5))),
      let open = CIPSTART.Open(connection: opaque(1), host: host, port: 5000),
      let request = SHREQ.Request(target, method: .post)
    else { return expect(false) }
    write(publish, "+SMPUB=\"trk/01/pos\",5,1,0")
    write(open, "+CIPSTART=1,\"TCP\",\"example.org\",5000")
    write(request, "+SHREQ=\"/api\",3")
    write(CNACT.Activate(accessPoint: name), "+CNACT=1,\"iot.example\"")
    let update = UpdateTimer(atLeast: .seconds(86_400))
    let active = ActiveTimer(atLeast: .seconds(Int(opaque(60))))
    write(CPSMS.Set(periodicUpdate: update, activeTime: active), "+CPSMS=1,,,\"00111000\",\"00011110\"")
    var bands = BandSet()
    bands.insert(opaque(20))
    bands.insert(opaque(71))
    guard let chosen = CBANDCFG.Set(.catM, bands: bands) else { return expect(false) }
    write(chosen, "+CBANDCFG=\"CAT-M\",20,71")
    var body = InlineBytes<16>()
    body.append("{\"a\":1}")
    guard let quoted = SHBOD.Set(body.span) else { return expect(false) }
    write(quoted, "+SHBOD=\"{\\\"a\\\":1}\",7")
  }

  private mutating func write(_ command: some ATCommand, _ expected: StaticString) {
    // As large as the channel's own: the code is the same.
    var line = InlineBytes<564>()
    command.encode(into: &line)
    expect(ATLine(line.span).equals(expected))
    note(UInt32(line.count))
    note(command.grammar.answerTimeout.microseconds)
  }

  private mutating func modemAnswers() {
    expect(CSQ.Execute.decode(ATLine(modemLine("+CSQ: 24,99").span))?.strengthDBm == -66)
    let registration = CEREG.Read.decode(
      ATLine(modemLine("+CEREG: 4,1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\"").span))
    expect(registration?.state == .home && registration?.cell == 0x195071B)
    let clock = CCLK.Read.decode(ATLine(modemLine("+CCLK: \"26/11/21,10:15:30+08\"").span))
    expect(clock?.utc == UTCTime(microseconds: 1_795_248_930_000_000))
    expect(CBC.Execute.decode(ATLine(modemLine("+CBC: 0,67,3875").span))?.supplyMillivolts == 3875)
    expect(CNACT.Read.decode(ATLine(modemLine("+CNACT: 1,\"100.71.118.22\"").span))?.state == .active)
    let revision = CGMR.Execute.decode(ATLine(modemLine("Revision:1351B05SIM7000E").span))
    expect(revision?.family == 1351 && revision?.build == 5)
    var quirks = ModemQuirks()
    quirks.firmware = revision
    quirks.bodyLimit = UInt16(opaque(64))
    expect(ModemQuirks(record: quirks.record)?.bodyLimit == 64)
    let report = CGNSINF.Execute.decode(
      ATLine(
        modemLine(
          "+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,36.00,214.5,1,,1.1,1.4,0.9,,21,6,,,45,,"
        ).span))
    guard let fix = report?.fix(at: .seconds(7)) else { return expect(false) }
    expect(fix.position?.latitudeE9 == 31_222_067_000 && fix.utc?.microseconds == 1_509_675_992_000_000)
    note(fix.speed ?? 0)
    note(fix.course ?? 0)
    note(fix.horizontalAccuracy ?? 0)
    note(fix.verticalAccuracy ?? 0)
  }

  private mutating func modemNotices() {
    let published = modemLine("+SMSUB: \"trk/01/cmd\",\"ping\"")
    if let message = PublishedMessageNotice.decode(ATLine(published.span)) {
      note(UInt32(message.payloadStart))
      expect(message.payload(in: ATLine(published.span)).count == 4)
    } else {
      expect(false)
    }
    if let notice = NetworkTimeNotice.decode(ATLine(modemLine("*PSUTTZ: 19/06/26,06:04:03\",\"+32\",0").span)) {
      note(notice.time.utc.microseconds)
    } else {
      expect(false)
    }
    expect(ModemNotice.of(ATLine(modemLine("0, CONNECT OK").span)) == .connection)
    expect(ModemNotice.of(ATLine(modemLine("+CEREG: 5").span)) == .registration)
    expect(ModemNotice.of(ATLine(modemLine("OK").span)) == nil)
  }

  /// A line that the compiler cannot see through.
  private func modemLine(_ text: StaticString) -> InlineBytes<128> {
    var line = InlineBytes<128>()
    let start = text.utf8Start
    var place = 0
    while place < text.utf8CodeUnitCount {
      line.append(opaque(start[place]))
      place += 1
    }
    return line
  }
}
