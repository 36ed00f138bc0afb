import Quantities
import TrackerRuntime
import Telemetry
import Testing
import TrackerCore

/// A bike that stands is turned about the vertical by 0.3 rad, and nothing else happens to it.
@Test func aBikeThatIsTurnedWhileParkedTellsByHowMuch() throws {
  var configuration = TrackerConfiguration()
  configuration.motion.armAfter = .seconds(10)
  // Only the heading counts.
  (configuration.motion.handlingRate, configuration.motion.handlingVibration) = (9, 99)
  var tracker = Tracker(configuration: configuration)
  var alert: PacketAlert?
  var json = ""
  var random = SplitMix64(seed: 7)
  for step in 0..<2500 {
    func noise(_ size: Float) -> Float { (Float(random.next() >> 40) / 16_777_216 - 0.5) * size }
    let isTurning = (1500..<1550).contains(step)
    tracker.process(
      InertialSample(
        time: .milliseconds(20 * step),
        angularRate: Vector3(noise(0.004), noise(0.004), (isTurning ? 0.3 : 0) + noise(0.004)),
        specificForce: Vector3(noise(0.04), noise(0.04), 9.81 + noise(0.04))))
    while let action = tracker.nextAction() {
      guard case .transmit(let sequence, .movement) = action else { continue }
      if let place = tracker.outbox.place(of: sequence) { alert = tracker.outbox.packet(at: place).alert }
      var bytes = ByteBuffer()
      tracker.drainOutput(for: .uplink, into: &bytes)
      json = String(decoding: bytes.bytes, as: UTF8.self)
    }
  }
  let evidence = try #require(alert?.evidence)
  #expect(evidence.detector == .heading)
  let turn = try #require(evidence.turn)
  // It is told after eight tenths of the turn.
  #expect(abs(turn - 0.25) < 0.02, "\(turn)")
  #expect(json.contains("\"turn\":14.") && !json.contains("\"turn\":0"))
  #expect(abs((evidence.tilt ?? 0)) < 0.01, "the vertical stayed")
}
