import ATCommands
import InlineStorage
import Quantities
import Testing

@testable import SIM7000

@Suite struct CommandBytesTests {
  @Test func theSerialLineIsSetAsTheManualSays() throws {
    #expect(written(ATE.Set(isOn: false)) == "E0")
    #expect(written(ATE.Set(isOn: true)) == "E1")
    #expect(written(try #require(IPR.Set(bitsPerSecond: 115_200))) == "+IPR=115200")
    #expect(IPR.Set(bitsPerSecond: 115_201) == nil)
  }

  @Test func powerAndRadioAreSetAsTheManualSays() throws {
    #expect(written(CPOWD.Execute()) == "+CPOWD=1")
    #expect(written(CNMP.Set(.lte)) == "+CNMP=38")
    #expect(written(CMNB.Set(.narrowband)) == "+CMNB=2")
    #expect(written(try #require(CPIN.Enter(try modemText("1234")))) == "+CPIN=\"1234\"")
    #expect(CPIN.Enter(try modemText("12a4")) == nil)
    #expect(CPIN.Enter(try modemText("123")) == nil)
    var bands = BandSet()
    #expect(CBANDCFG.Set(.catM, bands: bands) == nil)
    for band: UInt8 in [20, 3, 8, 71] { bands.insert(band) }
    #expect(!bands.insert(0) && !bands.insert(128))
    #expect(written(try #require(CBANDCFG.Set(.catM, bands: bands))) == "+CBANDCFG=\"CAT-M\",3,8,20,71")
    #expect(written(try #require(CBANDCFG.Set(.narrowband, bands: bands))) == "+CBANDCFG=\"NB-IOT\",3,8,20,71")
  }

  @Test func registrationIsAskedForAsTheManualSays() {
    #expect(written(CREG.Read()) == "+CREG?")
    #expect(written(CGREG.Read()) == "+CGREG?")
    #expect(written(CEREG.Read()) == "+CEREG?")
  }

  @Test func questionsAreWrittenAsTheManualSays() throws {
    #expect(written(CMEE.Read()) == "+CMEE?")
    #expect(written(IPR.Read()) == "+IPR?")
    #expect(written(CPIN.Read()) == "+CPIN?")
    #expect(written(CSQ.Execute()) == "+CSQ")
    #expect(written(CGATT.Read()) == "+CGATT?")
    #expect(written(CNMP.Read()) == "+CNMP?")
    #expect(written(CMNB.Read()) == "+CMNB?")
    #expect(written(CBANDCFG.Read()) == "+CBANDCFG?")
    #expect(written(CGDCONT.Read()) == "+CGDCONT?")
    #expect(written(CCLK.Read()) == "+CCLK?")
    #expect(written(CBC.Execute()) == "+CBC")
    #expect(written(CGMR.Execute()) == "+CGMR")
    #expect(written(CSCLK.Read()) == "+CSCLK?")
    #expect(written(CPSMS.Read()) == "+CPSMS?")
    #expect(written(CARECV.Read()) == "+CARECV?")
    #expect(written(CASTATE.Read()) == "+CASTATE?")
  }

