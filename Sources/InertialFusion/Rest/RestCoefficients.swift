import Quantities

/// What the rest detector derives from its parameters once: lengths of time in seconds.
@frozen public struct RestCoefficients: Equatable, BitwiseCopyable, Sendable {
  /// What it was derived from.
  public let parameters: RestParameters
  let window: Float
  let minimumSamples: Int32
  let dwell: Float
  let shortestDwell: Float
  let firstLevelTime: Float
  let levelTime: Float
  let biasChangeTime: Float
  /// The mean rate while quiet forgets after so many seconds: long against a window, short against the drift of a bias.
  var rateMemory: Float { 2 }
  /// The same for the specific force: the longer, the slower a tilt is seen.
  var forceMemory: Float { 5 }
  /// The noise floor forgets after so many seconds of rest: short against warming up, long enough to scatter by a per cent.
  var noiseMemory: Float { 30 }
  /// Samples that level noise must be seen in: fewer can't tell white noise from a vibration.
  var levelSamples: Int32 { 120 }

  /// Coefficients of these parameters.
  public init(_ parameters: RestParameters = RestParameters()) {
    self.parameters = parameters
    // Sample times are rounded to microseconds: a window of five samples must not wait for a sixth.
    window = parameters.window.seconds * 0.999
    minimumSamples = max(2, parameters.minimumSamples)
    dwell = max(parameters.dwell.seconds, parameters.shortestDwell.seconds) * 0.999
    shortestDwell = parameters.shortestDwell.seconds * 0.999
    firstLevelTime = parameters.firstLevelTime.seconds
    levelTime = parameters.levelTime.seconds
    biasChangeTime = parameters.biasChangeTime.seconds
  }
}
