import LinuxDevices
import Quantities
import TrackerCore

/// What makes the sound of a buzzer.
package protocol SoundMaker: AnyObject {
  /// Begins or ends the sound.
  func set(isOn: Bool)

  /// A sound of a length begins in place of the one before, for one that makes patterns by itself; no length is silence. False for one
  /// that is switched on and off.
  func begin(_ pattern: SoundPattern, for duration: Interval) -> Bool
}

extension SoundMaker {
  /// It is switched on and off.
  package func begin(_ pattern: SoundPattern, for duration: Interval) -> Bool { false }
}

/// Sounds the buzzer as the tracker wants it: its pattern, for a while, in the time of the loop.
package final class Buzzer: LoopMember {
  private let maker: any SoundMaker
  private var pattern = SoundPattern.steady
  private var isOn = false
  private var end: Instant?
  /// When it is switched next.
  package private(set) var nextDeadline: Instant?

  /// A buzzer that is silent.
  package init(_ maker: any SoundMaker) { self.maker = maker }

  /// Half of a pulse.
  private static var half: Interval { .milliseconds(500) }

  /// Begins a sound, in place of the one before; one of no length is silence.
  package func sound(_ pattern: SoundPattern, for duration: Interval, at now: Instant) {
    self.pattern = pattern
    // What is switched on would beep before it is switched off.
    guard duration > .zero else {
      _ = maker.begin(pattern, for: .zero)
      return stop()
    }
    guard !maker.begin(pattern, for: duration) else { return }
    let end = now + duration
    self.end = end
    set(isOn: true)
    nextDeadline = pattern == .pulse ? min(end, now + Buzzer.half) : end
  }

  /// Ends the sound.
  package func stop() {
    set(isOn: false)
    end = nil
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
    while let due = nextDeadline, due <= now {
      guard let end, due < end else { return stop() }
      set(isOn: !isOn)
      nextDeadline = min(end, due + Buzzer.half)
    }
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
