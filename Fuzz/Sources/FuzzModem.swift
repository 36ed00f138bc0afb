// modules: Quantities InlineStorage ASCIIText ATCommands SIM7000
// length: 4096
import ASCIIText
import ATCommands
import InlineStorage
import Quantities
import SIM7000

/// Any inputs in any order: the driver neither traps nor spins, has a deadline while a packet is under way, and ends each
/// packet exactly once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModem(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(bytes: UnsafeBufferPointer(start: start, count: count))
  var bench = Bench(input.configuration(), seed: UInt64(input.byte()))
  while !input.isEmpty { bench.step(&input) }
  bench.wait(bench.timeout + .seconds(1))
  promise(bench.open == nil, "a packet is never ended")
  promise(bench.modem.isFree, "the driver takes no packet")
  promise(bench.modem.diagnostics.actionsDropped == 0, "an action got lost")
  return 0
}

private struct Bench: ~Copyable {
  var modem: Modem
  var time = Instant.zero
  let timeout: Interval
  /// The packet under way.
  var open: UInt32?
  private var nextTicket: UInt32 = 1
  private var openUntil = Instant.zero
  private var answers = false
  private var isOn = false
  private var payloadOutcome: [UInt8]?

  init(_ configuration: ModemConfiguration, seed: UInt64) {
    timeout = configuration.deliveryTimeout
    modem = Modem(configuration: configuration, seed: seed)
  }

  mutating func step(_ input: inout Input) {
    let kind = input.byte()
    switch kind % 12 {
    case 0: receive(input.some())
    case 1, 2: receive(Bench.lines[Int(input.byte()) % Bench.lines.count])
    case 3: wait(.milliseconds(Int(input.byte()) * 20))
    case 4: wait(.seconds(Int(input.byte()) * 5))
    case 5:
      // A leap, or back.
      let kind = input.byte()
      let seconds = Int(input.byte())
      if kind & 1 == 0 { time = time + .seconds(seconds * 60) }
      modem.advance(to: kind & 1 == 0 ? time : time - .seconds(seconds))
      drain()
    case 6: submit(&input)
    case 7:
      modem.cancel(at: time)
      drain()
      promise(open == nil, "a packet that was taken back has no end")
    case 8:
      modem.setStatus(isHigh: input.byte() & 1 == 0, at: time)
      drain()
    case 9:
      modem.setGNSS(isOn: input.byte() & 1 == 0, at: time)
      drain()
    case 10: answers = input.byte() & 3 != 0
    default:
      // A modem that does as it is told for a while.
      answers = true
      wait(.milliseconds(Int(input.byte()) * 10))
    }
  }

  private mutating func submit(_ input: inout Input) {
    let transport = ModemTransport(rawValue: input.byte() % 6) ?? .http
    let payload = input.some()
    let isTaken = modem.submit(payload.span, ticket: nextTicket, by: transport, at: time)
    if isTaken {
      promise(open == nil, "two packets at a time")
      open = nextTicket
      openUntil = time + timeout
    }
    nextTicket += 1
    drain()
  }

  /// Lets time pass as the driver asks for it.
  mutating func wait(_ interval: Interval) {
    let end = time + interval
    var rounds = 0
    let most = 400 + Int(interval.microseconds / 20_000)
    while let deadline = modem.nextDeadline, deadline <= end {
      rounds += 1
      promise(rounds < most, "deadlines without end")
      if deadline > time { time = deadline }
      modem.advance(to: time)
      drain()
    }
    if end > time { time = end }
    modem.advance(to: time)
    drain()
  }

  private mutating func receive(_ bytes: [UInt8]) {
    modem.receive(bytes.span, at: time)
    drain()
  }

  private mutating func drain() {
    var rounds = 0
    while true {
      rounds += 1
      promise(rounds < 1000, "talk without end")
      takeActions()
      var output = InlineBytes<1100>()
      modem.drainOutput(at: time, into: &output)
      promise(!output.isTruncated, "more output than there is room for")
      var sentences = InlineBytes<1100>()
      modem.drainNMEA(into: &sentences)
      if open != nil {
        guard let deadline = modem.nextDeadline else { return promise(false, "a packet without a deadline") }
        promise(deadline <= openUntil, "a packet that is kept for too long")
      }
      guard answers, !output.isEmpty else { return }
      let answer = answer((0..<output.count).map { output[$0] })
      guard !answer.isEmpty else { return }
      time = time + .milliseconds(30)
      modem.receive(answer.span, at: time)
    }
  }

  private mutating func takeActions() {
    var rounds = 0
    while let action = modem.nextAction() {
      rounds += 1
      promise(rounds < 100, "actions without end")
      switch action {
      case .delivered(let ticket), .undelivered(let ticket, reason: _):
        promise(ticket == open, "an end of a packet that is not under way")
        open = nil
      case .reply(_, let count):
        var bytes = InlineBytes<1100>()
        modem.drainReply(into: &bytes)
        promise(bytes.count == Int(count), "a reply of another length")
      case .setPowerKey(let isLow): if answers, !isLow { toggle() }
      case .setReset(let isLow): if answers, !isLow { start() }
      case .setDTR, .setSupply, .setRate, .fix, .networkTime, .started, .supplyLow, .recovery: break
      }
    }
  }

