import Quantities

/// Hands that hold a frame: springs and dampers towards where they want it, with a limit, and a tremor.
///
/// - Source: our derivation; an arm's stiffness at the hand of 0.3 to 3 kN/m and its damping of a half of the critical one are those that
///   [mussa-ivaldi] and later work find for hands that hold; the physiological tremor lies at 8 to 12 Hz, [deuschl].
struct Hands: Sendable {
  /// Where they want the middle of mass, m, and how fast, m/s.
  var place = SpaceVector.zero
  var velocity = SpaceVector.zero
  /// How they want it turned, rad.
  var lean = 0.0
  var slope = 0.0
  /// Share of the weight that they carry.
  var load = 0.0
  /// False where the way along and across is left to the wheels.
  var isLifting = true
  private let stiffness: Double
  private let damping: Double
  private let turning: Double
  private let inertia: Double
  private let strongest: Double
  private let weight: Double
  private var tremor: BandNoise3
  private var random: SeededRandom

  /// - Parameters:
  ///   - mass: Of what they hold, kg.
  ///   - stiffness: Of both arms, N/m.
  ///   - balance: How they keep it upright, N·m/rad, and against what inertia, kg·m²; nil for two hands half a metre apart. A rider
  ///     balances by steering: a spring that is stiffer than gravity on him.
  init(mass: Double, stiffness: Double, balance: (spring: Double, inertia: Double)? = nil, random: SeededRandom) {
    self.stiffness = stiffness
    damping = (stiffness * mass).squareRoot()
    weight = mass * BodyMotion.gravity
    // Hands half a metre apart turn it with their stiffness times the square of half of that.
    turning = balance?.spring ?? (stiffness * 0.0625 + 60)
    inertia = balance?.inertia ?? 0.15 * mass
    strongest = balance == nil ? 120 : 1500
    tremor = BandNoise3(frequency: 10, hertz: BikeBody.hertz)
    self.random = random
  }

  /// Force at the middle of mass (earth frame) and torque (body frame) on a frame.
  ///
  /// - Parameter yaw: Direction that they keep, rad.
  mutating func act(on body: BikeBody, yaw: Double = 0) -> (force: SpaceVector, torque: SpaceVector) {
    let away = place - body.place
    let slow = velocity - body.velocity
    var force = away * stiffness + slow * damping + SpaceVector(0, 0, load * weight)
    if !isLifting { force.z = load * weight }
    let shiver = tremor.next(&random)
    force += SpaceVector(Double(shiver.x), Double(shiver.y), Double(shiver.z)) * (1.5 + 2 * load)
    let most = 600.0
    if force.length > most { force = force * (most / force.length) }
    // The turn that is left, about the body's axes, from the three axes as they are and as they should be.
    let wanted = SpaceAttitude(yaw: yaw, slope: slope, lean: lean)
    let error =
      (body.attitude.forward.cross(wanted.forward) + body.attitude.left.cross(wanted.left)
        + body.attitude.up.cross(wanted.up)) * 0.5
    var torque = body.attitude.body(error) * turning + body.rate * -(2 * 0.5 * (turning * inertia).squareRoot())
    if torque.length > strongest { torque = torque * (strongest / torque.length) }
    return (force, torque)
  }
}

/// A part of the rider on a spring: the seat, the arms, the legs.
struct RiderMass: Sendable {
  let point: SpaceVector
  let mass: Double
  private let stiffness: Double
  private let damping: Double
  private var height: Double?
  private var velocity = 0.0
  /// Beside the frame's middle: where it stays behind when the frame goes to a side.
  private var side: Double?
  private var sideVelocity = 0.0

  /// - Parameters:
  ///   - frequency: On a frame that does not move, Hz.
  ///   - damping: As a share of the critical one.
  init(at point: SpaceVector, mass: Double, frequency: Double, damping: Double) {
    self.point = point
    self.mass = mass
    let turn = 2 * Double.pi * frequency
    stiffness = mass * turn * turn
    self.damping = 2 * damping * mass * turn
  }

  /// The force on the frame at the next step.
  mutating func next(_ body: BikeBody) -> PointForce {
    let motion = body.motion(of: point)
    var z = height ?? (motion.place.z - mass * BodyMotion.gravity / stiffness)
    let force = stiffness * (z - motion.place.z) + damping * (velocity - motion.velocity.z)
    velocity += (-force / mass - BodyMotion.gravity) / BikeBody.hertz
    z += velocity / BikeBody.hertz
    height = z
    // Sideways hips and hands hold on to it half as stiffly.
    var y = side ?? motion.place.y
    let hold = 0.5 * stiffness * (y - motion.place.y) + damping * (sideVelocity - motion.velocity.y)
    sideVelocity += -hold / mass / BikeBody.hertz
    y += sideVelocity / BikeBody.hertz
    side = y
    return PointForce(force: SpaceVector(0, hold, force), point: point)
  }
}
