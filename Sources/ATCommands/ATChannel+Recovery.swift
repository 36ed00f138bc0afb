import ASCIIText
import InlineStorage
import Quantities

extension ATChannel {
  /// Lets time pass: reports a time-out, or a step of getting back into step.
  ///
  /// Early calls do nothing; late ones do at once what was due.
  package mutating func expire(at now: Instant) -> ATEvent {
    if queued != .none { return takeQueued() }
    let late = endOfText(at: now)
    if late != .none { return late }
    switch activity {
    case .idle: return .none
    case .answer(let until), .prompted(let until), .outcome(let until):
      guard until <= now else { return .none }
      return isHolding ? endHolding(at: now) : timeOut(at: now)
    case .settling(let until):
      guard until <= now else { return .none }
      activity = .idle
      // The `OK` that belongs to it may still come.
      if !hasOK { oweResult(at: now) }
      return .finished(.ok)
    case .quieting(let until, _):
      guard until <= now else { return .none }
      beginProbing(tries: 0, at: now)
      return .none
    case .probing(let tries, let until):
      guard until <= now else { return .none }
      return probeAgain(after: tries, at: now)
    case .fencing(let tries, let until):
      guard until <= now else { return .none }
      if confirmsEnd {
        guard hasInformation else { return fallOutOfStep(.doubtful, at: now) }
        // Its line is there behind its echo: only its `OK` was lost.
        oweResult(at: now)
        return inStep(at: now)
      }
      // It may be answered at any time, like a probe; and what was taken for a probe's answer may have been its own, whose line was lost.
      if echoed == .whole || echo == .off || fenceWasAnswered { oweProbe() }
      if tries < 2 {
        sendFence(tries: tries + 1, at: now)
        return .none
      }
      activity = .idle
      // A modem that echoes it, and has answered the `AT` before, is there; it has nothing to say to the fence.
      if fenceWasAnswered || echoed == .whole { return synchronised(at: now) }
      bookProbes(at: now)
      return .silent
    }
  }

  /// In step again. Two commands in a row that were answered and not echoed say that the echo is off by now: it has to be set again.
  mutating func synchronised(at now: Instant) -> ATEvent {
    bookProbes(at: now)
    if hasTimedOut {
      hasTimedOut = false
      allowance = allowance < 6 ? 12 : min(allowance &+ allowance, ATChannel.mostAllowance)
    }
    if probeWasEcholess, echo == .verified, echoed == .awaited { echo = .unknown }
    return .synchronised
  }

  private mutating func timeOut(at now: Instant) -> ATEvent {
    isWhole = echoIsWhole
    if hasOK, case .outcome = activity {
      rawRemaining = 0
      oweName(at: now)
      activity = .idle
      return .finished(.open)
    }
    if hasBareOK, case .answer = activity {
      rawRemaining = 0
      // No line has come in all its time: the `OK` was the answer, or the answer is owed in place of the one that came.
      activity = .idle
      return .finished(.ok)
    }
    if hasHalfEnd {
      // A modem that says only one of them has nothing to add.
      if mayBeOwed(at: now) { return fallOutOfStep(.doubtful, at: now) }
      rawRemaining = 0
      if !hasBareOK { oweResult(at: now) }
      activity = .idle
      // `OK` alone is also what a message that was given up ends with.
      return .finished(hasInformation ? .ok : .open)
    }
    diagnostics.timeouts &+= 1
    if wasEcholess, echoed == .awaited, echoMisses < .max { echoMisses += 1 }
    oweName(at: now)
    oweResult(at: now)
    hasTimedOut = true
    patience = min(allowance, ATChannel.mostPatience)
    hasWaited = false
    return fallOutOfStep(.timedOut, at: now)
  }

  mutating func oweResult(at now: Instant) {
    if owedResults < .max { owedResults += 1 }
    owedUntil = now + timing.lateness
  }

  private mutating func oweName(at now: Instant) {
    guard let answerName else { return }
    let isAlone = owedUntil < now || owedName.map { !ATChannel.isSame($0, answerName) } ?? true
    let isSettled = settles && isWhole && (isAlone || owedNameSubject == subject)
    owedName = answerName
    owedNameSubject = isSettled ? subject : nil
    owedUntil = now + timing.lateness
  }

  var echoIsWhole: Bool {
    guard echo == .verified, echoed == .whole, case .outcome = activity else { return false }
    return grammar.prompt == .none || payloadCount > 0 && payloadEchoRemaining == 0 && payloadEchoSum == payloadSum
  }

