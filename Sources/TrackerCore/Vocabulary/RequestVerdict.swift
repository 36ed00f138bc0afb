public import ASCIIText
import Requests

/// What became of a request at the door; as text, what a log has of it.
///
///     @2 !1764000000000 #17 alerts off
///     @2 ?forged
///
/// Channel, counter and number of one that was let in; channel and reason of one that was refused.
@frozen public enum RequestVerdict: Equatable, BitwiseCopyable, Sendable {
  /// It is let in.
  case admitted(Request, channel: UInt8, number: UInt32, counter: UInt64)
  /// It is refused.
  case refused(RequestRefusal, channel: UInt8)

  /// True when it is let in.
  public var isAdmitted: Bool {
    if case .admitted = self { return true }
    return false
  }

  /// Reads the text of a log; nil when it is none.
  public init?(_ text: Span<UInt8>) {
    var words = TextWords()
    guard let channel = RequestVerdict.number(0x40, &words, text), channel < UInt64(RequestOrigin.channelCount) else {
      return nil
    }
    var next = words
    guard let word = next.next(in: text) else { return nil }
    if text[word.start] == 0x3F {
      guard let reason = RequestVerdict.reason(word.bytes(of: text)), next.next(in: text) == nil else { return nil }
      self = .refused(reason, channel: UInt8(channel))
      return
    }
    let counter = RequestVerdict.number(0x21, &words, text) ?? 0
    let number = RequestVerdict.number(0x23, &words, text) ?? 0
    let rest = text.extracting(min(words.place, text.count)..<text.count)
    guard number <= 999_999_999, let request = Request(rest) else { return nil }
    self = .admitted(request, channel: UInt8(channel), number: UInt32(number), counter: counter)
  }

  /// A number behind a mark; nil, and nothing passed, when the next word is none.
  private static func number(_ mark: UInt8, _ words: inout TextWords, _ text: Span<UInt8>) -> UInt64? {
    var next = words
    guard let word = next.next(in: text), word.count > 1, text[word.start] == mark,
      let number = scanUnsigned(text.extracting(word.start + 1..<word.end))
    else { return nil }
    words = next
    return number
  }

  private static func reason(_ text: Span<UInt8>) -> RequestRefusal? {
    var number: UInt8 = 0
    while let reason = RequestRefusal(rawValue: number) {
      if TextWord(from: 1, to: text.count).equals(reason.word, in: text) { return reason }
      number += 1
    }
    return nil
  }

  /// Writes it as a log has it.
  public func encode(into sink: inout some ByteSink) {
    sink.append(0x40)
    switch self {
    case .admitted(let request, let channel, let number, let counter):
      sink.append(decimal: UInt64(channel))
      if counter != 0 {
        sink.append(" !")
        sink.append(decimal: counter)
      }
      if number != 0 {
        sink.append(" #")
        sink.append(decimal: UInt64(number))
      }
      sink.append(0x20)
      request.encode(into: &sink)
    case .refused(let reason, let channel):
      sink.append(decimal: UInt64(channel))
      sink.append(" ?")
      sink.append(reason.word)
    }
  }
}
