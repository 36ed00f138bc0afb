import Quantities

/// How often each channel may ask, and what was refused.
struct RequestPace: TrackerPart {
  /// Until when each channel has used up what it may ask, in tenths of seconds of the tracker's clock.
  private var paid = InlineArray<11, UInt32>(repeating: 0)
  private var refusals = InlineArray<13, UInt16>(repeating: 0)

  init() {}

  /// Time between two requests of a channel, in tenths of seconds.
  private static var spacing: UInt32 { 100 }

  /// True when a channel may ask now; with credit four at once.
  func allows(_ channel: UInt8, hasCredit: Bool, at time: Instant) -> Bool {
    // The owner's own line may ask as often as it likes.
    guard channel > 0, Int(channel) < paid.count else { return RequestOrigin(channel: channel).isOwners }
    let now = time.tenths
    let ahead = paid[Int(channel)] > now ? paid[Int(channel)] - now : 0
    return ahead <= (hasCredit ? 3 * RequestPace.spacing : 0)
  }

  /// A request of a channel was let in.
  mutating func noteAdmitted(_ channel: UInt8, at time: Instant) {
    guard channel > 0, Int(channel) < paid.count else { return }
    paid[Int(channel)] = max(paid[Int(channel)], time.tenths) &+ RequestPace.spacing
  }

  /// So many requests were refused.
  mutating func note(_ reason: RequestRefusal, times: UInt16) {
    let place = Int(reason.rawValue)
    let (sum, isOver) = refusals[place].addingReportingOverflow(times)
    refusals[place] = isOver ? .max : sum
  }

  /// How many were refused for a reason, up to 65,535.
  func refused(_ reason: RequestRefusal) -> Int { Int(refusals[Int(reason.rawValue)]) }

  /// How many were refused.
  var refusedCount: UInt32 {
    var sum: UInt32 = 0
    var place = 0
    while place < RequestRefusal.count {
      sum += UInt32(refusals[place])
      place += 1
    }
    return sum
  }
}
