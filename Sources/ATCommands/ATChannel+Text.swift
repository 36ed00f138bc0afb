import ASCIIText
import InlineStorage
import Quantities

extension ATChannel {
  // MARK: Text that anybody may have written

  /// What is due once nothing more has come for a moment: the end of a text, and what stood behind it.
  mutating func endOfText(at now: Instant) -> ATEvent {
    if text != .none {
      guard textEnd <= now else { return .none }
      return reportText(at: now)
    }
    while tailTaken < tail.count {
      let byte = tail[tailTaken]
      tailTaken += 1
      if tailTaken == tail.count {
        tail.removeAll()
        tailTaken = 0
      }
      let event = take(byte, at: now)
      if event != .none { return event }
    }
    guard holdsOK, textEnd <= now else { return .none }
    holdsOK = false
    return completeResult(.ok, at: now)
  }

  /// A byte of a text without length.
  mutating func gather(_ byte: UInt8) -> ATEvent {
    if lineIsDone {
      // The last event was a message, and another has begun behind it.
      line.removeAll()
      if textName.isEmpty { line.append(Dialect.quotedTextName) } else { line.append(contentsOf: textName.span) }
      textName.removeAll()
      line.append(0x3A)
      lineIsDone = false
    }
    guard byte == 0x0D || byte == 0x0A else {
      let end = line.count
      line.append(byte)
      // What found no room begins nothing.
      guard byte == 0x3A, line.count > end, text != .burst, textClosed > 0 else { return .none }
      return beginAnother(named: textLine..<end)
    }
    guard line.count > textLine else { return .none }
    if text == .numbered ? lineEndsText : line[line.count - 1] == 0x22 {
      // A notice behind a quote may end in one, too, and is none of the text; but only the text's own end would prove that.
      if text != .burst, textClosed > 0, beginsAsNotice { textIsDoubtful = true } else { textClosed = line.count }
    }
    line.append(0x0A)
    textLine = line.count
    return .none
  }

  /// A text with such a name begins behind a quote of the one that is coming in, which ends there.
  private mutating func beginAnother(named name: Range<Int>) -> ATEvent {
    let kind = ATChannel.textKind(of: ATLine(line.span.extracting(name)))
    guard kind != .none else { return .none }
    textName.removeAll()
    if kind != .quoted { textName.append(contentsOf: line.span.extracting(name)) }
    text = kind
    // What stood between the two may have been either's: it counts for nothing.
    line.truncate(to: textClosed)
    textClosed = 0
    textLine = 0
    lineIsDone = true
    return .unsolicited
  }

  /// What text the line of this name brings.
  @inline(never) static func textKind(of name: borrowing ATLine) -> ATTextKind {
    if name.equals(Dialect.quotedTextName) { return .quoted }
    if name.equals(Dialect.numberedTextName) { return .numbered }
    return Dialect.beginsBurst(name) ? .burst : .none
  }

  /// True when the last line so far ends a text with a number: in a quote, in a quote and a number, or, as the first, without a second
  /// field.
  private var lineEndsText: Bool {
    if endsAsText() { return true }
    guard textLine == 0 else { return false }
    var place = 0
    while place < line.count, line[place] != 0x2C { place += 1 }
    return place == line.count
  }

  /// True for a line that ends in a quote, or in a quote and a number.
  @inline(never) private func endsAsText() -> Bool {
    var place = line.count
    while place > 0, isDigit(line[place - 1]) || line[place - 1] == 0x20 { place -= 1 }
    if place > 0, place < line.count, line[place - 1] == 0x2C { place -= 1 } else { place = line.count }
    return place > 0 && line[place - 1] == 0x22
  }

  /// True for a line that begins as notices do: `+NAME:`.
  private var beginsAsNotice: Bool {
    guard line[textLine] == 0x2B else { return false }
    var place = textLine + 1
    while place < line.count, line[place] &- 0x41 < 26 || isDigit(line[place]) { place += 1 }
    return place > textLine + 1 && place < line.count && line[place] == 0x3A
  }

  /// The text is whole. What stands behind the last quote is the modem's.
  private mutating func reportText(at now: Instant) -> ATEvent {
    // A text that is too long, or that has not said its last quote, has no known end.
    let isOpen = line.isTruncated || text != .burst && textClosed == 0
    if text != .burst, !isOpen {
      tail.append(contentsOf: line.span.extracting(textClosed..<line.count))
      if tail.isTruncated { diagnostics.linesTruncated &+= 1 }
      line.truncate(to: textClosed)
    } else if line.count > 0, line[line.count - 1] == 0x0A {
      line.truncate(to: line.count - 1)
    }
    if line.isTruncated { diagnostics.linesTruncated &+= 1 }
    // Nothing tells the end of a burst from a pause in it, nor what stands behind a quote from more of the text.
    textWasOpen = isOpen || text == .burst || textIsDoubtful
    textGoesOnUntil = now + timing.textRest
    text = .none
    lineIsDone = true
    textIsDoubtful = false
    return .unsolicited
  }

  /// True for a good end that nothing proves, behind a text that had said its last quote: after a pause the text may go on, and that be a
  /// line of it. What goes on ends in a quote, and until none has come for a moment the end does not count.
  mutating func holdsEnd(at now: Instant) -> Bool {
    guard now <= textGoesOnUntil, endIsNoProof else { return false }
    endIsHeld = true
    activity = .settling(until: now + timing.textPause)
    return true
  }

  /// True for a line that says that the text went on.
  var endsHeldText: Bool {
    endIsHeld && endsAsText() && !Dialect.isWholeNotice(ATLine(line.span))
  }
}
