import Quantities

/// Rate and force of a sample in lanes; what it does not have is zero.
struct InertialLanes: BitwiseCopyable {
  let hasRate: Bool
  let hasForce: Bool
  let rate: Lanes3
  let force: Lanes3

  /// Of a sample that has both.
  @inline(__always) init(rate: Vector3, force: Vector3) {
    (hasRate, hasForce) = (true, true)
    self.rate = Lanes3(rate)
    self.force = Lanes3(force)
  }

  @inline(__always) init(angularRate: Vector3?, specificForce: Vector3?) {
    hasRate = angularRate != nil
    hasForce = specificForce != nil
    rate = Lanes3(angularRate ?? .zero)
    force = Lanes3(specificForce ?? .zero)
  }

  @inline(__always) init(_ sample: InertialSample) {
    self.init(angularRate: sample.angularRate, specificForce: sample.specificForce)
  }

  /// Whether there is something in it and all of it is what a sensor can tell: rates below 200 rad/s, forces below 4000 m/s².
  var isSound: Bool {
    // A NaN fails these comparisons too.
    @inline(__always) get {
      (hasRate || hasForce) && rate.squaredLength < 4e4 && force.squaredLength < 1.6e7
    }
  }
}
