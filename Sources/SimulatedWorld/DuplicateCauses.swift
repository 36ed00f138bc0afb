import ModemSimulation
import Quantities
import SIM7000

/// Why a server got a packet again, by what the campaign itself has done, and not by what the driver thinks.
///
/// A packet is given to the modem, its copy arrives, and some evidence of that comes back: the server's answer, the modem's result, the
/// echo of the payload, the server's line. If any of it was destroyed before the driver decided to send once more, no driver can know
/// that the copy has arrived, and sending again is the only safe thing. All others are the driver's own: it did not wait long enough, or
/// did not believe what it had.
struct DuplicateCauses {
  /// The first that holds.
  enum Cause: Equatable {
    /// The network lost the server's answer, or broke the connection with the answer on its way.
    case answerLost
    /// The modem started in between by a fault, and has forgotten.
    case startBetween
    /// On the line a byte was lost, changed, or repeated, or a fault of the modem took away, held back or damaged what it had to say, from
    /// the moment at which this copy was given to the modem until the driver gave it up.
    case evidenceLost
    /// None of these.
    case driver
  }

  /// When the packet was given to the modem, and when something was destroyed.
  private var attempts: [Instant] = []
  private var losses: [Instant] = []
  private var starts: [Instant] = []
  private var troubles: [(time: Instant, restarts: Bool)] = []
  private var attemptCount: UInt32 = 0
  private var lossCount = 0
  private var seen = 0

  /// Looks at the world after each of its steps.
  mutating func watch(_ bench: ModemBench) {
    let count = bench.driver.modem.diagnostics.attempts
    if count != attemptCount { attempts.append(bench.now) }
    attemptCount = count
    var sum = bench.module.tellingsLost + bench.payloadChanges
    for line in [bench.fromModule.counts, bench.toModule.counts] {
      sum += line.lost + line.corrupted + line.duplicated
      sum += line.merged + line.torn
    }
    if sum != lossCount { losses.append(bench.now) }
    lossCount = sum
    while seen < bench.actions.count {
      let (time, action) = bench.actions[seen]
      seen += 1
      switch action {
      case .started: starts.append(time)
      case .recovery(let rung, _): troubles.append((time, rung >= .reset))
      case .undelivered: troubles.append((time, false))
      default: break
      }
    }
  }

  /// The world has ended.
  mutating func finish(_ bench: ModemBench) { watch(bench) }

  /// Why the second copy came.
  func cause(of second: ReceivedPayload, after first: ReceivedPayload) -> Cause {
    if first.answerIsLost { return .answerLost }
    let given = attempts.last { $0 <= first.time } ?? first.time
    // The driver has given the copy up with its next trouble, or with the next attempt.
    var end = second.time
    if let trouble = troubles.first(where: { $0.time >= first.time }) { end = min(end, trouble.time) }
    if let next = attempts.first(where: { $0 > given }) { end = min(end, next) }
    // A copy that was given up before it arrived: whatever made the driver give it up was before.
    if let trouble = troubles.first(where: { $0.time >= given }) { end = min(end, max(trouble.time, given)) }
    if let start = starts.first(where: { $0 >= first.time && $0 <= second.time }),
      !troubles.contains(where: { $0.restarts && $0.time >= given && $0.time <= start })
    {
      return .startBetween
    }
    if losses.contains(where: { $0 >= given && $0 <= end }) { return .evidenceLost }
    return .driver
  }
}

/// What a story meets besides faults and dialects, as somebody has met it in the field; each in its share of the stories.
package enum FieldEncounter: String, CaseIterable, Sendable {
  /// `CIPSTART` is answered with `OK` and `STATE: PDP DEACT` (botletics/SIM7000-LTE-Shield#92).
  case deactivatedAtConnect
  /// Another program has just asked `CPSI?`, and its answer stops in the middle (botletics/SIM7000-LTE-Shield#49).
  case systemInformationCut
  /// Another program has left the characters of texts at `UCS2` or `GSM` (vshymanskyy/TinyGSM#140).
  case foreignCharacters
  /// Bytes of payloads are changed on their way to the modem, whose echo shows it.
  case payloadChanged
  /// The same, and the modem does not echo payloads.
  case payloadChangedUnechoed
  /// Every answer comes late: a busy modem, or a bridge between it and the board.
  case slowModem
  /// The answers to one command do.
  case slowCommand

  /// What it is called in tables.
  package var words: String {
    switch self {
    case .deactivatedAtConnect: return "STATE: PDP DEACT for CIPSTART"
    case .systemInformationCut: return "an answer to CPSI that is cut"
    case .foreignCharacters: return "characters of another program"
    case .payloadChanged: return "changed bytes in payloads"
    case .payloadChangedUnechoed: return "the same without echo"
    case .slowModem: return "every answer late by 0.2 to 3 s"
    case .slowCommand: return "the answers to one command late by 2 to 8 s"
    }
  }
}
