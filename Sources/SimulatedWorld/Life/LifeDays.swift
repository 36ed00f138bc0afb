import MotionEvaluation
import Quantities
import SIM7000
import VehicleSimulation

/// How much happens on the days of a life.
package enum LifePace: Sendable {
  /// A few rides of up to 19 minutes, and a theft every fifth day.
  case busy
  /// About one ride of 2 to 5 minutes, disturbances on two days of three, and a theft every fortieth: a year of it is quickly lived.
  case calm
}

/// A life of many days: for each day what happens to the vehicle, drawn from the seed.
///
/// A day begins at midnight UTC. Its events lie between about six and ten in the evening, with a pause behind each in which the tracker
/// arms itself; the rest it is parked. A day depends on the seed and its number alone, but for where the vehicle has come to: a longer life
/// begins as a shorter one of the same seed.
struct LifeDays {
  /// What a day consists of.
  private enum Happening {
    case ride
    case disturbance
    case theft
  }

  private(set) var scene: EvaluatedScene
  /// Seconds since the world's zero.
  private var clock = 0.0
  /// Where the vehicle is since it began, m, along its first direction and to the left of it, and where its nose points, rad.
  private var place = (x: 0.0, y: 0.0)
  private var heading = 0.0
  private let pace: LifePace

  /// Seconds of a day.
  static var day: Double { 86_400 }
  /// The parts of a day in which something happens, s.
  private static var morning: Double { 6 * 3600 }
  private static var evening: Double { 22 * 3600 }
  /// A vehicle that is farther from home, m, is ridden towards it.
  private static var far: Double { 5000 }

  init(_ scene: EvaluatedScene, pace: LifePace = .busy) {
    self.scene = scene
    self.pace = pace
  }

  /// A life of so many days.
  static func drawn(
    _ count: Int, seed: UInt64, pace: LifePace = .busy, into scene: EvaluatedScene
  ) -> EvaluatedScene {
    var days = LifeDays(scene, pace: pace)
    for number in 0..<count {
      var dice = Dice(seed: seed ^ 0x6461_7973 &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
      days.live(number, &dice)
    }
    days.stand(until: Double(count) * day)
    return days.scene
  }

  private mutating func live(_ number: Int, _ dice: inout Dice) {
    let happenings = pace == .busy ? LifeDays.drawnHappenings(&dice) : LifeDays.drawnCalm(&dice)
    let length = (LifeDays.evening - LifeDays.morning) / Double(max(1, happenings.count))
    for (slot, happening) in happenings.enumerated() {
      // An event takes half of its slot at most, and begins where a third of it is over at the earliest.
      let share = 0.3 + 0.002 * Double(dice.below(100))
      stand(until: Double(number) * LifeDays.day + LifeDays.morning + (Double(slot) + share) * length)
      switch happening {
      case .ride: ride(&dice)
      case .disturbance: disturb(&dice)
      case .theft: steal(&dice)
      }
    }
  }

  private static func drawnHappenings(_ dice: inout Dice) -> [Happening] {
    var result: [Happening] = []
    for _ in 0..<dice.pick([0, 1, 2, 2, 2, 3, 4]) { result.append(.ride) }
    for _ in 0..<dice.below(7) { result.append(.disturbance) }
    if dice.below(5) == 0 { result.append(.theft) }
    shuffle(&result, &dice)
    return result
  }

  private static func drawnCalm(_ dice: inout Dice) -> [Happening] {
    var result: [Happening] = []
    // 346 rides a year, with a deviation of 8.
    for _ in 0..<dice.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 0, 1]) { result.append(.ride) }
    if dice.below(3) > 0 { result.append(.disturbance) }
    if dice.below(40) == 0 { result.append(.theft) }
    shuffle(&result, &dice)
    return result
  }

  /// Fisher and Yates.
  private static func shuffle(_ happenings: inout [Happening], _ dice: inout Dice) {
    for place in happenings.indices.reversed() { happenings.swapAt(place, dice.below(place + 1)) }
  }

  // MARK: Deeds

  private mutating func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double] = [:], _ telling: Telling? = nil) {
    var deed = StreetDeed(kind)
    for (name, value) in numbers { deed.set(name, value) }
    scene.scene.deeds.append(deed)
    scene.tellings.append(telling)
    clock += deed.duration
  }

  private mutating func stand(_ seconds: Int) { add(.stand, ["seconds": Double(seconds)]) }

  private mutating func stand(until time: Double) {
    if time > clock { add(.stand, ["seconds": time - clock]) }
  }

  /// The vehicle goes along its nose.
  private mutating func move(_ metres: Double) {
    let nose = Elementary.sincos(heading)
    place.x += metres * nose.cos
    place.y += metres * nose.sin
  }

  /// The owner comes, says so, takes it and rides.
  private mutating func ride(_ dice: inout Dice) {
    add(.upright, [:], .maybe)
    var turn = Double(dice.below(300) - 150)
    if place.x * place.x + place.y * place.y > LifeDays.far * LifeDays.far {
      turn = LifeDays.degrees(Elementary.atan2(-place.y, -place.x) - heading) + Double(dice.below(40) - 20)
    }
    turn = max(-180, min(180, turn))
    add(.turn, ["degrees": turn, "seconds": 6])
    heading += turn * .pi / 180
    let speed = Double(3 + dice.below(5))
    let seconds = pace == .busy ? 240 + dice.below(900) : 120 + dice.below(181)
    add(.ride, ["speed": speed, "seconds": Double(seconds)], .maybe)
    if let deed = scene.scene.deeds.last { move(deed.way) }
    stand(20 + dice.below(40))
    add(.dismiss)
  }

  /// An angle, rad, in degrees from −180 to 180.
  private static func degrees(_ angle: Double) -> Double {
    let wrapped = Elementary.positiveAngle(angle + .pi) - .pi
    return wrapped * 180 / .pi
  }

  /// Something that nobody wants to hear of.
  private mutating func disturb(_ dice: inout Dice) {
    switch dice.below(4) {
    case 0:
      for _ in 0..<(1 + dice.below(6)) {
        add(.gust, ["degrees": 0.2 + 0.1 * Double(dice.below(8)), "hertz": 0.5 + 0.1 * Double(dice.below(15))])
        stand(20 + dice.below(180))
      }
    case 1:
      for _ in 0..<(1 + dice.below(6)) {
        add(.shake, ["gravities": 0.01 + 0.005 * Double(dice.below(9))])
        stand(20 + dice.below(180))
      }
    case 2: add(.rain, ["seconds": Double(300 + dice.below(1800))])
    default:
      add(.bump)
      stand(60 + dice.below(240))
      add(.neighbour)
    }
  }

  /// A theft; the owner answers it, and stands the vehicle up again where it is.
  private mutating func steal(_ dice: inout Dice) {
    switch dice.below(4) {
    case 0: add(.fall, ["degrees": Double(40 + dice.below(40))], .within(5))
    case 1:
      let metres = Double(20 + dice.below(40))
      add(.roll, ["metres": metres, "speed": 1.2], .within(5))
      move(metres)
    default:
      let metres = Double(20 + dice.below(60))
      add(.lift, ["degrees": Double(25 + dice.below(30))], .within(5))
      add(.carry, ["metres": metres])
      move(metres)
    }
    stand(30 + dice.below(30))
    add(.dismiss)
    stand(60 + dice.below(240))
    add(.upright, [:], .maybe)
    stand(20 + dice.below(40))
    add(.dismiss)
  }
}

