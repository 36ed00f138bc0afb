import ATCommands
import InlineStorage
import Quantities

// Messages that came in: found, read twice, handed on, deleted.
extension Modem {
  // MARK: The store

  /// Times the store is listed at most in one look: each time eight messages are taken.
  static var storeLooks: UInt8 { 8 }
  /// Places of a store that can't be listed: all of them after a start, and later those that a message comes to first.
  static var storeLimit: UInt8 { 50 }
  static var storeFront: UInt8 { 8 }
  /// Between two looks for want of a notice that may have been lost.
  static var storeLookPause: Interval { .seconds(30) }

  /// Messages are only looked for when they are configured. A modem that was on before, or whose notice was lost, is tried
  /// once it has had its time.
  var readsMessages: Bool {
    guard !ModemParts.isMQTTAlone, !configuration.smsNumber.isEmpty, facts.sim == .yes, !facts.lacksMessages
    else { return false }
    return facts.messagesAreReady || messagesReadyAt <= now
  }

  /// A message is known to wait, or may.
  var messageWaits: Bool {
    guard readsMessages else { return false }
    return !announcedMessages.isEmpty || reading.place != 0 || facts.looksAtStore
      || facts.storeIsDoubtful && storeLookAt <= now
  }

  /// When the store is looked at again: a notice that the line has swallowed comes only once.
  var storeLookAt: Instant {
    guard let last = facts.storeLookedAt else { return .zero }
    let pause = facts.storeIsDoubtful || awaitsReport ? Modem.storeLookPause : configuration.surveyInterval
    return last + min(pause, configuration.surveyInterval)
  }

  /// A line could not be read: it may have said that a message came.
  mutating func doubtStore() {
    facts.storeIsDoubtful = true
    guard phase == .asleep, let phaseDeadline, !configuration.smsNumber.isEmpty else { return }
    self.phaseDeadline = min(phaseDeadline, max(now, storeLookAt))
  }

  /// True while a message that was handed on stays for its host to say that it is kept.
  var awaitsKeeping: Bool { reading.isToBeDeleted && unkeptMessages > 0 && now - unkeptSince < Modem.longestKeeping }

  /// Longest that a message stays for a host that does not say that it has kept it; our choice.
  static var longestKeeping: Interval { .seconds(120) }

  /// Messages that came in.
  mutating func nextMessageStep() -> ModemStep? {
    guard !ModemParts.isMQTTAlone, readsMessages else { return nil }
    if awaitsKeeping { return nil }
    if reading.isToBeDeleted {
      // A host that never says so must not stop all later messages.
      unkeptMessages = 0
      return .messageDelete
    }
    if !facts.messagesAreSet {
      if facts.messageForm == .unknown { return nextFormatStep }
      return .messageNotices
    }
    // Those that came while nobody listened are in the store, unannounced.
    if !facts.looksAtStore, storeLookAt <= now { beginLook() }
    guard !announcedMessages.isEmpty || reading.place != 0 || facts.looksAtStore else { return nil }
    // Reports have the form of messages, and what is awaited is read as text.
    guard !awaitsReport || storesReports else { return nil }
    // As digits a message can't be taken for anything else.
    if facts.messageForm != .digits, !quirks.hasNoDigits { return .messageDigits }
    if facts.messageForm == .unknown { return nextFormatStep }
    if reading.place != 0 || !announcedMessages.isEmpty { return .messageRead }
    if facts.storeIsListed, facts.storeLooks < Modem.storeLooks { return .messageList }
    if !facts.storeIsListed, facts.storePlace != 0 { return .messageRead }
    endLook()
    return nil
  }

  /// Messages as text, in characters that a packet can be written in.
  var nextFormatStep: ModemStep {
    switch facts.hasPlainCharacters {
    case .unknown: return .charactersQuery
    case .no: return .charactersSet
    case .yes: return .messageFormat
    }
  }

  private mutating func beginLook() {
    facts.looksAtStore = true
    facts.storeIsDoubtful = false
    facts.storeLooks = 0
    // A refusal may have been a passing one.
    facts.storeIsListed = true
    facts.storePlace = 1
  }

