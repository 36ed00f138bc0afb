import ASCIIText
import Quantities

extension ATChannel {
  /// Sends the payload after `.prompt`. Its bytes are taken when `drainOutput` fetches them: until then they stay as they are (see
  /// `holdsPayload`).
  ///
  /// - Parameters:
  ///   - payload: All of it.
  ///   - end: A byte behind it, when the command has an end mark. That of a message is not echoed.
  ///   - last: So many of the last bytes, the end among them, go only behind the echo of the rest, where that is verified.
  /// - Precondition: The last event was `.prompt`.
  package mutating func write(
    payload: Span<UInt8>, end: UInt8? = nil, holding last: UInt8 = 0, at now: Instant
  ) {
    precondition(isPrompted, "there was no prompt")
    startOutput(at: now)
    outputNotBefore = now
    payloadEnd = end
    payloadWaits = !payload.isEmpty || end != nil
    let count = payload.count + (end == nil ? 0 : 1)
    if payloadCount < count { payloadCount = count }
    payloadEchoRemaining = end == ATChannel.messageEnd ? payload.count : count
    payloadStart = payload.isEmpty ? end ?? 0 : payload[0]
    // A payload that begins with a blank can't be told from the blank of the prompt.
    payloadEcho = echo == .verified && payloadEchoRemaining > 0 && payloadStart != 0x20 ? .next : .none
    isHolding = last > 0 && payloadEcho == .next && count > Int(last) && silentPayloads < 2
    held = isHolding ? last : 0
    if isHolding { payloadEchoRemaining = count - Int(last) }
    payloadSum = 0
    payloadEchoSum = 0
    var place = 0
    while place < payload.count, place < payloadEchoRemaining {
      payloadSum = ATChannel.sum(payloadSum, payload[place])
      place += 1
    }
    if let end, place < payloadEchoRemaining { payloadSum = ATChannel.sum(payloadSum, end) }
    heardOther = false
    activity = .outcome(until: now + (isHolding ? timing.echoBegin : grammar.outcomeTimeout))
  }

  /// The rest of the payload goes: the modem has what went before, or echoes none.
  @inline(never) mutating func release(at now: Instant) {
    isHolding = false
    payloadWaits = true
    outputNotBefore = now
    activity = .outcome(until: now + grammar.outcomeTimeout)
  }

  /// The echo of the first part was not whole in time.
  mutating func endHolding(at now: Instant) -> ATEvent {
    guard payloadEchoSum != 0 else {
      silentPayloads += 1
      release(at: now)
      return .none
    }
    let end = (lastHeard ?? now) + timing.echoRest
    guard end <= now else {
      activity = .outcome(until: end)
      return .none
    }
    return garble(at: now)
  }

  /// Sends a message.
  static var messageEnd: UInt8 { 0x1A }

  /// True while the payload given to `write` has not been fetched: it must not change.
  package var holdsPayload: Bool {
    if isHolding, case .outcome = activity { return true }
    return payloadWaits
  }

  // MARK: Its echo

  /// True for a byte of the payload that comes back. A line end, or a sentence, in its place says that the modem does not echo payloads,
  /// unless the payload begins a later line: the end of the prompt came twice, or something else came first.
  mutating func takesAsPayloadEcho(_ byte: UInt8) -> Bool {
    guard payloadEcho != .none, case .outcome = activity else { return false }
    if payloadEcho != .under {
      // The blank of one prompt, and a second prompt; the rest of the line end of the other.
      if payloadEcho == .next, byte == 0x20 || byte == 0x3E && payloadStart != 0x3E { return true }
      if payloadEcho == .next, byte == 0x0A, lineWasCR {
        lineWasCR = false
        return true
      }
      let isSentence = byte == 0x24 && payloadStart != 0x24
      if payloadEcho == .later {
        guard lineIsDone, byte == payloadStart else { return false }
      } else if byte == 0x0D || byte == 0x0A || !lineIsDone || isSentence {
        payloadEcho = isPayloadStartPlain ? .later : .none
        return false
      }
      payloadEcho = .under
    }
    payloadEchoSum = ATChannel.sum(payloadEchoSum, byte)
    payloadEchoRemaining -= 1
    if payloadEchoRemaining == 0 { payloadEcho = .none }
    return true
  }

  /// True for a payload that begins as no line of a modem does: JSON is one.
  private var isPayloadStartPlain: Bool {
    payloadStart > 0x20 && !isDigit(payloadStart) && payloadStart &- 0x41 >= 26 && payloadStart != 0x24
      && payloadStart != 0x2A && payloadStart != 0x2B && payloadStart != 0x3E
  }
}
