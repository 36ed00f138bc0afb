import InlineStorage
import ATCommands
import Quantities

/// Times of the power lines.
///
/// - Source: [sim7000hd] section on power on, off and reset: key on ≥ 1 s, off ≥ 1.2 s; ready 4.5 s after; off within 6.9 s;
///   off to on ≥ 2 s; RESET about 252 ms; [sim7000an] UART: awake 50 ms after DTR.
enum PowerTime {
  /// Long enough to switch on, too short to switch off.
  static var keyOn: Interval { .milliseconds(1100) }
  static var keyOff: Interval { .milliseconds(1500) }
  static var start: Interval { .seconds(6) }
  /// From STATUS to `RDY`, and from that to the line after it; our assumption, with reserve.
  static var ready: Interval { .milliseconds(600) }
  static var settle: Interval { .milliseconds(300) }
  static var gap: Interval { .milliseconds(50) }
  static var stop: Interval { .milliseconds(7000) }
  static var offToOn: Interval { .milliseconds(2500) }
  static var resetLow: Interval { .milliseconds(300) }
  static var startAfterReset: Interval { .seconds(8) }
  static var supplyCut: Interval { .seconds(5) }
  /// Our choice: a wake each six hours costs 0.1 mAh.
  static var longestSleep: Interval { .seconds(21_600) }
  static var wake: Interval { .milliseconds(60) }
}

extension Modem {
  mutating func enter(_ phase: ModemPhase, for interval: Interval? = nil) {
    // A line that stays low keeps the modem starting over and over.
    if self.phase == .pressing { report(.setPowerKey(isLow: false)) }
    if self.phase == .resetting { report(.setReset(isLow: false)) }
    self.phase = phase
    if phase == .starting { startedAt = now }
    phaseDeadline = interval.map { now + $0 }
  }

  /// True when there is a reason for the modem to be on.
  var needsModem: Bool { delivery != nil || isPreparing || wantsGNSS || configuration.idle != .off }

  /// Begins what the phase asks for when the modem is not running.
  mutating func beginPhase() {
    switch phase {
    case .undetermined:
      if configuration.wiring.hasStatus, !statusIsHigh { enter(.off) } else { startLinking() }
      if phase == .off { switchOnIfNeeded() }
    case .off, .dormant: switchOnIfNeeded()
    case .asleep:
      if hasWork { wake() }
    case .pressing, .starting, .linking, .running, .stopping, .resetting, .unpowered, .resting, .waking: break
    }
  }

  private mutating func switchOnIfNeeded() {
    guard phase == .dormant ? hasWork : needsModem, pauseUntil <= now else { return }
    press(on: true)
  }

  /// The key toggles: how long it is held decides what it can do.
  mutating func press(on isOn: Bool) {
    guard configuration.wiring.hasPowerKey else {
      if isOn { startLinking() } else { cutSupply() }
      return
    }
    pressIsOn = isOn
    if isOn { expectStart() }
    report(.setPowerKey(isLow: true))
    enter(.pressing, for: isOn ? PowerTime.keyOn : PowerTime.keyOff)
  }

  private mutating func cutSupply() {
    guard configuration.wiring.hasSupplySwitch else {
      // Nothing can be switched: all that is left is to wait and ask again.
      enter(.resting, for: restAfter)
      return
    }
    report(.setSupply(isOn: false))
    forgetModem()
    enter(.unpowered, for: PowerTime.supplyCut)
  }

  mutating func pullReset() {
    guard configuration.wiring.hasReset else {
      press(on: false)
      return
    }
    forgetModem()
    expectStart()
    report(.setReset(isLow: true))
    enter(.resetting, for: PowerTime.resetLow)
  }

  /// A phase has lasted its time.
  mutating func phaseExpired() {
    phaseDeadline = nil
    switch phase {
    case .pressing:
      if pressIsOn { enter(.starting, for: PowerTime.start) } else { enter(.stopping, for: PowerTime.stop) }
    case .starting: startLinking()
    case .stopping:
      if configuration.wiring.hasStatus, statusIsHigh {
        // It does not let go: a frozen modem may ignore its key, and a wedged one its RESET.
        if configuration.wiring.hasReset, !(configuration.wiring.hasSupplySwitch && ladder.laps > 1) {
          pullReset()
        } else {
          cutSupply()
        }
      } else {
        isOff()
      }
    case .resetting:
      // One that starts says so; for one that does not, this is the rest between two tries.
      enter(.starting, for: restAfter > PowerTime.startAfterReset ? restAfter : PowerTime.startAfterReset)
      restAfter = .zero
    case .unpowered:
      report(.setSupply(isOn: true))
      expectStart()
      enter(.resting, for: restAfter > PowerTime.offToOn ? restAfter : PowerTime.offToOn)
    case .resting:
      restAfter = .zero
      if configuration.wiring.hasPowerKey { enter(.off) } else { startLinking() }
    // It has slept and forgotten nothing.
    case .waking: startLinking()
    case .asleep: wake()
    // It should have come back by itself.
    case .dormant: press(on: true)
    case .linking, .undetermined, .off, .running: break
    }
  }

