/// Where the bytes of a log come from.
package protocol ByteFeed {
  /// Reads at most so many bytes; 0 at the end.
  mutating func read(into place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int
}

/// A window onto a log in a buffer of a fixed size, which outlives it: what a firmware has over a file, a port or a flash.
package struct BufferWindow<Feed: ByteFeed>: LogWindow, ~Copyable {
  private var feed: Feed
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private var start = 0
  private var end = 0
  package private(set) var position = 0

  /// A window at the beginning of what a feed gives.
  package init(_ feed: Feed, _ buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.feed = feed
    self.buffer = buffer
  }

  package var limit: Int { buffer.count }
  package var isBroken: Bool { false }
  package var count: Int { end - start }
  package var pointer: UnsafePointer<UInt8> { UnsafePointer(base + start) }

  private var base: UnsafeMutablePointer<UInt8> { buffer.baseAddress.unsafelyUnwrapped }

  package mutating func consume(_ count: Int) {
    start += count
    position += count
  }

  package mutating func require(_ wanted: Int) -> Bool {
    guard wanted <= limit else { return false }
    while count < wanted {
      if start > 0 {
        base.update(from: base + start, count: count)
        end -= start
        start = 0
      }
      let more = feed.read(into: base + end, limit - end)
      guard more > 0 else { return false }
      end += more
    }
    return true
  }
}
