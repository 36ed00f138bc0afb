import Glibc
import Quantities
import TestSupport
import Testing

@testable import InertialFusion

/// A regression with all its pairs kept, in double precision.
private struct Pairs {
  var pairs: [(w: Double, x: Double, y: [Double], lastX: Double, lastY: [Double])] = []

  var weight: Double { pairs.reduce(0) { $0 + $1.w } }
  var xx: Double { pairs.reduce(0) { $0 + $1.w * $1.x * $1.x } }

  var response: [Double]? {
    guard xx > 1e-6, weight >= 10 else { return nil }
    return (0..<3).map { axis in pairs.reduce(0) { $0 + $1.w * $1.x * $1.y[axis] } / xx }
  }

  /// Residuals that follow each other count less, by how much they and what is expected do.
  var deviation: Double {
    guard let b = response else { return .infinity }
    var (squares, lagged, laggedX) = (0.0, 0.0, 0.0)
    for p in pairs {
      for axis in 0..<3 {
        let (now, last) = (p.y[axis] - b[axis] * p.x, p.lastY[axis] - b[axis] * p.lastX)
        squares += p.w * now * now
        lagged += p.w * now * last
      }
      laggedX += p.w * p.x * p.lastX
    }
    let product = min(max(lagged / squares * laggedX / xx, 0), 0.9)
    return (squares / (2 * (weight - 2)) * (1 + product) / (1 - product) / xx).squareRoot()
  }

  static func + (a: Pairs, b: Pairs) -> Pairs { Pairs(pairs: a.pairs + b.pairs) }

  mutating func fade(_ keep: Double) { for place in pairs.indices { pairs[place].w *= keep } }
}

/// One witness of forward as the comment of `MountChannel` has it.
private struct Witness {
  var slow = (x: 0.0, y: [0.0, 0, 0], seconds: 0.0)
  var last = (x: 0.0, y: [0.0, 0, 0])
  var parts = [Pairs()]
  var length = 60.0
  var dropped = 0
  var joined = 0

  mutating func add(x: Double, y: [Double], seconds: Double, _ p: MountParameters) {
    slow.seconds = min(slow.seconds + seconds, Double(p.highPass))
    let share = seconds / max(slow.seconds, seconds)
    slow.x += (x - slow.x) * share
    for axis in 0..<3 { slow.y[axis] += (y[axis] - slow.y[axis]) * share }
    let (x, y) = (x - slow.x, zip(y, slow.y).map { $0 - $1 })
    let keep = 1 - min(0.5, seconds / Double(p.memory))
    for place in parts.indices { parts[place].fade(keep) }
    if parts[parts.count - 1].weight >= length {
      if let drift, drift.significance > 9 {
        parts.removeFirst(drift.place)
        dropped += 1
      }
      if parts.count == 6 {
        parts = [0, 2, 4].map { parts[$0] + parts[$0 + 1] }
        length = min(2 * length, 480)
        joined += 1
      }
      parts.append(Pairs())
    }
    parts[parts.count - 1].pairs.append((1, x, y, last.x, last.y))
    last = (x, y)
  }

  mutating func interrupt() {
    slow.seconds = 0
    last = (0, [0, 0, 0])
  }

  var all: Pairs { parts.reduce(Pairs(), +) }

