import Quantities

/// What a stretch of inertial samples did, folded into one rotation and one mean specific force.
///
/// An inertial unit with a FIFO is read in batches. Averaging a batch would lose the rotation inside it; folding it this
/// way loses nothing that the attitude filter uses: fusing at 26 Hz is as exact as at the full rate.
///
/// - Source: preintegration as in [forster] section V, without its Jacobians: the bias is known when a batch is folded,
///   because the filter is asked for it first.
@usableFromInline struct PreintegratedMotion: Equatable, BitwiseCopyable, Sendable {
  /// Rotation from the body frame at the end of the stretch to the start frame.
  @usableFromInline var rotation: Quaternion
  /// Integral of the specific force over the stretch, m/s, start frame.
  var forceIntegral: Vector3
  /// Integral of the angular rate over the stretch, component by component, rad; bias removed, scale applied.
  var angleIntegral: Vector3
  /// Length of the stretch, s.
  var seconds: Float

  /// Nothing yet, from `start`.
  init(from start: Quaternion = .identity) {
    rotation = start
    forceIntegral = .zero
    angleIntegral = .zero
    seconds = 0
  }

  /// Folds one sample in: strapdown with the rotation vector of the sample, coning correction from the one before.
  ///
  /// - Parameters:
  ///   - angle: Rotation of this sample, rad, body frame: rate less bias, times its own length.
  ///   - previousAngle: The same of the sample before; zero when there was none.
  ///   - force: Specific force, m/s², body frame, held over the sample.
  ///   - length: Length of the sample, s.
  /// - Source: coning term [bortz] as discretised in [savage1] equation 44; the force is turned by half the sample's
  ///   rotation, our derivation.
  @inline(__always)
  mutating func fold(angle: Lanes3, previousAngle: Lanes3, force: Lanes3, seconds length: Float) {
    let vector = angle + previousAngle.cross(angle) * (1.0 / 12)
    let turned = LaneRotation(rotation).turned(by: vector)
    rotation = turned.quaternion
    let levelForce = turned.rotateOnce(force - angle.cross(force) * 0.5)
    forceIntegral = (Lanes3(forceIntegral) + levelForce * length).vector
    angleIntegral = (Lanes3(angleIntegral) + angle).vector
    seconds += length
  }
}

extension Quaternion {
  /// This rotation after a further body-frame rotation vector, rad; series inside 0.5 rad, where its error is below 4e-7.
  @inlinable @inline(__always)
  func turned(by v: Vector3) -> Quaternion { Lanes3.isWhole ? turnedHere(by: v) : turnedOnce(by: v) }

  @usableFromInline @inline(never) func turnedOnce(by v: Vector3) -> Quaternion { turnedHere(by: v) }

  @inlinable @inline(__always)
  func turnedHere(by v: Vector3) -> Quaternion {
    let squaredHalf = v.squaredLength * 0.25
    let turn: Quaternion
    if squaredHalf < 0.0625 {
      let c = 1 - squaredHalf * (0.5 - squaredHalf * (1.0 / 24))
      let s = 0.5 - squaredHalf * (1.0 / 12 - squaredHalf * (1.0 / 240))
      turn = Quaternion(w: c, x: s * v.x, y: s * v.y, z: s * v.z)
    } else {
      turn = Quaternion(shortRotationVector: v)
    }
    return self * turn
  }

  // Each of these stands in one place: what is not done with each sample is worth a call, not its code once more.

  /// This rotation and after it another of its target frame.
  @inline(never) func then(_ turn: Quaternion) -> Quaternion { (turn * self).normalized }

  @inline(never) private func thenOnce(by v: Vector3) -> Quaternion { then(Quaternion(shortRotationVector: v)) }

  /// The same, rad as a rotation vector of the target frame; where there are lanes in place, as each correction does it.
  @inline(__always) func then(by v: Vector3) -> Quaternion {
    Lanes3.isWhole ? (Quaternion(shortRotationVector: v) * self).normalized : thenOnce(by: v)
  }

  /// As `rotate`.
  @inline(never) func rotateOnce(_ v: Vector3) -> Vector3 { rotate(v) }
}
