public import Quantities

/// The angular rate a gyroscope shows when it does not turn, learnt at rest.
@frozen public struct GyroBias: Equatable, BitwiseCopyable, Sendable {
  /// The learnt bias, rad/s, body frame; zero while unknown.
  public private(set) var value: Vector3 = .zero
  /// Seconds of rest it was learnt from.
  public private(set) var seconds: Float = 0
  private var candidate: Vector3 = .zero
  private var candidateSeconds: Float = 0

  init() {}

  /// True once a whole second of rest has been seen.
  public var isKnown: Bool { seconds >= 1 }

  /// Rate above the bias that counts as turning: the smallest rate, or more while the bias is fresh.
  func threshold(minimumRate: Float) -> Float { seconds < 5 ? 2 * minimumRate : minimumRate }

  /// Takes the mean of a quiet window in.
  ///
  /// A rate that differs from the bias but stays the same for ten quiet seconds is a bias that has moved (the part warmed
  /// up), not a rotation: no hand turns a bike that evenly.
  ///
  /// - Parameters:
  ///   - mean: Mean angular rate, rad/s.
  ///   - length: Length of the window, s.
  ///   - isSlowRotation: The mean lies further from the bias than noise explains.
  mutating func learn(_ mean: Vector3, seconds length: Float, isSlowRotation: Bool) {
    guard isSlowRotation else {
      candidateSeconds = 0
      seconds += length
      value += (mean - value) * min(1, length / min(seconds, 30))
      return
    }
    if candidateSeconds == 0 || (mean - candidate).length > 0.005 {
      candidate = mean
      candidateSeconds = 0
    }
    candidateSeconds += length
    candidate += (mean - candidate) * min(1, length / candidateSeconds)
    if candidateSeconds >= 10 {
      value = candidate
      seconds = candidateSeconds
      candidateSeconds = 0
    }
  }

  /// Movement came between: a candidate must begin anew.
  mutating func interrupt() { candidateSeconds = 0 }
}