  /// How sure the comparison at a moment is.
  func deviation(at place: Int) -> Double? {
    let (older, newer) = (parts[..<place].reduce(Pairs(), +), parts[place...].reduce(Pairs(), +))
    guard let a = older.response, let b = newer.response else { return nil }
    func length(_ v: [Double]) -> Double { v.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let own = (older.deviation / length(a), newer.deviation / length(b))
    return (own.0 * own.0 + own.1 * own.1).squareRoot()
  }

  /// What came since a moment against what was before it.
  struct Drift {
    var place: Int
    var significance: Double
    var excess: Double
  }

  /// The comparisons that tell something.
  var drifts: [Drift] {
    parts.indices.dropFirst().compactMap { place -> Drift? in
      let (older, newer) = (parts[..<place].reduce(Pairs(), +), parts[place...].reduce(Pairs(), +))
      guard let a = older.response, let b = newer.response, let deviation = deviation(at: place), deviation < 0.35
      else {
        return nil
      }
      func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
      let angle = acos(dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot())
      let share = older.xx / (older.xx + newer.xx)
      return Drift(
        place: place, significance: angle * angle / (deviation * deviation + 0.0175 * 0.0175),
        excess: (angle * angle - deviation * deviation) * share * share)
    }
  }

  var drift: Drift? { drifts.max { $0.significance < $1.significance } }

  var drifted: (likely: Double, clear: Double) {
    (
      drifts.reduce(0) { $0 + max(0, $1.excess) } / Double(max(drifts.count, 1)),
      drifts.filter { $0.significance > 9 }.reduce(0) { max($0, $1.excess) }
    )
  }
}

/// Both sides of each limit of the mounting's calibration.
@Suite struct MountLimitTests {
  @Test func theDefaultsAreThoseOfTheManual() {
    let p = MountParameters()
    #expect(p.interval == 1 && p.minimumSpeed == 2 && p.worstAccuracy == 30 && p.assumedSpeed == 5)
    #expect(p.ridingScatter == 0.3 && p.highPass == 3 && p.memory == 1800 && p.minimumRiding == 60)
    #expect(p.forwardLimit == 0.14 && p.upLimit == 0.052 && p.remountTilt == 0.44)
  }

  @Test(arguments: [(Float(3), Float(1800)), (3, 120), (8, 1800), (1.5, 40)])
  func aWitnessIsTheRegressionOfItsPairs(highPass: Float, memory: Float) {
    var parameters = MountParameters()
    (parameters.highPass, parameters.memory) = (highPass, memory)
    var random = SeededRandom(seed: 521)
    var channel = MountChannel()
    var model = Witness()
    var coloured = Vector3.zero
    for step in 0..<900 {
      if step == 150 {
        channel.interrupt()
        model.interrupt()
      }
      let x = 2 * Elementary.sin(Float(step) * 0.7) + Float(random.normal()) * 0.3 + 0.4
      coloured = coloured * 0.6 + random.vector(deviation: 0.4)
      let turned: Float = step < 560 ? 0.2 : 1.1
      let y = Vector3(Elementary.cos(turned), Elementary.sin(turned), 0.1) * x + coloured + Vector3(3, -2, 1)
      let seconds: Float = step % 7 == 0 ? 1.6 : 1
      channel.add(x: x, y: y, seconds: seconds, parameters)
      model.add(x: Double(x), y: [Double(y.x), Double(y.y), Double(y.z)], seconds: Double(seconds), parameters)
      // Its regressions take as long as everything before: they are made at the beginning, around the gap, and then now and then.
      guard step < 30 || (145..<165).contains(step) || step % 7 == 3 else { continue }
      #expect(abs(Double(channel.all.weight) / model.all.weight - 1) < 1e-3, "step \(step)")
      guard let wanted = model.all.response else {
        #expect(channel.all.response == nil)
        continue
      }
      let found = channel.all.response ?? .zero
      #expect(abs(Double(found.x) - wanted[0]) < 2e-3 && abs(Double(found.y) - wanted[1]) < 2e-3, "step \(step)")
      #expect(
        abs(Double(found.z) - wanted[2]) < 2e-3 && abs(Double(channel.all.deviation) / model.all.deviation - 1) < 0.02)
      // One that is as vague as may be is told by the one and not by the other.
      let isVague = model.parts.indices.dropFirst().contains { place in
        guard let own = model.deviation(at: place) else { return false }
        return abs(own - 0.35) < 0.01
      }
      let (likely, clear) = channel.drifted
      let expected = model.drifted
      if !isVague {
        #expect(abs(Double(likely) - expected.likely) < 0.005 + 0.03 * expected.likely, "step \(step)")
      }
      if clear > 0, expected.clear > 0 {
        #expect(abs(Double(clear) / expected.clear - 1) < 0.05, "step \(step)")
      }
    }
    #expect(model.dropped >= 1 || memory < 150)
    #expect(model.joined >= 1 || memory < 150)
  }

