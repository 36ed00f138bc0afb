import Quantities

/// Timed events of the SIM.
enum SIMEvent: Equatable, Sendable {
  /// It has been read.
  case isUp
}

/// The SIM card.
struct CardState: Equatable, Sendable {
  /// There is one in the holder.
  var isPresent: Bool
  /// It wants its PIN.
  var needsPIN: Bool
  /// Tries left for the PIN.
  var pinTries = 3
  /// PIN that is set on the card, nil when none is wanted.
  var pin: String?
  /// The module has read it.
  var isUp = false
  /// `SMS Ready` has been said.
  var areMessagesReady = false

  /// The card of a configuration.
  init(_ configuration: SimulatedModemConfiguration) {
    isPresent = configuration.hasSIM
    pin = configuration.pin
    needsPIN = configuration.pin != nil
  }

  /// True when it can be used.
  var isReady: Bool { isPresent && isUp && !needsPIN && pinTries > 0 }

  /// The module restarts: the card asks again.
  mutating func restart(_ configuration: SimulatedModemConfiguration) {
    isUp = false
    areMessagesReady = false
    needsPIN = pin != nil
  }
}

extension SimulatedModem {
  /// What `CPIN?` says, or the number of the error.
  var simStatus: (text: String?, code: Int) {
    if radio.function == 0 { return (nil, 13) }
    if !sim.isPresent { return (nil, 10) }
    if !sim.isUp { return (nil, 14) }
    if sim.pinTries == 0 { return ("SIM PUK", 12) }
    if sim.needsPIN { return ("SIM PIN", 11) }
    return ("READY", 0)
  }

  /// The module reads the card and says how it is.
  mutating func bringUpSIM() {
    guard radio.function != 0 else { return }
    guard sim.isPresent else {
      urc("+CPIN: NOT INSERTED")
      return
    }
    sim.isUp = true
    urc("+CPIN: \(simStatus.text ?? "NOT READY")")
    if sim.isReady { startSearch(after: searchDelay) }
  }

  /// `SMS Ready`, if its time has come.
  mutating func messagesMayBeReady() {
    guard sim.isReady else { return }
    if faults.messagesDelay.microseconds > 0 {
      schedule(.boot(.messages), after: faults.messagesDelay)
      faults.messagesDelay = .zero
      return
    }
    sim.areMessagesReady = true
    urc("SMS Ready")
    deliverWaitingMessages()
  }

  /// The right PIN was given, or the card came back.
  mutating func simBecameReady() {
    startSearch(after: searchDelay)
    schedule(.boot(.messages), after: configuration.power.messagesReady - configuration.power.simReady)
  }

  mutating func removeSIM() {
    sim.isPresent = false
    sim.isUp = false
    sim.areMessagesReady = false
    guard power.isRunning else { return }
    urc("+CPIN: NOT INSERTED")
    loseNetwork()
  }

  mutating func insertSIM() {
    sim.isPresent = configuration.hasSIM
    sim.needsPIN = sim.pin != nil
    guard power.isRunning, sim.isPresent else { return }
    schedule(.sim(.isUp), after: .seconds(1))
  }

  mutating func handle(_ event: SIMEvent) {
    bringUpSIM()
    if sim.isReady { schedule(.boot(.messages), after: .seconds(2)) }
  }
}
