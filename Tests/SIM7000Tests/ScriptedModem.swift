import ASCIIText
import InlineStorage
import Quantities

@testable import SIM7000

/// What a scripted modem does with a command in place of the usual.
enum Play {
  /// These lines in place of its answer.
  case say([String])
  /// The usual answer, so much later; what is asked meanwhile is answered at once.
  case late(Interval)
  /// These lines, so much later.
  case sayLate([String], Interval)
  /// Only its echo.
  case nothing
  /// Not even its echo.
  case dead
}

/// A driver and a modem that does what a sound one does, but where a test says otherwise. It knows nothing of the driver
/// but bytes and lines of the board; everything is kept with its time.
final class ScriptedModem {
  /// Holds the driver, which can't be copied.
  final class Handle {
    var modem: Modem
    init(_ modem: consuming Modem) { self.modem = modem }
  }

  /// A command as it came, without `AT`.
  struct Heard: Equatable {
    var time: Instant
    var command: String
  }

  enum Event {
    case bytes([UInt8])
    case status(Bool)
  }

  var handle: Handle
  private(set) var now = Instant.zero
  /// Every command, in order.
  var heard: [Heard] = []
  /// Every payload that came whole.
  var payloads: [(time: Instant, bytes: [UInt8])] = []
  /// What the driver asked for and told.
  private(set) var actions: [(time: Instant, action: ModemAction)] = []
  /// What came for the tracker.
  private(set) var replies: [String] = []
  private(set) var replySources: [ReplySource] = []
  /// Whether the owner fetches what came as soon as it is told.
  var fetchesReplies = true
  /// Commands, payloads and actions as lines with their time.
  private(set) var log: [String] = []
  /// Bytes that went to the modem, whole lines or not.
  private(set) var byteCount = 0
  /// Called with each command and its number, from 1.
  var script: (ScriptedModem, String, Int) -> Play? = { _, _, _ in nil }
  /// What comes back of a line that it has heard.
  var echoScript: (ScriptedModem, String) -> String = { $1 }
  /// What comes back of a part of a payload.
  var payloadEcho: (ScriptedModem, [UInt8]) -> [UInt8] = { $1 }
  /// Lines that the server of a connection has whole, and the one that has no end yet.
  var serverLines: [String] = []
  var serverLine: [UInt8] = []
  /// The same for a payload that came whole, with the command it is for.
  var payloadScript: (ScriptedModem, String) -> Play? = { _, _ in nil }
  /// False while the modem's firmware stands still: it hears and says nothing.
  var isAlive = true
  /// False while its power key and RESET do nothing.
  var hasWorkingKeys = true

  // What the modem is.
  var isOn: Bool
  var echoes = true
  /// Stored settings, and the form of errors, which a start forgets.
  var sleeps = false
  var savesPower = false
  var accessPoint = ""
  /// Names of the other contexts.
  var otherContexts: [Int: String] = [:]
  var errorForm = "0"
  /// Whether it can give messages as digits, does, and can list them.
  var takesDigits = false
  var sendsDigits = false
  var listsStore = true
  /// What it says of its rate, the rate it has, and that of the host's port.
  var rate = "115200"
  var lineRate = 115_200
  private var hostRate: Int
  var radio = "38"
  var narrow = "1"
  var registration = "1"
  var card = "READY"
  var bearerIsUp = false
  var profileIsUp = false
  var brokerIsUp = false
  var satellites = "+CGNSINF: 1,1,20261122150000.000,50.392602,5.931201,480.0,0.00,0.0,1,,1.1,1.4,0.9,,21,6,,,45,,"
  var satellitesAreOn = false
  /// Places of the message store: sender's header and text.
  var store: [Int: String] = [:]
  var storeSize = 3
  /// Bytes that the server has sent on the connection.
  var waiting = ""
  /// What the server answers: an HTTP status, and its line on a connection.
  var status = 200
  var body = ""
  var acknowledges = true

