import Quantities

// Sleep by DTR and slow clock.
//
// Source: [sim7000-uart] section 3 (DTR, RI); [sim7000-at] section 7.2 (`CSCLK`).

extension SimulatedModem {
  /// True while the UART is off because of `CSCLK=1`, DTR high and nothing to do.
  var isAsleep: Bool {
    // A chain of `&&` would copy the module once for each in a debug build.
    guard flash.slowClock == 1, power.dtrIsHigh, power.phase == .running, execution == nil else { return false }
    guard input.mode == .command else { return false }
    return now - power.lastActivity >= configuration.link.sleepAfter
  }

  mutating func setDataTerminalReady(low: Bool) {
    guard low == power.dtrIsHigh else { return }
    let wasAsleep = isAsleep
    power.dtrIsHigh = !low
    if low, wasAsleep {
      power.awakeAt = now + .milliseconds(50)
      input.charactersToLose = configuration.link.charactersLostAfterWake
      input.forgetLine()
    }
    noteActivity()
  }

  /// The line was used: no sleep for a while.
  mutating func noteActivity() { power.lastActivity = now }

  /// False for a byte that a sleeping, or just woken, module does not hear.
  mutating func isAwake(for byte: UInt8) -> Bool {
    if isAsleep || now < power.awakeAt { return false }
    if input.charactersToLose > 0 {
      input.charactersToLose -= 1
      return false
    }
    return true
  }

  /// RI goes low for 120 ms.
  mutating func pulseRing() {
    power.ringIsLow = true
    timers.cancel(.ringEnds)
    schedule(.ringEnds, after: .milliseconds(120))
  }

  /// Auto-baud has found the speed: what waited may go out.
  mutating func rateBecameKnown() { flushURCs() }

  /// Things that take effect only when the result of the line has been sent.
  mutating func lineDidFinish() {
    if let rate = session.rateToCome {
      session.rateToCome = nil
      // The result still leaves at the old speed: its pieces carry it.
      flash.rate = rate
      input.detectedRate = rate == 0 ? hostRate : nil
    }
    if session.restartsAfterLine {
      session.restartsAfterLine = false
      schedule(.restart, after: .milliseconds(20))
    }
  }
}