  /// The modem is off, as intended.
  private mutating func isOff() {
    forgetModem()
    enter(.resting, for: restAfter > PowerTime.offToOn ? restAfter : PowerTime.offToOn)
  }

  mutating func statusChanged() {
    guard configuration.wiring.hasStatus else { return }
    if statusIsHigh {
      switch phase {
      // A modem that is ready says so within a moment, unless it looks for its rate.
      case .starting, .off, .resting, .dormant: enter(.starting, for: PowerTime.ready)
      case .undetermined, .pressing, .linking, .running, .stopping, .resetting, .unpowered, .asleep, .waking: break
      }
    } else {
      switch phase {
      case .stopping: isOff()
      case .running, .linking, .asleep, .waking, .starting:
        // Nobody asked for it: a crash, a brown-out, a key pressed by someone, or power saving mode.
        if facts.endIsSuspected { return isOff() }
        let isResting = configuration.idle == .powerSaving && phase != .starting && delivery == nil
        forgetModem()
        if isResting { restSearches = 0 }
        if isResting { enter(.dormant, for: longestDormancy) } else { enter(.resting, for: .seconds(4)) }
      case .undetermined, .off, .pressing, .resetting, .unpowered, .resting, .dormant: break
      }
    }
  }

  // MARK: Getting into step

  /// Rates a modem may have been left at, after the configured one.
  ///
  /// - Source: [sim7000an] UART: the rates that automatic detection knows.
  private static func rate(_ index: UInt8, configured: Int32) -> Int32? {
    switch index {
    case 0: return configured
    case 1: return 115_200
    case 2: return 9600
    case 3: return 57_600
    case 4: return 38_400
    case 5: return 19_200
    default: return nil
    }
  }

  /// Looks for the modem at the rate it should have, then at the others.
  mutating func startLinking(from index: UInt8 = 0) {
    if configuration.wiring.hasDTR { report(.setDTR(isHigh: false)) }
    step = nil
    linkPasses = 0
    let isWaking = phase == .waking
    enter(.linking)
    link(at: index, isWaking: isWaking)
  }

  private mutating func link(at index: UInt8, isWaking: Bool = false, leavesData: Bool = false) {
    rateIndex = index
    var next = Modem.rate(index, configured: configuration.rate)
    // The configured rate may be one of the list.
    if index > 0, next == configuration.rate {
      rateIndex = index + 1
      next = Modem.rate(rateIndex, configured: configuration.rate)
    }
    guard let next else {
      linkPasses += 1
      if linkPasses < 2 {
        // To one that transfers data for somebody else, all of it was data.
        link(at: 0, leavesData: true)
      } else {
        forgetModem()
        enter(.running)
        trouble(ladder.current == .power || configuration.wiring.hasStatus && !statusIsHigh ? .noStart : .silent)
      }
      return
    }
    setRate(next)
    channel.synchronise(
      at: now, isWaking: isWaking, leavesData: leavesData, isPatient: rateIndex == 0 && linkPasses == 0)
  }

  mutating func setRate(_ next: Int32) {
    guard next != rate else { return }
    rate = next
    report(.setRate(next))
  }

  /// The modem does not answer at this rate.
  mutating func linkIsSilent() {
    if facts.endIsSuspected {
      forgetModem()
      return enter(.stopping, for: PowerTime.stop)
    }
    if phase == .linking { link(at: rateIndex + 1) } else { startLinking(from: 1) }
  }

  /// The modem answers.
  mutating func linkIsThere() {
    facts.isAlive = true
    wasNeverHeard = false
    // Its echo was set to make it speak again, or it was found anew: what it was told before may be lost.
    if channel.echo == .unknown {
      if channel.echoMisses >= 2 { quirks.hasNoEcho = true } else { facts.setupPlace = 0 }
      // It may have started without a word: its mark says so, before it is set once more.
      if facts.marksStart { facts.startIsSuspected = true }
    }
    guard phase == .linking else { return }
    // What it said meanwhile was not understood.
    doubtStore()
    enter(.running)
    // A pause was for what there was before the modem had to be found again.
    pauseUntil = now
  }

