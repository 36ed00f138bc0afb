import Quantities

extension SimulatedModem {
  /// Starts a fault.
  mutating func begin(_ fault: ModemFault) {
    switch fault {
    case .spontaneousReset(let bytes):
      if bytes > 0 { faults.bytesUntilReboot = bytes } else { restart(extra: configuration.power.resetExtra) }
    case .silentReset:
      flash.rate = 0
      restart(extra: configuration.power.resetExtra)
    case .bearerLost(let isSilent): dataLosesBearers(isSilent: isSilent)
    case .staleConnection(let time):
      faults.isConnectionStale = true
      end(.staleConnection, after: time)
    case .strictStates(let time):
      faults.hasStrictStates = true
      end(.strictStates, after: time)
    case .httpSessionDead: faults.dropsNextHTTPRequest = true
    case .connectFails(let count, let losesBearer):
      faults.connectFailures = count
      faults.failuresLoseBearer = losesBearer
    case .mqttDropped: faults.dropsNextPublication = true
    case .lostResult(let count): faults.swallowedResults = count
    case .lateAnswer(let time):
      faults.holdsAnswer = true
      faults.answerDelay = time
    case .freeze: freeze()
    case .overReadFreeze(let time):
      faults.overReadFreezes = true
      end(.overRead, after: time)
    case .garbage(let count):
      faults.garbageAtBoot = count
      sendGarbage(count)
    case .tornLines(let count): faults.tornLines = count
    case .wrongRate(let rate):
      flash.rate = rate
      input.detectedRate = nil
    case .simOut(let time):
      removeSIM()
      end(.simOut, after: time)
    case .registrationFlaps(let time, let isDenied):
      radio.flapsUntil = now + time
      faults.deniesRegistration = isDenied
      end(.flapping, after: time)
      flap()
    case .circuitStatusLies(let time):
      radio.lies = true
      end(.circuitStatus, after: time)
    case .brownOutOnTransmit(let count): faults.brownOutsOnTransmit = count
    case .powerKeyPressed: toggle()
    case .deaf: goDeaf()
    case .staleAccessPoint:
      for context in [1, 13] { flash.contexts[context] = PacketContext(type: "IP", accessPointName: "stale") }
      loseNetwork()
    case .lateMessages(let time):
      faults.messagesDelay = time
      restart(extra: configuration.power.resetExtra)
    case .stuckOutput: faults.isMute = true
    }
  }

  private mutating func end(_ fault: FaultEnd, after time: Interval) {
    timers.cancel(.faultEnds(fault))
    schedule(.faultEnds(fault), after: time)
  }

  /// A fault has had its time.
  mutating func handle(_ end: FaultEnd) {
    switch end {
    case .staleConnection: faults.isConnectionStale = false
    case .strictStates: faults.hasStrictStates = false
    case .overRead: faults.overReadFreezes = false
    case .simOut: insertSIM()
    case .flapping:
      faults.deniesRegistration = false
      radio.flapsUntil = nil
      if power.isRunning, sim.isReady, radio.status != .registered {
        startSearch(after: configuration.network.reselectionDelay)
      }
    case .circuitStatus: radio.lies = false
    }
  }

  /// F11 and F12: nothing works any more; STATUS stays high.
  mutating func freeze() {
    guard power.phase == .running else { return }
    transmitter.cut(at: now)
    tellingsLost += 1
    power.isFrozen = true
  }

  /// F13: bytes that no speed explains.
  mutating func sendGarbage(_ count: Int) {
    tellingsLost += count > 0 ? 1 : 0
    send((0..<min(max(count, 0), 1024)).map { _ in UInt8(0x80 + random.integer(below: 128)) })
  }

  /// F13, and the noise some boards make before `RDY`.
  mutating func emitGarbageBeforeReady() {
    sendGarbage(faults.garbageAtBoot)
    faults.garbageAtBoot = 0
  }

  /// F21.
  private mutating func goDeaf() {
    guard power.phase == .running else { return }
    if power.dtrIsHigh {
      flash.slowClock = 1
      execution = nil
      input = LineInput()
      power.lastActivity = now - configuration.link.sleepAfter
    } else {
      enterPowerSaving()
    }
  }
}
