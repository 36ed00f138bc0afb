import Quantities
import TrackerCore

/// What a board keeps beside its tracker to say how long the battery lasts.
///
/// It goes by what the tracker says and gets, and by its modem's ledger, and knows nothing of `LifeEnergy`. It is kept once a minute, on a
/// clock with a cell of its own: a tracker that comes back goes on with what was kept last, and since then it was off.
struct LifeForecast {
  private var forecast: ChargeForecast
  /// As it was kept last.
  private var kept: ChargeForecast
  /// When it is to be kept again, on the world's clock.
  private(set) var due = Instant.zero

  /// What is drawn in a minute is lost at a power cut.
  private static var pause: Interval { .seconds(60) }

  init(_ currents: PartCurrents) {
    forecast = ChargeForecast(currents, at: .zero)
    kept = forecast
  }

  /// A tracker begins: everything is on.
  ///
  /// - Parameter modem: What the ledgers of its modem have, that of earlier drivers and the new one's, µC.
  mutating func begin(modem: Int64, at time: Instant) {
    forecast = kept
    forecast.noteOff(until: time)
    forecast.follow(SensingPlan(), at: time)
    keep(modem: modem, at: time)
  }

  /// It is kept as it is now.
  mutating func keep(modem: Int64, at time: Instant) {
    forecast.advance(modemMicrocoulombs: modem, to: time)
    kept = forecast
    due = time + LifeForecast.pause
  }

  /// What the tracker has said.
  mutating func follow(_ plan: SensingPlan, at time: Instant) { forecast.follow(plan, at: time) }

  /// What the tracker has got.
  mutating func noteSample(at time: Instant) { forecast.noteSample(at: time) }
  /// See `noteSample`.
  mutating func noteFix(hasPosition: Bool, at time: Instant) { forecast.noteFix(hasPosition: hasPosition, at: time) }

  /// What the tracker has made.
  mutating func notePacket() { forecast.notePacket() }

  /// What is drawn in the mean by an instant, µA; nil before a minute is over.
  func microamperes(modem: Int64, isOff: Bool, at time: Instant) -> Double? {
    var copy = isOff ? kept : forecast
    if isOff { copy.noteOff(until: time) }
    copy.advance(modemMicrocoulombs: modem, to: time)
    return copy.microamperes
  }
}
