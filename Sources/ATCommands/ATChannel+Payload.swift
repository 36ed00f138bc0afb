import ASCIIText

extension ATChannel {
  // MARK: Echo of a payload

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
