import Foundation
import InertialFusion
import Quantities
import TestSupport
import Testing

/// A sensor at an estimator, and what it does to its readings on the way.
private final class Watched {
  private var held: InertialEstimator
  var sensor: SimulatedSensor
  var parts = (rate: true, force: true)

  init(hertz: Int = 50, rateNoise: Float = 0.003, forceNoise: Float = 0.03, lean: Float = 0.3, seed: UInt64) {
    held = InertialEstimator()
    sensor = SimulatedSensor(hertz: hertz, rateNoise: rateNoise, forceNoise: forceNoise, seed: seed)
    sensor.bias = Vector3(-0.08, -0.01, 0.02)
    sensor.earthFromBody = Quaternion(rotationVector: Vector3(lean, 0.1, 0))
  }

  func feel(
    seconds: Double, rate: (Double) -> Vector3 = { _ in .zero }, change: (inout InertialSample) -> Void = { _ in }
  ) {
    let hertz = sensor.hertz
    for step in 0..<Int(seconds * Double(hertz)) {
      var sample = sensor.next(rate: rate(Double(step) / Double(hertz)))
      if !parts.rate { sample.angularRate = nil }
      if !parts.force { sample.specificForce = nil }
      change(&sample)
      _ = held.update(with: sample)
    }
  }

  var faults: UInt32 { held.faultCount }
  var isInTrouble: Bool { held.isInTrouble }
  var isAxisStuck: Bool { held.isAxisStuck }
  var isRateAtEnd: Bool { held.isRateAtEnd }
  var isAtRest: Bool { held.rest.isAtRest }
  var bias: Vector3 { held.attitude.gyroBias }
  /// The specific force of the last moment in the level frame.
  var levelForce: Vector3 { held.attitude.levelFromBody.rotate(held.rest.specificForceHalf.mean) }
}

private func swap(_ sample: inout InertialSample) {
  sample.angularRate = sample.angularRate.map { Vector3($0.y, $0.z, $0.x) }
  sample.specificForce = sample.specificForce.map { Vector3($0.y, $0.z, $0.x) }
}

