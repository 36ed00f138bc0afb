import InlineStorage
import ATCommands
import Quantities

extension Modem {
  /// The first thing that is missing for the work at hand; nil when there is nothing to do now.
  mutating func nextStep() -> ModemStep? {
    guard phase == .running else {
      beginPhase()
      return nil
    }
    guard step == nil, channel.isReady else { return nil }
    // Without its echo no answer is certain. A pause goes on for what it was begun for. What makes the modem start needs no check.
    if facts.startIsSuspected, facts.setupPlace > 0, facts.isAlive, !startIsOrdered { return .startCheck }
    guard pauseUntil <= now else { return nil }
    settleLoss()
    guard pauseUntil <= now else { return nil }
    if let order = orders.popFirst() { return order }
    guard facts.isAlive else {
      startLinking()
      return nil
    }
    if startsOverAndOver {
      unaskedStarts.removeAll()
      trouble(.supply)
      return orders.popFirst()
    }
    if let setup = nextSetupStep { return setup }
    if facts.goesToRest, hasWork { return .powerSavingClear }
    if !ModemParts.isMQTTAlone, facts.bodyCount > 0 { return facts.bodyIsLegacy ? .legacyRead : .httpRead }
    let isSoon = acknowledgementIsSoon
    if !ModemParts.isMQTTAlone, !isSoon, let satellites = nextSatelliteStep() { return satellites }
    if dataHasItsTurn, let session = wantedSession, let next = nextStep(for: session) { return next }
    // A pause that the plan has just made.
    guard pauseUntil <= now, !isSoon else { return nil }
    if let message = nextMessageStep() { return message }
    if let look = nextSurveyStep() { return look }
    return nextRestStep()
  }

  /// True when the ladder is about to make the modem start, or has it switched off.
  var startIsOrdered: Bool {
    orders.first == .restart || orders.first == .switchOff
  }

  /// True when something is to be done that needs the modem awake.
  var hasWork: Bool { delivery != nil || isPreparing || wantsGNSS || messageWaits }

  /// When the plan has to be looked at again though nothing happens.
  var nextWake: Instant {
    if pauseUntil > now { return pauseUntil }
    var wake = now + configuration.surveyInterval
    if maySurvey, let lastSurvey { wake = lastSurvey + configuration.surveyInterval }
    if facts.gnssReports { wake = min(wake, lastFixHeard + fixInterval) }
    if configuration.sharing == .alternating, wantsGNSS, dataWaits { wake = min(wake, turnUntil) }
    if facts.delivery == .sent {
      wake = min(wake, acknowledgementUntil)
      if !awaitsReport { wake = min(wake, facts.connectionLookAt) }
    }
    if wantsGNSS, facts.gnss != .yes { wake = min(wake, gnssRetry) }
    if isMessageHeld { wake = min(wake, messageHold) }
    if awaitsKeeping { wake = min(wake, unkeptSince + Modem.longestKeeping) }
    if mayLookBeforeRest || facts.sim == .yes && !facts.messagesAreReady && messagesReadyAt > now {
      wake = min(wake, messagesReadyAt)
    }
    if readsMessages, !awaitsKeeping, !awaitsReport || storesReports { wake = min(wake, storeLookAt) }
    if isPreparing { wake = min(wake, preparedUntil) }
    if listeningRetry > now { wake = min(wake, listeningRetry) }
    if mayRest { wake = min(wake, facts.goesToRest ? restSearchAt : lastWork + configuration.idleAfter) }
    // Never at once: an idle plan that wants to be looked at all the time would spin.
    return max(wake, now + .milliseconds(100))
  }

  // MARK: After a start

  /// Steps after each start, in their order.
  static func setupStep(_ place: Int) -> ModemStep? {
    switch place {
    case 0: return .echoSet
    // What makes it deaf is cleared first.
    case 1: return .sleepQuery
    case 2: return .powerSavingQuery
    case 3: return .errorCodes
    case 4: return .startMark
    case 5: return .rateQuery
    case 6: return .identity
    case 7: return .supplyNotices
    case 8: return .registrationNotices
    case 9: return .packetNotices
    case 10: return .evolvedNotices
    case 11: return .networkTime
    default: return nil
    }
  }

  var nextSetupStep: ModemStep? {
    if let step = Modem.setupStep(facts.setupPlace) { return step }
    if !facts.radioIsSet, configuration.radio != .unchanged { return .radioQuery }
    if !facts.narrowIsSet, configuration.radio == .catM1 || configuration.radio == .narrowband { return .narrowQuery }
    if !facts.bandsAreSet, !configuration.catMBands.isEmpty || !configuration.narrowBands.isEmpty { return .bandsQuery }
    if !facts.accessPointIsSet, !configuration.accessPoint.isEmpty { return .accessPointQuery }
    if !facts.restIsSet {
      // It must not fall asleep over the work at hand.
      if configuration.idle == .sleep, configuration.wiring.hasDTR { return .sleepSet }
    }
    if !facts.listeningIsSet, configuration.listeningCycle != nil, configuration.idle == .sleep { return .listeningSet }
    if !ModemParts.isMQTTAlone, facts.hearsBroadcasts, !facts.broadcastsAreOff { return .broadcastsOff }
    return nil
  }

