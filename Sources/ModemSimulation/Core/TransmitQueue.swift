import Quantities

/// Bytes on their way out of TXD, each with the moment its stop bit has passed.
struct TransmitQueue: Sendable {
  /// Most bytes that may wait; a piece that does not fit is dropped whole and counted.
  static let capacity = 1 << 20

  private struct Chunk: Sendable {
    var start: Instant
    var bitsPerSecond: Int
    var bytes: [UInt8]
    var taken = 0

    /// When the byte at `place` has left; a byte is ten bits (8N1).
    func due(_ place: Int) -> Instant {
      guard bitsPerSecond > 0 else { return start }
      return start + Interval(microseconds: Int64(place + 1) * 10_000_000 / Int64(bitsPerSecond))
    }

    /// How many of the bytes have left by `now`.
    func sentCount(by now: Instant) -> Int {
      guard bitsPerSecond > 0, now >= start else { return now >= start ? bytes.count : 0 }
      let elapsed = (now - start).microseconds
      // The first guess may be one short, for `due` rounds down.
      var count = min(
        bytes.count,
        Int(
          clamping: elapsed.multipliedReportingOverflow(by: Int64(bitsPerSecond)).overflow
            ? Int64.max : elapsed * Int64(bitsPerSecond) / 10_000_000))
      while count < bytes.count, due(count) <= now { count += 1 }
      return count
    }
  }

  private var chunks: [Chunk] = []
  private var waiting = 0
  private var freeAt: Instant = .zero
  /// Pieces that found no room.
  private(set) var dropped = 0

  /// When the next piece is out completely.
  var next: Instant? { chunks.first.map { $0.due($0.bytes.count - 1) } }

  /// True when nothing waits.
  var isEmpty: Bool { chunks.isEmpty }

  /// Puts bytes in line behind what is there.
  ///
  /// - Parameter bitsPerSecond: Speed of the line; zero sends at once.
  /// - Returns: When the last of the bytes has left.
  @discardableResult
  mutating func append(_ bytes: [UInt8], at now: Instant, bitsPerSecond: Int) -> Instant {
    guard !bytes.isEmpty else { return max(freeAt, now) }
    guard waiting + bytes.count <= TransmitQueue.capacity else {
      dropped += 1
      return max(freeAt, now)
    }
    let chunk = Chunk(start: max(freeAt, now), bitsPerSecond: bitsPerSecond, bytes: bytes)
    chunks.append(chunk)
    waiting += bytes.count
    freeAt = chunk.due(bytes.count - 1)
    return freeAt
  }

  /// The bytes that have left by `now` and were not taken yet.
  mutating func take(by now: Instant) -> [UInt8] {
    var result: [UInt8] = []
    var finished = 0
    for place in chunks.indices {
      let count = chunks[place].sentCount(by: now)
      result += chunks[place].bytes[chunks[place].taken..<count]
      chunks[place].taken = count
      if count < chunks[place].bytes.count { break }
      finished += 1
    }
    chunks.removeFirst(finished)
    waiting -= result.count
    return result
  }

  /// Forgets what has not left by `now`: the module lost its power or its mind.
  mutating func cut(at now: Instant) {
    for place in chunks.indices {
      let count = max(chunks[place].sentCount(by: now), chunks[place].taken)
      waiting -= chunks[place].bytes.count - count
      chunks[place].bytes.removeSubrange(count...)
    }
    chunks.removeAll { $0.taken == $0.bytes.count }
    freeAt = now
  }
}
