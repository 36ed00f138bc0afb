import FaultInjection
import ModemSimulation
import Quantities
import TrackerRuntime
import SIM7000

/// The driver, a simulated modem, the line between them, and the network behind, on virtual time.
///
/// Everything that happens follows from the configurations, the seed and the inputs. Nothing that is called while one of these is changed
/// comes back here; looking that up took a sixth of a quiet night's time.
package final class ModemBench {
  /// The driver.
  @exclusivity(unchecked) package private(set) var driver: DriverHandle
  /// The module.
  @exclusivity(unchecked) package var module: SimulatedModem
  /// What is behind it.
  @exclusivity(unchecked) package var network: VirtualNetwork
  /// The line to the module.
  @exclusivity(unchecked) package var toModule: LineFaults
  /// The line from the module.
  @exclusivity(unchecked) package var fromModule: LineFaults
  /// How many bytes of a million are changed on their way to the module while they are a payload, and how many were.
  package var payloadChangesPerMillion = 0
  package private(set) var payloadChanges = 0
  private var payloadDice: SplitMix64
  /// The time.
  @exclusivity(unchecked) package private(set) var now = Instant.zero
  /// What the driver asked for and told, in order, but for levels of lines.
  package private(set) var actions: [(time: Instant, action: ModemAction)] = []
  /// What came for the tracker.
  package private(set) var replies: [(source: ReplySource, bytes: [UInt8])] = []
  /// Bytes that the driver has sent.
  package private(set) var bytesToModule = 0
  /// Told of every byte on the line, when somebody listens: time, true towards the module, bytes.
  package var listener: ((Instant, Bool, [UInt8]) -> Void)?
  /// Called after each step of the world, for faults that wait for a state.
  package var observer: ((ModemBench) -> Void)?
  /// Keeps actions for the caller; off in long campaigns.
  package var keepsActions = true

  /// Holds the driver, which can't be copied.
  package final class DriverHandle {
    /// The driver.
    @exclusivity(unchecked) package var modem: Modem
    init(_ modem: consuming Modem) { self.modem = modem }
  }

  @exclusivity(unchecked) private var lastStatus = false
  private var isDriverOff = false

  /// The actions that are kept, which are forgotten with that.
  package func takeActions() -> [(time: Instant, action: ModemAction)] {
    defer { actions.removeAll(keepingCapacity: true) }
    return actions
  }

  /// What came for the tracker, which is forgotten with that.
  package func takeReplies() -> [(source: ReplySource, bytes: [UInt8])] {
    defer { replies.removeAll(keepingCapacity: true) }
    return replies
  }

  /// A bench with a module and a network.
  package init(
    driver configuration: ModemConfiguration, module: SimulatedModem, network: VirtualNetwork,
    line: LineFaultRates = .none, seed: UInt64
  ) {
    driver = DriverHandle(Modem(configuration: configuration, seed: seed))
    self.module = module
    self.network = network
    toModule = LineFaults(line, seed: seed &* 3 &+ 1)
    fromModule = LineFaults(line, seed: seed &* 5 &+ 2)
    payloadDice = SplitMix64(seed: seed &* 7 &+ 3)
  }

  /// The host has no power: its driver does nothing, and what the module says is lost, until `restartDriver`.
  package func stopDriver() { isDriverOff = true }

  /// Gives the driver a packet; false when it has one.
  package func submit(_ payload: [UInt8], ticket: UInt32, by transport: ModemTransport) -> Bool {
    defer { settle() }
    return driver.modem.submit(payload.span, ticket: ticket, by: transport, at: now)
  }

  /// The NMEA sentences that the driver has kept since the last time.
  package func takeNMEA() -> String {
    var text = ByteBuffer()
    driver.modem.drainNMEA(into: &text)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// A new driver in place of the old one, as after a restart of the host: the module goes on as it is.
  package func restartDriver(_ configuration: ModemConfiguration, seed: UInt64) {
    driver = DriverHandle(Modem(configuration: configuration, seed: seed))
    isDriverOff = false
    driver.modem.setStatus(isHigh: module.statusIsHigh, at: now)
    settle()
  }

  /// Lets the world run to a time.
  package func run(until end: Instant) {
    var isThere = false
    while let next = nextDeadline, next <= end {
      step(to: next)
      isThere = next == end
    }
    if !isThere { step(to: end) }
  }

  /// Lets the world run until a condition holds; false when it did not by `end`.
  package func run(until end: Instant, while condition: (ModemBench) -> Bool) -> Bool {
    while condition(self) {
      guard let next = nextDeadline, next <= end else {
        step(to: end)
        return !condition(self)
      }
      step(to: next)
    }
    return true
  }

  /// When something happens next.
  package var nextDeadline: Instant? {
    var earliest: Instant?
    func take(_ candidate: Instant?) {
      if let candidate { earliest = min(earliest ?? candidate, candidate) }
    }
    if !isDriverOff { take(driver.modem.nextDeadline) }
    take(module.look().nextDeadline)
    take(network.lookAtDeadline())
    take(toModule.lookAtDeadline())
    take(fromModule.lookAtDeadline())
    return earliest.map { max($0, now) }
  }

  private func step(to time: Instant) {
    if time > now { now = time }
    module.advance(to: now)
    network.advance(to: now)
    if !isDriverOff { driver.modem.advance(to: now) }
    settle()
    observer?(self)
  }

  /// Passes on what each has for the other, until nobody has anything more.
  package func settle() {
    var round = 0
    var isQuiet = false
    while !isQuiet, round < 1000 {
      isQuiet = true
      round += 1
      let isHigh = module.look().statusIsHigh
      if isHigh != lastStatus {
        lastStatus = isHigh
        if !isDriverOff { driver.modem.setStatus(isHigh: lastStatus, at: now) }
        isQuiet = false
      }
      isQuiet = passDriverOutput() && isQuiet
      isQuiet = passModuleOutput() && isQuiet
      isQuiet = passNetwork() && isQuiet
    }
  }

  private func passDriverOutput() -> Bool {
    if isDriverOff { return passToModule() }
    var isQuiet = true
    while let action = driver.modem.nextAction() {
      isQuiet = false
      perform(action)
    }
    var output = ByteBuffer()
    driver.modem.drainOutput(at: now, into: &output)
    if !output.bytes.isEmpty {
      isQuiet = false
      bytesToModule += output.bytes.count
      toModule.send(output.bytes, at: now)
    }
    return passToModule() && isQuiet
  }

  private func passToModule() -> Bool {
    var arrived = toModule.take(by: now)
    guard !arrived.isEmpty else { return true }
    if payloadChangesPerMillion > 0, module.takesPayload { changeBytes(of: &arrived) }
    listener?(now, true, arrived)
    module.receive(arrived, at: now)
    return false
  }

  /// Turns bits over.
  private func changeBytes(of payload: inout [UInt8]) {
    for place in payload.indices where payloadDice.next() % 1_000_000 < UInt64(payloadChangesPerMillion) {
      payload[place] ^= 1 << UInt8(payloadDice.next() & 7)
      payloadChanges += 1
    }
  }

  private func passModuleOutput() -> Bool {
    var isQuiet = true
    let output = module.takeOutput()
    if !output.isEmpty {
      isQuiet = false
      fromModule.send(output, at: now)
    }
    let arrived = fromModule.take(by: now)
    if !arrived.isEmpty {
      isQuiet = false
      listener?(now, false, arrived)
      if !isDriverOff { driver.modem.receive(arrived.span, at: now) }
    }
    return isQuiet
  }

  private func passNetwork() -> Bool {
    var isQuiet = true
    while let request = module.nextRequest() {
      isQuiet = false
      network.take(request, at: now)
    }
    while let reply = network.nextReply() {
      isQuiet = false
      module.deliver(reply, at: now)
    }
    return isQuiet
  }

  private func perform(_ action: ModemAction) {
    switch action {
    case .setPowerKey(let isLow): module.set(.powerKey, low: isLow, at: now)
    case .setReset(let isLow): module.set(.reset, low: isLow, at: now)
    case .setDTR(let isHigh): module.set(.dataTerminalReady, low: !isHigh, at: now)
    case .setSupply(let isOn): module.setSupply(millivolts: isOn ? module.configuration.supplyMillivolts : 0, at: now)
    case .setRate(let rate): module.setHostRate(Int(rate), at: now)
    case .reply(let source, _):
      var bytes = ByteBuffer()
      driver.modem.drainReply(into: &bytes)
      replies.append((source, bytes.bytes))
    case .delivered, .undelivered, .fix, .networkTime, .started, .supplyLow, .recovery: break
    }
    if keepsActions { actions.append((now, action)) }
  }
}
