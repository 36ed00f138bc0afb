import Quantities

// Power saving mode.
//
// Source: [sim7000-power]; [ts24008] sections 10.5.7.3, 10.5.7.4a (timers).

extension SimulatedModem {
  /// T3324 from its eight bits; nil for switched off or not a timer.
  static func activeTime(_ bits: String) -> Interval? {
    guard let (unit, value) = timerParts(bits) else { return nil }
    switch unit {
    case 0: return .seconds(2 * value)
    case 1: return .seconds(60 * value)
    case 2: return .seconds(360 * value)
    default: return nil
    }
  }

  /// T3412 extended from its eight bits; nil for switched off or not a timer.
  static func periodicTime(_ bits: String) -> Interval? {
    guard let (unit, value) = timerParts(bits) else { return nil }
    let seconds = [600, 3_600, 36_000, 2, 30, 60, 1_152_000]
    return unit < seconds.count ? .seconds(seconds[unit] * value) : nil
  }

  private static func timerParts(_ bits: String) -> (unit: Int, value: Int)? {
    guard bits.utf8.count == 8, let number = Int(bits, radix: 2) else { return nil }
    return (number >> 5, number & 31)
  }

  /// The network is asked: only when the mode is switched on, not when its timers change.
  mutating func askForPowerSaving() {
    guard radio.status == .registered else { return }
    timers.cancel(.radio(.powerSavingGranted))
    schedule(.radio(.powerSavingGranted), after: .seconds(1))
  }

  mutating func powerSavingIsGranted() {
    guard flash.powerSaving, radio.status == .registered, radio.access != .gsm else { return }
    guard configuration.network.grantsPowerSaving, SimulatedModem.activeTime(flash.activeTimer) != nil else { return }
    radio.hasPowerSaving = true
    reportRegistration()
    restartActiveTimer()
  }

  /// The connection was used: T3324 begins anew.
  mutating func restartActiveTimer() {
    timers.cancel(.radio(.activeTimerEnds))
    guard radio.hasPowerSaving, let time = SimulatedModem.activeTime(flash.activeTimer) else { return }
    schedule(.radio(.activeTimerEnds), after: max(time, .seconds(1)))
  }

  /// Says goodbye; the line needs a moment for it.
  mutating func enterPowerSaving() {
    guard power.phase == .running else { return }
    if session.reportsPowerSaving { urc("+CPSMSTATUS: \"ENTER PSM\"") }
    schedule(.radio(.sleeps), after: .milliseconds(50))
  }

  mutating func powerSavingBegins() {
    guard power.phase == .running else { return }
    let announces = session.reportsPowerSaving
    forgetVolatileState()
    power.phase = .saving
    power.announcesExit = announces
    power.keepsRegistration = true
    if let time = SimulatedModem.periodicTime(flash.periodicTimer) {
      schedule(.radio(.periodicTimerEnds), after: max(time, .seconds(2)))
    }
  }

  /// The key was pressed or T3412 ran out: the module starts, and is still registered.
  mutating func leavePowerSaving() {
    guard power.phase == .saving else { return }
    startBoot(extra: .zero)
  }
}
