import Quantities

/// A state of tracker and world that chance seldom brings about, and in which one fault more is likely to do harm.
///
/// They are marked while a life is lived, from outside: nothing in a life depends on them.
package enum RareState: String, CaseIterable, Sendable {
  /// The supply goes while an alarm is on.
  case cutInAlarm
  /// The supply goes on a ride.
  case cutOnRide
  /// The supply goes while the driver has a packet in hand.
  case cutInFlight
  /// The supply goes while a change of the state is on its way to the storage.
  case cutWhileKeeping
  /// The supply goes while the line to the modem is bad.
  case cutOnBadLine
  /// The supply goes within a minute after the tracker has begun.
  case cutAgain
  /// What the power cut off was whole on the flash all the same.
  case tornIsWhole
  /// What the power cut off was a part on the flash, and is left out.
  case tornIsPart
  /// A tracker begins, and packets of an earlier life wait.
  case restartWithPackets
  /// A tracker begins, and its spool is not empty.
  case restartWithSpool
  /// A tracker begins in the phase `stolen`.
  case restartStolen
  /// An alert is made while no server can be reached.
  case alertWithoutServers
  /// An alert is made while the second server alone can't be reached.
  case alertWithoutSecond
  /// An alert is made while the driver is about starting or resetting its modem.
  case alertWithoutModem
  /// An alert is made while a sensor is out of order, or has just been.
  case alertInTrouble
  /// A sensor goes wrong while an alarm is on.
  case troubleInAlarm
  /// A sensor goes wrong on a ride.
  case troubleOnRide
  /// Something stolen is told as such.
  case stolen
  /// The owner writes while an alarm is on.
  case requestInAlarm
  /// The owner writes while the tracker is off.
  case requestWhileOff
  /// The driver resets its modem.
  case modemReset
  /// The driver takes the power of its modem away.
  case modemPowerCycle
  /// The server gets a packet twice.
  case sentTwice
  /// The modem takes commands for the bytes of a packet.
  case commandsSent
  /// A packet is sent before the storage has it, as that takes too long.
  case sentUnkept
  /// As many packets wait as the outbox takes.
  case outboxFull
  /// Packets wait in the spool, as the outbox has no room.
  case spooled
  /// The battery is empty, and the tracker has no power until it is charged.
  case batteryEmpty

  /// What it is, for people.
  package var words: String {
    switch self {
    case .cutInAlarm: "power cut in an alarm"
    case .cutOnRide: "power cut on a ride"
    case .cutInFlight: "power cut while a packet is with the driver"
    case .cutWhileKeeping: "power cut while a change is being kept"
    case .cutOnBadLine: "power cut while the modem's line is bad"
    case .cutAgain: "power cut within a minute of the start"
    case .tornIsWhole: "a torn change that was whole"
    case .tornIsPart: "a torn change that was left out"
    case .restartWithPackets: "restart with packets that wait"
    case .restartWithSpool: "restart with a spool"
    case .restartStolen: "restart while stolen"
    case .alertWithoutServers: "alert while no server can be reached"
    case .alertWithoutSecond: "alert while the second server can't be reached"
    case .alertWithoutModem: "alert while the modem starts or is reset"
    case .alertInTrouble: "alert while a sensor is out of order"
    case .troubleInAlarm: "sensor out of order in an alarm"
    case .troubleOnRide: "sensor out of order on a ride"
    case .stolen: "stolen"
    case .requestInAlarm: "request in an alarm"
    case .requestWhileOff: "request while the tracker is off"
    case .modemReset: "modem reset"
    case .modemPowerCycle: "modem without power for a moment"
    case .sentTwice: "packet sent twice"
    case .commandsSent: "commands taken for a packet"
    case .sentUnkept: "packet sent before it is kept"
    case .outboxFull: "outbox full"
    case .spooled: "packets in the spool"
    case .batteryEmpty: "battery empty"
    }
  }
}

/// Which rare states a life came to.
package struct RareStateMarks: Equatable, Sendable {
  /// How often a life came to a state, and when first.
  package struct Mark: Equatable, Sendable {
    /// How often; a state that lasts counts once until it is over.
    package var count: Int
    /// When first, on the world's clock.
    package var first: Instant
  }

  /// By state; those that were not reached are not there.
  package private(set) var marks: [RareState: Mark] = [:]
  /// States that last, and are not over.
  private var open: Set<RareState> = []

  /// None was reached.
  package init() {}

  /// A state is reached.
  mutating func note(_ state: RareState, at time: Instant) {
    marks[state, default: Mark(count: 0, first: time)].count += 1
  }

  /// A state that lasts is there, or is not.
  mutating func note(_ state: RareState, _ isThere: Bool, at time: Instant) {
    if !isThere, open.isEmpty { return }
    guard isThere else {
      open.remove(state)
      return
    }
    if open.insert(state).inserted { note(state, at: time) }
  }
}
