import LinuxDevices
import Quantities
import TrackerCore

/// What makes the tone of a buzzer.
package protocol SoundMaker: AnyObject {
  /// The tones that follow are of this pattern.
  func choose(_ pattern: SoundPattern)

  /// Begins or ends a tone.
  func set(isOn: Bool)
}

extension SoundMaker {
  /// One that has a single tone.
  package func choose(_ pattern: SoundPattern) {}
}

/// Sounds the buzzer as the tracker wants it: in the beat of its pattern, for a while, in the time of the loop.
package final class Buzzer: LoopMember {
  private let maker: any SoundMaker
  private var beat = SoundBeat.steady
  private var isOn = false
  private var begin = Instant.zero
  private var end = Instant.zero
  /// When it is switched next.
  package private(set) var nextDeadline: Instant?

  /// A buzzer that is silent.
  package init(_ maker: any SoundMaker) { self.maker = maker }

  /// Begins a sound, in place of the one before; one of no length is silence.
  ///
  /// - Parameters:
  ///   - begin: When its beat begins, for the detectors too; it may have passed.
  package func sound(_ pattern: SoundPattern, for duration: Interval, from begin: Instant, at now: Instant) {
    // What is switched on would beep before it is switched off.
    guard duration > .zero else { return stop() }
    beat = pattern.beat
    self.begin = begin
    end = begin + duration
    maker.choose(pattern)
    nextDeadline = now
    advance(to: now)
  }

  /// Ends the sound.
  package func stop() {
    set(isOn: false)
    nextDeadline = nil
  }

  private func set(isOn: Bool) {
    guard self.isOn != isOn else { return }
    self.isOn = isOn
    maker.set(isOn: isOn)
  }

  /// It watches nothing.
  package func handle(_ readiness: Readiness, of descriptor: Int32, at now: Instant) {}

  /// Switches it when it is time.
  package func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    guard now < end else { return stop() }
    set(isOn: beat.isOn(after: now - begin))
    nextDeadline = min(end, begin + beat.nextSwitch(after: now - begin))
  }
}

/// A buzzer at a GPIO line.
final class BuzzerLine: SoundMaker {
  private let pin: any DigitalOutput

  /// - Throws: When the line can't be had.
  init(_ line: ContactLine) throws(DeviceFailure) {
    pin = try GPIOPins.output(chip: line.chip, line: line.line, isInverted: !line.isOnWhenHigh, initially: .low)
  }

  func set(isOn: Bool) { try? pin.set(isOn ? .high : .low) }
}
