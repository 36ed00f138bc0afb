import LinuxDevices
import LinuxRuntime
import Quantities
import Recording
import SimulatedWorld
import StatusPage
import TrackerRuntime

/// Plays a simulated life on a local page: how fast, from where, and what is dropped in is asked for there.
final class WorldPage: LoopMember {
  private let stage: LifeStage
  private let loop: EventLoop
  /// How fast it goes on, times real time; 0 while it is held.
  private(set) var speed = 0.0
  /// Where it is on its way to, as fast as it goes.
  private(set) var goal: Instant?
  /// True while the next event is looked for.
  private var isStepping = false
  /// When time was let on last, on the loop's clock.
  private var lastTurn: Instant
  /// True once the user wants to end.
  private(set) var isStopping = false
  /// Why it can't go on.
  private(set) var failure: RecordingError?

  /// How long the page may wait for an answer while a life goes on.
  private static var slice: Interval { .milliseconds(40) }
  /// Steps between two looks at the clock.
  private static var steps: Int { 200 }
  /// Until time is let on once more.
  private static var pause: Interval { .milliseconds(50) }
  /// The fastest, times real time.
  static var fastest: Double { 100_000 }

  /// A life that is held at its beginning.
  init(_ stage: LifeStage, in loop: EventLoop) {
    self.stage = stage
    self.loop = loop
    lastTurn = loop.clock.now
  }

  /// Serves it until the user ends it.
  static func run(
    _ scenario: LifeScenario, _ configuration: RunConfiguration, at text: String, _ console: Console
  ) throws(CommandFailure) -> ExitCode {
    guard let address = PageAddress(text: text) else {
      throw .usage("option '--page': '\(text)' is not an address such as 127.0.0.1:8600")
    }
    let signals = try device { () throws(DeviceFailure) in try StopSignals() }
    let loop = try device { () throws(DeviceFailure) in try EventLoop(clock: MachineClock()) }
    let stage: LifeStage
    do throws(RecordingError) {
      stage = try LifeStage(scenario, configuration)
    } catch {
      throw CommandFailure(error)
    }
    let page = WorldPage(stage, in: loop)
    let server = StatusPageServer(address, content: page.content)
    try device { () throws(DeviceFailure) in
      try loop.watch(signals.descriptor, for: .reading, by: page)
      try server.start(in: loop, at: loop.clock.now)
    }
    loop.add(page)
    defer {
      server.stop()
      loop.remove(page)
    }
    console.out.writeLine("\(scenario.name), seed \(scenario.seed): \(server.link ?? ""); Ctrl-C ends it")
    console.out.flush()
    while !page.isStopping, page.failure == nil { loop.turn() }
    if let failure = page.failure { throw CommandFailure(failure) }
    return stage.broken.isEmpty ? .success : .checkFailed
  }

  /// What the page shows, and where its requests go.
  var content: PageContent {
    PageContent(
      world: { [unowned self] in json(after: $0) },
      requests: PageRequests(
        take: { [unowned self] text, reply in reply(obey(String(decoding: text, as: UTF8.self))) }, noteRefused: {}))
  }

  /// - Parameter after: `generation.entry.place`, what the page has already; all of it for anything else.
  private func json(after: String) -> [UInt8] {
    let known = after.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let isWhole = known.count == 3
    return stage.json(
      after: isWhole ? known[1] : 0, places: isWhole ? known[2] : 0, of: isWhole ? known[0] : 0, playing: speed,
      goal: goal)
  }

  /// Does what the page asks: `play SPEED`, `hold`, `step`, `to SECONDS`, `fault NAME`, `thief NAME`.
  func obey(_ text: String) -> PageRequests.Reply {
    let word = String(text.prefix { $0 != " " })
    let rest = String(text.dropFirst(word.count + 1))
    do throws(RecordingError) {
      switch word {
      case "play":
        guard let wanted = Double(rest), 0.1...WorldPage.fastest ~= wanted else { return .refused("unknown") }
        speed = wanted
        lastTurn = loop.clock.now
      case "hold":
        speed = 0
        (goal, isStepping) = (nil, false)
      case "step":
        speed = 0
        isStepping = true
      case "to":
        guard let seconds = Double(rest), 0...400 * 86_400 ~= seconds else { return .refused("unknown") }
        try go(to: .zero + Interval(microseconds: Int64((seconds * 1e6).rounded())))
      case "fault":
        guard let choice = LifeStage.choices.first(where: { $0.name == rest }) else { return .refused("unknown") }
        guard stage.drop(choice.fault) else { return .refused("over") }
      case "thief":
        guard let thief = StageThief(rawValue: rest) else { return .refused("unknown") }
        let now = stage.now
        guard try stage.send(thief) else { return .refused("busy") }
        goal = now
      default: return .refused("unknown")
      }
    } catch {
      failure = error
      return .refused("unknown")
    }
    return .obeyed(nil)
  }

  private func go(to time: Instant) throws(RecordingError) {
    if time < stage.now { try stage.rewind() }
    goal = time
  }

  // MARK: In the loop

  /// The user wants to end.
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) { isStopping = true }

  /// See `LoopMember`.
  var nextDeadline: Instant? {
    if goal != nil || isStepping { return lastTurn }
    return speed > 0 && !stage.isOver ? lastTurn + WorldPage.pause : nil
  }

  /// Lives on as far as it should, or as far as the page may wait.
  func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    let passed = min(now - lastTurn, .seconds(1))
    lastTurn = now
    do throws(RecordingError) {
      if isStepping {
        if try inTime(since: now, { () throws(RecordingError) in try stage.liveToNext(steps: WorldPage.steps) }) {
          isStepping = false
        }
      } else if let goal {
        if try inTime(since: now, { () throws(RecordingError) in try stage.live(to: goal, steps: WorldPage.steps) }) {
          self.goal = nil
        }
      } else {
        let target = stage.now + Interval(microseconds: Int64(Double(passed.microseconds) * speed))
        _ = try inTime(since: now) { () throws(RecordingError) in try stage.live(to: target, steps: WorldPage.steps) }
      }
    } catch {
      failure = error
    }
  }

  /// Goes on until it is done, or the time is up.
  ///
  /// - Returns: True when it is done.
  private func inTime(
    since begin: Instant, _ work: () throws(RecordingError) -> Bool
  ) throws(RecordingError) -> Bool {
    repeat {
      if try work() { return true }
    } while loop.clock.now - begin < WorldPage.slice
    return false
  }
}
