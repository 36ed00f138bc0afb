/// Learns which sentences end a receiver's reporting cycle.
///
/// Receivers send the sentences of an epoch in a fixed order, but each model in its own. The rule: the sentence with a
/// time that came last before the time changed will be the last one with a time in the cycles to come. From then on the
/// epoch is complete as soon as that sentence is there, without waiting for the next epoch or for silence.
@frozen package struct CycleLearner: Equatable, BitwiseCopyable, Sendable {
  private var enders: UInt32
  private var lastTimed: UInt8
  private var stamp: Int64
  private var continues: Bool
  /// True when a sentence that ends the cycle is known.
  package private(set) var isReliable: Bool

  /// Knows nothing yet.
  package init() {
    enders = 0
    lastTimed = 0
    stamp = 0
    continues = false
    isReliable = false
  }

  /// What a sentence means for the cycle.
  @frozen package struct Verdict: Equatable, BitwiseCopyable, Sendable {
    /// The time changed: what was assembled before belongs to the epoch that is over.
    package var startsEpoch: Bool
    /// The epoch is complete with this sentence.
    package var endsEpoch: Bool
  }

  /// The cycle can no longer be told by its times: the receiver has none at present.
  package mutating func distrust() { isReliable = false }

  /// From here on sentences without time belong to the epoch of the last time (ships' depth sounders and the like).
  package mutating func extendBeyondTimedSentences() { continues = true }

  /// True when sentences without time extend the cycle, so that none can be called the last.
  package var isOpenEnded: Bool { continues }

  /// Takes note of one sentence.
  ///
  /// - Parameters:
  ///   - tag: The kind of the sentence, 1 to 31; 0 for kinds that are not read.
  ///   - stamp: Its time of day in microseconds; nil for kinds that have none or must not be judged by it.
  package mutating func observe(tag: UInt8, stamp: Int64?) -> Verdict {
    var verdict = Verdict(startsEpoch: false, endsEpoch: false)
    if let stamp {
      let step = stamp &- self.stamp
      self.stamp = stamp
      // Ten milliseconds: less is jitter in the last digit between sentences of one epoch.
      if step > 10_000 || step < -10_000 {
        verdict.startsEpoch = true
        if lastTimed != 0, !isEnder(lastTimed), !continues {
          enders |= 1 << UInt32(lastTimed)
          isReliable = true
        }
      }
    } else if continues, tag != 0 {
      enders &= ~(1 << UInt32(lastTimed))
      enders |= 1 << UInt32(tag)
      isReliable = true
    }
    verdict.endsEpoch = (stamp != nil || continues) && tag != 0 && isEnder(tag)
    if stamp != nil { lastTimed = tag }
    return verdict
  }

  private func isEnder(_ tag: UInt8) -> Bool { enders >> UInt32(tag) & 1 == 1 }
}
