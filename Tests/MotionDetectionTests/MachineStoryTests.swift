import InertialFusion
import MotionDetection
import Quantities
import TestSupport
import Testing

/// Parameters short enough for a story of some minutes to hold many rides, parkings and alarms.
func shortParameters() -> MotionParameters {
  var p = MotionParameters()
  p.armAfter = .seconds(14)
  p.standAfter = .seconds(3)
  p.silenceAfter = .seconds(6)
  p.calmAfter = .seconds(4)
  p.quietAfter = .seconds(9)
  p.stolenAfter = .seconds(8)
  p.touchDelay = .seconds(4)
  p.armBy = .seconds(24)
  p.rideVibrationConfirmation = .seconds(4)
  return p
}

/// What the sensor feels for some seconds.
private enum Hand: CaseIterable {
  case off, still, quiet, calm, handle, knock, faint, shake, rumble, tilt, turn, stuck, noGyroscope, noAccelerometer,
    wrong,
    wobble, spin, lift, step
}

/// What the receiver sees for some seconds.
private enum Sky: CaseIterable {
  case none, stand, rest, creep, walk, ride, silentRide, hop, away, wander, sparse, rare, poor, odd, late
}

/// A vehicle to which anything may happen, second by second, from one seed.
private struct Story {
  var twin: Twin
  var random: SeededRandom
  private var hand = Hand.still
  private var sky = Sky.stand
  private var second = 0
  private var isIndoors = false

  init(_ parameters: MotionParameters, seed: UInt64) {
    random = SeededRandom(seed: seed)
    twin = Twin(parameters, alerts: seed % 5 != 0, seed: seed, start: .seconds(seed % 3 == 0 ? -40 : 7))
    // Some begin indoors, some without a sensor.
    if seed % 4 == 1 { (sky, isIndoors) = (.none, true) }
    if seed % 4 == 2 { hand = .off }
    // And some sensors are loud.
    if seed % 6 == 3 { (twin.sensor.rateNoise, twin.sensor.forceNoise) = (0.016, 0.15) }
  }

  mutating func pass(seconds: Int) {
    for _ in 0..<seconds where twin.trouble == nil {
      choose()
      twin.note("\(hand)/\(sky)")
      let next = twin.clock + .seconds(1)
      feel(until: next)
      if twin.clock < next { twin.wait(until: next) }
      see()
      second += 1
      interfere()
    }
  }

  private mutating func choose() {
    if isIndoors {
      // Until it is parked without ever having seen a fix.
      if twin.monitor.phase == .parked { (sky, isIndoors) = (random.oneIn(2) ? .stand : .away, false) }
      return
    }
    // Long quiet stretches, or nothing would ever be parked.
    if random.oneIn(12) { hand = random.oneIn(2) ? .still : Hand.allCases.randomElement(using: &random) ?? .still }
    if random.oneIn(12) { sky = random.oneIn(3) ? .stand : Sky.allCases.randomElement(using: &random) ?? .stand }
    if random.oneIn(60) { (hand, sky) = (.still, .stand) }
    if random.oneIn(60) { (hand, sky) = (.still, .none) }
    if random.oneIn(60) { (hand, sky) = (.off, .stand) }
    if random.oneIn(80) { (hand, sky) = (.off, .ride) }
  }

