import ATCommands
import InlineStorage
import Quantities
import Testing

@testable import SIM7000

@Suite struct AnswerTests {
  @Test func settingsAreRead() {
    #expect(read(CMEE.Read.self, "+CMEE: 1") == .number)
    #expect(read(CMEE.Read.self, "+CMEE: 3") == nil)
    #expect(read(IPR.Read.self, "+IPR: 115200") == 115_200)
    #expect(read(IPR.Read.self, "+IPR: 0") == 0)
    #expect(read(IPR.Read.self, "+IPR: 7") == nil)
    #expect(read(CNMP.Read.self, "+CNMP: 38") == .lte)
    #expect(read(CMNB.Read.self, "+CMNB: 3") == .both)
    #expect(read(CSCLK.Read.self, "+CSCLK: 2") == nil)
    #expect(read(CGATT.Read.self, "+CGATT: 1") == true)
    #expect(read(CGATT.Read.self, "+CGATT: 0") == false)
  }

  @Test func everyStateOfTheCardIsRead() {
    let states: [(String, SIMState)] = [
      ("READY", .ready), ("SIM PIN", .needsPIN), ("SIM PUK", .needsPUK), ("PH_SIM PIN", .needsPhonePIN),
      ("PH_SIM PUK", .needsPhonePUK), ("SIM PIN2", .needsPIN2), ("SIM PUK2", .needsPUK2), ("NOT READY", .notReady),
      ("NOT INSERTED", .notInserted),
    ]
    for (words, state) in states { #expect(read(CPIN.Read.self, "+CPIN: \(words)") == state) }
    #expect(read(CPIN.Read.self, "+CPIN: REA") == nil)
    #expect(read(CPIN.Read.self, "+CPIN:") == nil)
  }

  @Test func signalIsReadByTheTableOfTheManual() {
    let strengths: [(Int, Int16?)] = [(0, -115), (1, -111), (2, -110), (24, -66), (30, -54), (31, -52), (99, nil)]
    for (number, strength) in strengths {
      #expect(read(CSQ.Execute.self, "+CSQ: \(number),99") == SignalQuality(strengthDBm: strength, errorClass: nil))
    }
    #expect(read(CSQ.Execute.self, "+CSQ: 24,3")?.errorClass == 3)
    for line in ["+CSQ: 32,99", "+CSQ: 24,8", "+CSQ: 24", "+CSQ: -1,99", "+CSQ: 24,99,1"] {
      #expect(read(CSQ.Execute.self, line) == nil, "\(line)")
    }
  }

  @Test func registrationIsReadInEveryForm() throws {
    #expect(read(CEREG.Read.self, "+CEREG: 1,5")?.state == .roaming)
    #expect(read(CEREG.Read.self, "+CEREG: 0,6")?.state == .homeMessagesOnly)
    #expect(read(CEREG.Read.self, "+CEREG: 0,11")?.state == .unknown)
    #expect(read(CREG.Read.self, "+CREG: 0,0")?.state == .notSearching)
    let full = try #require(read(CEREG.Read.self, "+CEREG: 4,1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\""))
    #expect(full.state == .home && full.area == 0x5B57 && full.cell == 0x195071B && full.technology == .narrowband)
    #expect(full.activeTime?.interval == .seconds(2) && full.periodicUpdate?.interval == .seconds(31 * 36_000))
    let withRoutingArea = read(CEREG.Read.self, "+CEREG: 2,1,\"5B57\",\"01\",\"195071B\",7")
    #expect(withRoutingArea?.cell == 0x195071B && withRoutingArea?.technology == .catM1)
    let withEmptyArea = read(CEREG.Read.self, "+CEREG: 2,1,\"5B57\",,\"195071B\",7")
    #expect(withEmptyArea?.cell == 0x195071B && withEmptyArea?.technology == .catM1)
    let packet = read(CGREG.Read.self, "+CGREG: 4,1,\"5B57\",\"195071B\",3,\"00100100\",\"01000111\",\"01\"")
    #expect(packet?.activeTime?.interval == .seconds(240) && packet?.technology == .egprs)
    #expect(packet?.periodicUpdate?.interval == .seconds(70 * 3600))
    #expect(read(CEREG.Read.self, "+CEREG: 2,1,\"\",\"\",7")?.area == nil)
    for line in [
      "+CEREG: 1", "+CEREG: 5,\"5B57\",\"195071B\",7", "+CEREG: 1,x", "+CEREG: 1,256", "+CEREG: 1,1,\"5G57\",\"1\",7",
      "+CEREG: 1,1,\"5B57\",\"195071B195071B\",7", "+CEREG: 4,1,\"5B57\",\"1\",9,,,\"0000002\",\"01011111\"",
    ] { #expect(read(CEREG.Read.self, line) == nil, "\(line)") }
  }

  @Test func bandsAreRead() throws {
    let bands = try #require(read(CBANDCFG.Read.self, "+CBANDCFG: \"CAT-M\",3,8,20"))
    #expect(bands.kind == .catM && bands.bands.contains(3) && bands.bands.contains(20) && !bands.bands.contains(4))
    #expect(read(CBANDCFG.Read.self, "+CBANDCFG: \"CAT-M\",3,0") == nil)
  }

  @Test func bothFormsOfTheApplicationNetworkAreRead() {
    let address = NetworkAddress(bits: 100 << 24 | 71 << 16 | 118 << 8 | 22)
    #expect(
      read(CNACT.Read.self, "+CNACT: 1,\"100.71.118.22\"") == ApplicationNetwork(state: .active, address: address))
    #expect(
      read(CNACT.Read.self, "+CNACT: 0,1,\"100.71.118.22\"") == ApplicationNetwork(state: .active, address: address))
    #expect(
      read(CNACT.Read.self, "+CNACT: 0,\"0.0.0.0\"") == ApplicationNetwork(state: .inactive, address: .unassigned))
    // A second address is of version 6.
    for line in ["+CNACT: 1,\"100.71.118.22\",\"2A02:1::7\"", "+CNACT: 0,1,\"100.71.118.22\",\"2A02:1::7\""] {
      #expect(read(CNACT.Read.self, line) == ApplicationNetwork(state: .active, address: address), "\(line)")
    }
    #expect(read(CNACT.Read.self, "+CNACT: 1,\"100.71.118.22\",7") == nil)
    #expect(read(CNACT.Read.self, "+CNACT: 2,\"0.0.0.0\"")?.state == .activating)
    for line in ["+CNACT: 3,\"0.0.0.0\"", "+CNACT: 1", "+CNACT: ", "+CNACT: 1,100.71.118.22"] {
      #expect(read(CNACT.Read.self, line) == nil, "\(line)")
    }
  }

  @Test func addressesAndContextsAreRead() throws {
    #expect(read(CIFSR.Execute.self, "10.78.245.128")?.bits == 0x0A4E_F580)
    for line in ["10.78.245", "10.78.245.256", "10.78.245.128.1", "10..245.128", ".1.2.3", "1.2.3.", "", "ERROR"] {
      #expect(read(CIFSR.Execute.self, line) == nil, "\(line)")
    }
    #expect(
      read(SAPBR.Query.self, "+SAPBR: 1,3,\"0.0.0.0\"") == BearerStatus(number: 1, state: .closed, address: .unassigned)
    )
    #expect(read(SAPBR.Query.self, "+SAPBR: 1,4,\"0.0.0.0\"") == nil)
    let context = try #require(read(CGDCONT.Read.self, "+CGDCONT: 13,\"IP\",\"ctnb\",\"0.0.0.0\",0,0,0,0"))
    #expect(context.number == 13 && text(context.accessPoint) == "ctnb")
    #expect(read(CGDCONT.Read.self, "+CGDCONT: 25,\"IP\",\"ctnb\"") == nil)
  }

  @Test func theClockIsLocalAndAnUnsetOneIsRefused() throws {
    let time = try #require(read(CCLK.Read.self, "+CCLK: \"26/11/21,10:15:30+08\""))
    #expect(time.utc == UTCTime(microseconds: 1_795_248_930_000_000) && time.zoneQuarterHours == 8)
    #expect(read(CCLK.Read.self, "+CCLK: \"26/11/21,04:15:30-16\"")?.utc == time.utc)
    for line in [
      "+CCLK: \"80/01/06,00:00:10+00\"", "+CCLK: \"04/01/01,00:00:10+00\"", "+CCLK: \"26/13/21,10:15:30+08\"",
      "+CCLK: \"26/11/31,10:15:30+08\"", "+CCLK: \"26/11/21,24:15:30+08\"", "+CCLK: \"26/11/21,10:60:30+08\"",
      "+CCLK: \"26/11/21,10:15:61+08\"", "+CCLK: \"26/11/21,10:15:30+57\"", "+CCLK: \"26/11/21,10:15:30\"",
      "+CCLK: \"26/11/21,10:15:3x+08\"", "+CCLK: \"26/11/21,10:15:30+\"", "+CCLK:",
    ] { #expect(read(CCLK.Read.self, line) == nil, "\(line)") }
  }

  @Test func identityIsRead() throws {
    for line in ["Revision:1351B05SIM7000E", "Revision: 1351B05SIM7000E"] {
      let revision = try #require(read(CGMR.Execute.self, line))
      #expect(revision.family == 1351 && revision.build == 5 && revision.variant == .e)
    }
    #expect(read(CGMR.Execute.self, "Revision:1529B11SIM7000G")?.build == 11)
    #expect(read(CGMR.Execute.self, "Revision:1529B1") == nil)
    #expect(
      read(CBC.Execute.self, "+CBC: 0,67,3875")
        == ModuleSupply(charging: .notCharging, percent: 67, supplyMillivolts: 3875))
    for line in ["+CBC: 3,67,3875", "+CBC: 0,101,3875", "+CBC: 0,67,65536", "+CBC: 0,67"] {
      #expect(read(CBC.Execute.self, line) == nil, "\(line)")
    }
  }

  @Test func connectionsAreRead() {
    #expect(
      read(CIPRXGET.Get.self, "+CIPRXGET: 2,0,4,0") == CIPRXGET.Portion(connection: 0, count: 4, remaining: 0))
    #expect(
      read(CIPRXGET.Get.self, "+CIPRXGET: 2,11,0") == CIPRXGET.Portion(connection: nil, count: 11, remaining: 0))
    for line in ["+CIPRXGET: 1,0", "+CIPRXGET: 2,1461,0", "+CIPRXGET: 2,8,4,0", "+CIPRXGET: 2,4"] {
      #expect(read(CIPRXGET.Get.self, line) == nil, "\(line)")
    }
    #expect(read(CAOPEN.Open.self, "+CAOPEN: 0,0") == .done)
    #expect(read(CAOPEN.Open.self, "+CAOPEN: 0,20") == .nameError)
    #expect(read(CAOPEN.Open.self, "+CAOPEN: 0,99") == .socketError)
    #expect(read(CASEND.Send.self, "+CASEND: 0,0,5")?.count == 5)
    #expect(read(CARECV.Get.self, "+CARECV: 0,100") == 100)
    #expect(read(CARECV.Get.self, "+CARECV: 4,pong") == 4)
    #expect(read(CARECV.Get.self, "+CARECV: 0") == 0)
    #expect(read(CARECV.Read.self, "+CARECV: 0,77") == 77)
    #expect(read(CASTATE.Read.self, "+CASTATE: 0,1")?.state == .connected)
  }

  @Test func requestsAndMessagesAreRead() throws {
    let outcome = try #require(read(SHREQ.Request.self, "+SHREQ: \"POST\",200,11"))
    #expect(outcome.status == 200 && outcome.count == 11)
    #expect(read(SHREQ.Request.self, "+SHREQ: \"POST\",200")?.count == 0)
    #expect(read(SHREQ.Request.self, "+SHREQ: \"POST\",200,11,0")?.count == 11)
    #expect(read(SHREQ.Request.self, "+SHREQ: \"POST\"") == nil)
    #expect(read(SHREQ.Request.self, "+SHREQ: \"POST\",200,x") == nil)
    #expect(read(SHREQ.Request.self, "+SHREQ: \"POST\",1000,0") == nil)
    #expect(read(SHREAD.Get.self, "+SHREAD: 11") == 11)
    for line in ["+HTTPACTION: 0,200,14384", "+HTTPACTION: 0, 200,14384", "+HTTPACTION:0,200,14384"] {
      #expect(read(HTTPACTION.Request.self, line)?.count == 14_384, "\(line)")
    }
    #expect(read(HTTPACTION.Request.self, "+HTTPACTION: 1,601,0")?.status == 601)
    #expect(read(HTTPACTION.Request.self, "+HTTPACTION: 4,200,0") == nil)
    #expect(read(HTTPREAD.Get.self, "+HTTPREAD: 100") == 100)
    #expect(read(SMSTATE.Read.self, "+SMSTATE: 1") == true)
    #expect(read(SMSTATE.Read.self, "+SMSTATE: 2") == true)
    #expect(read(SMSTATE.Read.self, "+SMSTATE: 3") == nil)
    #expect(read(CMGS.Send.self, "+CMGS: 12") == 12)
    let header = try #require(
      read(CMGR.Get.self, "+CMGR: \"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\""))
    #expect(text(header.sender) == "+31600000000")
    #expect(header.time?.utc == UTCTime(microseconds: 1_561_529_043_000_000) && header.time?.zoneQuarterHours == 32)
    let entry = try #require(
      read(CMGL.List.self, "+CMGL: 3,\"REC READ\",\"+31600000000\",,\"19/06/26,14:04:03+32\""))
    #expect(entry.index == 3 && entry.header.time != nil)
    #expect(read(CMGR.Get.self, "+CMGR: \"REC UNREAD\"") == nil)
  }

  @Test func powerSavingIsRead() throws {
    let request = try #require(read(CPSMS.Read.self, "+CPSMS: 1,,,\"01011111\",\"00000001\""))
    #expect(request.isOn && request.periodicUpdate?.bits == 0b0101_1111 && request.activeTime?.bits == 1)
    #expect(read(CPSMS.Read.self, "+CPSMS: 0")?.isOn == false)
    #expect(read(CPSMS.Read.self, "+CPSMS: 1,,,\"0101111\",\"00000001\"") == nil)
  }

  @Test func cyclesAreThoseOfTheStandard() throws {
    let centiseconds = [
      512, 1024, 2048, 4096, 6144, 8192, 10_240, 12_288, 14_336, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288,
      1_048_576,
    ]
    for (bits, length) in centiseconds.enumerated() {
      let cycle = try #require(ListeningCycle(bits: UInt8(bits)))
      #expect(cycle.interval == .milliseconds(length * 10))
      #expect(ListeningCycle(atMost: cycle.interval) == cycle)
    }
    #expect(ListeningCycle(bits: 16) == nil)
    #expect(ListeningCycle(atMost: .zero).bits == 0)
  }

  @Test func timersAreNeverShorterThanAsked() {
    for seconds in [0, 1, 2, 61, 62, 63, 100, 1860, 1861, 4000, 18_600, 111_600, 400_000, 1_200_000, 35_712_000] {
      let update = UpdateTimer(atLeast: .seconds(seconds))
      #expect((update.interval ?? .zero) >= .seconds(seconds), "\(seconds) s")
      if let interval = update.interval { #expect(UpdateTimer(atLeast: interval).interval == interval) }
      let active = ActiveTimer(atLeast: .seconds(min(seconds, 11_160)))
      #expect((active.interval ?? .zero) >= .seconds(min(seconds, 11_160)), "\(seconds) s")
    }
    #expect(UpdateTimer(bits: 0b0100_0111).interval == .seconds(70 * 3600))
    #expect(ActiveTimer(bits: 0b0010_0100).interval == .seconds(240))
    #expect(UpdateTimer(bits: 0b1110_0000).interval == nil && ActiveTimer(bits: 0b1110_0000).interval == nil)
    #expect(UpdateTimer(atLeast: Interval(microseconds: .max)).interval == .seconds(31 * 1_152_000))
  }
}
