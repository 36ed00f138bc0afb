public import Delivery
public import Quantities
public import SIM7000
public import Telemetry

/// What became of a packet that a modem had in hand.
@frozen public enum ModemOutcome: Equatable, BitwiseCopyable, Sendable {
  /// The server has it.
  case delivered(sequence: UInt32, way: UInt8)
  /// It could not be delivered: another way may take it.
  case undelivered(sequence: UInt32, way: UInt8, reason: UndeliveredReason)
}

/// A SIM7000's driver as a way for packets: one in hand at a time.
///
/// Delivery may have several ways through one modem, each with its transport, and the same packet on two of them: for two receivers, or
/// because the first way takes long. So a packet is known by its number and the way that it is on.
///
/// The driver belongs to the caller, who brings its bytes to the modem and gives every action of it to `take` first. A trouble
/// that outlasts a mere try again makes the way count as failed, for a while even after the packet that showed it is gone: nothing
/// else would show that it is over.
public struct ModemWay: BitwiseCopyable, Sendable {
  /// The packet in hand.
  public private(set) var current: UInt32?
  /// The way of delivery that it is on.
  public private(set) var currentWay: UInt8 = 0
  /// True when the driver has delivered on the session it has.
  public private(set) var hasSession = false
  /// Until then a trouble counts though no packet is in hand.
  public private(set) var troubleUntil: Instant?
  private var isAlert = false
  private var backOff: BackOff

  /// - Parameter seed: Of the jitter.
  public init(seed: UInt64) { backOff = BackOff(seed: seed) }

  /// Gives the driver a packet.
  ///
  /// - Parameters:
  ///   - payload: Its bytes in the form the way uses.
  ///   - sequence: Its number, and the ticket of the driver.
  ///   - way: The way of delivery that it is on.
  ///   - kind: An alert is not taken back for another packet.
  ///   - transport: How it goes.
  ///   - publication: Where MQTT brings it. Default: the topic of the configuration, not retained.
  ///   - modem: The driver.
  ///   - now: On the driver's clock.
  /// - Returns: False, and nothing has changed, when it has a packet or the transport can't carry these bytes.
  public mutating func begin(
    _ payload: Span<UInt8>, sequence: UInt32, way: UInt8, kind: PacketKind, by transport: ModemTransport,
    to publication: ModemPublication = ModemPublication(), on modem: inout Modem, at now: Instant
  ) -> Bool {
    guard current == nil, modem.submit(payload, ticket: sequence, by: transport, to: publication, at: now) else {
      return false
    }
    current = sequence
    currentWay = way
    isAlert = kind.priority == .alert
    return true
  }

  /// Takes a report back that is not being sent yet, so that an alert can go.
  ///
  /// - Returns: Its number; nil when there is none, or when it is too late.
  public mutating func makeRoom(on modem: inout Modem, at now: Instant) -> UInt32? {
    guard let sequence = current, !isAlert, modem.step?.sendsPacket != true else { return nil }
    current = nil
    modem.cancel(at: now)
    return sequence
  }

  /// Takes the packet back, an alert too, so that one can go that takes another transport. What is on its way is left alone, but for a
  /// request that its server has not answered yet.
  ///
  /// - Returns: False when there is none, or when it is too late.
  public mutating func yield(on modem: inout Modem, at now: Instant) -> Bool {
    guard current != nil, modem.canLetGo else { return false }
    current = nil
    modem.cancel(at: now, abandonsAnswer: true)
    return true
  }

  /// Stops work on a packet of a way.
  ///
  /// - Returns: False when it is not in hand.
  @discardableResult public mutating func forget(
    _ sequence: UInt32, way: UInt8, on modem: inout Modem, at now: Instant
  ) -> Bool {
    guard current == sequence, currentWay == way else { return false }
    current = nil
    rememberTrouble(of: modem, at: now)
    modem.cancel(at: now)
    return true
  }

  /// Looks at what the driver wants done or reports.
  ///
  /// - Returns: What became of the packet in hand; nil when the action is about something else.
  public mutating func take(_ action: ModemAction, of modem: borrowing Modem, at now: Instant) -> ModemOutcome? {
    switch action {
    case .delivered(let ticket):
      if current == ticket { current = nil }
      hasSession = true
      backOff.reset()
      troubleUntil = nil
      return .delivered(sequence: ticket, way: currentWay)
    case .undelivered(let ticket, let reason):
      // One that was taken back has been seen to already.
      guard current == ticket, reason != .cancelled else { return nil }
      current = nil
      rememberTrouble(of: modem, at: now)
      return .undelivered(sequence: ticket, way: currentWay, reason: reason)
    case .started, .recovery:
      hasSession = false
      return nil
    default: return nil
    }
  }

  /// Lets time pass.
  public mutating func advance(to now: Instant) { if let until = troubleUntil, until <= now { troubleUntil = nil } }

  /// How the way stands.
  public func state(of modem: borrowing Modem) -> WayState {
    if ModemWay.lastingTrouble(of: modem) != nil, current != nil || troubleUntil != nil { return .failed }
    switch modem.phase {
    case .off, .asleep, .dormant: return .idle
    case .running where hasSession: return .open
    case .running where current == nil && modem.step == nil: return .idle
    default: return .opening
    }
  }

  /// What keeps packets from going, once a mere try again was not enough.
  public static func lastingTrouble(of modem: borrowing Modem) -> ModemTrouble? {
    guard let rung = modem.ladder.current, rung > .retry else { return nil }
    return modem.trouble
  }

  /// The packet that shows the trouble goes; the next is not to be given to this way at once.
  private mutating func rememberTrouble(of modem: borrowing Modem, at now: Instant) {
    guard ModemWay.lastingTrouble(of: modem) != nil else { return }
    troubleUntil = now + backOff.next(after: .refusal)
  }
}

extension ModemStep {
  /// True while the packet itself is on its way: to take it back then would only send it twice.
  public var sendsPacket: Bool {
    switch self {
    case .httpBody, .httpInlineBody, .httpRequest, .legacyBody, .legacyRequest, .mqttPublish, .tcpSend, .socketSend,
      .messageSend:
      true
    default: false
    }
  }
}