  private var events: [(time: Instant, number: Int, event: Event)] = []
  private var eventCount = 0
  var pending: [UInt8] = []
  var payloadFor: (command: String, count: Int)?
  /// So many bytes of the payload have been echoed.
  var payloadBack = 0
  private var keySince: Instant?
  /// Since a start the card needs a moment.
  var cardReady = Instant.zero
  var messagesReadyAfter = Interval.seconds(7)
  private var lastPhase = ModemPhase.undetermined
  /// The load since the last step, and the time in each so far.
  private var load = ModemLoad.off
  private var receives = false
  private var loadSince = Instant.zero
  private(set) var loads = [Int64](repeating: 0, count: ModemLoad.allCases.count)
  private(set) var reception: Int64 = 0
  let latency = Interval.milliseconds(10)
  let ticket: UInt32

  /// A driver for a configuration, and a modem that is off unless said otherwise.
  init(_ configuration: ModemConfiguration = ScriptedModem.configuration(), isOn: Bool = false, ticket: UInt32 = 7) {
    handle = Handle(Modem(configuration: configuration, seed: 1))
    self.isOn = isOn
    self.ticket = ticket
    hostRate = Int(configuration.rate)
    if isOn { handle.modem.setStatus(isHigh: true, at: now) }
  }

  /// A driver with a server for each transport.
  static func configuration(_ change: (inout ModemConfiguration) -> Void = { _ in }) -> ModemConfiguration {
    var configuration = ModemConfiguration()
    configuration.accessPoint = AccessPointName("iot.example") ?? AccessPointName()
    configuration.httpServer = ServerAddress("http://track.example:8080") ?? ServerAddress()
    configuration.httpPath = ModemText("/pub") ?? ModemText()
    configuration.mqttHost = ServerAddress("broker.example") ?? ServerAddress()
    configuration.tcpHost = ServerAddress("track.example") ?? ServerAddress()
    configuration.smsNumber = TelephoneNumber("+31600000000") ?? TelephoneNumber()
    change(&configuration)
    return configuration
  }

  // MARK: What it draws its current for

  /// Books the time since the last step, by what is written of each load: see `ModemLoad`.
  private func account() {
    loads[Int(load.rawValue)] += (now - loadSince).microseconds
    if receives { reception += (now - loadSince).microseconds }
    loadSince = now
    load = presentLoad
    receives = handle.modem.facts.gnss == .yes
  }

  private var presentLoad: ModemLoad {
    switch handle.modem.phase {
    case .undetermined, .off, .unpowered, .resting: return .off
    case .dormant: return .powerSaving
    case .asleep: return .asleep
    case .running: break
    default: return .starting
    }
    let talks: Set<ModemStep> = [
      .bearerOpen, .socketsUp, .profileOpen, .attach, .httpConnect, .httpRequest, .legacyRequest, .mqttConnect,
      .mqttSubscribe, .mqttListen, .mqttPublish, .tcpOpen, .tcpSend, .socketOpen, .socketSend, .messageSend,
    ]
    if let step = handle.modem.step, talks.contains(step) { return .transmitting }
    if handle.modem.facts.registration == .yes { return .idle }
    return handle.modem.facts.sim == .yes ? .searching : .starting
  }

  // MARK: Out of the log

  var commands: [String] { heard.map(\.command) }

  func count(_ prefix: String, since: Instant = .zero) -> Int {
    heard.count { $0.time >= since && $0.command.hasPrefix(prefix) }
  }

  func times(_ prefix: String) -> [Instant] { heard.filter { $0.command.hasPrefix(prefix) }.map(\.time) }

  /// Troubles and what was done against them, with their times.
  var recoveries: [(time: Instant, rung: RecoveryRung, trouble: ModemTrouble)] {
    actions.compactMap { entry in
      guard case .recovery(let rung, let trouble) = entry.action else { return nil }
      return (entry.time, rung, trouble)
    }
  }

  /// How the packet ended, when it has.
  var outcomes: [ModemAction] {
    actions.map(\.action).filter { action in
      switch action {
      case .delivered, .undelivered: return true
      default: return false
      }
    }
  }

