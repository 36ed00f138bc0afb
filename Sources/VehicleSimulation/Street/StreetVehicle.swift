import Quantities

/// A bicycle with a body of its own.
package struct StreetBike: Equatable, Sendable {
  /// Masses, springs and where it stands.
  package var frame = BikeFrame()
  /// The road that it is ridden and rolled on.
  package var road = RoadSurface()
  /// Stiffness of the arms that lift it, N/m.
  package var arms = 2500.0
  /// The rider's mass, kg.
  package var rider = 75.0

  /// A city bike on smooth asphalt.
  package init() {}

  /// The rider: most on the saddle, [wilson]: the first resonance of a seated person at 4 to 6 Hz.
  var riderMasses: [RiderMass] {
    [
      RiderMass(at: SpaceVector(-0.28, 0, 0.95), mass: 0.6 * rider, frequency: 4.5, damping: 0.35),
      RiderMass(at: SpaceVector(0.42, 0, 0.98), mass: 0.15 * rider, frequency: 4, damping: 0.4),
      RiderMass(at: SpaceVector(0, 0, 0.28), mass: 0.25 * rider, frequency: 3.5, damping: 0.4),
    ]
  }
}

/// What has a body: motions follow from forces and joints, and are not drawn.
package enum StreetVehicle: Equatable, Sendable {
  /// A bicycle.
  case bike(StreetBike)
  /// A collar.
  case collar(PetFrame)
}

/// A body at work, sample by sample.
struct StreetBody: Sendable {
  // One of the two; changed in place, as a copy would take its road along.
  private var bike: BikeRun?
  private var pet: PetRun?
  private var van: CarBody?
  private var mount: MountRun?
  private let arm: SpaceVector
  /// Steps that were played since the scene began.
  private var steps = 0
  private var carSteps = 0
  private var began = 0.0
  private var kind = StreetDeed.Kind.stand
  private var seen = (rate: SpaceVector.zero, force: SpaceVector.zero)
  private var floor = (rate: SpaceVector.zero, force: SpaceVector.zero)
  private let share: Double
  /// Where it was when the scene began.
  private var origin = SpaceVector.zero
  /// Where an animal has gone before this deed, and in it, m.
  private var gone = (east: 0.0, north: 0.0)
  private var going = (east: 0.0, north: 0.0)

  init(
    _ vehicle: StreetVehicle, van: CarFrame, mount: SensorMount?, sensor arm: (x: Double, y: Double, z: Double),
    bandwidth: Double, seed: UInt64
  ) {
    var random = SeededRandom(seed: seed, stream: 31)
    switch vehicle {
    case .bike(let bike):
      let bike = BikeRun(bike, random: SeededRandom(seed: random.next()))
      origin = bike.body.place
      self.bike = bike
    case .collar(let pet): self.pet = PetRun(pet, random: SeededRandom(seed: random.next()))
    }
    self.van = CarBody(van, random: SeededRandom(seed: random.next()))
    self.arm = SpaceVector(arm.x, arm.y, arm.z)
    self.mount = mount.map { MountRun($0, random: &random) }
    // The sensor's own low-pass, a decay whose noise bandwidth is the sensor's.
    share = min(1, 1 - Elementary.exp(-4 * bandwidth / BikeBody.hertz))
    if let bike {
      let still = bike.body.sensed(at: self.arm)
      seen = (.zero, SpaceVector(still.specificForce))
    }
  }

  /// A deed begins.
  mutating func begin(_ deed: StreetDeed, at seconds: Double) {
    began = seconds
    kind = deed.kind
    gone = (gone.east + going.east, gone.north + going.north)
    going = (0, 0)
    bike?.begin(deed)
    if case .collar = deed.kind.need { pet?.begin(deed) } else { pet?.begin(StreetDeed(.stand)) }
  }

