import InlineStorage
public import Quantities

/// A receiver's bytes in, fixes out: framing, parsing and assembly in one value of fixed size.
///
/// Call `receive` with bytes as they come, `advance(to:)` no later than `nextDeadline`, and `nextFix()` until it gives
/// nil after each. Nothing allocates, nothing in the bytes can stop it; what was refused is counted in `rejections`. It stays
/// where it was made and is not copied.
public struct NMEAReceiver: ~Copyable, Sendable {
  private var framer: SentenceFramer
  private var assembler: EpochAssembler
  private let inPlace = InPlace()

  /// A receiver that has heard nothing.
  ///
  /// - Parameters:
  ///   - rolloverReference: See `UTCClock.rolloverReference`; nil leaves all dates as they are sent.
  ///   - countsSatellites: See `EpochAssembler.countsSatellites`; true only to compare with gpsd.
  public init(rolloverReference: CivilDate? = nil, countsSatellites: Bool = false) {
    framer = SentenceFramer()
    assembler = EpochAssembler(rolloverReference: rolloverReference, countsSatellites: countsSatellites)
  }

  /// Sets `UTCClock.rolloverReference`, for dates to come.
  public mutating func repairDates(before date: CivilDate?) { assembler.clock.rolloverReference = date }

  /// Takes bytes in chunks of any size.
  ///
  /// - Parameter now: When they arrived; the first sentence of an epoch gives the fix its `time`.
  public mutating func receive(_ bytes: Span<UInt8>, at now: Instant) {
    assembler.advance(to: now)
    assembler.now = now
    framer.receive(bytes, into: &assembler)
  }

  /// Delivers an epoch whose end did not come in time. Early, late and repeated calls are harmless.
  public mutating func advance(to now: Instant) { assembler.advance(to: now) }

  /// Delivers the epoch at hand and drops a begun sentence, as at the end of a recording.
  public mutating func finish() {
    framer.reset()
    assembler.flush()
  }

  /// When `advance(to:)` is due; nil when nothing waits.
  public var nextDeadline: Instant? { assembler.nextDeadline }

  /// The next fix, oldest first; nil when there is none.
  ///
  /// At most eight wait; more are dropped and counted in `rejections.droppedFixes`. Give `receive` chunks of no more than
  /// an epoch, or fetch in between.
  public mutating func nextFix() -> GNSSFix? { assembler.nextFix() }

  /// What was refused, by kind.
  public var rejections: RejectionCounts {
    var counts = framer.counts
    counts.droppedFixes = assembler.droppedFixCount
    return counts
  }
}
