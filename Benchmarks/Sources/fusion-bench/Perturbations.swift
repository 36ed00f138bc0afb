import FusionEvaluation

/// The filters on trials with one added fault.
struct PerturbedAccuracy: Codable {
  let fault: String
  let results: [Accuracy]

  /// Metrics that the table shows; 9D aligned follows from the others and takes long.
  static let metrics: [Metric] = [.nineTotal, .nineInclination, .sixAligned]

  /// Runs all filters that stand in the table.
  init(of contenders: [Contender], on trials: [OrientationTrial], with fault: Fault) {
    self.fault = fault.name
    let perturbed = trials.map { fault.perturbation.applied(to: $0) }
    results = contenders.filter { $0.tables.contains(.perturbations) }.map {
      Accuracy(of: $0, on: perturbed, batch: fault.batch, metrics: PerturbedAccuracy.metrics)
    }
  }
}

/// A row of the table.
struct Fault {
  let name: String
  let perturbation: Perturbation
  /// Samples per reading of a FIFO.
  var batch = 1
}

/// The faults of the table, at a rate of 286 Hz: every 6 samples are 48 Hz, every 11 are 26 Hz.
let faults: [Fault] = [
  Fault(name: "none", perturbation: .none),
  Fault(name: "48 Hz, block mean", perturbation: .blockAverage(6)),
  Fault(name: "26 Hz, block mean", perturbation: .blockAverage(11)),
  Fault(name: "48 Hz, FIFO of 6", perturbation: .none, batch: 6),
  Fault(name: "26 Hz, FIFO of 11", perturbation: .none, batch: 11),
  Fault(name: "gyro bias 10 °/s", perturbation: .gyroscopeBias(degreesPerSecond: 10)),
  Fault(name: "gyro bias 20 °/s", perturbation: .gyroscopeBias(degreesPerSecond: 20)),
  Fault(name: "noise 0.3 °/s, 20 mg", perturbation: .noise(degreesPerSecond: 0.3, milligravities: 20, seed: 1)),
  Fault(name: "gyro scale +2 %", perturbation: .gyroscopeScale(percent: 2)),
  Fault(name: "accelerometer 50 mg", perturbation: .accelerometerBias(milligravities: 50)),
  Fault(name: "hard iron (10, −8, 6) µT", perturbation: .hardIron(x: 10, y: -8, z: 6)),
  Fault(name: "hard iron (−6, 10, 8) µT", perturbation: .hardIron(x: -6, y: 10, z: 8)),
  Fault(name: "hard iron (−20, 12, −19) µT", perturbation: .hardIron(x: -20, y: 12, z: -19)),
  Fault(name: "stamps in bursts of 8", perturbation: .burstStamps(8, isDated: false)),
  Fault(name: "the same, FrameClock", perturbation: .burstStamps(8, isDated: true)),
  Fault(name: "stamps ± 1 ms", perturbation: .stampNoise(milliseconds: 1, isDated: false, seed: 1)),
  Fault(name: "the same, FrameClock", perturbation: .stampNoise(milliseconds: 1, isDated: true, seed: 1)),
]
