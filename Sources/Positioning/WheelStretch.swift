/// A count of pulses with its part.
@frozen @usableFromInline struct WheelPulses: Equatable, BitwiseCopyable, Sendable {
  var whole: UInt32 = 0
  var part: Float = 0

  @usableFromInline init(whole: UInt32 = 0, part: Float = 0) { (self.whole, self.part) = (whole, part) }

  /// How many there were since others.
  func since(_ start: WheelPulses) -> Float {
    max(0, Float(Int32(bitPattern: whole &- start.whole)) + (part - start.part))
  }
}

/// A way by fixes and the pulses at its beginning.
@frozen @usableFromInline struct WheelStretch: Equatable, BitwiseCopyable, Sendable {
  var start = WheelPulses()
  /// m
  var way: Float = 0

  @usableFromInline init(from start: WheelPulses = WheelPulses()) { self.start = start }
}
