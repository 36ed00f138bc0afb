import Glibc
import LinuxDevices
import ModemSimulation
import Quantities

/// A simulated modem on a pseudo-terminal, in real time, with its network bridged to this machine's.
///
/// Serves one client after the other; between them the modem lives on, and what it sends is lost, as on a port that nobody
/// has open.
package final class ModemServer {
  /// How the modem is served.
  package struct Settings: Sendable {
    /// The modem.
    package var configuration = SimulatedModemConfiguration()
    /// All of its randomness comes from it.
    package var seed: UInt64 = 1
    /// Where a link to the port is to stand.
    package var link: String?
    /// Where the control socket is to be.
    package var controlPath: String?
    /// A folder that gets every message the modem sends as a file.
    package var smsFolder: String?
    /// Faults with their times, from the start.
    package var faults: [(time: Interval, fault: ModemFault)] = []
    /// True when the power key is pressed at the start.
    package var pressesPowerKey = false
    /// How the network is reached.
    package var network = NetworkBridge.Settings()

    /// A modem that has been running for long.
    package init() { configuration.startsPoweredOff = false }
  }

  /// What is due at a time.
  private enum Deed {
    case pin(ModemPin, low: Bool)
    case fault(ModemFault)
  }

  private let settings: Settings
  private let terminal: PseudoTerminal
  private let bridge: NetworkBridge
  private let control: ControlSocket?
  private let origin: Instant
  private let report: (ModemServerEvent) -> Void
  private var modem: SimulatedModem
  private var deeds: [(time: Instant, deed: Deed)] = []
  private var output: [UInt8] = []
  private var rate: Int
  private var isOn: Bool
  private var isRinging = false
  private var clientCount = 0
  private var messageCount = 0

  /// The longest the power key is held by the word `pwrkey`: on takes 1 s, off 1.2 s.
  static var keyPress: Interval { .milliseconds(1300) }
  /// Bytes that wait for a client who does not read; the module has no more either.
  static var outputLimit: Int { 65_536 }

  /// Makes the port and the modem; nothing happens until `run`.
  ///
  /// - Parameters:
  ///   - settings: The modem, and where it is to be found.
  ///   - report: Gets what happens, from the thread that runs.
  /// - Throws: When the port, the link or the control socket can't be made.
  package init(_ settings: Settings, report: @escaping (ModemServerEvent) -> Void = { _ in }) throws(DeviceFailure) {
    self.settings = settings
    self.report = report
    rate = settings.configuration.link.rate > 0 ? settings.configuration.link.rate : 115_200
    var configuration = settings.configuration
    configuration.link.hostRate = rate
    terminal = try PseudoTerminal(bitsPerSecond: rate, link: settings.link)
    bridge = try NetworkBridge(settings.network)
    if let path = settings.controlPath { control = try ControlSocket(path: path) } else { control = nil }
    modem = SimulatedModem(configuration, seed: settings.seed)
    isOn = modem.statusIsHigh
    origin = MonotonicClock.now
    for (time, fault) in settings.faults { deeds.append((.zero + time, .fault(fault))) }
    if settings.pressesPowerKey { pressKey(at: .zero) }
  }

  /// The port, such as `/dev/pts/5`.
  package var path: String { terminal.path }

  /// Time of the modem.
  private var now: Instant { .zero + (MonotonicClock.now - origin) }

  /// Serves until the descriptor is readable.
  package func run(until stop: Int32) throws(DeviceFailure) {
    var wait = EventWait()
    while true {
      let now = now
      doWhatIsDue(at: now)
      modem.advance(to: now)
      settle(at: now)
      try writeOutput()
      wait.removeAll()
      wait.add(stop)
      wait.add(terminal.descriptor, writing: !output.isEmpty && clientCount > 0)
      wait.add(terminal.clientDescriptor)
      bridge.addDescriptors(to: &wait)
      control?.addDescriptors(to: &wait)
      wait.wait(until: nextWakeUp)
      if wait.isReadable(0) { return }
      if wait.isReadable(2) { noteClients() }
      if wait.isReadable(1) { try readInput() }
      bridge.process(wait)
      control?.process(wait) { answer($0) }
    }
  }

  /// When something is due by itself, on the machine's clock.
  private var nextWakeUp: Instant? {
    let own = [modem.nextDeadline, deeds.map(\.time).min()].compactMap { $0 }.min()
    return [own.map { origin + ($0 - Instant.zero) }, bridge.nextDeadline].compactMap { $0 }.min()
  }

  private func doWhatIsDue(at now: Instant) {
    deeds.sort { $0.time < $1.time }
    while let (time, deed) = deeds.first, time <= now {
      deeds.removeFirst()
      switch deed {
      case .pin(let pin, let low): modem.set(pin, low: low, at: now)
      case .fault(let fault):
        modem.apply(fault, at: now)
        report(.fault(fault))
      }
    }
  }

  /// Carries requests and replies until there are no more, and notes what changed.
  private func settle(at now: Instant) {
    while true {
      if let request = modem.nextRequest() {
        report(.request(request))
        if case .sms(_, let recipient, let text, _) = request { store(text, to: recipient) }
        bridge.take(request)
      } else if let reply = bridge.nextReply() {
        report(.reply(reply))
        modem.deliver(reply, at: now)
      } else {
        break
      }
    }
    if modem.statusIsHigh != isOn {
      isOn = modem.statusIsHigh
      report(.power(isOn: isOn))
    }
    if modem.ringIsLow != isRinging {
      isRinging = modem.ringIsLow
      if isRinging { report(.ring) }
    }
  }

  private func writeOutput() throws(DeviceFailure) {
    output += modem.takeOutput()
    // Nobody has the port open: what is sent is lost.
    if clientCount == 0 && terminal.clientCount != nil { output = [] }
    if output.count > ModemServer.outputLimit { output.removeFirst(output.count - ModemServer.outputLimit) }
    guard !output.isEmpty else { return }
    output.removeFirst(try terminal.write(output[...]))
  }

  private func readInput() throws(DeviceFailure) {
    let bytes = try terminal.read()
    guard !bytes.isEmpty else { return }
    let now = now
    if let set = terminal.bitsPerSecond, set != rate {
      rate = set
      modem.setHostRate(set, at: now)
      report(.rateChanged(bitsPerSecond: set))
    }
    modem.receive(bytes, at: now)
  }

  private func noteClients() {
    let hasLeft = terminal.countClients()
    let count = terminal.clientCount ?? 0
    if count > clientCount { report(.clientCame) }
    if hasLeft {
      // What nobody read is not for the next.
      terminal.discardUnread()
      output = []
      report(.clientLeft)
    }
    clientCount = count
  }

  private func pressKey(at now: Instant) {
    deeds.append((now, .pin(.powerKey, low: true)))
    deeds.append((now + ModemServer.keyPress, .pin(.powerKey, low: false)))
  }

  /// Writes a message of the modem to a file of its own: the recipient, an empty line, the text.
  private func store(_ text: String, to recipient: String) {
    guard let folder = settings.smsFolder else { return }
    messageCount += 1
    let digits = String(messageCount)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    let path = "\(folder)/\(name).txt"
    let fresh = "\(folder)/.\(name).part"
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    let bytes = Array("To: \(recipient)\n\n\(text)\n".utf8)
    var code: Int32 = descriptor < 0 ? errno : 0
    if descriptor >= 0 {
      if write(descriptor, bytes, bytes.count) != bytes.count { code = errno == 0 ? EIO : errno }
      close(descriptor)
    }
    // Whoever watches the folder never sees half a message.
    if code == 0 && rename(fresh, path) != 0 { code = errno }
    if code != 0 { report(.notStored(path: path, errorNumber: code)) }
  }

  /// Obeys a line of the control socket.
  private func answer(_ line: String) -> String {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    let now = now
    switch (words.first ?? "", words.count) {
    case ("pwrkey", 1): pressKey(at: now)
    case ("pwrkey", 2):
      guard let milliseconds = Int(words[1]), 1...60_000 ~= milliseconds else {
        return "error: pwrkey MILLISECONDS: expected 1 to 60000"
      }
      modem.set(.powerKey, low: true, at: now)
      deeds.append((now + .milliseconds(milliseconds), .pin(.powerKey, low: false)))
    case ("reset", 1):
      modem.set(.reset, low: true, at: now)
      deeds.append((now + .milliseconds(300), .pin(.reset, low: false)))
    case ("dtr", 2) where words[1] == "low" || words[1] == "high":
      modem.set(.dataTerminalReady, low: words[1] == "low", at: now)
    case ("supply", 2):
      guard let millivolts = Int(words[1]), 0...6000 ~= millivolts else {
        return "error: supply MILLIVOLTS: expected 0 to 6000"
      }
      modem.setSupply(millivolts: millivolts, at: now)
    case ("fault", 2):
      guard let fault = ModemFault(name: words[1]) else { return "error: no fault '\(words[1])'; expected F1 to F24" }
      modem.apply(fault, at: now)
      report(.fault(fault))
    case ("sms", 3): modem.deliver(sms: words[2], from: words[1], at: now)
    case ("status", 1):
      let seconds = (now - Instant.zero).microseconds / 1_000_000
      return "power \(modem.statusIsHigh ? "on" : "off"), ring \(modem.ringIsLow ? "low" : "high"), "
        + "host \(rate) bit/s, clients \(clientCount), up \(seconds) s"
    default:
      return "error: expected pwrkey [MILLISECONDS], reset, dtr low|high, supply MILLIVOLTS, fault F1…F24, "
        + "sms NUMBER TEXT or status"
    }
    return "ok"
  }
}
