public import Quantities

/// Tuning of the rest detector, apart from its state. `docs/rest.md` derives the thresholds and shows what each value does.
@frozen public struct RestParameters: Equatable, BitwiseCopyable, Sendable {
  /// Length of a short window, after which everything is decided. Default 100 ms; small notices movement sooner, large tells
  /// slower movement from noise.
  public var window: Interval = .milliseconds(100)
  /// Samples that a short window must hold; a slow sensor gets longer windows. Default 3, at least 2.
  public var minimumSamples: Int32 = 3
  /// Length of the half windows that `RestDetector` collects from short ones. Default 200 ms.
  public var halfWindow: Interval = .milliseconds(200)
  /// Scatter over two half windows that is handling of a parked vehicle, in standard deviations of the learnt noise. Default 3;
  /// small is more sensitive.
  public var noiseFactor: Float = 3
  /// Scatter is movement beyond this quantile of the χ² of the learnt noise, in standard deviations. Default 5: one false
  /// alarm in 3 · 10⁶ windows of white noise.
  public var scatterQuantile: Float = 5
  /// A mean that differs by more than this many of its standard deviations is movement. Default 5.5: on three axes one false
  /// alarm in 800,000 windows.
  public var meanFactor: Float = 5.5
  /// Share of the mean's threshold under which it must stay for rest to begin. Default 0.75; 1 is no hysteresis.
  public var entryShare: Float = 0.75
  /// Scatter of the angular rate that is never called movement, rad/s per axis. Default 0.01 (0.6 °/s); also the smallest rate
  /// against a known bias that is called turning.
  public var minimumAngularRate: Float = 0.01
  /// Scatter of the specific force that is never called movement, m/s² per axis. Default 0.1 (10 mg).
  public var minimumSpecificForce: Float = 0.1
  /// Change of the mean angular rate that is never called movement, rad/s. Default 0.007 (0.4 °/s), and half as much
  /// again for a coarse converter.
  public var minimumAngularRateChange: Float = 0.007
  /// Change of the mean specific force that is never called movement, m/s². Default 0.1 (0.6° of tilt).
  public var minimumSpecificForceChange: Float = 0.1
  /// Largest bias per axis that a gyroscope may have, rad/s: what is faster turns. Default 0.5 (29 °/s).
  public var maximumBias: Float = 0.5
  /// How long it must be quiet after a clear movement to be called rest. Default 1.2 s; small calls pauses of a hand rest.
  public var dwell: Interval = .milliseconds(1200)
  /// How long it must be quiet at the start, and after a movement at the threshold. Default 0.3 s; between this and `dwell` the
  /// time grows with the strength of the movement.
  public var shortestDwell: Interval = .milliseconds(300)
  /// How long the noise of a sensor that has never rested must stay level and white to be taken as its own. Default 1.5 s.
  public var firstLevelTime: Interval = .milliseconds(1500)
  /// The same once its noise has been learnt. Default 20 s.
  public var levelTime: Interval = .seconds(20)
  /// How long a rate may stay the same, unlike the bias, until it is believed to be the bias. Default 10 s.
  public var biasChangeTime: Interval = .seconds(10)

  /// The defaults.
  @inlinable public init() {}
}

/// What the rest detector saw in one window, each part as a ratio to its threshold: 1 and more is movement.
@frozen public struct RestEvidence: Equatable, BitwiseCopyable, Sendable {
  /// Scatter of the angular rate against its threshold; 0 without gyroscope.
  public var angularRateRatio: Float = 0
  /// Scatter of the specific force against its threshold; 0 without accelerometer.
  public var specificForceRatio: Float = 0
  /// Change of the mean angular rate since it is quiet against its threshold.
  public var rateChangeRatio: Float = 0
  /// Change of the mean specific force since it is quiet against its threshold.
  public var forceChangeRatio: Float = 0
  /// Mean angular rate less the bias against its threshold; while no bias is known, against the largest bias there can be.
  public var meanRateRatio: Float = 0

  @inlinable init() {}

  /// The largest of them.
  @inlinable public var activity: Float { max(disturbance, meanRateRatio) }

  /// The largest of those that need no bias.
  @inlinable var disturbance: Float {
    max(max(angularRateRatio, specificForceRatio), max(rateChangeRatio, forceChangeRatio))
  }
}