  /// A good end that may be another's. What has a payload keeps the modem busy: when the fence is answered, its own end has come.
  @inline(never) mutating func doubt(at now: Instant) -> ATEvent {
    diagnostics.doubts &+= 1
    isWhole = echoIsWhole
    guard grammar.prompt != .none, !heardOther else { return fallOutOfStep(.doubtful, at: now) }
    probeWasEcholess = false
    var until = Instant.zero
    // Where the end may have been a line of a text, the modem may still be busy with the command for all its time.
    if now <= textGoesOnUntil, case .outcome(let limit) = activity { until = limit }
    sendFence(tries: 1, at: now)
    activity = .fencing(tries: 1, until: max(until, outputNotBefore + timing.confirmation))
    confirmsEnd = true
    return .none
  }

  /// The modem has got something else than was sent.
  @inline(never) mutating func garble(at now: Instant) -> ATEvent {
    diagnostics.garbled &+= 1
    return fallOutOfStep(.garbled, at: now)
  }

  mutating func fallOutOfStep(_ result: ATResult, at now: Instant) -> ATEvent {
    confirmsEnd = false
    endIsHeld = false
    payloadEcho = .none
    holdsOK = false
    answerIsWords = false
    echoed = .awaited
    dropOutput()
    rawRemaining = 0
    lineIsDone = true
    let limit = now + timing.quietLimit
    activity = .quieting(until: quietEnd(at: now, limit: limit), limit: limit)
    return .finished(result)
  }

  /// Behind the payload the line or the `OK` came. The other half is waited for only a moment longer, unless this one may be another's.
  @inline(never) mutating func noteHalfEnd(until limit: Instant, at now: Instant) {
    // A modem may echo commands and no payloads.
    let isSound = echo != .verified || echoed == .whole && (payloadEchoSum == 0 || payloadEchoRemaining == 0)
    guard case .ok = grammar.end, answerName != nil, isSound, now > textGoesOnUntil, owedResults == 0 || now > owedUntil
    else { return }
    hasHalfEnd = true
    activity = .outcome(until: min(limit, now + timing.otherHalf))
  }

  /// A result that nothing waits for.
  mutating func stray() -> ATEvent {
    diagnostics.resultsStray &+= 1
    if owedResults > 0, case .idle = activity { owedResults -= 1 }
    return .none
  }

  /// When the line will have been quiet for long enough.
  func quietEnd(at now: Instant, limit: Instant) -> Instant {
    let end = (lastHeard ?? now) + timing.quiet
    return end < now ? now : end > limit ? limit : end
  }

  /// Sends `AT`; before the first, what gets out of a prompt that waits for its end mark.
  mutating func beginProbing(tries: Int, at now: Instant) {
    startOutput(at: now)
    outputNotBefore = now
    // A modem that does not echo may have got each of them.
    if echo == .off { oweProbe() }
    echoed = .awaited
    if tries == 0, payloadCount > 0 { escapeWaits = true }
    if tries == timing.probeTries - 2 {
      probe = .echo
      echo = .unknown
    } else if tries == timing.probeTries - 1 {
      probe = payloadCount == 0 ? .resultsAfterPrompt : .results
      echo = .unknown
    } else {
      probe = .plain
    }
    activity = .probing(tries: tries + 1, until: now + timing.probeTimeout + ATChannel.allowed(patience))
  }

  private mutating func probeAgain(after tries: Int, at now: Instant) -> ATEvent {
    let isLast = tries >= timing.probeTries
    // One that echoes has got what it was sent, and may be slow; so may one of which nothing is heard where it should be.
    let echoes = probesOwed > 0 && patience < ATChannel.mostPatience
    if isLast, payloadCount == 0, echoes || !hasWaited {
      if echoes { patience = ATChannel.mostPatience }
      hasWaited = true
      activity = .probing(tries: tries, until: now + (echoes ? timing.catchUp : timing.lastProbe))
      return .none
    }
    if isLast, payloadCount == 0, let since = foreignSince, let lastHeard, lastHeard >= since {
      // It says something and answers nothing. To a prompt with a length, as of `SMPUB`, all this is text, and no sign ends it.
      payloadCount = ATChannel.longestForeignPayload
      foreignSince = nil
    }
    if isLast, payloadCount > 0 {
      fillPayload(at: now)
    } else if isLast {
      activity = .idle
      payloadCount = 0
      bookProbes(at: now)
      return .silent
    }
    beginProbing(tries: isLast ? 1 : tries, at: now)
    return .none
  }

