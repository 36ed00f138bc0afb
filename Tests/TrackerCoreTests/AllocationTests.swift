import AllocationCounter
import InlineStorage
import Quantities
import TestSupport
import Testing
import TrackerCore

@Test(.enabled(if: allocationsAreCounted(), "the sanitizer replaces malloc itself"))
func samplesFixesAndSentencesDoNotAllocate() {
  let epoch = Array(
    ("$GPGGA,101500,5321.0000,N,00615.0000,W,1,08,1.2,20.0,M,55.0,M,,*6B\r\n"
      + "$GPRMC,101500,A,5321.0000,N,00615.0000,W,10.0,090.0,010626,,,A*5B\r\n").utf8)
  var sensor = SimulatedSensor(hertz: 100, seed: 1)
  var samples: [InertialSample] = []
  for _ in 0..<6000 { samples.append(sensor.next()) }
  var tracker = Tracker()
  var byteCount = 0
  func drain() {
    while let action = tracker.nextAction() {
      guard case .transmit(let sequence, _) = action else { continue }
      var packet = InlineBytes<1024>()
      tracker.drainOutput(for: .uplink, into: &packet)
      byteCount += packet.count
      tracker.acknowledge(sequence, at: tracker.now)
    }
  }
  func run(_ range: Range<Int>) {
    for place in range {
      tracker.process(samples[place])
      drain()
      guard place % 100 == 0 else { continue }
      tracker.receive(epoch.span, from: .gnss, at: samples[place].time)
      drain()
      if let deadline = tracker.nextDeadline, deadline <= samples[place].time { tracker.advance(to: deadline) }
      drain()
      tracker.submit(.locate, at: samples[place].time)
      drain()
    }
  }
  // The runtime makes its own tables when a generic type is first used.
  run(0..<1000)
  let before = allocationCount()
  run(1000..<6000)
  #expect(allocationCount() - before == 0)
  #expect(byteCount > 10_000)
}
