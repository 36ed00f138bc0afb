public import Quantities

/// The angular rate a gyroscope shows when it does not turn, learnt at rest.
@frozen public struct GyroBias: Equatable, BitwiseCopyable, Sendable {
  /// The learnt bias, rad/s, body frame; zero while unknown.
  public private(set) var value: Vector3 = .zero
  /// Seconds of rest it was learnt from.
  public private(set) var seconds: Float = 0

  init() {}

  /// True once a whole second of rest has been seen.
  public var isKnown: Bool { seconds >= 1 }

  /// Standard deviation per axis, rad/s, as a rest detector should allow for it; nil while it is unknown.
  public var uncertainty: Float? {
    guard isKnown else { return nil }
    return seconds < 5 ? 0.003 : 0
  }

  /// Takes a short window in.
  mutating func learn(_ window: RestWindow) {
    guard window.isAtRest, window.angularRate.count > 0 else { return }
    if window.biasHasChanged { seconds = 0 }
    seconds += window.seconds
    value += (window.angularRate.mean - value) * min(1, window.seconds / min(seconds, 30))
  }
}
