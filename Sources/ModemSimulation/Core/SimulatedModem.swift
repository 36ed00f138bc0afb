public import Quantities

/// A pin of the module that the host can pull.
public enum ModemPin: Equatable, Sendable, CaseIterable {
  /// PWRKEY: low for a while switches on, or off.
  case powerKey
  /// RESET: low for a while resets.
  case reset
  /// DTR: with `CSCLK=1` the module sleeps while it is high.
  case dataTerminalReady
}

/// A SIM7000 that takes bytes and returns bytes.
///
/// A value on virtual time: its state follows from the configuration, the seed and the inputs. Give it an input, then
/// take its output and its requests, then come back at `nextDeadline` or with the next input. Time must not go back; an
/// input with an older time counts as of now.
///
/// - Source: [sim7000-at], [sim7000-hd] and the application notes; commands name their section.
public struct SimulatedModem: Sendable {
  /// What the modem was made from.
  public let configuration: SimulatedModemConfiguration

  // Line and commands.
  var now: Instant = .zero
  var random: ModemRandom
  var timers = TimerQueue()
  var transmitter = TransmitQueue()
  var input = LineInput()
  var execution: Execution?
  var heldURCs: [[UInt8]] = []
  var lateAnswers: [[UInt8]] = []
  var hostRate: Int

  // The module.
  var power = PowerState()
  var session = Session()
  var flash: Flash
  var sim: CardState
  var radio = RadioState()
  var clock = ModemClock()
  var gnss = GNSSState()
  var messages = MessageState()
  var faults = ActiveFaults()
  var data = DataState()

  // The network.
  var requests: [NetworkRequest] = []
  var lastID = 0

  /// Final results so far.
  var resultCount = 0
  /// Counters of what found no room: events, output, requests, URCs.
  public internal(set) var overflowCount = 0
  /// Times that a fault has taken away, held back or damaged something that the modem had to say, or ended a connection with what was on
  /// its way to it.
  package internal(set) var tellingsLost = 0
  /// True while bytes of the host are a payload.
  package var takesPayload: Bool { if case .payload = input.mode { true } else { false } }

  /// Makes a modem.
  ///
  /// - Parameters:
  ///   - configuration: What kind of modem, and where.
  ///   - seed: All randomness comes from it.
  public init(_ configuration: SimulatedModemConfiguration = .init(), seed: UInt64) {
    self.configuration = configuration
    random = ModemRandom(seed: seed)
    hostRate = configuration.link.hostRate
    flash = Flash(configuration)
    sim = CardState(configuration)
    power.supplyMillivolts = configuration.supplyMillivolts
    if !configuration.startsPoweredOff { startRunning() }
  }

  /// Bytes arrive on the module's RXD.
  public mutating func receive(_ bytes: [UInt8], at now: Instant) {
    advance(to: now)
    for byte in bytes { receive(byte) }
  }

  /// A pin of the module is pulled low or let go.
  public mutating func set(_ pin: ModemPin, low: Bool, at now: Instant) {
    advance(to: now)
    switch pin {
    case .powerKey: setPowerKey(low: low)
    case .reset: setResetPin(low: low)
    case .dataTerminalReady: setDataTerminalReady(low: low)
    }
  }

  /// The host's UART changes its speed. While it differs from the module's, both sides read garbage.
  public mutating func setHostRate(_ bitsPerSecond: Int, at now: Instant) {
    advance(to: now)
    guard bitsPerSecond != hostRate else { return }
    hostRate = bitsPerSecond
    input.hostChangedRate(isAutoBaud: flash.rate == 0)
  }

  /// The supply changes. Zero is the battery taken out: everything but the flash is lost.
  public mutating func setSupply(millivolts: Int, at now: Instant) {
    advance(to: now)
    changeSupply(to: millivolts)
  }

  /// Something goes wrong.
  public mutating func apply(_ fault: ModemFault, at now: Instant) {
    advance(to: now)
    begin(fault)
  }

  /// The network answers a request, or reports something unasked. Answers to forgotten requests are ignored.
  public mutating func deliver(_ reply: NetworkReply, at now: Instant) {
    advance(to: now)
    // It waits in the network, as messages do.
    if case .smsReported(_, let report) = reply { return receiveReport(report) }
    guard power.isRunning, !power.isFrozen else { return }
    restartActiveTimer()
    switch reply {
    case .smsAccepted, .smsRefused: handleMessageReply(reply)
    default: handleData(reply)
    }
  }

  /// Someone sends a short message to the modem. It waits in the network until the modem is there.
  public mutating func deliver(sms text: String, from sender: String, at now: Instant) {
    advance(to: now)
    receiveMessage(text, from: sender)
  }

  /// Messages in the store, read or not.
  public var storedMessageCount: Int { flash.messages.count }

  /// Texts of the messages in the store, reports as empty ones, and of those that wait in the network for the modem.
  public var unreadMessages: [String] {
    flash.messages.sorted { $0.key < $1.key }.map(\.value.text) + messages.waiting.map(\.text)
  }

  /// Time passes.
  public mutating func advance(to time: Instant) {
    while let due = timers.popDue(by: time) {
      now = max(now, due.time)
      handle(due.event)
    }
    now = max(now, time)
  }

  /// The bytes that have left TXD by now, in their order.
  public mutating func takeOutput() -> [UInt8] { transmitter.take(by: now) }

  /// The next thing that leaves for the network, or nil when nothing waits.
  public mutating func nextRequest() -> NetworkRequest? { requests.isEmpty ? nil : requests.removeFirst() }

  /// When something happens next by itself: call `advance(to:)` then, and take the output.
  public var nextDeadline: Instant? {
    guard let output = transmitter.next else { return timers.next }
    return timers.next.map { min($0, output) } ?? output
  }

  /// The same, and whether the STATUS pin is high, in place: a look at a modem that is part of an object copies all of it.
  package mutating func look() -> (nextDeadline: Instant?, statusIsHigh: Bool) { (nextDeadline, power.statusIsHigh) }

  /// Level of the STATUS pin: high while the module is on.
  public var statusIsHigh: Bool { power.statusIsHigh }

  /// Level of the RI pin: low for 120 ms when a message or a URC wants the host.
  public var ringIsLow: Bool { power.ringIsLow }
}
