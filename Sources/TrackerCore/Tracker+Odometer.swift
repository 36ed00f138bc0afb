import ASCIIText
import InlineStorage
import Quantities
import Telemetry

// What requests do with the odometer.
extension Tracker {
  /// The odometer, with what the owner has added or corrected.
  public var odometer: Odometer { trip.odometer }

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