extension StreetDeed {
  /// How far it is along the nose when ridden, m: ramps count half.
  fileprivate var way: Double {
    let ramp = min(StreetDeed.ramp(ofSpeed: self["speed"]), duration / 2)
    return self["speed"] * (duration - ramp)
  }

  private static func ramp(ofSpeed speed: Double) -> Double { max(1.875 * speed, 0.5) }
}

extension LifeScenario {
  /// Days that a life may have.
  package static var days: ClosedRange<Int> { 1...4000 }

  /// A life of so many days, with faults and power cuts all along.
  package static func life(
    days count: Int, seed: UInt64, pace: LifePace = .busy, classes: Set<FaultClass>
  ) -> LifeScenario {
    var dice = Dice(seed: seed ^ 0x6C6F_6E67)
    var scene = EvaluatedScene(name: "life", about: "days drawn from a seed", half: .held)
    scene.scene = LifeScenario.vehicle(seed: seed, &dice)
    scene.scene.sensor.isForYears = true
    // A year of an awake sensor at its fastest would take an hour.
    if pace == .calm, !LifeScenario.sleeps(seed: seed) { scene.scene.sensor.hertz = 12.5 }
    let transport = dice.pick([ModemTransport.http, .mqtt, .tcp, .applicationTCP, .legacyHTTP])
    var result = LifeScenario(
      LifeDays.drawn(count, seed: seed, pace: pace, into: scene), transport: transport, seed: seed)
    // Half of the vehicles have a sensor at the wheel, with one to six magnets.
    if dice.below(2) == 0 {
      result.wheel = LifeWheel(metresPerPulse: (1.3 + 0.001 * Double(dice.below(1000))) / Double(1 + dice.below(6)))
    }
    result.plan = .drawn(
      days: count, seed: seed, pace: pace, classes: result.wheel == nil ? classes.subtracting([.wheel]) : classes)
    return result
  }

  /// Whether the tracker of a calm life lets its sensors sleep: three of four do.
  package static func sleeps(seed: UInt64) -> Bool {
    var dice = Dice(seed: seed ^ 0x736C_6565_70)
    return dice.below(4) != 0
  }
}
