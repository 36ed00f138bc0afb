import FaultInjection
import ModemSimulation
import MotionEvaluation
import Quantities
import SIM7000
import Telemetry
import TrackerCore
import TrackerRuntime
import VehicleSimulation

/// Lives a scenario: one tracker after the other, with modem, network and servers, on the world's clock.
///
/// The tracker has two receivers: one by its modem, and a second server without it, each of which may be away while the other is not.
///
/// The world's time is the scene's. Inputs are pulled from the scene and the plan in the order of their times; at equal times the
/// plan comes first, then the scene. What is due in the tracker, the driver, the modem and the network before an input happens
/// before it, in the order of `TrackerRun`. A tracker's own clock begins with its life. Nothing that is called while one of the parts is
/// changed comes back here; looking that up took a sixth of each sample's time.
package final class LifeRun {
  @exclusivity(unchecked) private(set) var scenario: LifeScenario
  @exclusivity(unchecked) var player: StreetPlayer
  @exclusivity(unchecked) private var upcoming: StreetOutput?
  private let starts: [Double]
  /// How much of the plan has happened.
  @exclusivity(unchecked) var planned = 0
  /// Steps that were lived.
  @exclusivity(unchecked) private(set) var steps = 0
  @exclusivity(unchecked) var run: TrackerRun?
  let store: LifeStore
  let modem: LifeModem
  let server = LifeServer()
  let checker = LifeChecker()
  var witness: LifeWitness
  @exclusivity(unchecked) var report = LifeReport()
  let configuration: RunConfiguration
  private let makeLog: (Int) throws(RecordingError) -> (any RunLog)?
  private(set) var log: LifeLog?

  /// The world's time.
  @exclusivity(unchecked) package private(set) var now = Instant.zero
  /// The world's time at the tracker's zero.
  @exclusivity(unchecked) private(set) var boot = Instant.zero
  private(set) var life = 0
  /// The supply has gone: what the tracker still does has not happened.
  @exclusivity(unchecked) var isCut = false
  var cut: PowerCut?
  var cutAfterChanges: Int?
  @exclusivity(unchecked) var lineEnd: Instant?
  @exclusivity(unchecked) var offUntil: Instant?
  /// It is off as its battery is empty.
  var isStarved = false
  /// Until then rest is not passed over, as there is too little of it.
  var streamsUntil = Instant.zero
  /// What is drawn for nights that are passed over.
  var nightDice: SeededRandom
  /// The buzzer was told to sound.
  var hasSounded = false
  /// No server can be reached until then.
  var outageEnd: Instant?
  /// Rare states that were reached.
  @exclusivity(unchecked) var marks = RareStateMarks()
  /// What was counted when they were looked at last.
  @exclusivity(unchecked) var counted = RareCounts()
  /// The owner has something to answer, and waits for the tracker to tell it.
  @exclusivity(unchecked) var trouble = SensorTrouble()
  var owesAnswer = false
  /// When the owner answers it.
  @exclusivity(unchecked) var answerAt: Instant?
  var telephone: LifeTelephone
  /// When what is long ago is judged and forgotten.
  @exclusivity(unchecked) var settleAt = Instant.zero
  var hash = LifeHash()
  @exclusivity(unchecked) var truth = LifeTruth()
  @exclusivity(unchecked) var trips: LifeTrips
  @exclusivity(unchecked) var wheel: LifeWheel?
  /// What the sensors do.
  @exclusivity(unchecked) var senses: LifeSenses
  /// The battery; nil for one that nobody looks at.
  @exclusivity(unchecked) var battery: LifeBattery?
  /// How long the tracker itself thinks that its battery lasts.
  @exclusivity(unchecked) var forecast: LifeForecast

  /// Sees every event and packet with the world's time, for those who look on.
  package var observer: (Instant, RunOutput, [UInt8]) -> Void = { _, _, _ in }
  /// Sees all that the first server gets.
  package var receivedObserver: ([UInt8], Instant) -> Void = { _, _ in }
  /// Sees every fault as it strikes.
  package var faultObserver: (LifeEvent) -> Void = { _ in }

  /// A life about to begin.
  ///
  /// - Parameters:
  ///   - log: Makes the log of each life, by its number from 1; nil for none.
  package init(
    _ scenario: LifeScenario, _ configuration: RunConfiguration = RunConfiguration(),
    log: @escaping (Int) throws(RecordingError) -> (any RunLog)? = { _ in nil }
  ) throws(RecordingError) {
    self.scenario = scenario
    var configuration = configuration
    configuration.tracker.outbox.hasSpool = true
    while configuration.tracker.outbox.receivers.count < 2 { configuration.tracker.outbox.receivers.append(.all) }
    self.configuration = configuration
    makeLog = log
    player = StreetPlayer(scenario.scene.scene)
    starts = scenario.scene.scene.starts
    let origin = scenario.scene.scene.origin
    telephone = LifeTelephone(
      to: configuration.tracker.trackerID.span.withUnsafeBufferPointer { Array($0) }, utc: origin.utc)
    store = LifeStore(seed: scenario.seed)
    witness = LifeWitness(scenario.scene)
    let receiver = scenario.scene.scene.receiver
    trips = LifeTrips(every: receiver?.every ?? 1, sigma: receiver?.sigma ?? 0)
    wheel = scenario.wheel
    battery = scenario.battery
    var currents = scenario.currents
    if let battery { currents.capacity = battery.capacity }
    senses = LifeSenses(currents, wakeThreshold: scenario.wakeThreshold)
    forecast = LifeForecast(currents)
    nightDice = SeededRandom(seed: scenario.seed, stream: 40)
    let network = LifeRun.network(scenario)
    var dice = Dice(seed: scenario.seed ^ 0x6D6F64656D)
    var driver = FaultStory.driver()
    driver.wiring.hasReset = true
    let drawn = dice.pick([IdlePolicy.awake, .awake, .sleep])
    driver.idle = scenario.idle ?? drawn
    // Where it is asked for, the line is there by which it falls asleep; a drawn sleep has none, and is as good as awake.
    driver.wiring.hasDTR = scenario.idle == .sleep
    modem = LifeModem(
      transport: scenario.transport, driver: driver, module: SimulatedModemConfiguration(), network: network,
      seed: scenario.seed)
    store.mayKeep = { [unowned self] in mayKeep() }
    modem.onRecovery = { [unowned self] rung in markRecovery(rung) }
    modem.onDelivered = { [unowned self] sequence, time in
      takeReceived()
      checker.noteDelivered(sequence, at: time)
    }
    server.onReceived = { [unowned self] bytes, time in
      hash.add(bytes)
      hash.add(time.microseconds)
      checker.noteReceivedBySecond(bytes, at: time)
    }
    try begin(at: .zero)
  }

  private static func network(_ scenario: LifeScenario) -> VirtualNetwork {
    var network = VirtualNetwork.withServers(seed: scenario.seed)
    if let latency = scenario.latency { network.latency = latency }
    let origin = scenario.scene.scene.origin
    if origin != StreetOrigin() { network.utcTimeAtZero = origin.utc }
    for (mishap, perMille) in scenario.chances {
      network.setChance(of: mishap, on: FaultRun.channel(of: scenario.transport), perMille: perMille)
    }
    return network
  }

  // MARK: Lives

  private func begin(at time: Instant) throws(RecordingError) {
    life += 1
    report.lives = life
    boot = time
    isCut = false
    cut = nil
    cutAfterChanges = nil
    modem.begin(at: time, seed: scenario.seed &+ UInt64(life) &* 977)
    server.begin(at: time)
    log = LifeLog(try makeLog(life)) { [unowned self] in isCut }
    var first = PacketDelivery.Way(modem, format: .json)
    first.byteLimit = scenario.transport.payloadLimit
    checker.byteLimit = first.byteLimit
    let delivery = PacketDelivery(
      [first, PacketDelivery.Way(server, receiver: 1, format: .json)],
      parameters: configuration.tracker.outbox, seed: scenario.seed &+ UInt64(life))
    let run = try TrackerRun(configuration, log: log, delivery: delivery, store: store, spool: store) {
      [unowned self] output, bytes in
      note(output, bytes)
    }
    if scenario.hasKey, let key = LifeTelephone.key { run.door.key = key }
    run.onSound = { [unowned self] pattern, duration, _ in
      guard !isCut else { return }
      hasSounded = true
      player.sound(for: duration, beat: pattern.beat, at: now)
    }
    senses.begin(at: time)
    forecast.begin(modem: modem.microcoulombs, at: time)
    run.onSense = { [unowned self] plan, _ in
      guard !isCut else { return }
      senses.follow(plan, at: now)
      forecast.follow(plan, at: now)
      checker.noteSensing(plan, deadline: LifeRun.longestSleep(configuration), at: now)
    }
    checker.noteAwake(at: time)
    checker.noteCharged()
    battery?.noteRead(limit: nil, at: time)
    battery?.readSoon(at: time)
    self.run = run
    guard life > 1 else { return }
    let kept = store.settled
    try run.restore(kept.bytes, at: .zero)
    checkRestored(run, kept, at: time)
    markRestart(run, kept, at: time)
  }

  /// What a tracker is after a restart, beside what was kept.
  private func checkRestored(_ run: TrackerRun, _ kept: LifeStore.Content, at time: Instant) {
    let waiting = run.look { tracker in
      (0..<tracker.outbox.count).map { tracker.outbox.name(at: $0).sequence }
    }
    let missing = kept.packets.keys.filter { !waiting.contains($0) && !store.holds($0) }.sorted()
    checker.check(.stateIsKept, missing.isEmpty, at: time, "packets \(missing) were kept and are gone")
    checker.check(.stateIsKept, store.difference == nil, at: time, store.difference ?? "")
    guard let metres = kept.metres else { return }
    let odometer = run.distance
    checker.check(
      .stateIsKept, (odometer - metres).magnitude < 0.001, at: time,
      "the odometer was kept at \(metres) m and is \(odometer) m")
  }

  /// The supply goes.
  func die(at time: Instant) {
    guard let cut else { return }
    markCut(at: time)
    isCut = true
    modem.cut()
    server.cut()
    run = nil
    log = nil
    store.cut(cut.loss)
    if cut.takesModem {
      modem.bench.module.setSupply(millivolts: 0, at: modem.bench.now)
      modem.bench.settle()
    }
    senses.goOff(at: time)
    offUntil = time + cut.off
    witness.noteOff(from: time, until: time + cut.off)
    if trouble.swapsAxes(after: time - LifeWitness.calming) { witness.noteChange(from: time, until: time + cut.off) }
    checker.noteCut(at: time)
    report.cuts += 1
  }

  private func comeBack(at time: Instant) throws(RecordingError) {
    offUntil = nil
    isStarved = false
    witness.noteBack(at: time)
    // Axes that changed places meanwhile are as good as a tilt.
    if trouble.swapsAxes(after: time) { witness.noteChange(from: time, until: time) }
    modem.bench.run(until: time)
    if cut?.takesModem == true {
      modem.bench.module.setSupply(millivolts: modem.bench.module.configuration.supplyMillivolts, at: time)
      modem.bench.settle()
    }
    takeReceived()
    try begin(at: time)
  }

  private func mayKeep() -> Bool {
    guard !isCut else { return false }
    guard let left = cutAfterChanges else { return true }
    if left == 0 {
      // From here on nothing that the tracker does reaches the world.
      isCut = true
      modem.cut()
      server.cut()
      return false
    }
    cutAfterChanges = left - 1
    return true
  }

  // MARK: Time

  /// Lives one step; false when the life is over.
  package func step() throws(RecordingError) -> Bool {
    steps += 1
    checker.step = steps
    if upcoming == nil {
      if try passOver() { return true }
      upcoming = player.next()
    }
    guard let output = upcoming else { return false }
    let time = time(of: output)
    if time >= settleAt { settle() }
    if planned < scenario.plan.events.count, scenario.plan.events[planned].time <= time {
      let event = scenario.plan.events[planned]
      planned += 1
      try pass(to: event.time)
      try happen(event)
      return true
    }
    upcoming = nil
    try pass(to: time)
    try feed(output)
    if isCut, run != nil { die(at: now) }
    return true
  }

  private func time(of output: StreetOutput) -> Instant {
    switch output {
    case .inertial(let sample): sample.time
    case .fix(let fix): fix.time
    case .begin(_, let time): time
    }
  }

  /// Lets everything happen that is due by a time.
  func pass(to time: Instant) throws(RecordingError) {
    while true {
      var next = time
      if let until = offUntil { next = min(next, until) }
      if let end = lineEnd { next = min(next, end) }
      if let answerAt { next = min(next, max(now, answerAt)) }
      if let due = store.nextDeadline, run != nil { next = min(next, world(due)) }
      if let due = battery?.due { next = min(next, max(now, due)) }
      now = max(now, next)
      if let end = lineEnd, end <= now {
        lineEnd = nil
        modem.bench.toModule.rates = .none
        modem.bench.fromModule.rates = .none
      }
      if run != nil, let due = store.nextDeadline, world(due) <= now {
        store.advance(to: own(now))
        try run?.attend(at: own(now))
        if isCut { die(at: now) }
      }
      if let due = battery?.due, due <= now { try lookAtBattery() }
      if let until = offUntil, until <= now { try comeBack(at: until) }
      if let time = answerAt, time <= now { try answer(at: now) }
      if now >= forecast.due, run != nil, !isCut { forecast.keep(modem: modem.microcoulombs, at: now) }
      if next == time { return }
    }
  }

  func own(_ time: Instant) -> Instant { Instant.zero + (time - boot) }
  func world(_ time: Instant) -> Instant { boot + (time - .zero) }

  private func feed(_ output: StreetOutput) throws(RecordingError) {
    switch output {
    case .inertial(let sample):
      let way = trips.move(east: player.motion.east.value, north: player.motion.north.value, at: sample.time)
      wheel?.roll(way, at: sample.time)
      let reading = trouble.pass(sample)
      guard let run else { return }
      guard let reading, reading.time >= boot else { return try keepTime(of: run) }
      try feed(senses.take(reading, at: now), to: run)
      watch(run)
    case .fix(let fix):
      if let place = player.truePosition { truth.note(place, at: fix.time) }
      if scenario.scene.scene.sensor.make == .none {
        let way = trips.move(east: player.motion.east.value, north: player.motion.north.value, at: fix.time)
        wheel?.roll(way, at: fix.time)
      }
      guard let run else { return }
      if let reading = wheel?.reading(at: own(fix.time)) { try run.feed(.reading(.wheel(reading))) }
      guard !trouble.hidesFix(at: fix.time), senses.gives(fix) else { return }
      forecast.noteFix(hasPosition: fix.hasPosition, at: now)
      try run.feed(TrackerInput.fix(fix).shifted(by: .zero - (boot - .zero)))
      watch(run)
    case .begin(let number, let time):
      try begin(scenario.scene.scene.deeds[number], scenario.scene.tellings[number], number, at: time)
    }
    takeReceived()
  }

  /// What the inertial sensor hands on; what waited in its FIFO comes late.
  private func feed(_ outcome: WakeEngine.Outcome, to run: TrackerRun) throws(RecordingError) {
    let readings: [InertialSample]
    switch outcome {
    case .kept:
      return try keepTime(of: run)
    case .live(let reading):
      report.samples += 1
      checker.noteHeard(at: now)
      forecast.noteSample(at: now)
      return try run.feed(TrackerInput.inertial(reading).shifted(by: .zero - (boot - .zero)))
    case .woken(let history):
      readings = history
      checker.noteHeard(at: now)
      // Axes that changed places in its sleep are as good as a tilt: nothing has seen how that came.
      if trouble.swapsAxes(after: now - LifeWitness.calming) { witness.noteChange(from: now, until: now) }
    }
    for reading in readings where reading.time >= boot {
      report.samples += 1
      try run.feed(TrackerInput.inertial(reading).shifted(by: .zero - (boot - .zero)))
      forecast.noteSample(at: now)
    }
  }

  /// The tracker is to hear its inertial sensor after each time between two reports of a parked vehicle, and some seconds.
  private static func longestSleep(_ configuration: RunConfiguration) -> Interval {
    configuration.tracker.reports.parkedInterval + .seconds(1)
  }

  private func begin(_ deed: StreetDeed, _ telling: Telling?, _ number: Int, at time: Instant) throws(RecordingError) {
    let end = Instant(microseconds: Int64((starts[number + 1] * 1e6).rounded()))
    trips.begin(deed.kind, isOwners: telling == .maybe, from: time, to: end)
    if deed.kind.isDisturbance, telling == nil { report.disturbances += 1 }
    switch deed.kind {
    case .dismiss: try dismiss(at: time)
    case .buzzer: break
    case .ride where telling == .maybe, .upright where telling == .maybe:
      // The owner says so before it is touched.
      if deed.kind == .ride { report.ridden += 1 }
      witness.begin(telling, deed.kind, from: time, to: end)
      try run?.hear(Array("disarm".utf8), from: .console, at: own(time))
    default: witness.begin(telling, deed.kind, from: time, to: end)
    }
  }

  func watch(_ run: TrackerRun) {
    let count = run.look { $0.outbox.count }
    marks.note(.outboxFull, count == LifeChecker.outboxCapacity, at: now)
    marks.note(.spooled, store.count > 0, at: now)
    checker.check(.withinLimits, count <= LifeChecker.outboxCapacity, at: now, "\(count) packets wait")
  }

  /// Until the owner answers an alert that comes when the tracker is back.
  static var attention: Interval { .seconds(60) }

  /// The owner answers what has happened, or waits until it is told.
  private func dismiss(at time: Instant) throws(RecordingError) {
    owesAnswer = run == nil || witness.isUnheard
    if owesAnswer { witness.awaitTelling(at: time) } else { try answer(at: time) }
  }

  private func answer(at time: Instant) throws(RecordingError) {
    guard let run else {
      // It has gone once more.
      answerAt = nil
      owesAnswer = true
      return
    }
    answerAt = nil
    owesAnswer = false
    // What is due at that very time is told before.
    let alert = run.look { $0.lastAlert }
    if alert > 0 { try run.hear(Array("dismiss \(alert)".utf8), from: .console, at: own(time)) }
    witness.noteAnswer(at: time)
  }

  func takeReceived() {
    for payload in modem.takeReceived() where payload.channel == FaultRun.channel(of: scenario.transport) {
      hash.add(payload.bytes)
      hash.add(payload.time.microseconds)
      checker.noteReceived(payload.bytes, at: payload.time)
      receivedObserver(payload.bytes, payload.time)
    }
    markCounts()
  }

  /// One more thing goes wrong, from now on.
  package func add(_ event: LifeEvent) { scenario.plan.add(LifeEvent(event.fault, at: max(event.time, now))) }

  /// Where the vehicle truly is; nil in a scene without a receiver.
  package var truePosition: GeodeticPosition? { player.truePosition }

  /// What the tracker believes of the vehicle; nil while it is off.
  package var belief: (phase: String, isArmed: Bool)? { run.map { ("\($0.phase.name)", $0.isArmed) } }

  /// What is broken so far.
  package var broken: [BrokenPromise] { checker.broken }
}