  private mutating func interfere() {
    switch random.next() % 160 {
    case 0: twin.note("off"); twin.setAlerts(false)
    case 1, 2, 3, 4: twin.note("on"); twin.setAlerts(true)
    case 5, 6: twin.note("dismiss"); twin.dismiss()
    case 7: twin.note("wait"); twin.wait(until: twin.clock + .seconds(random.oneIn(3) ? 3600 : 9))
    case 8:
      twin.note("restart")
      if random.oneIn(3) { twin.north += 90 }
      if random.oneIn(4) { twin.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.3, 0, 0.5)) }
      twin.restart(at: random.oneIn(2) ? .zero : twin.clock + .seconds(2))
    default: break
    }
  }

  private mutating func feel(until time: Instant) {
    switch hand {
    case .off: break
    case .still, .quiet, .calm: twin.sense(until: time)
    case .handle: twin.sense(until: time, swing: 0.9)
    case .knock:
      twin.sense(until: twin.clock + .milliseconds(150), swing: random.oneIn(2) ? 3 : 0.3)
      twin.sense(until: time)
    case .faint: twin.sense(until: time, swing: 0.42)
    case .shake: twin.sense(until: time, shake: 1.5)
    case .rumble: twin.sense(until: time, shake: 0.6)
    case .tilt: twin.sense(until: time, rate: Vector3(0.03, 0, 0))
    case .turn: twin.sense(until: time, rate: Vector3(0, 0, 0.08))
    case .stuck:
      twin.sense(until: time) {
        $0.angularRate = Vector3(0.01, 0, 0)
        $0.specificForce = Vector3(0, 0.2, 9.8)
      }
    case .wobble: twin.sense(until: time, turnSwing: 0.1)
    case .lift: twin.sense(until: time) { $0.specificForce?.z += random.oneIn(2) ? 0.5 : 0 }
    case .step: twin.sense(until: time) { $0.specificForce?.z += $0.time.microseconds % 500_000 < 250_000 ? 1.6 : -1.6 }
    case .spin: twin.sense(until: time, rate: Vector3(0, 0, 1.3))
    case .noGyroscope: twin.sense(until: time, swing: random.oneIn(4) ? 0.9 : 0) { $0.angularRate = nil }
    case .noAccelerometer:
      twin.sense(until: time, rate: random.oneIn(4) ? Vector3(0, 0, 0.2) : .zero) { $0.specificForce = nil }
    case .wrong:
      twin.sense(until: time) {
        if $0.time.microseconds % 3 == 0 { $0.angularRate = Vector3(.nan, 0, 0) }
        if $0.time.microseconds % 7 == 0 { $0.time = $0.time - .seconds(1) }
      }
    }
  }

  private mutating func see() {
    switch sky {
    case .none: break
    case .stand: twin.fix(speed: 0)
    case .rest: twin.fix(speed: random.oneIn(2) ? 0 : 0.29, accuracy: random.oneIn(5) ? 3.49 : 5)
    case .creep:
      twin.north += 0.5
      twin.fix(speed: random.oneIn(9) ? Double(Float(0.5).nextDown) : 0.5)
    case .walk:
      twin.north += 1
      twin.fix(speed: random.oneIn(9) ? Double(Float(1).nextDown) : 1)
    case .ride:
      twin.east += 5
      twin.fix(speed: 5)
    case .silentRide:
      twin.east -= 5
      twin.fix(speed: nil)
    case .hop:
      twin.north += random.oneIn(2) ? 31 : 9
      twin.fix(speed: [nil, 0.3, 0.29, 0, 2, 1.99][Int(random.next() % 6)])
    case .away:
      if random.oneIn(4) { twin.north = random.oneIn(2) ? 0 : random.oneIn(2) ? 560 : 26 }
      twin.fix(speed: random.oneIn(2) ? nil : 0)
    case .wander:
      twin.fix(speed: 3 * random.uniform(), accuracy: random.oneIn(3) ? nil : 3 + 40 * random.uniform())
    case .sparse:
      if second % 5 == 0 {
        twin.east += random.oneIn(2) ? 25 : 0
        twin.fix(speed: random.oneIn(2) ? nil : 5)
      }
    case .rare:
      if random.oneIn(3) { twin.wait(until: twin.clock + .seconds(random.oneIn(3) ? 24 : 70)) }
      twin.east += [0, 0, 30, 60, 160, 900][Int(random.next() % 6)]
      twin.fix(speed: random.oneIn(2) ? 1.5 : 0)
    case .poor: twin.fix(speed: 3, accuracy: random.oneIn(2) ? 100.01 : 100)
    case .odd:
      let speeds: [Double?] = [.nan, -1, 501, 500, nil, .infinity]
      let accuracies: [Double?] = [.nan, -1, nil, 5, .infinity]
      twin.fix(
        speed: speeds[Int(random.next() % 6)], accuracy: accuracies[Int(random.next() % 5)],
        hasPosition: !random.oneIn(4))
    case .late:
      twin.north += 4
      twin.fix(at: twin.clock - .seconds(Int(random.next() % 12)), speed: 4)
    }
  }
}

@Suite struct MachineStoryTests {
  static let variations: [@Sendable (inout MotionParameters) -> Void] = [
    { _ in }, { $0.armAfter = .seconds(9) }, { $0.standAfter = .seconds(5) }, { $0.silenceAfter = .seconds(11) },
    { $0.travelSpeed = 0.5 }, { $0.continuedSpeed = 1 }, { $0.travelConfirmation = .seconds(7) },
    { $0.travelDisplacement = 28 }, { $0.rideVibration = 0.3 }, { $0.rideVibrationConfirmation = .seconds(2) },
    { $0.worstAccuracy = 20 }, { $0.assumedAccuracy = 40 }, { $0.handlingRate = 0.01 },
    { $0.handlingVibration = 0.6 }, { $0.handlingConfirmation = .milliseconds(300) }, { $0.tiltLimit = 0.02 },
    { $0.headingLimit = 0.05 }, { $0.orientationConfirmation = .seconds(3) }, { $0.parkedDisplacement = 60 },
    { $0.calmAfter = .seconds(2) }, { $0.quietAfter = .seconds(5) }, { $0.stolenAfter = .seconds(4) },
    { $0.liftSpeed = 0.05 }, { $0.carryForce = 0.3 }, { $0.shiftLimit = 0.1 }, { $0.touchDelay = .seconds(9) },
    { $0.armBy = .seconds(15) },
    { $0.rest.noiseFactor = 6 }, { $0.headingLimit = 3.3 }, { $0.rest.halfWindow = .milliseconds(400) },
  ]