  mutating func endLook() {
    facts.looksAtStore = false
    facts.storeLookedAt = now
    if !facts.storeIsListed { facts.storeLimit = Modem.storeFront }
  }

  /// Before a rest from which no notice wakes, or may not, the store is looked at once more; true when that is to be done now.
  mutating func looksBeforeRest() -> Bool {
    guard readsMessages, facts.storeLookedAt.map({ now - $0 >= .seconds(5) }) ?? true else { return false }
    facts.storeLookedAt = nil
    return true
  }

  /// True while a modem that has started is not ready for the look that is due before a rest.
  var mayLookBeforeRest: Bool {
    !configuration.smsNumber.isEmpty && facts.storeLookedAt == nil && !readsMessages && messagesReadyAt > now
  }

  /// A message waits at a place of the store.
  mutating func announce(_ place: UInt8) {
    guard place != 0 else { return }
    cardIsThere()
    var index = 0
    while index < announcedMessages.count {
      if announcedMessages[index] == place { return }
      index += 1
    }
    if !announcedMessages.append(place) { doubtStore() }
  }

  /// A store that can't be seen for the moment is not an empty one: it is asked again each second, but not for ever.
  private mutating func waitsForCard(_ result: ATResult) -> Bool {
    if result.isOK { facts.busyTries = 0 }
    guard result.isCardBusy else { return false }
    guard facts.busyTries < Modem.mostBusyTries else {
      doubtStore()
      return false
    }
    facts.busyTries += 1
    pauseUntil = now + .seconds(1)
    return true
  }

  /// Times that a busy card is asked again; our choice, longer than a late `SMS Ready` takes.
  static var mostBusyTries: UInt8 { 60 }

  mutating func finishList(_ result: ATResult) {
    if waitsForCard(result) {
      if facts.storeLooks > 0 { facts.storeLooks -= 1 }
      return
    }
    if !result.isOK, !result.isUncertain { facts.storeIsListed = false }
    if result.isOK, announcedMessages.isEmpty { endLook() }
  }

  // MARK: Reading

  /// Something came damaged.
  mutating func noteDamage() {
    damagedAt = now
    hasDamage = true
  }

  /// True when something came damaged in the last minute.
  private var lineIsNoisy: Bool { damagedAt.map { now - $0 < .seconds(60) } ?? false }

  /// Readings that have to agree. Some may be spoilt alike where many are spoilt: of eight ones in a number any may be lost, and words
  /// have no length that would tell. Where whole readings differ, only a clear lead counts.
  private var wantedReadings: UInt8 {
    if reading.isDisputed { return 5 }
    guard lineIsNoisy else { return 2 }
    return reading.content == .words ? 4 : 3
  }

  /// Reads the message at hand again, or the next one.
  mutating func beginReading() {
    if reading.place == 0 {
      reading = MessageReading()
      if let place = announcedMessages.popFirst() {
        reading.place = place
        reading.isAnnounced = true
      } else {
        reading.place = facts.storePlace
        facts.storePlace = facts.storePlace < facts.storeLimit ? facts.storePlace + 1 : 0
      }
    }
    reading.begin()
    messageText.removeAll()
    send(CMGR.Get(index: UInt16(reading.place)))
  }

  /// First the header, then the text, whose lines are joined again, or all of it as digits. What is handed on is the sender's number,
  /// a line end, the text. False when the line can't be read.
  mutating func takeMessageLine() -> Bool {
    if reading.content == .words {
      messageText.append(0x0A)
      messageText.append(contentsOf: channel.line.span)
    } else if let header = CMGR.Get.decode(ATLine(channel.line.span)) {
      // Where the end of the line was lost the text stands in it.
      reading.content = CMGR.Get.isRunOn(ATLine(channel.line.span)) ? .damaged : .words
      reading.time = header.time?.utc
      messageText.removeAll()
      messageText.append(contentsOf: header.sender.span)
    } else if let report = CMGR.Get.report(ATLine(channel.line.span)) {
      reading.content = reading.content == .nothing ? .report : .damaged
      reading.report = report
    } else if let octets = CMGR.Get.octets(ATLine(channel.line.span)) {
      reading.content = reading.content == .nothing ? .header : .damaged
      reading.octets = octets
    } else {
      let isExpected = reading.content == .header
      reading.content = .damaged
      guard isExpected, MessagePDU.octets(channel.line.span) == Int(reading.octets) else { return false }
      if MessagePDU.read(channel.line.span, into: &messageText) {
        reading.content = .digits
        reading.time = MessagePDU.time(channel.line.span)
      } else {
        reading.report = MessagePDU.report(channel.line.span)
        reading.content = reading.report == nil ? .other : .report
        messageText.removeAll()
        if reading.report == nil { reading.digest.add(channel.line.span) }
      }
    }
    return true
  }