  /// The longest payload that an earlier life of ours may owe; of another program's the next time fills the rest.
  static var longestForeignPayload: Int { 1024 }

  /// A payload that lost bytes on the way waits for as many, for ever; whatever comes next completes it. The `AT`s before
  /// have made sure that what the server gets then is no valid packet. Outside a payload these are idle commands.
  private mutating func fillPayload(at now: Instant) {
    startOutput(at: now)
    outputNotBefore = now
    fillingLines = UInt16(clamping: (payloadCount + 5) / 3)
    payloadCount = 0
  }

  /// The `AT` was answered: the fence makes sure that this was not the answer of something earlier.
  mutating func sendFence(tries: Int, at now: Instant) {
    foreignSince = nil
    sent.removeAll()
    sent.append("AT")
    sent.append(Dialect.fence)
    grammar = ATGrammar(information: .named(Dialect.fenceName), within: .seconds(1))
    hasInformation = false
    answerIsWords = false
    if tries == 1 { fenceWasAnswered = false }
    echoed = .awaited
    payloadCount = 0
    startOutput(at: now)
    commandWaits = true
    activity = .fencing(
      tries: tries,
      until: outputNotBefore + (tries == 1 ? .seconds(1) : timing.lastFence) + ATChannel.allowed(allowance))
  }

  /// Another probe's answer came, or may come, where the fence's is awaited: of a modem that answers late nothing more is asked before it has
  /// caught up.
  mutating func waitForFence(_ tries: Int) {
    if !confirmsEnd { activity = .fencing(tries: tries, until: outputNotBefore + timing.lastFence) }
  }

  /// A probe that was received but not answered may be answered at any time.
  mutating func oweProbe() {
    if probesOwed < .max { probesOwed += 1 }
  }

  /// Once in step again, what the modem still owes is like the answer of a command that timed out.
  mutating func bookProbes(at now: Instant) {
    guard probesOwed > 0 else { return }
    let (sum, overflow) = owedResults.addingReportingOverflow(probesOwed)
    owedResults = overflow ? .max : sum
    owedUntil = now + timing.lateness
    probesOwed = 0
  }

  mutating func takeQueued() -> ATEvent {
    let event = queued
    queued = .none
    return event
  }

  /// True when the good end of what goes to a server may be that of a command before, which timed out: nothing in it says
  /// whose it is. Of as many good ends as there are answers owed, and one more, one is the subject's own; until then none
  /// counts, and the command is tried again.
  @inline(never) mutating func mayBeOwed(at now: Instant) -> Bool {
    // While a text may go on, so may its lines. What the fence can't prove is believed where the text had an end.
    if now <= textGoesOnUntil, endIsNoProof, textWasOpen || grammar.prompt != .none { return true }
    guard now <= owedUntil else { return false }
    let owed: UInt8
    if let answerName {
      guard let owedName, ATChannel.isSame(owedName, answerName) else { return false }
      owed = settles && owedNameSubject == subject ? 0 : 1
    } else {
      guard case .ok = grammar.end, grammar.prompt != .none else { return false }
      owed = owedResults < ATChannel.mostDoubts ? owedResults : ATChannel.mostDoubts
    }
    if doubtSubject != subject {
      doubtSubject = subject
      doubts = 0
    }
    guard doubts < owed else { return false }
    doubts += 1
    return true
  }

  /// The pending command's good end says nothing of whose it is.
  var endIsNoProof: Bool {
    if answerName != nil { return true }
    guard case .ok = grammar.end else { return false }
    return grammar.prompt != .none
  }

  /// So many answers at most are believed to be on their way at the same time.
  private static var mostDoubts: UInt8 { 3 }

  /// Name of the line without which the pending command does not end well.
  var answerName: StaticString? {
    if case .okThenNamed(let name, shape: _) = grammar.end { return name }
    if grammar.prompt != .none, case .named(let name, shape: _, isRequired: true) = grammar.information { return name }
    return nil
  }

  private static func isSame(_ a: StaticString, _ b: StaticString) -> Bool {
    guard a.utf8CodeUnitCount == b.utf8CodeUnitCount else { return false }
    var place = 0
    while place < a.utf8CodeUnitCount {
      if a.utf8Start[place] != b.utf8Start[place] { return false }
      place += 1
    }
    return true
  }
}
