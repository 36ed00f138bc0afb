import Quantities

/// How a sensor's board is held: not rigidly.
package struct SensorMount: Equatable, Sendable {
  /// Frequency at which the board rocks in its mount, Hz.
  package var hertz = 45.0
  /// As a share of the critical damping.
  package var damping = 0.15
  /// Square of the board's radius of gyration over the lever of its middle of mass, m: the shorter, the more it is turned.
  package var lever = 0.05

  /// A strap around a tube.
  package init() {}
}

/// A board in its mount.
///
/// - Source: our derivation; a rigid body on a spring of torsion whose middle of mass is beside its axis: θ'' + 2ζωθ' + ω²θ = −(ℓ ×
///   a)/λ, with the direction ℓ of the lever, λ as in `SensorMount`, and the specific force a. Symplectic Euler at the body's step.
struct MountRun: Sendable {
  private let mount: SensorMount
  private let way: SpaceVector
  private var angle: SpaceVector?
  private var rate = SpaceVector.zero

  init(_ mount: SensorMount, random: inout SeededRandom) {
    self.mount = mount
    let lever = SpaceVector(
      random.uniform(0.4, 1), random.uniform(0.4, 1) * (random.next() & 1 == 0 ? 1 : -1), random.uniform(0.4, 1))
    way = lever * (1 / lever.length)
  }

  /// What it adds to the rate (rad/s) and the force (m/s²) that its place feels.
  mutating func next(_ force: SpaceVector) -> (rate: SpaceVector, force: SpaceVector) {
    let turn = 2 * Double.pi * min(mount.hertz, BikeBody.hertz / 8)
    var push = way.cross(force) * (-1 / mount.lever)
    // A strap lets it turn about the tube and about the axis across it, hardly about the third.
    push.x *= 0.15
    // As it hangs since long.
    let now = angle ?? push * (1 / (turn * turn))
    let change = push + now * (-turn * turn) + rate * (-2 * mount.damping * turn)
    rate += change * (1 / BikeBody.hertz)
    angle = now + rate * (1 / BikeBody.hertz)
    // The sensor sits three millimetres from the axis.
    return (rate, change.cross(way) * 0.003)
  }
}
