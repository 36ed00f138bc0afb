import ATCommands
import Testing

@testable import SIM7000

/// A published line, and what reads it.
private struct Sample: Sendable {
  var line: String
  var isRead: @Sendable ([UInt8]) -> Bool
}

/// A line of a command's answer.
private func answer<Command: ATCommand>(_ command: Command.Type, _ line: String) -> Sample {
  Sample(line: line) { bytes in Command.decode(ATLine(bytes.span)) != nil }
}

/// A line that comes unasked.
private func unasked(_ line: String) -> Sample {
  Sample(line: line) { bytes in ModemNotice.of(ATLine(bytes.span)) != nil }
}

private let samples: [Sample] = [
  answer(CMEE.Read.self, "+CMEE: 1"),
  answer(IPR.Read.self, "+IPR: 115200"),
  answer(CPIN.Read.self, "+CPIN: READY"),
  answer(CSQ.Execute.self, "+CSQ: 24,99"),
  answer(CREG.Read.self, "+CREG: 0,1"),
  answer(CGREG.Read.self, "+CGREG: 2,1,\"5B57\",\"195071B\",3"),
  answer(CEREG.Read.self, "+CEREG: 4,1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\""),
  answer(CGATT.Read.self, "+CGATT: 1"),
  answer(CNMP.Read.self, "+CNMP: 38"),
  answer(CMNB.Read.self, "+CMNB: 3"),
  answer(CBANDCFG.Read.self, "+CBANDCFG: \"CAT-M\",3,8,20"),
  answer(CGDCONT.Read.self, "+CGDCONT: 1,\"IP\",\"ctnb\",\"0.0.0.0\",0,0,0,0"),
  answer(CNACT.Read.self, "+CNACT: 1,\"100.71.118.22\""),
  answer(CNACT.Read.self, "+CNACT: 0,1,\"10.94.36.44\""),
  answer(SAPBR.Query.self, "+SAPBR: 1,3,\"0.0.0.0\""),
  answer(CCLK.Read.self, "+CCLK: \"26/11/21,10:15:30+08\""),
  answer(CGMR.Execute.self, "Revision:1351B05SIM7000E"),
  answer(CBC.Execute.self, "+CBC: 0,67,3875"),
  answer(CIPRXGET.Get.self, "+CIPRXGET: 2,0,4,0"),
  answer(CAOPEN.Open.self, "+CAOPEN: 0,0"),
  answer(CASEND.Send.self, "+CASEND: 0,0,5"),
  answer(CARECV.Get.self, "+CARECV: 0,100"),
  answer(CARECV.Get.self, "+CARECV: 4,pong"),
  answer(CASTATE.Read.self, "+CASTATE: 0,1"),
  answer(SHREQ.Request.self, "+SHREQ: \"POST\",200,11"),
  answer(SHREAD.Get.self, "+SHREAD: 11"),
  answer(HTTPACTION.Request.self, "+HTTPACTION: 1,601,0"),
  answer(HTTPREAD.Get.self, "+HTTPREAD: 100"),
  answer(SMSTATE.Read.self, "+SMSTATE: 1"),
  answer(CMGS.Send.self, "+CMGS: 12"),
  answer(CMGR.Get.self, "+CMGR: \"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\""),
  answer(CMGL.List.self, "+CMGL: 3,\"REC READ\",\"+31600000000\",,\"19/06/26,14:04:03+32\""),
  answer(
    CGNSINF.Execute.self,
    "+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,0.00,0.0,1,,1.1,1.4,0.9,,21,6,,,45,,"),
  answer(CSCLK.Read.self, "+CSCLK: 0"),
  answer(CPSMS.Read.self, "+CPSMS: 1,,,\"01011111\",\"00000001\""),
  unasked("+CFUN: 1"),
  unasked("+CPIN: NOT READY"),
  unasked("+CEREG: 1,\"5B57\",\"195071B\",9,,,\"00000001\",\"01011111\""),
  unasked("+APP PDP: DEACTIVE"),
  unasked("+SHSTATE: 0"),
  unasked("+SMSTATE: 0"),
  unasked("+SMSUB: \"trk/01/cmd\",\"ping\""),
  unasked("+CMTI: \"SM\",3"),
  unasked("+CDSI: \"SM\",3"),
  unasked("+CMT: \"+31600000000\",,\"19/06/26,14:04:03+32\""),
  unasked("+UGNSINF: 1,1,20220126140944.000,57.715185,11.973960,44.600,0.00,214.5,1,,1.4,,,,29,5,,,52,,"),
  unasked("*PSUTTZ: 19/06/26,06:04:03\",\"+32\",0"),
  unasked("*PSNWID: \"240\",\"07\",\"Name\",0,\"N\",0"),
  unasked("DST: 0"),
  unasked("+CTZV: 32"),
  unasked("+CIPRXGET: 1,0"),
  unasked("+CADATAIND: 0"),
  unasked("+CASTATE: 0,0"),
  unasked("+CPSMSTATUS: \"ENTER PSM\""),
  unasked("+CASEND: 0,0,5"),
  unasked("+CNSMOD: 7"),
]