  // MARK: A modem that answers

  private mutating func toggle() {
    if isOn {
      isOn = false
      modem.setStatus(isHigh: false, at: time)
    } else {
      start()
    }
  }

  private mutating func start() {
    isOn = true
    modem.setStatus(isHigh: true, at: time)
    let boot = Bench.boot
    modem.receive(boot.span, at: time)
  }

  private mutating func answer(_ command: [UInt8]) -> [UInt8] {
    if let outcome = payloadOutcome {
      payloadOutcome = nil
      return outcome
    }
    for exchange in Bench.exchanges where command.starts(with: exchange.command) {
      payloadOutcome = exchange.outcome
      return command + exchange.answer
    }
    return command + [0x0D, 0x0A, 0x4F, 0x4B, 0x0D, 0x0A]
  }

  private static let boot = Array("\r\nRDY\r\n\r\n+CFUN: 1\r\n\r\n+CPIN: READY\r\n\r\nSMS Ready\r\n".utf8)

  private static let exchanges: [(command: [UInt8], answer: [UInt8], outcome: [UInt8]?)] = answers.map {
    (Array($0.0.utf8), Array($0.1.utf8), $0.2.map { Array($0.utf8) })
  }

  private static let answers: [(String, String, String?)] = [
    ("AT+IPR?", "\r\n+IPR: 115200\r\n\r\nOK\r\n", nil),
    ("AT+CGMR", "\r\nRevision:1351B08SIM7000E\r\n\r\nOK\r\n", nil),
    ("AT+CNMP?", "\r\n+CNMP: 38\r\n\r\nOK\r\n", nil), ("AT+CMNB?", "\r\n+CMNB: 1\r\n\r\nOK\r\n", nil),
    ("AT+CPIN?", "\r\n+CPIN: READY\r\n\r\nOK\r\n", nil), ("AT+CEREG?", "\r\n+CEREG: 1,5\r\n\r\nOK\r\n", nil),
    ("AT+CGREG?", "\r\n+CGREG: 1,1\r\n\r\nOK\r\n", nil), ("AT+CSQ", "\r\n+CSQ: 24,99\r\n\r\nOK\r\n", nil),
    ("AT+CBC", "\r\n+CBC: 0,67,3875\r\n\r\nOK\r\n", nil),
    ("AT+CCLK?", "\r\n+CCLK: \"26/11/21,10:15:30+08\"\r\n\r\nOK\r\n", nil),
    ("AT+CNACT?", "\r\n+CNACT: 0,\"0.0.0.0\"\r\n\r\nOK\r\n", nil),
    ("AT+CNACT=1", "\r\nOK\r\n\r\n+APP PDP: ACTIVE\r\n", nil), ("AT+CIPSHUT", "\r\nSHUT OK\r\n", nil),
    ("AT+CIFSR", "\r\n10.78.245.128\r\n", nil), ("AT+SAPBR=2,1", "\r\n+SAPBR: 1,3,\"0.0.0.0\"\r\n\r\nOK\r\n", nil),
    ("AT+SHBODEXT", "\r\n>", "\r\nOK\r\n"), ("AT+SHREQ", "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n", nil),
    ("AT+SHREAD", "\r\nOK\r\n\r\n+SHREAD: 11\r\n{\"ok\":true}\r\n", nil),
    ("AT+HTTPDATA", "\r\nDOWNLOAD\r\n", "\r\nOK\r\n"), ("AT+HTTPACTION", "\r\nOK\r\n\r\n+HTTPACTION: 1,200,4\r\n", nil),
    ("AT+HTTPREAD", "\r\n+HTTPREAD: 4\r\nping\r\nOK\r\n", nil), ("AT+SMSTATE?", "\r\n+SMSTATE: 0\r\n\r\nOK\r\n", nil),
    ("AT+SMPUB", "\r\n> ", "\r\nOK\r\n"), ("AT+CIPSTART", "\r\nOK\r\n\r\n0, CONNECT OK\r\n", nil),
    ("AT+CIPSEND", "\r\n> ", "\r\nDATA ACCEPT:0,4\r\n\r\n+CIPRXGET: 1,0\r\n"),
    ("AT+CIPRXGET=2", "\r\n+CIPRXGET: 2,0,6,0\r\nACK 1\n\r\nOK\r\n", nil),
    ("AT+CAOPEN", "\r\n+CAOPEN: 0,0\r\n\r\nOK\r\n", nil),
    ("AT+CASEND", "\r\n> ", "\r\nOK\r\n\r\n+CASEND: 0,0,4\r\n\r\n+CADATAIND: 0\r\n"),
    ("AT+CARECV?", "\r\n+CARECV: 0,6\r\n\r\nOK\r\n", nil), ("AT+CARECV=", "\r\n+CARECV: 6,ACK 1\n\r\n\r\nOK\r\n", nil),
    ("AT+CMGS", "\r\n> ", "\r\n+CMGS: 12\r\n\r\nOK\r\n"),
    ("AT+CMGR", "\r\n+CMGR: \"REC UNREAD\",\"+31600000000\",\"\",\"19/06/26,14:04:03+32\"\r\nwhere\r\n\r\nOK\r\n", nil),
    ("AT+CPOWD", "\r\nNORMAL POWER DOWN\r\n", nil),
  ]

