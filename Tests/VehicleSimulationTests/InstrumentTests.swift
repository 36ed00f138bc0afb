import Quantities
import Testing

@testable import VehicleSimulation

/// Readings of a sensor that nothing moves: x of the force.
private func still(_ instrument: Instrument, hertz: Double, seconds: Int, seed: UInt64 = 3) -> [Double] {
  var run = InstrumentRun(instrument, hertz: hertz, seed: seed)
  return (0..<Int(hertz) * seconds).compactMap { index in
    run.read(at: Double(index) / hertz, angularRate: .zero, specificForce: .zero)?.specificForce.map { Double($0.x) }
  }
}

/// Allan deviation at a time, s, straight from its definition: half of the mean square of the differences of neighbouring means.
private func allan(_ values: [Double], hertz: Double, at time: Double) -> Double {
  let count = Int(time * hertz)
  var means: [Double] = []
  var start = 0
  while start + count <= values.count {
    means.append(values[start..<start + count].reduce(0, +) / Double(count))
    start += count
  }
  let squares = zip(means.dropFirst(), means).map { ($0 - $1) * ($0 - $1) }
  return (squares.reduce(0, +) / Double(2 * squares.count)).squareRoot()
}

@Suite struct InstrumentTests {
  @Test(arguments: [(200.0, 100.0), (20, 100), (10, 400)])
  func whiteNoiseHasTheDensityAskedFor(bandwidth: Double, hertz: Double) {
    var instrument = Instrument()
    instrument.accelerometer.noiseDensity = Vector3(0.004, 0.004, 0.004)
    instrument.bandwidth = bandwidth
    let values = still(instrument, hertz: hertz, seconds: 2000)
    // A one-sided density d is an Allan deviation of d/√(2τ); what folds back adds to it.
    let folded = max(bandwidth / (hertz / 2), 1)
    let asked = 0.004 * folded.squareRoot() / 2.squareRoot()
    #expect(abs(allan(values, hertz: hertz, at: 1) / asked - 1) < 0.06)
    #expect(abs(allan(values, hertz: hertz, at: 4) * 2 / asked - 1) < 0.12)
    // And all of it is density times the root of the bandwidth.
    let deviation = (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
    #expect(abs(deviation / (0.004 * bandwidth.squareRoot()) - 1) < 0.03)
  }

  @Test func theAllanDeviationOfABiasThatWandersIsLevel() {
    var instrument = Instrument()
    instrument.accelerometer.instability = 0.001
    var squares = [0.0, 0, 0]
    for seed in 0..<6 {
      let values = still(instrument, hertz: 1, seconds: 60_000, seed: UInt64(seed))
      for (place, time) in [30.0, 120, 480].enumerated() {
        let deviation = allan(values, hertz: 1, at: time)
        squares[place] += deviation * deviation / 6
      }
    }
    // 0.664 times the instability, [ieee952] annex C.
    for square in squares { #expect(abs(square.squareRoot() / 0.000664 - 1) < 0.15, "\(square.squareRoot())") }
  }

  @Test func aRandomWalkGrowsAsTheRootOfTime() {
    var instrument = Instrument()
    instrument.accelerometer.walk = 0.001
    let values = still(instrument, hertz: 1, seconds: 100_000)
    for time in [30.0, 300] {
      #expect(abs(allan(values, hertz: 1, at: time) / (0.001 * (time / 3).squareRoot()) - 1) < 0.2)
    }
  }

  @Test func biasScaleAndCrossAxisErrorsAreThoseAskedFor() {
    var instrument = Instrument()
    instrument.gyroscope.bias = Vector3(0.01, -0.02, 0.03)
    instrument.gyroscope.scale = Vector3(0.02, -0.01, 0.005)
    instrument.gyroscope.cross = [0.01, -0.02, 0.005, 0.015, -0.01, 0.02]
    var run = InstrumentRun(instrument, hertz: 50, seed: 1)
    let rate = run.read(at: 0, angularRate: Vector3(1, 2, -3), specificForce: .zero)?.angularRate ?? .zero
    #expect(abs(rate.x - (0.01 + 1.02 + 0.01 * 2 + 0.02 * 3)) < 1e-5)
    #expect(abs(rate.y - (-0.02 + 0.005 + 0.99 * 2 - 0.015 * 3)) < 1e-5)
    #expect(abs(rate.z - (0.03 - 0.01 + 0.02 * 2 - 3 * 1.005)) < 1e-5)
  }

  @Test func biasAndScaleFollowTheTemperature() {
    var instrument = Instrument()
    instrument.temperature = (mean: 10, daySwing: 8, warmUp: 6, warmUpTime: 600)
    instrument.accelerometer.biasPerKelvin = Vector3(0.01, 0, 0)
    instrument.accelerometer.scalePerKelvin = 0.001
    var run = InstrumentRun(instrument, hertz: 1, seed: 1)
    // At six in the morning it is coldest: 10 − 8, and it has warmed itself.
    for (time, celsius) in [(0.0, 10.0), (600, 10 - 8 * 0.043619 + 6 * (1 - 0.367879)), (21_600, 8.0), (64_800, 24)] {
      #expect(abs(run.temperature(at: time) - celsius) < 0.001)
      let force = run.read(at: time, angularRate: .zero, specificForce: Vector3(0, 10, 0))?.specificForce ?? .zero
      #expect(abs(Double(force.x) - 0.01 * (celsius - 25)) < 1e-4)
      #expect(abs(Double(force.y) - 10 * (1 + 0.001 * (celsius - 25))) < 1e-4)
    }
  }

  @Test func readingsAreWholeStepsAndEndAtTheRange() {
    var instrument = Instrument()
    instrument.accelerometer.resolution = 0.02
    instrument.accelerometer.range = 20
    var run = InstrumentRun(instrument, hertz: 100, seed: 1)
    var squares = 0.0
    var counts: [Int: Int] = [:]
    for index in 0..<20_000 {
      // A ramp, so that each part of a step is hit alike.
      let truth = Float(index) * 0.00013
      let read = run.read(at: Double(index) / 100, angularRate: .zero, specificForce: Vector3(truth, 99, -99))
      let force = read?.specificForce ?? .zero
      let steps = force.x / 0.02
      #expect(abs(steps - steps.rounded()) < 1e-3)
      counts[Int(steps.rounded()), default: 0] += 1
      squares += Double((force.x - truth) * (force.x - truth))
      #expect(force.y == 20 && force.z == -20)
    }
    // An error that is spread evenly over a step has its twelfth part as variance.
    #expect(abs((squares / 20_000).squareRoot() / (0.02 / 12.squareRoot()) - 1) < 0.02)
    let inner = counts.filter { $0.key > 0 && $0.key < 129 }.values
    #expect(inner.allSatisfy { abs($0 - 154) <= 1 })
    let nonsense = run.read(at: 300, angularRate: .zero, specificForce: Vector3(.nan, 1e30, 0))?.specificForce
    // Turned into the sensor's axes nonsense is in all of them.
    #expect(nonsense == Vector3(0, 0, 0))
  }

  @Test func stampsJitterAsAskedAndStayInOrder() {
    var instrument = Instrument()
    instrument.jitter = 0.002
    var run = InstrumentRun(instrument, hertz: 50, seed: 4)
    var squares = 0.0
    var last = Instant(microseconds: -1)
    for index in 1...20_000 {
      let time = Double(index) / 50
      guard let stamp = run.read(at: time, angularRate: .zero, specificForce: .zero)?.time else { continue }
      #expect(stamp > last)
      last = stamp
      let error = stamp.secondsDouble - time
      #expect(abs(error) <= 0.008001)
      squares += error * error
    }
    #expect(abs((squares / 20_000).squareRoot() / 0.002 - 1) < 0.03)
  }

  @Test func readingsAreLostInBurstsOfTheLengthAskedFor() {
    var instrument = Instrument()
    instrument.drops = (share: 0.02, length: 4)
    var run = InstrumentRun(instrument, hertz: 100, seed: 8)
    var (lost, bursts, wasLost) = (0, 0, false)
    for index in 0..<400_000 {
      let isLost = run.read(at: Double(index) / 100, angularRate: .zero, specificForce: .zero) == nil
      if isLost { lost += 1 }
      if isLost, !wasLost { bursts += 1 }
      wasLost = isLost
    }
    #expect(abs(Double(lost) / 400_000 - 0.02) < 0.002)
    #expect(abs(Double(lost) / Double(bursts) - 4) < 0.3)
  }

  @Test func aSensorThatIsTurnedReadsItsOwnAxes() {
    var instrument = Instrument()
    instrument.bodyFromSensor = Quaternion(rotationVector: Vector3(0, 0, Float.pi / 2))
    instrument.hasGyroscope = false
    var run = InstrumentRun(instrument, hertz: 50, seed: 1)
    let sample = run.read(at: 0, angularRate: Vector3(1, 1, 1), specificForce: Vector3(1, 2, 3))
    // Its x is the vehicle's y.
    #expect(
      sample.map { abs(($0.specificForce?.x ?? 0) - 2) < 1e-5 && abs(($0.specificForce?.y ?? 0) + 1) < 1e-5 } == true)
    #expect(sample?.angularRate == nil)
  }

  @Test func whatPassesBetweenTwoReadingsCountsForTheSlowErrors() {
    var instrument = Instrument()
    instrument.accelerometer.walk = 0.001
    var squares = 0.0
    for seed in 0..<400 {
      var run = InstrumentRun(instrument, hertz: 50, seed: UInt64(seed))
      _ = run.read(at: 0, angularRate: .zero, specificForce: .zero)
      // It slept for a quarter of an hour.
      let woken = run.read(at: 900, angularRate: .zero, specificForce: .zero)?.specificForce?.x ?? 0
      squares += Double(woken) * Double(woken) / 400
    }
    #expect(abs(squares.squareRoot() / (0.001 * 901.squareRoot()) - 1) < 0.12)
  }
}