  // MARK: Satellites

  /// Reports come each second; after this silence the receiver is asked.
  static var fixSilence: Interval { .seconds(10) }
  /// A turn of data and of reception when they alternate.
  static var dataTurn: Interval { .seconds(60) }
  static var gnssTurn: Interval { .seconds(45) }

  var fixInterval: Interval { configuration.gnssForm == .queries ? .seconds(1) : Modem.fixSilence }

  var dataHasItsTurn: Bool { configuration.sharing == .together || !wantsGNSS || turnIsData }

  /// Sees to the receiver, and to whose turn it is.
  mutating func nextSatelliteStep() -> ModemStep? {
    if configuration.sharing == .alternating, wantsGNSS { takeTurns() }
    let isWanted = wantsGNSS && (configuration.sharing == .together || !turnIsData)
    if isWanted {
      if facts.gnss != .yes {
        guard gnssRetry <= now else { return nil }
        return configuration.antenna == .none || facts.antennaIsOn ? .gnssOn : .gnssAntenna
      }
      if !facts.gnssReports {
        switch configuration.gnssForm {
        case .reports: return .gnssNotices
        case .sentences: return .gnssSentences
        case .queries: facts.gnssReports = true
        }
      }
      if now - lastFixHeard >= fixInterval {
        lastFixHeard = now
        return .gnssQuery
      }
    } else if facts.gnss == .yes {
      return .gnssOff
    }
    return nil
  }

  mutating func takeTurns() {
    // Without data to send and with the session for commands up, reception has all the time there is.
    if !dataWaits {
      turnIsData = false
      turnUntil = now
    } else if turnUntil <= now {
      turnIsData.toggle()
      turnUntil = now + (turnIsData ? Modem.dataTurn : Modem.gnssTurn)
    }
  }

  var dataWaits: Bool {
    delivery != nil || (wantedSession == .mqtt && (facts.mqtt != .yes || wantsCommands))
  }

  /// True when commands could be heard in this session, and are not yet.
  var wantsCommands: Bool {
    guard !facts.mqttIsSubscribed, !configuration.mqttCommandTopic.isEmpty else { return false }
    return listeningRetry <= now
  }

  // MARK: Looking around and resting

  var maySurvey: Bool { facts.registration == .yes || delivery == nil }

  mutating func nextSurveyStep() -> ModemStep? {
    let isDue = lastSurvey.map { now - $0 >= configuration.surveyInterval } ?? true
    guard maySurvey else { return nil }
    // A driver that has started after its modem, or heard of a start after its notices, does not know the card, and messages wait
    // for that.
    let isReady = isDue || facts.messagesAreReady || messagesReadyAt <= now
    if facts.sim == .unknown, !configuration.smsNumber.isEmpty, !facts.simWasAsked, isReady {
      facts.simWasAsked = true
      return .simQuery
    }
    guard isDue else { return nil }
    switch surveyPlace {
    case 0: return .signalQuery
    case 1: return .batteryQuery
    default: return .clockQuery
    }
  }

  var mayRest: Bool {
    guard delivery == nil, !wantsGNSS, !isPreparing, !awaitsKeeping else { return false }
    // Never into a rest from which nothing could wake it.
    switch configuration.idle {
    case .awake: return false
    case .sleep: return configuration.wiring.hasDTR
    case .powerSaving, .off: return configuration.wiring.hasPowerKey
    }
  }

  mutating func nextRestStep() -> ModemStep? {
    guard mayRest, now - lastWork >= configuration.idleAfter else { return nil }
    if mayLookBeforeRest { return nil }
    if !facts.goesToRest, looksBeforeRest(), let message = nextMessageStep() { return message }
    switch configuration.idle {
    case .sleep:
      fallAsleep()
      return nil
    case .off: return .switchOff
    case .powerSaving: return facts.goesToRest ? nextSearchForRest() : .powerSavingNotices
    case .awake: return nil
    }
  }

  /// How much longer than the active time it may take until the network lets a modem go into power saving mode; our choice.
  static var restDelay: Interval { .seconds(100) }
  /// Longest time from one search for a cell that lets it to the next.
  static var longestRestPause: Interval { .seconds(86_400) }

  /// When a modem that was told to go into power saving mode, and has not, is made to search anew.
  ///
  /// One that was driven from LTE to GSM, where there is no such mode, stays registered there. Awake for an hour it draws as much as ten
  /// searches do; a network that grants it nowhere costs one a day at last.
  var restSearchAt: Instant {
    let due = restAskedAt + configuration.activeTime + Modem.restDelay
    guard restSearches > 0 else { return due }
    let pause = Interval.seconds(450 << Int(min(restSearches, 8)))
    return max(due, restSearchedAt + min(pause, Modem.longestRestPause))
  }

  private mutating func nextSearchForRest() -> ModemStep? {
    guard now >= restSearchAt else { return nil }
    if !configuration.accessPoint.isEmpty, !facts.contexts.copiesWereSeen {
      facts.contexts.doubtsCopies = true
      return .accessPointQuery
    }
    facts.contexts.copiesWereSeen = false
    restSearchedAt = now
    if restSearches < .max { restSearches += 1 }
    radioRest = .seconds(3)
    orders.append(.radioOn)
    return .radioOff
  }
}
