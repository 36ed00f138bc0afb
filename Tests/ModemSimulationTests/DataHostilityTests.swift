import ModemSimulation
import Quantities
import Testing

/// A small random generator for tests.
private struct Dice {
  var state: UInt64

  mutating func roll(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  mutating func pick<T>(_ choices: [T]) -> T { choices[roll(choices.count)] }
}

/// Nonsense, faults and resets at every place.
@Suite struct DataHostilityTests {
  private static let names = [
    "+CNACT", "+CNCFG", "+SAPBR", "+CSTT", "+CIICR", "+CIFSR", "+CIFSREX", "+CIPSHUT", "+CIPSTATUS", "+CIPMUX",
    "+CIPQSEND", "+CIPHEAD", "+CIPSRIP", "+CIPMODE", "+CIPATS", "+CDNSGIP", "+CIPSTART", "+CIPSEND", "+CIPCLOSE",
    "+CIPACK", "+CIPRXGET", "+CACID", "+CASSLCFG", "+CAOPEN", "+CASEND", "+CARECV", "+CASTATE", "+CAACK", "+CACLOSE",
    "+SHCONF", "+SHSSL", "+SHCONN", "+SHSTATE", "+SHREQ", "+SHREAD", "+SHDISC", "+SHCHEAD", "+SHAHEAD", "+SHCPARA",
    "+SHPARA", "+SHBOD", "+SHBODEXT", "+HTTPINIT", "+HTTPPARA", "+HTTPDATA", "+HTTPACTION", "+HTTPREAD", "+HTTPHEAD",
    "+HTTPSTATUS", "+HTTPTERM", "+SMCONF", "+SMSSL", "+SMCONN", "+SMSTATE", "+SMDISC", "+SMPUB", "+SMPUBHEX", "+SMSUB",
    "+SMUNSUB", "+CFSINIT", "+CFSTERM", "+CFSWFILE", "+CFSRFILE", "+CFSGFIS", "+CFSDFILE", "+CFSREN", "+CFSGFRS",
    "+CSSLCFG", "+CNTPCID", "+CNTP", "+CLBS", "+SNPING4", "+HTTPTOFS", "+HTTPTOFSRL", "+CGATT", "+CFUN",
  ]
  private static let values = [
    "", "0", "1", "2", "3", "4", "7", "8", "-1", "100", "1460", "99999", "9223372036854775807", "\"\"", "\"TCP\"",
    "\"10.0.0.5\"", "7", "\"http://10.0.0.5:8080\"", "\"/x\"", "\"URL\"", "\"t\"", "\"f\"", "\"a\\\"b\"", "\"open",
  ]

  private func command(_ dice: inout Dice) -> String {
    let name = dice.pick(Self.names)
    switch dice.roll(8) {
    case 0: return "AT\(name)"
    case 1: return "AT\(name)?"
    case 2: return "AT\(name)=?"
    default: return "AT\(name)=" + (0...dice.roll(5)).map { _ in dice.pick(Self.values) }.joined(separator: ",")
    }
  }

  /// Brings up everything, so that nonsense meets open sessions.
  private func openBench() -> NetworkedBench {
    var bench = NetworkedBench()
    bench.connectHTTP()
    bench.connectMQTT()
    bench.openToolkit("AT+CIPMUX=1;+CIPRXGET=1")
    _ = bench.exchange("AT+CIPSTART=0,\"TCP\",\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+CAOPEN=0,\"10.0.0.5\",7", for: 500)
    _ = bench.exchange("AT+SAPBR=1,1", for: 1000)
    _ = bench.exchange("AT+HTTPINIT")
    _ = bench.exchange("AT+CFSINIT")
    return bench
  }

  @Test(arguments: 0..<40)
  func anyDataCommandWithAnyParametersIsSurvived(seed: Int) {
    var dice = Dice(state: UInt64(seed) &+ 1)
    var bench = openBench()
    for _ in 0..<60 {
      bench.type(command(&dice) + "\r")
      bench.wait(dice.pick([1, 100, 700, 5000]))
      switch dice.roll(12) {
      case 0: bench.type((0..<dice.roll(300)).map { _ in UInt8(dice.roll(256)) })
      case 1: bench.type("\u{1A}")
      case 2: bench.apply(.bearerLost(isSilent: dice.roll(2) == 0))
      case 3: bench.network.closeConnections(of: dice.pick(NetworkChannel.allCases), at: bench.now)
      case 4: bench.apply(dice.pick([.httpSessionDead, .mqttDropped, .connectFails(count: 1)]))
      case 5: bench.apply(.staleConnection(lasting: .seconds(20)))
      default: break
      }
    }
    bench.apply(.spontaneousReset(afterBytes: 0))
    bench.wait(40_000)
    bench.wire = []
    #expect(bench.exchange("AT").hasSuffix(lines("OK")))
    _ = bench.exchange("ATE0")
    // The level of CFUN is kept, so the nonsense may have left the radio off.
    _ = bench.exchange("AT+CFUN=1", for: 30_000)
    #expect(bench.exchange("AT+CNACT=1,\"iot.example\"", for: 1000) == lines("OK", "+APP PDP: ACTIVE"))
  }

  @Test func repliesNobodyAskedForAreIgnored() {
    var bench = openBench()
    bench.wire = []
    let replies: [NetworkReply] = (-1...40).flatMap { id -> [NetworkReply] in
      [
        .opened(id: id), .httpConnected(id: id), .mqttConnected(id: id), .mqttAcknowledged(id: id, message: 1),
        .resolved(id: id, address: "1.2.3.4"), .time(id: id, UTCTime(microseconds: 0)), .sent(id: id, count: 1),
        .httpResponse(id: id, status: 200, headers: [], body: []), .smsAccepted(id: id, reference: 1),
      ]
    }
    for reply in replies { bench.modem.deliver(reply, at: bench.now) }
    bench.wait(1000)
    #expect(bench.take() == "")
    #expect(bench.exchange("AT") == lines("OK"))
  }

  @Test func aResetAtAnyByteOfASessionIsSurvived() {
    func session(_ bench: inout NetworkedBench) -> String {
      bench.connectHTTP()
      _ = bench.exchange("AT+SHBODEXT=5,10000")
      _ = bench.payload("hello")
      let answer = bench.exchange("AT+SHREQ=\"/p\",3", for: 500)
      _ = bench.exchange("AT+SHREAD=0,11")
      _ = bench.exchange("AT+SHDISC")
      return answer
    }
    for place in 1...130 {
      var bench = NetworkedBench()
      bench.apply(.spontaneousReset(afterBytes: place))
      _ = session(&bench)
      bench.wait(40_000)
      bench.wire = []
      #expect(bench.exchange("ATE0") == "ATE0\r" + lines("OK"), "\(place)")
      #expect(session(&bench) == lines("OK", "+SHREQ: \"POST\",200,11"), "\(place)")
    }
  }
}