  @Test func bearersAreWrittenAsTheManualSays() throws {
    let name: AccessPointName = try modemText("iot.example")
    #expect(written(try #require(CGDCONT.Set(accessPoint: name))) == "+CGDCONT=1,\"IP\",\"iot.example\"")
    #expect(CGDCONT.Set(number: 25, accessPoint: name) == nil)
    #expect(written(CNACT.Read()) == "+CNACT?")
    #expect(written(CNACT.Activate(accessPoint: name)) == "+CNACT=1,\"iot.example\"")
    #expect(written(CNACT.Activate()) == "+CNACT=1")
    #expect(written(CNACT.Deactivate()) == "+CNACT=0")
    let user: Credential = try modemText("me")
    #expect(
      written(CNCFG.Set(accessPoint: name, user: user, password: try modemText("pw"), authentication: .pap))
        == "+CNCFG=1,\"iot.example\",\"me\",\"pw\",1")
    #expect(written(CSTT.Set(accessPoint: name)) == "+CSTT=\"iot.example\",\"\",\"\"")
    #expect(written(CIFSR.Execute()) == "+CIFSR")
    #expect(written(CIPSHUT.Execute()) == "+CIPSHUT")
    #expect(written(SAPBR.Set(.accessPoint, try modemText("iot"))) == "+SAPBR=3,1,\"APN\",\"iot\"")
    #expect(written(SAPBR.Set(.kind, try modemText("GPRS"))) == "+SAPBR=3,1,\"CONTYPE\",\"GPRS\"")
    #expect(written(SAPBR.Set(.user, user)) == "+SAPBR=3,1,\"USER\",\"me\"")
    #expect(written(SAPBR.Set(.password, user)) == "+SAPBR=3,1,\"PWD\",\"me\"")
    #expect(written(SAPBR.Query()) == "+SAPBR=2,1")
  }

  @Test func connectionsAreWrittenAsTheManualSays() throws {
    let host: ServerAddress = try modemText("10.0.0.5")
    #expect(written(try #require(CIPRXGET.Get(connection: 0, maximumCount: 100))) == "+CIPRXGET=2,0,100")
    #expect(written(try #require(CIPRXGET.Get(connection: nil, maximumCount: 100))) == "+CIPRXGET=2,100")
    #expect(CIPRXGET.Get(connection: 8, maximumCount: 100) == nil)
    #expect(CIPRXGET.Get(connection: 0, maximumCount: 1461) == nil)
    #expect(
      written(try #require(CIPSTART.Open(connection: 0, host: host, port: 5000)))
        == "+CIPSTART=0,\"TCP\",\"10.0.0.5\",5000")
    #expect(
      written(try #require(CIPSTART.Open(connection: nil, kind: .udp, host: host, port: 5000)))
        == "+CIPSTART=\"UDP\",\"10.0.0.5\",5000")
    #expect(CIPSTART.Open(connection: 0, host: host, port: 0) == nil)
    #expect(written(try #require(CIPSEND.Send(connection: 0, count: 4))) == "+CIPSEND=0,4")
    #expect(written(try #require(CIPSEND.Send(connection: nil, count: 1460))) == "+CIPSEND=1460")
    #expect(CIPSEND.Send(connection: nil, count: 1461) == nil)
    #expect(written(try #require(CIPCLOSE.Close(connection: nil))) == "+CIPCLOSE")
    #expect(written(try #require(CIPCLOSE.Close(connection: 7))) == "+CIPCLOSE=7")
    #expect(written(try #require(CAOPEN.Open(host: host, port: 5000))) == "+CAOPEN=0,\"10.0.0.5\",5000")
    #expect(written(try #require(CASEND.Send(count: 5))) == "+CASEND=0,5")
    #expect(written(try #require(CARECV.Get(maximumCount: 100))) == "+CARECV=0,100")
  }

  @Test func requestsAreWrittenAsTheManualSays() throws {
    #expect(
      written(try #require(SHCONF.SetAddress(try modemText("http://10.0.0.5:8080"))))
        == "+SHCONF=\"URL\",\"http://10.0.0.5:8080\"")
    #expect(written(try #require(SHCONF.SetBodyLimit(1024))) == "+SHCONF=\"BODYLEN\",1024")
    #expect(SHCONF.SetBodyLimit(1025) == nil)
    #expect(written(try #require(SHCONF.SetHeaderLimit(350))) == "+SHCONF=\"HEADERLEN\",350")
    #expect(SHCONF.SetHeaderLimit(351) == nil)
    #expect(written(try #require(SHSSL.Set(context: 1, authority: try modemText("ca.pem")))) == "+SHSSL=1,\"ca.pem\"")
    #expect(
      written(try #require(SHAHEAD.Add(name: try modemText("Content-Type"), value: try modemText("application/json"))))
        == "+SHAHEAD=\"Content-Type\",\"application/json\"")
    #expect(written(try #require(SHBODEXT.Send(count: 17))) == "+SHBODEXT=17,10000")
    let body = Array(#"{"a":1}"#.utf8)
    let quoted = SHBOD.Set(body.span)
    #expect(written(try #require(quoted)) == #"+SHBOD="{\"a\":1}",7"#)
    let escape = Array(#"a\"#.utf8)
    let refused = SHBOD.Set(escape.span) == nil
    #expect(refused)
    #expect(written(try #require(SHREQ.Request(try modemText("/api/pos"), method: .post))) == "+SHREQ=\"/api/pos\",3")
    #expect(written(try #require(SHREAD.Get(count: 11))) == "+SHREAD=0,11")
    #expect(SHREAD.Get(count: 0) == nil)
    #expect(SHREAD.Get(start: .max, count: 1) == nil)
    #expect(
      written(try #require(HTTPPARA.SetURL(try modemText("http://example.com/p"))))
        == "+HTTPPARA=\"URL\",\"http://example.com/p\"")
    #expect(written(HTTPPARA.SetContentType(try modemText("text/plain"))) == "+HTTPPARA=\"CONTENT\",\"text/plain\"")
    #expect(written(try #require(HTTPDATA.Send(count: 5))) == "+HTTPDATA=5,10000")
    #expect(written(HTTPACTION.Request(.post)) == "+HTTPACTION=1")
    #expect(written(try #require(HTTPREAD.Get(count: 100))) == "+HTTPREAD=0,100")
  }

  /// Each step that has nothing to fill in has its own text and time, and no other step has one.
  @Test func whatIsAlwaysTheSameIsWrittenAsTheManualSays() throws {
    let expected: [(step: ModemStep, text: String, seconds: Int)] = [
      (.sleepClear, "+CSCLK=0", 5),
      (.errorCodes, "+CMEE=1", 5),
      (.supplyNotices, "+CBATCHK=1", 5),
      (.registrationNotices, "+CREG=1", 5),
      (.packetNotices, "+CGREG=1", 5),
      (.evolvedNotices, "+CEREG=1", 5),
      (.networkTime, "+CLTS=1", 5),
      (.powerSavingClear, "+CPSMS=0", 5),
      (.powerSavingNotices, "+CPSMSTATUS=1", 5),
      (.sleepSet, "+CSCLK=1", 5),
      (.operatorSet, "+COPS=0", 60),
      (.socketsMultiple, "+CIPMUX=1", 5),
      (.socketsManual, "+CIPRXGET=1", 5),
      (.socketsUp, "+CIICR", 85),
      (.profileOpen, "+SAPBR=1,1", 85),
      (.httpConnect, "+SHCONN", 60),
      (.httpClearHeaders, "+SHCHEAD", 5),
      (.legacyStart, "+HTTPINIT", 5),
      (.legacyBearer, #"+HTTPPARA="CID",1"#, 5),
      (.mqttPlain, "+SMSSL=0", 5),
      (.mqttConnect, "+SMCONN", 60),
      (.tcpPlain, "+CIPSSL=0", 5),
      (.socketPlain, #"+CASSLCFG=0,"SSL",0"#, 5),
      (.socketSelect, "+CACID=0", 5),
      (.charactersSet, #"+CSCS="IRA""#, 5),
      (.messageFormat, "+CMGF=1", 5),
      (.messageDigits, "+CMGF=0", 5),
      (.gnssAntenna, "+SGPIO=0,4,1,1", 5),
      (.gnssOn, "+CGNSPWR=1", 5),
      (.gnssOff, "+CGNSPWR=0", 5),
      (.gnssNotices, "+CGNSURC=1", 5),
      (.gnssSentences, "+CGNSTST=1", 5),
      (.httpClose, "+SHDISC", 15),
      (.legacyStop, "+HTTPTERM", 5),
      (.mqttClose, "+SMDISC", 15),
      (.socketClose, "+CACLOSE=0", 15),
      (.profileClose, "+SAPBR=0,1", 65),
      (.detach, "+CGATT=0", 75),
      (.attach, "+CGATT=1", 75),
      (.radioOff, "+CFUN=0", 10),
      (.radioOn, "+CFUN=1", 10),
      (.restart, "+CFUN=1,1", 10),
    ]
    for (step, text, seconds) in expected {
      let command = try #require(FixedCommand(of: step), "\(step)")
      #expect(written(command) == text)
      #expect(command.grammar.answerTimeout == .seconds(seconds), "\(step)")
    }
    let fixed = ModemStep.allCases.filter { FixedCommand(of: $0) != nil }
    #expect(fixed == expected.map(\.step))
    #expect(written(FixedCommand.antennaByPin48) == "+CGPIO=0,48,1,1")
  }

  @Test func messagesAreWrittenAsTheManualSays() throws {
    #expect(
      written(try #require(SMCONF.SetServer(host: try modemText("10.0.0.5"))))
        == "+SMCONF=\"URL\",\"10.0.0.5\",\"1883\"")
    #expect(written(SMCONF.SetText(.clientName, try modemText("trk-01"))) == "+SMCONF=\"CLIENTID\",\"trk-01\"")
    #expect(written(SMCONF.SetText(.willTopic, try modemText("t"))) == "+SMCONF=\"TOPIC\",\"t\"")
    #expect(written(SMCONF.SetText(.willMessage, try modemText("m"))) == "+SMCONF=\"MESSAGE\",\"m\"")
    #expect(written(SMCONF.SetText(.user, try modemText("u"))) == "+SMCONF=\"USERNAME\",\"u\"")
    #expect(written(SMCONF.SetText(.password, try modemText("p"))) == "+SMCONF=\"PASSWORD\",\"p\"")
    #expect(written(try #require(SMCONF.SetNumber(.keepAliveSeconds, 60))) == "+SMCONF=\"KEEPTIME\",60")
    #expect(written(try #require(SMCONF.SetNumber(.cleanSession, 1))) == "+SMCONF=\"CLEANSS\",1")
    #expect(written(try #require(SMCONF.SetNumber(.willQuality, 2))) == "+SMCONF=\"QOS\",2")
    #expect(written(try #require(SMCONF.SetNumber(.willRetained, 1))) == "+SMCONF=\"RETAIN\",1")
    #expect(SMCONF.SetNumber(.cleanSession, 2) == nil)
    #expect(written(SMSTATE.Read()) == "+SMSTATE?")
    let topic: TopicName = try modemText("trk/01/pos")
    #expect(written(try #require(SMPUB.Send(topic: topic, count: 5))) == "+SMPUB=\"trk/01/pos\",5,1,0")
    #expect(SMPUB.Send(topic: topic, count: 513) == nil)
    #expect(written(try #require(SMSUB.Subscribe(topic: topic))) == "+SMSUB=\"trk/01/pos\",1")
    #expect(written(try #require(SMSSL.Set(authority: try modemText("ca.pem")))) == "+SMSSL=1,\"ca.pem\",\"\"")
    #expect(written(CNMI.Set(tellsIndex: true)) == "+CNMI=2,1")
    #expect(written(CNMI.Set(tellsIndex: true, tellsReports: true)) == "+CNMI=2,1,0,1")
    #expect(written(CNMI.Set(tellsIndex: true, tellsReports: true, storesReports: true)) == "+CNMI=2,1,0,2")
    #expect(written(CSMP.Set(wantsReport: true)) == "+CSMP=49,167,0,0")
    #expect(written(CSMP.Set(wantsReport: false)) == "+CSMP=17,167,0,0")
    #expect(written(try #require(CMGS.Send(to: try modemText("+31600000000")))) == "+CMGS=\"+31600000000\"")
    #expect(CMGS.Send(to: try modemText("+")) == nil)
    #expect(CMGS.Send(to: try modemText("31a")) == nil)
    #expect(written(CMGR.Get(index: 3)) == "+CMGR=3")
    #expect(written(CMGD.Delete(index: 3)) == "+CMGD=3")
    #expect(written(CMGL.List(includesRead: true)) == "+CMGL=\"ALL\"")
    #expect(written(CMGL.List(includesRead: false)) == "+CMGL=\"REC UNREAD\"")
  }

  @Test func securityIsWrittenAsTheManualSays() throws {
    #expect(written(try #require(CSSLCFG.SetVersion(context: 1))) == "+CSSLCFG=\"sslversion\",1,3")
    #expect(
      written(try #require(CSSLCFG.SetServerName(context: 1, try modemText("example.org"))))
        == "+CSSLCFG=\"sni\",1,\"example.org\"")
    #expect(CSSLCFG.SetVersion(context: 6) == nil)
  }

  @Test func satellitesSleepAndPinsAreWrittenAsTheManualSays() throws {
    #expect(written(CGNSINF.Execute()) == "+CGNSINF")
    #expect(
      written(CPSMS.Set(periodicUpdate: UpdateTimer(bits: 0b0101_1111), activeTime: ActiveTimer(bits: 1)))
        == "+CPSMS=1,,,\"01011111\",\"00000001\"")
    #expect(written(CEDRXS.Set(.catM, cycle: try #require(ListeningCycle(bits: 1)))) == "+CEDRXS=1,4,\"0001\"")
  }

  @Test func noTextLeavesItsQuotesOrItsLine() throws {
    for byte in 0...255 as ClosedRange<UInt8> {
      let bytes: [UInt8] = [0x61, byte, 0x62]
      let isTaken = ModemText<16>(bytes.span) != nil
      #expect(isTaken == (byte >= 0x20 && byte != 0x22 && byte != 0x5C && byte != 0x7F), "byte \(byte)")
    }
    #expect(ModemText<4>("12345") == nil)
    #expect(ModemText<5>("12345")?.bytes.count == 5)
  }

  @Test func theLongestCommandFitsTheLineOfTheModem() throws {
    let long = [UInt8](repeating: 0x61, count: 256)
    let whole = RequestTarget(long.span)
    let target = try #require(whole)
    #expect(written(try #require(HTTPPARA.SetURL(target))) != nil)
    #expect(written(try #require(SHREQ.Request(target, method: .post))) != nil)
    let quotes = [UInt8](repeating: 0x22, count: 256)
    let longBody = SHBOD.Set(quotes.span)
    #expect(written(try #require(longBody)) != nil)
    let half = [UInt8](repeating: 0x61, count: 128)
    let headerText = HeaderText(half.span)
    let header = try #require(headerText)
    #expect(written(try #require(SHAHEAD.Add(name: header, value: header))) != nil)
  }
}