  /// Forgets commands, payloads, actions and replies, for tests of thousands of packets: each looks at all of them.
  func forgetLog() {
    heard.removeAll(keepingCapacity: true)
    payloads.removeAll(keepingCapacity: true)
    actions.removeAll(keepingCapacity: true)
    replies.removeAll(keepingCapacity: true)
    log.removeAll(keepingCapacity: true)
  }

  func times(of action: ModemAction) -> [Instant] { actions.filter { $0.action == action }.map(\.time) }

  // MARK: Time

  @discardableResult func submit(
    _ text: String = "{\"a\":1}", ticket: UInt32? = nil, by transport: ModemTransport,
    to publication: ModemPublication = ModemPublication()
  ) -> Bool {
    let bytes = Array(text.utf8)
    defer { pass() }
    return handle.modem.submit(
      bytes.span, ticket: ticket ?? self.ticket, by: transport, to: publication, at: now)
  }

  /// A new driver in place of the old one, as after a restart of the host.
  func restartDriver(_ configuration: ModemConfiguration, seed: UInt64 = 2) {
    handle = Handle(Modem(configuration: configuration, seed: seed))
    handle.modem.setStatus(isHigh: isOn, at: now)
    pass()
  }

  /// What a text message asked for is kept.
  func noteKept() {
    handle.modem.noteKept(at: now)
    pass()
  }

  /// The modem says something by itself.
  func say(_ lines: [String]) { hand(Array(lines.map { "\r\n\($0)\r\n" }.joined().utf8)) }

  /// Bytes of the modem as they are.
  func hand(_ bytes: [UInt8]) {
    handle.modem.receive(bytes.span, at: now)
    pass()
  }

  /// The modem loses its power for a moment and starts again by itself.
  func restartByItself() {
    begin()
    pass()
  }

  /// Changes the level of STATUS by itself.
  func setStatus(_ isHigh: Bool) {
    isOn = isHigh
    handle.modem.setStatus(isHigh: isHigh, at: now)
    pass()
  }

  /// Lets time pass to a time, or until a condition no longer holds; true when it no longer holds.
  @discardableResult func run(until end: Instant, while condition: (ScriptedModem) -> Bool = { _ in true }) -> Bool {
    pass()
    var steps = 0
    while condition(self), steps < 200_000 {
      steps += 1
      let due = events.first?.time
      guard let next = [due, handle.modem.nextDeadline].compactMap({ $0 }).min(), next <= end else { break }
      let isIdle = next <= now && due != next
      now = max(next, isIdle ? now + .milliseconds(1) : now)
      while let first = events.first, first.time <= now {
        events.removeFirst()
        happen(first.event)
      }
      handle.modem.advance(to: now)
      pass()
    }
    if !condition(self) { return true }
    now = max(now, end)
    handle.modem.advance(to: now)
    pass()
    return !condition(self)
  }

  @discardableResult func run(for interval: Interval, while condition: (ScriptedModem) -> Bool = { _ in true }) -> Bool
  {
    run(until: now + interval, while: condition)
  }

  /// Until the packet under way has ended.
  @discardableResult func deliver(within interval: Interval = .seconds(1800)) -> Bool {
    run(for: interval) { !$0.handle.modem.isFree }
  }

  private func happen(_ event: Event) {
    switch event {
    case .bytes(let bytes): handle.modem.receive(bytes.span, at: now)
    case .status(let isHigh):
      isOn = isHigh
      handle.modem.setStatus(isHigh: isHigh, at: now)
    }
  }

  func plan(_ event: Event, after interval: Interval) {
    eventCount += 1
    events.append((now + interval, eventCount, event))
    events.sort { ($0.time, $0.number) < ($1.time, $1.number) }
  }

  func plan(_ lines: [String], after interval: Interval) {
    var text = ""
    for line in lines {
      switch line {
      case ">": text += "\r\n> "
      // Counted bytes stand as they are.
      case _ where line.hasPrefix("\u{1}"): text += line.dropFirst()
      default: text += "\r\n\(line)\r\n"
      }
    }
    plan(.bytes(Array(text.utf8)), after: interval)
  }

