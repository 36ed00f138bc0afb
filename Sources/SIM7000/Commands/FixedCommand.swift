import ASCIIText
import ATCommands
import Quantities

/// A command without anything to fill in, which `OK` ends: what a step sends.
///
/// They are one text, a part for each step in the order of `ModemStep`, empty for a step with something to fill in: a place in it takes
/// less code than a text of its own.
///
/// - `sleepClear`: It is not: `AT+CSCLK=0`. Source: [sim7000at] `AT+CSCLK`.
/// - `errorCodes`: Errors of the equipment as numbers (`CMEE`): `AT+CMEE=1`. Source: [ts27007] section 9.1; [sim7000at]
///   `AT+CMEE`.
/// - `supplyNotices`: Watch over the supply; stored, off by default. The modem then warns below 3.1 V and above 4.3 V, and
///   switches off below 2.9 V and above 4.4 V: `AT+CBATCHK=1`. Source: [sim7000at] `AT+CBATCHK`; [sim7000hd] on power.
/// - `registrationNotices`: Notices when the registration changes (`CREG`): `AT+CREG=1`. Source: [ts27007] section 7.2;
///   [sim7000at] `AT+CREG`.
/// - `packetNotices`: The same for the packet network of GSM (`CGREG`): `AT+CGREG=1`. Source: [ts27007] section 10.1.20;
///   [sim7000at] `AT+CGREG`.
/// - `evolvedNotices`: The same for LTE (`CEREG`): `AT+CEREG=1`. Source: [ts27007] section 10.1.22; [sim7000at] `AT+CEREG`.
/// - `networkTime`: Time of the network: `*PSUTTZ`, `*PSNWID`, `DST` and `+CTZV` after registration. Whether a reset keeps it is
///   not stated: `AT+CLTS=1`. Source: [sim7000at] `AT+CLTS`.
/// - `powerSavingClear`: Ends power saving mode (`CPSMS`): `AT+CPSMS=0`. Source: [ts27007] section 7.38; [sim7000at] `AT+CPSMS`.
/// - `powerSavingNotices`: Notices `+CPSMSTATUS: "ENTER PSM"` and `"EXIT PSM"`: `AT+CPSMSTATUS=1`. Source: [sim7000at]
///   `AT+CPSMSTATUS`; [sim7000an] low power.
/// - `sleepSet`: Sleep is allowed while DTR is high (`CSCLK`): `AT+CSCLK=1`. Source: [sim7000at] `AT+CSCLK`.
/// - `operatorSet`: The modem chooses its operator. It may search first; the registration is asked about anyhow: `AT+COPS=0`.
///   Source: [ts27007] section 7.3; [sim7000at] `AT+COPS`.
/// - `socketsMultiple`: Eight connections of the toolkit; only in the state IP INITIAL, else `ERROR`: `AT+CIPMUX=1`. Source:
///   [sim7000at] `AT+CIPMUX`.
/// - `socketsManual`: Bytes of connections are kept until they are asked for (`CIPRXGET`); before one is opened: `AT+CIPRXGET=1`.
///   Source: [sim7000at] `AT+CIPRXGET`; [sim7000an] TCP/IP.
/// - `socketsUp`: Brings up the bearer of the toolkit: `AT+CIICR`. Source: [sim7000at] `AT+CIICR`.
/// - `profileOpen`: Opens the bearer of the profile (`SAPBR`): `AT+SAPBR=1,1`. Source: [sim7000at] `AT+SAPBR`.
/// - `httpConnect`: Connects to the HTTP server: `OK` or `ERROR` without a reason, 0.3 to 60 s later. `ERROR` also when it is
///   connected; a second try after `SHDISC` often works: `AT+SHCONN`. Source: [sim7000at] `AT+SHCONN`.
/// - `httpClearHeaders`: Forgets all headers of the HTTP client, which add up until then. Only while connected: `AT+SHCHEAD`.
///   Source: [sim7000at] `AT+SHCHEAD`.
/// - `legacyStart`: Starts the legacy HTTP client; `ERROR` or `+CME ERROR: 3` when it is started. Needs a bearer (`SAPBR`):
///   `AT+HTTPINIT`. Source: [sim7000at] version 1.01, `AT+HTTPINIT`; version 1.06 leaves it out, firmware has it all the same.
/// - `legacyBearer`: Its bearer (`HTTPPARA`): `AT+HTTPPARA="CID",1`. Source: [sim7000at] version 1.01, `AT+HTTPPARA`.
/// - `mqttPlain`: No encryption for the MQTT client; before `SMCONN`: `AT+SMSSL=0`. Source: [sim7000at] `AT+SMSSL`.
/// - `mqttConnect`: Connects to the broker: `OK` or `ERROR` without a reason; 26 s have been seen with TLS, and minutes after a
///   connection that was not closed: `AT+SMCONN`. Source: [sim7000at] `AT+SMCONN`.
/// - `tcpPlain`: No encryption for the TCP client; before `CIPSTART`: `AT+CIPSSL=0`. Source: [sim7000an] SSL.
/// - `socketPlain`: No encryption for it; before `CAOPEN`: `AT+CASSLCFG=0,"SSL",0`. Source: [sim7000at] `AT+CASSLCFG`.
/// - `socketSelect`: Chooses socket 0 of the application network, which is used throughout. `+CME ERROR: 3` while only another
///   bearer is up, or with old firmware: `AT+CACID=0`. Source: [sim7000at] `AT+CACID`.
/// - `charactersSet`: Characters of texts (`CSCS`): `AT+CSCS="IRA"`. Source: [ts27007] section 5.5; [sim7000at] `AT+CSCS`.
/// - `messageFormat`: Short messages as text: `AT+CMGF=1`. Source: [ts27005] section 3.2.3; [sim7000at] `AT+CMGF`.
/// - `messageDigits`: Short messages coded, as digits: `AT+CMGF=0`. Source: [ts27005] section 3.2.3; [sim7000at] `AT+CMGF`.
/// - `gnssAntenna`: Pin 4 of the modem high: it feeds the antenna of some boards: `AT+SGPIO=0,4,1,1`. Source: [sim7000at]
///   `AT+SGPIO`.
/// - `gnssOn`: Power of the satellite receiver; off after a reset: `AT+CGNSPWR=1`. Source: [sim7000at] `AT+CGNSPWR`.
/// - `gnssOff`: Its power off: `AT+CGNSPWR=0`. Source: [sim7000at] `AT+CGNSPWR`.
/// - `gnssNotices`: A notice `+UGNSINF` for every fix, one a second: `AT+CGNSURC=1`. Source: [sim7000at] `AT+CGNSURC`.
/// - `gnssSentences`: Sentences of NMEA on the same line; they begin with `$` and stand between all else: `AT+CGNSTST=1`. Source:
///   [sim7000at] `AT+CGNSTST`.
/// - `httpClose`: Disconnects from the HTTP server; `ERROR` when it is not connected: `AT+SHDISC`. Source: [sim7000at]
///   `AT+SHDISC`.
/// - `legacyStop`: Ends it; `ERROR` when it is not started: `AT+HTTPTERM`. Source: [sim7000at] version 1.01, `AT+HTTPTERM`.
/// - `mqttClose`: Disconnects from the broker; `ERROR` when it is not connected: `AT+SMDISC`. Source: [sim7000at] `AT+SMDISC`.
/// - `socketClose`: Closes it; `ERROR` when it is not open: `AT+CACLOSE=0`. Source: [sim7000at] `AT+CACLOSE`.
/// - `profileClose`: Closes it: `AT+SAPBR=0,1`. Source: [sim7000at] `AT+SAPBR`.
/// - `detach`: Detaches from it: `AT+CGATT=0`. Source: [ts27007] section 10.1.9; [sim7000at] `AT+CGATT`.
/// - `attach`: Attaches to the packet network (`CGATT`): `AT+CGATT=1`. Source: [ts27007] section 10.1.9; [sim7000at] `AT+CGATT`.
/// - `radioOff`: Neither radio nor SIM card; the notice `+CPIN: NOT READY` comes before `OK`. Not stored: `AT+CFUN=0`. Source:
///   [ts27007] section 8.2; [sim7000at] `AT+CFUN`.
/// - `radioOn`: Everything works; stored: `AT+CFUN=1`. Source: [ts27007] section 8.2; [sim7000at] `AT+CFUN`.
/// - `restart`: Restarts the modem: `OK`, or nothing before it restarts: `AT+CFUN=1,1`. Source: [ts27007] section 8.2;
///   [sim7000at] `AT+CFUN`.
/// - behind them: Pin 48 of the part high: it feeds the antenna of others: `AT+CGPIO=0,48,1,1`. - Source: [sim7000at] `AT+CGPIO`.
@frozen package struct FixedCommand: ATCommand {
  /// Where its part of `texts` begins.
  private let start: Int

  /// What a step sends; nil where there is something to fill in.
  package init?(of step: ModemStep) {
    self.init(part: step.rawValue)
    if FixedCommand.texts.utf8Start[start] == 0x3B { return nil }
  }

  private init(part: UInt8) {
    let texts = FixedCommand.texts.utf8Start
    var (place, before) = (0, part)
    while before > 0 {
      if texts[place] == 0x3B { before -= 1 }
      place += 1
    }
    start = place
  }

  /// The second way to feed an antenna.
  package static var antennaByPin48: FixedCommand { FixedCommand(part: ModemStep.switchOff.rawValue + 1) }

  /// Each behind how long its answer may take, s, in two digits.
  private static var texts: StaticString {
    """
    ;;05+CSCLK=0;;05+CMEE=1;;;;;05+CBATCHK=1;05+CREG=1;05+CGREG=1;05+CEREG=1;05+CLTS=1;;;;;;;;;;;05+CPSMS=0;05+CPSMSTATUS=1;;\
    05+CSCLK=1;;;;;;;;;;;60+COPS=0;;;;;;;;05+CIPMUX=1;05+CIPRXGET=1;;85+CIICR;;;;;;;85+SAPBR=1,1;;;;;;;60+SHCONN;;05+SHCHEAD;;\
    ;;;;05+HTTPINIT;05+HTTPPARA="CID",1;;;;;;;05+SMSSL=0;;;;;;;;;;;60+SMCONN;;;;05+CIPSSL=0;05+CASSLCFG=0,"SSL",0;;;;\
    05+CACID=0;;;;;;;05+CSCS="IRA";05+CMGF=1;05+CMGF=0;;;;;;05+SGPIO=0,4,1,1;05+CGNSPWR=1;05+CGNSPWR=0;05+CGNSURC=1;\
    05+CGNSTST=1;;15+SHDISC;05+HTTPTERM;15+SMDISC;;15+CACLOSE=0;;65+SAPBR=0,1;75+CGATT=0;75+CGATT=1;10+CFUN=0;10+CFUN=1;\
    10+CFUN=1,1;;05+CGPIO=0,48,1,1;
    """
  }

  /// How it is answered.
  package var grammar: ATGrammar {
    let texts = FixedCommand.texts.utf8Start
    return ATGrammar(within: .seconds(Int(texts[start] & 15) * 10 + Int(texts[start + 1] & 15)))
  }

  /// Writes it.
  package func encode(into sink: inout some ByteSink) {
    let texts = FixedCommand.texts.utf8Start
    var place = start + 2
    while texts[place] != 0x3B {
      sink.append(texts[place])
      place += 1
    }
  }
}
