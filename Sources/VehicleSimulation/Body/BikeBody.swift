import Quantities

/// A bicycle's dimensions, masses and springs.
package struct BikeFrame: Equatable, Sendable {
  /// Where it stands.
  package enum Support: Equatable, Sendable {
    /// On a side stand: leaning to the left by so much, rad, on a foot so far beside the wheels, m.
    case sideStand(lean: Double, foot: Double)
    /// Against a wall to its left: leaning by so much, rad, with the handlebar's end at the wall.
    case wall(lean: Double)
    /// The front wheel between bars with so much play to each side, m.
    case rack(play: Double)
    /// Held by somebody.
    case held
  }

  /// Without a rider, kg.
  package var mass = 16.0
  /// Height of the middle of mass, m.
  package var height = 0.55
  /// Radii of gyration about the axes forward, left and up, m.
  package var gyration = (forward: 0.28, left: 0.42, up: 0.40)
  /// From axle to axle, m; the middle of mass is in the middle.
  package var wheelbase = 1.06
  /// Radial stiffness of a tyre, N/m, and its damping as a share of the critical one.
  package var tyre = (stiffness: 1.2e5, damping: 0.06)
  /// Stiffness of what it stands on beside the wheels, N/m, and its damping as a share.
  package var stand = (stiffness: 3e4, damping: 0.12)
  /// Friction on the ground, and resistance to rolling as a share of the weight.
  package var friction = 0.7
  package var rolling = 0.006
  /// True when the rear wheel is locked.
  package var isLocked = true
  /// Area of its side, m², with its drag coefficient.
  package var side = (area: 0.32, drag: 1.2)
  /// Where it stands.
  package var support = Support.sideStand(lean: 0.17, foot: 0.22)

  /// How far the foot is behind the middle of mass, m.
  static var footBehind: Double { 0.15 }

  /// A city bike.
  package init() {}

  package static func == (a: BikeFrame, b: BikeFrame) -> Bool {
    a.mass == b.mass && a.height == b.height && a.gyration == b.gyration && a.wheelbase == b.wheelbase
      && a.tyre == b.tyre && a.stand == b.stand && a.friction == b.friction && a.rolling == b.rolling
      && a.isLocked == b.isLocked && a.side == b.side && a.support == b.support
  }

  /// The lean to the left beyond which it falls over its stand, rad: the middle of mass is above the line from the foot to the front wheel.
  /// Upright it falls the other way.
  package var stabilityLean: Double? {
    guard case .sideStand(_, let foot) = support else { return nil }
    let half = wheelbase / 2
    let share = min(foot * half / (half + BikeFrame.footBehind) / height, 0.99)
    return Elementary.atan2(share, (1 - share * share).squareRoot())
  }
}

/// A force at a point of the frame.
struct PointForce: Sendable {
  /// Earth frame along the vehicle's first direction: ahead, left, up, N.
  var force: SpaceVector
  /// Body frame, from where the wheels stand, m.
  var point: SpaceVector
}

/// The frame as a rigid body with springs and friction where it touches something.
///
/// - Source: our derivation. Newton and Euler about the middle of mass: m·a = ΣF + m·g, I·ω' = ΣM − ω × Iω. Each place that may touch
///   the ground is a spring and a damper that only pushes, with N at most what keeps it from pulling, and a spring along the ground that
///   slips at μN. A wheel that is not locked has none along its direction, but cᵣN against rolling; one that rolls has the slip force of
///   [pacejka] across it. The lean of a frame on wheels alone is then an inverted pendulum, I·θ'' = m·g·h·sin θ, and a stand adds its
///   foot's force times its lever: stable while the middle of mass is between foot and wheels. Integrated by symplectic Euler at
///   `BikeBody.hertz`, some 30 times the fastest of these oscillations.
struct BikeBody: Sendable {
  /// Steps a second.
  static let hertz = 1000.0
  private static let gravity = BodyMotion.gravity

  private struct TouchPoint: Sendable {
    /// From the middle of mass, body frame.
    let point: SpaceVector
    let stiffness: Double
    let damping: Double
    let kind: Kind
    var anchor = SpaceVector.zero
    var isTouching = false