  func note(_ text: String) {
    let milliseconds = now.microseconds / 1000
    let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
    log.append("\(milliseconds / 1000).\(fraction) \(text)")
  }

  // MARK: The board

  /// Passes bytes and actions on, until there are no more.
  func pass() {
    defer { account() }
    while true {
      if handle.modem.phase != lastPhase {
        lastPhase = handle.modem.phase
        note("- \(lastPhase)")
      }
      while let action = handle.modem.nextAction() { take(action) }
      var output = InlineBytes<1100>()
      handle.modem.drainOutput(at: now, into: &output)
      guard !output.isEmpty else { return }
      byteCount += output.count
      guard isOn, isAlive, hostRate == lineRate else { continue }
      for place in 0..<output.count { pending.append(output[place]) }
      hear()
    }
  }

  private func take(_ action: ModemAction) {
    actions.append((now, action))
    note("\(ScriptedModem.words(action))")
    switch action {
    case .setPowerKey(let isLow): setKey(isLow)
    case .setReset(let isLow):
      guard hasWorkingKeys else { break }
      if isLow { halt() } else { begin() }
    case .setSupply(let isOn): if !isOn { halt() }
    case .setRate(let rate): hostRate = Int(rate)
    case .reply(let source, _):
      replySources.append(source)
      if fetchesReplies { fetchReplies(1) }
    default: break
    }
  }

  /// The owner fetches what came.
  func fetchReplies(_ count: Int) {
    for _ in 0..<count {
      var bytes = InlineBytes<1100>()
      handle.modem.drainReply(into: &bytes)
      replies.append(String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self))
    }
  }

  private static func words(_ action: ModemAction) -> String {
    switch action {
    case .setPowerKey(let isLow): return "* key \(isLow ? "low" : "released")"
    case .setReset(let isLow): return "* reset \(isLow ? "low" : "released")"
    case .setDTR(let isHigh): return "* DTR \(isHigh ? "high" : "low")"
    case .setSupply(let isOn): return "* supply \(isOn ? "on" : "off")"
    case .setRate(let rate): return "* rate \(rate)"
    case .delivered(let ticket): return "* delivered \(ticket)"
    case .undelivered(let ticket, let reason): return "* undelivered \(ticket) \(reason)"
    case .fix: return "* fix"
    case .networkTime(let time): return "* time \(time.microseconds / 1_000_000)"
    case .reply(let source, let count): return "* reply \(source) \(count)"
    case .started: return "* started"
    case .supplyLow: return "* supply low"
    case .recovery(let rung, let trouble): return "* \(rung) for \(trouble)"
    }
  }

  private func setKey(_ isLow: Bool) {
    guard hasWorkingKeys else { return }
    if isLow {
      keySince = now
      return
    }
    guard let since = keySince else { return }
    keySince = nil
    let held = now - since
    if !isOn, held >= .seconds(1) {
      begin()
    } else if isOn, held >= .milliseconds(1200) {
      plan(["NORMAL POWER DOWN"], after: .milliseconds(500))
      plan(.status(false), after: .seconds(2))
    }
  }

  private func halt() {
    isOn = false
    isAlive = true
    events = []
    handle.modem.setStatus(isHigh: false, at: now)
  }

  /// The modem starts.
  func begin() {
    // What it has said is on its way.
    events.removeAll { $0.time > now + latency }
    pending = []
    payloadFor = nil
    isAlive = true
    echoes = true
    errorForm = "0"
    bearerIsUp = false
    profileIsUp = false
    brokerIsUp = false
    satellitesAreOn = false
    cardReady = now + .seconds(5)
    if !isOn { plan(.status(true), after: .milliseconds(3600)) }
    plan(["RDY"], after: .seconds(4))
    plan(["+CFUN: 1"], after: .milliseconds(4050))
    plan(["+CPIN: \(card)"], after: .seconds(5))
    plan(["SMS Ready"], after: messagesReadyAfter)
  }
}
