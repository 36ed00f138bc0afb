import Glibc
import LinuxDevices
import LinuxRuntime
import Quantities
import Recording
import StatusPage
import Uplinks

/// One life of `leash run`: from the start, or from one reading of the configuration to the next.
final class RunSession: LoopMember {
  private let configuration: BoardConfiguration
  private let output: SpooledConsole
  private let signals: RunSignals
  private let readAgain: () -> BoardConfiguration?
  private let isJSON: Bool
  private let pageFiles: String?
  private let loop: EventLoop
  private let board: BoardRun
  private let reporter: RunReporter
  private var control: ControlServer?
  private var page: StatusPageServer?
  private let notifier = ServiceNotifier()
  /// True when somebody watches: a hang-up is the end then, and a service's request to reload otherwise.
  private let hasTerminal = (0...2).contains { isatty($0) == 1 }
  private var isStopping = false
  private var outputAt: Instant?
  private var lastSummary: BoardRun.Summary?
  /// True once the process is to end: a reload that is asked for as well is not done.
  private var isEnding = false
  private var next: BoardConfiguration?
  private var lineAt: Instant?

  init(
    _ configuration: BoardConfiguration, _ output: SpooledConsole, signals: RunSignals, isJSON: Bool,
    showsAllPackets: Bool, pageFiles: String?, readAgain: @escaping () -> BoardConfiguration?
  ) throws(CommandFailure) {
    self.configuration = configuration
    self.pageFiles = pageFiles
    self.output = output
    self.signals = signals
    self.readAgain = readAgain
    self.isJSON = isJSON
    var configuration = configuration
    for place in configuration.uplinks.indices { configuration.uplinks[place].tell(version: Version.number) }
    configuration.modem?.tell(version: Version.number)
    if configuration.tracker.tracker.earliestDate == nil { configuration.tracker.tracker.earliestDate = BuildDate.date }
    let loop = try device { () throws(DeviceFailure) in try EventLoop(clock: MachineClock()) }
    let now = loop.clock.now
    self.loop = loop
    board = try device { () throws(DeviceFailure) in
      let parts = try BoardParts(configuration, clock: loop.clock)
      let storage = try BoardStorage(configuration, clock: loop.clock)
      return try BoardRun(configuration, parts: parts, storage: storage, loop: loop, at: now)
    }
    reporter = RunReporter(output, isJSON: isJSON, showsAllPackets: showsAllPackets, origin: now)
    board.onOutput = { [unowned self] output, bytes in
      self.reporter.write(output, bytes, rideDistance: self.board.lastRideDistance)
    }
    board.onRestart = { [unowned self] in
      // A stop that was asked for as well is not undone.
      guard !self.isStopping else { return }
      self.reporter.remark("restarting on request")
      self.next = self.configuration
      self.isStopping = true
    }
  }

  /// Runs until it is to stop; gives the configuration of the next life, when there is to be one.
  ///
  /// - Parameter hasStarted: Called once everything that can refuse to start has started.
  func run(hasStarted: () -> Void) throws(CommandFailure) -> BoardConfiguration? {
    do throws(CommandFailure) {
      try start()
    } catch {
      end()
      throw error
    }
    hasStarted()
    while !isStopping {
      board.turn()
      reporter.look(at: board)
      tellSummary()
      output.pass()
      outputAt = output.isWaiting ? outputAt ?? loop.clock.now + .milliseconds(250) : nil
    }
    if next == nil { notifier.stopping() }
    end()
    reporter.end(board, isReloading: next != nil)
    output.pass()
    return next
  }

  /// Whoever has the label can become the owner; without the secret's file nobody can, and all else goes on.
  private func offerClaim() {
    do throws(SecretFile.Failure) {
      board.offer(claimSecret: try SecretFile(ofState: configuration.stateFile).keep())
    } catch {
      reporter.remark("nobody can claim this tracker: \(error.message)")
    }
  }

  /// Lets everything go: ports, sockets, the state file.
  private func end() {
    page?.stop()
    control?.stop()
    board.stop()
    loop.remove(self)
    loop.remove(notifier)
  }

  private func start() throws(CommandFailure) {
    loop.add(self)
    loop.add(notifier)
    try device { () throws(DeviceFailure) in try loop.watch(signals.descriptor, for: .reading, by: self) }
    let control = ControlServer(path: configuration.controlSocket) { [unowned self] in
      self.board.answer($0, version: Version.number, reply: $1)
    }
    do throws(DeviceFailure) {
      try control.start(in: loop)
    } catch {
      if case .busy = error.reason {
        throw .environment(
          "\(configuration.controlSocket): already used by another 'leash run'; stop it or set another 'control'")
      }
      throw .environment("control socket \(error.message)")
    }
    self.control = control
    if let address = configuration.page {
      let page = StatusPageServer(
        address, content: board.pageContent(version: Version.number), files: pageFiles)
      try device { () throws(DeviceFailure) in try page.start(in: loop, at: loop.clock.now) }
      self.page = page
      if let link = page.link { reporter.remark("page at \(link)") }
    }
    offerClaim()
    try device { () throws(DeviceFailure) in try board.start() }
    reporter.begin(board)
    notifier.ready(at: loop.clock.now)
    if output.console.errIsTerminal, !isJSON { lineAt = loop.clock.now }
  }

  /// Tells systemd what has changed; the text is not made at each sample.
  private func tellSummary() {
    let summary = board.summary
    guard summary != lastSummary else { return }
    lastSummary = summary
    notifier.tell(summary.text)
  }

  // MARK: In the loop

  /// A signal came.
  func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {
    while let signal = signals.next() {
      switch signal {
      case .stop:
        stopForGood()
      case .reload where hasTerminal:
        stopForGood()
      case .reload:
        guard !isEnding else { break }
        notifier.reloading(at: loop.clock.now)
        if let fresh = readAgain() {
          next = fresh
          isStopping = true
        } else {
          reporter.remark("the configuration has errors; using the previous one")
          notifier.ready(at: now)
        }
      }
    }
  }

  private func stopForGood() {
    isStopping = true
    isEnding = true
    next = nil
  }

  /// When the live line is due, or text that was not read is tried again.
  var nextDeadline: Instant? {
    guard let lineAt, let outputAt else { return lineAt ?? outputAt }
    return min(lineAt, outputAt)
  }

  /// Draws the live line once a second; only on a terminal.
  func advance(to now: Instant) {
    if let due = outputAt, now >= due { outputAt = nil }
    guard let due = lineAt, now >= due else { return }
    lineAt = now + .seconds(1)
    reporter.draw(StatusText.line(board.status(version: Version.number)))
  }
}
