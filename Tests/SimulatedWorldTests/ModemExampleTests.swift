import Foundation
import ASCIIText
import ModemSimulation
import Quantities
import SIM7000
import SimulatedWorld
import Testing

/// A board with a simulated modem and a broker, on virtual time.
private final class SimulatedBoard: ModemBoard {
  private(set) var now = Instant.zero
  private var module = SimulatedModem(SimulatedModemConfiguration(), seed: 1)
  private(set) var network = VirtualNetwork(seed: 1)
  private var output: [UInt8] = []
  var statusIsHigh: Bool { module.statusIsHigh }

  init() { network.add(MQTTBroker(host: "broker.example", port: 1883)) }

  func append(_ byte: UInt8) -> Bool {
    output.append(byte)
    return true
  }

  func set(_ action: ModemAction) {
    switch action {
    case .setPowerKey(let isLow): module.set(.powerKey, low: isLow, at: now)
    case .setReset(let isLow): module.set(.reset, low: isLow, at: now)
    case .setRate(let rate): module.setHostRate(Int(rate), at: now)
    default: break
    }
  }

  func read(until deadline: Instant?) -> [UInt8] {
    module.receive(output, at: now)
    output = []
    let wasHigh = statusIsHigh
    while true {
      while let request = module.nextRequest() { network.take(request, at: now) }
      while let reply = network.nextReply() { module.deliver(reply, at: now) }
      let bytes = module.takeOutput()
      if !bytes.isEmpty || statusIsHigh != wasHigh { return bytes }
      let times = [deadline, module.nextDeadline, network.nextDeadline].compactMap { $0 }
      guard let next = times.min(), next > now || next != deadline else { return [] }
      now = max(now, next)
      module.advance(to: now)
      network.advance(to: now)
      if let deadline, deadline <= now { return module.takeOutput() }
    }
  }
}

@Suite struct ModemExampleTests {
  @Test func theExampleInTheManualDelivers() {
    let board = SimulatedBoard()
    #expect(deliver(Array("{\"sequence\":7}".utf8), over: board, FaultStory.driver()))
    #expect(board.network.received.contains { $0.text == "{\"sequence\":7}" })
  }

  @Test func theExampleInTheManualIsTheOneThatCompilesHere() throws {
    let example = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ModemExample.swift")
    let source = try String(contentsOf: example, encoding: .utf8)
    let manual = try String(contentsOf: Manual.file, encoding: .utf8)
    #expect(
      manual.contains("```swift\n\(source)```"),
      "docs/modem.md: the example is not Tests/SimulatedWorldTests/ModemExample.swift")
  }
}

/// The driver's manual.
enum Manual {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let file = root.appending(path: "docs/modem.md")
}
