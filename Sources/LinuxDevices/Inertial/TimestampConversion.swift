import Glibc
import Quantities

/// The clocks an IIO device may date its samples with.
///
/// - Source: [iio-abi] current_timestamp_clock
enum TimestampClock: String, CaseIterable {
  case monotonic
  case monotonicCoarse = "monotonic_coarse"
  case monotonicRaw = "monotonic_raw"
  case boottime
  case realtime
  case realtimeCoarse = "realtime_coarse"
  case tai

  /// False for a clock that somebody may set while it runs.
  var isSteady: Bool {
    switch self {
    case .monotonic, .monotonicCoarse, .monotonicRaw, .boottime: true
    case .realtime, .realtimeCoarse, .tai: false
    }
  }

  /// How far it is ahead of the monotonic clock now, in nanoseconds.
  var aheadOfMonotonic: Int64 {
    let clock =
      switch self {
      case .monotonic, .monotonicCoarse: CLOCK_MONOTONIC
      case .monotonicRaw: CLOCK_MONOTONIC_RAW
      case .boottime: CLOCK_BOOTTIME
      case .realtime, .realtimeCoarse: CLOCK_REALTIME
      case .tai: CLOCK_TAI
      }
    if clock == CLOCK_MONOTONIC { return 0 }
    let before = Self.nanoseconds(CLOCK_MONOTONIC)
    let other = Self.nanoseconds(clock)
    let after = Self.nanoseconds(CLOCK_MONOTONIC)
    return other - (before + (after - before) / 2)
  }

  private static func nanoseconds(_ clock: Int32) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Carries the timestamps of a device over to the monotonic clock.
///
/// The difference of the clocks is measured at each read. The boot clock's changes only while the machine sleeps, the raw
/// clock's by millionths. A clock on the wall is another matter: it may have been set between the sample and the read. Then
/// the difference before the step or the one after it is right for each sample, and the other gives a time that is off by
/// the step. Of the two, the one is taken that gives a time in the past and nearest to where the sample is expected; when
/// neither does, there is no time, and the caller dates by arrival.
struct TimestampConversion {
  /// A sample that waited longer than this in the kernel's buffer is not believed.
  private static let largestAge = Interval.seconds(2)
  /// How far a driver's estimate may be ahead of the read.
  private static let largestLead = Interval.milliseconds(2)

  let clock: TimestampClock
  private var differences: [Int64] = []

  init(clock: TimestampClock) { self.clock = clock }

  /// Notes by how many nanoseconds the device's clock is ahead of the monotonic one at this read.
  mutating func note(difference: Int64) {
    guard !clock.isSteady, let last = differences.last else {
      differences = [difference]
      return
    }
    differences = [last, difference]
  }

  /// The sample's time on the monotonic clock; nil when the timestamp makes no sense.
  ///
  /// - Parameters:
  ///   - expected: One spacing after the sample before; nil at the beginning.
  func instant(nanoseconds: Int64, expected: Instant?, readAt now: Instant) -> Instant? {
    var best: Instant?
    for difference in differences.reversed() {
      let (monotonic, overflow) = nanoseconds.subtractingReportingOverflow(difference)
      if overflow { continue }
      let time = Instant(microseconds: monotonic / 1000)
      guard time <= now + Self.largestLead, now - time <= Self.largestAge else { continue }
      let target = expected ?? now
      if let found = best, distance(found, target) <= distance(time, target) { continue }
      best = time
    }
    return best.map { min($0, now) }
  }

  private func distance(_ a: Instant, _ b: Instant) -> Interval { max(a - b, b - a) }
}
