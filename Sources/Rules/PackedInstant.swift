import Quantities

/// An instant, or none, in eight bytes: an optional takes sixteen where another number follows.
struct PackedInstant: BitwiseCopyable {
  private var time = Instant(microseconds: .min)

  /// None.
  init() {}

  /// The instant; the earliest there could be stands for none, and is no time of an input.
  var value: Instant? {
    get { time.microseconds == .min ? nil : time }
    set { time = newValue ?? Instant(microseconds: .min) }
  }
}
