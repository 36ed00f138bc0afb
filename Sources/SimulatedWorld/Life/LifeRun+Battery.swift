import Quantities
import TrackerCore
import TrackerRuntime

extension LifeRun {
  // MARK: Battery

  /// Until a battery is charged; nobody knows how long that takes.
  private static var untilCharged: Interval { .seconds(100 * 365 * 86_400) }

  /// Books what was drawn of the battery, hands the tracker its reading, and takes its supply when nothing is left.
  func lookAtBattery() throws(RecordingError) {
    bookBattery()
    guard let battery else { return }
    guard let run, !isCut else {
      if isStarved, battery.level >= LifeBattery.enough { offUntil = now }
      return
    }
    if battery.isEmpty {
      checker.noteEmpty(mustHaveTold: battery.mustHaveTold(by: now), at: now)
      marks.note(.batteryEmpty, at: now)
      isStarved = true
      cut = PowerCut(off: LifeRun.untilCharged, loss: .nothing, changesBefore: nil, takesModem: true)
      return die(at: now)
    }
    try run.feed(.reading(.supply(SupplyReading(time: own(now), battery.supply))))
    self.battery?.noteRead(limit: savingLevel / 4, at: now)
    if isCut { die(at: now) }
  }

  private func bookBattery() {
    senses.finish(at: now)
    battery?.pass(
      to: now, drawn: senses.energy.microcoulombs + Double(modem.microcoulombs), usable: scenario.currents.usable)
    guard let charge = battery?.supply.charge, charge >= savingLevel / 4 + 5 else { return }
    checker.noteCharged()
  }

  private var savingLevel: UInt8 { configuration.tracker.savingLevel }

  /// The charger is connected, or no more.
  func plug(_ isOn: Bool) {
    bookBattery()
    battery?.isPlugged = isOn
    battery?.readSoon(at: now)
  }
}