  @Test func theLeanIsThatOfTheTurnsBothWays() {
    // A two-wheeler balances; its roll is the change of the balance, both leaking away alike.
    var lean = MountLean()
    var balance: [Double] = []
    var (leaked, angles): (Double, [Double]) = (0, [])
    var (turned, felt): (Double, [Double]) = (0, [])
    for step in 0..<60 {
      let seconds = step % 5 == 0 ? 1.5 : 1.0
      let angle = 0.3 * sin(Double(step) * 0.8)
      let rate = step == 0 ? 0.1 : (angle - (balance.last ?? 0)) / seconds
      let pair = lean.add(
        balance: Float(angle), rate: Vector3(Float(rate), 0, 0), seconds: Float(seconds), timeConstant: 4)
      let keep = 1 / (1 + seconds / 4)
      let before = turned
      turned = (turned + rate * seconds) * keep
      if let last = balance.last {
        leaked = (leaked + angle - last) * keep
        angles.append(leaked)
        felt.append((before + turned) / 2)
      }
      balance.append(angle)
      #expect((pair != nil) == (angles.count >= 2))
      guard let pair, angles.count >= 2 else { continue }
      let n = angles.count
      #expect(abs(Double(pair.expected) - (angles[n - 1] + angles[n - 2]) / 2) < 1e-5)
      #expect(abs(Double(pair.felt.x) - (felt[n - 1] + felt[n - 2]) / 2) < 1e-5 && pair.felt.y == 0)
    }
  }

