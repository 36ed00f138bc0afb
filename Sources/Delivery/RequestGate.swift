public import InlineStorage
public import Quantities

/// Where a request came from.
@frozen public enum RequestSource: UInt8, BitwiseCopyable, Sendable {
  /// Sent by itself: a published message, a text message.
  case sent
  /// What a server answered to a packet.
  case answer
  /// What a server answered to a packet that was itself the answer to a request.
  case answerToAnswer
}

/// Lets requests from servers in, each once and not too often.
///
/// A server may answer every packet with a request, and the tracker answers requests with packets: without a gate each would draw
/// the other for ever. So what comes as the answer to an answer is refused, a request with a number (`#17 alerts off`) is let in
/// once, the same request again within the spacing counts as the one before, and between two requests there are ten seconds; what
/// comes faster waits, as far as there is room.
public struct RequestGate: ~Copyable {
  /// The longest request, bytes.
  public static var textCapacity: Int { 64 }
  /// Time between two requests that are let in.
  public static var spacing: Interval { .seconds(10) }

  /// Requests refused: answers to answers, numbers that were let in before, too long ones, and those for which there was no room.
  public private(set) var refusedCount: UInt32 = 0
  /// Requests let in.
  public private(set) var admittedCount: UInt32 = 0

  private var waiting = InlineQueue<4, InlineBytes<64>>(filler: InlineBytes<64>())
  private var last = InlineBytes<64>()
  private var lastTime: Instant?
  /// Numbers of the requests let in last.
  private var numbers = InlineVector<16, UInt32>(filler: 0)

  /// A gate that has seen nothing.
  public init() {}

  /// Takes a request.
  ///
  /// - Parameters:
  ///   - text: The request, as the core's `Request` reads it; the caller has seen that it is one.
  ///   - source: Where it came from.
  ///   - now: When.
  /// - Returns: False when it is refused; nothing is let in for it.
  @discardableResult public mutating func offer(
    _ text: Span<UInt8>, from source: RequestSource, at now: Instant
  ) -> Bool {
    guard source != .answerToAnswer, !text.isEmpty, text.count <= RequestGate.textCapacity, isNew(text, at: now) else {
      refusedCount &+= 1
      return false
    }
    let number = RequestGate.number(of: text)
    if let number {
      for place in 0..<numbers.count where numbers[place] == number {
        refusedCount &+= 1
        return false
      }
    }
    var kept = InlineBytes<64>()
    kept.append(contentsOf: text)
    guard waiting.append(kept) else {
      refusedCount &+= 1
      return false
    }
    if let number {
      if numbers.isFull { numbers.remove(at: 0) }
      numbers.append(number)
    }
    return true
  }

  /// The next request that may be acted on now.
  public mutating func next(at now: Instant) -> InlineBytes<64>? {
    guard let due = nextDeadline, due <= now, let text = waiting.popFirst() else { return nil }
    last = text
    lastTime = now
    admittedCount &+= 1
    return text
  }

  /// When the next request may be acted on; nil when none waits.
  public var nextDeadline: Instant? {
    guard !waiting.isEmpty else { return nil }
    return lastTime.map { $0 + RequestGate.spacing } ?? .zero
  }

  /// False for what was let in a moment ago, or waits already.
  private func isNew(_ text: Span<UInt8>, at now: Instant) -> Bool {
    if let lastTime, now - lastTime < RequestGate.spacing, RequestGate.isEqual(text, last) { return false }
    for place in 0..<waiting.count where RequestGate.isEqual(text, waiting[place]) { return false }
    return true
  }

  private static func isEqual(_ text: Span<UInt8>, _ other: InlineBytes<64>) -> Bool {
    guard text.count == other.count else { return false }
    for place in 0..<text.count where text[place] != other[place] { return false }
    return true
  }

  /// The number a request begins with, `#` and one to nine digits.
  private static func number(of text: Span<UInt8>) -> UInt32? {
    guard text.count > 1, text[0] == 0x23 else { return nil }
    var value: UInt32 = 0
    var place = 1
    while place < text.count, text[place] != 0x20 {
      guard place < 10, (0x30...0x39).contains(text[place]) else { return nil }
      value = value * 10 + UInt32(text[place] - 0x30)
      place += 1
    }
    return place > 1 ? value : nil
  }
}
