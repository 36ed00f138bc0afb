import LinuxDevices
import Quantities
import Requests
import Telemetry
import TrackerRuntime
import TrackerCore
import Uplinks

/// What a board is made of, ready to be started.
package struct BoardParts {
  /// Sensors.
  package var sensors: [any SensorSource]
  /// Ways to receivers, of each the preferred first; their ports are uplinks.
  package var ways: [PacketDelivery.Way]
  /// The modem among them, for its dialogue and its receiver; nil when there is none.
  package var modem: CellularUplink?
  /// What sounds; nil for nothing.
  package var sound: (any SoundMaker)?

  /// Parts.
  package init(
    sensors: [any SensorSource], ways: [PacketDelivery.Way], modem: CellularUplink? = nil,
    sound: (any SoundMaker)? = nil
  ) {
    self.sensors = sensors
    self.ways = ways
    self.modem = modem
    self.sound = sound
  }

  /// Parts with one receiver.
  package init(sensors: [any SensorSource], uplinks: [any Uplink], modem: CellularUplink? = nil) {
    self.init(sensors: sensors, ways: uplinks.map { PacketDelivery.Way($0) }, modem: modem)
  }
}

/// The tracker on a board: one event loop that gives sensors, servers and time to the same run that replays use.
///
/// Whatever goes in goes to the recorder first and then to the tracker; whatever the tracker wants kept is on the storage
/// before a packet leaves, or has been on its way there for two seconds. Nothing here waits but the loop itself.
package final class BoardRun {
  /// What it runs with.
  package let configuration: BoardConfiguration
  /// Sensors with their states.
  package let sensors: [SupervisedSensor]
  /// Brings packets to their receivers.
  package let delivery: PacketDelivery
  /// What packets go through, each port once.
  package let uplinks: [any Uplink]
  /// The modem; nil when there is none.
  package let modem: CellularUplink?
  /// Lets receivers sleep.
  package let reception: ReceiverRest
  /// What survives a restart.
  package let store: StateStore
  /// The recording; nil when nothing is recorded.
  package let recorder: RideRecorder?
  /// The last minutes.
  package internal(set) var history = LiveHistory()
  /// The last requests.
  package internal(set) var heard = RequestHistory()
  /// The last alert, and since when it is parked.
  package private(set) var alarms = AlarmHistory()
  /// Requests that the page's server refused before anybody looked at them: from other pages, too long, or of another form.
  var refusedByPage = 0
  /// Rules of the configuration that the tracker did not take, a line each with the reason.
  package internal(set) var ruleProblems: [String] = []
  /// Pace of what is refused.
  var pagePace = PagePace()
  /// When it was started.
  package let startedAt: Instant
  /// True when the tracker goes on where an earlier life was.
  package private(set) var isRestored = false

  /// What the last request was answered, by the name of its reason; nil when its answer is no status.
  package private(set) var lastAnswer: String?
  /// True when that answer says that nothing was done.
  package private(set) var isRefusal = false
  /// What that answer told besides: the reason of `ruleRefused`, the value that was asked for; nil for nothing.
  package private(set) var lastValue: String?
  /// Why the last request was refused; nil when it was let in.
  package private(set) var lastRefusal: String?

  /// Sees everything the tracker does, in order, with its JSON or the packet's bytes.
  package var onOutput: (RunOutput, [UInt8]) -> Void = { _, _ in }

  /// How its switches stand, those that have been read.
  private var contacts = Contacts()

  /// Called when the tracker is to start anew: what came before is done, and kept or has waited for it. The owner stops the board and
  /// makes another.
  package var onRestart: () -> Void = {}

  let loop: EventLoop
  let run: TrackerRun
  private let relay = OutputRelay()
  private let buzzer: Buzzer?
  private var clockwork: Clockwork?
  private var hasNews = false
  /// What a modem's receiver has told and the run has not taken yet.
  private var positions: [SensorInput] = []

  /// A board that is not started yet.
  ///
  /// - Parameters:
  ///   - configuration: Checked.
  ///   - parts: Sensors and uplinks as the configuration wants them.
  ///   - storage: Where it keeps its state and its recording.
  ///   - loop: The loop that its owner turns; its clock is the board's.
  ///   - now: The time on that clock.
  /// - Throws: When the settings make no tracker.
  package init(
    _ configuration: BoardConfiguration, parts: BoardParts, storage: BoardStorage, loop: EventLoop, at now: Instant
  ) throws(DeviceFailure) {
    self.configuration = configuration
    self.loop = loop
    startedAt = now
    modem = parts.modem
    buzzer = parts.sound.map { Buzzer($0) }
    store = storage.store
    recorder = storage.recorder
    var settings = configuration.tracker
    // Without a seed of the owner's each run draws its own: many trackers must not come back at the same moment.
    if !configuration.hasFixedSeed { settings.seed = UInt64.random(in: 1...UInt64.max) }
    delivery = PacketDelivery(
      parts.ways, parameters: settings.tracker.outbox, fallbackAfter: configuration.fallbackAfter, seed: settings.seed)
    uplinks = delivery.ports.compactMap { $0 as? any Uplink }
    let relay = relay
    do throws(RecordingError) {
      run = try TrackerRun(settings, log: recorder, delivery: delivery, store: store, spool: store.spool) {
        output, bytes in
        relay.onOutput(output, bytes.withUnsafeBufferPointer { Array($0) })
      }
    } catch {
      throw DeviceFailure(.create, configuration.recording?.folder ?? "", .other)
    }
    run.door = configuration.requestDoor
    sensors = parts.sensors.map { SupervisedSensor($0) }
    reception = ReceiverRest(sensors, modem: configuration.gnss == .modem ? parts.modem : nil)
    relay.onOutput = { [unowned self] output, bytes in self.take(output, bytes) }
    for sensor in sensors { sensor.sink = { [unowned self] input in self.take(input) } }
    run.onSound = { [unowned self] in self.buzzer?.sound($0, for: $1, from: $2, at: self.loop.clock.now) }
    run.onSense = { [unowned self] plan, _ in self.reception.follow(plan) }
    run.onRestart = { [unowned self] in self.onRestart() }
    delivery.onNews = { [unowned self] in self.hasNews = true }
    for case let broker as MQTTUplink in uplinks {
      broker.utc = { [unowned self] in self.run.utc(of: $0) }
      broker.boardState = { [unowned self] in self.stateForServers }
    }
    // These come while the run looks after its uplinks: it must be done with that before it takes an input.
    delivery.onSentences = { [unowned self] in self.positions.append(.sentences($0, at: self.loop.clock.now)) }
    delivery.onFix = { [unowned self] in self.positions.append(.fix($0)) }
    delivery.onReading = { [unowned self] in self.positions.append(.reading($0)) }
    receiver?.onNews = { [unowned self] in self.takeNewsOfReceiver() }
  }

  /// The modem when it is used for its satellite receiver alone, and is no way to the server.
  var receiver: CellularUplink? {
    guard let modem, !uplinks.contains(where: { $0 === modem }) else { return nil }
    return modem
  }

  private func takeNewsOfReceiver() {
    while let news = modem?.nextNews() {
      switch news {
      case .sentences(let bytes): positions.append(.sentences(bytes, at: loop.clock.now))
      case .fix(let fix): positions.append(.fix(fix))
      case .reading(let reading): positions.append(.reading(reading))
      case .delivered, .undelivered, .madeRoom, .request, .answer, .textMessage: break
      }
    }
  }

  /// Lets whoever knows the secret become the owner.
  package func offer(claimSecret: RequestKey) { run.door.claimSecret = claimSecret }

  // MARK: Life

  /// Goes on where an earlier life was, and starts sensors and uplinks.
  ///
  /// - Throws: What no retry will mend, such as a certificate that is not there.
  package func start() throws(DeviceFailure) {
    let now = loop.clock.now
    if let state = try store.restoration() { isRestored = (try? run.restore(state, at: now)) ?? false }
    if !isRestored { try? run.tellSpool() }
    let clockwork = Clockwork(self)
    self.clockwork = clockwork
    loop.add(clockwork)
    if let buzzer { loop.add(buzzer) }
    if let wakeUp = store.wakeUp { try loop.watch(wakeUp.descriptor, for: .reading, by: clockwork) }
    do throws(DeviceFailure) {
      for uplink in uplinks { try uplink.start(in: loop, at: now) }
    } catch {
      for uplink in uplinks { uplink.stop() }
      throw error
    }
    try receiver?.start(in: loop, at: now)
    for sensor in sensors { sensor.start(in: loop, at: now) }
    // A tracker without any sensor still reports that it lives.
    try? run.feed(.tick(now))
    tellRules()
    settle()
  }

  /// One turn of the loop with all that follows from it.
  package func turn(until limit: Instant? = nil) {
    loop.turn(until: limit)
    settle()
  }

  /// Stops everything in good order; what waits in the outbox waits in the file.
  package func stop() {
    for sensor in sensors { sensor.stop() }
    // What has been acknowledged by now need not be sent again in the next life.
    settle()
    for uplink in uplinks { uplink.stop() }
    receiver?.stop()
    if let clockwork { loop.remove(clockwork) }
    if let buzzer {
      buzzer.stop()
      loop.remove(buzzer)
    }
    // What could not be kept while the disk was full, and the last metres of the odometer.
    run.look { store.close($0) }
    run.tellKept()
    recorder?.close()
  }

  /// Gives the tracker a request of the owner, as `leash tell` has it.
  ///
  /// - Parameter kept: Called when what it does is on the storage, or has waited two seconds for it.
  /// - Returns: False when it is none or is refused; nothing is called then.
  @discardableResult package func request(_ text: String, kept: @escaping () -> Void = {}) -> Bool {
    lastRefusal = nil
    lastValue = nil
    guard Request(text: text) != nil,
      let heard = try? run.hear(Array(text.utf8), from: .console, at: loop.clock.now)
    else { return false }
    if case .refused(let reason, _) = heard.verdict {
      lastRefusal = "\(reason.word)"
      return false
    }
    lastAnswer = heard.answer.map { "\($0.name)" }
    isRefusal = heard.answer?.isRefusal ?? false
    lastValue = heard.value?.string
    run.whenKept(kept)
    settle()
    return true
  }

  // MARK: Inputs and outputs

  private func take(_ input: SensorInput) {
    // The recorder swallows its own troubles, so that there is nothing to catch.
    switch input {
    case .inertial(let sample):
      try? run.feed(.inertial(sample))
      history.add(sample, evidence: run.look { $0.monitor.estimator.rest.evidence.activity })
    case .fix(let fix):
      try? run.feed(.fix(fix))
      noteTrack()
    case .reading(let reading):
      if case .contacts(let switches) = reading { contacts.update(with: switches.contacts) }
      try? run.feed(.reading(reading))
    case .sentences(let bytes, let time):
      try? run.feed(.bytes(port: Port.gnss.rawValue, time: time), payload: bytes)
      noteTrack()
    }
  }

  /// What no packet says, for a server that shows it: packets that wait, whether it is tracked live, and its switch against tampering,
  /// if it has one.
  private var stateForServers: [UInt8] {
    let isLive = alarms.liveUntil.map { $0 > loop.clock.now } ?? false
    let tamper = contacts[.tamper].map { ",\"tamper\":\($0)" } ?? ""
    return Array("{\"outbox\":\(unsentCount),\"live\":\(isLive)\(tamper)}".utf8)
  }

  private func noteTrack() {
    guard let fix = run.lastFix, let position = fix.position else { return }
    reception.noteFix(at: fix.time)
    if let last = history.track.last, last.t == fix.time.secondsDouble { return }
    history.add(position, phase: "\(run.phase.name)", at: fix.time)
  }

  private func take(_ output: RunOutput, _ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    switch output {
    case .event(let event):
      history.add("event", json: text, at: run.now)
      heard.note(event)
      alarms.note(event)
      noteRules(event)
    case .packet(let sequence, _):
      history.add("packet", json: text, at: run.now)
      let packet = run.look { tracker in tracker.outbox.place(of: sequence).map { tracker.outbox.packet(at: $0) } }
      if let packet {
        heard.note(packet)
        alarms.note(packet)
      }
    }
    onOutput(output, bytes)
  }

  /// What must happen after anything has happened.
  func settle() {
    let now = loop.clock.now
    for sensor in sensors { sensor.check(at: now) }
    if hasNews || (run.nextDeadline.map { $0 <= now } ?? false) {
      hasNews = false
      try? run.attend(at: now)
    }
    while !positions.isEmpty { take(positions.removeFirst()) }
    reception.carryOut(at: now)
  }

  /// When something of its own is due.
  fileprivate var nextDeadline: Instant? {
    var earliest = run.nextDeadline
    for due in [store.nextDeadline, recorder?.nextDeadline, reception.nextDeadline] {
      if let due { earliest = min(earliest ?? due, due) }
    }
    return earliest
  }

  func advance(to now: Instant) {
    settle()
    lookAfterStore(now)
    recorder?.advance(to: now)
  }

  /// What is on the storage now may leave.
  fileprivate func lookAfterStore(_ now: Instant) {
    let settled = store.settledChange
    run.look { store.advance(to: now, $0) }
    if store.settledChange != settled { hasNews = true }
  }

  /// The board's own deadlines in the loop.
  private final class Clockwork: LoopMember {
    private unowned let board: BoardRun
    init(_ board: BoardRun) { self.board = board }
    func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { board.lookAfterStore(now) }
    func advance(to now: Instant) { board.advance(to: now) }
    var nextDeadline: Instant? { board.nextDeadline }
  }

  /// Lets closures be made before the board is whole.
  private final class OutputRelay {
    var onOutput: (RunOutput, [UInt8]) -> Void = { _, _ in }
  }
}

extension PacketText {
  /// Its text; nil when it is empty.
  var string: String? {
    count == 0 ? nil : String(decoding: (0..<Int(count)).map { self[$0] }, as: UTF8.self)
  }
}
