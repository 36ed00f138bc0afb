import Glibc
public import Quantities

/// The machine's clock that never jumps, as the core counts time.
public enum MonotonicClock {
  /// Microseconds since the machine was started.
  public static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