/// See `SensorWatch`: what a sensor reads may be wrong though each value is one that it may read.
@Suite struct SensorWatchTests {
  @Test(arguments: [(25, true, true), (50, true, true), (200, true, true), (50, false, true), (50, true, false)])
  func axesThatChangePlacesAreAFaultAndAttitudeBeginsAnew(hertz: Int, rate: Bool, force: Bool) {
    // A gyroscope alone has nothing to contradict it, and is doubted less: of six worlds it is told in five.
    for seed in 1...(force ? 6 : 5) as ClosedRange<UInt64> {
      let watched = Watched(hertz: hertz, seed: seed)
      watched.parts = (rate, force)
      watched.feel(seconds: 30)
      #expect(watched.faults == 0 && !watched.isInTrouble)
      watched.feel(seconds: 1, change: swap)
      #expect(watched.faults == 1 && watched.isInTrouble, "\(hertz) \(seed): \(watched.faults) \(watched.isInTrouble)")
      watched.feel(seconds: 2, change: swap)
      #expect(!watched.isInTrouble && watched.isAtRest, "\(hertz) \(seed)")
      if force {
        let force = watched.levelForce
        #expect(force.z > 9.75, "\(force)")
      }
      if rate { #expect((watched.bias - Vector3(-0.01, 0.02, -0.08)).length < 0.003) }
      // And back.
      watched.feel(seconds: 1)
      #expect(watched.faults == 2)
    }
  }

  @Test func anAxisThatStandsStillIsAFaultForEightSecondsAndWhenItGoesOn() {
    for place in 0..<6 {
      let watched = Watched(seed: 40 + UInt64(place))
      watched.feel(seconds: 40)
      var stuck: Float?
      let stick: (inout InertialSample) -> Void = { sample in
        func hold(_ value: inout Float) {
          stuck = stuck ?? value
          value = stuck ?? value
        }
        var (rate, force) = (sample.angularRate ?? .zero, sample.specificForce ?? .zero)
        switch place {
        case 0: hold(&rate.x)
        case 1: hold(&rate.y)
        case 2: hold(&rate.z)
        case 3: hold(&force.x)
        case 4: hold(&force.y)
        default: hold(&force.z)
        }
        (sample.angularRate, sample.specificForce) = (rate, force)
      }
      watched.feel(seconds: 1.2, change: stick)
      #expect(watched.faults == 1 && watched.isAxisStuck && watched.isInTrouble, "\(place)")
      watched.feel(seconds: 6, change: stick)
      #expect(watched.isInTrouble)
      watched.feel(seconds: 3, change: stick)
      #expect(!watched.isInTrouble && watched.isAxisStuck, "what it shows counts as it is")
      watched.feel(seconds: 0.4)
      #expect(!watched.isAxisStuck && watched.isInTrouble && watched.faults == 1)
      watched.feel(seconds: 2)
      #expect(!watched.isInTrouble)
    }
  }

  /// Two seconds of rest have not shown yet how often an axis stays the same, and a converter so coarse that it does for minutes never does.
  @Test func whatAConverterHidesIsNoFault() {
    for seed in 1...4 as ClosedRange<UInt64> {
      for digit in [0.02, 0.01, 0.005] as [Float] {
        let watched = Watched(hertz: 25, seed: seed)
        watched.feel(
          seconds: 600,
          change: { sample in
            func coarse(_ value: Float) -> Float { Float(Int(value / digit + (value < 0 ? -0.5 : 0.5))) * digit }
            sample.angularRate = sample.angularRate.map { Vector3(coarse($0.x), coarse($0.y), coarse($0.z)) }
          })
        #expect(watched.faults == 0, "\(digit) \(seed)")
      }
    }
    let watched = Watched(seed: 9)
    watched.feel(seconds: 2)
    watched.feel(seconds: 5, change: { $0.angularRate?.x = -0.08 })
    #expect(watched.faults == 0)
  }

  /// 17° within a fifth of a second, with and without a gyroscope that sees it: no hand is faster, and it is no fault.
  @Test(arguments: [true, false]) func aHandThatTiltsIsNoFault(hasRate: Bool) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let watched = Watched(seed: seed)
      watched.parts = (hasRate, true)
      watched.feel(seconds: 20 + Double(seed) * 0.037)
      watched.feel(seconds: 0.2, rate: { Vector3(0, 1.5 * Float($0 < 0.1 ? 2 * $0 / 0.1 : 4 - 2 * $0 / 0.1), 0) })
      watched.feel(seconds: 5)
      watched.feel(seconds: 2, rate: { _ in Vector3(0.2, 0, 0) })
      watched.feel(seconds: 5)
      #expect(watched.faults == 0, "\(seed)")
    }
  }

  /// 3° in two seconds, held for two minutes by somebody who sways by a tenth of a degree, and back: what passes for rest before it
  /// begins turns already, so that the gyroscope seems to have seen half of it.
  @Test func whoLeansOnItSlowlyIsNoFault() {
    for seed in 1...24 as ClosedRange<UInt64> {
      let watched = Watched(hertz: seed % 2 == 0 ? 50 : 100, rateNoise: 0.001, forceNoise: 0.03, lean: 0.01, seed: seed)
      watched.feel(seconds: 20 + Double(seed) * 0.037)
      for side in [1, -1] as [Float] {
        let degrees = 2.8 + 0.02 * Float(seed)
        // Half a cosine each way, as the street's scenes have it.
        watched.feel(
          seconds: 1.8,
          rate: { Vector3(side * degrees * 0.01745 * Float.pi / 3.6 * Float(sin(Double.pi * $0 / 1.8)), 0, 0) })
        watched.feel(seconds: 30, rate: { Vector3(0.012 * Float(sin(6 * $0)), 0, 0) })
      }
      #expect(watched.faults == 0, "\(seed)")
    }
  }

  /// An axis of the gyroscope at an end of its range, in any place, of which one rate is made with two others that are true.
  @Test(arguments: [0, 1, 2]) func anAxisAtTheEndOfItsRangeLeavesTheAccelerometer(axis: Int) {
    for hertz in [13, 50, 200] {
      let watched = Watched(hertz: hertz, seed: UInt64(axis) + 1)
      let places: [WritableKeyPath<Vector3, Float>] = [\.x, \.y, \.z]
      watched.feel(seconds: 30)
      let level = watched.levelForce
      watched.feel(seconds: 0.2, change: { $0.angularRate?[keyPath: places[axis]] = 4.363 })
      #expect(!watched.isRateAtEnd, "so long a fast turn may take")
      watched.feel(seconds: 20)
      let before = watched.faults
      watched.feel(seconds: 20, change: { $0.angularRate?[keyPath: places[axis]] = -4.363 })
      #expect(watched.isRateAtEnd && watched.faults == before + 1 && !watched.isInTrouble, "\(hertz)")
      // Somebody turns it faster than that about another axis.
      watched.feel(
        seconds: 0.1,
        change: {
          $0.angularRate = Vector3(5, 5, 5); $0.angularRate?[keyPath: places[axis]] = -4.363
        })
      #expect(watched.isRateAtEnd)
      watched.feel(seconds: 5, change: { $0.angularRate?[keyPath: places[axis]] = -4.363 })
      #expect((watched.levelForce - level).length < 0.3, "the vertical is the accelerometer's: \(watched.levelForce)")
      watched.feel(seconds: 10)
      #expect(!watched.isRateAtEnd && !watched.isInTrouble && watched.faults == before + 1 && watched.isAtRest)
      #expect((watched.levelForce - level).length < 0.3)
      #expect((watched.bias - Vector3(-0.08, -0.01, 0.02)).length < 0.01, "\(watched.bias)")
    }
  }

  /// The accelerometer denies what the gyroscope tells of the vertical; of the heading it knows nothing.
  @Test func aTurnThatTheAccelerometerDeniesIsAFault() {
    func faults(_ step: Vector3, seconds: Double = 4) -> UInt32 {
      let watched = Watched(lean: 0, seed: 3)
      watched.sensor.earthFromBody = .identity
      watched.feel(seconds: 20)
      watched.feel(seconds: seconds, change: { sample in sample.angularRate = sample.angularRate.map { $0 + step } })
      return watched.faults
    }
    #expect(faults(Vector3(0.05, 0, 0)) == 1 && faults(Vector3(0, -0.05, 0)) == 1)
    #expect(faults(Vector3(0.05, 0, 0), seconds: 0.6) == 0, "two degrees are not told yet")
    #expect(faults(Vector3(0, 0, 0.05)) == 0, "a turn about the vertical")
    #expect(faults(Vector3(0.005, 0, 0)) == 0, "what warmth may do")
  }

  @Test func aSilenceIsNoStep() {
    let watched = Watched(seed: 5)
    watched.feel(seconds: 20)
    watched.sensor.pause(60)
    watched.feel(seconds: 5, change: swap)
    #expect(watched.faults == 0 && !watched.isInTrouble)
    // A blow before and after the step: it may be anything.
    watched.feel(
      seconds: 0.6, rate: { Vector3($0.truncatingRemainder(dividingBy: 0.1) < 0.05 ? 8 : -8, 0, 0) }, change: swap)
    watched.feel(seconds: 3)
    #expect(watched.faults == 0)
  }

  /// A vehicle that sways by a degree and a half in the wind is never at rest; axes that change places are told all the same.
  @Test(arguments: [25, 50, 200]) func axesThatChangePlacesInWindAreAFault(hertz: Int) {
    let sway = { (time: Double) in Vector3(Float(Elementary.sincos(2 * .pi * 0.9 * time).cos) * 0.15, 0, 0) }
    for seed in 1...6 as ClosedRange<UInt64> {
      let watched = Watched(hertz: hertz, seed: seed)
      watched.feel(seconds: 20)
      watched.feel(seconds: 10 + Double(seed) * 0.05, rate: sway)
      #expect(watched.faults == 0)
      // Told within a second; ten seconds later bias and vertical are known, as well as a sway lets them be.
      watched.feel(seconds: 0.8, rate: sway, change: swap)
      #expect(watched.faults == 1 && watched.isInTrouble, "\(hertz) \(seed): \(watched.faults)")
      watched.feel(seconds: 9.2, rate: sway, change: swap)
      #expect(watched.faults == 1 && !watched.isInTrouble, "\(hertz) \(seed)")
      #expect(watched.levelForce.z > 9.7, "\(hertz) \(seed): \(watched.levelForce)")
      #expect((watched.bias - Vector3(-0.01, 0.02, -0.08)).length < 0.015, "\(hertz) \(seed): \(watched.bias)")
      // And back; the wind stops.
      watched.feel(seconds: 2, rate: sway)
      #expect(watched.faults == 2 && watched.isInTrouble, "\(hertz) \(seed): \(watched.faults)")
      watched.feel(seconds: 4)
      #expect(!watched.isInTrouble && watched.levelForce.z > 9.75, "\(hertz) \(seed): \(watched.levelForce)")
      #expect((watched.bias - watched.sensor.bias).length < 0.003, "\(hertz) \(seed): \(watched.bias)")
    }
  }

  /// A bike thrown on its side, and one that is carried off hard: a turn that the gyroscope tells, and a force that grows.
  @Test func aVehicleThatIsThrownIsNoFault() {
    for seed in 1...10 as ClosedRange<UInt64> {
      let watched = Watched(seed: seed)
      watched.feel(seconds: 20 + Double(seed) * 0.037)
      // 34° and 86° within three tenths of a second.
      watched.feel(seconds: 0.3, rate: { _ in Vector3(seed % 2 == 0 ? 2 : 5, 0, 0) })
      watched.feel(seconds: 4)
      #expect(watched.faults == 0, "\(seed)")
      let sway = { (time: Double) in Vector3(Float(Elementary.sincos(2 * .pi * 0.9 * time).cos) * 0.15, 0, 0) }
      for push in [Vector3(6, 0, 0), Vector3(0, 0, 6)] {
        watched.feel(seconds: 3, rate: sway)
        watched.feel(
          seconds: 0.7, rate: sway, change: { sample in sample.specificForce = sample.specificForce.map { $0 + push } })
        watched.feel(seconds: 3, rate: sway)
      }
      #expect(watched.faults == 0, "\(seed)")
    }
  }
}
