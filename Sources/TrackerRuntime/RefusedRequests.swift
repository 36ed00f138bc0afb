import Quantities
import TrackerCore

/// Refused requests that come faster than anybody wants to read of them: they are counted together, so that a flood of them fills neither
/// log nor recording.
///
/// Of each channel and reason the first few in a minute are told one by one, and the others together when the minute is over. There are
/// no more kinds than channels times reasons.
struct RefusedRequests {
  private struct Kind {
    var reason: RequestRefusal
    var channel: UInt8
    /// Since when they are counted.
    var start: Instant
    /// How many were told one by one.
    var toldCount = 1
    /// How many are to be told together.
    var waitingCount: UInt16 = 0
  }

  /// So many of a kind are told one by one.
  static let singleCount = 5
  /// The time after which the others are told together.
  static let window = Interval.seconds(60)

  private var kinds: [Kind] = []

  /// Those that were refused and not told yet.
  var waiting: [(reason: RequestRefusal, channel: UInt8, times: Int)] {
    kinds.filter { $0.waitingCount > 0 }.map { ($0.reason, $0.channel, Int($0.waitingCount)) }
  }

  /// When some are to be told together; nil for none. Asked after each sample, so it is kept.
  private(set) var nextDeadline: Instant?

  private mutating func findDeadline() {
    nextDeadline = kinds.lazy.filter { $0.waitingCount > 0 }.map { $0.start + RefusedRequests.window }.min()
  }

  /// Counts one.
  ///
  /// - Returns: True when it is to be told by itself.
  mutating func note(_ reason: RequestRefusal, _ channel: UInt8, at time: Instant) -> Bool {
    guard let place = kinds.firstIndex(where: { $0.reason == reason && $0.channel == channel }) else {
      kinds.append(Kind(reason: reason, channel: channel, start: time))
      return true
    }
    if kinds[place].waitingCount == 0, time - kinds[place].start >= RefusedRequests.window {
      (kinds[place].start, kinds[place].toldCount) = (time, 0)
    }
    if kinds[place].toldCount < RefusedRequests.singleCount, kinds[place].waitingCount == 0 {
      kinds[place].toldCount += 1
      return true
    }
    if kinds[place].waitingCount < .max { kinds[place].waitingCount += 1 }
    if kinds[place].waitingCount == 1 { findDeadline() }
    return false
  }

  /// The next that are due together.
  mutating func next(at time: Instant) -> RequestVerdict? {
    guard let nextDeadline, nextDeadline <= time else { return nil }
    let due = kinds.firstIndex { $0.waitingCount > 0 && time - $0.start >= RefusedRequests.window }
    guard let place = due else { return nil }
    defer { findDeadline() }
    let kind = kinds[place]
    kinds[place] = Kind(
      reason: kind.reason, channel: kind.channel, start: time, toldCount: RefusedRequests.singleCount)
    return .refusedTogether(kind.reason, channel: kind.channel, times: kind.waitingCount)
  }
}
