import ModemSimulation
import MotionEvaluation
import Quantities
import SIM7000
import TrackerRuntime
import VehicleSimulation

/// How the network is on the day of a theft.
package enum NetworkWeather: String, CaseIterable, Sendable {
  /// The usual delays, and nothing goes wrong.
  case good
  /// A loaded cell: connections take up to 5 s, answers up to 3 s.
  case slow
  /// Slow, and of a hundred connections, requests and answers ten each are lost.
  case lossy
  /// Slow, and at the theft there is no server for 10 to 120 s.
  case away

  /// Delays, and what goes wrong by chance.
  func apply(to life: inout LifeScenario, theft: Instant, _ dice: inout Dice) {
    let length = 10 + dice.below(111)
    guard self != .good else { return }
    var latency = NetworkLatency()
    latency.connect = DelayRange(.milliseconds(500), .seconds(5))
    latency.exchange = DelayRange(.milliseconds(300), .seconds(3))
    life.latency = latency
    if self == .lossy {
      life.chances = [(.refuse(.timedOut), 100), (.loseRequest, 100), (.loseAnswer, 100)]
    }
    if self == .away {
      let begin = theft - Interval.seconds(5)
      life.plan = LifePlan([LifeEvent(.outage(.seconds(length)), at: begin)])
    }
  }
}

/// How long it takes from a theft until its alert is at the server, with the modem in the state of idleness that it has when nothing
/// was sent for half an hour.
package struct AlertDelay: Sendable {
  /// State of the modem while there is nothing to send.
  package let idle: IdlePolicy
  /// The network.
  package let weather: NetworkWeather
  /// How packets go.
  package let transport: ModemTransport
  /// Of all chance.
  package let seed: UInt64

  /// A theft to come.
  package init(idle: IdlePolicy, weather: NetworkWeather, transport: ModemTransport, seed: UInt64) {
    self.idle = idle
    self.weather = weather
    self.transport = transport
    self.seed = seed
  }

  /// What came of it.
  package struct Outcome: Sendable {
    /// From the first movement to the alert, s.
    package var told: Double
    /// From the first movement until the server has the alert, s.
    package var there: Double
  }

  private static var kinds: [StreetDeed.Kind] { [.lift, .fall, .push] }

  /// A vehicle that stands for about 50 min, armed, and is lifted, pushed over or kicked down.
  func life() -> (life: LifeScenario, theft: Instant) {
    var dice = Dice(seed: seed ^ 0x6465_6C61_79)
    var scene = EvaluatedScene(name: "delay", about: "a theft from a vehicle that stands", half: .held)
    scene.scene = LifeScenario.vehicle(seed: seed, &dice)
    scene.scene.sensor.hertz = 25
    func add(_ kind: StreetDeed.Kind, _ numbers: [String: Double] = [:], _ telling: Telling? = nil) {
      var deed = StreetDeed(kind)
      for (name, value) in numbers { deed.set(name, value) }
      scene.scene.deeds.append(deed)
      scene.tellings.append(telling)
    }
    add(.stand, ["seconds": Double(2700 + dice.below(600))])
    let kind = dice.pick(AlertDelay.kinds)
    add(kind, ["degrees": Double(25 + dice.below(30))], .within(5))
    add(.stand, ["seconds": 20])
    add(.dismiss)
    add(.stand, ["seconds": 20])
    var life = LifeScenario(scene, transport: transport, seed: seed)
    life.idle = idle
    let theft = Instant(microseconds: Int64((scene.scene.starts[1] * 1e6).rounded()))
    weather.apply(to: &life, theft: theft, &dice)
    return (life, theft)
  }

  /// Lives it; nil when no alert was at the server within two hours.
  package func live(_ configuration: RunConfiguration = RunConfiguration()) throws(RecordingError) -> Outcome? {
    let (life, theft) = life()
    let run = try LifeRun(life, configuration)
    var told: Instant?
    var there: Instant?
    run.observer = { time, output, _ in
      if case .packet(_, .movement) = output, told == nil { told = time }
    }
    run.receivedObserver = { bytes, time in
      if there == nil, PacketFields(bytes)?.kind == "movement" { there = time }
    }
    let report = try run.live()
    guard report.broken.isEmpty, let told, let there else { return nil }
    return Outcome(told: (told - theft).secondsDouble, there: (there - theft).secondsDouble)
  }
}
