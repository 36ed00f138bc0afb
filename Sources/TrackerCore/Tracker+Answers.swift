import ASCIIText
import InlineStorage
import Positioning
public import Quantities
import Rules
public import Telemetry

// What the tracker tells when it is asked, and what no packet has room for.
extension Tracker {
  @inline(never) mutating func answer(_ question: StatusQuestion, request number: UInt32) {
    switch question {
    case .all: sendStatus(.asked, request: number)
    case .settings:
      var text = InlineBytes<20>()
      text.append(decimal: answeredInterval.microseconds / 1_000_000)
      text.append(" s ")
      text.append(decimal: UInt64(answeredDistance))
      text.append(" m")
      sendStatus(.settings, request: number, value: text.span)
    case .fences:
      let text = ruleNumbers(.fence)
      sendStatus(.fences, request: number, value: text.span)
    case .trip: answerTrip(request: number)
    // Whoever counts it answers.
    case .activity: break
    case .steps(let from, let to):
      guard to > 0 else { return sendStatus(.steps, request: number) }
      var text = InlineBytes<20>()
      text.append(decimal: UInt64(from))
      text.append(0x2B)
      text.append(decimal: UInt64(to - from))
      sendStatus(.steps, request: number, value: text.span)
    }
  }
}

extension Tracker {
  /// The ride as packets of rides have it.
  @inline(never) private mutating func answerTrip(request number: UInt32) {
    requests.lastAnswer = .trip
    requests.lastValue = nil
    var answer = packet(.status, at: now)
    answer.status = PacketStatus(reason: .trip, alertsEnabled: alertsAreOn, request: number)
    trip.describeRide(in: &answer)
    send(answer)
  }
}

extension Tracker: AnswerSource {
  /// `reports.ridingInterval`.
  public var answeredInterval: Interval { configuration.reports.ridingInterval }
  /// `reports.distance`, in whole metres.
  public var answeredDistance: UInt32 {
    let metres = configuration.reports.distance
    return metres >= 1 && metres < 4_000_000_000 ? UInt32(metres + 0.5) : 0
  }
  /// Rows that fences may be in.
  public var answeredFenceRows: Int { RuleKeeper.fenceRows }
  /// The fence in a row; nil when there is none.
  public func answeredFence(in row: Int) -> AnsweredFence? {
    let number = rules.fences.fences[row].number
    guard number != 0 else { return nil }
    var answer = AnsweredFence(number: number, name: rules.fences.fences[row].name)
    if rules.fences.fences[row].region.shape == .circle, rules.fences.fences[row].region.count == 1 {
      let middle = rules.fences.fences[row].region.corner(0)
      answer.middle = (Tracker.degreesE7(middle.latitudeE9), Tracker.degreesE7(middle.longitudeE9))
      answer.radius = UInt32(min(max(1, rules.fences.fences[row].region.width + 0.5), 4_000_000_000))
    }
    return answer
  }

  private static func degreesE7(_ degreesE9: Int64) -> Int32 {
    Int32(truncatingIfNeeded: (degreesE9 + (degreesE9 < 0 ? -50 : 50)) / 100)
  }
}
