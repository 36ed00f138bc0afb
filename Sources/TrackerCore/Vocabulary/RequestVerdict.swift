public import ASCIIText
import InlineStorage
import Requests
public import Telemetry

/// What became of a request at the door; as text, what a log has of it.
///
///     @2 !1764000000000 #17 alerts off
///     @2 ?forged
///     @2 ?forged *500
///     =gearChanged #17 road bike
///
/// Channel, counter and number of one that was let in; channel and reason of one that was refused, and how many were; and what is reported by what stands
/// beside the tracker and is no part of it, with the number of the request that it answers.
@frozen public enum RequestVerdict: Equatable, BitwiseCopyable, Sendable {
  /// It is let in.
  case admitted(Request, channel: UInt8, number: UInt32, counter: UInt64)
  /// It is refused.
  case refused(RequestRefusal, channel: UInt8)
  /// So many more were refused, of which nobody wants to hear one by one.
  case refusedTogether(RequestRefusal, channel: UInt8, times: UInt16)
  /// What stands beside the tracker reports this; it answers a request unless it is a notice.
  case told(StatusReason, PacketText, number: UInt32)

  /// True when it is let in.
  public var isAdmitted: Bool {
    if case .admitted = self { return true }
    return false
  }

  /// Reads the text of a log; nil when it is none.
  public init?(_ text: Span<UInt8>) {
    if let told = RequestVerdict(told: text) {
      self = told
      return
    }
    var words = TextWords()
    guard let channel = RequestVerdict.number(0x40, &words, text), channel < UInt64(RequestOrigin.channelCount) else {
      return nil
    }
    var next = words
    guard let word = next.next(in: text) else { return nil }
    if text[word.start] == 0x3F {
      guard let reason = RequestVerdict.reason(word.bytes(of: text)) else { return nil }
      let times = RequestVerdict.number(0x2A, &next, text)
      guard next.next(in: text) == nil, times ?? 1 > 0, times ?? 1 <= UInt64(UInt16.max) else { return nil }
      self = .refused(reason, channel: UInt8(channel))
      if let times { self = .refusedTogether(reason, channel: UInt8(channel), times: UInt16(times)) }
      return
    }
    let counter = RequestVerdict.number(0x21, &words, text) ?? 0
    let number = RequestVerdict.number(0x23, &words, text) ?? 0
    let rest = text.extracting(min(words.place, text.count)..<text.count)
    guard number <= 999_999_999, let request = Request(rest) else { return nil }
    self = .admitted(request, channel: UInt8(channel), number: UInt32(number), counter: counter)
  }

  private init?(told text: Span<UInt8>) {
    var words = TextWords()
    guard let first = words.next(in: text), text[first.start] == 0x3D,
      let reason = RequestVerdict.told(first, text), let number = RequestVerdict.number(0x23, &words, text),
      number <= 999_999_999
    else { return nil }
    self = .told(
      reason, PacketText(text.extracting(min(words.place + 1, text.count)..<text.count)), number: UInt32(number))
  }

  private static func told(_ word: TextWord, _ text: Span<UInt8>) -> StatusReason? {
    var number: UInt8 = 0
    while let reason = StatusReason(rawValue: number) {
      if TextWord(from: word.start + 1, to: word.end).equals(reason.name, in: text) { return reason }
      number += 1
    }
    return nil
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
    switch self {
    case .told(let reason, let value, let number):
      sink.append(0x3D)
      sink.append(reason.name)
      sink.append(" #")
      sink.append(decimal: UInt64(number))
      guard value.count > 0 else { return }
      sink.append(0x20)
      sink.append(bytes: value.text.span)
    case .admitted(let request, let channel, let number, let counter):
      sink.append(0x40)
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
      sink.append(0x40)
      sink.append(decimal: UInt64(channel))
      sink.append(" ?")
      sink.append(reason.word)
    case .refusedTogether(let reason, let channel, let times):
      RequestVerdict.refused(reason, channel: channel).encode(into: &sink)
      sink.append(" *")
      sink.append(decimal: UInt64(times))
    }
  }
}
