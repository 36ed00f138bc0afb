import Quantities

// Switching on and off.
//
// Source: [sim7000-hd] section 3.3.

extension SimulatedModem {
  // MARK: Power key

  mutating func setPowerKey(low: Bool) {
    guard low != power.keyIsLow else { return }
    power.keyIsLow = low
    timers.cancel(.powerKey)
    timers.cancel(.powerKeyHeld)
    guard low else { return }
    let isOn = power.phase == .running || power.phase == .starting
    schedule(.powerKey, after: isOn ? configuration.power.keyOffTime : configuration.power.keyOnTime)
  }

  mutating func powerKeyWasHeldLongEnough() {
    guard power.keyIsLow else { return }
    schedule(.powerKeyHeld, after: configuration.power.keyHeldTime)
    toggle()
  }

  /// What the key does: on if off, off if on.
  mutating func toggle() {
    switch power.phase {
    case .off:
      if let since = power.offSince, now - since < configuration.power.restTime { return }
      startBoot(extra: .zero)
    case .saving: leavePowerSaving()
    case .running: beginSwitchingOff(announced: true)
    case .starting, .stopping: break
    }
  }

  /// A key that is held reboots the module over and over.
  mutating func powerKeyIsStillHeld() {
    guard power.keyIsLow else { return }
    schedule(.powerKeyHeld, after: configuration.power.keyHeldTime)
    restart(extra: .zero)
  }

  // MARK: Reset

  mutating func setResetPin(low: Bool) {
    guard low != power.resetIsLow else { return }
    power.resetIsLow = low
    timers.cancel(.resetPin)
    if low { schedule(.resetPin, after: configuration.power.resetPinTime) }
  }

  /// The pin has no effect on a module that is off.
  mutating func resetPinWasHeldLongEnough() {
    guard power.resetIsLow, power.phase != .off else { return }
    restart(extra: configuration.power.resetPinExtra)
  }

  // MARK: On

  /// Starts again at once, as after a crash: nothing is said, what was on its way is lost.
  mutating func restart(extra: Interval) {
    guard power.phase != .off else { return }
    startBoot(extra: extra)
  }

  /// Begins to switch on.
  mutating func startBoot(extra: Interval) {
    forgetVolatileState()
    guard power.supplyMillivolts >= configuration.power.minimumMillivolts else {
      power.phase = .off
      return
    }
    power.phase = .starting
    power.bootCount += 1
    let times = configuration.power
    schedule(.boot(.uart), after: extra + times.uartReady)
    schedule(.boot(.ready), after: extra + times.ready)
    schedule(.boot(.function), after: extra + times.function)
    schedule(.boot(.sim), after: extra + times.simReady)
    schedule(.boot(.messages), after: extra + times.messagesReady)
  }

  /// A step of switching on.
  ///
  /// Auto-baud does not know the speed yet and leaves `RDY` and `+CFUN` out; the later lines wait until it does.
  mutating func boot(_ step: BootStep) {
    switch step {
    case .uart:
      power.phase = .running
      noteActivity()
    case .ready:
      emitGarbageBeforeReady()
      if flash.rate != 0 { urc("RDY") }
    case .function:
      if flash.rate != 0 { urc("+CFUN: \(flash.function)") }
      if power.announcesExit {
        power.announcesExit = false
        session.reportsPowerSaving = true
        urc("+CPSMSTATUS: \"EXIT PSM\"")
      }
      radio.function = flash.function
    case .sim: bringUpSIM()
    case .messages: messagesMayBeReady()
    }
  }

  /// A modem that has been on for long: registered, clock set.
  mutating func startRunning() {
    power.phase = .running
    power.bootCount = 1
    radio.function = 1
    sim.isUp = sim.isPresent
    sim.areMessagesReady = sim.isPresent && !sim.needsPIN
    if flash.rate == 0 { input.detectedRate = hostRate }
    if sim.areMessagesReady { startSearch(after: .zero) }
  }

  // MARK: Off

  /// `CPOWD=1`, the key, and too low or high a voltage end like this.
  mutating func beginSwitchingOff(announced: Bool, saying text: String = "NORMAL POWER DOWN") {
    guard power.phase == .running else { return }
    if announced { urc(text) }
    dataWillReset()
    timers.cancel { !$0.isPhysical }
    execution = nil
    power.phase = .stopping
    schedule(.powerOff, after: configuration.power.offTime)
  }

  /// STATUS falls.
  mutating func switchOff() {
    forgetVolatileState()
    power.phase = .off
    power.offSince = now
  }

  /// Everything that lives in the module's memory is gone.
  mutating func forgetVolatileState() {
    if power.phase == .running { dataWillReset() }
    timers.cancel { !$0.isPhysical }
    tellingsLost += 1
    transmitter.cut(at: now)
    session = Session()
    input = LineInput()
    execution = nil
    heldURCs = []
    lateAnswers = []
    let level = radio.lies
    radio = RadioState()
    radio.lies = level
    sim.restart(configuration)
    gnss.restart()
    messages.restart()
    data = DataState()
    faults.restart()
    power.isFrozen = false
    power.ringIsLow = false
  }

  // MARK: Supply

  mutating func changeSupply(to millivolts: Int) {
    let wasOn = power.phase != .off
    power.supplyMillivolts = millivolts
    timers.cancel(.supplyBack)
    let floor = flash.checksBattery ? 2_800 : configuration.power.minimumMillivolts
    if millivolts < floor {
      power.wasBrownedOut = millivolts > 0 && (power.wasBrownedOut || wasOn)
      switchOff()
      if millivolts == 0 {
        clock = ModemClock()
        gnss = GNSSState()
      }
      power.offSince = nil
      return
    }
    if power.phase == .off {
      if power.wasBrownedOut, configuration.power.restartsAfterBrownOut,
        millivolts >= configuration.power.recoveryMillivolts
      {
        schedule(.supplyBack, after: .milliseconds(500))
      }
      return
    }
    if flash.checksBattery { checkBattery(millivolts) }
  }

  mutating func supplyIsBack() {
    guard power.phase == .off, power.wasBrownedOut else { return }
    power.wasBrownedOut = false
    startBoot(extra: .zero)
  }

  /// - Source: [sim7000-hd] section 3.3.3; the spelling is the manual's.
  private mutating func checkBattery(_ millivolts: Int) {
    switch millivolts {
    case 4_401...: beginSwitchingOff(announced: true, saying: "OVER-VOLTAGE POWER DOWN")
    case ..<2_900: beginSwitchingOff(announced: true, saying: "UNDER-VOLTAGE POWER DOWN")
    case 4_301...: urc("OVER-VOLTAGE WARNNING")
    case ..<3_100: urc("UNDER-VOLTAGE WARNNING")
    default: break
    }
  }

  /// The radio sends: the supply may give way, and GNSS suffers.
  mutating func noteTransmission() {
    radio.lastTransmission = now
    restartActiveTimer()
    let isWeak = radio.access == .gsm && power.supplyMillivolts < configuration.power.burstMillivolts
    guard faults.brownOutsOnTransmit > 0 || isWeak else { return }
    if faults.brownOutsOnTransmit > 0 { faults.brownOutsOnTransmit -= 1 }
    schedule(.restart, after: .milliseconds(2))
  }
}
