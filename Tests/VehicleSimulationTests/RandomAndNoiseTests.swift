import Quantities
import Testing

@testable import VehicleSimulation

@Test func theGeneratorIsXoshiro256PlusPlus() {
  // The recurrence worked by hand for the state 1, 2, 3, 4.
  var random = SeededRandom(state: (1, 2, 3, 4))
  let first = (UInt64(1 + 4) << 23) + 1
  #expect(random.next() == first)
}

@Test func normalNumbersHaveTheMomentsOfTheNormalDistribution() {
  var random = SeededRandom(seed: 0)
  var moments = [0.0, 0, 0, 0]
  var beyond = 0
  let count = 400_000
  for _ in 0..<count {
    let x = random.gaussian()
    moments[0] += x
    moments[1] += x * x
    moments[2] += x * x * x
    moments[3] += x * x * x * x
    if abs(x) > 3.5 { beyond += 1 }
  }
  let n = Double(count)
  #expect(abs(moments[0] / n) < 0.006)
  #expect(abs(moments[1] / n - 1) < 0.01)
  #expect(abs(moments[2] / n) < 0.02)
  #expect(abs(moments[3] / n - 3) < 0.06)
  // 4.65e-4 of the normal distribution lies beyond 3.5: the tail is there.
  #expect(abs(Double(beyond) / n - 4.65e-4) < 1.2e-4)
}

@Test func integersBelowABoundAreFair() {
  var random = SeededRandom(seed: 9)
  var counts = [0, 0, 0, 0, 0, 0]
  for _ in 0..<60_000 { counts[Int(random.integer(below: 6))] += 1 }
  for count in counts { #expect(abs(count - 10_000) < 400) }
  #expect(random.integer(below: 0) == 0)
  #expect(random.integer(below: 1) == 0)
}

@Test(arguments: [(12.0, 0.5, 100), (0.4, 0.4, 100), (5.0, 0.3, 1000), (12.0, 0.5, 10)])
func colouredNoiseHasDeviationOneAtAnyRate(frequency: Double, damping: Double, hertz: Int) {
  var noise = ColouredNoise(frequency: frequency, damping: damping, hertz: hertz)
  var random = SeededRandom(seed: 4)
  var square = 0.0
  let count = 400_000
  for _ in 0..<count {
    let x = Double(noise.next(Float(random.gaussian())))
    square += x * x
  }
  #expect(abs((square / Double(count)).squareRoot() - 1) < 0.08)
}

@Test func readingsSaturateAndNonsenseReadsZero() {
  var sensor = SimulatedSensor(.seatTubeMPU6050, seed: 1)
  let sample = sensor.read(
    at: .zero, angularRate: Vector3(1e30, -1e30, .infinity), specificForce: Vector3(.nan, 1e30, -1e30))
  let rate = sample.angularRate ?? .zero
  let force = sample.specificForce ?? .zero
  #expect(rate.isFinite)
  #expect(force.isFinite)
  for value in [rate.x, rate.y, rate.z] { #expect(abs(value) <= 8.727) }
  for value in [force.x, force.y, force.z] { #expect(abs(value) <= 78.4545) }
}