  @Test func upIsTheMeanForceAndAsCertainAsItsScatter() {
    var gravity = MountGravity()
    #expect(gravity.deviation == .infinity && gravity.recentTilt == nil)
    let memory: Float = 200
    for step in 0..<400 {
      let side: Float = step % 2 == 0 ? 0.6 : -0.6
      gravity.add(Vector3(side, 0, 9.8), acceleration: 0.2, slope: step < 250 ? nil : 0.01, seconds: 1, memory: memory)
      #expect(gravity.seconds == min(Float(step + 1), memory))
      if step >= 1 { #expect(abs(gravity.mean.z - 9.8) < 1e-3 && abs(gravity.mean.x) < 0.62 / Float(min(step, 199))) }
      // Half a minute, and a minute in all, before a tilt is told.
      #expect((gravity.recentTilt != nil) == (step + 1 >= 60), "\(step)")
      let felt: Float = step < 250 ? 0.2 : 0.2 + 0.098_066_5 * (1 - exp(-Float(step - 249) / 200))
      #expect(abs(gravity.forward - felt) < 0.003, "\(step): \(gravity.forward)")
    }
    // 0.6 m/s² on one of two axes, averaged over ten times twenty seconds; a degree of offsets, and no slope: heights are known.
    let scatter = (0.18 / (9.8 * 9.8) / 10).squareRoot()
    #expect(abs(Double(gravity.deviation) - (scatter * scatter + 0.0175 * 0.0175).squareRoot()) < 4e-4)
    var flat = MountGravity()
    for _ in 0..<400 { flat.add(Vector3(0, 0, 9.8), acceleration: 0, slope: nil, seconds: 1, memory: 1800) }
    #expect(abs(flat.deviation - (0.0175 * 0.0175 + 0.0262 * 0.0262).squareRoot()) < 1e-5)
    // Tipped: the last half minute against the ride.
    for _ in 0..<60 { flat.add(Vector3(9.8, 0, 0), acceleration: 0, slope: nil, seconds: 1, memory: 1800) }
    let recent = 1 - exp(-2.0)
    let (a, b) = (atan2(recent, 1 - recent), atan2(60.0, 400))
    #expect(abs(Double(flat.recentTilt ?? 0) - (a - b)) < 0.02, "\(flat.recentTilt ?? 0)")
  }

  @Test func intervalsOfFixesHaveTheirLength() {
    func run(_ step: Double, _ change: (inout MountParameters) -> Void = { _ in }) -> MountCalibration {
      var road = Road.sawtooth
      road.fixEvery = step
      return road.calibrated(seconds: 60, change)
    }
    // From 0.95 of the interval on each is one; shorter ones wait for the next fix.
    #expect(abs(run(0.96).acceleration.all.weight - 52) < 3)
    #expect(abs(run(0.92).acceleration.all.weight - 27) < 3)
    #expect(abs(run(0.92) { $0.interval = 0.9 }.acceleration.all.weight - 54) < 3)
    // Longer than three of them they tell nothing.
    #expect(run(2.96).estimate.ridingSeconds > 50 && run(3.04).estimate.ridingSeconds == 0)
    #expect(run(3.04) { $0.interval = 1.2 }.estimate.ridingSeconds > 50)
  }

  @Test func slownessPoorFixesAndQuietAreNoRide() {
    func seconds(_ change: (inout Road) -> Void, parameters: (inout MountParameters) -> Void = { _ in }) -> Float {
      var road = Road.curves
      change(&road)
      return road.calibrated(seconds: 30, parameters).estimate.ridingSeconds
    }
    #expect(seconds { $0.speed = { _ in 1.99 } } == 0 && seconds { $0.speed = { _ in 2 } } > 28)
    #expect(seconds({ $0.speed = { _ in 2 } }, parameters: { $0.minimumSpeed = 2.1 }) == 0)
    // Without a speed the scatter tells; a fix that is refused is as none.
    #expect(seconds { $0.accuracy = 30 } > 28)
    for (accuracy, hasSpeed) in [(30.0, true), (30.1, false)] {
      var road = Road.curves
      road.accuracy = accuracy
      #expect(road.calibrated(seconds: 5).hasSpeed == hasSpeed)
      #expect(road.calibrated(seconds: 5) { $0.worstAccuracy = 29 }.hasSpeed == false)
    }
    func scattered(_ noise: Float, _ change: (inout MountParameters) -> Void = { _ in }) -> Float {
      var road = Road.curves
      (road.hasFixes, road.noise, road.force) = (false, 0, { _ in .zero })
      road.force = { time in Vector3(1, 1, 1) * (Int((time * 25).rounded()) % 2 == 0 ? noise : -noise) }
      return road.calibrated(seconds: 30, change).estimate.ridingSeconds
    }
    #expect(scattered(0.285) == 0 && scattered(0.31) > 27)
    #expect(scattered(0.31) { $0.ridingScatter = 0.35 } == 0)
    // Speeds no vehicle has.
    for (speed, isTaken) in [(0.0, true), (-0.1, false), (199.9, true), (200, false), (.nan, false)] {
      var calibration = MountCalibration()
      var fix = GNSSFix(time: .seconds(1))
      fix.speed = speed
      calibration.process(fix)
      #expect(calibration.hasSpeed == isTaken)
    }
  }

  @Test func whereNoSpeedIsToldOneIsAssumed() {
    var road = Road.curves
    (road.hasFixes, road.noise) = (false, 0.5)
    for assumed: Float in [4, 5, 8, 16] {
      let estimate = road.calibrated(seconds: 120) { $0.assumedSpeed = assumed }.estimate
      #expect(abs(estimate.cornering.gain - 8 / assumed) < 0.12 * 8 / assumed, "\(assumed): \(estimate.cornering.gain)")
      // The right way at any speed.
      #expect(estimate.cornering.forward.x > 0.98 && estimate.cornering.isUsed && !estimate.lean.isUsed)
    }
  }

  @Test func whatIsOlderThanTheMemoryFades() {
    for memory: Float in [100, 1800] {
      let calibration = Road.sawtooth.calibrated(seconds: 200) { $0.memory = memory }
      #expect(abs(calibration.estimate.ridingSeconds - min(memory, 199)) < 2)
      let weight = memory * (1 - exp(-200 / memory))
      #expect(abs(calibration.acceleration.all.weight / weight - 1) < 0.08, "\(calibration.acceleration.all.weight)")
    }
  }

  @Test func eachLimitOfReliabilityHasTwoSides() {
    for (seconds, obstacle) in [(59.5, MountObstacle.tooLittleRiding), (62, nil)] as [(Double, MountObstacle?)] {
      #expect(Road.sawtooth.calibrated(seconds: seconds).estimate.obstacle == obstacle)
    }
    #expect(Road.sawtooth.calibrated(seconds: 62) { $0.minimumRiding = 70 }.estimate.obstacle == .tooLittleRiding)
    let plain = Road.sawtooth.calibrated(seconds: 120).estimate
    #expect(plain.isReliable && plain.uncertaintyRatio < 1 && plain.acceleration.isUsed)
    let wanted = max(plain.upDeviation / 0.052, plain.forwardDeviation / 0.14)
    #expect(abs(plain.uncertaintyRatio / wanted - 1) < 1e-5)
    func estimate(_ change: (inout MountParameters) -> Void) -> MountEstimate {
      Road.sawtooth.calibrated(seconds: 120, change).estimate
    }
    #expect(estimate { $0.forwardLimit = plain.forwardDeviation * 1.01 }.isReliable)
    let forward = estimate { $0.forwardLimit = plain.forwardDeviation * 0.99 }
    #expect(forward.obstacle == .forwardUncertain && forward.uncertaintyRatio > 1)
    #expect(estimate { $0.upLimit = plain.upDeviation * 1.01 }.isReliable)
    #expect(estimate { $0.upLimit = plain.upDeviation * 0.99 }.obstacle == .upUncertain)
  }

  /// A road that rises by a tenth all along: only heights tell it from a sensor that is tilted back.
  @Test func heightsTellTheSlopeOfTheRoad() {
    func way(_ time: Double) -> Double {
      let phase = time.truncatingRemainder(dividingBy: 20)
      let whole = 180 * (time / 20).rounded(.down)
      return whole
        + (phase < 10 ? 4 * phase + phase * phase / 2 : 90 + 14 * (phase - 10) - (phase - 10) * (phase - 10) / 2)
    }
    var hill = Road.sawtooth
    let push = hill.force
    hill.force = { push($0) + Vector3(0.975, 0, -0.049) }
    let blind = hill.calibrated(seconds: 200).estimate
    #expect(abs(blind.up.x - 0.0995) < 0.012 && blind.upDeviation > 0.03)
    for isEllipsoidal in [false, true] {
      hill.isEllipsoidal = isEllipsoidal
      hill.height = { 300 + 0.1 * way($0) }
      let told = hill.calibrated(seconds: 200)
      #expect(abs(told.estimate.up.x) < 0.015 && told.estimate.upDeviation < 0.9 * blind.upDeviation)
      #expect(abs(told.gravity.forward - 0.98) < 0.1)
    }
    // No road is steeper than a quarter, up or down; what is no height is none.
    for (rise, slope) in [(1000.0, Float(0.25)), (-1000, -0.25)] {
      hill.height = { rise * $0 }
      let jumping = hill.calibrated(seconds: 60)
      #expect(abs(jumping.gravity.forward - slope * 9.80665) < 0.1, "\(jumping.gravity.forward)")
    }
    hill.height = { 99_990 + 0.1 * way($0) }
    #expect(abs(hill.calibrated(seconds: 60).gravity.forward) < 0.3)
  }

  /// Five minutes up a slope of 12 % after ten on the level: with heights it is told from a sensor that was tipped.
  @Test func aClimbIsNoTip() {
    func estimate(knowsHeights: Bool) -> MountEstimate {
      var road = Road.sawtooth
      let level = road.force
      road.force = { level($0) + ($0 < 600 ? .zero : Vector3(0.12 * Gravity.standard, 0, 0)) }
      // The sawtooth's mean speed is 9 m/s.
      if knowsHeights { road.height = { $0 < 600 ? 100 : 100 + ($0 - 600) * 9 * 0.12 } }
      return road.calibrated(seconds: 900).estimate
    }
    let known = estimate(knowsHeights: true)
    #expect(known.isReliable && known.upDeviation < 0.03, "\(known.upDeviation)")
    let unknown = estimate(knowsHeights: false)
    #expect(unknown.obstacle == .upUncertain && unknown.upDeviation > 0.06, "\(unknown.upDeviation)")
  }

  @Test func aSensorThatIsTippedIsANewMounting() {
    var road = Road.sawtooth
    road.turn = (Quaternion(rotationVector: Vector3(0.6, 0, 0)), 300)
    var most: Float = 0
    _ = road.calibrated(
      seconds: 420, { $0.remountTilt = 9 }, each: { most = max(most, $0.gravity.recentTilt ?? 0) })
    #expect(most > 0.42 && most < 0.6, "\(most)")
    #expect(road.calibrated(seconds: 420) { $0.remountTilt = most * 1.01 }.remountCount == 0)
    let noticed = road.calibrated(seconds: 420) { $0.remountTilt = most * 0.98 }
    #expect(noticed.remountCount == 1 && noticed.estimate.ridingSeconds < 60)
    // All that was found before is forgotten, and it is found again.
    let again = road.calibrated(seconds: 520) { $0.remountTilt = most * 0.98 }
    let up = road.turn.0.rotate(Vector3(0, 0, 1))
    #expect(again.remountCount == 1 && again.estimate.isReliable && (again.estimate.up - up).length < 0.03)
    let front = again.estimate.bodyFromSensor.rotate(road.turn.0.rotate(Vector3(1, 0, 0)))
    #expect(front.x > 0.99)
  }

  @Test func turnedBackToFrontIsANewMountingToo() {
    var road = Road.sawtooth
    road.turn = (Quaternion(rotationVector: Vector3(0, 0, .pi)), 200)
    let calibration = road.calibrated(seconds: 420)
    #expect(calibration.remountCount == 1)
    #expect(calibration.estimate.bodyFromSensor.rotate(Vector3(1, 0, 0)).x < -0.97)
    // 45° about the vertical is within what witnesses may err: the newer part counts.
    road.turn = (Quaternion(rotationVector: Vector3(0, 0, 0.8)), 200)
    #expect(road.calibrated(seconds: 420).remountCount == 0)
  }

  @Test func samplesThatCannotBeUsedAreCountedAndABreakBeginsAnew() {
    var calibration = MountCalibration()
    let up = Vector3(0, 0, 9.8)
    func take(_ milliseconds: Int, _ force: Vector3?, _ rate: Vector3? = .zero) {
      calibration.process(InertialSample(time: .milliseconds(milliseconds), angularRate: rate, specificForce: force))
    }
    take(10, up)
    let bad: [(Int, Vector3?, Vector3?)] = [
      (10, up, .zero), (9, up, .zero), (20, nil, .zero), (20, Vector3(.nan, 0, 0), .zero),
      (20, Vector3(0, 4000, 0), .zero),
      (20, up, Vector3(0, .infinity, 0)), (20, up, Vector3(200, 0, 0)),
    ]
    for (place, (time, force, rate)) in bad.enumerated() {
      take(time, force, rate)
      #expect(calibration.rejectedSamples == UInt32(place + 1))
    }
    take(20, Vector3(0, 3999, 0), Vector3(199, 0, 0))
    take(30, up, nil)
    #expect(calibration.rejectedSamples == 7)
  }

  /// A soft car rolls outwards by a third of what a bicycle leans inwards; a stiff rider feels half of a turn to the left.
  @Test func theLargerOfTwoWitnessesThatExcludeEachOtherCounts() {
    func slope(_ time: Double) -> Float { (Road.lean(time + 0.02) - Road.lean(time - 0.02)) / 0.04 }
    var car = Road.curves
    let yaw = car.rate
    car.rate = { yaw($0) + Vector3(-0.35 * slope($0), 0, 0) }
    let soft = car.calibrated(seconds: 200).estimate
    #expect(soft.lean.gain > 0.2 && soft.lean.forward.x < -0.9 && !soft.lean.isUsed && soft.cornering.isUsed)
    #expect(soft.isReliable && soft.bodyFromSensor.rotate(Vector3(1, 0, 0)).x > 0.99)
    var bicycle = Road.winding
    let weight = bicycle.force
    bicycle.force = { weight($0) + Vector3(0, 0.42, 0) * (8 * 0.25 * Elementary.sin(Float(0.5 * $0))) }
    let stiff = bicycle.calibrated(seconds: 200).estimate
    #expect(
      stiff.cornering.gain > 0.4 && !stiff.cornering.isUsed && stiff.lean.isUsed, "\(stiff.cornering) \(stiff.lean)")
    #expect(stiff.isReliable && stiff.bodyFromSensor.rotate(Vector3(1, 0, 0)).x > 0.99)
  }

