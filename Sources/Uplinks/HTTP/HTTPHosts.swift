import Quantities

/// Which of several servers of a way is asked: the first, and while that does not work the next that does.
///
/// From one that stands in the first is tried again after ten minutes, with a report or a notice, never with an alert; where that
/// fails the packet goes on to the one that stands in, and the next trial is twice as far away, an hour at most.
struct HTTPHosts {
  /// From the one that stands in to the first trial of the preferred.
  static let firstTrial: Interval = .seconds(600)
  /// The longest between two of them.
  static let longestTrial: Interval = .seconds(3600)
  /// How long a server may take with an alert while another has not been tried.
  static let alertLimit: Interval = .seconds(10)

  private let urls: [String]
  /// The one that is asked.
  private(set) var used = 0
  /// True while the first is tried though another works.
  private(set) var isTrial = false
  /// Those that did not work since one did, in a row.
  private var failed = 0
  private var trialAt: Instant?
  private var trialPause = HTTPHosts.firstTrial

  /// - Parameter urls: The preferred first.
  init(_ urls: [String]) { self.urls = urls }

  /// How many there are.
  var count: Int { urls.count }

  /// True when another is to be tried before it counts that this one does not work.
  var hasAnother: Bool { isTrial || failed + 1 < urls.count }

  /// The address that the next request goes to.
  mutating func begin(isAlert: Bool, at now: Instant) -> String {
    isTrial = !isAlert && used > 0 && trialAt.map { $0 <= now } ?? false
    return urls[isTrial ? 0 : used]
  }

  /// The server has taken a packet.
  mutating func delivered(at now: Instant) {
    failed = 0
    if isTrial { used = 0 }
    isTrial = false
    if used == 0 {
      trialAt = nil
      trialPause = HTTPHosts.firstTrial
    } else if trialAt == nil {
      trialAt = now + trialPause
    }
  }

  /// The server did not work, or was not waited for any longer.
  ///
  /// - Returns: True when another is to be asked at once; false when none works.
  mutating func moveOn(at now: Instant) -> Bool {
    if isTrial {
      isTrial = false
      trialPause = min(HTTPHosts.longestTrial, trialPause + trialPause)
      trialAt = now + trialPause
      return true
    }
    failed += 1
    trialAt = nil
    guard failed < urls.count else {
      failed = 0
      used = 0
      return false
    }
    used = (used + 1) % urls.count
    return true
  }
}
