import ASCIIText
import InlineStorage
import Quantities

extension ATChannel {
  /// Takes bytes of the modem up to the first that completes an event.
  ///
  /// How the bytes are cut does not matter: the same bytes give the same events.
  ///
  /// - Returns: How many bytes were taken, and the event; `.none` when all were taken and nothing is complete. An event may
  ///   need no byte at all: call again until nothing is left and the event is `.none`.
  package mutating func digest(_ bytes: Span<UInt8>, at now: Instant) -> (taken: Int, event: ATEvent) {
    if queued != .none { return (0, takeQueued()) }
    let late = endOfText(at: now)
    if late != .none { return (0, late) }
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      lastHeard = now
      if case .quieting(_, let limit) = activity {
        activity = .quieting(until: quietEnd(at: now, limit: limit), limit: limit)
      }
      if holdsOK, byte != 0x0D, byte != 0x0A {
        // The text goes on: that was a line of it.
        holdsOK = false
        line.removeAll()
        line.append("OK")
        lineIsDone = true
        return (place - 1, .information)
      }
      let event = take(byte, at: now)
      if event != .none { return (place, event) }
    }
    return (place, .none)
  }

  @inline(never) mutating func take(_ byte: UInt8, at now: Instant) -> ATEvent {
    if text != .none { return gather(byte) }
    if takesAsPayloadEcho(byte) {
      guard payloadEchoRemaining == 0 else { return .none }
      if payloadEchoSum != payloadSum { return garble(at: now) }
      silentPayloads = 0
      if isHolding { release(at: now) }
      return .none
    }
    return rawRemaining > 0 ? takeRaw(byte) : takeText(byte, at: now)
  }

  private mutating func takeRaw(_ byte: UInt8) -> ATEvent {
    // The line end before the block is CR LF; the line was complete at the CR.
    if lineWasCR {
      lineWasCR = false
      if byte == 0x0A { return .none }
    }
    if lineIsDone {
      line.removeAll()
      lineIsDone = false
    }
    line.append(byte)
    rawRemaining -= 1
    guard rawRemaining == 0 else { return .none }
    lineIsDone = true
    if line.isTruncated { diagnostics.linesTruncated &+= 1 }
    if case .okThenCounted(_, let count) = grammar.end, rawTotal >= count {
      activity = .idle
      queued = .finished(.ok)
    }
    return .data
  }

  private mutating func takeText(_ byte: UInt8, at now: Instant) -> ATEvent {
    if byte == 0x0D || byte == 0x0A {
      lineWasCR = byte == 0x0D
      guard !lineIsDone, !line.isEmpty else { return .none }
      lineIsDone = true
      return complete(at: now)
    }
    lineWasCR = false
    if lineIsDone {
      // The echo of the end mark: the modem was told to give the message up.
      if byte == 0x1B, isPayloadSent, payloadCount > 0, !answerIsWords { return garble(at: now) }
      // Blanks before a line are the rest of a prompt, and the end mark of a payload may be echoed, too.
      if byte == 0x20 || (byte == 0x1A || byte == 0x3E && isPayloadSent) && payloadCount > 0 && !answerIsWords {
        return .none
      }
      line.removeAll()
      lineIsDone = false
    }
    if byte == 0x3A, !answerIsWords, beginsText { return .none }
    line.append(byte)
    if byte == 0x3E, line.count == 1, isWaitingForAngle {
      lineIsDone = true
      return reportPrompt(at: now)
    }
    if byte == 0x2C, case .inlineOrAfterLine(let name) = grammar.counted, isPending { return beginInline(name) }
    return .none
  }

  /// True when the line so far is the name of a line with text without length, which begins then.
  private var beginsText: Bool {
    mutating get {
      let kind = ATChannel.textKind(of: ATLine(line.span))
      guard kind != .none else { return false }
      text = kind
      textClosed = 0
      textLine = 0
      line.append(0x3A)
      return true
    }
  }

  private var isWaitingForAngle: Bool {
    guard case .answer = activity, case .angle = grammar.prompt, !commandWaits else { return false }
    return true
  }

  private mutating func reportPrompt(at now: Instant) -> ATEvent {
    // Never hand a payload to a command that is not the one that was sent: its length may be another. A name without one of its letters is
    // none that asks for a payload: it was lost behind the modem.
    if echoed == .damaged, hasWholeParameters { echoed = .whole }
    if echo == .verified, echoed != .whole { return garble(at: now) }
    activity = .prompted(until: now + grammar.outcomeTimeout)
    return .prompt
  }

  /// `+NAME: 5,` with the bytes right behind the comma.
  private mutating func beginInline(_ name: StaticString) -> ATEvent {
    guard line[line.count - 1] == 0x2C, let fields = ATLine(line.span).fields(of: name), fields.count == 2,
      let count = fields.number(0), count > 0
    else { return .none }
    lineIsDone = true
    hasInformation = true
    rawRemaining = count
    rawTotal += count
    return .information
  }

  // MARK: Lines

  /// Decides what a complete line is.
  private mutating func complete(at now: Instant) -> ATEvent {
    if line.isTruncated { diagnostics.linesTruncated &+= 1 }
    let isWaiting = isPending || isRecovering
    if isWaiting, echoed != .whole || isRecovering, isEcho {
      echoed = .whole
      echoMisses = 0
      if case .probing = activity { oweProbe() }
      guard echo == .off else { return .none }
      diagnostics.echoReturned &+= 1
      return suspect(.reset, at: now)
    }
    if isRecovering, echo != .off, isProbe {
      // It came late, and so will its answer.
      oweProbe()
      return .none
    }
    if isPending, echo == .unknown || echo == .verified && owedResults > 0, echoed == .awaited, isEchoOfFence {
      // What was asked before comes late, and its end behind it.
      if echo == .unknown { echoed = .damaged }
      return .none
    }
    if echo == .verified, echoed == .awaited, isPending || isRecovering, looksLikeEcho {
      // Of what has not gone yet there is none: it is another's.
      if !commandWaits {
        echoed = .damaged
        hasWholeParameters = endsAsSent
      }
      if isPending { return .none }
    }
    if isPending, let event = completeAnswer(at: now) { return event }
    // A text may bring such a line, too, but not behind the echo of what was asked.
    if case .fencing = activity, ATLine(line.span).isNamed(Dialect.fenceName),
      !confirmsEnd || echo != .verified || echoed == .whole
    {
      hasInformation = true
      return .none
    }
    switch Dialect.sign(of: ATLine(line.span)) {
    case .boot:
      heardOther = true
      return suspect(.reset, at: now)
    case .poweredDown: return suspect(.poweredDown, at: now)
    case .none, .notice: break
    }
    if let result = finalResult() {
      if isDigit(line[0]) { hasDigits = true }
      return completeStray(result, at: now)
    }
    if !Dialect.isWholeNotice(ATLine(line.span)) { heardOther = true }
    // What stands behind an open text may be more of it.
    if isPending, isFailureSign, !textWasOpen || now > textGoesOnUntil {
      activity = .idle
      queued = .finished(.failed)
    }
    return .unsolicited
  }

  private var isRecovering: Bool {
    switch activity {
    case .probing, .fencing, .quieting: return true
    case .idle, .answer, .prompted, .outcome, .settling: return false
    }
  }

  private var isFailureSign: Bool {
    guard let failure = grammar.failure else { return false }
    let view = ATLine(line.span)
    return view.begins(with: failure) || view.withoutConnection.begins(with: failure)
  }

  /// The modem may have started, or be going down: then what is pending will not be answered.
  mutating func suspect(_ event: ATEvent, at now: Instant) -> ATEvent {
    let limit = now + timing.doubtTime
    switch activity {
    case .answer(let until): activity = .answer(until: min(until, limit))
    case .prompted(let until): activity = .prompted(until: min(until, limit))
    case .outcome(let until): activity = .outcome(until: min(until, limit))
    case .idle, .settling, .quieting, .probing, .fencing: break
    }
    return event
  }

  /// A line while a command is pending; nil when it is not the command's.
  private mutating func completeAnswer(at now: Instant) -> ATEvent? {
    // What has not gone yet has no answer.
    if commandWaits, case .answer = activity { return finalResult() == nil ? nil : stray() }
    if isHolding {
      guard let result = finalResult() else { return nil }
      return result.isOK ? stray() : finish(result)
    }
    if endsHeldText { return fallOutOfStep(.doubtful, at: now) }
    if case .outcome = activity, let answerName { mendName(answerName) }
    if case .outcome(let until) = activity, case .okThenCounted(let name, _) = grammar.end,
      let fields = ATLine(line.span).fields(of: name), let count = fields.number(0)
    {
      activity = .outcome(until: until)
      rawRemaining = count
      rawTotal += count
      return .information
    }
    if case .download = grammar.prompt, case .answer = activity, ATLine(line.span).equals("DOWNLOAD") {
      return reportPrompt(at: now)
    }
    if answerIsWords { return takeWords() }
    if isOutcome { return completeOutcome(at: now) }
    if isFailedOutcome { return finish(.failed) }
    if isInformation { return takeInformation(at: now) }
    if let result = finalResult() { return completeResult(result, at: now) }
    return nil
  }

  /// The line that comes in place of, or after, `OK`.
  private var isOutcome: Bool {
    let view = ATLine(line.span)
    switch grammar.end {
    case .ok, .silence, .information, .okThenCounted: return false
    case .text(let text, or: let other):
      if view.begins(with: text) || view.withoutConnection.begins(with: text) { return true }
      guard let other else { return false }
      return view.begins(with: other) || view.withoutConnection.begins(with: other)
    case .okThenNamed(let name, shape: let shape): return view.isNamed(name) && fits(shape, name)
    case .okThenText(let text, failure: _): return view.ends(with: text)
    }
  }

  private var isFailedOutcome: Bool {
    guard case .okThenText(_, failure: let failure) = grammar.end else { return false }
    return ATLine(line.span).ends(with: failure)
  }

  private mutating func completeOutcome(at now: Instant) -> ATEvent {
    if endIsHeld { return fallOutOfStep(.doubtful, at: now) }
    if mayBeOwed(at: now) { return doubt(at: now) }
    if holdsEnd(at: now) { return .information }
    switch grammar.end {
    case .okThenNamed, .okThenText:
      if !hasOK {
        // The other order: an `OK` is still to come, and must not be left for the next command.
        activity = .settling(until: now + .seconds(1))
        return .information
      }
    case .ok, .silence, .information, .okThenCounted, .text: break
    }
    activity = .idle
    queued = .finished(.ok)
    return .information
  }

  private mutating func finish(_ result: ATResult) -> ATEvent {
    activity = .idle
    return .finished(result)
  }

  private func fits(_ shape: ATShape, _ name: StaticString) -> Bool {
    guard let fields = ATLine(line.span).fields(of: name) else { return false }
    switch shape {
    case .any: return true
    case .secondFieldBare: return fields.count >= 2 && !fields.isQuoted(1)
    case .twoFields: return fields.count >= 2
    case .firstField(let expected):
      guard let first = fields.text(0) else { return false }
      return ATLine(first).equals(expected)
    }
  }

  private var isInformation: Bool {
    if case .settling = activity { return false }
    let view = ATLine(line.span)
    switch grammar.information {
    case .none:
      if case .afterLine(let name, count: _) = grammar.counted { return view.isNamed(name) }
      if case .inlineOrAfterLine(let name) = grammar.counted { return view.isNamed(name) }
      return false
    case .named(let name, shape: let shape, isRequired: _): return view.isNamed(name) && fits(shape, name)
    case .namedThenText(let name):
      return view.isNamed(name) || (hasInformation && isHexadecimal)
    case .bare(let allowsText): return isBare(allowsText: allowsText)
    }
  }

  /// A message as its bytes in digits: nothing else is that long and has only these.
  private var isHexadecimal: Bool {
    guard line.count >= 16, line.count & 1 == 0 else { return false }
    var place = 0
    while place < line.count {
      guard hexadecimalValue(line[place]) != nil else { return false }
      place += 1
    }
    return true
  }

  /// A line of a message's text, or the end behind it.
  private mutating func takeWords() -> ATEvent {
    guard ATLine(line.span).equals("OK") else { return .information }
    holdsOK = true
    return .none
  }

  private func isBare(allowsText: Bool) -> Bool {
    let view = ATLine(line.span)
    let first = line[0]
    guard first != 0x2B, first != 0x2A, first != 0x24, Dialect.sign(of: view) == .none else { return false }
    if isDigit(first) { return line.count > 1 || (finalResult() == nil) }
    return allowsText && finalResult() == nil
  }

  private mutating func takeInformation(at now: Instant) -> ATEvent {
    hasInformation = true
    if case .outcome(let until) = activity { noteHalfEnd(until: until, at: now) }
    if case .namedThenText(let name) = grammar.information, let fields = ATLine(line.span).fields(of: name) {
      answerIsWords = fields.isQuoted(0) || fields.isQuoted(1)
    }
    let count = announcedCount
    rawRemaining = count
    rawTotal += count
    if case .information = grammar.end {
      activity = .idle
      queued = .finished(.ok)
    }
    return .information
  }

  /// Bytes that follow the line, by what it says.
  private var announcedCount: Int {
    let view = ATLine(line.span)
    switch grammar.counted {
    case .none: return 0
    case .afterLine(let name, count: let field): return view.fields(of: name)?.number(Int(field)) ?? 0
    case .inlineOrAfterLine(let name): return view.fields(of: name)?.number(1) ?? 0
    }
  }

  /// Whether the answer so far may be ended by an `OK`.
  private var isOKExpected: Bool {
    switch grammar.information {
    case .none, .namedThenText: return true
    case .named(_, shape: _, let isRequired): return hasInformation || !isRequired
    case .bare: return hasInformation
    }
  }

  mutating func completeResult(_ result: ATResult, at now: Instant) -> ATEvent {
    if echo == .verified, case .answer = activity {
      switch echoed {
      case .whole: break
      case .damaged: return garble(at: now)
      // Before its echo nothing can be this command's: it is the rest of an older one.
      case .awaited:
        wasEcholess = true
        return stray()
      }
    }
    if echo == .unknown, echoed == .damaged {
      echoed = .awaited
      owedResults -= owedResults > 0 ? 1 : 0
      return stray()
    }
    guard result.isOK else { return finish(result) }
    switch activity {
    case .settling:
      guard endIsHeld else { return finish(.ok) }
      hasOK = true
      return .none
    case .outcome(let until):
      // After the payload `OK` ends it, or the outcome follows.
      switch grammar.end {
      case .ok:
        guard isOKExpected else {
          noteHalfEnd(until: until, at: now)
          if hasHalfEnd { hasBareOK = true }
          return stray()
        }
        return mayBeOwed(at: now) ? doubt(at: now) : finish(.ok)
      case .okThenNamed, .okThenText, .okThenCounted:
        hasOK = true
        activity = .outcome(until: min(until, now + (grammar.patience ?? grammar.outcomeTimeout)))
        return .none
      case .text, .information, .silence: return .none
      }
    case .answer(let until):
      // Without its prompt a command with payload can't be over: this OK is an older command's.
      guard grammar.prompt == .none else { return stray() }
      // An answer without what was asked for is one too, unless it may be another's.
      guard isOKExpected || echoed == .whole && (owedResults == 0 || owedUntil < now) else {
        hasBareOK = true
        return stray()
      }
      switch grammar.end {
      case .ok, .silence: return finish(.ok)
      case .text:
        hasBareOK = true
        activity = .answer(until: min(until, now + timing.otherHalf))
        return .none
      case .information: return .none
      case .okThenNamed, .okThenText, .okThenCounted:
        hasOK = true
        let wait = min(grammar.patience ?? grammar.outcomeTimeout, grammar.outcomeTimeout)
        activity = .outcome(until: (until > now ? now : until) + wait)
        return .none
      }
    case .idle, .prompted, .quieting, .probing, .fencing: return stray()
    }
  }

  /// A result while no command of the user is pending.
  private mutating func completeStray(_ result: ATResult, at now: Instant) -> ATEvent {
    switch activity {
    case .probing(let tries, _):
      if probesOwed > 0 { probesOwed -= 1 }
      probeWasEcholess = echo == .verified && echoed == .awaited
      sendFence(tries: 1, at: now)
      // The answers of others may be on their way.
      if tries > 1 { waitForFence(1) }
      return .none
    case .fencing where confirmsEnd && !result.isOK:
      return fallOutOfStep(.doubtful, at: now)
    case .fencing(let tries, _) where !hasInformation:
      // The answer of another probe, or of a firmware that refuses the fence.
      fenceWasAnswered = true
      if echoed == .whole, !result.isOK { return inStep(at: now) }
      if probesOwed > 0 { probesOwed -= 1 }
      if result.isOK {
        hasTimedOut = true
        waitForFence(tries)
      }
      return stray()
    case .fencing where result.isOK && hasInformation:
      return inStep(at: now)
    case .fencing, .idle, .answer, .prompted, .outcome, .settling, .quieting: return stray()
    }
  }

  /// Nothing of before is on its way any more.
  mutating func inStep(at now: Instant) -> ATEvent {
    activity = .idle
    if confirmsEnd {
      // A line that can't be read may have been a bad end.
      if heardOther { return fallOutOfStep(.doubtful, at: now) }
      confirmsEnd = false
      return .finished(.ok)
    }
    diagnostics.resynchronisations &+= 1
    return synchronised(at: now)
  }
}
