import ModemSimulation
import MotionEvaluation
import Quantities
import SIM7000
import TrackerCore
import VehicleSimulation

/// A life to be lived: what happens to the vehicle, and what goes wrong besides.
package struct LifeScenario: Sendable {
  /// Its name, for people.
  package var name: String
  /// Vehicle, sensors, deeds, and what has to be told of them.
  package var scene: EvaluatedScene
  /// What goes wrong.
  package var plan: LifePlan
  /// The sensor of its wheel; nil without one.
  package var wheel: LifeWheel?
  /// The battery, which parts and modem empty; nil for one that nobody looks at.
  package var battery: LifeBattery?
  /// How packets go.
  package var transport: ModemTransport
  /// Of everything that is left to chance.
  package var seed: UInt64
  /// True when the owner signs with a key that the tracker's configuration has; without one only the console is the owner's.
  package var hasKey = true
  /// State of the modem while there is nothing to send; nil: drawn from the seed.
  package var idle: IdlePolicy?
  /// Delays of the network; nil for the usual ones.
  package var latency: NetworkLatency?
  /// What its parts draw.
  package var currents = PartCurrents()
  /// What goes wrong between modem and servers by chance, in so many of 1000 occasions.
  package var chances: [(mishap: NetworkMishap, perMille: Int)] = []

  /// Whether time in which the tracker lets its sensors sleep, and nothing happens, is passed over; false: it is streamed, too.
  package var passesNights = true
  /// Change that wakes the inertial sensor, in place of what the tracker asks for, m/s²; nil for that.
  package var wakeThreshold: Float?

  /// A scene with a plan.
  package init(_ scene: EvaluatedScene, plan: LifePlan = LifePlan(), transport: ModemTransport, seed: UInt64) {
    name = scene.name
    self.scene = scene
    self.plan = plan
    self.transport = transport
    self.seed = seed
  }

  /// How long it is.
  package var length: Interval { Interval(microseconds: Int64(((scene.scene.starts.last ?? 0) * 1e6).rounded())) }

  /// A scene in another world, with faults drawn from a seed.
  ///
  /// - Parameters:
  ///   - classes: What may go wrong.
  ///   - transport: Nil: drawn, too.
  package static func drawn(
    _ scene: EvaluatedScene, seed: UInt64, classes: Set<FaultClass>, transport: ModemTransport? = nil
  ) -> LifeScenario {
    var scene = scene
    scene.scene.seed &+= seed
    var dice = Dice(seed: seed ^ 0x7761_79)
    let drawn = dice.pick([ModemTransport.http, .mqtt, .tcp, .applicationTCP, .legacyHTTP])
    var result = LifeScenario(scene, transport: transport ?? drawn, seed: seed)
    result.plan = .drawn(seed: seed, length: result.length, classes: classes)
    return result
  }

  /// A street with the sensors of a vehicle, in which nothing happens.
  static func vehicle(seed: UInt64, _ dice: inout Dice) -> StreetScene {
    var scene = StreetScene()
    scene.seed = seed &* 7 &+ 1
    scene.sensor.make = dice.pick([StreetSensor.Make.mpu, .mpu, .quiet])
    scene.sensor.hertz = dice.pick([12.5, 25, 50])
    scene.sensor.mounting = dice.pick(StreetSensor.Placement.allCases)
    var receiver = StreetReceiver()
    receiver.sigma = dice.pick([3, 4, 6])
    receiver.stated = receiver.sigma * 1.5
    receiver.every = dice.pick([1, 1, 2])
    scene.receiver = receiver
    return scene
  }

  /// A day that nobody has written: rides, what happens in a street, thefts and answers, all from a seed.
  package static func day(seed: UInt64, classes: Set<FaultClass>) -> LifeScenario {
    var dice = Dice(seed: seed ^ 0x646179)
    var scene = EvaluatedScene(name: "day", about: "a day drawn from a seed", half: .held)
    scene.scene = vehicle(seed: seed, &dice)
    func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double] = [:], _ telling: Telling? = nil) {
      var deed = StreetDeed(kind)
      for (name, value) in numbers { deed.set(name, value) }
      scene.scene.deeds.append(deed)
      scene.tellings.append(telling)
    }
    func stand(_ from: Int, _ to: Int) { add(.stand, ["seconds": Double(from + dice.below(to - from))]) }
    stand(700, 1200)
    for _ in 0..<(4 + dice.below(5)) {
      switch dice.below(8) {
      case 0, 1:
        add(.ride, ["speed": Double(3 + dice.below(5)), "seconds": Double(240 + dice.below(900))], .maybe)
        stand(20, 60)
        add(.dismiss)
        stand(900, 3000)
      case 2:
        add(.lift, ["degrees": Double(25 + dice.below(30))], .within(5))
        add(.carry, ["metres": Double(20 + dice.below(60))])
        stand(30, 60)
        add(.dismiss)
        stand(800, 2000)
      case 3:
        add(.fall, ["degrees": Double(40 + dice.below(40))], .within(5))
        stand(30, 60)
        add(.dismiss)
        stand(800, 2000)
      case 4:
        for _ in 0..<(1 + dice.below(6)) {
          add(.gust, ["degrees": 0.2 + 0.1 * Double(dice.below(8)), "hertz": 0.5 + 0.1 * Double(dice.below(15))])
          stand(20, 200)
        }
      case 5:
        for _ in 0..<(1 + dice.below(6)) {
          add(.shake, ["gravities": 0.01 + 0.005 * Double(dice.below(9))])
          stand(20, 200)
        }
      case 6:
        add(.rain, ["seconds": Double(300 + dice.below(1800))])
        stand(300, 900)
      default:
        add(.bump)
        stand(60, 300)
        add(.neighbour)
        stand(300, 1500)
      }
    }
    stand(4000, 6000)
    return drawn(scene, seed: seed, classes: classes)
  }
}
