import Quantities
import TrackerCore
import VehicleSimulation

/// Carries out what the tracker says about its sensors, as a board with a small inertial part and a receiver of its own would.
struct LifeSenses {
  /// What the satellite receiver does.
  private enum Reception {
    case on
    case single(until: Instant)
    case off
  }

  private(set) var engine = WakeEngine()
  private(set) var energy: LifeEnergy
  private var reception = Reception.on
  /// From when on it has fixes again, and since when it is off.
  private var fixesFrom: Instant?
  private var offSince: Instant?
  /// When the tracker let the inertial sensor sleep.
  private(set) var asleepSince: Instant?
  private var inertial = EnergyCause.inertial

  /// See `LifeScenario.wakeThreshold`.
  private let wakeThreshold: Float?

  init(_ currents: PartCurrents, wakeThreshold: Float? = nil) {
    energy = LifeEnergy(currents)
    self.wakeThreshold = wakeThreshold
  }

  /// True while the receiver gives nothing, as the tracker wishes.
  var isReceiverOff: Bool { if case .off = reception { true } else { false } }

  /// True while nothing of what the sensors read reaches the tracker, unless the inertial sensor wakes.
  var isBlind: Bool { isReceiverOff && engine.isAsleep }

  /// Passes over a rest of the vehicle; see `StreetPlayer.rest`.
  mutating func rest(
    _ player: inout StreetPlayer, until time: Instant, quiet: QuietNoise, isBeyond: Bool
  ) -> InertialSample? {
    player.rest(until: time, quiet: quiet, isBeyond: isBeyond, into: &engine)
  }

  /// A receiver that was off for less than that knows the orbits, and has a fix after `hotStart`, else after `warmStart`.
  private static var orbitsFor: Interval { .seconds(2 * 3600) }
  private static var hotStart: Interval { .seconds(2) }
  private static var warmStart: Interval { .seconds(28) }

  /// A tracker begins: everything is on.
  mutating func begin(at time: Instant) {
    engine.stayAwake()
    reception = .on
    (fixesFrom, offSince, asleepSince) = (nil, nil, nil)
    book(at: time)
  }

  /// The supply has gone.
  mutating func goOff(at time: Instant) { energy.goOff(at: time) }

  /// What the tracker has said.
  mutating func follow(_ plan: SensingPlan, at time: Instant) {
    switch plan.inertial {
    case .awake:
      engine.stayAwake()
      asleepSince = nil
    case .watching:
      var settings = WakeEngine.Settings(threshold: wakeThreshold ?? plan.wakeThreshold)
      settings.hertz = Double(SensingPlan.watchRate)
      settings.history = SensingPlan.history
      settings.hold = SensingPlan.hold
      engine.watch(settings)
      asleepSince = asleepSince ?? time
    }
    switch plan.reception {
    case .on:
      start(at: time)
      reception = .on
    case .single:
      start(at: time)
      reception = .single(until: time + SensingPlan.fixTimeout)
    case .off:
      switchOff(at: time)
    }
    book(at: time)
  }

  private mutating func start(at time: Instant) {
    guard let since = offSince else { return }
    fixesFrom = time + (time - since < LifeSenses.orbitsFor ? LifeSenses.hotStart : LifeSenses.warmStart)
    offSince = nil
  }

  private mutating func switchOff(at time: Instant) {
    reception = .off
    offSince = offSince ?? time
  }

  /// Books what is on from now on.
  private mutating func book(at time: Instant) {
    let receiver: EnergyCause =
      switch reception {
      case .on: .receiver
      case .single: .singleFix
      case .off: .receiverOff
      }
    inertial = engine.isAsleep ? .watching : .inertial
    energy.go(receiver, inertial, at: time)
  }

  /// What the tracker gets of a reading.
  mutating func take(_ sample: InertialSample, at time: Instant) -> WakeEngine.Outcome {
    let outcome = engine.take(sample)
    if engine.isAsleep != (inertial == .watching) { book(at: time) }
    switch outcome {
    case .kept: break
    case .live: energy.work(energy.currents.sampleTime)
    case .woken(let samples): energy.work(energy.currents.sampleTime * Double(samples.count))
    }
    return outcome
  }

  /// Whether the receiver gives a fix.
  mutating func gives(_ fix: GNSSFix) -> Bool {
    if case .single(let until) = reception, fix.time >= until {
      switchOff(at: fix.time)
      book(at: fix.time)
    }
    if case .off = reception { return false }
    if let fixesFrom {
      guard fix.time >= fixesFrom else { return false }
      self.fixesFrom = nil
    }
    energy.work(energy.currents.fixTime)
    guard case .single = reception, fix.hasPosition else { return true }
    switchOff(at: fix.time)
    book(at: fix.time)
    return true
  }

  /// A packet was made.
  mutating func notePacket() { energy.work(energy.currents.packetTime) }

  /// The end.
  mutating func finish(at time: Instant) { energy.book(at: time) }
}
