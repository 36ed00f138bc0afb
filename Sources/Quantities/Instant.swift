/// A span of time in whole microseconds.
///
/// Integer, because sums of intervals must be exact and equal on every target. Arithmetic saturates at the ends of
/// `Int64` (±292,000 years) in place of trapping: an interval may come from outside data.
@frozen public struct Interval: Equatable, Comparable, BitwiseCopyable, Sendable {
  /// Length in microseconds; negative when it points back in time.
  public var microseconds: Int64

  /// An interval of `microseconds` µs.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// No time at all.
  @inlinable public static var zero: Interval { Interval(microseconds: 0) }

  /// An interval of whole seconds.
  @inlinable public static func seconds(_ count: Int) -> Interval {
    let (product, overflow) = Int64(count).multipliedReportingOverflow(by: 1_000_000)
    return Interval(microseconds: overflow ? (count < 0 ? .min : .max) : product)
  }

  /// An interval of whole milliseconds.
  @inlinable public static func milliseconds(_ count: Int) -> Interval {
    let (product, overflow) = Int64(count).multipliedReportingOverflow(by: 1_000)
    return Interval(microseconds: overflow ? (count < 0 ? .min : .max) : product)
  }

  /// Length in seconds, rounded to the nearest `Float`.
  @inlinable public var seconds: Float {
    #if _pointerBitWidth(_64)
      Float(microseconds) * 1e-6
    #else
      // Software either way; and the compiler's comes with an adder that nobody needs beside a FPU.
      Elementary.nearest(microseconds) * 1e-6
    #endif
  }

  /// Length in seconds, rounded to the nearest `Double`.
  @inlinable public var secondsDouble: Double { Double(microseconds) / 1_000_000 }

  /// True when the first interval is shorter (or more negative).
  @inlinable public static func < (a: Interval, b: Interval) -> Bool { a.microseconds < b.microseconds }

  /// Sum, saturating.
  @inlinable public static func + (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: saturatingSum(a.microseconds, b.microseconds))
  }

  /// Difference, saturating.
  @inlinable public static func - (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }
}

/// A point on the device's monotonic clock, in microseconds since that clock's origin.
///
/// The origin is the boot of the device or the first sample of a recording. It never jumps, and it says nothing about
/// the time of day: that is `UTCTime`, a different type, so that the two can't be mixed.
@frozen public struct Instant: Equatable, Comparable, BitwiseCopyable, Sendable {
  /// Microseconds since the origin of the monotonic clock.
  public var microseconds: Int64

  /// The instant `microseconds` µs after the clock's origin.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The clock's origin.
  @inlinable public static var zero: Instant { Instant(microseconds: 0) }

  /// An instant whole milliseconds after the origin.
  @inlinable public static func milliseconds(_ count: Int) -> Instant { .zero + .milliseconds(count) }

  /// An instant whole seconds after the origin.
  @inlinable public static func seconds(_ count: Int) -> Instant { .zero + .seconds(count) }

  /// Seconds since the origin, rounded to the nearest `Double`.
  @inlinable public var secondsDouble: Double { Double(microseconds) / 1_000_000 }

  /// True when the first instant is earlier.
  @inlinable public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// The instant `b` later, saturating.
  @inlinable public static func + (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: saturatingSum(a.microseconds, b.microseconds))
  }

  /// The instant `b` earlier, saturating.
  @inlinable public static func - (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }

  /// The interval from `b` to `a`, saturating.
  @inlinable public static func - (a: Instant, b: Instant) -> Interval {
    Interval(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }
}

@inlinable func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b < 0 ? .min : .max) : sum
}

@inlinable func saturatingDifference(_ a: Int64, _ b: Int64) -> Int64 {
  let (difference, overflow) = a.subtractingReportingOverflow(b)
  return overflow ? (b < 0 ? .max : .min) : difference
}