    enum Kind { case wheel, lockedWheel, foot, rest }
  }

  let frame: BikeFrame
  private let inertia: SpaceVector
  private var contacts: [TouchPoint] = []
  /// Of the middle of mass, m and m/s: along the first direction, to the left of it, up.
  private(set) var place: SpaceVector
  private(set) var velocity = SpaceVector.zero
  private(set) var acceleration = SpaceVector(0, 0, 0)
  private(set) var attitude: SpaceAttitude
  /// Body frame, rad/s and rad/s².
  private(set) var rate = SpaceVector.zero
  private(set) var rateChange = SpaceVector.zero
  /// Displacement of the ground, m and m/s: a lorry.
  var ground = (place: SpaceVector.zero, velocity: SpaceVector.zero)
  /// The road under the front and the rear wheel.
  var road = [RoadProfile.Spot(), RoadProfile.Spot()]
  /// Speed at which the road passes by under it, m/s.
  var rolling = 0.0
  /// True while a rack or a wall is where it was left.
  private(set) var isSupported = true
  /// True while the stand is down.
  var isStandDown = true
  private var isLockedNow = true
  /// Where it was put last.
  private var parked = SpaceVector.zero
  private let wall: Double?

  init(_ frame: BikeFrame) {
    self.frame = frame
    let g = frame.gyration
    inertia =
      SpaceVector(g.forward * g.forward, g.left * g.left, g.up * g.up) * frame.mass
    let h = frame.height
    func contact(
      _ x: Double, _ y: Double, _ z: Double, _ k: Double, _ damping: Double, _ kind: TouchPoint.Kind
    ) -> TouchPoint {
      TouchPoint(
        point: SpaceVector(x, y, z - h), stiffness: k, damping: 2 * damping * (k * frame.mass / 2).squareRoot(),
        kind: kind)
    }
    let half = frame.wheelbase / 2
    let (k, zeta) = frame.tyre
    contacts = [
      contact(half, 0, 0, k, zeta, .wheel), contact(-half, 0, 0, k, zeta, frame.isLocked ? .lockedWheel : .wheel),
    ]
    var lean = 0.0
    var wall: Double?
    switch frame.support {
    case .sideStand(let angle, let foot):
      lean = angle
      let turned = Elementary.sincos(angle)
      // The damping is that of the rocking on it, with the inertia about the line of the wheels.
      let about = frame.mass * (frame.gyration.forward * frame.gyration.forward + h * h) / (foot * foot)
      contacts.append(
        TouchPoint(
          point: SpaceVector(-BikeFrame.footBehind, foot * turned.cos, foot * turned.sin - h),
          stiffness: frame.stand.stiffness,
          damping: 2 * frame.stand.damping * (frame.stand.stiffness * about).squareRoot(), kind: .foot))
    case .wall(let angle):
      lean = angle
      // The end of the handlebar: 0.3 m out and 0.98 m up, turned by the lean to the left.
      let turned = Elementary.sincos(angle)
      wall = 0.3 * turned.cos + 0.98 * turned.sin - 0.001
    case .rack, .held: break
    }
    self.wall = wall
    // What touches the ground when it lies: handlebar, pedals, saddle.
    for side in [1.0, -1.0] {
      contacts.append(contact(0.42, side * 0.3, 0.98, 2e4, 0.25, .rest))
      contacts.append(contact(0, side * 0.17, 0.2, 2e4, 0.25, .rest))
    }
    contacts.append(contact(-0.28, 0, 0.95, 1e4, 0.3, .rest))
    attitude = SpaceAttitude(yaw: 0, lean: -lean)
    place = attitude.earth(SpaceVector(0, 0, h)) + SpaceVector(0, 0, -frame.mass * BikeBody.gravity / (2 * k))
  }

