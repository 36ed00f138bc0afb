import ASCIIText
import InlineStorage
import MotionDetection
import Positioning
import Quantities
import Telemetry

// What the wheel and requests do with the odometer.
extension Tracker {
  /// Without fixes the wheel tells that it is under way, and counts.
  @inline(never) mutating func followWheel() {
    let isUnseen = monitor.isUnseen || monitor.isTravelling && monitor.isBetweenFixes
    if isUnseen { trip.trustWheel(at: now) }
    let wheel = trip.wheel
    if wheel.isCounting, !wheel.isCarried { monitor.noteWheel(at: now) }
    guard wheel.speed >= configuration.motion.travelSpeed else { return }
    let turnedFor = wheel.pending / wheel.speed
    let hasSetOff = wheel.pending >= WheelMeter.look
    monitor.process(
      wheelTurningAt: now, onset: hasSetOff ? now - Interval(microseconds: Int64(min(turnedFor, 600) * 1e6)) : nil)
    handleMotion()
    if isUnseen, monitor.isTravelling { trip.countWheel(&journal) }
  }

  /// The odometer, with what the owner has added or corrected.
  public var odometer: Odometer { trip.odometer }

  /// UTC shows how long nothing was heard between this life and the one before: the ride that goes on has begun as much earlier.
  ///
  /// - Parameters:
  ///   - earlier: What was taken for the UTC of the first input.
  ///   - place: Where it is now; nil when that is not known.
  @inline(never) mutating func noteTimeOff(since earlier: UTCTime, at place: GeodeticPosition?) {
    guard let first = journal.firstInput, let utc = journal.utc(of: first) else { return }
    let timeOff = utc - earlier
    // A clock that was set back, or one that was never right.
    guard timeOff > .zero, timeOff < .seconds(366 * 86_400) else { return }
    let moved = trip.noteTimeOff(timeOff, before: first, at: place)
    monitor.noteTimeOff(timeOff, before: first)
    if timeOff - moved >= configuration.motion.armAfter {
      // It has stood for longer than a ride stands. What is farther than the ride could go on is not known to be ridden.
      let isCounted = moved < configuration.motion.armAfter
      if let place, trip.isRiding { trip.arrive(at: place, isCounted: isCounted) }
      monitor.endRide(goneOnFor: isCounted ? moved : .zero)
      handleMotion()
    }
    journal.noteChange([.trip, .motion])
  }

  @inline(never) mutating func changeOdometer(_ change: OdometerChange, request number: UInt32) {
    let before = trip.odometer
    var change = change
    // Said again, or without a ride, it only tells.
    if change == .carried, !trip.carryRide(request: number, utc: journal.utc(of: now)) { change = .tell }
    var text = InlineBytes<40>()
    text.append(decimal: before.metres)
    switch change {
    case .tell:
      text.append(0x20)
      text.append(decimal: Elementary.roundedInteger(before.uncertainty))
      sendStatus(reason(of: before.source), request: number, value: text.span)
      return
    case .carried: break
    case .set(let metres): trip.change(to: Int64(metres), .corrected, request: number, utc: journal.utc(of: now))
    case .add(let metres):
      let source = before.source == .corrected ? OdometerSource.corrected : .imported
      trip.change(to: before.metres + Int64(metres), source, request: number, utc: journal.utc(of: now))
    }
    journal.emit(.odometerChanged(before: before.metres, after: trip.odometer.metres), at: now)
    journal.noteChange(.odometer)
    sendStatus(reason(of: trip.odometer.source), request: number, value: text.span)
  }

  private func reason(of source: OdometerSource) -> StatusReason {
    switch source {
    case .measured: return .odometerMeasured
    case .imported: return .odometerImported
    case .corrected: return .odometerCorrected
    }
  }
}
