import InlineStorage
import ATCommands
import Quantities

extension Modem {
  // MARK: SIM card and network

  mutating func finishSIM(_ ended: ModemStep, _ result: ATResult) {
    if ended == .simEnter {
      facts.sim = .unknown
      facts.simWantsPIN = false
      if result == .equipmentError(.incorrectPassword) || result == .error {
        pinWasRefused = true
      } else if !result.isOK, result != .equipmentError(.simBusy) {
        // An answer that was lost, or says something else, may have been a refusal: the card's third try is left to its owner.
        pinDoubts += 1
        if pinDoubts >= 2 { pinWasRefused = true }
      }
      pauseUntil = now + .seconds(1)
      return
    }
    guard !result.isUncertain else {
      facts.simWasAsked = false
      return trouble(.unanswered)
    }
    if result == .equipmentError(.simPINRequired) {
      facts.sim = .no
      facts.simWantsPIN = true
    } else if result == .equipmentError(.simPUKRequired) {
      return trouble(.simLocked)
    } else if !result.isOK {
      // It has another reason, and what was said before may have been damaged.
      facts.simWantsPIN = false
    }
    if facts.sim == .yes {
      facts.cardTries = 0
      registrationSince = now
      return
    }
    // Nothing needs the card: no reason to climb for it.
    guard wantedSession != nil else { return }
    if facts.simWantsPIN {
      if !hasPIN { trouble(.simLocked) }
      return
    }
    facts.cardTries += 1
    // One that was on before may have been left without radio and card (`CFUN=0`, `CFUN=5`).
    if facts.cardTries == 2, result.isOK, startedAt == nil, !leftovers.radioIsOn {
      leftovers.radioIsOn = true
      orders.append(.radioOn)
    }
    if facts.cardTries >= 15 {
      facts.cardTries = 0
      trouble(.simFailure)
    } else {
      pauseUntil = now + .seconds(facts.cardTries < 5 ? 1 : 2)
    }
  }

  mutating func finishRegistration(_ ended: ModemStep, _ result: ATResult) {
    guard !result.isUncertain else {
      // A modem may have no answer to one of the two.
      if facts.registrationIsSilent { facts.asksPacket.toggle() }
      facts.registrationIsSilent.toggle()
      return trouble(.unanswered)
    }
    facts.registrationIsSilent = false
    if ended == .registrationQuery { facts.lacksEvolvedQuery = !result.isOK }
    if ended == .registrationQuery || ended == .packetQuery { facts.asksPacket.toggle() }
    if facts.registration == .yes {
      facts.asksPacket = false
      facts.idleSince = nil
      facts.wasSearching = false
      registrationSince = nil
      facts.deniedSince = nil
      return
    }
    if case .equipmentError(let error) = result, error.isNetworkRefusal, facts.deniedSince == nil {
      facts.deniedSince = now
    }
    let since = registrationSince ?? now
    registrationSince = since
    if ended == .packetQuery, facts.deniedSince == nil { askOtherwise(since: since) }
    // An operator may have been chosen by an earlier owner, or none be allowed.
    if !leftovers.operatorWasAsked, now - since >= Modem.doubtfulSearchTime {
      leftovers.operatorWasAsked = true
      orders.append(.operatorQuery)
    }
    if let deniedSince = facts.deniedSince, now - deniedSince >= deniedTime {
      facts.deniedSince = nil
      registrationSince = nil
      return trouble(.denied)
    }
    if searchHasEnded {
      facts.idleSince = nil
      facts.wasSearching = false
      registrationSince = nil
      return trouble(.searchEnded)
    }
    if now - since >= searchTime {
      registrationSince = nil
      return trouble(.notRegistered)
    }
    if !facts.asksPacket, orders.isEmpty { pauseUntil = now + .milliseconds(1500) }
  }

  /// Neither LTE nor the packet network knows of a registration. Where they can't tell, or have not for long, there are other ways to
  /// ask: on GSM some firmware tells of circuits only, and attaches when the bearer is opened.
  mutating func askOtherwise(since: Instant) {
    // Neither query has its line.
    if !facts.hasRegistrationLine { orders.append(.attachQuery) }
    guard !facts.takesOnlyMessages else { return }
    let isIdle = facts.idleSince.map { now - $0 >= Modem.doubtfulIdleTime } ?? false
    if facts.lacksEvolvedQuery || isIdle || now - since >= Modem.doubtfulSearchTime { orders.append(.circuitQuery) }
  }

  /// After so long the circuits are asked, too. Our assumptions: before a remedy, and rarely in a search that ends well.
  static var doubtfulIdleTime: Interval { .seconds(2) }
  static var doubtfulSearchTime: Interval { .seconds(20) }

  /// How long a refusal may last. Each remedy makes a modem begin anew, and be refused again by the networks that it meets first.
  var deniedTime: Interval {
    switch searchesInVain {
    case 0: return .seconds(30)
    case 1: return .seconds(60)
    case 2: return .seconds(120)
    default: return .seconds(300)
    }
  }

  /// True when neither kind of registration has been searched for in a while: the modem has given up, and waits to be told.
  ///
  /// - Source: vshymanskyy/TinyGSM#454 (a search that ended is only begun again by `CFUN`); the times are our derivation: a modem
  ///   that has not begun yet needs a moment, one that has stopped does not.
  var searchHasEnded: Bool {
    mutating get {
      guard facts.wasIdle else {
        facts.idleSince = nil
        return false
      }
      guard let since = facts.idleSince else {
        facts.idleSince = now
        return false
      }
      return now - since >= idleTime
    }
  }

  /// How long a modem may search for nothing. Each remedy makes it begin anew: the next time is longer.
  var idleTime: Interval {
    switch searchesInVain {
    case 0: return .seconds(facts.wasSearching ? 4 : 8)
    case 1: return .seconds(25)
    case 2: return .seconds(50)
    case 3: return .seconds(120)
    case 4: return .seconds(300)
    default: return Modem.longestSearch
    }
  }

  /// How long a search may take; longer each time, too.
  var searchTime: Interval {
    let first = configuration.registrationTimeout
    switch searchesInVain {
    case 0: return first
    case 1: return max(first, min(first + first, Modem.longestSearch))
    default: return max(first, Modem.longestSearch)
    }
  }

  /// - Source: vshymanskyy/TinyGSM#725: a modem took a quarter of an hour to find its network.
  static var longestSearch: Interval { .seconds(960) }
}
