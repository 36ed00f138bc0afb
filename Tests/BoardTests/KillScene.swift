import Foundation
import LinuxDevices
import LinuxRuntime
import Quantities
import ServerSupport
import Synchronization
import Testing

/// When a life ends.
enum KillMoment {
  /// So long after the start of the process, which may not be ready by then.
  case age(Interval)
  /// With the n-th packet at the server, before the server answers.
  case receipt(Int)
  /// So long after the server has answered the n-th packet.
  case reply(Int, Interval)
  /// So long after a movement has begun.
  case movement(Interval)
  /// So long after the tracker has told of a movement.
  case alert(Interval)
  /// So long after a request was sent.
  case request(Interval)

  /// Any.
  init(_ random: inout KillRandom) {
    func upTo(_ microseconds: Int64) -> Interval {
      Interval(microseconds: Int64.random(in: 0...microseconds, using: &random))
    }
    let count = Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: self = .age(upTo(100_000))
    case 1: self = .age(upTo(400_000))
    case 2: self = .receipt(count)
    case 3: self = .reply(count, upTo(2_000))
    case 4, 5: self = .movement(upTo(110_000))
    case 6: self = .alert(upTo(2_000))
    default: self = .request(upTo(3_000))
    }
  }
}

/// What the threads of the server know of the life that is on.
final class KillAudience: Sendable {
  struct State {
    var life: KillLife?
    var moment = KillMoment.receipt(0)
    /// Packets of this life that came, and those that were answered with 200.
    var received = 0
    var answered = 0
    /// Requests that went with an answer.
    var requests = 0
    var random: KillRandom
  }
  let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: KillRandom(seed: seed))) }

  /// A life begins, or with nil has ended.
  func begin(_ life: KillLife?, _ moment: KillMoment) {
    state.withLock { state in
      state.life = life
      state.moment = moment
      state.received = 0
      state.answered = 0
    }
  }

  /// What the server does about a packet.
  func answer() -> HTTPServer.Reply {
    let (reply, life, moment): (HTTPServer.Reply, KillLife?, KillMoment?) = state.withLock { state in
      state.received += 1
      if case .receipt(let count) = state.moment, count == state.received { return (.close, state.life, state.moment) }
      if state.random.oneIn(30) { return (.close, nil, nil) }
      state.answered += 1
      var reply = HTTPServer.Reply.status(200)
      if state.random.oneIn(8) {
        state.requests += 1
        reply = .status(200, body: "locate")
      }
      if case .reply(let count, _) = state.moment, count == state.received { return (reply, state.life, state.moment) }
      return (reply, nil, nil)
    }
    switch moment {
    case .receipt: life?.kill()
    case .reply(_, let after): life?.die(at: MonotonicClock.now + after)
    default: break
    }
    return reply
  }
}

/// A tracker that is killed again and again, and what it is shown between.
final class KillScene {
  private let folder: ServerFolder
  private let shaker: KillShaker
  private let server: HTTPServer
  private let audience: KillAudience
  private let configuration: String
  private let errors: String
  private var random: KillRandom
  private var ledger = KillLedger()
  private var hasLived = false
  private var alertsMayBeOff = false
  private var lifeCount = 0
  private var deafDeaths = 0
  private var readyAfter: [Double] = []
  private var lastAlert = 0
  private var pending: [(text: String, answer: KillAnswer)] = []

  init(seed: UInt64) throws {
    random = KillRandom(seed: seed)
    folder = try ServerFolder()
    shaker = try KillShaker(in: folder.path)
    let audience = KillAudience(seed: ~seed)
    self.audience = audience
    server = try HTTPServer { _, _ in audience.answer() }
    errors = folder.path + "/errors"
    configuration = try folder.write(
      """
      {
        trackerId: 'kill', state: '\(folder.path)/state.db', control: '\(folder.path)/control',
        gnss: { source: 'none' }, \(shaker.section),
        uplinks: [{ by: 'http', url: 'http://127.0.0.1:\(server.port)/pub' }],
        // Rest and movement are seen within tenths of a second, and nothing but shaking is a movement.
        motion: { armAfter: 1, handlingConfirmation: 0, orientationConfirmation: 604800 },
        rest: { window: 0.02, halfWindow: 0.04, dwell: 0, shortestDwell: 0 },
        reports: { parkedInterval: 604800, alarmInterval: 604800, ridingInterval: 604800 },
        outbox: { acknowledgementTimeout: 2 },
      }
      """, to: "leash.json5")
  }

  /// Ends sensor and server.
  func stop() {
    shaker.stop()
    server.stop()
  }

  /// What happened, in one line.
  var story: String {
    let times = readyAfter.sorted()
    let median = times.isEmpty ? 0 : times[times.count / 2]
    return "\(lifeCount) lives, \(deafDeaths) ended before they had begun; \(ledger.movements.count) movements, "
      + "\(lastAlert) alerts, \(server.requests.count) requests at the server; "
      + "back after \(Int(median * 1000)) ms at the median, \(Int((times.last ?? 0) * 1000)) ms at most"
  }

  // MARK: Lives

  /// Lives and dies so often, and then lives on until everything has arrived.
  func play(kills: Int) throws {
    for _ in 0..<kills {
      let moment = KillMoment(&random)
      let (life, begin) = try begin(moment)
      do {
        try live(life, moment, since: begin)
      } catch is KillLife.Over {
      }
      try end(life, with: SIGKILL, expecting: SIGKILL)
    }
    let (life, begin) = try begin(.receipt(0))
    do {
      try wake(life, since: begin)
      try shake(life, .receipt(0))
      try drain(life)
    } catch is KillLife.Over {
      throw SetUpFailure("the last life ended by itself: \(errorText)")
    }
    try end(life, with: SIGTERM, expecting: -1)
  }