  mutating func finishReading(_ result: ATResult) {
    if waitsForCard(result) {
      if reading.tries > 0 { reading.tries -= 1 }
      return
    }
    guard !result.isUncertain else {
      reading.losses += 1
      return readAgain()
    }
    guard result.isOK else {
      // An empty place is an error with some firmware; the store's end is one too.
      guard reading.isAnnounced else { return endReading() }
      if !facts.looksAtStore { doubtStore() }
      return leaveUnread()
    }
    switch reading.content {
    case .nothing:
      // What was announced, and is not there, may be elsewhere.
      if reading.isAnnounced { doubtStore() }
      endReading()
    case .header, .damaged: readAgain()
    case .words, .digits, .report, .other:
      reading.digest.add(messageText.span)
      if let report = reading.report {
        reading.digest.add(report.reference)
        reading.digest.add(report.status)
      }
      if let time = reading.time { reading.digest.add(time.microseconds / 1_000_000) }
      let isFirst = reading.agreement == 0
      if !reading.agrees(), !isFirst {
        noteDamage()
        reading.isDisputed = true
      }
      guard reading.agreement >= wantedReadings else { return readAgain() }
      take(reading.content)
    }
  }

  private mutating func readAgain() {
    messageText.removeAll()
    guard reading.tries < MessageReading.mostTries, reading.losses < MessageReading.mostLosses else {
      // Soon the line may be better.
      if reading.isDisputed { doubtStore() }
      return leaveUnread()
    }
  }

  /// Read twice alike. It is handed on before it is deleted: should the modem start in between, it is found again, and known.
  private mutating func take(_ content: MessageReading.Content) {
    unreadPlaces.clear(reading.place)
    if content == .report {
      if !reading.isTold, let report = reading.report { take(report) }
      reading.isTold = true
    } else if content != .other, !messageText.isEmpty, !toldMessages.contains(reading.digest) {
      guard reportReply(from: .sms) else {
        // Nobody fetches what came: there the message is safe.
        doubtStore()
        endReading()
        return endLook()
      }
      // Without a time the same text sent once more could not be told from this one.
      if reading.time != nil { toldMessages.append(reading.digest) }
      reading.isTold = true
    }
    reading.isToBeDeleted = true
    messageText.removeAll()
  }

  /// It stays where it is for the next look; but not for ever.
  private mutating func leaveUnread() {
    facts.storeLooks = Modem.storeLooks
    // Damage is a reason to look again soon, but not to give up sooner.
    let interval = Interval(microseconds: configuration.surveyInterval.microseconds / 2)
    let isLast = !reading.isTold && unreadPlaces.count(reading.place, at: now, interval: interval)
    guard isLast else { return endReading() }
    diagnostics.messagesUnread &+= 1
    reading.isToBeDeleted = true
    messageText.removeAll()
  }

  private mutating func endReading() {
    reading = MessageReading()
    messageText.removeAll()
  }

  mutating func finishDeletion(_ result: ATResult) {
    if result.isOK {
      toldMessages.remove(reading.digest)
      unreadPlaces.clear(reading.place)
      return endReading()
    }
    guard result.isUncertain else {
      // What can't be deleted now is known when it is found again.
      facts.storeLooks = Modem.storeLooks
      return endReading()
    }
    // It may be gone, and another have come to its place, which nobody has read.
    reading.isToBeDeleted = false
    reading.agreement = 0
    reading.isDisputed = false
    reading.isAnnounced = false
    readAgain()
  }
}