  /// Many short lives: what one has learnt, and what the next one feels from its first sample on.
  @Test func aPowerCutAtAnyMomentIsFollowedByWhatTheManualSays() {
    for seed in 1...120 as ClosedRange<UInt64> {
      var parameters = shortParameters()
      if seed % 3 != 0 {
        parameters.handlingRate = 0.01
        parameters.handlingVibration = 0.1
      }
      var random = SeededRandom(seed: seed)
      var twin = Twin(parameters, hertz: seed % 4 == 0 ? 50 : 20, seed: seed)
      twin.sensor.forceNoise = [0.03, 0.03, 0.06][Int(seed % 3)]
      for _ in 0..<4 {
        life(&twin, &random)
        cut(&twin, &random)
      }
      if let trouble = twin.trouble { Issue.record("seed \(seed): \(trouble)") }
    }
  }

  private func life(_ twin: inout Twin, _ random: inout SeededRandom) {
    let hasFixes = random.oneIn(3)
    let first = random.next() % 6
    var shake: Float = 0
    for second in 0..<24 {
      if second == 0 || second == 13 { shake = [0, 0, 0, 0.2, 0.28, 1.5][Int(first)] }
      if second == 3 || random.oneIn(8) { shake = 0 }
      let next = twin.clock + .seconds(1)
      if first == 3, second < 12 { twin.wait(until: next) } else { twin.sense(until: next, shake: shake) }
      if hasFixes { twin.fix(speed: random.oneIn(9) ? 3 : 0) }
      twin.note("\(shake)")
    }
  }

  private func cut(_ twin: inout Twin, _ random: inout SeededRandom) {
    let noise = (twin.sensor.rateNoise, twin.sensor.forceNoise)
    twin.note("restart")
    if random.oneIn(4) { twin.sensor.earthFromBody = Quaternion(rotationVector: Vector3(0.3, 0, 0.5)) }
    if random.oneIn(4) { twin.north += 90 }
    twin.restart(at: random.oneIn(2) ? .zero : twin.clock + .seconds(3)) {
      switch random.next() % 12 {
      case 0: $0.turningNoise = nil
      case 1: $0.vibrationNoise = nil
      case 2: $0.up = nil
      case 3: $0.place = nil
      case 4: $0.rideAge = nil
      case 5: $0.phase = .alarmed
      case 6: $0.phase = .suspicious
      case 7: $0.phase = .starting
      case 8: $0.phase = .riding
      default: break
      }
    }
    let louder: Float = [1, 1, 1.5, 3, 6][Int(random.next() % 5)]
    twin.sensor.rateNoise = min(noise.0 * louder, 0.018)
    twin.sensor.forceNoise = min(noise.1 * louder, 0.28)
  }

  @Test func whateverHappensTheMachineDoesWhatItsManualSays() {
    var kinds: [String: Int] = [:]
    var changes: Set<String> = []
    for seed in 1...72 {
      var parameters = shortParameters()
      MachineStoryTests.variations[seed % MachineStoryTests.variations.count](&parameters)
      var story = Story(parameters, seed: UInt64(seed))
      story.pass(seconds: 700)
      if let trouble = story.twin.trouble { Issue.record("seed \(seed): \(trouble)") }
      kinds.merge(story.twin.kinds, uniquingKeysWith: +)
      changes.formUnion(story.twin.changes)
    }
    // The stories are worth something only as long as everything happens in them.
    for kind in [
      "rideStarted", "standing observed", "standing silence", "resumed", "parked",
      "parked after a ride", "armed", "disarmed", "suspicious touch", "calmed", "movement handling", "movement tilt",
      "movement heading", "movement speed", "movement displacement", "movement lift", "movement carry", "stolen",
      "quiet",
      "quiet elsewhere",
    ] { #expect((kinds[kind] ?? 0) >= 2, "\(kind) happened \(kinds[kind] ?? 0) times") }
    #expect((kinds["travelledUnseen"] ?? 0) >= 1)
    for change in [
      "starting>settling", "settling>riding", "riding>settling", "riding>parked", "settling>parked",
      "parked>suspicious",
      "parked>alarmed", "parked>riding", "suspicious>parked", "suspicious>alarmed", "suspicious>settling",
      "alarmed>parked", "alarmed>stolen", "alarmed>settling", "stolen>settling", "stolen>riding",
    ] { #expect(changes.contains(change), "never \(change)") }
  }
}
