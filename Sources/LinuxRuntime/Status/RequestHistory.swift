import Quantities
import Telemetry
import TrackerCore

/// The last requests and what became of them, bounded whatever comes.
///
/// Those that were refused are counted together by channel and reason, in a list of their own: who floods the tracker pushes out nothing
/// that was let in.
package struct RequestHistory: Sendable {
  /// One that was let in, or all that were refused for a reason on a channel.
  package struct Entry: Equatable, Sendable {
    /// When it came; the last of those refused.
    package var time: Instant
    /// `RequestOrigin.channel`.
    package var channel: UInt8
    /// What it asked; nil for one that was refused.
    package var kind: RequestKind?
    /// Its number, 0 for none.
    package var number: UInt32 = 0
    /// Why it was refused.
    package var refusal: RequestRefusal?
    /// How often that happened.
    package var times = 1
    /// What was said about it last.
    package var answer: StatusReason?
  }

  /// So many of each list are kept.
  static let capacity = 10

  /// Those that were let in, the oldest first.
  private(set) var admitted: [Entry] = []
  /// Those that were refused, the oldest first.
  private(set) var refused: [Entry] = []

  /// Nothing yet.
  package init() {}

  /// Both lists together, the newest first.
  package var entries: [Entry] { entries(with: []) }

  /// The same with those that were refused and are not told yet, as many others of their kind were.
  package func entries(with untold: [(reason: RequestRefusal, channel: UInt8, times: Int)]) -> [Entry] {
    var refused = refused
    for more in untold {
      guard let place = refused.firstIndex(where: { $0.channel == more.channel && $0.refusal == more.reason }) else {
        continue
      }
      refused[place].times += more.times
    }
    return (admitted + refused).reversed().sorted { $0.time > $1.time }
  }

  /// Looks at what happened.
  mutating func note(_ event: TrackerEvent) {
    switch event.kind {
    case .request(let kind, let channel, let number):
      admitted.append(Entry(time: event.time, channel: channel, kind: RequestKind(rawValue: kind), number: number))
      if admitted.count > RequestHistory.capacity { admitted.removeFirst() }
    case .requestRefused(let reason, let channel, let times):
      let refusal = RequestRefusal(rawValue: reason)
      var entry = Entry(time: event.time, channel: channel, refusal: refusal, times: Int(times))
      if let place = refused.firstIndex(where: { $0.channel == channel && $0.refusal == refusal }) {
        entry.times += refused.remove(at: place).times
      }
      refused.append(entry)
      if refused.count > RequestHistory.capacity { refused.removeFirst() }
    default: break
    }
  }

  /// Looks at what was told: a status says what became of a request, and so does a position of one without a number.
  mutating func note(_ packet: Packet) {
    if let status = packet.status, status.request > 0 {
      guard let place = admitted.lastIndex(where: { $0.number == status.request }) else { return }
      admitted[place].answer = status.reason
    } else if let place = admitted.lastIndex(where: { $0.number == 0 && $0.time == packet.time && $0.answer == nil }) {
      if let status = packet.status {
        admitted[place].answer = status.reason
      } else if packet.kind == .location, admitted[place].kind == .locate {
        admitted[place].answer = .located
      }
    }
  }
}