  /// The whole answer, to the last bit, of rides of every kind.
  @Test func theAnswersOfEveryKindOfRideAreTheSameToTheLastBit() {
    var lines: [String] = []
    func text(_ v: Vector3) -> String { "\(v.x) \(v.y) \(v.z)" }
    func text(_ e: MountEvidence) -> String {
      "\(text(e.forward)) \(e.deviation) \(e.gain) \(e.isUsed ? "used" : "unused")"
    }
    var mixed = Road.winding
    mixed.speed = Road.sawtooth.speed
    let (sway, push) = (Road.winding.force, Road.sawtooth.force)
    mixed.force = { sway($0) + push($0) }
    mixed.turn = (Quaternion(rotationVector: Vector3(0.2, -1, 2.4)), 180)
    var blind = Road.winding
    (blind.hasFixes, blind.noise) = (false, 0.5)
    var stopping = Road.curves
    stopping.speed = { time in Int(time) % 60 < 12 ? 0 : 8 }
    stopping.noise = 0.4
    for (name, road) in [
      ("curves", Road.curves), ("sawtooth", .sawtooth), ("winding", .winding), ("mixed", mixed), ("blind", blind),
      ("stopping", stopping),
    ] {
      var seconds = 0
      _ = road.calibrated(
        seconds: 300,
        each: { calibration in
          seconds += 1
          guard seconds % 30 == 0 else { return }
          let e = calibration.estimate
          let q = e.bodyFromSensor
          lines.append(
            """
            \(name) \(seconds) body \(q.w) \(q.x) \(q.y) \(q.z) up \(text(e.up)) sigma \(e.upDeviation) \
            \(e.forwardDeviation) riding \(e.ridingSeconds) acceleration \(text(e.acceleration)) cornering \
            \(text(e.cornering)) lean \(text(e.lean)) ratio \(e.uncertaintyRatio) \
            \(e.obstacle.map { "\($0)" } ?? "reliable") remounts \(calibration.remountCount)
            """)
        })
    }
    let differences = differences(lines, fromGolden: "mount")
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("winding 300") && $0.contains("reliable") })
    #expect(lines.contains { $0.hasPrefix("curves 300") && $0.contains("reliable") })
  }
}
