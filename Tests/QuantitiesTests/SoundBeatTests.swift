import Quantities
import Testing

@Suite struct SoundBeatTests {
  /// Against a list of every millisecond of three periods.
  @Test(arguments: [(SoundBeat.steady, 1400, 800), (.pulse, 1000, 400)])
  func itIsOnAtTheBeginOfEachPeriod(beat: SoundBeat, period: Int, on: Int) {
    for millisecond in -period..<2 * period {
      let elapsed = Interval.milliseconds(millisecond)
      let phase = (millisecond + period) % period
      #expect(beat.isOn(after: elapsed) == (phase < on))
      // Heard from 10 ms before to 110 ms after.
      #expect(beat.isHeard(after: elapsed) == (phase < on + 110 || phase >= period - 10), "\(millisecond) ms")
      let next = millisecond - phase + (phase < on ? on : period)
      #expect(beat.nextSwitch(after: elapsed) == .milliseconds(next), "\(millisecond) ms")
    }
  }

  /// Two half windows of 0.24 s, of a sensor of 12.5 Hz.
  @Test func eachSilenceIsLongEnoughForTheDetectors() {
    for beat in [SoundBeat.steady, .pulse] {
      let silent = (0..<3000).count { !beat.isHeard(after: .milliseconds($0 + 7000)) }
      #expect(silent >= 2 * 480)
    }
  }

  @Test func noTimeIsTooFarAwayForIt() {
    for time in [Interval(microseconds: .max), Interval(microseconds: .min)] {
      _ = SoundBeat.steady.isHeard(after: time)
      _ = SoundBeat.pulse.nextSwitch(after: time)
    }
  }
}