@Suite struct DamagedLineTests {
  @Test func everyPublishedLineIsReadWhole() {
    for sample in samples { #expect(sample.isRead(Array(sample.line.utf8)), "\(sample.line)") }
  }

  /// Every byte replaced by each of these, deleted, and doubled; every beginning and every end of the line.
  @Test func noDamageTrapsAndADamagedNameIsNeverRead() {
    let replacements: [UInt8] = [0x00, 0x20, 0x22, 0x2B, 0x2C, 0x2D, 0x2E, 0x30, 0x39, 0x3A, 0x41, 0x7F, 0x80, 0xFF]
    let names = Set(samples.map { String($0.line.prefix { $0 != ":" }) })
    for sample in samples {
      let bytes = Array(sample.line.utf8)
      let colon = bytes.firstIndex(of: 0x3A) ?? bytes.count
      for place in bytes.indices {
        for byte in replacements where byte != bytes[place] {
          var damaged = bytes
          damaged[place] = byte
          let isRead = sample.isRead(damaged)
          // A revision is known by itself, whatever stands before it.
          if place <= colon, !sample.line.hasPrefix("Revision") {
            #expect(!isRead, "\(sample.line): byte \(place) became \(byte)")
          }
        }
        var shorter = bytes
        shorter.remove(at: place)
        let isRead = sample.isRead(shorter)
        // Without its E, +CEREG is +CREG: what is left of a name may be another.
        let name = String(decoding: shorter.prefix { $0 != 0x3A }, as: UTF8.self)
        let isKnown = names.contains(name) || bytes[place] == 0x20 || sample.line.hasPrefix("Revision")
        if place <= colon && !isKnown { #expect(!isRead, "\(sample.line): byte \(place) is missing") }
        var longer = bytes
        longer.insert(bytes[place], at: place)
        _ = sample.isRead(longer)
        _ = sample.isRead(Array(bytes[..<place]))
        _ = sample.isRead(Array(bytes[place...]))
      }
      #expect(!sample.isRead(Array(bytes[...colon].dropLast())), "\(sample.line): only its name")
    }
  }

  @Test func aLineOfOneCommandIsNotReadByAnother() {
    for (place, sample) in samples.enumerated() {
      let name = sample.line.prefix { $0 != ":" }
      for (other, reader) in samples.enumerated() where other != place && !reader.line.hasPrefix(name) {
        let bytes = Array(sample.line.utf8)
        // A notice is read by the type of all notices.
        if ModemNotice.of(ATLine(bytes.span)) != nil { continue }
        #expect(!reader.isRead(bytes), "\(sample.line) as \(reader.line)")
      }
    }
  }

  @Test func numbersTooLargeForAnythingAreRefusedOrUnknown() {
    for sample in samples {
      let bytes = Array(sample.line.utf8)
      var place = 0
      while place < bytes.count {
        guard bytes[place] >= 0x30, bytes[place] <= 0x39 else {
          place += 1
          continue
        }
        var end = place
        while end < bytes.count && bytes[end] >= 0x30 && bytes[end] <= 0x39 { end += 1 }
        for digits in ["4294967296", "18446744073709551616", "99999999999999999999999999999999"] {
          _ = sample.isRead(Array(bytes[..<place]) + Array(digits.utf8) + Array(bytes[end...]))
        }
        place = end
      }
    }
    for line in [
      "+CMTI: \"SM\",65536", "+CDSI: \"SM\",65536", "+CNSMOD: 4294967303", "+CADATAIND: 256", "+CTZV: 4294967296",
      "DST: 256",
    ] {
      #expect(notice(line) == nil, "\(line)")
    }
  }
}
