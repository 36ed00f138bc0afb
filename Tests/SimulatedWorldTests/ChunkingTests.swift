import ASCIIText
import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// However the bytes of a modem are cut, the driver does and says the same.
@Suite struct ChunkingTests {
  /// What a driver was given, and what came of it.
  struct Story {
    var heard: [(time: Instant, bytes: [UInt8])] = []
    var said: [UInt8] = []
    var actions: [ModemAction] = []
  }

  private static func driver() -> ModemConfiguration {
    var driver = FaultStory.driver()
    driver.wiring.hasStatus = false
    driver.mqttCommandTopic = TopicName("leash/command") ?? TopicName()
    driver.gnss = true
    return driver
  }

  /// A delivery with a reset, torn lines and a message in it, as it happened.
  private static func recorded(_ transport: ModemTransport) -> Story {
    var network = VirtualNetwork(seed: 3)
    network.add(HTTPServer(host: "track.example", port: 8080))
    network.add(SocketServer(host: "track.example", port: 5000))
    network.add(MQTTBroker(host: "broker.example", port: 1883))
    let module = SimulatedModem(SimulatedModemConfiguration(), seed: 3)
    let bench = ModemBench(driver: driver(), module: module, network: network, seed: 3)
    var story = Story()
    bench.listener = { time, isToModem, bytes in
      if isToModem { story.said += bytes } else { story.heard.append((time, bytes)) }
    }
    _ = bench.submit(FaultRun.payload(1), ticket: 1, by: transport)
    bench.run(until: .seconds(14))
    bench.module.apply(.tornLines(count: 2), at: bench.now)
    bench.run(until: .seconds(18))
    bench.module.apply(.spontaneousReset(afterBytes: 40), at: bench.now)
    bench.run(until: .seconds(60))
    bench.module.deliver(sms: "where", from: "+31611111111", at: bench.now)
    bench.run(until: .seconds(100))
    story.actions = bench.actions.map(\.action)
    return story
  }

  /// The same bytes at the same times, in pieces of a size.
  private static func repeated(_ story: Story, transport: ModemTransport, piece: Int) -> Story {
    var modem = Modem(configuration: driver(), seed: 3)
    var result = Story()
    func drain(_ now: Instant) {
      while let action = modem.nextAction() {
        result.actions.append(action)
        if case .reply = action {
          var ignored = Sink()
          modem.drainReply(into: &ignored)
        }
      }
      var sink = Sink()
      modem.drainOutput(at: now, into: &sink)
      result.said += sink.bytes
    }
    let payload = FaultRun.payload(1)
    _ = modem.submit(payload.span, ticket: 1, by: transport, at: .zero)
    drain(.zero)
    func advance(to time: Instant, isInclusive: Bool) {
      while let deadline = modem.nextDeadline, deadline < time || (isInclusive && deadline == time) {
        modem.advance(to: deadline)
        drain(deadline)
      }
    }
    for (time, bytes) in story.heard {
      advance(to: time, isInclusive: true)
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(piece))
        rest = rest.dropFirst(part.count)
        modem.receive(part.span, at: time)
        drain(time)
      }
    }
    advance(to: .seconds(100), isInclusive: true)
    return result
  }

  private struct Sink: ByteSink {
    var bytes: [UInt8] = []
    mutating func append(_ byte: UInt8) -> Bool {
      bytes.append(byte)
      return true
    }
  }

  @Test(arguments: ModemTransport.allCases)
  func anyCutOfTheModemsBytesGivesTheSame(transport: ModemTransport) {
    let story = ChunkingTests.recorded(transport)
    #expect(story.actions.contains(.delivered(ticket: 1)))
    let whole = ChunkingTests.repeated(story, transport: transport, piece: 10_000)
    #expect(whole.said == story.said)
    #expect(whole.actions == story.actions)
    for piece in [1, 2, 3, 5, 7, 16, 64] {
      let cut = ChunkingTests.repeated(story, transport: transport, piece: piece)
      #expect(cut.said == whole.said, "pieces of \(piece)")
      #expect(cut.actions == whole.actions, "pieces of \(piece)")
    }
  }
}
