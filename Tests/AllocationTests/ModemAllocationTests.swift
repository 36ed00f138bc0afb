import AllocationCounter
import ASCIIText
import InlineStorage
import Quantities
import SIM7000
import Testing

/// A modem of a few literals; what it does itself is not counted.
private struct Bench: ~Copyable {
  var modem: Modem
  var now = Instant.zero
  var delivered = 0
  var allocated: UInt64 = 0
  private var payloadOutcome: [UInt8] = []

  private static let answers: [(command: String, answer: String, outcome: String)] = [
    ("AT+IPR?", "\r\n+IPR: 115200\r\n\r\nOK\r\n", ""), ("AT+CGMR", "\r\nRevision:1351B08SIM7000E\r\n\r\nOK\r\n", ""),
    ("AT+CPIN?", "\r\n+CPIN: READY\r\n\r\nOK\r\n", ""), ("AT+CEREG?", "\r\n+CEREG: 1,5\r\n\r\nOK\r\n", ""),
    ("AT+CSQ", "\r\n+CSQ: 24,99\r\n\r\nOK\r\n", ""), ("AT+CBC", "\r\n+CBC: 0,67,3875\r\n\r\nOK\r\n", ""),
    ("AT+CCLK?", "\r\n+CCLK: \"26/11/21,10:15:30+08\"\r\n\r\nOK\r\n", ""),
    ("AT+CNACT?", "\r\n+CNACT: 0,\"0.0.0.0\"\r\n\r\nOK\r\n", ""),
    ("AT+CNACT=1", "\r\nOK\r\n\r\n+APP PDP: ACTIVE\r\n", ""), ("AT+SHBODEXT", "\r\n>", "\r\nOK\r\n"),
    ("AT+SHREQ", "\r\nOK\r\n\r\n+SHREQ: \"POST\",200,11\r\n", ""),
    ("AT+SHREAD", "\r\nOK\r\n\r\n+SHREAD: 11\r\n{\"ok\":true}\r\n", ""),
    ("AT+SMSTATE?", "\r\n+SMSTATE: 0\r\n\r\nOK\r\n", ""), ("AT+SMPUB", "\r\n> ", "\r\nOK\r\n"),
  ]

  init(_ configuration: ModemConfiguration) { modem = Modem(configuration: configuration, seed: 1) }

  /// Delivers a packet; false when that takes longer than two minutes.
  mutating func deliver(by transport: ModemTransport) -> Bool {
    let payload = Array("{\"lat\":1,\"lon\":2}".utf8)
    let goal = delivered + 1
    let end = now + .seconds(120)
    let before = allocationCount()
    _ = modem.submit(payload.span, ticket: UInt32(goal), by: transport, at: now)
    allocated += allocationCount() - before
    while delivered < goal {
      drain()
      guard let deadline = modem.nextDeadline, deadline < end else { return false }
      now = max(now, deadline)
      let before = allocationCount()
      modem.advance(to: now)
      allocated += allocationCount() - before
    }
    return true
  }

  private mutating func drain() {
    var output = InlineBytes<1100>()
    let before = allocationCount()
    var ends: Bool? = nil
    var key: Bool? = nil
    while let action = modem.nextAction() {
      switch action {
      case .delivered: ends = true
      case .setPowerKey(let isLow): key = isLow
      case .reply:
        var reply = InlineBytes<512>()
        modem.drainReply(into: &reply)
      default: break
      }
    }
    modem.drainOutput(at: now, into: &output)
    allocated += allocationCount() - before
    if ends == true { delivered += 1 }
    if key == false {
      modem.setStatus(isHigh: true, at: now)
      hear("\r\nRDY\r\n\r\n+CFUN: 1\r\n\r\n+CPIN: READY\r\n\r\nSMS Ready\r\n")
    }
    if !output.isEmpty { answer(output) }
  }

  private mutating func answer(_ output: InlineBytes<1100>) {
    let command = String(decoding: (0..<output.count).map { output[$0] }, as: UTF8.self)
    now = now + .milliseconds(20)
    if !payloadOutcome.isEmpty {
      let outcome = payloadOutcome
      payloadOutcome = []
      return hear(String(decoding: outcome, as: UTF8.self))
    }
    let known = Bench.answers.first { command.hasPrefix($0.command) }
    payloadOutcome = Array((known?.outcome ?? "").utf8)
    hear(command + (known?.answer ?? "\r\nOK\r\n"))
  }

  private mutating func hear(_ text: String) {
    let bytes = Array(text.utf8)
    let before = allocationCount()
    modem.receive(bytes.span, at: now)
    allocated += allocationCount() - before
  }
}

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"))
func deliveriesDoNotAllocate() {
  var configuration = ModemConfiguration()
  configuration.accessPoint = AccessPointName("iot.example") ?? AccessPointName()
  configuration.httpServer = ServerAddress("http://10.0.0.5:8080") ?? ServerAddress()
  configuration.mqttHost = ServerAddress("10.0.0.5") ?? ServerAddress()
  // The runtime makes its own tables when a generic type is first used.
  let first = deliveries(configuration)
  let second = deliveries(configuration)
  #expect(first.count == 2)
  #expect(second.count == 2)
  #expect(second.allocations == 0)
}

/// What one packet by HTTP and one by MQTT from a modem that is off take.
private func deliveries(_ configuration: ModemConfiguration) -> (count: Int, allocations: UInt64) {
  var bench = Bench(configuration)
  guard bench.deliver(by: .http), bench.deliver(by: .mqtt) else { return (bench.delivered, bench.allocated) }
  return (bench.delivered, bench.allocated)
}
