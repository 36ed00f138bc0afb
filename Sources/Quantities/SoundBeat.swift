/// The beat of a buzzer: on for a while and then silent for a while, from its begin to its end.
///
/// A buzzer shakes the inertial sensor beside it. It never sounds without a break, so that the detectors can listen in its silences; who
/// switches it and who listens go by the same beat.
///
/// - Complexity: O(1); no allocation.
public struct SoundBeat: Equatable, BitwiseCopyable, Sendable {
  /// From one begin of the tone to the next.
  package let period: Interval
  /// How long the tone is on in each period.
  package let on: Interval

  /// 0.8 s on in each 1.4 s.
  public static var steady: SoundBeat { SoundBeat(period: .milliseconds(1400), on: .milliseconds(800)) }
  /// 0.4 s on in each second.
  public static var pulse: SoundBeat { SoundBeat(period: .milliseconds(1000), on: .milliseconds(400)) }

  /// How long after a tone a sensor may still read it: it is switched off late, it rings, and a filter delays it. 110 ms leave three
  /// samples of 80 ms for each half window in a silence of 0.6 s.
  package static var tail: Interval { .milliseconds(110) }
  /// How long before a tone a sample may be stamped that has it.
  package static var lead: Interval { .milliseconds(10) }

  /// Where in its period a time is.
  private func phase(_ elapsed: Interval) -> Int64 {
    let rest = elapsed.microseconds % period.microseconds
    return rest < 0 ? rest + period.microseconds : rest
  }

  /// True while the tone is on.
  ///
  /// - Parameter elapsed: Since the begin of the sound.
  package func isOn(after elapsed: Interval) -> Bool { phase(elapsed) < on.microseconds }

  /// True while a sensor may read the tone, or a rest of it.
  ///
  /// - Parameter elapsed: Since the begin of the sound.
  package func isHeard(after elapsed: Interval) -> Bool {
    phase(elapsed + SoundBeat.lead) < (on + SoundBeat.lead + SoundBeat.tail).microseconds
  }

  /// When the tone is switched next, on or off.
  ///
  /// - Parameters:
  ///   - elapsed: Since the begin of the sound.
  /// - Returns: The same, later than `elapsed`.
  package func nextSwitch(after elapsed: Interval) -> Interval {
    let phase = phase(elapsed)
    let next = phase < on.microseconds ? on.microseconds : period.microseconds
    return elapsed + Interval(microseconds: next - phase)
  }
}
