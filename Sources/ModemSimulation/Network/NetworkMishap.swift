public import Quantities

/// Something that goes wrong between the modem and a server.
public enum NetworkMishap: Equatable, Sendable {
  /// A connection attempt, look-up or short message is refused; `.timedOut` and `.unreachable` take the time of a time-out.
  case refuse(NetworkFailure)
  /// A request vanishes on the way; nobody ever answers.
  case loseRequest
  /// The server handles the request, but its answer vanishes: the case in which a sender must repeat and the server sees
  /// it twice.
  case loseAnswer
  /// The server closes the connection and has not handled the request.
  case dropBeforeHandling
  /// The server handles the request and closes the connection in place of answering.
  case dropAfterHandling
  /// The answer comes this much later.
  case delay(Interval)

  /// True for what can happen to a connection attempt, look-up, time request or short message.
  var concernsOpening: Bool {
    switch self {
    case .refuse, .delay: return true
    default: return false
    }
  }

  /// True for what can happen to a request on an open connection.
  var concernsExchange: Bool {
    if case .refuse = self { return false }
    return true
  }
}

/// Mishaps to come: some at the n-th occasion, some by chance.
struct MishapPlan: Sendable {
  /// A mishap for one occasion.
  struct Once: Sendable {
    /// Where.
    var channel: NetworkChannel
    /// What.
    var mishap: NetworkMishap
    /// Occasions that still go well.
    var occasionsBefore: Int
  }

  /// A mishap by chance at each occasion.
  struct Chance: Sendable {
    /// Where.
    var channel: NetworkChannel
    /// What.
    var mishap: NetworkMishap
    /// How often, of 1000.
    var perMille: UInt64
  }

  /// What is planned.
  var once: [Once] = []
  /// What may happen.
  var chances: [Chance] = []

  /// What goes wrong now, if anything; at most one planned mishap is used up.
  mutating func next(on channel: NetworkChannel, opening: Bool, random: inout ModemRandom) -> NetworkMishap? {
    var found: NetworkMishap?
    var place = 0
    while place < once.count {
      let entry = once[place]
      guard entry.channel == channel, opening ? entry.mishap.concernsOpening : entry.mishap.concernsExchange else {
        place += 1
        continue
      }
      if entry.occasionsBefore > 0 {
        once[place].occasionsBefore -= 1
        place += 1
      } else if found == nil {
        found = entry.mishap
        once.remove(at: place)
      } else {
        place += 1
      }
    }
    for entry in chances where entry.channel == channel {
      guard opening ? entry.mishap.concernsOpening : entry.mishap.concernsExchange else { continue }
      // Drawn also when a planned mishap was found, so that planning one does not shift all later draws.
      let happens = random.integer(below: 1000) < entry.perMille
      if happens && found == nil { found = entry.mishap }
    }
    return found
  }
}
