import Quantities

/// A battery in the world: what parts and modem draw empties it, a charger fills it.
///
/// - Source: voltages of a lithium cell under a small load, our choice.
package struct LifeBattery: Equatable, Sendable {
  /// What it holds when it is full, mAh; the share that can be used is that of the currents.
  package var capacity = 2600.0
  /// How full it is of what can be used, percent.
  package var level = 100.0
  /// What the charger gives it, mA, beside what the tracker draws meanwhile.
  package var charger = 500.0
  /// Whether there is power from outside.
  package var isPlugged = false

  /// When it is looked at again, on the world's clock.
  private(set) var due = Instant.zero
  private var since = Instant.zero
  /// All that was drawn by then, µC.
  private var drawn = 0.0
  /// Since when a board has shown no more than the level at which the last position is told; nil while it is charged, or shows more.
  private var lastSince: Instant?

  /// A full one.
  package init() {}

  /// How often a board reads its battery.
  static var pause: Interval { .seconds(60) }
  /// How full it must be for a tracker to begin again, percent.
  static var enough: Double { 3 }
  /// How long a last position may take: a reading, and a fix that does not come.
  static var patience: Interval { .seconds(180) }

  /// True when nothing is left that could be used.
  var isEmpty: Bool { level <= 0 && !isPlugged }

  /// What a board reads of it.
  var supply: Supply {
    Supply(
      charge: UInt8(max(0, min(100, level))), millivolts: millivolts, isCharging: isPlugged && level < 100,
      isExternal: isPlugged)
  }

  private static let voltages: [(level: Double, millivolts: Double)] = [
    (0, 3300), (5, 3550), (10, 3650), (20, 3720), (50, 3820), (80, 4000), (100, 4180),
  ]

  private var millivolts: UInt16 {
    let level = max(0, min(100, level))
    for (low, high) in zip(LifeBattery.voltages, LifeBattery.voltages.dropFirst()) where level <= high.level {
      let share = (level - low.level) / (high.level - low.level)
      return UInt16(low.millivolts + share * (high.millivolts - low.millivolts))
    }
    return 4180
  }

  /// Time has passed in which so much was drawn in all, µC.
  ///
  /// - Parameter usable: Share of the capacity that can be used.
  mutating func pass(to time: Instant, drawn total: Double, usable: Double) {
    let percent = 100 / max(1e-9, capacity * usable)
    if isPlugged {
      level += charger * (time - since).secondsDouble / 3600 * percent
    } else {
      level -= max(0, total - drawn) / 3.6e6 * percent
    }
    level = max(0, min(100, level))
    (since, drawn) = (time, total)
    due = time + LifeBattery.pause
  }

  /// A board reads it when it begins, and as soon as power comes or goes.
  mutating func readSoon(at time: Instant) { due = time }

  /// A tracker has a reading, or none as it is off.
  ///
  /// - Parameter limit: Charge up to which it tells its last position, percent; nil while it is off.
  mutating func noteRead(limit: UInt8?, at time: Instant) {
    guard let limit, limit > 0, !isPlugged, let charge = supply.charge, charge <= limit else {
      lastSince = nil
      return
    }
    lastSince = lastSince ?? time
  }

  /// True when the last position must have been told by then.
  func mustHaveTold(by time: Instant) -> Bool { lastSince.map { time - $0 >= LifeBattery.patience } ?? false }
}
