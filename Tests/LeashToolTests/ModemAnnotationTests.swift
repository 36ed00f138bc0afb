import Quantities
import Testing

@testable import LeashTool

@Test(arguments: [
  ("+CSQ: 0,99", "-115 dBm or less"), ("+CSQ: 2,99", "-110 dBm"), ("+CSQ: 30,99", "-54 dBm"),
  ("+CSQ: 31,0", "-52 dBm or more"), ("+CSQ: 99,99", "no signal known"),
  ("+CEREG: 5", "registered, roaming"), ("+CEREG: 1,5", "registered, roaming"),
  ("+CREG: 2", "searching"), ("+CGREG: 0,3", "denied"),
  ("+CEREG: 1,\"5B57\",\"195071B\",9", "registered at home, NB-IoT"),
  ("+CEREG: 4,1,\"5B57\",\"195071B\",7,,,\"00000001\",\"01011111\"", "registered at home, LTE Cat-M1"),
  ("+CME ERROR: 10", "SIM not inserted"), ("+CME ERROR: 797", "not possible while CFUN is 0 or 4"),
  ("+CMS ERROR: 331", "no network service"), ("+CME ERROR: 9999", "a number that is in no list"),
  ("+CNACT: 1,\"100.71.118.22\"", "application network up"),
  ("+CNACT: 0,1,\"10.94.36.44\"", "application network up"),
  ("+APP PDP: DEACTIVE", "the application network is down"),
  ("+CPSI: NO SERVICE,Online", "no cell"),
  (
    "+CPSI: LTE CAT-M1,Online,240-07,0x2AFE,34564631,149,EUTRAN-BAND20,6400,3,3,-12,-81,-52,10",
    "operator 240-07, cell 34564631, EUTRAN-BAND20, RSRP -81 dBm, RSRQ -12 dB, SINR 0 dB"
  ),
  (
    "+CPSI: GSM,Online,460-01,0x144f,46576,97 EGSM 900,-52,0,39-65",
    "operator 460-01, cell 46576, 97 EGSM 900, -52 dBm"
  ),
  ("+CGNSINF: 1,0,,,,,,,0,,,,,,,,,,,,", "searching, no fix"), ("+CGNSINF: 0,,,,,,,,,,,,,,,,,,,,", "GNSS off"),
  (
    "+CGNSINF: 1,1,20171103022632.000,31.222067,121.354368,34.700,0.00,0.0,1,,1.1,1.4,0.9,,21,6,,,45,,",
    "31.222067, 121.354368, 34.700 m, 0.00 km/h, HDOP 1.1, 6 satellites, 2017-11-03 02:26:32 UTC"
  ),
  ("+SHREQ: \"POST\",200,11", "OK, 11 bytes to read"),
  ("+HTTPACTION: 1,601,0", "network error: is the bearer up?, no body"),
  ("+HTTPACTION: 0, 404,14384", "not found, 14384 bytes to read"),
  ("+SHSTATE: 0", "HTTP session closed"), ("+SMSTATE: 0", "MQTT session closed"),
  ("+SMSUB: \"trk/01/cmd\",\"ping\"", "message on trk/01/cmd"),
  ("+CAOPEN: 0,27", "could not connect"), ("+CIPRXGET: 2,0,4,0", "4 bytes follow, 0 left"),
  ("+CBC: 0,67,3875", "67 %, 3.875 V"), ("+COPS: 0,0,\"CHINA MOBILE CMCC\",3", "CHINA MOBILE CMCC, EDGE"),
  ("+CDSI: \"SM\",3", "delivery report stored: AT+CMGR=3"),
  ("+CMTI: \"SM\",3", "message received: AT+CMGR=3"), ("0, CLOSED", "the other side closed the connection"),
  ("NORMAL POWER DOWN", "the module switches itself off"), ("> ", "waiting for a payload"),
])
func aLineOfTheModemIsExplained(line: String, meaning: String) {
  #expect(ModemAnnotation.text(for: line) == meaning)
}

@Test(arguments: [
  "OK", "ERROR", "AT+CSQ", "", ":", "+CSQ:", "+CSQ: ", "+CSQ: x", "+CPSI: LTE", "+CEREG:", "+CBC: 1", "+CGNSINF: 1,1,",
  "+SHREQ: ", "+CIPRXGET: ", "+CME ERROR: what", "12345", "+CREG: \"x", ",,,,:,,,",
])
func aLineThatSaysNothingOrMakesNoSenseIsLeftAlone(line: String) {
  #expect(ModemAnnotation.text(for: line) == nil)
}

@Test func linesAreTheSameForEveryWayOfCuttingTheBytes() {
  let bytes = Array("AT\r\r\nOK\r\n\r\n+CSQ: 20,99\r\n\r\n> ".utf8)
  let expected = ["AT", "OK", "+CSQ: 20,99", "> "]
  for first in 0...bytes.count {
    for second in first...bytes.count {
      var lines = LineSplitter()
      var texts: [String] = []
      for part in [bytes[..<first], bytes[first..<second], bytes[second...]] {
        texts += lines.receive(Array(part), at: .zero).map(\.text)
      }
      #expect(texts == expected, "\(first) \(second)")
    }
  }
}

@Test func whatHasNoLineEndIsGivenOutWhenTheLineIsQuiet() {
  var lines = LineSplitter()
  #expect(lines.receive(Array(">".utf8), at: .zero) == [])
  #expect(lines.deadline == .milliseconds(60))
  #expect(lines.flush(at: .milliseconds(59)) == nil)
  #expect(lines.flush(at: .milliseconds(60)) == ModemLine(bytes: [0x3E], isWhole: false))
  #expect(lines.flush(at: .seconds(1)) == nil)
}

@Test func bytesBecomeTextAndBytesAgain() {
  let all = (0...255).map { UInt8($0) } + Array("grün → \\r".utf8)
  let text = EscapedBytes.escaped(all)
  #expect(!text.contains { $0.isNewline })
  #expect(EscapedBytes.bytes(text[...]) == all)
}

@Test(arguments: [
  ("OK", "OK", true), ("+CSQ: 20,99", "+CSQ: *", true), ("+CSQ: 20,99", "*99", true), ("OK", "*", true),
  ("+CSQ: 20,99", "+CSQ: *,9", false), ("aXbXc", "a*b*c", true), ("aXc", "a*b*c", false), ("OKAY", "OK", false),
  ("ab", "ab*b", false),
])
func aPatternFitsALine(line: String, pattern: String, fits: Bool) {
  #expect(TalkScript.matches(line, pattern) == fits)
}

@Test func aPayloadEndsWithControlZOnlyWhereTheModemWaitsForIt() {
  for (command, payload) in [
    ("AT+CMGS=\"+491\"", "hi\u{1A}"), ("AT+CIPSEND", "hi\u{1A}"), ("AT+CIPSEND=0", "hi\u{1A}"),
    ("AT+CIPSEND=0,2", "hi"), ("AT+CIPSEND=20", "hi"), ("AT+SMPUB=\"t\",2,0,0", "hi"), ("AT+CASEND=0,2", "hi"),
  ] {
    var state = TalkPayload()
    #expect(state.bytes(for: Array(command.utf8)) == Array(command.utf8) + [0x0D])
    state.note(ModemLine(bytes: Array("> ".utf8), isWhole: false))
    #expect(state.bytes(for: Array("hi".utf8)) == Array(payload.utf8), "\(command)")
    #expect(state.bytes(for: Array("AT".utf8)) == Array("AT\r".utf8), "one payload only")
  }
}