  /// Nothing is known of the modem any more.
  mutating func forgetModem() {
    creditListening()
    channel.forget()
    facts = ModemFacts()
    leftovers.modemStarted()
    step = nil
    orders.removeAll()
    announcedMessages.removeAll()
    reading = MessageReading()
    messageText.removeAll()
    registrationSince = nil
  }

  /// A line says that the modem has started. Anybody can write such a line: where a start was not to be expected it is asked.
  mutating func mayHaveStarted() {
    guard phase == .running || phase == .linking || phase == .asleep || phase == .waking, facts.setupPlace > 0 else {
      return modemStarted()
    }
    facts.startIsSuspected = true
    // Asleep it would not have said anything but its start, or what came for it.
    if phase == .asleep { startLinking() }
  }

  /// A line says that the modem switches off; it is asked whether it does.
  mutating func mayHavePoweredDown() {
    switch phase {
    case .running, .linking, .asleep, .waking:
      facts.startIsSuspected = true
      facts.endIsSuspected = true
      if phase == .asleep { startLinking() }
    default: modemPoweredDown()
    }
  }

  /// The modem was asked whether it has started.
  mutating func finishStartCheck(_ result: ATResult) {
    // One whose answer is never certain can't tell either.
    if result.isUncertain, facts.startDoubts == 0 {
      facts.startDoubts = 1
      return trouble(.unanswered)
    }
    facts.startDoubts = 0
    facts.startIsSuspected = false
    facts.endIsSuspected = false
    let wasTold = facts.marksStart && result.isOK && facts.hasStartMark
    if wasTold, facts.answerStatus == 1 { return }
    if wasTold { return modemStarted() }
    // It can't tell: as if it had, but without a count.
    facts.setupPlace = 0
    facts.setupTries = 0
    doubtMessageSettings()
    doubtStore()
    facts.registration = .unknown
    facts.doubtBearers()
  }

  /// The modem has started by itself or by our doing.
  mutating func modemStarted() {
    let isLastSign = ATLine(channel.line.span).equals("+CFUN: 1")
    // The lines of one start come within a moment.
    let isNew = lastStart.map { now - $0 > .seconds(2) } ?? true
    lastStart = now
    let wasAsked = phase == .starting || phase == .pressing || phase == .resetting || now <= ownStartUntil
    forgetModem()
    if isNew {
      diagnostics.starts &+= 1
      ownStartUntil = Instant(microseconds: -1)
      report(.started)
      if !wasAsked { countUnasked() }
    }
    // Nothing is open yet: to ask would only take time. What is open all the same shows when it is opened.
    facts.isFresh = true
    facts.bearer = .no
    facts.profile = .no
    facts.mqtt = .no
    facts.socketsPlace = 1
    // The second line of the start is on its way, or has come.
    enter(.starting, for: isLastSign ? PowerTime.gap : PowerTime.settle)
  }

  /// What was just done makes the modem start.
  mutating func expectStart() { ownStartUntil = now + .seconds(20) }

  private mutating func countUnasked() {
    if unaskedStarts.isFull { unaskedStarts.remove(at: 0) }
    unaskedStarts.append(now)
  }

  /// True when the modem starts over and over, which is what a weak supply looks like.
  ///
  /// - Source: our derivation; three starts within two minutes.
  var startsOverAndOver: Bool { unaskedStarts.isFull && now - unaskedStarts[0] < .seconds(120) }

  /// The modem says that it is switching off.
  mutating func modemPoweredDown() {
    forgetModem()
    // Also when the key that should switch on has switched off: let it finish, then press again.
    enter(.stopping, for: PowerTime.stop)
  }

  // MARK: Sleep

  /// The network's time for a sign of life, and ten minutes more.
  var longestDormancy: Interval { configuration.periodicUpdate + .seconds(600) }

  mutating func fallAsleep() {
    report(.setDTR(isHigh: true))
    // A modem that dies in its sleep must not be found dead by the first alert, nor a text that may have come wait so long.
    enter(.asleep, for: PowerTime.longestSleep)
    guard readsMessages, facts.storeIsDoubtful else { return }
    phaseDeadline = max(storeLookAt, now + .seconds(1))
  }

  private mutating func wake() {
    report(.setDTR(isHigh: false))
    enter(.waking, for: PowerTime.wake)
  }
}