  /// Where the middle of mass is above, and what a point of the body has for a place and a velocity.
  func motion(of point: SpaceVector) -> (place: SpaceVector, velocity: SpaceVector) {
    let arm = SpaceVector(point.x, point.y, point.z - frame.height)
    return (place + attitude.earth(arm), velocity + attitude.earth(rate.cross(arm)))
  }

  /// What an ideal sensor feels that sits at a point (body frame, from where the wheels stand).
  func sensed(at point: SpaceVector) -> (angularRate: Vector3, specificForce: Vector3) {
    let arm = SpaceVector(point.x, point.y, point.z - frame.height)
    let force =
      attitude.body(acceleration + SpaceVector(0, 0, BikeBody.gravity)) + rateChange.cross(arm)
      + rate.cross(rate.cross(arm))
    return (rate.single, force.single)
  }

  /// One step: forces of what touches it are added to those given.
  ///
  /// - Parameters:
  ///   - forces: At points of the frame.
  ///   - torque: Body frame, N·m: hands that hold it, or a rider.
  mutating func step(_ forces: [PointForce], torque: SpaceVector = .zero) {
    let dt = 1 / BikeBody.hertz
    var total = SpaceVector(0, 0, -frame.mass * BikeBody.gravity)
    var moment = torque
    for force in forces {
      total += force.force
      let arm = SpaceVector(force.point.x, force.point.y, force.point.z - frame.height)
      moment += arm.cross(attitude.body(force.force))
    }
    // Along the ground, where the nose points.
    let flat = (attitude.forward.x * attitude.forward.x + attitude.forward.y * attitude.forward.y).squareRoot()
    let heading =
      flat > 1e-6 ? SpaceVector(attitude.forward.x / flat, attitude.forward.y / flat, 0) : SpaceVector(1, 0, 0)
    let side = SpaceVector(-heading.y, heading.x, 0)
    for index in contacts.indices {
      let contact = contacts[index]
      if contact.kind == .foot, !isStandDown { continue }
      let arm = attitude.earth(contact.point)
      let position = place + arm
      let road = index < 2 ? self.road[index] : RoadProfile.Spot()
      let depth = road.height + ground.place.z - position.z
      guard depth > 0 else {
        if contact.isTouching { contacts[index].isTouching = false }
        continue
      }
      let motion = velocity + attitude.earth(rate.cross(contact.point)) - ground.velocity
      let sinking = -(motion.z - road.rise * (motion.dot(heading) + rolling))
      let normal = max(0, contact.stiffness * depth + contact.damping * sinking)
      var push = SpaceVector(0, 0, normal)
      // The ground under a wheel is not level.
      push += (heading * road.along + side * road.across) * -normal
      let flatPlace = SpaceVector(position.x - ground.place.x, position.y - ground.place.y, 0)
      if !contacts[index].isTouching {
        contacts[index].isTouching = true
        contacts[index].anchor = flatPlace
      }
      let away = flatPlace - contacts[index].anchor
      let k = 0.6 * contact.stiffness
      let c = 0.6 * contact.damping
      var grip = (away * -k) + SpaceVector(motion.x, motion.y, 0) * -c
      if contact.kind == .wheel || (contact.kind == .lockedWheel && !isLockedNow) {
        // It rolls, and its anchor goes along; parked, a stand, a wall or bars hold it with a sixth of its load.
        let isParked = isStandDown && isSupported && frame.support != .held
        let along = away.dot(heading)
        let hold = isParked ? 0.15 * normal : 0
        let kept = min(max(along, -hold / k), hold / k)
        contacts[index].anchor += heading * (along - kept)
        let speed = motion.dot(heading)
        let resistance =
          frame.rolling * normal * min(max(speed / 0.02, -1), 1) + k * kept + (isParked ? c * speed : 0)
        // Rolling, a tyre resists a slip angle, with about twelve times its load per radian: a damper that is weaker the faster it rolls.
        if rolling > 0.5 {
          contacts[index].anchor = flatPlace
          // No more than a step of the integration bears.
          grip = side * (-min(12 * normal / rolling, 1500) * motion.dot(side))
        } else {
          grip = side * grip.dot(side)
        }
        grip += heading * -resistance
      }
      let size = grip.length
      let most = frame.friction * normal
      if size > most, size > 0 {
        grip = grip * (most / size)
        // What slips drags its anchor behind.
        if away.length > most / k { contacts[index].anchor = flatPlace - away * (most / k / away.length) }
      }
      push += grip
      total += push
      moment += contact.point.cross(attitude.body(push))
    }
    support(&total, &moment)
    acceleration = total * (1 / frame.mass)
    let spin = SpaceVector(inertia.x * rate.x, inertia.y * rate.y, inertia.z * rate.z)
    let turning = moment - rate.cross(spin)
    rateChange = SpaceVector(turning.x / inertia.x, turning.y / inertia.y, turning.z / inertia.z)
    velocity += acceleration * dt
    rate += rateChange * dt
    place += velocity * dt
    attitude.turn(by: rate * dt)
  }