  /// What a modem says by itself or in answer.
  private static let lines: [[UInt8]] =
    exchanges.map(\.answer) + exchanges.compactMap(\.outcome)
    + [
      "\r\nOK\r\n", "\r\nERROR\r\n", "\r\n+CME ERROR: 10\r\n", "\r\n+CME ERROR: 107\r\n", "\r\n+CMS ERROR: 500\r\n",
      "\r\n+CMS ERROR: 304\r\n", "\r\nRDY\r\n", "\r\n+CFUN: 1\r\n", "\r\nSMS Ready\r\n", "\r\nNORMAL POWER DOWN\r\n",
      "\r\nUNDER-VOLTAGE POWER DOWN\r\n", "\r\nUNDER-VOLTAGE WARNNING\r\n", "\r\n+CPIN: NOT READY\r\n",
      "\r\n+CPIN: SIM PIN\r\n", "\r\n+CEREG: 2\r\n", "\r\n+CEREG: 5\r\n", "\r\n+CEREG: 3\r\n", "\r\n+CGREG: 0\r\n",
      "\r\n+APP PDP: DEACTIVE\r\n", "\r\n+SHSTATE: 0\r\n", "\r\n+SMSTATE: 0\r\n", "\r\n+PDP: DEACT\r\n",
      "\r\n+SAPBR 1: DEACT\r\n", "\r\n0, CLOSED\r\n", "\r\n+CASTATE: 0,0\r\n", "\r\n+CMTI: \"SM\",3\r\n",
      "\r\n+CMT: \"+31600000000\",\"\",\"19/06/26,14:04:03+32\"\r\nwhere\r\n",
      "\r\n+SMSUB: \"trk/01/cmd\",\"ping\"\r\n", "\r\n*PSUTTZ: 19/06/26,06:04:03\",\"+32\",0\r\n",
      "\r\n+CPSMSTATUS: \"ENTER PSM\"\r\n", "\r\n+SHREQ: \"POST\",500,0\r\n", "\r\n+SHREQ: \"POST\",404,9\r\n",
      "$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n",
      "\r\n+UGNSINF: 1,1,20171103024050.000,31.222176,121.354393,31.000,0.00,99.5,1,,0.9,1.3,0.9,,20,8,,,48,,\r\n",
    ].map { (line: String) in Array(line.utf8) }
}

/// Bytes as choices; zeros when they run out.
private struct Input {
  let bytes: UnsafeBufferPointer<UInt8>
  var place = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isEmpty: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    place += 1
    return bytes[place - 1]
  }

  mutating func some() -> [UInt8] {
    let length = Int(byte())
    return (0..<length).map { _ in byte() }
  }

  mutating func configuration() -> ModemConfiguration {
    var configuration = ModemConfiguration()
    let lines = byte()
    configuration.wiring.hasStatus = lines & 1 == 0
    configuration.wiring.hasPowerKey = lines & 2 == 0
    configuration.wiring.hasReset = lines & 4 == 0
    configuration.wiring.hasDTR = lines & 8 != 0
    configuration.wiring.hasSupplySwitch = lines & 16 != 0
    configuration.verifiesEcho = lines & 32 == 0
    configuration.gnss = lines & 64 != 0
    configuration.sharing = lines & 128 == 0 ? .together : .alternating
    // Half an hour of waiting would be most of the work.
    configuration.deliveryTimeout = .seconds(300)
    let wishes = byte()
    configuration.idle = IdlePolicy(rawValue: wishes & 3) ?? .awake
    configuration.radio = RadioMode(rawValue: wishes >> 2 & 3) ?? .unchanged
    if wishes & 16 != 0 { configuration.pin = ModemText("1234") ?? ModemText() }
    if wishes & 32 != 0 { configuration.mqttCommandTopic = TopicName("trk/01/cmd") ?? TopicName() }
    if wishes & 64 != 0 { configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber() }
    if wishes & 128 == 0 {
      configuration.accessPoint = AccessPointName("iot.example") ?? AccessPointName()
      configuration.httpServer = ServerAddress("http://10.0.0.5:8080") ?? ServerAddress()
      configuration.mqttHost = ServerAddress("10.0.0.5") ?? ServerAddress()
      configuration.tcpHost = ServerAddress("10.0.0.5") ?? ServerAddress()
    }
    return configuration
  }
}
