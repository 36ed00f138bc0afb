import Foundation
import Quantities
import SensorFrames
import Testing

@testable import LinuxDevices

/// A frame as the manual lays it out.
private func frame(_ type: UInt8, _ values: [Int16]) -> [UInt8] {
  let bytes = [0x55, type] + littleEndian(values)
  return bytes + [UInt8(truncatingIfNeeded: bytes.reduce(0) { $0 + Int($1) })]
}

private func frames(in stream: [UInt8]) -> [WitMotionFrame] {
  var decoder = WitMotionFrames()
  return stream.compactMap { decoder.receive($0) }
}

@Test func framesOfAWitMotionAreInSIUnits() {
  let stream =
    frame(0x51, [2048, -2048, 32767, 2500]) + frame(0x52, [16384, -16384, 0, 0]) + frame(0x54, [1, -2, 3, 0])
    + frame(0x53, [1, 2, 3, 4]) + frame(0x50, [1, 2, 3, 4])
  let found = frames(in: stream)
  #expect(found.count == 5)
  guard case .specificForce(let force) = found[0], case .angularRate(let rate) = found[1] else {
    Issue.record("\(found)")
    return
  }
  #expect(force.x == 9.80665 && force.y == -9.80665 && abs(force.z - 156.9016) < 0.001)
  #expect(abs(rate.x - 17.453293) < 1e-5 && rate.y == -rate.x && rate.z == 0)
  #expect(found[2...] == [.magneticField(x: 1, y: -2, z: 3), .other(0x53), .other(0x50)])
}

@Test func junkCostsNoFrameThatIsWhole() {
  // Junk with a header in it, a frame with a wrong sum that holds the beginning of another, a frame cut short.
  var wrong = frame(0x51, [0x5155, 1, 2, 3])
  wrong[10] &+= 1
  let stream =
    [0x00, 0x55, 0x55, 0x51, 0xFF] + frame(0x51, [1, 2, 3, 4]) + wrong + frame(0x52, [0x5155, 0x5255, -1, 0])
    + frame(0x51, [9, 9, 9, 9]).prefix(6) + frame(0x52, [4, 5, 6, 0])
  let found = frames(in: stream)
  #expect(found.count == 3)
  guard case .specificForce(let first) = found[0], case .angularRate(let last) = found[2] else {
    Issue.record("\(found)")
    return
  }
  #expect(abs(first.x - 0.0047884) < 1e-6 && abs(last.z - 0.0063916) < 1e-6)
}

@Test func aChangedByteCostsItsFrameOnly() {
  let good = (0..<20).flatMap { (number: Int) -> [UInt8] in
    frame(number % 2 == 0 ? 0x51 : 0x52, [Int16(number), 1, 2, 3])
  }
  for place in good.indices {
    var stream = good
    stream[place] ^= 0x10
    let found = frames(in: stream)
    #expect(found.count >= 19 && found.count <= 20)
  }
}

@Test func aWitMotionOnALineGivesPairsInOrder() throws {
  let terminal = try PseudoTerminal()
  let sensor = WitMotionSensor(terminal.path, bitsPerSecond: 115_200, microteslaPerStep: 0.1)
  var samples: [InertialSample] = []
  sensor.sink = { if case .inertial(let sample) = $0 { samples.append(sample) } }
  let loop = try EventLoop(clock: MachineClock())
  try sensor.start(in: loop, at: .zero)
  let descriptor = try #require(sensor.descriptor)
  for number in 0..<300 {
    let value = Int16(number)
    let burst = frame(0x51, [value, 0, 2048, 0]) + frame(0x52, [0, value, 0, 0]) + frame(0x54, [10, 0, 0, 0])
    #expect(try terminal.write(burst[...]) == burst.count)
    let now = Instant.milliseconds(5000 + 10 * number)
    var waiting = 0
    var left = burst.count
    while left > 0 && isReadableSoon(descriptor) && waiting < 100 {
      let before = sensor.byteCount
      sensor.handle(.reading, of: descriptor, at: now)
      left -= sensor.byteCount - before
      waiting += 1
    }
  }
  #expect(sensor.failure == nil)
  #expect(samples.count == 200, "the first second teaches the rate")
  for (place, sample) in samples.enumerated() {
    let number = place + 100
    #expect(sample.time == .milliseconds(5000 + 10 * number))
    #expect(abs((sample.specificForce?.x ?? 0) - Float(number) * 0.0047884) < 0.001)
    #expect(sample.specificForce?.z == 9.80665)
    #expect(abs((sample.angularRate?.y ?? 0) - Float(number) * 0.0010653) < 0.0005)
    #expect(sample.magneticFluxDensity == Vector3(1, 0, 0))
  }
  #expect(sensor.facts.contains { $0.name == "rate" && $0.value == "100 Hz" })
  sensor.stop()
}

@Test func aWitMotionThatIsPulledOutFails() throws {
  var terminal: PseudoTerminal? = try PseudoTerminal()
  let path = try #require(terminal?.path)
  let sensor = WitMotionSensor(path)
  let loop = try EventLoop(clock: MachineClock())
  try sensor.start(in: loop, at: MonotonicClock.now)
  #expect(sensor.name == "imu witmotion at \(path.split(separator: "/").last ?? "")")
  #expect(sensor.patience == .seconds(5) && sensor.facts.contains { $0.value == "being learned" })
  terminal = nil
  loop.turn(until: MonotonicClock.now + .seconds(5))
  #expect(sensor.failure?.reason == .unplugged)
  #expect(sensor.facts.isEmpty)
  let missing = #expect(throws: DeviceFailure.self) { try sensor.start(in: loop, at: MonotonicClock.now) }
  #expect(missing != nil)
}