  /// A wall that pushes, or bars that hold the front wheel.
  private mutating func support(_ total: inout SpaceVector, _ moment: inout SpaceVector) {
    guard isSupported else { return }
    if let wall {
      let point = SpaceVector(0.42, 0.3, 0.98 - frame.height)
      let motion = velocity + attitude.earth(rate.cross(point))
      let depth = place.y + attitude.earth(point).y - wall
      guard depth > 0 else { return }
      let c = 2 * frame.stand.damping * (frame.stand.stiffness * frame.mass / 2).squareRoot()
      let push = max(0, frame.stand.stiffness * depth + c * motion.y)
      // Rubber against stone: what it drags along is held by friction.
      let drag = -min(max(motion.x * 200, -0.5 * push), 0.5 * push)
      let force = SpaceVector(drag, -push, -min(max(motion.z * 200, -0.5 * push), 0.5 * push))
      total += force
      moment += point.cross(attitude.body(force))
    } else if case .rack(let play) = frame.support {
      for height in [0.2, 0.5] {
        let point = SpaceVector(frame.wheelbase / 2, 0, height - frame.height)
        let motion = velocity + attitude.earth(rate.cross(point))
        let away = place.y + attitude.earth(point).y
        let beyond = max(away.magnitude - play, 0)
        guard beyond > 0 else { continue }
        let c = 2 * frame.stand.damping * (frame.stand.stiffness * frame.mass / 2).squareRoot()
        let push = (away > 0 ? -1 : 1) * frame.stand.stiffness * beyond - c * motion.y
        let force = SpaceVector(0, push, 0)
        total += force
        moment += point.cross(attitude.body(force))
      }
      // Lifted over the bars, or pulled out of them.
      if place.z > frame.height + 0.35 || place.x < parked.x - 0.6 { isSupported = false }
    }
  }

  /// Taken away from what it leant on.
  mutating func release() {
    isSupported = false
    isLockedNow = false
  }

  /// Put on its stand, or to another wall or rack, where it is.
  mutating func stand(at place: SpaceVector) {
    guard !isStandDown || !isSupported else { return }
    isStandDown = true
    isSupported = true
    isLockedNow = frame.isLocked
    parked = SpaceVector(place.x, 0, 0)
    rolling = 0
    road = [RoadProfile.Spot(), RoadProfile.Spot()]
    for index in contacts.indices { contacts[index].isTouching = false }
  }

  /// Energy of its motion, J.
  var kinetic: Double {
    0.5 * frame.mass * velocity.dot(velocity) + 0.5
      * (inertia.x * rate.x * rate.x + inertia.y * rate.y * rate.y + inertia.z * rate.z * rate.z)
  }

  /// Lets it come to rest, as it stands since long.
  mutating func settle() {
    for _ in 0..<4000 {
      step([])
      velocity = velocity * 0.99
      rate = rate * 0.99
    }
    still()
  }

  /// Stops what is left of a motion that nobody could see.
  mutating func still() {
    velocity = .zero
    rate = .zero
    acceleration = .zero
    rateChange = .zero
  }

  /// True when it touches the ground with nothing but wheels and stand.
  var isUpright: Bool { attitude.up.z > 0.7 }
}