  /// Plays on to a time.
  ///
  /// - Parameters:
  ///   - way: What the way that goes on beside it does, from the first direction.
  /// - Returns: What an ideal sensor feels there, and where the body is beside that way, m and m/s: ahead and to the left.
  mutating func advance(to seconds: Double, along way: RigidMotion) -> (
    rate: Vector3, force: Vector3, motion: RigidMotion
  ) {
    floor = (.zero, .zero)
    if kind == .drive, van != nil {
      let last = Int(seconds * CarBody.hertz)
      while carSteps < last {
        floor = van?.next(speed: way.groundSpeed) ?? floor
        carSteps += 1
      }
    } else {
      carSteps = Int(seconds * CarBody.hertz)
    }
    guard let place = pet?.arm, var motion = pet?.next(at: seconds - began) else {
      return advanceBike(to: seconds, along: way)
    }
    let yaw = motion.yaw
    motion = way.turned(motion)
    motion.yaw = way.yaw + yaw
    going = (motion.east.value - way.east.value, motion.north.value - way.north.value)
    motion.east += Jet(gone.east)
    motion.north += Jet(gone.north)
    let sensed = motion.sensed(at: place)
    return (sensed.angularRate + floor.rate.single, sensed.specificForce + floor.force.single, motion)
  }

  private mutating func advanceBike(to seconds: Double, along way: RigidMotion) -> (
    rate: Vector3, force: Vector3, motion: RigidMotion
  ) {
    // Taken out and put back: nothing of it is copied.
    guard var bike = bike.take() else { return (.zero, .zero, way) }
    defer { self.bike = bike }
    let last = Int(seconds * BikeBody.hertz + 0.5)
    let speed = way.groundSpeed
    if bike.isResting, kind == .stand {
      steps = last
    }
    while steps < last {
      bike.step(speed: speed)
      steps += 1
      if bike.isResting, kind == .stand { steps = last }
      let now = bike.body.sensed(at: arm)
      var (rate, force) = (SpaceVector(now.angularRate), SpaceVector(now.specificForce))
      if let more = mount?.next(force) {
        rate += more.rate
        force += more.force
      }
      seen.rate += (rate - seen.rate) * share
      seen.force += (force - seen.force) * share
    }
    // The way has a yaw and a speed of its own; the body is turned beside it.
    var level = way
    level.yaw = Jet(0, rate: way.yaw.rate, acceleration: way.yaw.acceleration)
    let nose = Elementary.sincos(way.yaw.value)
    let (east, north) = (way.east, way.north)
    level.east = east * nose.cos + north * nose.sin
    level.north = north * nose.cos + east * -nose.sin
    let felt = level.sensed(at: (arm.x, arm.y, arm.z))
    let body = bike.body.attitude
    let rate = body.body(SpaceVector(felt.angularRate) + floor.rate)
    let force = body.body(SpaceVector(felt.specificForce) - SpaceVector(0, 0, BodyMotion.gravity) + floor.force)
    var motion = way
    let away = bike.body.place - origin
    let angles = body.angles
    let start = Elementary.sincos(way.yaw.value)
    let pace = bike.body.velocity
    motion.east += Jet(away.x * start.cos - away.y * start.sin, rate: pace.x * start.cos - pace.y * start.sin)
    motion.north += Jet(away.x * start.sin + away.y * start.cos, rate: pace.x * start.sin + pace.y * start.cos)
    motion.up += Jet(away.z, rate: pace.z)
    motion.lean += Jet(angles.lean)
    motion.slope += Jet(angles.slope)
    return ((seen.rate + rate).single, (seen.force + force).single, motion)
  }
}

extension SpaceVector {
  init(_ v: Vector3) { self.init(Double(v.x), Double(v.y), Double(v.z)) }
}

extension RigidMotion {
  /// A motion whose ways are along the nose and to the left of it, where this one's nose points.
  fileprivate func turned(_ other: RigidMotion) -> RigidMotion {
    let nose = Elementary.sincos(yaw.value)
    var result = self
    result.slope += other.slope
    result.lean += other.lean
    result.up += other.up
    result.east += other.east * nose.cos + other.north * -nose.sin
    result.north += other.east * nose.sin + other.north * nose.cos
    return result
  }
}
