import Quantities
import VehicleSimulation

/// A known fault added to a recorded trial, to see what a filter does with it. The truth stays as it was.
public enum Perturbation: Sendable, Equatable {
  /// The recording as it is.
  case none
  /// The mean of each group of so many samples, of all sensors, stamped and compared at the last of the group: what a
  /// sensor with a box filter gives at a lower rate, late by half a group.
  case blockAverage(Int)
  /// A bias of the gyroscope on the axes (+, −, +), degrees per second.
  case gyroscopeBias(degreesPerSecond: Double)
  /// White noise on each axis, root mean square: gyroscope in degrees per second, accelerometer in thousandths of
  /// standard gravity.
  case noise(degreesPerSecond: Double, milligravities: Double, seed: UInt64)
  /// All axes of the gyroscope read so much more, percent.
  case gyroscopeScale(percent: Double)
  /// A bias of the accelerometer on the axes (+, −, +), thousandths of standard gravity.
  case accelerometerBias(milligravities: Double)
  /// A field that turns with the sensor, µT, sensor frame.
  case hardIron(x: Double, y: Double, z: Double)
  /// Every group of so many samples is stamped when it is read, 20 µs apart; and, if dated, those stamps are taken for
  /// arrivals by a `FrameClock`.
  case burstStamps(Int, isDated: Bool)
  /// Stamps off by noise, root mean square; and, if dated, taken for arrivals by a `FrameClock`.
  case stampNoise(milliseconds: Double, isDated: Bool, seed: UInt64)

  /// Signs of a bias on the three axes: not all alike, so that no symmetry of the trials can cancel it.
  private static let signs: [Double] = [1, -1, 1]
  private static let standardGravity = 9.80665

  /// The trial with the fault.
  public func applied(to trial: OrientationTrial) -> OrientationTrial {
    var result = trial
    switch self {
    case .none: break
    case .blockAverage(let size):
      result = trial.lastOfEach(size)
      result.angularRate = blockMeans(trial.angularRate, size: size)
      result.specificForce = blockMeans(trial.specificForce, size: size)
      result.magneticFluxDensity = blockMeans(trial.magneticFluxDensity, size: size)
    case .gyroscopeBias(let degreesPerSecond):
      let bias = degreesPerSecond * .pi / 180
      for place in result.angularRate.indices { result.angularRate[place] += bias * Perturbation.signs[place % 3] }
    case .noise(let degreesPerSecond, let milligravities, let seed):
      // The trial's name takes part, so that no two trials have the same noise, in whatever order they are read.
      let stream = trial.name.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
      var random = SeededRandom(seed: seed, stream: stream)
      let rate = degreesPerSecond * .pi / 180
      let force = milligravities * 1e-3 * Perturbation.standardGravity
      for place in result.angularRate.indices { result.angularRate[place] += rate * random.gaussian() }
      for place in result.specificForce.indices { result.specificForce[place] += force * random.gaussian() }
    case .gyroscopeScale(let percent):
      for place in result.angularRate.indices { result.angularRate[place] *= 1 + percent / 100 }
    case .accelerometerBias(let milligravities):
      let bias = milligravities * 1e-3 * Perturbation.standardGravity
      for place in result.specificForce.indices { result.specificForce[place] += bias * Perturbation.signs[place % 3] }
    case .hardIron(let x, let y, let z):
      let field = [x, y, z]
      for place in result.magneticFluxDensity.indices { result.magneticFluxDensity[place] += field[place % 3] }
    case .burstStamps(let size, let isDated):
      for place in trial.times.indices {
        let last = min(place / size * size + size, trial.count) - 1
        result.times[place] = trial.times[last] - (isDated ? 0 : 20e-6 * Double(last - place))
      }
      if isDated { result.times = dated(result.times) }
    case .stampNoise(let milliseconds, let isDated, let seed):
      var random = SeededRandom(seed: seed, stream: 0)
      for place in trial.times.indices {
        result.times[place] += milliseconds * 1e-3 * random.gaussian()
        if !isDated, place > 0 { result.times[place] = max(result.times[place], result.times[place - 1] + 1e-6) }
      }
      if isDated { result.times = dated(result.times) }
    }
    return result
  }
}

/// The means of groups of `size` vectors of three; what is left over at the end is dropped.
private func blockMeans(_ values: [Double], size: Int) -> [Double] {
  let blocks = values.count / 3 / size
  var means = [Double](repeating: 0, count: 3 * blocks)
  for sample in 0..<blocks * size {
    for axis in 0..<3 { means[3 * (sample / size) + axis] += values[3 * sample + axis] }
  }
  return means.map { $0 / Double(size) }
}

/// The times that a `FrameClock` gives to arrivals, s; before it knows the rate, those that lead up to the first.
private func dated(_ arrivals: [Double]) -> [Double] {
  var clock = FrameClock()
  var times = arrivals.map { arrival in
    clock.time(ofFrameAt: Instant(microseconds: Int64((arrival * 1e6).rounded()))).map {
      Double($0.microseconds) * 1e-6
    }
  }
  guard let first = times.firstIndex(where: { $0 != nil }), let start = times[first], let hertz = clock.hertz else {
    return arrivals
  }
  for place in 0..<first { times[place] = start - Double(first - place) / hertz }
  return times.map { $0 ?? start }
}
