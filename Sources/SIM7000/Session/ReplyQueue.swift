import ASCIIText
import InlineStorage

/// Where something for the tracker came from.
@frozen public enum ReplySource: UInt8, BitwiseCopyable, Sendable {
  /// The body of the server's answer to a request.
  case http
  /// A message on the command topic.
  case mqtt
  /// A line on the TCP connection.
  case tcp
  /// A text message.
  case sms
  /// A message on the server's topic.
  case server
}

/// What servers and people sent to the tracker, until it is fetched. A full queue refuses and counts.
struct ReplyQueue: ~Copyable {
  /// Replies that wait at most.
  static var capacity: Int { 8 }

  private struct Entry: BitwiseCopyable {
    var source: ReplySource
    var count: Int
  }

  private var bytes = InlineBytes<1024>()
  private var entries = InlineVector<8, Entry>()
  private(set) var refusedCount: UInt32 = 0

  /// Bytes that wait.
  var count: Int { bytes.count }

  /// What waits first; nil when nothing does.
  var first: (source: ReplySource, count: Int)? {
    entries.isEmpty ? nil : (entries[0].source, entries[0].count)
  }

  /// Takes a reply in; false when it is empty, or was refused for want of room.
  mutating func append(_ text: Span<UInt8>, from source: ReplySource) -> Bool {
    guard !text.isEmpty else { return false }
    guard !entries.isFull, bytes.count + text.count <= 1024 else {
      refusedCount &+= 1
      return false
    }
    bytes.append(contentsOf: text)
    return entries.append(Entry(source: source, count: text.count))
  }

  /// Writes the first out and forgets it.
  mutating func popFirst(into sink: inout some ByteSink) {
    guard let (_, count) = first else { return }
    sink.append(bytes: bytes.span.extracting(0..<count))
    bytes.removeFirst(count)
    entries.remove(at: 0)
  }
}