  private func begin(_ moment: KillMoment) throws -> (KillLife, Instant) {
    shaker.forget()
    let begin = MonotonicClock.now
    let life = try KillLife(configuration: configuration, errors: errors)
    lifeCount += 1
    audience.begin(life, moment)
    if case .age(let age) = moment, hasLived { life.die(at: begin + age) }
    return (life, begin)
  }

  private func end(_ life: KillLife, with signal: Int32, expecting code: Int32) throws {
    audience.begin(nil, .receipt(0))
    let end = life.end(with: signal)
    shaker.endShake()
    guard end == code else { throw SetUpFailure("life \(lifeCount) ended with \(end): \(errorText)") }
    for request in pending where request.answer.wait() == true { ledger.accepted[request.text, default: 0] += 1 }
    pending = []
  }

  private var errorText: String {
    (try? String(contentsOfFile: errors, encoding: .utf8))?.suffix(400).description ?? ""
  }

  /// Waits until the tracker goes on where it was.
  private func wake(_ life: KillLife, since begin: Instant) throws {
    do {
      try life.wait(for: "the start") { life.count(of: hasLived ? "restored" : "armed") > 0 }
    } catch let over as KillLife.Over {
      deafDeaths += 1
      throw over
    }
    if hasLived { readyAfter.append((MonotonicClock.now - begin).secondsDouble) }
    hasLived = true
    // So many packets wait that others would have to go: they go to the server first.
    let waiting = life.waitingAtStart
    if waiting >= 12 {
      try life.wait(for: "the packets that waited") { audience.state.withLock { $0.answered } >= waiting }
    }
    if alertsMayBeOff {
      try ask("alerts on", life, nil)
      alertsMayBeOff = false
    }
  }

  private func live(_ life: KillLife, _ moment: KillMoment, since begin: Instant) throws {
    try wake(life, since: begin)
    // Whatever was to be the occasion, it may not come.
    life.die(at: MonotonicClock.now + .milliseconds(450))
    var hasShaken = false
    while true {
      try beStill(life)
      if random.oneIn(4) {
        try ask("locate", life, moment)
        continue
      }
      if hasShaken {
        // A new alarm needs a new watch.
        alertsMayBeOff = true
        try ask("alerts off", life, moment)
        try ask("alerts on", life, moment)
        alertsMayBeOff = false
        try beStill(life)
      }
      try shake(life, moment)
      hasShaken = true
    }
  }

  private func beStill(_ life: KillLife) throws {
    // Rest is known after three windows of 40 ms.
    let length = Interval.milliseconds(Int.random(in: 150...200, using: &random))
    try life.wait(for: "stillness") { shaker.hasBeenStill(for: length) }
  }

  private func shake(_ life: KillLife, _ moment: KillMoment) throws {
    try beStill(life)
    let before = life.count(of: "movement")
    let begin = shaker.beginShake()
    if case .movement(let after) = moment { life.die(at: begin + after) }
    defer {
      let end = shaker.endShake()
      // What it still said while it died counts.
      ledger.movements.append(
        KillLedger.Movement(begin: begin, end: end, wasTold: life.count(of: "movement") > before))
    }
    try life.wait(for: "the alert") { life.count(of: "movement") > before }
    if case .alert(let after) = moment { life.die(at: MonotonicClock.now + after) }
  }

  private func ask(_ text: String, _ life: KillLife, _ moment: KillMoment?) throws {
    let answer = KillAnswer()
    pending.append((text, answer))
    ledger.sent[text, default: 0] += 1
    if case .request(let after) = moment { life.die(at: MonotonicClock.now + after) }
    let place = folder.path + "/control"
    guard
      BackgroundThread.start({
        let reply = try? ControlClient.ask(.command(text), at: place)
        answer.set(reply.map { String(decoding: $0, as: UTF8.self).hasPrefix("{\"accepted\":true") } ?? false)
      })
    else { throw SetUpFailure("no thread") }
    try life.wait(for: "an answer to '\(text)'") { answer.value != nil }
  }

  // MARK: The end

  private func drain(_ life: KillLife) throws {
    struct Status: Decodable {
      struct Outbox: Decodable {
        struct Waiting: Decodable {}
        var waiting: [Waiting]
      }
      var outbox: Outbox
      var lastAlert: Int
    }
    let place = folder.path + "/control"
    // An answer with a request in it would never let it come to an end.
    try life.wait(for: "an empty outbox") {
      guard let reply = try? ControlClient.ask(.status, at: place),
        let status = try? JSONDecoder().decode(Status.self, from: Data(reply))
      else { return false }
      lastAlert = status.lastAlert
      return status.outbox.waiting.isEmpty
    }
  }

  /// Holds what arrived against what was played.
  func check() throws {
    ledger.sentWithAnswers = audience.state.withLock { $0.requests }
    try ledger.check(server.bodies, lastAlert: lastAlert)
  }
}

/// The answer to a request, from another thread.
final class KillAnswer: @unchecked Sendable {
  private let condition = NSCondition()
  private var isAccepted: Bool?

  func set(_ isAccepted: Bool) {
    condition.withLock {
      self.isAccepted = isAccepted
      condition.broadcast()
    }
  }

  var value: Bool? { condition.withLock { isAccepted } }

  /// Waits for it, ten seconds at most.
  func wait() -> Bool? {
    condition.withLock {
      while isAccepted == nil, condition.wait(until: Date(timeIntervalSinceNow: 10)) {}
      return isAccepted
    }
  }
}
