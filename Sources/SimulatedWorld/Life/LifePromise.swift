import Quantities

/// What a tracker promises, whatever happens about it.
package enum LifePromise: String, CaseIterable, Sendable {
  /// Each theft is reported within its limit.
  case theftTold
  /// No alert without a cause.
  case noFalseAlert
  /// Every alert and notice reaches both servers in the end.
  case nothingLost
  /// Nothing counts as delivered that the server does not have.
  case deliveredIsThere
  /// The server gets no packet that the tracker has not made.
  case nothingInvented
  /// A packet that is sent again has the bytes of before.
  case sameBytes
  /// Numbers of packets grow, over restarts, too.
  case numbersGrow
  /// A request is obeyed once at most.
  case obeyedOnce
  /// Only the owner is obeyed.
  case onlyOwnerObeyed
  /// Each request of the owner is answered in the end.
  case requestAnswered
  /// A position is where the vehicle was, within its accuracy.
  case positionIsTrue
  /// A packet says when it was made.
  case timeIsTrue
  /// Each ride is told once, from its begin to its end.
  case ridesAreTold
  /// The odometer is right, within what it says of itself.
  case odometerIsTrue
  /// The odometer never falls.
  case odometerGrows
  /// After a restart the state is the one that was kept, or the one before the change in which the power went.
  case stateIsKept
  /// Queues stay within their limits.
  case withinLimits
  /// No more packets an hour than agreed.
  case fewPackets
  /// The tracker never waits for what has passed.
  case timePasses
  /// When nothing goes wrong any more, the outbox empties.
  case outboxEmpties
  /// A receiver that can be reached does not wait for another that can't.
  case nobodyWaits
  /// A sensor asleep is woken before its deadline.
  case sleepersWake
  /// A battery's last position is told before it is empty, and once.
  case lastPositionTold

  /// What was promised, for people.
  package var words: String {
    switch self {
    case .theftTold: "each theft is reported within its limit"
    case .noFalseAlert: "no alert without a cause"
    case .nothingLost: "every alert and notice reaches both servers"
    case .deliveredIsThere: "nothing counts as delivered that the server does not have"
    case .nothingInvented: "the server gets no packet that the tracker has not made"
    case .sameBytes: "a packet that is sent again has the same bytes"
    case .numbersGrow: "numbers of packets grow"
    case .obeyedOnce: "a request is obeyed once at most"
    case .onlyOwnerObeyed: "only the owner is obeyed"
    case .requestAnswered: "each request of the owner is answered"
    case .positionIsTrue: "a position is where the vehicle was, within its accuracy"
    case .timeIsTrue: "a packet says when it was made, to a second"
    case .ridesAreTold: "each ride is told once, with its begin and end"
    case .odometerIsTrue: "the odometer is right, within its uncertainty"
    case .odometerGrows: "the odometer never falls"
    case .stateIsKept: "after a restart the state is the one that was kept, or the one before"
    case .withinLimits: "queues stay within their limits"
    case .fewPackets: "no more packets an hour than agreed"
    case .timePasses: "the tracker never wakes without end"
    case .nobodyWaits: "a server that can be reached waits for no other"
    case .lastPositionTold: "a last position is told before the battery is empty, once"
    case .sleepersWake: "a sensor asleep is woken before its deadline"
    case .outboxEmpties: "the outbox empties when nothing goes wrong any more"
    }
  }
}

/// A promise that was broken.
package struct BrokenPromise: Equatable, Sendable {
  /// Which.
  package var promise: LifePromise
  /// When, on the world's clock.
  package var time: Instant
  /// What happened.
  package var what: String
  /// In which step of the life, from 1.
  package var step = 0
}
