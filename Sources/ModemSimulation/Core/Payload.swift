import Quantities

extension SimulatedModem {
  /// Asks the host for a payload.
  mutating func open(_ prompt: Prompt) {
    // Not held back by a late answer (F10): the host could never know that its bytes are wanted.
    send(bytes(of: prompt.text))
    input.payload = []
    input.mode = .payload(prompt)
    if let timeout = prompt.timeout { schedule(.payloadTimeout, after: timeout) }
    if prompt.length == 0 { endPayload(.complete) } else { takeWaitingInput() }
  }

  mutating func takePayloadByte(_ byte: UInt8, _ prompt: Prompt) {
    if input.skipsLineFeed {
      // The line feed behind the command's carriage return is no data.
      input.skipsLineFeed = false
      if byte == 0x0A { return }
    }
    if session.echo, configuration.link.echoesPayloads { send([byte]) }
    if let length = prompt.length, !(prompt.endsAtControlBytes && (byte == 0x1A || byte == 0x1B)) {
      input.payload.append(byte)
      if input.payload.count >= length { endPayload(.complete) }
      return
    }
    switch byte {
    case 0x1A: endPayload(.complete)
    case 0x1B: endPayload(.cancelled)
    case 0x08 where !input.payload.isEmpty: input.payload.removeLast()
    default:
      if input.payload.count < prompt.maximum { input.payload.append(byte) } else { overflowCount += 1 }
    }
  }

  /// The payload is over; what it was for gets it.
  mutating func endPayload(_ outcome: Prompt.Outcome) {
    guard case .payload(let prompt) = input.mode else { return }
    let bytes = input.payload
    input.payload = []
    input.mode = .command
    timers.cancel(.payloadTimeout)
    let answer: Answer
    switch prompt.purpose {
    case .message(let draft): answer = finishMessage(draft, bytes: bytes, outcome: outcome)
    case .data(let payload): answer = finishDataPayload(payload, bytes: bytes, outcome: outcome)
    }
    complete(answer)
    flushURCs()
  }

  // MARK: Transparent mode

  /// - Source: [sim7000-at] section 2.2 (`+++`): a second of silence before and after.
  mutating func takeTransparentByte(_ byte: UInt8) {
    let guardTime = Interval.seconds(1)
    let isQuietBefore = now - input.lastByteAt >= guardTime
    input.lastByteAt = now
    timers.cancel(.escape)
    if byte == UInt8(ascii: "+"), input.plusCount > 0 || isQuietBefore, input.plusCount < 3 {
      input.plusCount += 1
      if input.plusCount == 3 { schedule(.escape, after: guardTime) }
      return
    }
    let plus = [UInt8](repeating: UInt8(ascii: "+"), count: input.plusCount)
    input.plusCount = 0
    receiveTransparent(plus + [byte])
  }

  /// The escape is complete: commands again.
  mutating func leaveTransparentMode() {
    guard input.mode == .transparent else { return }
    input.mode = .command
    input.plusCount = 0
    input.forgetLine()
    send(resultBytes(.ok))
    flushURCs()
  }
}
