import ASCIIText
import MotionDetection
import Quantities
import TrackerCore

/// How a run went, for a drawing: a line for each change of the phase, and for a fix at most each second.
///
/// A line is the time in microseconds of the tracker's clock, the phase, and the speed in millimetres a second, or `-` if none is known.
struct Course {
  private var file = OutputFile(number: 3)
  private var last: Instant?
  private var phase: MotionPhase?
  private var told: Instant?
  private var fixTime: Instant?

  /// Takes what is known after an input.
  mutating func note(_ tracker: borrowing Tracker, _ time: Instant?) {
    guard let time else { return }
    let now = tracker.monitor.phase
    let fix = tracker.lastFix
    // Readings of one moment may come late.
    if last.map({ time > $0 }) ?? true { last = time }
    let isNewFix = fix?.time != fixTime && (told.map { time - $0 >= .seconds(1) } ?? true)
    guard now != phase || isNewFix else { return }
    let speed = isNewFix ? fix?.speed : nil
    phase = now
    fixTime = fix?.time
    tell(time, speed)
  }

  /// The end of the log.
  mutating func end() {
    if let last, last != told { tell(last, nil) }
  }

  private mutating func tell(_ time: Instant, _ speed: Double?) {
    told = time
    file.append(decimal: time.microseconds)
    file.append(0x20)
    if let phase { file.append(phase.name) }
    file.append(0x20)
    if let speed, speed >= 0, speed < 1e6 { file.append(decimal: Int64(speed * 1000)) } else { file.append(0x2D) }
    file.append(0x0A)
  }
}
