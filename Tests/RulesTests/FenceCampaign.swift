import MotionDetection
import Positioning
import Quantities
import Rules
import VehicleSimulation

/// A pet in a circle with a satellite receiver that errs as the street model has it (docs/street-model.md), through motion detection, which
/// learns the scatter, into a guard of fences. It has no inertial sensor, unless one is said to rest.
final class FenceWorld {
  var guardian = FenceGuard<2, 8>()
  private var monitor = MotionMonitor()
  private var receiver: StreetReceiverRun
  private let every: Interval
  private(set) var now = Instant.zero
  /// East of the middle, m, and its speed there.
  var east = 0.0
  var velocity = 0.0
  /// Where fixes say it is besides, m, and the accuracy that they state then.
  var lie: (east: Double, north: Double, stated: Double?) = (0, 0, nil)
  /// The speed that the receiver tells instead of what it measures; the inner nil is none.
  var told: Double??
  /// Besides that, what each fix errs by alone, m per axis.
  var white = 0.0
  /// Since when an inertial sensor has felt nothing; nil without one.
  var stillSince: Instant?
  private var random: SeededRandom
  private(set) var events: [FenceEvent] = []

  static let middle = GeodeticPosition(latitudeE9: 52_000_000_000, longitudeE9: 13_000_000_000)

  init(_ receiver: StreetReceiver, radius: Double = 50, seed: UInt64) {
    let middle = FenceWorld.middle.unsafelyUnwrapped
    self.receiver = StreetReceiverRun(receiver, at: middle, random: SeededRandom(seed: seed, stream: 22))
    random = SeededRandom(seed: seed, stream: 24)
    every = Interval(microseconds: Int64(receiver.every * 1e6))
    guardian.begin(1, name: Array("home".utf8).span, .circle, width: radius)
    guardian.append(latitudeE9: middle.latitudeE9, longitudeE9: middle.longitudeE9)
    _ = guardian.finish(at: .zero)
    _ = guardian.activate([UInt8](arrayLiteral: 1).span, at: .zero)
  }

  /// One fix later.
  func step() {
    now = now + every
    east += velocity * every.secondsDouble
    var (eastward, northward) = (east + lie.east, lie.north)
    if white > 0 {
      eastward += white * random.gaussian()
      northward += white * random.gaussian()
    }
    var fix = receiver.fix(at: now, east: eastward, north: northward, velocity: (velocity, 0))
    if let stated = lie.stated { fix.horizontalAccuracy = stated }
    if let told { fix.speed = told }
    monitor.process(fix)
    while monitor.nextEvent() != nil {}
    let scatter = monitor.fixScatter
    guardian.advance(to: now)
    guardian.process(
      fix,
      scatter: LearntScatter(
        deviation: scatter.deviation, usualAccuracy: scatter.usualAccuracy, isLearnt: scatter.isLearnt),
      stillSince: stillSince)
    while let event = guardian.nextEvent() { events.append(event) }
  }

  /// When the first alert was told.
  var alert: Instant? { events.first { $0.kind == .alert(repetition: 0) }?.time }
  var deviation: Float { monitor.fixScatter.deviation }

  func rest(for time: Interval) {
    velocity = 0
    let end = now + time
    while now < end { step() }
  }
}

/// What a receiver of the campaign states of its accuracy: what is right for 15 m per axis, a third of it, or three times that.
enum StatedAccuracy: String, CaseIterable {
  case right, third, triple

  var metres: Double {
    switch self {
    case .right: return 22.6
    case .third: return 7.5
    case .triple: return 68
    }
  }
}

func campaignReceiver(_ stated: StatedAccuracy, every: Double = 1, isSmooth: Bool = false) -> StreetReceiver {
  var receiver = StreetReceiver()
  receiver.sigma = 15
  receiver.tau = 300
  receiver.isSmooth = isSmooth
  receiver.stated = stated.metres
  receiver.every = every
  receiver.outliersPerWeek = 40
  receiver.outlierMetres = 400
  return receiver
}

/// Rests for two hours, walks away until it is `beyond` metres outside, and stays there.
///
/// - Returns: Seconds from where it crossed the edge to the alert; nil without one within `limit`.
func exitDelay(
  _ receiver: StreetReceiver, beyond: Double, speed: Double, seed: UInt64, limit: Interval = .seconds(14_400)
) -> Double? {
  let world = FenceWorld(receiver, seed: seed)
  world.rest(for: .seconds(7200))
  if world.alert != nil { return -1 }
  let begin = world.now
  let crossing = begin + Interval(microseconds: Int64(50 / speed * 1e6))
  while world.alert == nil, world.now - begin < limit {
    world.velocity = world.east < 50 + beyond ? speed : 0
    world.step()
  }
  return world.alert.map { ($0 - crossing).secondsDouble }
}

/// A receiver in a street that is heard seldom: its error, jumps by many ways of the signal that last for some time, and single fixes far
/// away that are stated as 2 m.
struct SparseStreet {
  let world: FenceWorld
  private let every: Double
  private var random: SeededRandom
  private var jump = (east: 0.0, north: 0.0)
  private var jumpEnd = 0.0
  /// How far beyond the edge the last fixes were, m.
  private(set) var trail: [Int] = []

  init(_ stated: StatedAccuracy, every: Double, seed: UInt64) {
    var receiver = campaignReceiver(stated, every: every)
    receiver.outliersPerWeek = 0
    world = FenceWorld(receiver, seed: seed)
    self.every = every
    random = SeededRandom(seed: seed, stream: 23)
  }

  /// One fix later.
  mutating func step() {
    let now = world.now.secondsDouble
    if now >= jumpEnd {
      jump = (0, 0)
      if random.uniform() < min(0.5, 0.002 * every) {
        jump = (20 * random.gaussian(), 20 * random.gaussian())
        jumpEnd = now - 40 * Elementary.log(max(1e-9, random.uniform()))
      }
    }
    world.lie = (jump.east, jump.north, nil)
    if random.uniform() < 40 * every / 604_800 {
      let direction = Elementary.sincos(random.uniform(0, 2 * .pi))
      let distance = random.uniform(200, 600)
      world.lie = (distance * direction.sin, distance * direction.cos, 2)
    }
    world.step()
    trail.append(Int(world.guardian.exit.distance))
    if trail.count > 12 { trail.removeFirst() }
  }

  mutating func rest(for time: Interval) {
    let end = world.now + time
    while world.now < end { step() }
  }
}
