import Quantities

/// Whether the wearer is in a vehicle: by fixes that are faster than it walks, for longer than it runs.
package struct TravelWatch: BitwiseCopyable {
  /// From this speed on nobody walks, m/s.
  package static var fastSpeed: Double { 6 }
  /// A sprint is shorter.
  static var sprint: Interval { .seconds(10) }
  /// A vehicle that stands goes on within this time, or it is taken for left.
  static var stop: Interval { .seconds(90) }
  /// Fixes that are farther apart are no stretch of travel.
  static var longestGap: Interval { .seconds(30) }

  private var fastSince: Instant?
  private var lastFix: Instant?
  private var lastFast: Instant?

  /// Nothing is known.
  package init() {}

  /// A fix has this speed, m/s; nil for one that tells none.
  package mutating func note(speed: Double?, at time: Instant) {
    if let lastFix, time <= lastFix { return }
    let isSame = lastFix.map { time - $0 <= TravelWatch.longestGap } ?? false
    lastFix = time
    guard let speed, speed >= TravelWatch.fastSpeed else {
      fastSince = nil
      return
    }
    if !isSame { fastSince = nil }
    let since = fastSince ?? time
    fastSince = since
    if time - since >= TravelWatch.sprint { lastFast = time }
  }

  /// True while it travels, and through the stops of its vehicle.
  package func isCarried(at now: Instant) -> Bool { lastFast.map { now - $0 <= TravelWatch.stop } ?? false }
}
